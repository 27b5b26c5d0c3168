"""The engine for Python callers: what it owns and what it can do. `iterative_deepening` runs its searches."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from ..engine.definition import catalogue
from ..engine.game.moves import Move
from ..engine.kernel.compiler import compile_ahead
from ..engine.position import Position
from ..engine.rules import rules_for
from ..eval.network.file import Network, load_network
from ..eval.network.installing import default_network_path
from ..eval.network.output import SharedNetwork
from ..eval.terms.weights import build_weights
from .compile_plan import entry_points, first_points, team
from .iterative_deepening import Goal, Search
from .results import Current, Info, PlayResult, Score
from .search_state import SearchState
from .stop import Stop
from .time_management import MOVE_OVERHEAD, Clock, Limit, Ponder, game_ply, time_budget
from .tree.evaluation import evaluate_root, evaluate_terms
from .tree.parameters import GIVEN_SCORES, MAX_DEPTH
from .tree.table import TranspositionTable
from .tree.tunable import tuned_facts
from .tree.worker import clear_worker, new_worker

__all__ = ["Clock", "Current", "Engine", "Info", "Limit", "PlayResult", "Ponder", "Score", "Stop"]

MAX_THREADS = 1024


class Engine(SearchState):
    """Searches positions of one game.

    `hash_mb` is the size of the transposition table in MB, `threads` the number of search threads.
    `eval_file` is the path of a network to evaluate by, None for the one that comes with the game, if any,
    and False for the hand-written evaluation. Raises VariantError for an unknown game, NetworkError for a
    network that cannot be used, and ValueError for sizes that make no sense.
    """

    def __init__(
        self,
        variant: str = "pandemonium",
        hash_mb: int = 64,
        threads: int = 1,
        eval_file: str | os.PathLike[str] | Literal[False] | None = None,
    ):
        self.variant = variant
        super().__init__(catalogue.load(variant), rules_for(variant), TranspositionTable(hash_mb))
        self._shared = self._network_of(eval_file)
        self.set_threads(threads)
        self._stop: Stop | None = None
        self._thinking = threading.Lock()
        self.move_overhead = MOVE_OVERHEAD  # seconds of each move that are lost between engine and clock

    def set_hash(self, hash_mb: int) -> None:
        """Takes a new, empty table of `hash_mb` MB. Raises ValueError below 1, MemoryError above all."""
        self._refuse_closed()
        self.table.resize(hash_mb)

    def set_threads(self, threads: int) -> None:
        """Searches with so many threads from now on. Raises ValueError for a number below 1."""
        self._refuse_closed()
        if not 1 <= threads <= MAX_THREADS:
            raise ValueError(f"{threads} threads: the number should be from 1 to {MAX_THREADS}")
        while len(self.workers) < threads:
            self.workers.append(new_worker(self.rules, self.description, self._shared))
        del self.workers[threads:]

    @property
    def network(self) -> Network | None:
        """The network that positions are evaluated by; None for the hand-written evaluation."""
        return self._shared.network if self._shared else None

    @property
    def evaluation(self) -> str:
        """The path of that network, and its hidden neurons; empty for the hand-written evaluation."""
        return f"{self._eval_file} ({self.network.hidden} hidden neurons)" if self.network else ""

    def set_eval_file(self, eval_file: str | os.PathLike[str] | Literal[False] | None) -> None:
        """Evaluates by another network, or by none, from now on, as `eval_file` says in the constructor.

        Everything that was learnt is forgotten. The next search compiles what is missing; for a network with
        as many hidden neurons as the one before, that is nothing. Raises NetworkError and changes nothing for
        a network that cannot be used."""
        self._refuse_closed()
        shared = self._network_of(eval_file)
        with self._thinking:
            threads = len(self.workers)
            self._shared = shared
            self.workers.clear()
        self.set_threads(threads)
        self.clear()

    def _network_of(self, eval_file: str | os.PathLike[str] | Literal[False] | None) -> SharedNetwork | None:
        """The `SharedNetwork` that `eval_file` means, or None."""
        if eval_file is None:
            eval_file = default_network_path(self.variant)
            if not eval_file.exists():
                return None
        if eval_file is False:
            return None
        shared = SharedNetwork(load_network(eval_file, self.variant))
        self._eval_file = str(eval_file)
        return shared

    def evaluate(self, position: Position, hand_written: bool = False) -> Score:
        """What `position` is worth to the side to move without any search, by the network where there is one;
        by the hand-written evaluation where it is asked for. Raises ValueError for another game's position,
        RuntimeError after `close`."""
        self._refuse_closed()
        self._refuse_other_game(position)
        return self.score_of(position.state, hand_written)

    def score_of(self, state: Any, hand_written: bool = False) -> Score:
        """`evaluate` for the record of a position, which may be one that no game comes to."""
        if hand_written or self._shared is None:
            weights = build_weights(self.rules, self.description)
            value = evaluate_terms(self.rules, weights, state)
            return Score.of(int(value), float(weights["scale"]))
        with self._thinking:
            worker = self.workers[0]
            worker["positions"][0] = state
            value = evaluate_root(self.rules, worker)
        return Score.of(int(value), float(self._shared.network.scale))

    def give_score(self, position: Position, score: Score, depth: int) -> None:
        """Makes searches of up to `depth` plies score `position` as `score`, wherever they meet it.

        The score is for the side to move there. It holds until `clear`; of more than GIVEN_SCORES positions
        the last ones count. What was searched before is forgotten, for it may rest on that position. Raises
        ValueError for a depth below 1 and for another game's position."""
        self._refuse_closed()
        self._refuse_other_game(position)
        if depth < 1:
            raise ValueError(f"depth {depth} should be at least 1")
        value = score.value(float(self.workers[0]["weights"]["scale"]))
        with self._thinking:
            key = position.history()[0][-1]
            kept = [given for given in self.given_scores if given[0] != key]
            self.given_scores = [*kept, (key, value, min(depth, MAX_DEPTH))][-GIVEN_SCORES:]
            self.table.clear()

    def clear(self) -> None:
        """Forgets everything, as before a new game."""
        self._refuse_closed()
        self.given_scores = []
        self.table.clear()
        for worker in self.workers:
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
            self.workers.clear()
            self.table = None  # type: ignore[assignment]  # a closed engine refuses what needs it

    def _refuse_other_game(self, position: Position) -> None:
        if position.variant != self.variant:
            raise ValueError(f"a position of {position.variant!r}, but this engine plays {self.variant!r}")

    def _refuse_closed(self) -> None:
        if self.table is None:
            raise RuntimeError("this engine is closed")

    @property
    def is_compiled(self) -> bool:
        """Whether the code of a first move lies in the cache, so that `compile` only loads it."""
        shape = self._shared and self._shared.shape
        return all(each.function._cache.has(each.types) for each in first_points(self.rules, shape))

    def compile(self, progress: Callable[[int, int, str], None] | None = None, whole: bool = True) -> None:
        """Compiles all that play needs, or loads it from the cache.

        `progress(done, total, what)` is called as functions get ready. Without `whole` it leaves out what a
        first move can do without, the proof search for mates; until that is compiled as well, by a second
        call from any thread, searches by a clock or without limits do not prove mates.
        """
        shape = self._shared and self._shared.shape
        helpers = partial(team, self.rules, self.variant, shape, whole)
        if whole:
            compile_ahead(entry_points(self.rules, shape), progress, helpers)
            self.defers_proofs = False
        else:
            self.defers_proofs = True
            compile_ahead(first_points(self.rules, shape), progress, helpers)

    def play(
        self,
        position: Position,
        limit: Limit | None = None,
        *,
        movetime: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        mate: int | None = None,
        clock: Clock | None = None,
        multipv: int = 1,
        searchmoves: Iterable[Move | str] | None = None,
        ponder: Ponder | None = None,
        on_info: Callable[[Info], None] | None = None,
        on_current: Callable[[Current], None] | None = None,
        stop: Stop | None = None,
    ) -> PlayResult:
        """Searches `position` and returns the best move with what is known about it.

        The search ends at a `limit`, or at its parts by name: `movetime` in seconds, `depth` in plies,
        `nodes` (of all threads; exact for one thread; several lines are searched a ply deep in any case), a
        `mate` in so many moves or fewer, a `clock`. Without a limit it goes on until `stop` is set or
        `stop()` is called. With `ponder` the limits in seconds begin to count when it is hit. `multipv` best
        lines are searched, among `searchmoves` where they are given. `on_info` is called for each line after
        each iteration, and in a search of more than a second for scores that leave the expected window;
        `on_current` in such a search, from a thread of its own, for the root moves that it begins to search.

        Raises ValueError for another game's position and for limits below 1 (depth, nodes, mate, multipv) or
        0 (movetime), MoveError for a search move that is not legal, RuntimeError after `close`.
        """
        self._refuse_closed()
        self._refuse_other_game(position)
        given: dict[str, Any] = {
            "time": movetime,
            "depth": depth,
            "nodes": nodes,
            "mate": mate,
            "clock": clock,
        }
        limit = replace(limit or Limit(), **{name: part for name, part in given.items() if part is not None})
        limit.check()
        if multipv < 1:
            raise ValueError(f"multipv {multipv} should be at least 1")
        chosen = None
        if searchmoves is not None:
            chosen = frozenset(position.parse_move(str(move)) for move in searchmoves)
        numbers = tuned_facts(self.rules)
        budget = time_budget(numbers, limit.clock, limit.time, self.move_overhead, game_ply(position))
        goal = Goal(limit, budget, multipv, chosen or None)
        with self._thinking:
            self._stop = stop or Stop()
            try:
                return Search(self, position, goal, on_info, on_current, self._stop, ponder).run()
            finally:
                self._stop = None
