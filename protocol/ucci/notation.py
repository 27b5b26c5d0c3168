"""UCCI's spelling of moves: files from a, ranks from 0, as `h2e2`."""

import re
from typing import TYPE_CHECKING

from ..uci.notation import UciNotation

if TYPE_CHECKING:
    from ...engine.position import Move, Position

_OURS = re.compile(r"([a-z]\d+)([a-z]\d+)")
_THEIRS = re.compile(r"([a-z])(\d)-?([a-z])(\d)", re.IGNORECASE)


class UcciNotation(UciNotation):
    """The spelling of one game of at most ten ranks."""

    examples = "'h2e2'"

    def write_move(self, move: "Move") -> str:
        """A `Move` as text: `h2e2`."""
        match = _OURS.fullmatch(super().write_move(move))
        if not match:
            return super().write_move(move)
        return self.write_square(match[1]) + self.write_square(match[2])

    def write_square(self, name: str) -> str:
        """The name of a square: `h2`."""
        return f"{name[0]}{int(name[1:]) - 1}"

    def read_move(self, text: str, position: "Position | None" = None) -> str:
        """A move in our notation, from `h2e2` or `H2-E2`. Unreadable text is unchanged."""
        match = _THEIRS.fullmatch(text)
        if not match:
            return super().read_move(text, position)
        from_file, to_file = match[1].lower(), match[3].lower()
        return super().read_move(f"{from_file}{int(match[2]) + 1}{to_file}{int(match[4]) + 1}", position)

    def read_fen(self, words: list[str]) -> str:
        """The FEN of the words after `fen`: red is `r` or `w`, and fields at the end may be missing."""
        turn = {"r": "w"}.get(words[1].lower(), words[1].lower()) if len(words) > 1 else "w"
        return " ".join([*words[:1], turn, *words[2:]])
