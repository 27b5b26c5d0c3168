"""What XBoard shows of a piece that its user has picked up: where it may go, what it may become there, and
what a move does to others. XBoard takes the squares marked in capitals for the legal ones.

All of it follows from the legal moves of a position; nothing is asked about the rules.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...engine.position import Position

# Capitals: moves may go there. Blue, for the only form that a piece must take, is left alone: XBoard 4.9.1
# waits for a `choice` there, gets it, and never makes the move. On another colour it promotes by itself.
MOVE, CAPTURE, CHOICE = "YRM"
LEG = "C"  # the end of a first leg: a move goes on from there
VICTIM, ARRIVAL = "gc"  # small letters: shown, and no place to go to


def marks(position: "Position", lifted):
    """Square -> colour of every place where the lifted piece may go.

    `lifted` is the number of a square (rank * files + file) or the letter of a piece in the hand. M stands
    for a choice of promotions, R for a move that captures or pushes somebody, Y for another one. A king that
    may pass may go where it stands.
    """
    found = {}
    for target, moves in _moves_by_target(position, lifted).items():
        if len(moves) > 1:
            found[target] = CHOICE
        else:
            found[target] = CAPTURE if _strikes(position, moves[0]) else MOVE
    if any(move.is_pass and move.from_square == lifted for move in position.legal_moves()):
        found[lifted] = MOVE
    return found


def consequences(position: "Position", lifted, target):
    """Square -> small letter, for what else a move does: g where somebody vanishes who does not stand on the
    target, c where somebody arrives who was pushed there. Empty for a plain move or capture."""
    moves = _moves_by_target(position, lifted).get(target)
    if not moves or moves[0].is_drop or moves[0].is_castling:
        return {}
    move, after = moves[0], position.copy()
    after.push(move)
    found = {}
    for square in range(position.description.squares):
        there, now = position.piece_at(square), after.piece_at(square)
        if there != now and square not in (move.from_square, move.to_square):
            found[square] = ARRIVAL if now else VICTIM
    return found


def promotions(position: "Position", lifted, target):
    """The letters of what the lifted piece may become on that square, in the order of the game's file."""
    moves = _moves_by_target(position, lifted).get(target, ())
    return [str(move)[-1].upper() for move in moves if move.is_promotion]


def _moves_by_target(position, lifted):
    """Target -> the legal moves of the lifted piece that end there; passes and setup choices end nowhere."""
    found = {}
    for move in position.legal_moves():
        origin = str(move)[0] if move.is_drop else move.from_square
        if origin == lifted and not (move.is_pass or move.is_choice):
            found.setdefault(move.to_square, []).append(move)
    return found


def _strikes(position, move):
    """Whether a move captures or pushes somebody."""
    if position.piece_at(move.to_square) and not move.is_castling:
        return True
    return bool(consequences(position, move.from_square, move.to_square))
