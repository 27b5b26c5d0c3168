"""One game in force, the engine that plays in it, the clocks and the search under way.

A session knows no dialect and writes nothing: what happens in its threads it posts as events, and
the dialect that owns it calls it back from its own thread. So the game changes in one thread only.
Compiled code is imported where a game is loaded, for the session itself must start at once.
"""

import threading
import time
from typing import NamedTuple

from ...engine.game import catalogue
from ...search.clock import MOVE_OVERHEAD
from .edit import turned
from .resources import LEAST_MB, Resources
from .strength import DEFAULT_ELO, level_of
from .thinking import Search
from .time_control import TimeControl

WHITE, BLACK = 0, 1
LEAST_CLOCK = 0.05  # seconds; an engine whose flag has fallen still has to move
COMPILING_SECONDS = 2.0  # between reports on a game that is being compiled
CLOCK_SLACK = 1.1  # a search in the other side's time is good for a clock that was expected so much fuller
DRAW_DEPTH = 8  # plies; a shallower search is no ground for a draw
MOVE, PONDERING, ANALYSIS = "move", "pondering", "analysis"  # what a pause may interrupt
DRAW_SCORE = 0  # centipawns; a draw is accepted when the engine saw itself no better than this


class Compiling(NamedTuple):
    """A game is being compiled: `done` of about `total` functions are."""

    variant: str
    done: int
    total: int


class Loaded(NamedTuple):
    """A game is compiled; `engine` plays it and `position` is its start, or the one in force where it is only
    the evaluation that is another. `number` is that of the load, None for whichever is under way.
    `evaluation` names the network that the engine evaluates by, `complaint` says why it is not the one that
    was wanted; both may be empty."""

    variant: str
    engine: object
    position: object
    number: int | None = None
    evaluation: str = ""
    complaint: str = ""


class LoadFailed(NamedTuple):
    """A game could not be compiled or started."""

    variant: str
    error: Exception
    number: int | None = None


