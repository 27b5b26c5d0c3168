"""The methods of `Position` that read and write moves as people do."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from . import san
from .san_reading import parse_san

if TYPE_CHECKING:
    from ..game.moves import Move
    from .san import Board


class SanMethods:
    """SAN and LAN of a `Position`; see `san`, and `san_reading` for what is accepted."""

    def san(self: "Board", move: "Move | str") -> str:
        """A legal move, also as text, in SAN: `Nf3`, `exd6`, `P@e4`, `O-O`, `e8=Q+`. Raises MoveError."""
        return san.san(self, san.legal(self, move))

    def lan(self: "Board", move: "Move | str") -> str:
        """A legal move, also as text, in long algebraic notation: `Ng1-f3`, `e5xd6`. Raises MoveError."""
        return san.lan(self, san.legal(self, move))

    def variation_san(self: "Board", moves: "Iterable[Move | str]") -> str:
        """Moves that follow each other from here, in SAN with numbers: `1. e4 e5 2. Nf3`. The position does
        not change. Raises MoveError."""
        return san.variation_san(self, moves)

    def parse_san(self: "Board", text: str) -> "Move":
        """The legal move that `text` spells in SAN, or in what comes close to it, as `e8Q`, `Ng1-f3`, `0-0`.

        Raises MoveSyntaxError for a text that is not a move, IllegalMoveError for one that is not legal here
        or fits several moves."""
        return parse_san(self, text)

    def push_san(self: "Board", text: str) -> "Move":
        """Plays the move that `parse_san` reads, and returns it. Raises MoveError without a change."""
        move = parse_san(self, text)
        self.push_legal(move)
        return move
