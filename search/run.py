"""One search: iterations over the compiled tree, the threads that help, the watch over time, and the
reports."""

from __future__ import annotations

import math
import threading
import time
from typing import NamedTuple

import numpy as np

from ..engine.game.moves import Move, spell
from ..eval.terms.weights import NORMAL_SCALE
from .clock import Limits, stretch
from .tree.parameters import (
    ASPIRATION_DEPTH,
    ASPIRATION_WINDOW,
    DECISIVE,
    INFINITE,
    MATE,
    MATE_BOUND,
    MAX_DEPTH,
)
from .tree.search import CURRENT_UNIT, search_root
from .tree.worker import load_game

NO_LIMIT = 1 << 62
VOTE_BASE = 14  # centipawns, of NORMAL_SCALE, by which even the worst line counts in an election
HELPED_NODES = 20_000  # a search of fewer is left to one thread: it would be over before the others help
HIT_SECONDS = 0.005  # between looks whether the other side has moved, once there is nothing more to search
LONG_SECONDS = 1.0  # from then on a search also tells of what is not finished yet
CURRENT_SECONDS = 0.1  # between looks which first move is being searched
REPLY_NODES = 2_000  # for a look at what may answer a move when the search has ended before it knew


class Score(NamedTuple):
    """A score for the side to move: `centipawns`, and moves to `mate`, negative when being mated.

    Centipawns are the same in every game: NORMAL_SCALE of them stand for a win in 73 of 100 games."""

    centipawns: int
    mate: int | None = None

    @classmethod
    def of(cls, value: int, scale: float = NORMAL_SCALE) -> Score:
        """The score that the search's number `value` stands for, where the evaluation has that `scale`."""
        if abs(value) < DECISIVE:
            return cls(round(value * NORMAL_SCALE / scale))
        if abs(value) < MATE_BOUND:
            return cls(value)
        plies = MATE - abs(value)
        moves = (plies + 1) // 2
        return cls(value, moves if value > 0 else -moves)

    def value(self, scale: float = NORMAL_SCALE) -> int:
        """The search's number for this score, where the evaluation has that `scale`; `of` takes it back."""
        if self.mate is None:
            return max(1 - DECISIVE, min(DECISIVE - 1, round(self.centipawns * scale / NORMAL_SCALE)))
        plies = 2 * abs(self.mate) - (self.mate > 0)
        return int(math.copysign(max(MATE_BOUND, MATE - plies), self.mate))

    def __str__(self):
        return f"{self.centipawns / 100:+.2f}" if self.mate is None else f"mate {self.mate}"


class Info(NamedTuple):
    """A report on a line of a finished iteration, the best one with `multipv` 1; `time` in seconds,
    `hashfull` in permille.

    With `bound` the iteration is not finished, and the score is at least ("lower") or at most ("upper") that.
    """

    depth: int
    seldepth: int
    score: Score
    nodes: int
    time: float
    nps: int
    hashfull: int
    pv: tuple[Move, ...]
    multipv: int = 1
    bound: str = ""


class Current(NamedTuple):
    """What a search is at: the first move that it looks at, the `number`th of `total`, `depth` plies deep."""

    depth: int
    move: Move
    number: int
    total: int


class PlayResult(NamedTuple):
    """What a search came to. `move` is None when there was no legal move; `time` in seconds.

    `seldepth` is the longest line in plies, `hashfull` how full the table is, in permille. Where a search was
    limited by time alone and the game goes on, `pv` has an expected reply."""

    move: Move | None
    score: Score
    depth: int
    nodes: int
    pv: tuple[Move, ...]
    time: float
    seldepth: int = 0
    hashfull: int = 0


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


class Ponder:
    """Thinking in the other side's time: a search that is given this obeys no clock until `hit` is called."""

    def __init__(self):
        self._lock = threading.Lock()
        self._hit = False
        self._begin = None

    @property
    def is_hit(self) -> bool:
        """Whether the expected move was played."""
        return self._hit

    def hit(self):
        """The other side has played the expected move: the search's own time begins."""
        with self._lock:
            self._hit, begin = True, self._begin
        if begin:
            begin()

    def bind(self, begin):
        """Has `begin` called at the hit, or at once if that was before."""
        with self._lock:
            self._begin, late = begin, self._hit
        if late:
            begin()


class Goal(NamedTuple):
    """What ends a search, and which moves and how many lines it looks at."""

    limits: Limits
    depth: int | None
    nodes: int | None
    mate: int | None
    multipv: int
    moves: frozenset[Move] | None