class Session:
    """The game in force and who plays it. `post` takes the events, from any thread."""

    def __init__(self, post):
        self._post = post
        self._loading = None  # the name of the game that is being loaded
        self._load_from = None  # the FEN, or the position in force, that it will be loaded with
        self._use_network = True
        self._eval_file = ""  # the path of a network; empty: the one that comes with the game
        self._loads = 0
        self.late = 0.0  # seconds that the command under way has waited for a game to be loaded
        self.variant = None
        self.position = None
        self._followed = None  # the FEN and moves that `follow` was given, where they led to the position
        self.engine = None
        self.engine_side = BLACK  # None: neither side
        self.over = False  # the GUI or the rules have ended the game
        self.limits = TimeControl()
        self.clock = self.limits.base  # the engine's, in seconds, whichever side it plays
        self.search = None  # of the move that the engine is to make, or of the position that it analyses
        self.pondering = None  # the search of the other side's time
        self.may_ponder = False
        self.expected = None  # the other side's reply to the engine's last move, as the engine sees it
        self._excluded = frozenset()  # moves of the position that are not to be searched
        self.interrupted = None  # what a pause has ended: MOVE, PONDERING or ANALYSIS
        self._spent = 0.0  # seconds that the move under way had been thought about before a pause
        self._turned_from = None  # the position before `set_turn`, while nothing else has happened
        self.overhead = MOVE_OVERHEAD  # seconds of each move that are lost on the way to the GUI and back
        self.multipv = 1
        self.limit_strength = False
        self.elo = DEFAULT_ELO  # what `limit_strength` makes of the engine
        self._resources = Resources()
        self._judgement = None  # the last report of the engine about a move of its own

    # Loading

    @property
    def loading(self):
        """The name of the game that is being loaded; None if there is none."""
        return self._loading

    @property
    def ready(self):
        """Whether a game is in force and no other one is being loaded."""
        return self.engine is not None and self._loading is None

    def start(self, variant, fen=None):
        """Puts the start of a game in force, or the position that `fen` gives.

        Unless the game is in force already it is loaded first, and Loaded or LoadFailed will be posted.
        Raises VariantError.
        """
        if variant != self.variant or not self.ready:
            self.load(variant, fen)
            return
        self.abandon()
        self.engine.clear()
        self._begin(type(self.position)(variant, fen))

    def load(self, variant, fen=None):
        """Begins to load a game, in place of one that is being loaded; Loaded or LoadFailed will be posted.
        Raises VariantError."""
        catalogue.load(variant)
        self.abandon()
        self._begin_load(variant, fen)

    def _begin_load(self, variant, start):
        """Has a thread load a game; `start` is a FEN, None for its own start, or the position in force."""
        self._loading, self._load_from = variant, start
        self._loads += 1
        work = (variant, start, self._loads)
        threading.Thread(target=self._load, args=work, name="loader", daemon=True).start()

    def awaits(self, event):
        """Whether a Loaded or LoadFailed is about the game that is being loaded, and not an earlier one."""
        return event.number in (None, self._loads)

    def _load(self, variant, start, number):
        told = 0.0

        def tell(done, total, what):
            nonlocal told
            if done < total and time.monotonic() >= told + COMPILING_SECONDS:
                told = time.monotonic()
                self._post(Compiling(variant, done, total))

        try:
            from ...engine.position import Position

            engine, complaint = _engine(variant, self._eval_source())
            engine.compile(tell)
            position = start if isinstance(start, Position) else Position(variant, start)
            # A move found, made and judged leaves nothing for a GUI to wait for: Numba does some work at
            # the first call of what is compiled already.
            position.copy().push(engine.play(position, depth=1).move)
            engine.clear()
            self._post(Loaded(variant, engine, position, number, engine.evaluation, complaint))
        except Exception as error:
            self._post(LoadFailed(variant, error, number))

    def loaded(self, event):
        """Puts the loaded game in force. Returns sentences about what the engine could not be given."""
        if self.engine:
            self.engine.close()
        self._loading = self._load_from = None
        self.variant, self.engine = event.variant, event.engine
        complaints = [event.complaint] if event.complaint else []
        complaints += self._resources.give(event.engine)
        if event.position is not self.position:
            self._begin(event.position)
        return complaints

    def load_failed(self, event):
        """Keeps the game that was in force before."""
        self._loading = self._load_from = None

    # Options

    def set_hash(self, megabytes):
        """The size of the transposition table. Raises ValueError when there is not so much memory."""
        self._resources.refuse(megabytes)  # before anything is interrupted
        self.abandon()
        self._resources.set_hash(self.engine, megabytes)

    def set_threads(self, threads):
        """The number of threads that search. Raises ValueError."""
        self.abandon()
        self._resources.set_threads(self.engine, threads)

    def set_use_network(self, wanted):
        """Whether a network evaluates, where there is one. Raises ValueError while the engine is to move."""
        self._change_evaluation(wanted, self._eval_file)

    def set_eval_file(self, path):
        """The network that evaluates; the one that comes with the game if the path is empty. Raises
        ValueError while the engine is to move."""
        self._change_evaluation(self._use_network, path)

    def _change_evaluation(self, use_network, eval_file):
        if self.search:
            raise ValueError("not while thinking")
        before = self._eval_source()
        self._use_network, self._eval_file = use_network, eval_file
        if self._eval_source() == before:
            return
        self._stop_pondering()
        if self._loading:
            self._begin_load(self._loading, self._load_from)
        elif self.variant is not None:
            self._begin_load(self.variant, self.position)

    def _eval_source(self):
        """What `Engine` takes for its `eval_file`."""
        return (self._eval_file or None) if self._use_network else False

    def clear(self):
        """Forgets what was searched. Raises ValueError while the engine is to move."""
        if self.search:
            raise ValueError("not while thinking")
        self._stop_pondering()
        if self.engine:
            self.engine.clear()

    def outdate(self):
        """The game in force has another description now: it has to be loaded anew."""
        self.variant = None

    # The game

    def reset(self):
        """Makes ready for another game, which is still to be named: the engine plays Black."""
        self.abandon()
        self.engine_side = BLACK
        self.over = False
        self.limits.depth = self.limits.node_rate = None
        self.clock = self.limits.base

    def set_position(self, fen):
        """Another position of the game in force. Raises ValueError and changes nothing."""
        position = type(self.position)(self.variant, fen)
        self.abandon()
        self.clock = self.limits.base
        self._begin(position)

    def follow(self, fen, moves, read):
        """Puts in force the position after `moves` from a FEN, or from the game's start. Raises ValueError
        and changes nothing; the error of a move is a MoveError.

        `read(text, position)` is a move in the engine's spelling. Where the moves go on with those of the
        game in force only the new ones are made.
        """
        position, made = self.position.copy(), self._followed
        if made is None or made[0] != fen or made[1] != moves[: len(made[1])]:
            position, made = type(self.position)(self.variant, fen), (fen, [])
        for move in moves[len(made[1]) :]:
            position.push(read(move, position))
        self.abandon()
        self._begin(position)
        self._followed = fen, moves

    def set_turn(self, side):
        """Puts `side` on move, 0 for White, by the word of a program that knows no FEN. The moves so far are
        forgotten, unless the turn is set back before anything else. Raises ValueError and changes nothing.
        """
        before, position = self.position, self._turned_from
        if before.turn == side:
            return
        if position is None:
            position = type(before)(self.variant, turned(before.fen(), side))
        self.abandon()
        self._begin(position)
        self._turned_from = before

    def _begin(self, position):
        self.position, self._followed, self._turned_from = position, None, None
        self.over, self.limits.since = False, 0
        self._judgement = self.expected = None
        self._excluded = frozenset()

    def push(self, text):
        """Makes a move for the side to move and returns it. Raises ValueError and changes nothing."""
        move = self.position.push(text)
        self._excluded, self._followed, self._turned_from = frozenset(), None, None
        return move

    def take_back(self, count):
        """Takes back that many half moves.

        An engine whose move it were then waits to be told, for it would only repeat itself.
        Raises ValueError when the game has fewer.
        """
        if len(self.position.moves) < count:
            raise ValueError("no moves to take back" if count == 1 else "fewer than two moves made")
        self.abandon()
        for _ in range(count):
            self.position.pop()
        self.over = False
        self.expected, self._excluded, self._followed = None, frozenset(), None
        if self.position.turn == self.engine_side:
            self.engine_side = None

    def result(self):
        """The result by rule, or None."""
        return self.position.result()

    def end(self):
        """The GUI has ended the game: no more thinking until another begins."""
        self.abandon()
        self.over = True

    def force(self):
        """The engine plays neither side."""
        self.abandon()
        self.engine_side = None

    # Thinking

    @property
    def on_move(self):
        """Whether it is for the engine to move."""
        return not self.over and self.position.turn == self.engine_side

    @property
    def thinking(self):
        """Whether the engine is at work on its move."""
        return self.search is not None and not self.search.held

    @property
    def deciding(self):
        """Whether the engine is about to move, now or after a pause."""
        return self.thinking or self.interrupted == MOVE

    def minds(self, search):
        """Whether what that search posts matters still."""
        return search is not None and search in (self.search, self.pondering)

    def think(self, spent=0.0):
        """Begins the search for the side to move; Thought and Finished will be posted.

        If this is what the engine pondered, that search goes on, in the engine's own time now. So many
        seconds have been `spent` on the move already.
        """
        self.clock -= self.late
        self.interrupted, self._spent = None, spent + self.late
        limits = self._limits(self.position)
        if chosen := self._chosen():
            limits["searchmoves"] = chosen
        pondered, self.pondering = self.pondering, None
        if pondered and not pondered.done and self._serves(pondered, limits):
            pondered.hit()
            self.search = pondered
            return
        if pondered:
            pondered.stop()
        self.search = self._search(self.position, limits)

    def _search(self, position, limits, held=False, at_full_strength=False):
        self.engine.move_overhead = self.overhead
        return Search(
            self.engine,
            position.copy(),
            {**limits, "multipv": self.multipv},
            self._post,
            held=held,
            by_processor=self.limits.node_rate is not None,
            level=level_of(self.elo) if self.limit_strength and not at_full_strength else None,
        )

    def _serves(self, pondered, limits):
        """Whether the search of the other side's time is one of this position, under such limits."""
        here, there = self.position, pondered.position
        if (here.start_fen, here.moves) != (there.start_fen, there.moves):
            return False
        now, then = {**limits, "multipv": self.multipv}, dict(pondered.limits)
        clock, expected = now.pop("clock", None), then.pop("clock", None)
        if now != then or (clock is None) != (expected is None):
            return False
        if clock is None:
            return True
        fits = clock.increment == expected.increment and clock.moves_to_go == expected.moves_to_go
        return fits and expected.remaining <= clock.remaining * CLOCK_SLACK + LEAST_CLOCK

    def ponder(self):
        """Begins to search the reply to the expected move, if pondering is wanted and there is one; whether
        it has begun.

        The engine's clock stands still meanwhile, so the limits of that search are known by now.
        """
        if not self.may_ponder or self.over or self.search or self.expected is None or self.on_move:
            return False
        if self.engine_side is None:
            return False
        reply = self.position.copy()
        reply.push(self.expected)
        if reply.result() is None:
            self._stop_pondering()
            self.pondering = self._search(reply, self._limits(reply), held=True)
        return self.pondering is not None

    def analyse(self):
        """Searches the position in force, and goes on until it is stopped; not one without moves."""
        chosen = self._chosen()
        if chosen or (chosen is None and self.position.legal_moves()):
            self.go({"searchmoves": chosen}, held=True, at_full_strength=True)

    def exclude(self, text, out):
        """Leaves a move out of the searches of this position, or takes it in again; None stands for all
        moves. Raises ValueError."""
        moves = self.position.legal_moves() if text is None else [self.position.parse_move(text)]
        excluded = self._excluded.union(moves) if out else self._excluded.difference(moves)
        self.abandon()
        self._excluded = excluded

    def give_score(self, centipawns, mate, depth):
        """Has searches up to a depth take the position in force for worth a score, for the side to move."""
        from ...search.engine import Score

        self.abandon()
        self.engine.give_score(self.position, Score(centipawns, mate), depth)

    def _chosen(self):
        """The moves that are not left out; None where all may be searched."""
        if not self._excluded:
            return None
        return [move for move in self.position.legal_moves() if move not in self._excluded]

    def set_pondering(self, wanted):
        """Whether the engine thinks in the other side's time, from now on."""
        self.may_ponder = wanted
        if not wanted:
            self._stop_pondering()

    def set_aside(self, search):
        """Forgets a search that has failed before its own time."""
        if search is self.pondering:
            self.pondering = None
        if search is self.search:
            self.search = None

    def go(self, limits, held=False, at_full_strength=False):
        """Begins a search under `limits`, keywords of `Engine.play`; `held`, it goes on until it is hit or
        stopped. Thought and Finished will be posted."""
        self.search = self._search(self.position, self._without_delay(limits), held, at_full_strength)

    def _without_delay(self, limits):
        """The limits less the time that the command has waited: the GUI's clock was running."""
        if not self.late:
            return limits
        limits = dict(limits)
        if limits.get("movetime") is not None:
            limits["movetime"] = max(0.0, limits["movetime"] - self.late)
        if limits.get("clock") is not None:
            left = max(LEAST_CLOCK, limits["clock"].remaining - self.late)
            limits["clock"] = limits["clock"]._replace(remaining=left)
        return limits

    def pause(self):
        """Ends all thinking, to go on with `resume`: what was learnt stays in the table. No clock runs."""
        search, pondering, spent = self.search, self.pondering is not None, self._spent
        if search is None and not pondering:
            return
        self.abandon()
        if search is None:
            self.interrupted = PONDERING
        elif search.held:
            self.interrupted = ANALYSIS
        else:
            elapsed = self._elapsed(search)
            self.clock -= elapsed
            self.interrupted, self._spent = MOVE, spent + elapsed

    def resume(self):
        """Thinks about the engine's move again, or ponders again, where `pause` has interrupted that; an
        analysis is for its owner to begin again."""
        interrupted, self.interrupted = self.interrupted, None
        if interrupted == MOVE:
            self.think(self._spent)
        elif interrupted == PONDERING:
            self.ponder()

    def _stop_pondering(self):
        pondered, self.pondering = self.pondering, None
        if pondered:
            pondered.stop()

    def _limits(self, position):
        """What `Engine.play` is told about the time for the move of `position`."""
        control = self.limits
        time_limit = self._node_limit(position) if control.node_rate else self._time_limit(position)
        return {**time_limit, "depth": control.depth}

    def _time_limit(self, position):
        seconds = self._seconds_per_move()
        if seconds is not None:
            return {"movetime": self.movetime(max(0.0, seconds - self._spent))}
        return {"clock": self._search_clock(position)}

    def _seconds_per_move(self):
        """How long every move may take; None where the clock is the engine's to share out. A fraction of a
        second that was rounded down to 0 stands on the clock."""
        if self.limits.per_move == 0:
            return min(max(self.clock, LEAST_CLOCK), 1.0)
        return self.limits.per_move

    def movetime(self, seconds):
        """How long to search when the move has to be there after so many seconds."""
        return max(seconds - self.overhead, seconds / 2)

    def _search_clock(self, position):
        from ...search.engine import Clock

        control = self.limits
        return Clock(max(self.clock, LEAST_CLOCK), control.increment, control.moves_to_go(position.ply))

    def _node_limit(self, position):
        """Where nodes are the time: all nodes of a move's time, or of its share of the clock.

        No second passes in it, so with one thread the same game is played every time. Several threads share
        the nodes; how they do is the system's choice.
        """
        seconds = self._seconds_per_move()
        if seconds is not None:
            seconds = max(0.0, seconds - self._spent)
        else:
            from ...search.clock import limits_for

            seconds = limits_for(self._search_clock(position), None).soft
        return {"nodes": self.limits.nodes(seconds)}

    def abandon(self):
        """Ends the searches under way, if any, and forgets them."""
        search, self.search, self.interrupted = self.search, None, None
        if search:
            search.stop()
        self._stop_pondering()

    def conclude(self):
        """Ends the search under way, and returns what to play, with what may follow, and the search.

        The line is empty where there was nothing to play. That of a search that failed is what it last
        reported, or any legal move, and its `error` tells why.
        """
        search, self.search = self.search, None
        search.stop()
        moves = search.limits.get("searchmoves") or search.position.legal_moves()
        line = search.line
        return line if line and line[0] in moves else tuple(moves[:1]), search

    def finish(self):
        """Ends the search under way, makes its move, and returns the move, or None, and the search."""
        line, search = self.conclude()
        if not line:
            return None, search
        self._punch_clock(self._elapsed(search))
        self._spent = 0.0
        self._judgement = search.last_info
        self.push(line[0])
        replies = self.position.legal_moves()
        self.expected = next((move for move in line[1:2] if move in replies), None)
        return line[0], search

    def _elapsed(self, search):
        """Seconds of the clock that a search has taken, which has ended."""
        if self.limits.node_rate:
            return search.nodes / self.limits.node_rate
        return time.monotonic() - search.started

    def _punch_clock(self, elapsed):
        control = self.limits
        self.clock += control.increment - elapsed
        if control.moves and control.moves_to_go(self.position.ply) == 1:
            self.clock += control.base

    def accepts_draw(self):
        """Whether the engine takes a draw now: when a deep search saw it no better than even."""
        info = (self.search and self.search.last_info) or self._judgement
        if self.engine_side is None or info is None or info.depth < DRAW_DEPTH:
            return False
        if info.score.mate is not None:
            return info.score.mate < 0
        return info.score.centipawns <= DRAW_SCORE


def _engine(variant, eval_file):
    """An engine with the smallest table, and why it does without the network that `eval_file` means; empty
    where it has it. Until it takes over, the engine in force keeps its table: there may be no memory for two.
    """
    from ...eval.network.file import NetworkError
    from ...search.engine import Engine

    try:
        return Engine(variant, hash_mb=LEAST_MB, eval_file=eval_file), ""
    except NetworkError as error:
        complaint = f"{error}; the hand-written evaluation is used"
        return Engine(variant, hash_mb=LEAST_MB, eval_file=False), complaint
