"""Null moves: they pass the turn in games without passes, to note a threat of the other side."""

from typing import TYPE_CHECKING

from ..game.moves import IllegalMoveError, Move

if TYPE_CHECKING:
    from ..position import Position

NULL = Move(0, "--")


def after_null(position: "Position") -> "Position":
    """The position with the other side to move, without the moves before it. Raises IllegalMoveError in
    check, and if the game is over."""
    from ..position import Position

    if position.is_check():
        raise IllegalMoveError(NULL.text, "the turn cannot be passed in a check")
    if not position.legal_codes():
        raise IllegalMoveError(NULL.text, "the game is over")
    board, turn, castling, _, *rest = position.fen().split()
    rest[-2:] = [str(int(rest[-2]) + 1), str(int(rest[-1]) + (turn == "b"))]
    return Position(position.variant, " ".join([board, "b" if turn == "w" else "w", castling, "-", *rest]))


def played(position: "Position", move: Move) -> "Position":
    """The position after a legal move or NULL: the same object, or a new one after NULL."""
    if move == NULL:
        return after_null(position)
    position.push_legal(move)
    return position
