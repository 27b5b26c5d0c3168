"""A conversation in one process that takes any bytes, and checks after each line: nothing fails, a refused
line changes nothing, and the output fits the game.

The words come from `utterances` or from tests; `surfaces` checks single texts. The engine thinks until it is
released, so that the results do not depend on time."""

import errno
import itertools
import queue
import random
import time
from contextlib import ExitStack, contextmanager
from functools import cache
from unittest.mock import patch

from surajang import Info, PlayResult, Position, Score
from surajang.engine.definition import catalogue
from surajang.engine.variant import CHESS, Variant
from surajang.protocol.cecp.protocol import Cecp
from surajang.protocol.session.loading import Loaded, Loader, LoadFailed
from surajang.protocol.wire.stdio import DebugLog, EndOfInput, InputLine, LineReader, LongLine, excerpt
from surajang.search.engine import Current
from surajang.tests.support.engines import Indifferent

REFUSALS = ("Error (", "Illegal move (", "tellusererror ")  # of CECP
SCORES = (0, 0, 5, 120, -950, 3000)  # centipawns
MATES = (None, None, None, 3, -2)
BROKEN = "the search was told to fail"
THREADED = ("session.loading", "session.search_thread", "session.task")
FAILURES = 0.02  # of searches, where they may fail
PATIENCE = 10  # seconds for what should take milliseconds


class Muser(Indifferent):
    """An engine without threads or time: it reports random lines, and always has an answer. It fails now and
    then."""

    def __init__(self, seed, failures):
        self._failures = failures
        self._random = random.Random(seed)
        self.told = set()  # searches that have made their reports

    def begin(self, search):
        """Makes the reports of a search that has begun; fails at once, or waits until it is stopped."""
        self.told.add(search)
        lines = search.request.multipv
        for depth, number in itertools.product((1, 12), range(1, lines + 1)):
            if line := self._line(search.position, search.request.searchmoves):
                score = Score(self._random.choice(SCORES), self._random.choice(MATES))
                info = Info(depth, depth, score, 100 * depth, 0.1, 1000, 5, line, number)
                search._report(info._replace(bound=self._random.choice(("", "", "lower", "upper"))))
                search._report(info)
                search._look(Current(depth, line[0], number, 20))
        if self._random.random() < self._failures:
            self.play = self._fail
            search._thread.join()
            del self.play

    def _line(self, position, chosen):
        """A move, among those that are chosen, and a reply, as far as there are any."""
        board = position.copy()
        moves = sorted(chosen or board.legal_moves(), key=str)
        line = [board.push(self._random.choice(moves))] if moves else []
        replies = sorted(board.legal_moves(), key=str) if line else []
        return (*line, *([self._random.choice(replies)] if replies else []))

    def _fail(self, position, limit, **options):
        raise ValueError(BROKEN)

    def play(self, position, limit, *, searchmoves=None, **options):
        line = self._line(position, searchmoves)
        return PlayResult(line[0] if line else None, Score(0), 1, 1000, line, 0.0)


class _Inline:
    """Replaces a thread: its work is done at once, or, in a search, when a caller waits for it."""

    def __init__(self, target, name, daemon, args=()):
        self._work, self._waits = lambda: target(*args), name == "search"

    def start(self):
        if not self._waits:
            self.join()

    def join(self):
        work, self._work = self._work, lambda: None
        work()

    def is_alive(self):
        return False


class _ThreadsInline:
    Thread = _Inline


class _NoFile(DebugLog):
    """A log that writes to no disk, but refuses invalid files."""

    def open(self, path):
        if "\0" in path:
            raise ValueError("embedded null byte")
        if len(path) > 255:
            raise OSError(errno.ENAMETOOLONG, "File name too long")


class _Heard(Exception):  # noqa: N818 - not an error
    """The end of what a `_Ear` hears."""


class _Ear(LineReader):
    """The engine's reader, on data instead of a pipe."""

    def __init__(self, post, chunks):
        super().__init__(post, DebugLog())
        self._chunks = iter(chunks)

    def _read(self):
        return next(self._chunks, b"")


def heard(*chunks):
    """The events of lines that arrive in these pieces, without the end of input."""
    events = []

    def post(event):
        if isinstance(event, EndOfInput):
            raise _Heard  # before the reader would end this process
        events.append(event)

    try:
        _Ear(post, filter(None, chunks)).run()
    except _Heard:
        return events


