"""What the dialects share: events in their order, lines that wait for the compiler, and failures.

A dialect is a thin layer: it reads commands, tells the session, and writes what comes of it. Importing one
imports no compiled code, so that a GUI's first question is answered at once.
"""

import threading
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, NamedTuple

from ..wire.debug_log import DebugLog
from ..wire.stdio import EndOfInput, InputLine, LongLine, aside
from .loading import Compiling, Loaded, LoadFailed
from .search_thread import Finished, LooksAt, SearchThread, Thought
from .session import Session

if TYPE_CHECKING:
    from ...search.engine import Current, Info

PATIENCE = 10.0  # seconds; Cute Chess gives an engine up that leaves a ping unanswered for 15


class Waiting(NamedTuple):
    """A line that waits for a game to be loaded, `since` a moment of `time.monotonic`."""

    text: str
    since: float


class Overdue(NamedTuple):
    """A line that asks whether the engine lives has waited for PATIENCE seconds."""

    line: Waiting


class ThreadFailed(NamedTuple):
    """A thread has ended with an uncaught exception; the others go on."""

    error: BaseException


class Dialect(ABC):
    """A conversation in one protocol. `write_line` takes a line of output, `post` takes events of threads,
    which come back in `handle`; `log` is the `DebugLog` that the GUI may open."""

    at_once: Collection[str] = frozenset()  # commands that wait for nothing
    asks_for_life: str | None = None  # the command after which a GUI gives up an engine that does not answer

    def __init__(
        self, write_line: Callable[[str], None], post: Callable[[object], None], log: DebugLog | None = None
    ) -> None:
        self._write = write_line
        self._log = log or DebugLog()
        self._confessed: set[str] = set()  # errors that standard error knows of
        self._post = post
        self._session = Session(post)
        self._backlog: list[Waiting] = []  # lines that wait for a game to be loaded, as Waiting
        self._announced: str | None = None  # the game that was announced as being compiled
        self._excused: str | None = None  # the game whose first move was announced to pay for compiling
        self.ended = False
        self.exit_code = 0

    def handle(self, event: object) -> None:
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

    def _take_line(self, text: str) -> None:
        command = self._command(text)
        if command not in self.at_once and self._has_to_wait(command):
            self._let_wait(text)
        elif command:
            self._execute(text)

    def _has_to_wait(self, command: str) -> bool:
        """Whether lines before this one, or a game, have to be waited for."""
        return bool(self._backlog or self._session.loading)

    def _let_wait(self, text: str, first: bool = False) -> None:
        """Keeps a line until the game is loaded, behind the others or as the `first` of them."""
        line = Waiting(text, time.monotonic())
        self._backlog.insert(0 if first else len(self._backlog), line)
        if self._command(text) == self.asks_for_life:
            timer = threading.Timer(PATIENCE, self._post, [Overdue(line)])
            timer.daemon = True
            timer.start()

    def _answer_overdue(self, line: Waiting) -> None:
        """Answers a question for a sign of life that still waits, before the GUI gives the engine up.

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

    def _tell_compiling(self, variant: str, done: int, total: int) -> None:
        if self._announced != variant:
            self._announced = variant
            self.announce(f"compiling {variant}, once for this machine: it takes some seconds")
        else:
            self.remark(f"compiling {variant}: {100 * done // total} %")

    def _load_failed(self, event: LoadFailed) -> None:
        """Keeps the game before, or ends where there is none."""
        self._session.loader.end()
        self._tell_failed_load(event)
        if self._session.ready and self._session.variant is not None:
            self._play_by(self._session.variant)
        else:
            self.ended, self.exit_code = True, 1
        self._work_off()

    def _work_off(self) -> None:
        """Does what waited, until the next game has to be loaded."""
        while self._backlog and self._session.ready:
            line = self._backlog.pop(0)
            self._session.clock.late = time.monotonic() - line.since
            try:
                self._execute(line.text)
            finally:
                self._session.clock.late = 0.0

    def _confess(self, error: BaseException) -> None:
        """An error of this program: where it came from goes to the GUI's log, to that of this program, which
        has all that is written, and to standard error.

        Standard error gets it once: where nobody reads that, it must not fill up and block the engine.
        """
        text = "".join(traceback.format_exception(error))
        self._tell_bug(text.splitlines())
        if text not in self._confessed:
            self._confessed.add(text)
            aside(text.rstrip())

    @abstractmethod
    def _command(self, text: str) -> str:
        """The command in a line; empty in a line that says nothing."""

    @abstractmethod
    def _execute(self, text: str) -> None:
        """Carries out a line, or has it wait in the backlog for its game."""

    @abstractmethod
    def _refuse(self, reason: str, text: str) -> None:
        """Tells why a line is not carried out."""

    @abstractmethod
    def warn(self, text: str) -> None:
        """Tells the user of something that does not stop play."""

    @abstractmethod
    def remark(self, text: str) -> None:
        """Tells something that readers of the conversation may want to know."""

    def announce(self, text: str) -> None:
        """Tells something that the user, who is waiting, should see."""
        self.remark(text)

    @abstractmethod
    def _show_life(self, text: str) -> None:
        """Answers the line `text`, which asks whether the engine lives."""

    @abstractmethod
    def _play_by(self, variant: str) -> None:
        """Reads and writes by the rules of that game from now on."""

    @abstractmethod
    def _tell_failed_load(self, event: LoadFailed) -> None:
        """Tells that a game cannot be played."""

    @abstractmethod
    def _tell_bug(self, lines: Iterable[str]) -> None:
        """Tells of an error of this program."""

    @abstractmethod
    def _think_aloud(self, search: SearchThread, info: "Info") -> None:
        """Tells a report of a search."""

    @abstractmethod
    def _tell_current(self, current: "Current") -> None:
        """Tells which first move a long search is at."""

    @abstractmethod
    def _finished(self, search: SearchThread) -> None:
        """Does what follows from the end of a search."""
