"""Positions in CECP from programs without FEN: piece by piece, and by the side to move."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...engine.definition.fen import FenError, parse
from ..session.edit import Editor
from ..session.game import BLACK, WHITE
from ..session.session import Session
from ..wire.arguments import RefusedError
from ..wire.stdio import excerpt
from .notation import Notation

if TYPE_CHECKING:
    from ...engine.position import Position


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
