"""The description of a game's pieces for XBoard: a slot with a picture for each, and its moves in Betza
notation.

XBoard tests the legality of moves by this description. It must never refuse a legal move, so if a rule cannot
be expressed, the description allows more moves than the rules. Moves that XBoard would wrongly take for a
check are marked `t` (tame): they give no check."""

import re

from ...engine.game.description import REVERTING, Description, PieceDescription

# XBoard has slots for each side's pieces, each with a picture of its own: 22 in its old tables, 44 since
# 4.9. The king stands last. A piece that promotes has one of the slots 0 to 10. Its promoted form stands
# eleven slots further on (`+`), or in any slot that names the piece: `^C`.
SLOTS = 22
ALL_SLOTS = 44
PAWN_SLOT = 0  # for a pawn of chess alone: it promotes by itself on the last rank, and captures in passing
LANCE_SLOT = 18  # its piece promotes by itself on the last rank, whatever it is; so it stays empty
PROMOTED_OFFSET = 11
PICTURES = {
    **{"N": 1, "nN": 1, "B": 2, "R": 3, "Q": 4, "F": 5, "FfW": 5, "A": 6, "FA": 6, "nZ": 6},
    **{"ffN": 1, "fR": 4, "fW": 10, "fsW": 10},
    **{"BN": 7, "NB": 7, "RN": 8, "NR": 8, "W": 9, "WfF": 9, "mR": 9, "K": 10, "mK": 10},
    **{"mRcpR": 11, "pR": 11},
}
PROMOTED_PICTURES = {"Q": 17}  # an eagle, for 15 looks like a queen, which this form is not in the hand
SHADOWED_SLOTS = (5, 6, 9, 8, 4, 3, 2, 1)  # eleven slots further on stands neither lance nor king
PROMOTING_SLOTS = (10, 5, 6, 9, 8, 7, 4, 3, 2, 1)  # for pieces that promote and look like no other
OTHER_SLOTS = (10, 16, 19, 12, 5, 6, 9, 11, 7, 8, 13, 14, 15, 17, 20)  # for others that look like no other
XBOARDS_OWN = {"shogi": "PNBRLS...G.++++++....K"}  # tables of games that it is not taught, where they differ

# XBoard takes the square before the last for the only one that blocks a lame leap.
LAME_LEAPS = {"nZ": "mafsmafW"}
_TERM = re.compile(r"([a-z]*?)([gjnp]*)(([A-Z])\4?\d*)")  # which way and what for, how, where to


def paired_forms(description: Description) -> dict[str, str]:
    """Letter -> base of each piece that other programs name after its base, like `+R`: as in the game's file,
    or if the base has no other form and none is in the start position."""
    if description.plus is not None:
        return {form: base for base, form in description.plus.items()}
    start = description.start_fen.split(" ")[0].upper()
    return {
        piece.letter: piece.base
        for piece in description.pieces
        if piece.promoted
        and piece.letter not in start
        and description.piece(piece.base).promotes_to == (piece.letter,)
    }


def turning_forms(description: Description) -> dict[str, str]:
    """Letter -> base of each promoted form that promotes back to its base, for all squares."""
    return {
        piece.letter: piece.base
        for piece in description.pieces
        if piece.promoted
        and piece.promotes_to == (piece.base,)
        and description.piece(piece.base).promotes_to == (piece.letter,)
        and (description.plus is None or description.plus.get(piece.base) == piece.letter)
    }


def slots(description: Description) -> list[str]:
    """The piece in each of XBoard's slots for White: a letter, a promoted form, `.` for nothing."""
    if own := XBOARDS_OWN.get(description.name):
        return list(own)
    paired = paired_forms(description)
    reverting = [piece.letter[0] for piece in description.pieces if piece.letter.endswith(REVERTING)]
    bases = [piece for piece in description.kinds if piece.letter not in paired]
    taken = ["."] * (SLOTS if len(description.pieces) <= SLOTS - 2 else ALL_SLOTS)
    taken[PAWN_SLOT] = taken[LANCE_SLOT] = "-"
    promoting = set(paired.values())
    home: dict[str, int] = {}

    def rank(piece: PieceDescription) -> tuple[bool, bool]:
        return piece.letter not in promoting, piece.betza not in PICTURES

    for piece in sorted(bases, key=rank):
        if piece.royal:
            slot: int | None = len(taken) - 1
        elif _is_chess_pawn(piece, description) and taken[PAWN_SLOT] == "-":
            slot = PAWN_SLOT
        else:
            slot = _free(
                taken, *_preferred_slots(piece, piece.letter in promoting, piece.letter in reverting)
            )
        if slot is not None:
            home[piece.letter], taken[slot] = slot, piece.letter
    for (
        letter
    ) in reverting:  # the shadow of a piece: it looks the same and reverts to a pawn when it is captured
        if letter in home and home[letter] < PROMOTED_OFFSET:
            taken[home[letter] + PROMOTED_OFFSET] = "~"
    promoted = [piece for piece in description.pieces if paired.get(piece.letter) in home]
    for piece in sorted(promoted, key=lambda piece: home[piece.base]):
        partner = home[piece.base] + PROMOTED_OFFSET
        others = range(len(taken) - 1, PROMOTED_OFFSET, -1)
        slot = _free(taken, PROMOTED_PICTURES.get(piece.betza), partner, *others)
        if slot is not None:
            taken[slot] = "+" if slot == partner else f"^{piece.base}"
    return ["." if slot == "-" else slot for slot in taken]