class Line(NamedTuple):
    """A first move with what follows, and its score as the search counts."""

    value: int
    moves: tuple[Move, ...]


class Opinion(NamedTuple):
    """What a thread holds for best: a line, and the depth of the iteration that found it."""

    depth: int
    line: Line


def elected(opinions, scale):
    """The opinion that prevails among those of several threads.

    Each votes for its first move, the more the deeper it looked and the better its score is against the
    worst one; of the voters for the move with most votes the weightiest speaks. A proven win needs no votes.
    """
    worst = min(opinion.line.value for opinion in opinions)
    sure = max(opinions, key=lambda opinion: opinion.line.value)
    if sure.line.value >= DECISIVE:
        return sure
    votes: dict[Move, float] = {}
    weights = [(o.line.value - worst + VOTE_BASE * scale / NORMAL_SCALE) * o.depth for o in opinions]
    for opinion, weight in zip(opinions, weights, strict=True):
        votes[opinion.line.moves[0]] = votes.get(opinion.line.moves[0], 0.0) + weight
    choice = max(votes, key=lambda move: votes[move])
    voters = [pair for pair in zip(weights, opinions, strict=True) if pair[1].line.moves[0] == choice]
    return max(voters, key=lambda pair: pair[0])[1]


class Search:
    """One call of `Engine.play`: the main thread's iterations, its helpers and the watchdog of the clock."""

    def __init__(self, engine, position, goal, on_info, on_current, stop, ponder):
        self.engine, self.position, self.goal, self.stop = engine, position, goal, stop
        self.on_info, self.on_current = on_info, on_current
        self.ponder = ponder
        self.started = time.perf_counter()
        self.watchdog = None
        self.ended = threading.Event()
        self.enough = False  # the clock would have ended the search, but it is the other side's time
        self.max_depth = min(goal.depth or MAX_DEPTH, MAX_DEPTH)
        self.legal = position.legal_moves()
        self.mated = not self.legal and position.is_check()
        self.barred = [move.code for move in self.legal if goal.moves and move not in goal.moves]
        self.choices = len(self.legal) - len(self.barred)
        self.workers = engine.workers
        self.scale = float(self.workers[0]["weights"]["scale"])
        for worker in self.workers:
            load_game(worker, position, engine.given_scores)
            worker["stop_address"] = stop.word.ctypes.data
            worker["table"], worker["table_mask"] = engine.table.address, engine.table.mask
            worker["nodes"] = worker["seldepth"] = worker["stopped"] = worker["current"] = 0
            worker["node_limit"] = NO_LIMIT
            self.bar(worker, ())
        few = goal.nodes is not None and goal.nodes < HELPED_NODES
        self.helpers = [] if few else list(enumerate(self.workers[1:], 1))
        self.node_limit = NO_LIMIT if goal.nodes is None else max(1, goal.nodes // (1 + len(self.helpers)))
        key = int(self.workers[0]["keys"][int(self.workers[0]["root"])])
        self.given = next(((value, depth) for it, value, depth in engine.given_scores if it == key), (0, 0))
        self.lines: list[Line] = []
        self.depth = 0
        self.opinions: dict[int, Opinion] = {}  # of the helpers, by their number

    def run(self):
        """Searches, and returns a `PlayResult`."""
        engine = self.engine
        if not self.legal:
            return PlayResult(None, Score.of(-MATE if self.mated else 0), 0, 0, (), 0.0)
        engine.table.new_search()
        for worker in self.workers:
            worker["age"] = engine.table.age
        if self.ponder is None:
            self.arm()
        else:
            self.ponder.bind(self.arm)
        helpers = [
            threading.Thread(target=self.help, args=(worker, number), daemon=True)
            for number, worker in self.helpers
        ]
        if self.on_current is not None:
            helpers.append(threading.Thread(target=self.tell_current, daemon=True))
        for helper in helpers:
            helper.start()
        try:
            self.deepen()
            self.await_hit()
        finally:
            self.stop.set()
            self.ended.set()
            if self.watchdog is not None:
                self.watchdog.cancel()
            for helper in helpers:
                helper.join()
        self.vote()
        first = next(move for move in self.legal if move.code not in self.barred)
        best = self.lines[0] if self.lines else Line(0, (first,))
        score, nodes = Score.of(best.value, self.scale), self.nodes()
        seldepth, hashfull = int(self.workers[0]["seldepth"]), engine.table.hashfull()
        moves = best.moves if len(best.moves) > 1 else best.moves + self.reply_to(best.moves[0])
        return PlayResult(moves[0], score, self.depth, nodes, moves, self.elapsed(), seldepth, hashfull)

    def reply_to(self, move):
        """What may answer the best move, where its line ends with it: it was found as the search was stopped,
        or it repeats a position. A short look is enough, for the table knows most of what it needs.

        Empty when the game ends with the move, or the search was for a depth or nodes and not for a game."""
        if self.goal.depth or self.goal.nodes:
            return ()
        position = self.position.copy()
        position.push(move)
        if position.result() is not None:
            return ()
        worker = self.workers[0]
        load_game(worker, position, self.engine.given_scores)
        worker["barred_count"] = worker["stoppable"] = worker["stopped"] = 0
        worker["node_limit"] = int(worker["nodes"]) + REPLY_NODES
        return self.aspire(worker, 1, 0).moves[:1]

    def vote(self):
        """Lets the threads elect the best line, unless a depth, nodes or several lines were asked for."""
        goal = self.goal
        if not (self.lines and self.opinions) or goal.depth or goal.nodes or goal.multipv > 1:
            return
        own = Opinion(self.depth, self.lines[0])
        chosen = elected([own, *self.opinions.values()], self.scale)
        if chosen.line.moves[0] != own.line.moves[0]:
            self.depth, self.lines[:1] = chosen.depth, [chosen.line]
            self.report()

    def arm(self):
        """Starts the watch over the hard limit: at the beginning, or when the other side has moved."""
        if self.enough:
            self.stop.set()
        hard = self.goal.limits.hard
        if hard == float("inf"):
            return
        spent = self.elapsed() if self.ponder is None else 0.0
        seconds = min(max(0.0, hard - spent), threading.TIMEOUT_MAX)
        self.watchdog = threading.Timer(seconds, self.stop.set)
        self.watchdog.daemon = True
        self.watchdog.start()

    def elapsed(self):
        """Seconds since the search began."""
        return time.perf_counter() - self.started

    def nodes(self):
        """Nodes of all threads."""
        return sum(int(worker["nodes"]) for worker in self.workers)

    def bar(self, worker, lines):
        """Leaves out at the root, beside what the goal leaves out, the first moves of `lines`."""
        codes = [*self.barred, *(line.moves[0].code for line in lines)]
        worker["barred"][: len(codes)] = codes
        worker["barred_count"] = len(codes)

    def deepen(self):
        """Iterates until a limit; the first iteration is finished whatever happens, but for nodes in a search
        of one line."""
        worker = self.workers[0]
        stable = 0
        for depth in range(1, self.max_depth + 1):
            worker["stoppable"] = depth > 1
            if depth > 1 or self.goal.multipv == 1:
                worker["node_limit"] = self.node_limit
            before, nodes = self.lines[:1], int(worker["nodes"])
            finished = self.iterate(worker, depth)
            if not finished:
                break
            self.depth = depth
            self.report()
            same = bool(before) and before[0].moves[0] == self.lines[0].moves[0]
            stable = stable + 1 if same else 0
            drop = before[0].value - self.lines[0].value if before else 0
            share = int(worker["effort"]) / max(1, int(worker["nodes"]) - nodes)
            if self.stop.is_set() or self.is_reached() or self.is_time_up(stretch(stable, drop, share)):
                break

    def iterate(self, worker, depth):
        """Searches all wanted lines to a depth; False when it was stopped before the end.

        A best move that an unfinished iteration has found still counts: it was searched deeper than the
        others."""
        lines = []
        for index in range(min(self.goal.multipv, self.choices)):
            self.bar(worker, lines)
            guess = self.lines[index].value if index < len(self.lines) else 0
            line = self.aspire(worker, depth, guess)
            if worker["stopped"]:
                if line.moves and index == 0:
                    self.lines[:1] = [self.continued(line)]
                return False
            lines.append(line)
        lines.sort(key=lambda line: -line.value)
        value, given_depth = self.given
        if depth <= given_depth:
            lines[0] = lines[0]._replace(value=value)
        self.lines = lines
        return True

    def continued(self, line):
        """The line with what followed in the iteration before, where it has only the same first move yet."""
        before = self.lines[0].moves if self.lines else ()
        return line._replace(moves=before) if before[:1] == line.moves else line

    def is_reached(self):
        """Whether there is nothing more to find."""
        value = self.lines[0].value
        if self.goal.mate is not None and value >= MATE - 2 * self.goal.mate:
            return True
        if self.goal.limits == Limits() or self.goal.multipv > 1 or self.is_pondering():
            return False
        decided = abs(value) >= MATE_BOUND and MATE - abs(value) <= self.depth // 2
        return decided or (self.choices == 1 and self.goal.limits.soft != float("inf"))

    def await_hit(self):
        """Holds the answer back while it is the other side's time."""
        while self.is_pondering() and not self.stop.is_set():
            time.sleep(HIT_SECONDS)

    def is_pondering(self):
        """Whether the other side is still to move."""
        return self.ponder is not None and not self.ponder.is_hit

    def is_time_up(self, factor):
        """Whether this iteration was the last that the clock allows."""
        limits = self.goal.limits
        self.enough = self.elapsed() >= limits.soft * factor
        return self.enough and not self.is_pondering()

    def help(self, worker, number):
        """A helper's iterations: they fill the table, and their results count in the election of the move.

        Odd helpers run a ply ahead."""
        value = 0
        worker["stoppable"] = 1
        for depth in range(1 + number % 2, MAX_DEPTH + 1):
            line = self.aspire(worker, depth, value)
            if worker["stopped"]:
                break
            value = line.value
            if line.moves:
                self.opinions[number] = Opinion(depth, line)

    def aspire(self, worker, depth, guess):
        """The `Line` of one depth, with a window around `guess` that widens until the score is inside.

        Stopped, it has the moves of the best line so far, if any.
        """
        rules, window = self.engine.rules, ASPIRATION_WINDOW
        alpha, beta = -INFINITE, INFINITE
        if depth >= ASPIRATION_DEPTH and abs(guess) < DECISIVE:
            alpha, beta = guess - window, guess + window
        moves: tuple[Move, ...] = ()
        while True:
            value = int(search_root(rules, worker, depth, alpha, beta))
            moves = self.line_of(worker) or moves
            if worker["stopped"]:
                return Line(guess, moves)
            if alpha < value < beta or (alpha, beta) == (-INFINITE, INFINITE):
                return Line(value, moves)
            if worker is self.workers[0]:
                self.report_bound(depth, value, moves, "upper" if value <= alpha else "lower")
            window *= 4
            if value <= alpha:
                alpha = max(-INFINITE, value - window) if window < DECISIVE else -INFINITE
            else:
                beta = min(INFINITE, value + window) if window < DECISIVE else INFINITE

    def line_of(self, worker):
        """The line of the root, empty when no move beat alpha."""
        codes = worker["line"][0][: int(worker["line_length"][0])]
        return tuple(spell(int(code), self.engine.description) for code in codes)

    def report(self):
        """Tells each line of a finished iteration."""
        if self.on_info is None:
            return
        whole = self.info(self.depth, self.lines[0])
        for rank, line in enumerate(self.lines, 1):
            score = Score.of(line.value, self.scale)
            self.on_info(whole._replace(score=score, pv=line.moves, multipv=rank))

    def report_bound(self, depth, value, moves, bound):
        """Tells in a long search for one line that its score will be at least, or at most, `value`."""
        if self.on_info is None or self.goal.multipv > 1 or self.elapsed() < LONG_SECONDS:
            return
        moves = moves or (self.lines[0].moves if self.lines else ())
        self.on_info(self.info(depth, Line(value, moves))._replace(bound=bound))

    def info(self, depth, line):
        """A report on a line, with what is known of the search as a whole."""
        elapsed, nodes = self.elapsed(), self.nodes()
        nps, seldepth = int(nodes / max(elapsed, 1e-6)), int(self.workers[0]["seldepth"])
        score, hashfull = Score.of(line.value, self.scale), self.engine.table.hashfull()
        return Info(depth, seldepth, score, nodes, elapsed, nps, hashfull, line.moves)

    def tell_current(self):
        """Tells, from LONG_SECONDS on, which first move is searched, whenever that has changed."""
        worker, before = self.workers[0], None
        seconds = LONG_SECONDS
        while not self.ended.wait(seconds):
            seconds = CURRENT_SECONDS
            word, depth = int(worker["current"]), int(worker["root_depth"])
            if word and (word, depth) != before:
                before = word, depth
                move, number = spell(word % CURRENT_UNIT, self.engine.description), word // CURRENT_UNIT
                self.on_current(Current(depth, move, number, self.choices))
