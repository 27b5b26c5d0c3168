"""The reports of a running search: its lines, bounds outside the window, and the current root move."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from ..engine.game.moves import spell
from .compiled_search import CompiledSearch
from .results import Current, Info, Line, Score
from .tree.search import CURRENT_UNIT

LONG_S = 1.0  # from then on a search also reports unfinished iterations
CURRENT_POLL_S = 0.1  # between looks at the root move that is being searched


class Reports:
    """Sends the reports of one search to `on_info` and `on_current`, if they are given. `workers` are the
    records of its threads, the main one first; `elapsed` returns the seconds so far."""

    def __init__(
        self,
        engine: CompiledSearch,
        workers: list[Any],
        scale: float,
        elapsed: Callable[[], float],
        on_info: Callable[[Info], None] | None,
        on_current: Callable[[Current], None] | None,
    ) -> None:
        self._engine, self._workers, self._scale, self._elapsed = engine, workers, scale, elapsed
        self._on_info, self._on_current = on_info, on_current
        self._ended = threading.Event()

    def nodes(self) -> int:
        """Nodes of all threads."""
        return sum(int(worker["nodes"]) for worker in self._workers)

    def lines(self, depth: int, lines: list[Line]) -> None:
        """Report the lines of a finished iteration, the best one first."""
        if self._on_info is None:
            return
        whole = self._info(depth, lines[0])
        for rank, line in enumerate(lines, 1):
            score = Score.of(line.value, self._scale)
            self._on_info(whole._replace(score=score, pv=line.moves, multipv=rank))

    def bound(self, depth: int, line: Line, bound: str) -> None:
        """Report in a long search that the score is at least ("lower") or at most ("upper") the line's."""
        if self._on_info is not None and self._elapsed() >= LONG_S:
            self._on_info(self._info(depth, line)._replace(bound=bound))

    def _info(self, depth: int, line: Line) -> Info:
        elapsed, nodes = self._elapsed(), self.nodes()
        nps, seldepth = int(nodes / max(elapsed, 1e-6)), int(self._workers[0]["seldepth"])
        score, hashfull = Score.of(line.value, self._scale), self._engine.table.hashfull()
        return Info(depth, seldepth, score, nodes, elapsed, nps, hashfull, line.moves)

    def watch_current(self, total: int) -> threading.Thread | None:
        """A thread, not started yet, that reports the root move whenever it changes, of `total` moves, until
        `end`. None without `on_current`."""
        if self._on_current is None:
            return None
        return threading.Thread(target=self.tell_current, args=(total,), daemon=True)

    def tell_current(self, total: int) -> None:
        """Report the root move that is searched, from LONG_S on and whenever it changes, until `end`."""
        worker, seconds = self._workers[0], LONG_S
        before: tuple[int, int] | None = None
        assert self._on_current is not None
        while not self._ended.wait(seconds):
            seconds = CURRENT_POLL_S
            word, depth = int(worker["current"]), int(worker["root_depth"])
            if word and (word, depth) != before:
                before = word, depth
                move = spell(word % CURRENT_UNIT, self._engine.description)
                self._on_current(Current(depth, move, word // CURRENT_UNIT, total))

    def end(self) -> None:
        """End the reports of the root move."""
        self._ended.set()
