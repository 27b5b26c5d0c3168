"""`Engine`, which Python callers use: its table, threads and network. `iterative_deepening` runs a search."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import TracebackType
from typing import Any, Literal, NoReturn, TypeVar, overload

from ..engine.game.arguments import LARGE, check_magnitude, check_number, check_range
from ..engine.game.moves import Move
from ..engine.kernel.compile_progress import Progress, terminal_progress
from ..engine.kernel.interruptible import interruptible
from ..engine.position import Position
from ..engine.variant import Variant
from ..eval.network.file import Network, load_network
from ..eval.network.installing import default_network_path
from ..eval.network.output import SharedNetwork
from ..eval.network.vectors import Shape
from ..eval.terms.weights import build_weights
from .analysis import AnalysisResult, LatestLines, Run
from .arguments import check_position, checked_limit, is_endless
from .begun import BegunAnalyses
from .compiled_search import CompiledSearch
from .first_move import SearchWait, move_without_search
from .iterative_deepening import Goal, Search
from .levels import FULL_SKILL, LEAST_ELO, MOST_ELO, Level, choose, level_for, reduced
from .results import Current, Info, PlayResult, Score
from .stop import Stop
from .time_management import (
    MOVE_OVERHEAD,
    Clock,
    ClockLag,
    Limit,
    Ponder,
    TimeBudget,
    game_ply,
    time_budget,
)
from .tree.evaluation import evaluate_root, evaluate_terms
from .tree.parameters import GIVEN_SCORES, MAX_DEPTH
from .tree.table import TranspositionTable
from .tree.tunable import tuned_facts
from .tree.worker import clear_worker, new_worker

__all__ = ["Clock", "Current", "Engine", "Info", "Limit", "PlayResult", "Ponder", "Score", "Stop"]

MAX_THREADS = 1024
PATIENCE_S = 0.01  # of waiting for another search before it is looked at
_Report = TypeVar("_Report")


def _among(moves: list[Move], chosen: Collection[Move] | None) -> list[Move]:
    """The moves that are chosen; all for None."""
    return moves if chosen is None else [move for move in moves if move in chosen]


class Engine(CompiledSearch):
    """Searches positions of one game.

    `hash_mb` is the size of the transposition table in MB, `threads` the number of search threads.
    `eval_file` is the path of a network, None for the one that comes with the game, if any, and False for the
    hand-written evaluation. `elo` (200 to 3200) or `skill` (0 to 20, full strength) weaken its play. An
    engine is a context manager, which closes it.

    The constructor compiles the game, or loads its code. `progress(done, total, what)` is called meanwhile,
    in units of about one function; without it a terminal shows the progress on stderr. Without `compile_now`
    that is left to `compile`, or to the first search.

    Raises VariantError for an unknown game, NetworkError for a network that cannot be used, ValueError for a
    size or level out of range, and TypeError for one that is not a number.
    """

    def __init__(
        self,
        variant: str = "pandemonium",
        hash_mb: int = 64,
        threads: int = 1,
        eval_file: str | os.PathLike[str] | Literal[False] | None = None,
        *,
        elo: float | None = None,
        skill: int = FULL_SKILL,
        progress: Progress | None = None,
        compile_now: bool = True,
    ):
        variant = Variant(variant)
        check_number("hash_mb", hash_mb)
        super().__init__(variant.description, variant.rules, TranspositionTable(hash_mb), variant=variant)
        self._shared = self._network_of(eval_file)
        self._stop: Stop | None = None
        self._thinking = threading.Lock()
        self._is_closed = False
        self._begun = BegunAnalyses()
        self._reporting: set[int] = set()  # threads that call what a search reports to
        self.set_threads(threads)
        self._elo: float | None = None
        self._skill = FULL_SKILL
        self.configure(elo=elo, skill=skill)
        self.move_overhead = MOVE_OVERHEAD  # seconds of each move that are lost between engine and clock
        self._lag = ClockLag()
        if compile_now:
            with terminal_progress(f"compiling {variant}") as shown:
                self.compile(progress or shown)

    def compile(self, progress: Progress | None = None) -> None:
        """Compile everything for play, or load it from the cache. Raises RuntimeError after `close`.

        `progress(done, total, what)` is called as functions are ready."""
        self._refuse_closed()
        super().compile(progress)

    def set_hash(self, hash_mb: int) -> None:
        """Allocate a new table of `hash_mb` MB. Raises ValueError below 1, MemoryError if it does not fit."""
        self._refuse_closed()
        check_number("hash_mb", hash_mb)
        with self._alone():
            self.table.resize(hash_mb)

    def set_threads(self, threads: int) -> None:
        """Set the number of search threads. Raises ValueError for a number below 1."""
        self._refuse_closed()
        check_number("threads", threads, whole=True)
        if not 1 <= threads <= MAX_THREADS:
            raise ValueError(f"{threads} threads: the number should be from 1 to {MAX_THREADS}")
        with self._alone():
            self._employ(threads)

    def _employ(self, threads: int) -> None:
        while len(self.workers) < threads:
            self.workers.append(new_worker(self.rules, self.description, self._shared))
        del self.workers[threads:]

    @property
    def network(self) -> Network | None:
        """The network that evaluates positions; None for the hand-written evaluation."""
        return self._shared.network if self._shared else None

    @property
    def evaluation(self) -> str:
        """The path of the network and its neurons as text; empty for the hand-written evaluation."""
        return f"{self._eval_file} ({self.network.hidden} hidden neurons)" if self.network else ""

    def set_eval_file(self, eval_file: str | os.PathLike[str] | Literal[False] | None) -> None:
        """Choose another network, or none, as `eval_file` in the constructor does, and clear the engine.

        What is missing is compiled, which is nothing for a network of the same size. Raises NetworkError, and
        changes nothing, for a network that cannot be used."""
        self._refuse_closed()
        shared = self._network_of(eval_file)
        with self._alone():
            threads = len(self.workers)
            self._shared = shared
            self.workers.clear()
            self._employ(threads)
            self._forget()
        if self.is_ready:
            self.compile()

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
        """The static evaluation of `position` for the side to move, by the network if there is one.

        `hand_written` asks for the hand-written evaluation. Raises ValueError for a position of another game,
        RuntimeError after `close`."""
        self._refuse_closed()
        self._refuse_other_game(position)
        return self.score_of(position.state, hand_written)

    def score_of(self, state: Any, hand_written: bool = False) -> Score:
        """`evaluate` for the record of a position, also one that no game reaches."""
        if hand_written or self._shared is None:
            weights = build_weights(self.rules, self.description)
            value = evaluate_terms(self.rules, weights, state)
            return Score.of(int(value), float(weights["scale"]))
        with self._alone():
            worker = self.workers[0]
            worker["positions"][0] = state
            value = evaluate_root(self.rules, worker)
        return Score.of(int(value), float(self._shared.network.scale))

    def give_score(self, position: Position, score: Score, depth: int) -> None:
        """Fix the score of `position` for searches of up to `depth` plies that reach it.

        The score is for the side to move there. It is valid until `clear`; only the last GIVEN_SCORES
        positions are kept. The table is cleared, because its scores may depend on that position. Raises
        ValueError for a depth below 1, a score that is not finite and a position of another game, TypeError
        for another type."""
        self._refuse_closed()
        self._refuse_other_game(position)
        check_range("depth", depth, least=1)
        if not isinstance(score, Score):
            raise TypeError(f"{score!r} is not a surajang.Score, such as Score(25)")
        check_magnitude("centipawns", score.centipawns)
        if score.mate is not None:
            check_magnitude("mate", score.mate, whole=True)
        value = score.value(float(self.workers[0]["weights"]["scale"]))
        with self._alone():
            key = position.history()[0][-1]
            kept = [given for given in self.given_scores if given[0] != key]
            self.given_scores = [*kept, (key, value, min(depth, MAX_DEPTH))][-GIVEN_SCORES:]
            self.table.clear()

    def clear(self) -> None:
        """Clear the table, histories and given scores, as for a new game."""
        self._refuse_closed()
        with self._alone():
            self._forget()

    def _forget(self) -> None:
        self.given_scores = []
        self.table.clear()
        for worker in self.workers:
            clear_worker(worker)

    def stop(self) -> None:
        """Stop the running search, if any, within milliseconds. May be called from any thread."""
        stop = self._stop
        if stop is not None:
            stop.set()

    def close(self) -> None:
        """Stop a running search and free the memory. The engine cannot be used afterwards: what waits for
        the end of that search raises RuntimeError, as does `close` itself in a report of the search."""
        self._refuse_wait_for_itself()
        self._is_closed = True
        self.stop()
        while not self._thinking.acquire(timeout=PATIENCE_S):
            self.stop()  # a search that began meanwhile
        self.workers.clear()
        self.table = None  # type: ignore[assignment]  # frees its memory
        self._thinking.release()

    @contextmanager
    def _alone(self, stop: Stop | None = None) -> Iterator[bool]:
        """Waits for the end of the running search; False if `stop` was set first. Raises RuntimeError if this
        thread has begun an analysis without a limit and not stopped it, or is called by the running search,
        because the wait would not end, and if the engine is closed meanwhile."""
        self._begun.refuse_endless(blocks=True)
        while not self._thinking.acquire(timeout=PATIENCE_S):
            self._refuse_wait_for_itself()
            if stop is not None and stop.is_set():
                yield False
                return
        try:
            self._refuse_closed()
            yield True
        finally:
            self._thinking.release()

    def _refuse_wait_for_itself(self) -> None:
        if threading.get_ident() in self._reporting:
            raise RuntimeError("the search that makes this report would wait for itself; only stop() ends it")

    def _reports_to(self, call: Callable[[_Report], object] | None) -> Callable[[_Report], None] | None:
        """`call`, remembering which thread is in it."""
        if call is None:
            return None

        def tell(report: _Report) -> None:
            self._reporting.add(threading.get_ident())
            try:
                call(report)
            finally:
                self._reporting.discard(threading.get_ident())

        return tell

    def _refuse_other_game(self, position: Position) -> None:
        check_position(position)
        if position.variant != self.variant:
            raise ValueError(f"a position of {position.variant!r}, but this engine plays {self.variant!r}")

    def _refuse_closed(self) -> None:
        if self._is_closed:
            raise RuntimeError("this engine is closed")

    @property
    def shape(self) -> Shape | None:
        return self._shared and self._shared.shape

    def warm_up(self, position: Position) -> None:
        """Search one ply, also while `play` still waits: Numba does some work at the first call."""
        given = self.given_scores
        with self._alone():
            Search(
                self, position, Goal(Limit(depth=1), TimeBudget(), 1, None), None, None, Stop(), None
            ).run()
        self.clear()
        self.given_scores = given

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
        root_moves: Iterable[Move | str] | None = None,
        searchmoves: Iterable[Move | str] | None = None,
        ponder: Ponder | None = None,
        on_info: Callable[[Info], None] | None = None,
        on_current: Callable[[Current], None] | None = None,
        stop: Stop | None = None,
    ) -> PlayResult:
        """Search `position` and return the best move with its score and line.

        The search ends at a `limit`, or at its parts by name: `movetime` in seconds, `depth` in plies,
        `nodes` of all threads together (exact with one thread; several lines are searched at least one ply
        deep), `mate` in at most so many moves, and `clock`. Without a limit the search runs until `stop` is
        set or `stop()` is called. With `ponder` the limits in seconds start when it is hit.

        `multipv` is the number of best lines, `root_moves` the moves to choose from; `searchmoves` is another
        name for them. `on_info` is called for each line after each iteration, and after one second also for
        scores outside the expected window. `on_current` is called after one second, from another thread, for
        the root moves that are searched.

        With `elo` or `skill` the engine searches few nodes and chooses one of the best lines at random.

        Raises ValueError for a position of another game, for limits below 1 (depth, nodes, mate, multipv) or
        0 (movetime) and for `root_moves` without a move, TypeError for arguments of other types, MoveError
        for a search move that is not legal, RuntimeError after `close`.
        """
        if root_moves is None:
            root_moves = searchmoves
        elif searchmoves is not None:
            raise TypeError("root_moves and searchmoves are two names of one argument; give one of them")
        given: dict[str, Any] = {
            "time": movetime,
            "depth": depth,
            "nodes": nodes,
            "mate": mate,
            "clock": clock,
        }
        parts = {name: part for name, part in given.items() if part is not None}
        limit = replace(checked_limit(limit), **parts)
        limit.check()
        check_number("multipv", multipv, whole=True)
        level = self._level
        if level is None:
            return self._search(position, limit, multipv, root_moves, ponder, on_info, on_current, stop)
        lines, most = LatestLines(on_info), max(multipv, level.lines)
        weaker = reduced(limit, level)
        result = self._search(position, weaker, most, root_moves, ponder, lines.note, on_current, stop)
        if not lines.found:
            return result
        line = choose(lines.found, level)
        return result._replace(move=line.pv[0], score=line.score, pv=line.pv)

    @property
    def _level(self) -> Level | None:
        return level_for(self._elo is not None, self._elo or 0, self._skill)

    def _search(
        self,
        position: Position,
        limit: Limit,
        multipv: int = 1,
        root_moves: Iterable[Move | str] | None = None,
        ponder: Ponder | None = None,
        on_info: Callable[[Info], None] | None = None,
        on_current: Callable[[Current], None] | None = None,
        stop: Stop | None = None,
    ) -> PlayResult:
        """`play` at full strength."""
        self._refuse_closed()
        self._refuse_other_game(position)
        checked_limit(limit).check()
        check_number("multipv", multipv, whole=True)
        if multipv < 1:
            raise ValueError(f"multipv {multipv} should be at least 1")
        chosen = None
        if root_moves is not None:
            chosen = frozenset(position.parse_move(str(move)) for move in root_moves)
            if not chosen:
                raise ValueError("root_moves is empty; without it all moves are searched")
        self._begun.refuse_endless(blocks=True)
        stop = stop or Stop()
        if not self._has_search.is_set():
            moves = _among(position.legal_moves(), chosen)
            wait = SearchWait(position, moves, limit, self.move_overhead)
            self._stop = stop
            if not wait.until(self._has_search, stop, ponder):
                return wait.result()
            limit = wait.rest()
        if not self.is_ready:
            self.compile()
        numbers, ply = tuned_facts(self.rules), game_ply(position)
        if ponder is None:
            self._lag.see(limit.clock, ply)
        budget = time_budget(numbers, limit.clock, limit.time, self.move_overhead, ply, lag=self._lag.seconds)
        goal = Goal(limit, budget, multipv, chosen)
        with self._alone(stop) as is_alone:
            if not is_alone:
                return move_without_search(position, _among(position.legal_moves(), chosen))
            self._stop = stop
            try:
                tell, show = self._reports_to(on_info), self._reports_to(on_current)
                search = Search(self, position, goal, tell, show, stop, ponder)
                result = interruptible(search.run, stop.set)
            finally:
                self._stop = None
        if ponder is None:
            self._lag.searched(limit.clock, ply, result.time)
        return result

    # Settings

    @property
    def options(self) -> dict[str, Any]:
        """The settings that `configure` changes, by name. Raises RuntimeError after `close`."""
        self._refuse_closed()
        return {
            "hash_mb": self.table.megabytes,
            "threads": len(self.workers),
            "eval_file": self._eval_file if self.network else False,
            "elo": self._elo,
            "skill": self._skill,
            "move_overhead": self.move_overhead,
        }

    def configure(self, **options: Any) -> None:
        """Change settings: `hash_mb`, `threads`, `eval_file`, `elo`, `skill`, `move_overhead` (seconds).

        Raises ValueError for an unknown name and for a value out of range, TypeError for another type,
        RuntimeError after `close`."""
        self._refuse_closed()
        setters: dict[str, Callable[[Any], object]] = {
            "hash_mb": self.set_hash,
            "threads": self.set_threads,
            "eval_file": self.set_eval_file,
            "elo": self._set_elo,
            "skill": self._set_skill,
            "move_overhead": self._set_move_overhead,
        }
        for name in options:
            if name not in setters:
                raise ValueError(f"{name!r} is not an option of the engine ({', '.join(setters)})")
        for name, value in options.items():
            setters[name](value)

    def _set_elo(self, elo: float | None) -> None:
        if elo is not None:
            check_number("elo", elo)
        if elo is not None and not LEAST_ELO <= elo <= MOST_ELO:
            raise ValueError(f"elo {elo} should be from {LEAST_ELO} to {MOST_ELO}, or None")
        self._elo = elo

    def _set_skill(self, skill: int) -> None:
        check_number("skill", skill)
        if not 0 <= skill <= FULL_SKILL:
            raise ValueError(f"skill {skill} should be from 0 to {FULL_SKILL}")
        self._skill = skill

    def _set_move_overhead(self, seconds: float) -> None:
        check_number("move_overhead", seconds)
        if not 0 <= seconds < LARGE:
            raise ValueError(f"move_overhead {seconds} should be seconds from 0")
        self.move_overhead = seconds

    # AnalysisResult

    @overload
    def analyse(
        self,
        position: Position,
        limit: Limit | None = ...,
        *,
        multipv: None = ...,
        root_moves: Iterable[Move | str] | None = ...,
        info: Callable[[Info], None] | None = ...,
    ) -> Info: ...

    @overload
    def analyse(
        self,
        position: Position,
        limit: Limit | None = ...,
        *,
        multipv: int,
        root_moves: Iterable[Move | str] | None = ...,
        info: Callable[[Info], None] | None = ...,
    ) -> list[Info]: ...

    def analyse(
        self,
        position: Position,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        root_moves: Iterable[Move | str] | None = None,
        info: Callable[[Info], None] | None = None,
    ) -> Info | list[Info]:
        """Search `position` at full strength and return the last report, or with `multipv` those on the best
        lines.

        `root_moves` are the moves to choose from; `info` is called with each report. Without a limit the
        search runs until `stop()` is called from another thread. Raises what `play` raises."""
        lines = LatestLines(info)
        number = 1 if multipv is None else multipv
        result = self._search(position, limit or Limit(), number, root_moves, on_info=lines.note)
        return lines.of(result, multipv)

    def analysis(
        self,
        position: Position,
        limit: Limit | None = None,
        *,
        multipv: int = 1,
        root_moves: Iterable[Move | str] | None = None,
        ponder: bool = False,
    ) -> AnalysisResult:
        """Begin to search `position` in the background: an `AnalysisResult`, to iterate over its reports.

        With `ponder` the limits in seconds begin with `hit()`. Errors of the arguments are raised by the
        loop and by `wait`. What the engine is asked for meanwhile waits for the end of the search. If that
        has no limit, it raises RuntimeError in the thread that began it; another task of the same event loop
        may wait for an `analysis`, `play_async` or `analyse_async`. An analysis that is stopped while it
        waits ends at once, with a provisional move."""
        check_position(position)
        waiting = Ponder() if ponder else None
        fixed, moves = position.copy(), None if root_moves is None else list(root_moves)

        def run(report: Callable[[Info], None], stop: Stop) -> PlayResult:
            return self._search(fixed, limit or Limit(), multipv, moves, waiting, on_info=report, stop=stop)

        return self._begin(run, waiting, limited=not is_endless(limit))

    def _begin(self, run: Run, ponder: Ponder | None, limited: bool) -> AnalysisResult:
        self._begun.refuse_endless(blocks=False)
        analysis = AnalysisResult(run, ponder, limited, self._refuse_wait_for_itself)
        self._begun.add(analysis)
        return analysis

    async def play_async(
        self,
        position: Position,
        limit: Limit | None = None,
        *,
        multipv: int = 1,
        root_moves: Iterable[Move | str] | None = None,
    ) -> PlayResult:
        """`play` for an event loop; a task that is cancelled stops the search."""
        check_position(position)
        fixed, moves = position.copy(), None if root_moves is None else list(root_moves)

        def run(report: Callable[[Info], None], stop: Stop) -> PlayResult:
            return self.play(fixed, limit, multipv=multipv, root_moves=moves, on_info=report, stop=stop)

        limited = not is_endless(limit) or self._level is not None
        return await self._begin(run, None, limited).wait_async()

    async def analyse_async(
        self,
        position: Position,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        root_moves: Iterable[Move | str] | None = None,
    ) -> Info | list[Info]:
        """`analyse` for an event loop; a task that is cancelled stops the search."""
        number = 1 if multipv is None else multipv
        analysis = self.analysis(position, limit, multipv=number, root_moves=root_moves)
        result = await analysis.wait_async()
        return LatestLines(None, analysis.lines).of(result, multipv)

    def __reduce__(self) -> NoReturn:
        raise TypeError("an engine cannot be copied or pickled; begin another one with its `options`")

    def __repr__(self) -> str:
        if self._is_closed:
            return f"<closed Engine of {self.variant!r}>"
        return f"Engine({self.variant!r}, hash_mb={self.table.megabytes}, threads={len(self.workers)})"

    def __enter__(self) -> Engine:
        self._refuse_closed()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
