"""USI's spelling of moves and positions.

Files count from the right of the side that moves first, ranks from the other side by letters: `7g7f`,
`8h2b+`, `B*5e`. A position is in SFEN: the board, the side to move (`b` for the first player), the pieces in
hand with their numbers before them, and the number of the next move."""

import re
from collections import Counter
from typing import TYPE_CHECKING

from ...engine.definition.fen import MAX_IN_HAND
from ...engine.game.description import FILE_LETTERS, Description
from ..uci.notation import UciNotation

if TYPE_CHECKING:
    from ...engine.position import Move, Position

MOST_FILES, MOST_RANKS = 9, 26  # of a board whose squares are a digit and a letter
SFEN = "BOARD b|w HANDS NUMBER"
_UCI_MOVE = re.compile(r"(?:(?P<drop>\+?[A-Za-z])@|(?P<source>[a-z]\d+))(?P<target>[a-z]\d+)(?P<end>[+-]?)")
_USI_MOVE = re.compile(r"(?:(?P<drop>\+?[A-Za-z])\*|(?P<source>\d[a-z]))(?P<target>\d[a-z])(?P<end>[+-]?)")
_HAND = re.compile(r"(\d*)([A-Za-z])")


def fits(description: Description) -> bool:
    """Whether the squares of a game have names in USI."""
    return description.files <= MOST_FILES and description.ranks <= MOST_RANKS


class UsiNotation(UciNotation):
    """The spelling of one game whose board `fits`."""

    examples = "'7g7f', '8h2b+' or 'P*5e'"

    def __init__(self, description: Description) -> None:
        super().__init__(description)
        self._files, self._ranks = description.files, description.ranks

    def write_move(self, move: "Move") -> str:
        """A `Move` as text. Moves that USI does not know, such as a pass, stay as they are in UCI."""
        text = super().write_move(move)
        match = _UCI_MOVE.fullmatch(text)
        if not match:
            return text
        start = f"{match['drop']}*" if match["drop"] else self.write_square(match["source"])
        return f"{start}{self.write_square(match['target'])}{match['end']}"

    def read_move(self, text: str, position: "Position | None" = None) -> str:
        """A move in our notation. Unreadable text is unchanged."""
        match = _USI_MOVE.fullmatch(text)
        if not match:
            return super().read_move(text, position)
        start = f"{match['drop']}@" if match["drop"] else self._our_square(match["source"])
        return super().read_move(f"{start}{self._our_square(match['target'])}{match['end']}", position)

    def write_square(self, name: str) -> str:
        """The name of a square: `7g`."""
        file, rank = FILE_LETTERS.index(name[0]), int(name[1:])
        return f"{self._files - file}{chr(ord('a') + self._ranks - rank)}"

    def _our_square(self, name: str) -> str:
        file, row = self._files - int(name[0]), ord(name[1]) - ord("a")
        letter = FILE_LETTERS[file] if 0 <= file < self._files else "?"  # `parse_move` quotes such a move
        return f"{letter}{self._ranks - row}"

    def read_sfen(self, words: list[str]) -> str:
        """The FEN of the words of an SFEN. Raises ValueError that quotes it."""
        if not 3 <= len(words) <= 4 or words[1] not in ("b", "w"):
            raise ValueError(f"sfen: {' '.join(words)!r} should read {SFEN}")
        board, turn, hands, *number = words
        if number and not re.fullmatch(r"\d{1,5}", number[0], re.ASCII):
            raise ValueError(f"sfen: {number[0]!r} should be the number of the next move")
        full_moves = (max(1, int(number[0])) + 1) // 2 if number else 1
        return f"{board}[{_read_hands(hands)}] {'wb'['bw'.index(turn)]} - - 0 {full_moves}"

    def write_sfen(self, fen: str) -> str:
        """The SFEN of a FEN in our notation."""
        board, turn, *_, full_moves = self.write_fen(fen).split()
        rows, _, hands = board.partition("[")
        number = 2 * int(full_moves) - (turn == "w")
        return f"{rows} {'bw'['wb'.index(turn)]} {_write_hands(hands.rstrip(']'))} {number}"


def _read_hands(text: str) -> str:
    """The letters of all pieces in hand. Raises ValueError that quotes the text."""
    if text == "-":
        return ""
    if not re.fullmatch(rf"(?:{_HAND.pattern})+", text):
        raise ValueError(f"sfen: the hands {text!r} should be letters with numbers before them, or '-'")
    counts = [(int(number or 1), letter) for number, letter in _HAND.findall(text)]
    if any(count > MAX_IN_HAND for count, _ in counts):
        raise ValueError(f"sfen: the hands {text!r} have more than {MAX_IN_HAND} pieces of a kind")
    return "".join(letter * count for count, letter in counts)


def _write_hands(letters: str) -> str:
    counts = Counter(letters.replace("-", ""))
    return "".join(f"{count if count > 1 else ''}{letter}" for letter, count in counts.items()) or "-"