class Conversation:
    """A dialect that receives bytes. Every line is checked when it is carried out. `said` has the lines
    received, `slowest` the time and line of the slowest event."""

    def __init__(self, dialect, seed, failures, patience):
        self._failures, self._patience = failures, patience
        self._events = queue.SimpleQueue()
        self._lines = []
        self._engine = None
        self._loads = []  # games that wait to be loaded
        self._seed = seed
        self._begun = time.thread_time()
        self.said, self.slowest = [], (0.0, "")
        self.confessed = []  # what standard error was told of errors of the program
        self._faults = []
        self.talk = dialect(self._lines.append, self._events.put, _NoFile())
        self.session = self.talk._session
        self._carry_out, self.talk._execute = self.talk._execute, self._watched

    # What goes in

    def hear(self, *chunks):
        """The output while the lines in these pieces of data are carried out."""
        return self.take(*heard(*chunks))

    def say(self, *lines):
        """The same for lines that are text."""
        return self.take(*map(InputLine, lines))

    def take(self, *events):
        self._lines.clear()
        for event in events:
            if self.talk.ended:
                break
            self.said.append(event.text)
            self._handle(event)
            self._settle()
        return self._written()

    def load(self, loader, variant, fen, eval_file, number):
        """Replaces the thread that loads a game."""
        self._loads.append((variant, fen))

    def finish_loading(self, fails=False):
        """Lets the waiting game be loaded, if there is one, or fail; returns the output."""
        self._lines.clear()
        while self.session.loading and not self.talk.ended:
            self._loaded(fails)
            fails = False
        self._settle()
        return self._written()

    def _loaded(self, fails):
        variant, fen = self._loads.pop()
        self._loads.clear()
        self.said.append(f"({variant} {'fails to load' if fails else 'is loaded'})")
        if fails:
            self._handle(LoadFailed(Variant(variant), MemoryError("no memory")))
            return
        position = fen if isinstance(fen, Position) else _start(variant, fen)
        self._begun = time.thread_time()
        self._engine = Muser(self._seed, self._failures)
        self._handle(Loaded(Variant(variant), self._engine, position.copy()))

    def release(self):
        """Lets the current search end by itself, if there is one; returns the output."""
        self._lines.clear()
        self.said.append("(the search ends)")
        search = self.session.search
        if search is not None and not search.held:
            search._thread.join()
        self._settle()
        return self._written()

    def close(self):
        """Ends the current work."""
        self.session.abandon()

    # What must hold

    def _handle(self, event):
        begin = time.monotonic()
        self.talk.handle(event)
        if time.monotonic() - begin > self.slowest[0]:
            self.slowest = time.monotonic() - begin, f"{event!r:.300}"
        if isinstance(event, LongLine):
            assert self._is_refused(event.text), self._lines

    def _settle(self):
        """Lets searches that have begun make their reports, and takes what waits."""
        for search in (self.session.search, self.session.search_control.pondering):
            if search and search not in self._engine.told:
                self._engine.begin(search)
        while not self._events.empty():
            self._handle(self._events.get())

    def _watched(self, text):
        """Carries out a line, and checks that nothing has changed if it was refused."""
        unnamed = isinstance(self.talk, Cecp) and self.talk.start.wanted is None
        before, count = self.facts(), len(self._lines)
        self._carry_out(text)
        if self._is_refused(text, count) and self.facts() != before:
            position = self.session.position
            if not (unnamed and position and (position.variant, position.moves) == (CHESS, [])):
                # An assertion would look like an error of the dialect's.
                self._faults.append(f"{text!r:.300} was refused, and yet changed {before} to {self.facts()}")

    def _is_refused(self, text, since=0):
        ends = f": {excerpt(text)}"
        return any(line.startswith(REFUSALS) or line.endswith(ends) for line in self._lines[since:])

    def facts(self):
        """All facts that a refused line must not change."""
        session, position = self.session, self.session.position
        game, clock, search_control = session.game, session.clock, session.search_control
        analysing = isinstance(self.talk, Cecp) and self.talk.analysis.active
        return (
            position
            and (position.variant, position._states[0].tobytes(), position.state.tobytes(), position.moves),
            (session.variant, session.loading, game.engine_side, game.over, game.excluded),
            (vars(clock.control).copy(), clock.remaining, clock.overhead),
            (
                search_control.interrupted,
                search_control.may_ponder,
                search_control.multipv,
                search_control.limit_strength,
                search_control.elo,
                search_control.skill,
            ),
            None if analysing else id(session.search),  # any line has an analysis begin that is due
        )

    def _written(self):
        """The output, which reports no failures except those of searches that must fail."""
        faults = [*self._faults, *(text for text in self.confessed if BROKEN not in text)]
        assert not faults, "\n".join(faults)
        assert self.talk.exit_code == 0 or self.talk.ended
        return list(self._lines)

    def check_game(self):
        """The game is what its moves make of its start."""
        position = self.session.position
        if position is None or not position.moves:
            return
        again = Position(position.variant, position.start_fen)
        for move in position.moves:
            again.push(move)
        assert again.state.tobytes() == position.state.tobytes()
        assert position.key == position.fresh_key()

    def check_alive(self):
        """Whatever came before, the next question is answered, and `quit` works. The conversation has taken
        no more processor time than a user should wait for a line."""
        assert time.thread_time() - self._begun < self._patience, self.slowest
        if self.talk.ended:
            return
        for _ in range(
            3 + len(self.talk._backlog)
        ):  # a search, the reply to what the GUI expects, what waited
            self.finish_loading()
            self.release()
        question, answer = ("ping 77", "pong 77") if isinstance(self.talk, Cecp) else ("isready", "readyok")
        heard = [*self.say(question), *self.finish_loading(), *self.release()]
        assert self.talk.ended or answer in heard, self.said[-30:]
        self.say("quit")
        assert self.talk.ended

    def check_end_of_input(self):
        """All lines are carried out after the end of input as well, and then the conversation ends."""
        if self.talk.ended:
            return
        self._handle(EndOfInput())
        self._settle()
        for _ in range(5 + 2 * len(self.talk._backlog)):
            if not self.talk.ended:
                self.finish_loading()
                self.release()
        assert self.talk.ended, self.said[-30:]
        assert all(self._may_be_dropped(line.text) for line in self.talk._backlog), self.said[-30:]

    def _may_be_dropped(self, text):
        """Whether a line needs no answer at the end, because it came after `quit`, or because nobody waits
        for the compiler."""
        program = isinstance(self.talk, Cecp) and self.talk.gui.is_program
        quits = any(self.talk._command(line) == "quit" for line in self.said)
        return program or quits or self.talk.exit_code or self.talk._command(text) in self.talk.idle


