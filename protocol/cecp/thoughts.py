"""Thinking output in CECP: lines of the search, the expected reply, the book."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..session.search_thread import SearchThread
from ..session.session import Session
from .analysis import MATE, Analysis
from .notation import Notation

if TYPE_CHECKING:
    from ...search.results import Info


HELD_S = 0.2  # of pondering: until its `ping` is answered, python-chess takes lines for those of the move


class Thoughts:
    """Thinking output of a `Session`. `write_line` takes the lines for the GUI."""

    def __init__(self, session: Session, analysis: Analysis, write_line: Callable[[str], None]) -> None:
        self._session, self._analysis, self._write = session, analysis, write_line
        self._posting = False

    def post(self, argument: str) -> None:
        """Turns thinking output on."""
        self._posting = True

    def nopost(self, argument: str) -> None:
        """Turns thinking output off."""
        self._posting = False

    def tell(self, search: SearchThread, info: "Info", notation: Notation) -> None:
        """Writes a line of thinking output; pondering output begins with the expected move, and with a delay.
        Bounds are left out, because python-chess warns about the protocol's signs for them."""
        if not self._posting or info.bound:
            return
        score: float = info.score.centipawns
        search_control = self._session.search_control
        if info.score.mate is not None:
            score = info.score.mate + math.copysign(MATE, info.score.mate)
        line = info.pv
        if search is search_control.pondering:
            if info.time < HELD_S:
                return
            assert search_control.expected is not None
            line = (search_control.expected, *info.pv)
        moves = " ".join(map(notation.write_move, line))
        self._write(f"{info.depth} {score:.0f} {100 * info.time:.0f} {info.nodes} {moves}")

    def hint(self, argument: str = "") -> None:
        """Writes the reply that the engine expects, or the best move of an analysis."""
        search_control = self._session.search_control
        search, move = search_control.search, search_control.expected
        if self._analysis.active:
            move = search.last_info.pv[0] if search and search.last_info else None
        if move is not None and not search_control.thinking:
            self._write(f"Hint: {Notation(self._session.position.description).write_move(move)}")

    def bk(self, argument: str) -> None:
        """Answers the question for book moves; an empty line ends the answer."""
        self._write(" There is no opening book.")
        self._write("")
