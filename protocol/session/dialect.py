"""What the dialects share: events in their order, lines that wait for the compiler, and failures.

A dialect is a thin layer: it reads commands, tells the session, and writes what comes of it. Importing one
imports no compiled code, so that a GUI's first question is answered at once.
"""

import threading
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Collection
from typing import NamedTuple

from ..wire.debug_log import DebugLog
from ..wire.stdio import EndOfInput, InputLine, LongLine, aside
from .loading import Compiling, Loaded, LoadFailed
from .session import Session
from .thinking import Finished, LooksAt, Thought

PATIENCE = 10.0  # seconds; Cute Chess gives an engine up that leaves a ping unanswered for 15


class Waiting(NamedTuple):
    """A line that waits for a game to be loaded, `since` that moment of `time.monotonic`."""

    text: str
    since: float


class Overdue(NamedTuple):
    """A line that asks whether the engine lives has waited for PATIENCE seconds."""

    line: Waiting


class ThreadFailed(NamedTuple):
    """A thread has ended with an exception that nobody has caught; the others go on."""

    error: BaseException


class Dialect(ABC):
    """A conversation in one protocol. `write_line` takes a line of output, `post` takes events of threads,
    which come back in `handle`; `log` is the `DebugLog` that the GUI may open."""

    at_once: Collection[str] = frozenset()  # commands that wait for nothing
    asks_for_life: str | None = None  # the command that a GUI gives an engine up for, when no answer comes

    def __init__(self, write_line, post, log=None) -> None:
        self._write = write_line
        self._log = log or DebugLog()
        self._confessed: set[str] = set()  # errors that standard error knows of
        self._post = post
        self._session = Session(post)
        self._backlog: list[Waiting] = []  # lines that wait for a game to be loaded, as Waiting
        self._announced = None  # the game of which was told that it is compiled
        self._excused = None  # the game of which was told that its first move pays for compiling
        self.ended = False
        self.exit_code = 0

    def handle(self, event) -> None:
        """Takes an event of the reader or of the session. Whatever goes wrong is reported."""
        try:
            match event:
                case InputLine(text):
                    self._take_line(text)
                case LongLine(text):
                    self._refuse("line too long", text)
                case EndOfInput():
                    self.ended = True
                case ThreadFailed(error):
                    self._confess(error)
                case Overdue(line):
                    self._answer_overdue(line)
                case Compiling(variant, done, total) if self._session.loading:
                    self._tell_compiling(variant, done, total)
                case Loaded() if not self._session.loader.awaits(event):
                    event.engine.close()
                case LoadFailed() if not self._session.loader.awaits(event):
                    pass
                case Loaded():
                    complaints = self._session.loaded(event)
                    self._play_by(event.variant)
                    if event.evaluation:
                        self.remark(f"evaluation by the network {event.evaluation}")
                    for text in complaints:
                        self.warn(f"{text[0].upper()}{text[1:]}")
                    self._work_off()
                case LoadFailed():
                    self._load_failed(event)
                case Thought(search, info) if self._session.thinker.minds(search):
                    self._think_aloud(search, info)
                case LooksAt(search, current) if self._session.thinker.minds(search):
                    self._tell_current(current)
                case Finished(search) if self._session.thinker.minds(search):
                    self._finished(search)
        except Exception as error:
            self._confess(error)

    def _take_line(self, text):
        command = self._command(text)
        if command not in self.at_once and self._has_to_wait(command):
            self._let_wait(text)
        elif command:
            self._execute(text)

    def _has_to_wait(self, command):
        """Whether lines before this one, or a game, have to be waited for."""
        return bool(self._backlog) or self._session.loading

    def _let_wait(self, text, first=False):
        """Keeps a line until the game is loaded, behind the others or as the `first` of them."""
        line = Waiting(text, time.monotonic())
        self._backlog.insert(0 if first else len(self._backlog), line)
        if self._command(text) == self.asks_for_life:
            timer = threading.Timer(PATIENCE, self._post, [Overdue(line)])
            timer.daemon = True
            timer.start()

    def _answer_overdue(self, line):
        """Answers a question for a sign of life that waits still, before the GUI gives the engine up.

        Timers that end together post in any order. XBoard goes by the last `pong` that it gets, so questions
        are answered in the order in which they came.
        """
        if not any(each is line for each in self._backlog):
            return
        end = next(number for number, each in enumerate(self._backlog) if each is line) + 1
        due = [each for each in self._backlog[:end] if self._command(each.text) == self.asks_for_life]
        self._backlog = [each for each in self._backlog if not any(each is one for one in due)]
        if self._excused != self._session.loading:
            self._excused = self._session.loading
            self.remark(
                f"{self._session.loading} is still being compiled, once for this machine; "
                "what is left of that goes from the clock of the first move"
            )
        for each in due:
            self._show_life(each.text)

    def _tell_compiling(self, variant, done, total):
        if self._announced != variant:
            self._announced = variant
            self.announce(f"compiling {variant}, once for this machine: it takes some seconds")
        else:
            self.remark(f"compiling {variant}: {100 * done // total} %")

    def _load_failed(self, event):
        """Keeps the game before, or ends where there is none."""
        self._session.loader.end()
        self._tell_failed_load(event)
        if self._session.ready and self._session.variant is not None:
            self._play_by(self._session.variant)
        else:
            self.ended, self.exit_code = True, 1
        self._work_off()

    def _work_off(self):
        """Does what waited, until the next game has to be loaded."""
        while self._backlog and self._session.ready:
            line = self._backlog.pop(0)
            self._session.clock.late = time.monotonic() - line.since
            try:
                self._execute(line.text)
            finally:
                self._session.clock.late = 0.0

    def _confess(self, error):
        """An error of this program: where it came from goes to the GUI's log, to that of this program, which
        has all that is written, and to standard error.

        There it is told once: whoever does not read it must not block the engine.
        """
        text = "".join(traceback.format_exception(error))
        self._tell_bug(text.splitlines())
        if text not in self._confessed:
            self._confessed.add(text)
            aside(text.rstrip())

    @abstractmethod
    def _command(self, text):
        """The command in a line; empty in a line that says nothing."""

    @abstractmethod
    def _execute(self, text):
        """Carries out a line, or has it wait in the backlog for its game."""

    @abstractmethod
    def _refuse(self, reason, text):
        """Tells why a line is not carried out."""

    @abstractmethod
    def warn(self, text: str):
        """Tells the user of something that does not stop play."""

    @abstractmethod
    def remark(self, text: str):
        """Tells something that whoever looks at the conversation may want to know."""

    def announce(self, text: str) -> None:
        """Tells something that the user should see, who waits for it."""
        self.remark(text)

    @abstractmethod
    def _show_life(self, text):
        """Answers the line `text`, which asks whether the engine lives."""

    @abstractmethod
    def _play_by(self, variant):
        """Reads and writes by the rules of that game from now on."""

    @abstractmethod
    def _tell_failed_load(self, event):
        """Tells that a game cannot be played."""

    @abstractmethod
    def _tell_bug(self, lines):
        """Tells of an error of this program."""

    @abstractmethod
    def _think_aloud(self, search, info):
        """Tells a report of a search."""

    @abstractmethod
    def _tell_current(self, current):
        """Tells which first move a long search is at."""

    @abstractmethod
    def _finished(self, search):
        """Does what follows from the end of a search."""