@cache
def _shipped():
    """The games that come with the engine; looking for them takes longer than most lines."""
    return {path.stem: path for folder in catalogue.SHIPPED for path in sorted(folder.glob("*.toml"))}


@cache
def _start(variant, fen):
    """The start of a game, with all code for its positions compiled, as after loading."""
    position = Position(variant, fen)
    after = position.copy()
    after.push(position.legal_moves()[0])
    after.result()
    return position


@contextmanager
def conversation(dialect, seed=0, failures=0.0, patience=PATIENCE):
    """A `Conversation` whose games are loaded without a compiler, and that counts no trees."""
    talk = Conversation(dialect, seed, failures, patience)

    def load(loader, *arguments):
        talk.load(loader, *arguments)

    stand_ins = {
        **{f"surajang.protocol.{module}.threading": _ThreadsInline for module in THREADED},
        "surajang.engine.movegen.perft.compile_perft": lambda rules, progress: None,
        "surajang.engine.movegen.perft.LegalMoveTree.divide": lambda tree: iter(()),
        "surajang.protocol.uci.protocol.eval_lines": lambda engine, position: [position.fen()],
        "surajang.protocol.cecp.console.eval_lines": lambda engine, position: [position.fen()],
        "surajang.engine.definition.catalogue._found": lambda: _shipped() | catalogue._registered,
        "surajang.protocol.session.base_protocol.aside": talk.confessed.append,
    }
    with patch.object(Loader, "_load", load), ExitStack() as stack:
        for name, stand_in in stand_ins.items():
            stack.enter_context(patch(name, stand_in))
        try:
            yield talk
        finally:
            talk.close()
