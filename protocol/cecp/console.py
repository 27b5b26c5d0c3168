"""Commands of CECP for people who type: they show the current position and its evaluation."""

import re
from collections.abc import Callable

from ..session.eval_text import eval_lines
from ..session.session import Session
from .notation import Notation

_RANK = re.compile(r"^ ?\d+(?=  )")  # at the start of a row of the drawing


class Console:
    """Shows the position of a `Session`. `write_line` takes the lines."""

    def __init__(self, session: Session, write_line: Callable[[str], None]) -> None:
        self._session = session
        self._write = write_line

    def d(self, argument: str) -> None:
        """Shows the board, with rank names as in moves, the FEN and the key."""
        position = self._session.position
        first = Notation(position.description).first_rank
        for line in str(position).splitlines():
            self._write(_RANK.sub(lambda rank: f"{int(rank[0]) - 1 + first:>2}", line))
        self._write(f"Fen: {position.fen()}")
        self._write(f"Key: {position.key:016X}")

    def eval(self, argument: str) -> None:
        """Shows the static evaluation of the position. The evaluation uses the engine's threads, so an
        analysis or pondering is interrupted."""
        search_control = self._session.search_control
        interrupts = search_control.interrupted is None
        if interrupts:
            search_control.pause()
        for line in eval_lines(search_control.engine, self._session.position):
            self._write(line)
        if interrupts:
            search_control.resume()
