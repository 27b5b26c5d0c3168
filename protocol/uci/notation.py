"""UCI programs' spelling of the names, moves and positions of our games, in both directions.

Fairy-Stockfish is the model. Differences from our own notation follow from the game's description, except the
few names and letters listed here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...engine.game.description import FILE_LETTERS, Description
from ...engine.game.moves import EXAMPLES, MoveError, parse_square
from ..wire.pieces import paired_forms, turning_forms
from ..wire.spelling import plain, resolved, write_board

if TYPE_CHECKING:
    from ...engine.position import Move, Position

# Other programs' names of games with our rules, best first; games that are not listed have our own name.
NAMES = {"janggi": ("janggitraditional", "janggi")}
LETTERS = {"janggi": {"E": "B"}}  # of the elephant
COLOURS = ("White", "Black")
_NAMES = re.compile(r"[^\s,']+")  # of moves and squares in a sentence
_SQUARE = re.compile(r"(?<![a-z])[a-p]\d{1,2}(?!\d)")
_CELLS = re.compile(r"\d+|\+?[A-Za-z]")  # of a row of a FEN


class UciNotation:
    """The spelling of one game; `examples` are moves in it."""

    examples = EXAMPLES

    def __init__(self, description: Description) -> None:
        self._description = description
        self._paired = paired_forms(description) | turning_forms(description)
        self._turned = {base for form, base in turning_forms(description).items()}
        self._letters = LETTERS.get(description.name, {})

    def write_move(self, move: Move) -> str:
        """A `Move` as text: `e7e8q`, `P@e4`. The only promotion of a piece is a `+`, also when it is dropped,
        and the reverse is a `-`; a pass is the king's step onto its own square."""
        text = str(move)
        if move.is_drop and text[0] in self._paired:
            return f"+{self._paired[text[0]]}{text[1:]}"
        if move.is_promotion and text[-1].upper() in self._paired:
            return text[:-1] + "+"
        return text[:-1] + "-" if move.is_promotion and text[-1].upper() in self._turned else text

    def read_move(self, text: str, position: Position | None = None) -> str:
        """A move in our notation; `O-O` needs its position. Unreadable text is unchanged."""
        text = plain(text)
        if text.startswith("+") and text[2:3] == "@":
            forms = {base: form for form, base in self._paired.items()}
            text = forms.get(text[1:2], "+") + text[2:]
        return resolved(text, position)

    def refused(self, text: str, error: MoveError, position: Position) -> MoveError:
        """The error of a move that the program wrote as `text`, with its reason in the program's spelling."""
        game, legal = self._description, position.legal_by_text()

        def square(match: re.Match[str]) -> str:
            there = parse_square(match[0], game.files, game.ranks) is not None
            return self.write_square(match[0]) if there else match[0]

        def name(match: re.Match[str]) -> str:
            move = legal.get(match[0])
            return self.write_move(move) if move else _SQUARE.sub(square, match[0])

        reason, looks, _ = error.reason.partition(EXAMPLES)
        return type(error)(text, _NAMES.sub(name, reason) + (self.examples if looks else ""))

    def write_square(self, name: str) -> str:
        """The name of a square of the board as other programs write it."""
        return name

    def write_fen(self, fen: str) -> str:
        """A position as other programs read it: promoted pieces as `+R`, and without a setup phase."""
        board, turn, rights, rest = write_board(fen, self._paired, self._letters).split(maxsplit=3)
        return f"{board} {turn} {rights.rstrip('Ss') or '-'} {rest}"

    def draw(self, position: Position) -> list[str]:
        """The board from White's side in the letters of `write_fen`, with both hands and the side to move."""
        board = self.write_fen(position.fen()).split()[0].partition("[")[0]
        rows = [_CELLS.findall(row) for row in board.split("/")]
        cells = [
            [cell for text in row for cell in (["."] * int(text) if text.isdecimal() else [text])]
            for row in rows
        ]
        width = max(len(cell) for row in cells for cell in row)
        ranks = range(len(cells), 0, -1)
        lines = [self._hand_line(position, 1)]
        for heading, row in (*zip(ranks, cells, strict=True), ("", FILE_LETTERS[: len(cells[0])])):
            lines.append(f"{heading:>2}  " + " ".join(cell.rjust(width) for cell in row))
        lines += [self._hand_line(position, 0), f"{COLOURS[position.turn]} to move"]
        return [line for line in lines if line]

    def _hand_line(self, position: Position, colour: int) -> str:
        if not self._description.has_drops:
            return ""
        counts = position.hand(colour).items()
        hand = " ".join(f"{self._letters.get(letter, letter)}x{count}" for letter, count in counts)
        return f"{COLOURS[colour]}'s hand: {hand or '-'}"


def flipped(fen: str, ranks: int) -> str:
    """The position, in the engine's notation, with the colours exchanged."""
    board, turn, rights, crossed, *counters = fen.split()
    counters = ["+".join(reversed(counter.split("+"))) for counter in counters]
    rows, bracket, hands = board.partition("[")
    board = "/".join(reversed(rows.split("/"))) + bracket + hands
    crossed = re.sub(r"\d+", lambda number: str(ranks + 1 - int(number[0])), crossed)
    return " ".join([board.swapcase(), "wb"["bw".index(turn)], rights.swapcase(), crossed, *counters])
