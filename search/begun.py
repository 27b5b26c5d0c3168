"""Who has begun the analyses of an engine: a caller that would wait for its own endless one is refused."""

from __future__ import annotations

import asyncio
import threading
from typing import Any, NamedTuple

from .analysis import AnalysisResult

GRACE_S = 0.1  # in which an analysis may end by itself, as that of a mate or of wrong arguments does


class _Begun(NamedTuple):
    thread: threading.Thread
    task: asyncio.Task[Any] | None  # of an event loop
    analysis: AnalysisResult


class BegunAnalyses:
    """The running analyses of one engine. Each is stored with the thread and the task that began it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._all: list[_Begun] = []

    def add(self, analysis: AnalysisResult) -> None:
        """Stores an analysis as begun by the calling thread and task."""
        begun = _Begun(threading.current_thread(), _running_task(), analysis)
        with self._lock:
            self._all = [other for other in self._all if other.analysis.is_running] + [begun]

    def refuse_endless(self, *, blocks: bool) -> None:
        """Raises RuntimeError if the caller would wait for an analysis that it began and that only `stop`
        ends. A call that `blocks` stops the whole thread; otherwise other tasks of its event loop continue,
        and may stop what they began."""
        thread, task = threading.current_thread(), None if blocks else _running_task()
        for begun in self._all:
            if begun.thread is not thread:
                continue
            if task is not None and _is_another(begun.task, task):
                continue
            if begun.analysis.is_endless and not begun.analysis.ends_within(GRACE_S):
                raise RuntimeError("an analysis without a limit is still running; stop() it first")


def _is_another(task: asyncio.Task[Any] | None, own: asyncio.Task[Any]) -> bool:
    return task is not None and task is not own and not task.done()


def _running_task() -> asyncio.Task[Any] | None:
    try:
        return asyncio.current_task()
    except RuntimeError:  # no event loop runs in this thread
        return None
