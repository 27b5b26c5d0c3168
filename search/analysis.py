"""A search in the background, whose reports can be iterated over, also by `async for`."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import NoReturn

from .results import Info, PlayResult
from .stop import Stop
from .time_management import Ponder

Run = Callable[[Callable[[Info], None], Stop], "PlayResult"]


class LatestLines:
    """The latest report on each line of a search, the best line first; passes every report to `info`."""

    def __init__(self, info: Callable[[Info], object] | None, found: list[Info] | None = None) -> None:
        self._info, self.found = info, found or []

    def note(self, info: Info) -> None:
        """Stores a report."""
        if not info.bound:
            self.found = [*self.found[: info.multipv - 1], info]
        if self._info:
            self._info(info)

    def of(self, result: PlayResult, multipv: int | None) -> Info | list[Info]:
        """The reports at the end of a search: one for each line, or only the best one for None."""
        nps = round(result.nodes / max(result.time, 1e-6))
        best = Info(
            result.depth,
            result.seldepth,
            result.score,
            result.nodes,
            result.time,
            nps,
            result.hashfull,
            result.pv,
        )
        if multipv is None:
            return best
        return self.found or [best]


class AnalysisResult:
    """A search in the background. Iterate over its reports; `stop` ends it, `wait` gives its result.

    >>> import surajang
    >>> position = surajang.Position("chess")
    >>> with surajang.Engine("chess", hash_mb=1) as engine, engine.analysis(position) as analysis:
    ...     for info in analysis:
    ...         if info.depth >= 4:
    ...             break
    >>> analysis.wait().move in position.legal_moves
    True

    As a context manager it is stopped at the end of the block. `async for` works as well.
    """

    def __init__(
        self, run: Run, ponder: Ponder | None, limited: bool, refuse_in_report: Callable[[], None]
    ) -> None:
        """`refuse_in_report` raises RuntimeError in a report of the engine's running search, for which this
        one waits."""
        self._lines, self._limited = LatestLines(None), limited
        self._refuse_in_report = refuse_in_report
        self._reports: queue.SimpleQueue[Info | None] = queue.SimpleQueue()
        self._stop, self._ponder = Stop(), ponder
        self._result: PlayResult | None = None
        self._error: BaseException | None = None
        self._ended = threading.Event()
        self._listeners: list[Callable[[], object]] = []  # of event loops that wait for a report
        threading.Thread(target=self._search, args=(run,), name="analysis", daemon=True).start()

    def _search(self, run: Run) -> None:
        try:
            self._result = run(self._report, self._stop)
        except BaseException as error:
            self._error = error
        self._ended.set()
        self._put(None)

    def _report(self, info: Info) -> None:
        self._lines.note(info)
        self._put(info)

    def _put(self, info: Info | None) -> None:
        self._reports.put(info)
        for arrived in [*self._listeners]:
            with suppress(RuntimeError):  # the event loop is closed
                arrived()

    @contextmanager
    def _heard(self) -> Iterator[asyncio.Event]:
        """An event of the running loop that is set with every report, and at the end."""
        self._refuse_endless_wait()
        loop, arrived = asyncio.get_running_loop(), asyncio.Event()

        def listener() -> None:
            loop.call_soon_threadsafe(arrived.set)

        self._listeners.append(listener)
        try:
            yield arrived
        finally:
            self._listeners.remove(listener)

    @property
    def lines(self) -> list[Info]:
        """The last reports, the best line first."""
        return list(self._lines.found)

    @property
    def info(self) -> Info | None:
        """The last report on the best line; None before the first."""
        return self.lines[0] if self.lines else None

    @property
    def is_running(self) -> bool:
        """Whether the search is still running."""
        return not self._ended.is_set()

    @property
    def is_endless(self) -> bool:
        """Whether the search is running and only `stop` would end it, or `hit` while it ponders."""
        waits = self._ponder is not None and not self._ponder.is_hit
        return self.is_running and not self._stop.is_set() and (waits or not self._limited)

    def ends_within(self, seconds: float) -> bool:
        """Waits at most so long for the end of the search, or for what makes it end; whether either came."""
        self._ended.wait(seconds)
        return not self.is_endless

    def _refuse_endless_wait(self) -> None:
        if self.is_running and not self._stop.is_set():
            self._refuse_in_report()

    def stop(self) -> None:
        """Stop the search within milliseconds. May be called from any thread and more than once."""
        self._stop.set()

    def hit(self) -> None:
        """Report that the expected move was played, so that the limits of the ponder search start. Raises
        ValueError for a search that does not ponder."""
        if self._ponder is None:
            raise ValueError("this search does not ponder")
        self._ponder.hit()

    def wait(self) -> PlayResult:
        """The result, after the end of the search. Raises the error that ended it, if any, and RuntimeError
        in a report of another search of this engine, which would wait for itself."""
        self._refuse_endless_wait()
        with self._stopped_by_errors():
            self._ended.wait()
        return self._outcome()

    @contextmanager
    def _stopped_by_errors(self) -> Iterator[None]:
        """Stops the search if Ctrl-C or another exception ends the wait for it."""
        try:
            yield
        except BaseException:
            self.stop()
            raise

    async def wait_async(self) -> PlayResult:
        """`wait` for an event loop; a task that is cancelled stops the search. The reports are left to
        loops."""
        try:
            with self._heard() as arrived:
                while self.is_running:
                    await arrived.wait()
                    arrived.clear()
        except asyncio.CancelledError:
            self.stop()
            raise
        return self._outcome()

    def _outcome(self) -> PlayResult:
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result

    def __iter__(self) -> Iterator[Info]:
        self._refuse_endless_wait()
        while True:
            with self._stopped_by_errors():
                info = self._reports.get()
            if info is None:
                break
            yield info
        self._end_reports()

    async def __aiter__(self) -> AsyncIterator[Info]:
        with self._heard() as arrived:
            while True:
                arrived.clear()
                try:
                    info = self._reports.get_nowait()
                except queue.Empty:
                    await arrived.wait()
                    continue
                if info is None:
                    break
                yield info
        self._end_reports()

    def _end_reports(self) -> None:
        """Ends further loops at once, and this one with the error of the search."""
        self._put(None)
        if self._error is not None:
            raise self._error

    def __reduce__(self) -> NoReturn:
        raise TypeError("an analysis cannot be copied or pickled; its `lines` and its result can")

    def __enter__(self) -> AnalysisResult:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        self._ended.wait()
