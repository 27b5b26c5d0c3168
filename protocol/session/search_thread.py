"""One run of the engine in a thread of its own, and what it posts. The session decides who plays and whose
clock runs."""

import os
import threading
import time
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ...search.levels import Level, choose
from .strength import weakened

if TYPE_CHECKING:
    from ...engine.game.moves import Move
    from ...engine.position import Position
    from ...search.engine import Current, Engine, Info, PlayResult
    from .search_request import SearchRequest


class Thought(NamedTuple):
    """The search has something to report."""

    search: "SearchThread"
    info: "Info"


class LooksAt(NamedTuple):
    """A long search has come to another first move."""

    search: "SearchThread"
    current: "Current"


class Finished(NamedTuple):
    """The search has ended, by itself or stopped."""

    search: "SearchThread"


class SearchThread:
    """A search of `position`, as the `request` says; `post` takes its events.

    A search that is `held` obeys no clock and keeps its result back until `hit` or `stop`: while the other
    side is to move, or during an analysis. With `by_processor` reports tell the processor's time, else the
    time that has passed. A `level` makes it the search of a weaker player.
    """

    def __init__(
        self,
        engine: "Engine",
        position: "Position",
        request: "SearchRequest",
        post: Callable[[object], None],
        *,
        held: bool = False,
        by_processor: bool = False,
        level: Level | None = None,
    ) -> None:
        from ...search.engine import Ponder, Stop

        self.position = position
        self.request = request
        self.started = time.monotonic()  # of its own time, which for a held search begins at the hit
        self.earlier_nodes = 0  # searched before its own time
        self.last_info: Info | None = None  # the last report on the best line
        self.current: Current | None = None  # the first move that it is at; known of long searches
        self.lines: list[Info] = []  # the reports on all lines of the last iteration
        self.result: PlayResult | None = None  # once it has ended well
        self.error: Exception | None = None  # once it has failed
        self._engine = engine
        self._post = post
        self._level = level
        self._processor_time = os.times().user if by_processor else None
        self._ponder = Ponder() if held else None
        self._stop = Stop()
        self._thread: threading.Thread | None = threading.Thread(target=self._run, name="search", daemon=True)
        try:
            self._thread.start()
        except RuntimeError as error:  # the system has no thread left
            self.error, self._thread = error, None
            post(Finished(self))

    def _run(self) -> None:
        request = weakened(self.request, self._level) if self._level else self.request
        try:
            self.result = self._engine.play(
                self.position,
                request.limit,
                multipv=request.multipv,
                searchmoves=request.searchmoves,
                ponder=self._ponder,
                on_info=self._report,
                on_current=self._look,
                stop=self._stop,
            )
        except Exception as error:
            self.error = error
        self._post(Finished(self))

    def _report(self, info: "Info") -> None:
        if self._processor_time is not None:
            info = info._replace(time=os.times().user - self._processor_time)
        if info.bound:
            self._post(Thought(self, info))
            return
        if info.multipv == 1:
            self.last_info, self.lines = info, []
        self.lines.append(info)
        if info.multipv <= self.request.multipv:
            self._post(Thought(self, info))

    def _look(self, current: "Current") -> None:
        self.current = current
        self._post(LooksAt(self, current))

    @property
    def held(self) -> bool:
        """Whether it still keeps its result back."""
        return self._ponder is not None and not self._ponder.is_hit

    @property
    def is_bounded(self) -> bool:
        """Whether it ends by itself in any case."""
        return not self.held and self.request.is_bounded

    @property
    def is_endless(self) -> bool:
        """Whether it runs until its owner ends it."""
        return self.held or (not self.is_bounded and self.request.limit.mate is None)

    @property
    def is_analysis(self) -> bool:
        """Whether no clock runs: nothing but its owner ends it."""
        return self.held and not self.request.is_bounded

    @property
    def done(self) -> bool:
        """Whether it has ended."""
        return self.result is not None or self.error is not None

    @property
    def line(self) -> "tuple[Move, ...]":
        """What to play, with what is expected to follow; for a search that has failed, what it last reported.
        Empty where there is nothing to play, or nothing is known. Known once it has ended."""
        if self.result is None:
            return self.last_info.pv if self.last_info else ()
        if self.result.move is None:
            return ()
        if self._level and self.lines:
            return self._choice
        return self.result.pv

    @cached_property
    def _choice(self) -> "tuple[Move, ...]":
        """The line that a weaker player takes: always the same for one search."""
        assert self._level is not None
        return choose(self.lines, self._level).pv

    @property
    def nodes(self) -> int:
        """Nodes searched in its own time; known once it has ended."""
        return max(0, self.result.nodes - self.earlier_nodes) if self.result else 0

    @property
    def centiseconds(self) -> int:
        """How long it has searched, in its own time."""
        return round(100 * (time.monotonic() - self.started))

    def hit(self) -> None:
        """Begins its own time: the expected move was made."""
        self.started = time.monotonic()
        self.earlier_nodes = self.last_info.nodes if self.last_info else 0
        assert self._ponder is not None
        self._ponder.hit()

    def stop(self) -> None:
        """Ends the search and waits for its result."""
        self._stop.set()
        if self._thread:
            self._thread.join()
