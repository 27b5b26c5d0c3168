"""One run of the engine in its own thread, and the events that it posts. The session decides who plays and
whose clock runs."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ...engine.game.moves import Move
from ...search.levels import Chance, Level, choose, reduced
from ...search.time_management import Limit

if TYPE_CHECKING:
    from ...engine.position import Position
    from ...search.engine import Current, Engine, Info, PlayResult


@dataclass(frozen=True)
class SearchRequest:
    """The `Limit` of a search, the moves to choose from (None: all), and how many lines to report."""

    limit: Limit
    searchmoves: tuple[Move, ...] | None = None
    multipv: int = 1

    @property
    def is_bounded(self) -> bool:
        """Whether the search ends by itself in any case; a limit of `mate` alone may never end it."""
        limit = self.limit
        return any(part is not None for part in (limit.depth, limit.nodes, limit.time, limit.clock))


def weakened(request: SearchRequest, level: Level, chance: Chance = random) -> SearchRequest:
    """The `request` for a search reduced to a `level`."""
    limit = reduced(request.limit, level, chance)
    return replace(request, limit=limit, multipv=max(level.lines, request.multipv))


class InfoReported(NamedTuple):
    """The search has something to report."""

    search: SearchThread
    info: Info


class RootMoveStarted(NamedTuple):
    """A long search has reached another root move."""

    search: SearchThread
    current: Current


class Finished(NamedTuple):
    """The search has ended, by itself or because it was stopped."""

    search: SearchThread


class SearchThread:
    """A search of `position` with the `request`; `post` takes its events.

    A `held` search has no clock and keeps its result until `hit` or `stop`, while the other side is to move
    or during an analysis. With `by_processor`, reports give the processor's time, otherwise the elapsed time.
    A `level` makes it the search of a weaker player."""

    def __init__(
        self,
        engine: Engine,
        position: Position,
        request: SearchRequest,
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

    def _report(self, info: Info) -> None:
        if self._processor_time is not None:
            info = info._replace(time=os.times().user - self._processor_time)
        if info.bound:
            self._post(InfoReported(self, info))
            return
        if info.multipv == 1:
            self.last_info, self.lines = info, []
        self.lines.append(info)
        if info.multipv <= self.request.multipv:
            self._post(InfoReported(self, info))

    def _look(self, current: Current) -> None:
        self.current = current
        self._post(RootMoveStarted(self, current))

    @property
    def held(self) -> bool:
        """Whether it still holds back its result."""
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
        """Whether no clock runs and only its owner ends it."""
        return self.held and not self.request.is_bounded

    @property
    def done(self) -> bool:
        """Whether it has ended."""
        return self.result is not None or self.error is not None

    @property
    def line(self) -> tuple[Move, ...]:
        """The move to play with the expected line; for a failed search, its last report. Empty if there is no
        move, or nothing is known. Known after the end."""
        if self.result is None:
            return self.last_info.pv if self.last_info else ()
        if self.result.move is None:
            return ()
        if self._level and self.lines:
            return self._choice
        return self.result.pv

    @cached_property
    def _choice(self) -> tuple[Move, ...]:
        """The line that a weaker player chooses; always the same for one search."""
        assert self._level is not None
        return choose(self.lines, self._level).pv

    @property
    def nodes(self) -> int:
        """Nodes searched in its own time; known after the end."""
        return max(0, self.result.nodes - self.earlier_nodes) if self.result else 0

    @property
    def centiseconds(self) -> int:
        """The duration of the search in its own time."""
        return round(100 * (time.monotonic() - self.started))

    def hit(self) -> None:
        """Starts its own time: the expected move was made."""
        self.started = time.monotonic()
        self.earlier_nodes = self.last_info.nodes if self.last_info else 0
        assert self._ponder is not None
        self._ponder.hit()

    def stop(self) -> None:
        """Ends the search and waits for its result."""
        self._stop.set()
        if self._thread:
            self._thread.join()