def _preferred_slots(piece: PieceDescription, promoting: bool, reverting: bool) -> tuple[int | None, ...]:
    """The best slots for a piece, the best one first."""
    picture = PICTURES.get(piece.betza)
    if promoting:
        return (picture if picture in PROMOTING_SLOTS else None), *PROMOTING_SLOTS
    if reverting and picture not in SHADOWED_SLOTS:
        return SHADOWED_SLOTS
    return picture, *OTHER_SLOTS


def _is_chess_pawn(piece: PieceDescription, description: Description) -> bool:
    """Whether XBoard can treat the piece as its own pawn, which must promote on the last rank, is dropped on
    neither the first nor the last, and captures en passant when it moves diagonally to an empty square."""
    strays = any(ride.quiet and ride.files and ride.ranks for ride in (*piece.moves, *piece.palace_moves))
    dropped = piece.droppable and not {1, description.ranks} <= set(piece.drop_forbidden)
    return piece.only_forward and bool(piece.must_promote) and not strays and not dropped


def _free(taken: list[str], *wishes: int | None) -> int | None:
    """The first of the wishes that is free, or else the first free slot; None if all are taken."""
    free = [slot for slot, letter in enumerate(taken) if letter == "."]
    return next((slot for slot in (*wishes, *free) if slot in free), None)


def betza(piece: PieceDescription, description: Description) -> str:
    """The moves of a piece in XBoard's Betza notation."""
    text = LAME_LEAPS.get(piece.betza, piece.betza)
    if description.merchants or description.bumping:
        text = _marked_tame(text, ".*")  # an immobilised piece gives no check
    elif any(other.shielded == "hops" for other in description.pieces):
        text = _marked_tame(text, ".*[pg]")
    text += _diagonals(piece)
    if description.bumping and piece.letter not in description.bumping.immune and "R" not in text:
        text += "mtR"  # as far as a pawn pushes it
    for rank, squares in piece.steps.items():
        # XBoard knows two kinds of first step: from the piece's starting square (`i`) and from
        # the square in front of it (`ii`). For other ranks it gets more than the rules allow.
        initial = {0: "i", 1: "ii"}.get(rank - _home_rank(piece, description), "")
        text += f"{initial}fmW{squares}"
    if piece.en_passant:
        text += "feF"
    if description.castling and piece.letter == description.castling_king:
        text += _castling(description)
    return text


def _marked_tame(text: str, pattern: str) -> str:
    """`text` in which the moves whose prefixes match the pattern are marked as tame."""

    def tame(term: re.Match[str]) -> str:
        prefix = "t" if re.fullmatch(pattern, term[1] + term[2]) else ""
        return f"{term[1]}{prefix}{term[2]}{term[3]}"

    return _TERM.sub(tame, text)


def _diagonals(piece: PieceDescription) -> str:
    """The moves along a palace's diagonals. XBoard has no palaces, so the description allows them
    everywhere."""
    moves = piece.palace_moves
    if not moves:
        return ""
    forward = "f" if all(ride.ranks > 0 for ride in moves) else ""
    hop = "p" if any(ride.hop for ride in moves) else ""
    return f"{forward}t{hop}{'F' if all(ride.reach == 1 for ride in moves) else 'B'}"


def _home_rank(piece: PieceDescription, description: Description) -> int:
    rows = description.start_fen.split(" ")[0].split("[")[0].split("/")
    return next(
        (rank for rank, row in enumerate(reversed(rows), 1) if piece.letter in row), -description.ranks
    )


def _castling(description: Description) -> str:
    """Castling as `O` with the king's steps; `i` if the king must not have moved, `j` for each square between
    the rook and the edge."""
    ways: dict[str, str] = {}
    for wing in description.castling:
        right = wing.king_to > wing.king
        gap = description.files - 1 - wing.rook if right else wing.rook
        ways.setdefault("r" if right else "l", f"{'j' * gap}O{abs(wing.king_to - wing.king)}")
    initial = "i" if description.castling_by == "rights" else ""
    if len(set(ways.values())) == 1 and len(ways) == 2:
        ways = {"s": ways["r"]}
    return "".join(f"{initial}{direction}{way}" for direction, way in ways.items())
