"""Analysis in CECP: a search of the current position, and the user's settings: excluded moves, and scores of
positions."""

import re
from collections.abc import Callable

from ...engine.game.moves import MoveError, MoveSyntaxError
from ..session.searches import ANALYSIS
from ..session.session import Session
from ..wire.arguments import RefusedError, whole
from .gui import Gui
from .notation import Notation, Spelled

MATE = 100_000  # a mate in N moves has the score MATE + N
WORST = 2 * MATE
DEEPEST = 1000  # plies


def why_illegal(session: Session, notation: Notation, text: str, error: MoveError) -> str:
    """Why the current game has no such move, from the `error` about it."""
    result = session.game.result()
    if result:
        return f"game over: {result.reason}"
    if isinstance(error, MoveSyntaxError) or not notation.is_move(text):
        return "not a move"
    return notation.respell(error.reason)


class Analysis(Spelled):
    """Analysis mode of a `Session`. `write_line` takes the lines for the GUI."""

    def __init__(self, session: Session, gui: Gui, write_line: Callable[[str], None]) -> None:
        self._session, self._gui = session, gui
        self._write = write_line
        self.active = False

    def analyze(self, argument: str) -> None:
        """Begins to analyse the current position."""
        self._session.force()
        self.active = True

    def exit(self, argument: str) -> None:
        """Ends the analysis; the engine then plays neither side."""
        if self.active:
            self._session.abandon()
        self.active = False

    def end(self) -> None:
        """Leaves analysis mode without ending a search."""
        self.active = False

    def go_on(self) -> None:
        """Searches the current position, after any command that has changed it."""
        session = self._session
        if (
            self.active
            and session.ready
            and not session.search
            and session.search_control.interrupted != ANALYSIS
        ):
            session.search_control.analyse()

    def tell_status(self, argument: str) -> None:
        """Reports time, nodes and depth of an analysis, the number of remaining root moves and the current
        one."""
        search = self._session.search
        if not self.active or search is None or search.last_info is None or not self._gui.reads_status:
            return
        info, current = search.last_info, search.current
        depth, move, left, total = info.depth, info.pv[0], 0, len(search.position.legal_moves())
        if current is not None:
            depth, move, number, total = current
            left = total - number
        name = self._notation.write_move(move)
        self._write(f"stat01: {search.centiseconds} {info.nodes} {depth} {left} {total} {name}")

    def exclude(self, argument: str) -> None:
        """Excludes a move, or `all`, from the next searches of this position."""
        self._exclude(argument, True)

    def include(self, argument: str) -> None:
        """Includes a move, or `all`, again."""
        self._exclude(argument, False)

    def _exclude(self, argument: str, out: bool) -> None:
        session, notation = self._session, self._notation
        try:
            move = None if argument == "all" else notation.read_move(argument, session.position)
            session.exclude(move, out)
        except MoveError as error:
            raise RefusedError(why_illegal(session, notation, argument, error)) from None

    def setscore(self, argument: str) -> None:
        """Gives the current position a score, for the side to move, in searches up to a depth."""
        match = re.fullmatch(r"([+-]?\d{1,6})\s+(\d{1,4})", argument, re.ASCII)
        if not match:
            raise RefusedError("setscore needs centipawns and a depth")
        score, depth = int(match[1]), whole(match[2], 1, DEEPEST)
        if abs(score) > WORST:
            raise RefusedError(f"the score is not from {-WORST} to {WORST}")
        mate = max(1, abs(score) - MATE) if abs(score) >= MATE else None
        self._session.search_control.give_score(score, mate if mate is None or score > 0 else -mate, depth)
