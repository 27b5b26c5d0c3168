"""XBoard's spelling of the squares, moves and positions of a game.

XBoard counts the ranks of a ten-rank board from 0 and writes a piece that exists only by promotion as its
base form with a plus. Everything follows from the game's description; `pieces` describes the pieces to
XBoard."""

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ...engine.game.moves import square_name
from ..wire.pieces import betza, paired_forms, slots
from ..wire.spelling import PASS as COMMON_PASS
from ..wire.spelling import is_castling, plain, resolved

if TYPE_CHECKING:
    from ...engine.game.description import Description
    from ...engine.game.moves import Move
    from ...engine.position import Position
    from ..session.session import Session


PASS = "@@@@"

_SQUARE = re.compile(r"([a-p])(\d{1,2})")
_STEP = r"[a-p]\d{1,2}[a-p]\d{1,2}"
_MOVE = re.compile(rf"\+?[A-Z]@[a-p]\d{{1,2}}|{_STEP}[a-z+=-]?|{_STEP}(?:,{_STEP})+|{COMMON_PASS}")


class Notation:
    """XBoard's spelling of one game."""

    def __init__(self, description: "Description") -> None:
        self._description = description
        self.first_rank = 0 if description.ranks == 10 else 1
        self._slots = slots(description)
        self._paired = paired_forms(description)

    def is_move(self, text: str) -> bool:
        """Whether `text` has the form of a move, legal or not."""
        return bool(_MOVE.fullmatch(plain(text))) or is_castling(text)

    def is_pass(self, text: str) -> bool:
        """Whether `text` spells a pass without squares."""
        return plain(text) == COMMON_PASS

    def write_move(self, move: "Move") -> str:
        """A move of the engine in XBoard's spelling: `a9a10g` becomes `a8a9+`, a pass `@@@@`, castling from
        any files `O-O` or `O-O-O`. A declined promotion has no suffix, because XBoard calls `=` an illegal
        move in games that are not a kind of shogi."""
        if move.is_pass:
            return PASS
        if move.is_castling and self._description.castling_free:
            king, rook = move.from_square, move.to_square
            return "O-O" if king is not None and rook > king else "O-O-O"
        text = self.respell(str(move))
        return text[:-1] + "+" if text[-1].upper() in self._paired else text

    def read_move(self, text: str, position: "Position | None" = None) -> str:
        """A move of XBoard in the engine's spelling; `O-O` needs its position. Other text is unchanged."""
        if not self.is_move(text):
            return text
        text = plain(text)
        if text.startswith("+"):
            text = (self.promoted_form(text[1]) or "+") + text[2:]
        return resolved(_SQUARE.sub(self._shift(1 - self.first_rank), text), position)

    def respell(self, text: str) -> str:
        """A sentence of the engine with its squares in XBoard's spelling."""
        return _SQUARE.sub(self._shift(self.first_rank - 1), text)

    def read_square(self, text: str) -> int | None:
        """The number of the square, or None if the board has no such square."""
        match = _SQUARE.fullmatch(text)
        if not match:
            return None
        file, rank = ord(match[1]) - ord("a"), int(match[2]) - self.first_rank
        if file >= self._description.files or not 0 <= rank < self._description.ranks:
            return None
        return rank * self._description.files + file

    def write_square(self, square: int) -> str:
        """The name of a square from its number."""
        return self.respell(square_name(square, self._description.files))

    def read_hand_square(self, text: str) -> str | None:
        """The letter of the piece whose place beside the board `text` names, or None.

        XBoard names these places like squares: White's hand is two files right of the board and counted from
        the bottom, Black's two files left of it and counted from the top."""
        droppable = {piece.letter for piece in self._description.hand_pieces}
        hand = [letter for letter in self._slots if letter in droppable]
        if not re.fullmatch(r".\d{1,2}", text, re.ASCII):
            return None
        place = int(text[1:]) - self.first_rank
        if text[0] == chr(ord("a") - 2):
            place = self._description.ranks - 1 - place
        elif text[0] != chr(ord("a") + self._description.files + 1):
            return None
        return hand[place] if 0 <= place < len(hand) else None

    def promoted_form(self, letter: str) -> str | None:
        """The letter of the piece that XBoard calls `+R`, or None if a rook has no such form."""
        return next((form for form, base in self._paired.items() if base == letter), None)

    def write_piece(self, letter: str) -> str:
        """The name of a piece: `R`, and `+R` for a promoted rook."""
        return "+" + self._paired[letter] if letter in self._paired else letter

    def write_squares(self, marks: Mapping[int, str]) -> str:
        """A FEN-like picture of the board with `marks`, a letter for each marked square."""
        files, ranks = self._description.files, self._description.ranks
        rows = []
        for rank in reversed(range(ranks)):
            row = "".join(marks.get(rank * files + file, " ") for file in range(files))
            rows.append(re.sub(" +", lambda gap: str(len(gap[0])), row))
        return "/".join(rows)

    def setup(self, start_fen: str) -> str:
        """The reply to `variant`: pieces, board, hands, parent game and start."""
        description = self._description
        letters = "".join(self._slots)
        parent = "crazyhouse" if description.has_drops else "fairy"
        board, turn, rights, rest = start_fen.split(maxsplit=3)
        pieces, bracket, hands = board.partition("[")
        pieces = re.sub(r"[A-Za-z]", lambda letter: self._write_coloured(letter[0]), pieces)
        size = f"{description.files}x{description.ranks}+{len(description.hand_pieces)}"
        fen = f"{pieces}{bracket}{hands} {turn} {rights.rstrip('Ss') or '-'} {rest}"
        return f"setup ({letters}{letters.lower()}) {size}_{parent} {fen}"

    def pieces(self) -> list[str]:
        """The `piece` lines: the moves of each kind, for XBoard's own test of legality."""
        return [
            f"piece {self.write_piece(piece.letter)}& {betza(piece, self._description)}"
            for piece in self._description.kinds
        ]

    def _shift(self, ranks: int) -> Callable[[re.Match[str]], str]:
        return lambda square: f"{square[1]}{int(square[2]) + ranks}"

    def _write_coloured(self, letter: str) -> str:
        name = self.write_piece(letter.upper())
        return name if letter.isupper() else name.lower()


class Spelled:
    """A part of a conversation that spells moves of the game in its session."""

    _session: "Session"

    @property
    def _notation(self) -> Notation:
        return Notation(self._session.position.description)
