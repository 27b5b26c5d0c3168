"""The `edit` mode of CECP, in which older programs set up positions piece by piece."""

import re
from typing import Protocol

from ...engine.definition import fen
from ...engine.definition.castling_field import backed_rights
from ...engine.definition.fen import MAX_IN_HAND, Setup
from ...engine.definition.free_castling_field import all_free_rights
from ...engine.game.description import REVERTING, Description
from ..wire.arguments import RefusedError

_PLACE = re.compile(r"(?P<letter>[A-Zx])(?P<square>[a-p]\d{1,2})(?P<promoted>\+?)", re.ASCII)
_HOLD = re.compile(r"(?P<letter>[A-Z])@(?P<count>\d{1,2})", re.ASCII)


class _Spelling(Protocol):
    """The part of XBoard's `Notation` that the editor uses."""

    def read_square(self, text: str) -> int | None:
        """The number of the square, or None if the board has no such square."""

    def promoted_form(self, letter: str) -> str | None:
        """The letter of the piece that XBoard calls `+R`, or None if a rook has no such form."""


class Editor:
    """A position that is being edited, in XBoard's spelling. It begins with the position of `text`, a FEN."""

    def __init__(self, text: str, description: Description, notation: _Spelling) -> None:
        self._description = description
        self._notation = notation
        self._setup = fen.parse(text, description)
        self._colour = 0

    @staticmethod
    def understands(text: str) -> bool:
        """Whether a line has the form of an edit command other than the dot."""
        return text in ("#", "c") or bool(_PLACE.fullmatch(text) or _HOLD.fullmatch(text))

    def edit(self, text: str) -> None:
        """Carries out `#`, `c`, `Pa4`, `Pa4+` for a promoted pawn, `xa4`, or `P@2` for the hand. Raises
        RefusedError and changes nothing."""
        if text == "#":
            self._setup = Setup(side=self._setup.side)
        elif text == "c":
            self._colour = 1 - self._colour
        elif match := _HOLD.fullmatch(text):
            self._hold(match["letter"], int(match["count"]))
        elif match := _PLACE.fullmatch(text):
            self._place(match["letter"], match["square"], match["promoted"])
        else:
            raise RefusedError("no edit command; a dot ends edit mode")

    def _hold(self, letter: str, count: int) -> None:
        if letter not in {piece.letter for piece in self._description.hand_pieces}:
            raise RefusedError(f"no {letter} can be in a hand")
        if count > MAX_IN_HAND:
            raise RefusedError(f"at most {MAX_IN_HAND} pieces of a kind can be in a hand")
        self._setup.hands[self._colour][letter] = count

    def _place(self, letter: str, square: str, promoted: str) -> None:
        number = self._notation.read_square(square)
        if number is None:
            raise RefusedError(f"the board has no square {square}")
        if letter == "x":
            self._setup.board.pop(number, None)
            return
        kind = self._kind(letter, promoted)
        if kind is None:
            raise RefusedError(f"the game has no piece {letter}{promoted}")
        self._setup.board[number] = (self._colour, kind)

    def _kind(self, letter: str, promoted: str) -> str | None:
        """The engine's letter for a piece, or None. A non-empty `promoted` asks for the form that reverts to
        this piece, or that looks like it and reverts to a pawn."""
        letters = {piece.letter for piece in self._description.pieces}
        if not promoted:
            return letter if letter in letters else None
        if letter + REVERTING in letters:
            return letter + REVERTING
        return self._notation.promoted_form(letter)

    def fen(self) -> str:
        """The edited position as a FEN, legal or not, with the same side to move. A side may castle if its
        king and rook are on their castling squares; with the outermost rooks on the king's first rank, if it
        castles from any files."""
        self._setup.crossed, self._setup.mechanic_letters = (), ""
        self._setup.halfmoves, self._setup.fullmoves = 0, 1
        rights = all_free_rights if self._description.castling_free else backed_rights
        castling = "".join(rights(self._setup.board, self._description))
        return fen.write(self._setup, castling or "-", self._description)


def with_side_to_move(text: str, side: int) -> str:
    """The FEN with `side` to move, 0 for White, and without en passant."""
    board, _, rights, _, rest = text.split(maxsplit=4)
    return f"{board} {'wb'[side]} {rights} - {rest}"
