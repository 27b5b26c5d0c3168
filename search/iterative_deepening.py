"""One search: iterative deepening in the main thread, its helper threads, and the decision when to stop."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

from ..engine.game.moves import Move
from ..engine.position import Position
from ..eval.wdl import wdl_model_of
from .aspiration import NO_LIMIT, Root
from .compiled_search import CompiledSearch
from .first_move import result_without_moves
from .mate_proof import MateProof
from .offered_draws import DRAW_MARGIN, offered_draws
from .reports import LONG_S, Reports
from .results import Current, Info, Line, PlayResult, Score
from .stop import Stop
from .thread_vote import ThreadResult, vote
from .time_management import Limit, Ponder, SearchTimer, TimeBudget, stretch
from .tree.parameters import MATE, MATE_BOUND, MAX_DEPTH, PROOF_PLIES
from .tree.tunable import tuned_facts
from .tree.worker import load_game

FIRST_NODES = 10_000  # of the first iteration, which is finished if it takes fewer
HELPED_NODES = 20_000  # a smaller search uses one thread, because it would be over before the others help
PROOF_FROM = 1_000  # nodes that a search without a limit of time or nodes has had before its first proof
PROOF_SHARE = 16  # nodes of the search for each node of work on mates by checks
PROOF_SHARE_IF_SAFE = 4  # the same for a side that will hardly lose, and may well mate
PROOF_SHARE_FOR_MATE = 2  # the same where a mate is asked for or near, or a shorter one is looked for
SAFE_PERMILLE, WON_PERMILLE = 50, 5  # of losses: a mate is likely, or near
REPLY_NODES = 2_000  # for the search of a reply, when the search has ended before it knew one
REPLY_FROM_S = 0.02  # a clock that gives a move less time has none left for a reply


class Goal(NamedTuple):
    """The goals of a search: what ends it, the moves to search, and the number of lines."""

    limit: Limit
    budget: TimeBudget
    multipv: int
    moves: frozenset[Move] | None


class Search:
    """One call of `Engine.play`: the main thread's iterations and its helpers."""

    def __init__(
        self,
        engine: CompiledSearch,
        position: Position,
        goal: Goal,
        on_info: Callable[[Info], None] | None,
        on_current: Callable[[Current], None] | None,
        stop: Stop,
        ponder: Ponder | None,
    ) -> None:
        self.engine, self.position, self.goal, self.stop = engine, position, goal, stop
        self.numbers = tuned_facts(engine.rules)
        self.timer = SearchTimer(goal.budget, stop, ponder)
        self.max_depth = min(goal.limit.depth or MAX_DEPTH, MAX_DEPTH)
        self.legal = position.legal_moves()
        excluded = [move.code for move in self.legal if goal.moves and move not in goal.moves]
        allowed = [move for move in self.legal if move.code not in excluded]
        self.draws = offered_draws(position, allowed) if goal.multipv == 1 else []
        self.allowed = [move for move in allowed if move not in self.draws]
        apart = [*excluded, *(move.code for move in self.draws)]
        self.roots = [Root(engine, worker, apart) for worker in engine.workers]
        for root in self.roots:
            root.load(position, stop)
        self.scale = float(engine.workers[0]["weights"]["scale"])
        self.reports = Reports(engine, engine.workers, self.scale, self.timer.elapsed, on_info, on_current)
        few = goal.limit.nodes is not None and goal.limit.nodes < HELPED_NODES
        self.helpers = [] if few else self.roots[1:]
        most = NO_LIMIT if goal.limit.nodes is None else min(goal.limit.nodes, NO_LIMIT)
        self.node_limit = max(1, int(most) // (1 + len(self.helpers))) if most < NO_LIMIT else NO_LIMIT
        worker = engine.workers[0]
        key = int(worker["keys"][int(worker["root"])])
        self.given = next(((value, depth) for it, value, depth in engine.given_scores if it == key), (0, 0))
        self.wdl_model = wdl_model_of(position.description)
        self.lines: list[Line] = []
        self.depth = 0
        self.opinions: dict[int, ThreadResult] = {}  # of the helpers, by their number
        self.proof = None
        if self.may_prove(excluded):
            self.proof = MateProof(self.roots[0], self.is_proof_due, position.description.has_drops)

    def may_prove(self, excluded: list[int]) -> bool:
        """Whether to look for a mate by proofs: if one line of all moves is searched and no count of moves
        can end the game first."""
        if self.goal.multipv > 1 or excluded or int(self.position.state["choices"]):
            return False
        return not self.position.may_run_out(PROOF_PLIES)

    def run(self) -> PlayResult:
        """Search, and return the result."""
        engine = self.engine
        if not self.legal:
            return result_without_moves(self.position)
        engine.table.new_search()
        for worker in engine.workers:
            worker["age"] = engine.table.age
        self.timer.start()
        threads = [
            threading.Thread(target=self.help, args=(root, number), daemon=True)
            for number, root in enumerate(self.helpers, 1)
        ]
        if (current := self.reports.watch_current(len(self.allowed))) is not None:
            threads.append(current)
        for thread in threads:
            thread.start()
        try:
            self.deepen()
            self.timer.await_hit()
        finally:
            self.stop.set()
            self.reports.end()
            self.timer.cancel()
            for thread in threads:
                thread.join()
        self.vote()
        best = self.wanted(self.lines)[0] if self.lines else Line(0, (self.allowed[0],))
        score, nodes = Score.of(best.value, self.scale), self.reports.nodes()
        seldepth, hashfull = int(engine.workers[0]["seldepth"]), engine.table.hashfull()
        moves = best.moves if len(best.moves) > 1 else best.moves + self.reply_to(best.moves[0])
        elapsed = self.timer.elapsed()
        return PlayResult(moves[0], score, self.depth, nodes, moves, elapsed, seldepth, hashfull)

    def deepen(self) -> None:
        """Iterate until a limit. The first iteration is finished unless it takes more than FIRST_NODES, or
        a search of one line has a limit of nodes."""
        worker = self.engine.workers[0]
        stable = 0
        for depth in range(1, self.max_depth + 1):
            worker["stoppable_from"] = 0 if depth > 1 else FIRST_NODES
            if depth > 1 or self.goal.multipv == 1:
                worker["node_limit"] = self.node_limit
            before, nodes = self.lines[:1], int(worker["nodes"])
            if not self.iterate(depth):
                break
            self.depth = depth
            self.prove()
            self.reports.lines(depth, self.wanted(self.lines))
            same = bool(before) and before[0].moves[0] == self.lines[0].moves[0]
            stable = stable + 1 if same else 0
            drop = self.centipawns(before[0]) - self.centipawns(self.lines[0]) if before else 0
            share = int(worker["effort"]) / max(1, int(worker["nodes"]) - nodes)
            factor = stretch(self.numbers, stable, drop, share)
            used_up = self.roots[0].nodes >= self.node_limit  # by the proof search
            if self.stop.is_set() or used_up or self.is_reached() or self.timer.is_time_up(factor):
                break

    def centipawns(self, line: Line) -> int:
        """The score of a line as users see it, because clocks must not depend on the scale of a game's
        values."""
        return Score.of(line.value, self.scale).centipawns

    def is_proof_due(self, spent: int) -> bool:
        """Whether the proof search, which has spent that many nodes, is below its share of the search so far,
        or of the time or nodes that the search may use."""
        goal, searched = self.goal, self.roots[0].nodes - spent
        share = self.proof_share()
        if goal.limit.nodes is not None and goal.limit.depth is None:
            return spent < self.node_limit // share
        if searched >= PROOF_FROM and spent < searched // share:
            return True
        seconds = min(goal.budget.soft, goal.budget.hard, LONG_S) / share
        return goal.limit.depth is None and self.timer.elapsed() < seconds

    def proof_share(self) -> int:
        """Nodes of the search for each node of the proof search, by the goal and the score of the best
        line."""
        if self.goal.limit.mate is not None:
            return PROOF_SHARE_FOR_MATE
        if not self.lines:
            return PROOF_SHARE
        score = Score.of(self.lines[0].value, self.scale)
        if score.mate is not None and score.mate > 0:
            return PROOF_SHARE_FOR_MATE
        _, _, loss = self.wdl_model.chances(score.centipawns, score.mate)
        if loss <= WON_PERMILLE:
            return PROOF_SHARE_FOR_MATE
        return PROOF_SHARE_IF_SAFE if loss <= SAFE_PERMILLE else PROOF_SHARE

    def prove(self) -> None:
        """Look for a mate by proofs; its line is used unless the search has found one that is as short."""
        if self.proof is None:
            return
        self.proof.work(self.lines[0].value)
        mate = self.proof.line
        if mate is not None and mate.value > self.lines[0].value:
            self.lines[0] = mate

    def iterate(self, depth: int) -> bool:
        """Search all wanted lines to a depth; False if it was stopped before the end. A best move of an
        unfinished iteration still counts, because it was searched deeper than the others."""
        lines: list[Line] = []
        root = self.roots[0]
        for index in range(min(self.goal.multipv, len(self.allowed))):
            root.exclude(lines)
            guess = self.lines[index].value if index < len(self.lines) else 0
            line, finished = root.search(depth, guess, self.report_bound)
            if not finished:
                if line.moves and index == 0 and not self.is_proven():
                    self.lines[:1] = [self.continued(line)]
                self.lines = self.lines or lines
                return False
            lines.append(line)
        lines.sort(key=lambda line: -line.value)
        value, given_depth = self.given
        if depth <= given_depth:
            lines[0] = lines[0]._replace(value=value)
        self.lines = lines
        return True

    def report_bound(self, line: Line, bound: str) -> None:
        """Report a score outside the window, in a search for one line."""
        if self.goal.multipv == 1:
            moves = line.moves or (self.lines[0].moves if self.lines else ())
            self.reports.bound(self.depth + 1, line._replace(moves=moves), bound)

    def continued(self, line: Line) -> Line:
        """The line, continued as in the iteration before if it has only the same first move."""
        before = self.lines[0].moves if self.lines else ()
        return line._replace(moves=before) if before[:1] == line.moves else line

    def is_proven(self) -> bool:
        """Whether the best line is a proven mate."""
        return self.proof is not None and self.proof.line is not None

    def is_mate_found(self, value: int) -> bool:
        """Whether the value is a mate that is as short as requested."""
        return self.goal.limit.mate is not None and value >= MATE - 2 * self.goal.limit.mate

    def is_reached(self) -> bool:
        """Whether there is nothing more to find."""
        value = self.lines[0].value
        if self.is_mate_found(value):
            return True
        if self.goal.budget == TimeBudget() or self.goal.multipv > 1 or self.timer.is_pondering():
            return False
        saves = self.goal.budget.soft != float("inf")  # what it leaves of its time is not lost
        looked = self.depth if saves and self.is_proven() else self.depth // 2
        decided = abs(value) >= MATE_BOUND and MATE - abs(value) <= looked
        return decided or (len(self.allowed) == 1 and saves and not self.draws)

    def help(self, root: Root, number: int) -> None:
        """A helper's iterations: they fill the table, and their results count in the vote.

        Odd helpers run a ply ahead."""
        value = 0
        root.worker["stoppable_from"], root.worker["node_limit"] = 0, self.node_limit
        for depth in range(1 + number % 2, MAX_DEPTH + 1):
            line, finished = root.search(depth, value)
            if not finished:
                break
            value = line.value
            if line.moves:
                self.opinions[number] = ThreadResult(depth, line)
            if self.is_mate_found(value) and self.goal.multipv == 1 and not self.timer.is_pondering():
                self.stop.set()

    def vote(self) -> None:
        """Let the threads vote for a line, unless a depth, nodes or several lines were asked for.

        A mate that was asked for counts whichever thread found it."""
        goal = self.goal
        if not (self.lines and self.opinions) or goal.multipv > 1:
            return
        own = ThreadResult(self.depth, self.lines[0])
        chosen = vote([own, *self.opinions.values()], self.scale)
        mates = self.is_mate_found(chosen.line.value)
        if chosen is own or ((goal.limit.depth or goal.limit.nodes) and not mates):
            return
        if mates or chosen.line.moves[0] != own.line.moves[0]:
            self.depth, self.lines[:1] = chosen.depth, [chosen.line]
            self.reports.lines(self.depth, self.wanted(self.lines))

    def wanted(self, lines: list[Line]) -> list[Line]:
        """The lines, or an immediate draw if the best of them is clearly worse."""
        if self.draws and self.centipawns(lines[0]) < -DRAW_MARGIN:
            return [Line(0, tuple(self.draws[:1]))]
        return lines

    def reply_to(self, move: Move) -> tuple[Move, ...]:
        """The expected reply to the best move, if the line ends with that move because the search was stopped
        or the move repeats a position. A short search is enough, because the table knows most of it. Empty if
        the game ends with the move, if the search had a limit of depth or nodes, or if the clock has run
        down."""
        limit = self.goal.limit
        if limit.depth or limit.nodes or (limit.clock and self.goal.budget.hard < REPLY_FROM_S):
            return ()
        position = self.position.copy()
        position.push(move)
        if position.result() is not None:
            return ()
        worker = self.engine.workers[0]
        load_game(worker, position, self.engine.given_scores)
        worker["excluded_count"] = worker["stopped"] = 0
        worker["stoppable_from"] = NO_LIMIT
        worker["node_limit"] = int(worker["nodes"]) + REPLY_NODES
        return self.roots[0].search(1, 0)[0].moves[:1]
