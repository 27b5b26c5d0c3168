"""The engine in Python: iterative deepening over the compiled search, threads, limits and reports."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..engine import description as descriptions
from ..engine.compiler import compile_ahead
from ..engine.movegen import check, list_moves
from ..engine.moves import Move, spell
from ..engine.play import advance
from ..engine.position import Position
from ..engine.rules import rules_for
from ..engine.state import movelist_dtype, position_dtype
from .clock import Clock, Limits, limits_for
from .parameters import (
    ASPIRATION_DEPTH,
    ASPIRATION_WINDOW,
    DECISIVE,
    INFINITE,
    MATE,
    MATE_BOUND,
    MAX_DEPTH,
)
from .table import TranspositionTable
from .tree import search_root
from .worker import clear_worker, load_game, new_worker, worker_dtype

__all__ = ["Clock", "Engine", "Info", "PlayResult", "Score", "Stop"]

NO_LIMIT = 1 << 62
MAX_THREADS = 1024


class Score(NamedTuple):
    """A score for the side to move: `centipawns`, and moves to `mate`, negative when being mated."""

    centipawns: int
    mate: int | None = None

    @classmethod
    def of(cls, value: int) -> Score:
        """The score that the search's number `value` stands for."""
        if abs(value) < MATE_BOUND:
            return cls(value)
        plies = MATE - abs(value)
        moves = (plies + 1) // 2
        return cls(value, moves if value > 0 else -moves)

    def __str__(self):
        return f"{self.centipawns / 100:+.2f}" if self.mate is None else f"mate {self.mate}"


class Info(NamedTuple):
    """A report on a finished iteration; `time` in seconds, `hashfull` in permille."""

    depth: int
    seldepth: int
    score: Score
    nodes: int
    time: float
    nps: int
    hashfull: int
    pv: tuple[Move, ...]


class PlayResult(NamedTuple):
    """What a search came to. `move` is None when there was no legal move; `time` in seconds."""

    move: Move | None
    score: Score
    depth: int
    nodes: int
    pv: tuple[Move, ...]
    time: float


class Stop:
    """A flag that ends a search within milliseconds, whether set before it begins or while it runs."""

    def __init__(self):
        self.word = np.zeros(1, np.uint64)

    def set(self):
        """Ends the search that was given this flag."""
        self.word[0] = 1

    def is_set(self) -> bool:
        """Whether `set` was called."""
        return bool(self.word[0])


class Engine:
    """Searches positions of one game.

    `hash_mb` is the size of the transposition table in MB, `threads` the number of search threads. Raises
    VariantError for an unknown game and ValueError for sizes that make no sense.
    """

    def __init__(self, variant: str = "pandemonium", hash_mb: int = 64, threads: int = 1):
        self.variant = variant
        self.description = descriptions.load(variant)
        self.rules = rules_for(variant)
        self.table = TranspositionTable(hash_mb)
        self._workers: list = []
        self.set_threads(threads)
        self._stop: Stop | None = None
        self._thinking = threading.Lock()

    def set_hash(self, hash_mb: int) -> None:
        """Takes a new, empty table of `hash_mb` MB. Raises ValueError below 1, MemoryError above all."""
        self._refuse_closed()
        self.table.resize(hash_mb)

    def set_threads(self, threads: int) -> None:
        """Searches with so many threads from now on. Raises ValueError for a number below 1."""
        self._refuse_closed()
        if not 1 <= threads <= MAX_THREADS:
            raise ValueError(f"{threads} threads: the number should be from 1 to {MAX_THREADS}")
        while len(self._workers) < threads:
            self._workers.append(new_worker(self.rules, self.description))
        del self._workers[threads:]

    def clear(self) -> None:
        """Forgets everything, as before a new game."""
        self._refuse_closed()
        self.table.clear()
        for worker in self._workers:
            clear_worker(worker)

    def stop(self) -> None:
        """Ends the search in progress, if any, within milliseconds; callable from any thread."""
        stop = self._stop
        if stop is not None:
            stop.set()

    def close(self) -> None:
        """Ends a search in progress and gives the memory back; the engine cannot be used any more."""
        self.stop()
        with self._thinking:
            self._workers.clear()
            self.table = None

    def _refuse_closed(self):
        if self.table is None:
            raise RuntimeError("this engine is closed")

    def compile(self, progress: Callable[[int, int, str], None] | None = None) -> None:
        """Compiles all that play needs, or loads it from the cache.

        `progress(done, total, what)` is called as functions get ready.
        """
        state = np.zeros(1, position_dtype(self.rules))[0]
        moves = np.zeros(1, movelist_dtype(self.rules))[0]
        worker = np.zeros(1, worker_dtype(self.rules))[0]
        compile_ahead(
            [
                (check, (self.rules, state)),
                (advance, (self.rules, state, state, 0)),
                (list_moves, (self.rules, moves, state)),
                (search_root, (self.rules, worker, 0, 0, 0)),
            ],
            progress,
        )

    def play(
        self,
        position: Position,
        *,
        movetime: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        clock: Clock | None = None,
        on_info: Callable[[Info], None] | None = None,
        stop: Stop | None = None,
    ) -> PlayResult:
        """Searches `position` and returns the best move with what is known about it.

        Limits: `movetime` in seconds, `depth` in plies, `nodes`, a `clock`, or none, until `stop` is set or
        `stop()` is called. `on_info` is called after each iteration. Raises ValueError for another game's
        position and for limits below 1 (depth, nodes) or 0 (movetime), RuntimeError after `close`.
        """
        self._refuse_closed()
        if position.variant != self.variant:
            raise ValueError(f"a position of {position.variant!r}, but this engine plays {self.variant!r}")
        for name, limit in (("depth", depth), ("nodes", nodes)):
            if limit is not None and limit < 1:
                raise ValueError(f"{name} {limit} should be at least 1")
        for name, seconds in (("movetime", movetime), ("clock", clock and clock.remaining)):
            if seconds is not None and math.isnan(seconds):
                raise ValueError(f"{name} {seconds} should be a number of seconds")
        if movetime is not None and movetime < 0:
            raise ValueError(f"movetime {movetime} should not be negative")
        with self._thinking:
            self._stop = stop or Stop()
            search = _Search(self, position, limits_for(clock, movetime), depth, nodes, on_info, self._stop)
            try:
                return search.run()
            finally:
                self._stop = None


