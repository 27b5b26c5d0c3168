"""The legal moves of a position as a collection."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from .game.moves import IllegalMoveError, Move
from .notation.position_like import PositionLike


class LegalMoves(Collection[Move]):
    """The legal moves of a position at the time of each call.

    It has a length and an order, and `in` takes a `Move` or its text. A loop over it keeps the moves that it
    started with while moves are pushed and popped. There are none once the position is decided by rule;
    repetition does not count. `legal_moves()` is a list of them.
    """

    __slots__ = ("_position",)

    def __init__(self, position: PositionLike) -> None:
        self._position = position

    def __iter__(self) -> Iterator[Move]:
        return iter(self._position.legal_by_text().values())

    def __len__(self) -> int:
        return len(self._position.legal_codes())

    def __getitem__(self, index: int) -> Move:
        return self()[index]

    def __contains__(self, move: object) -> bool:
        """Whether a move is legal. Raises MoveSyntaxError for a text that is not a move, TypeError for
        something else."""
        try:
            self._position.parse_move(move)  # type: ignore[arg-type]  # another type raises
        except IllegalMoveError:
            return False
        return True

    def __call__(self) -> list[Move]:
        """A list of the moves."""
        return list(self._position.legal_by_text().values())

    def count(self) -> int:
        """Their number."""
        return len(self)

    def __repr__(self) -> str:
        return f"LegalMoves({', '.join(map(str, self))})"
