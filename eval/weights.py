"""The numbers of the evaluation, in centipawns, as one record built from a game's description.

Values come from the game's file; what a piece is worth on each square follows from how far it reaches there.
How the numbers are used lives in `evaluate`.
"""

from functools import cache

import numpy as np

from ..engine.mobility import reached

REACH_SWING = 24  # centipawns of a square from which a piece reaches twice its average
MAX_SWING = 30
PAWN_ADVANCE = 80  # centipawns of a pawn one step from promotion over one at home
PAWN_CENTRE = 4  # centipawns for each file nearer to the centre
KING_STRAYING = 16  # centipawns lost for each rank the king leaves its own
KING_WING = 6  # centipawns for each file between the king and the centre, at home


@cache
def weights_dtype(rules):
    """The record of one game's weights.

    `board` and `hand` are values by kind and by hand piece (a last entry of 0 stands for no piece),
    `capture` what taking a kind changes, the hand included, and `squares` values by side, kind and square
    with `board` included. `attack` are danger units for each
    square beside the king that a mover hits, `drop` those for each hand piece.
    """
    return np.dtype(
        [
            ("board", np.int32, (rules.kinds + 1,)),
            ("hand", np.int32, (rules.hand_kinds + 1,)),
            ("capture", np.int32, (rules.kinds + 1,)),
            ("squares", np.int16, (2, rules.kinds, rules.squares)),
            ("attack", np.int32, (rules.mover_count,)),
            ("drop", np.int32, (rules.hand_kinds + 1,)),
        ],
        align=True,
    )


def build_weights(rules, description):
    """The weights of a game as a record of `weights_dtype`."""
    weights = np.zeros(1, weights_dtype(rules))[0]
    shape = (description.ranks, description.files)
    for kind, piece in enumerate(description.pieces):
        weights["board"][kind] = piece.value
        table = _square_table(rules, description, piece) + piece.value
        weights["squares"][0, kind] = table
        weights["squares"][1, kind] = table.reshape(shape)[::-1].ravel()
        base = description.piece(piece.base)
        weights["capture"][kind] = piece.value + (base.hand_value if base.droppable else 0)
        if not piece.royal:
            weights["attack"][rules.kind_mover[kind]] = _danger_units(piece.value)
    for index, piece in enumerate(description.hand_pieces):
        weights["hand"][index] = piece.hand_value
        weights["drop"][index] = _danger_units(piece.hand_value)
    return weights


def _danger_units(value):
    """How much a piece of that value endangers a king: 1 for a pawn, 5 for a queen."""
    return 1 + min(4, value // 260)


def _square_table(rules, description, piece):
    """Centipawns by square for a piece of White over its value."""
    files, ranks = description.files, description.ranks
    file = np.arange(rules.squares) % files
    rank = np.arange(rules.squares) // files
    wing = np.abs(file - (files - 1) / 2)
    if piece.royal:
        return (KING_WING * wing * (rank == 0) - KING_STRAYING * rank).round().astype(int)
    if piece.only_forward and piece.promotes_to:
        goal = min(description.promotion_zone) - 1
        progress = np.clip((rank - 1) / max(1, goal - 2), 0, 1)
        return (PAWN_ADVANCE * progress**2 + PAWN_CENTRE * ((files - 1) / 2 - wing)).round().astype(int)
    moves = (*piece.moves, *piece.palace_moves)
    reach = np.array([reached(files, ranks, moves, square) for square in range(rules.squares)])
    swing = REACH_SWING * (reach / reach.mean() - 1)
    return np.clip(swing, -MAX_SWING, MAX_SWING).round().astype(int)
