"""The marks for a piece that XBoard's user has picked up: its targets, its promotions, and effects on other
pieces.

XBoard takes the squares that are marked with capitals for the legal ones. All marks follow from the legal
moves of a position, not from the rules."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...engine.game.moves import Move
    from ...engine.position import Position

# Capitals: legal targets. Blue, for a single mandatory promotion, is not used: XBoard 4.9.1
# waits for a `choice` there, gets it, and never makes the move. On another colour it promotes by itself.
MOVE, CAPTURE, CHOICE = "YRM"
LEG = "C"  # the end of a first leg
VICTIM, ARRIVAL = "gc"  # small letters: shown, but not targets


def marks(position: "Position", lifted: int | str | None) -> dict[int, str]:
    """Square -> colour of every target of the lifted piece.

    `lifted` is the number of a square (rank * files + file), the letter of a piece in hand, or None. M means
    a choice of promotions, R a capture or a push, Y another move. A king that may pass may go to its own
    square."""
    found: dict[int, str] = {}
    for target, moves in _moves_by_target(position, lifted).items():
        if len(moves) > 1:
            found[target] = CHOICE
        else:
            found[target] = CAPTURE if _strikes(position, moves[0]) else MOVE
    if isinstance(lifted, int) and any(
        move.is_pass and move.from_square == lifted for move in position.legal_moves()
    ):
        found[lifted] = MOVE
    return found


def consequences(position: "Position", lifted: int | str | None, target: int | None) -> dict[int, str]:
    """Square -> small letter, for the other effects of a move: g where a piece disappears that is not on the
    target, c where a pushed piece arrives. Empty for a plain move or capture, and for None, a target off the
    board."""
    moves = None if target is None else _moves_by_target(position, lifted).get(target)
    if not moves or moves[0].is_drop or moves[0].is_castling:
        return {}
    move, after = moves[0], position.copy()
    after.push(move)
    found: dict[int, str] = {}
    for square in range(position.description.squares):
        there, now = position.letter_at(square), after.letter_at(square)
        if there != now and square not in (move.from_square, move.to_square):
            found[square] = ARRIVAL if now else VICTIM
    return found


def promotions(position: "Position", lifted: int | str | None, target: int) -> list[str]:
    """The letters of the lifted piece's promotions on that square, in the order of the game's file."""
    moves = _moves_by_target(position, lifted).get(target, ())
    return [str(move)[-1].upper() for move in moves if move.is_promotion]


def _moves_by_target(position: "Position", lifted: int | str | None) -> "dict[int, list[Move]]":
    """Target -> the legal moves of the lifted piece to it; passes and setup choices have no target."""
    found: dict[int, list[Move]] = {}
    for move in position.legal_moves():
        origin = str(move)[0] if move.is_drop else move.from_square
        if origin == lifted and not (move.is_pass or move.is_choice):
            found.setdefault(move.to_square, []).append(move)
    return found


def _strikes(position: "Position", move: "Move") -> bool:
    """Whether a move captures or pushes a piece."""
    if position.letter_at(move.to_square) and not move.is_castling and move.from_square != move.to_square:
        return True
    return bool(consequences(position, move.from_square, move.to_square))
