"""Positions in CECP from programs without FEN: piece by piece, and by the side to move."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from ...engine.definition.castling_field import backed_rights
from ...engine.definition.fen import MAX_IN_HAND, FenError, Setup, parse, write
from ...engine.definition.free_castling_field import all_free_rights
from ...engine.game.description import REVERTING, Description
from ..session.game import BLACK, WHITE
from ..session.session import Session
from ..wire.arguments import RefusedError
from ..wire.stdio import excerpt
from .notation import Notation

if TYPE_CHECKING:
    from ...engine.position import Position

_PLACE = re.compile(r"(?P<letter>[A-Zx])(?P<square>[a-p]\d{1,2})(?P<promoted>\+?)", re.ASCII)
_HOLD = re.compile(r"(?P<letter>[A-Z])@(?P<count>\d{1,2})", re.ASCII)


class Editor:
    """A position that is being edited, in XBoard's spelling. It begins with the position of `text`, a FEN."""

    def __init__(self, text: str, description: Description, notation: Notation) -> None:
        self._description = description
        self._notation = notation
        self._setup = parse(text, description)
        self._colour = 0

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
        return write(self._setup, castling or "-", self._description)


class SettingUp:
    """Edit mode, and the commands `white` and `black`, for a `Session`. `write_line` takes the lines for the
    GUI, `remark` those for its log."""

    def __init__(
        self, session: Session, write_line: Callable[[str], None], remark: Callable[[str], None]
    ) -> None:
        self._session = session
        self._write, self._remark = write_line, remark
        self._editor: Editor | None = None

    @property
    def editing(self) -> bool:
        """Whether lines are edit commands now."""
        return self._editor is not None

    def cancel(self) -> None:
        """Ends edit mode without a new position."""
        self._editor = None

    def edit(self, argument: str) -> None:
        """Enters edit mode with the current position."""
        self._session.abandon()
        position = self._session.position
        self._editor = Editor(position.fen(), position.description, Notation(position.description))

    def carry_out(self, text: str) -> None:
        """Carries out a line of edit mode; the dot at its end sets the position. Raises RefusedError."""
        assert self._editor is not None
        if text != ".":
            self._editor.edit(text)
            return
        editor, self._editor = self._editor, None
        self.set_position(editor.fen())

    def set_position(self, fen: str) -> None:
        """Sets a position, or tells the user why it is illegal. The position is quoted: PyChess ends analyses
        with a position without pieces, and hides the error from the user if it quotes that position."""
        try:
            self._session.set_position(fen)
        except ValueError as error:
            self._write(f"tellusererror Illegal position: {excerpt(str(error), 200)}; {excerpt(fen)}")
            return
        for note in self._session.position.notes:
            self._remark(excerpt(note, 300))

    def white(self, argument: str) -> None:
        """White is to move."""
        self._set_turn(WHITE)

    def black(self, argument: str) -> None:
        """Black is to move."""
        self._set_turn(BLACK)

    def _set_turn(self, side: int) -> None:
        """Sets the side to move; the engine plays the other side, as programs of protocol version 1
        expect."""
        try:
            self._session.set_turn(side)
        except ValueError as error:
            raise RefusedError(excerpt(str(error), 300)) from None
        self._session.abandon()
        self._session.game.engine_side = 1 - side


def passes(position: "Position", fen: str) -> bool:
    """Whether a FEN is the position after a pass in this one."""
    if not any(move.is_pass for move in position.legal_moves()):
        return False
    try:
        given = parse(fen, position.description)
    except FenError:
        return False
    here = parse(position.fen(), position.description)
    return (given.board, given.side) == (here.board, 1 - here.side)