class _Search:
    """One call of `play`: the main thread's iterations, its helpers and the watchdog of the clock."""

    def __init__(self, engine, position, limits: Limits, depth, nodes, on_info, stop):
        self.engine, self.limits, self.on_info, self.stop = engine, limits, on_info, stop
        self.started = time.perf_counter()
        self.max_depth = min(depth or MAX_DEPTH, MAX_DEPTH)
        self.legal = position.legal_moves()
        self.mated = not self.legal and position.is_check()
        self.workers = engine._workers
        for worker in self.workers:
            load_game(worker, position)
            worker["stop_address"] = stop.word.ctypes.data
            worker["table"], worker["table_mask"] = engine.table.address, engine.table.mask
            worker["nodes"] = worker["seldepth"] = worker["stopped"] = 0
            worker["node_limit"] = NO_LIMIT
        self.workers[0]["node_limit"] = nodes or NO_LIMIT
        self.line: tuple[Move, ...] = ()
        self.value, self.depth = 0, 0

    def run(self):
        engine = self.engine
        if not self.legal:
            return PlayResult(None, Score.of(-MATE if self.mated else 0), 0, 0, (), 0.0)
        engine.table.new_search()
        for worker in self.workers:
            worker["age"] = engine.table.age
        watchdog = None
        if self.limits.hard != float("inf"):
            seconds = min(self.limits.hard - self.elapsed(), threading.TIMEOUT_MAX)
            watchdog = threading.Timer(seconds, self.stop.set)
            watchdog.daemon = True
            watchdog.start()
        helpers = [
            threading.Thread(target=self.help, args=(worker, number), daemon=True)
            for number, worker in enumerate(self.workers[1:], 1)
        ]
        for helper in helpers:
            helper.start()
        try:
            self.deepen()
        finally:
            self.stop.set()
            if watchdog is not None:
                watchdog.cancel()
            for helper in helpers:
                helper.join()
        best = self.line[0] if self.line else self.legal[0]
        score = Score.of(self.value)
        return PlayResult(best, score, self.depth, self.nodes(), self.line or (best,), self.elapsed())

    def elapsed(self):
        return time.perf_counter() - self.started

    def nodes(self):
        return sum(int(worker["nodes"]) for worker in self.workers)

    def deepen(self):
        """Iterates until a limit; the first iteration is finished whatever happens."""
        worker = self.workers[0]
        for depth in range(1, self.max_depth + 1):
            worker["stoppable"] = depth > 1
            value = self.aspire(worker, depth, self.value, report=True)
            if worker["stopped"]:
                break
            self.value, self.depth = value, depth
            self.report()
            only_one = len(self.legal) == 1 and self.limits.soft != float("inf")
            decided = abs(value) >= MATE_BOUND and MATE - abs(value) <= depth // 2
            if self.elapsed() >= self.limits.soft or self.stop.is_set() or only_one:
                break
            if decided and self.limits != Limits():
                break

    def help(self, worker, number):
        """A helper's iterations: they fill the table; odd helpers run a ply ahead."""
        value = 0
        worker["stoppable"] = 1
        for depth in range(1 + number % 2, MAX_DEPTH + 1):
            value = self.aspire(worker, depth, value, report=False)
            if worker["stopped"]:
                break

    def aspire(self, worker, depth, guess, report):
        """Searches one depth with a window around `guess` that widens until the score is inside."""
        rules, window = self.engine.rules, ASPIRATION_WINDOW
        alpha, beta = -INFINITE, INFINITE
        if depth >= ASPIRATION_DEPTH and abs(guess) < DECISIVE:
            alpha, beta = guess - window, guess + window
        while True:
            value = int(search_root(rules, worker, depth, alpha, beta))
            if report:
                self.keep_line(worker)
            if worker["stopped"]:
                return guess
            if alpha < value < beta or (alpha, beta) == (-INFINITE, INFINITE):
                return value
            window *= 4
            if value <= alpha:
                alpha = max(-INFINITE, value - window) if window < DECISIVE else -INFINITE
            else:
                beta = min(INFINITE, value + window) if window < DECISIVE else INFINITE

    def keep_line(self, worker):
        """Takes over the line of the root, if the search has got one."""
        length = int(worker["line_length"][0])
        if length:
            codes = worker["line"][0][:length]
            self.line = tuple(spell(int(code), self.engine.description) for code in codes)

    def report(self):
        if self.on_info is None:
            return
        elapsed, nodes = self.elapsed(), self.nodes()
        self.on_info(
            Info(
                self.depth,
                int(self.workers[0]["seldepth"]),
                Score.of(self.value),
                nodes,
                elapsed,
                int(nodes / max(elapsed, 1e-6)),
                self.engine.table.hashfull(),
                self.line,
            )
        )
