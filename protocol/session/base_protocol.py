"""The common part of the dialects: the order of events, lines that wait for running work, and failures.

Lines are carried out in the order in which they come, including `quit` and the end of input, so a script that
pipes commands gets all the answers. A line waits for the compiler, or for work that ends by itself.

A dialect is a thin layer: it reads commands, calls the session, and writes the results. Importing one imports
no compiled code, so that a GUI's first question is answered at once."""

import math
import threading
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable
from typing import TYPE_CHECKING, NamedTuple

from ...engine.variant import Variant
from ..wire.stdio import DebugLog, EndOfInput, InputLine, LongLine, aside
from .backlog import Backlog, Waiting
from .loading import Compiling, Completed, Loaded, LoadFailed
from .search_thread import Finished, InfoReported, RootMoveStarted, SearchThread
from .session import Session
from .task import Ended, Task, Told

if TYPE_CHECKING:
    from ...search.engine import Current, Info

PATIENCE = 10.0  # seconds; Cute Chess gives up an engine that does not answer a ping within 15


class Overdue(NamedTuple):
    """A line that asks for a sign of life has waited for PATIENCE seconds."""

    line: Waiting


class EndlessSearch(NamedTuple):
    """A search that only a mate ends is still running PATIENCE seconds after the end of input."""

    search: SearchThread


class ThreadFailed(NamedTuple):
    """A thread has ended with an uncaught exception; the others continue."""

    error: BaseException


class Dialect(ABC):
    """A conversation in one protocol. `write_line` takes a line of output, `post` takes events of threads,
    which return to `handle`; `log` is the `DebugLog` that the GUI may open. Commands may begin a `Task`, one
    at a time; lines wait for its end."""

    at_once: Collection[str] = frozenset()  # commands that do not wait, not even for lines before them
    asks_for_life: str | None = None  # the command after which a GUI gives up an engine that does not answer
    ends_work: str | None = None  # the command that ends the current work, and the work of lines before it
    begins_work: Collection[str] = frozenset()  # commands that begin what `quit` waits for
    needs_search: Collection[str] = frozenset()  # commands that wait until the search is compiled
    idle: Collection[str] = frozenset()  # commands for which `quit` does not let a game be compiled

    def __init__(
        self, write_line: Callable[[str], None], post: Callable[[object], None], log: DebugLog | None = None
    ) -> None:
        self._write = write_line
        self._log = log or DebugLog()
        self._confessed: set[str] = set()  # errors already written to standard error
        self._post = post
        self._session = Session(post)
        self._backlog = Backlog()
        self._loaded_at = -math.inf  # when the last game was loaded, until a line has begun some work
        self._input_ended = False
        self._task: Task | None = None  # the current task
        self._hopeful: SearchThread | None = None  # the last one whose EndlessSearch was ordered
        self._announced: str | None = None  # the game that was announced as being compiled
        self._excused: str | None = None  # the game whose first move was announced to pay for compiling
        self._provisional: str | None = None  # the game of which a move without a search was told
        self.ended = False
        self.exit_code = 0

    def handle(self, event: object) -> None:
        """Handles an event of the reader or of the session. All errors are reported."""
        try:
            self._take(event)
        except Exception as error:
            self._confess(error)
        try:
            self._work_off()
        except Exception as error:
            self._confess(error)
            self.ended = self.ended or self._input_ended  # no event may come any more
        self._session.native_code.update(self._session.ready and not self._session.lacks_search)

    def _take(self, event: object) -> None:
        match event:
            case InputLine(text):
                self._take_line(text)
            case LongLine(text):
                self._refuse("line too long", text)
            case EndOfInput():
                self._input_ended = True
            case ThreadFailed(error):
                self._confess(error)
            case Overdue(line):
                self._answer_overdue(line)
            case EndlessSearch(search) if search is self._session.search:
                self._end_work()
            case Compiling(variant, done, total) if self._is_compiling():
                self._tell_compiling(variant, done, total)
            case Loaded() if not self._session.loader.awaits(event):
                event.engine.close()
            case LoadFailed() if not self._session.loader.awaits(event):
                pass
            case Loaded():
                self._loaded(event)
            case Completed() if self._session.loader.awaits(event):
                self._session.lacks_search = False
            case LoadFailed():
                self._load_failed(event)
            case InfoReported(search, info) if self._session.search_control.minds(search):
                self._think_aloud(search, info)
            case RootMoveStarted(search, current) if self._session.search_control.minds(search):
                self._tell_current(current)
            case Finished(search) if self._session.search_control.minds(search):
                self._finished(search)
            case Told(task, lines, nodes) if task is self._task:  # else it was stopped, and summed up then
                task.nodes += nodes
                self._write_all(lines)
            case Ended(task, error) if task is self._task:
                if error:
                    self._confess(error)
                self._end_task()

    # Lines in their order

    def _take_line(self, text: str) -> None:
        command = self._command(text)
        if not command or (self._backlog.has("quit") and command != self.ends_work):
            return  # nothing after `quit` is heard
        if command in self.at_once or not (self._backlog or self._has_to_wait(command)):
            self._execute(text)
        else:
            self._let_wait(text)

    def _let_wait(self, text: str, first: bool = False) -> None:
        """Queues a line, at the end or as the `first`."""
        line = Waiting(text, self._command(text), time.monotonic())
        self._backlog.add(line, first)
        if self._is_compiling() and line.command == self.asks_for_life:
            self._post_later(Overdue(line))

    def _post_later(self, event: object) -> None:
        timer = threading.Timer(PATIENCE, self._post, [event])
        timer.daemon = True
        timer.start()

    def _work_off(self) -> None:
        """Carries out the lines that no longer have to wait, and ends the conversation if nothing is left to
        do."""
        while self._backlog and not self.ended:
            if not self._has_to_wait(self._backlog.first.command):
                self._execute_next()
            elif self._is_cut_short():
                self._end_work()
            else:
                break
        if self.ended or not (self._input_ended or self._backlog.has("quit")):
            return
        search = self._session.search
        if self._is_done():
            for line in self._backlog:  # no line waits for the compiler any more
                if line.command == self.asks_for_life:
                    self._show_life(line.text)
            self.farewell()
        elif search and not search.is_bounded and search is not self._hopeful:
            self._hopeful = search
            self._post_later(EndlessSearch(search))

    def _execute_next(self) -> None:
        line = self._backlog.pop()
        self._session.clock.late = max(0.0, self._loaded_at - line.since)
        try:
            self._execute(line.text)
        finally:
            self._session.clock.late = 0.0
        if self._is_at_work():  # no clock runs for the lines behind this one
            self._loaded_at, self._session.clock.is_awaited = -math.inf, False

    def _is_cut_short(self) -> bool:
        """Whether a waiting line interrupts the current work. `quit` ends a search unless a line before it
        begins another one; it lets a count finish."""
        if self._session.loading or self._waits_for_search(self._backlog.first.command):
            return False
        if self._backlog.has(self.ends_work):
            return True
        searching = self._session.search is not None
        return searching and self._backlog.has("quit") and not self._backlog.has(*self.begins_work)

    def _is_compiling(self) -> bool:
        """Whether a game is being loaded, or the search of the current game is still being compiled."""
        return self._session.loading is not None or self._session.lacks_search

    def _waits_for_search(self, command: str) -> bool:
        """Whether a command waits until the search is compiled. A question for a sign of life does, if
        nothing else is to be done, because the GUI may start its clocks after the answer."""
        session = self._session
        if session.loading or not session.lacks_search:
            return False
        if command != self.asks_for_life:
            return command in self.needs_search
        return self._backlog.has_only({command}) and session.search is None and not self._input_ended

    def _is_at_work(self) -> bool:
        """Whether work is in progress that ends by itself."""
        search = self._session.search
        return self._task is not None or (search is not None and not search.is_endless)

    def _is_done(self) -> bool:
        """Whether nothing is left to do after the end of input."""
        if self._session.loading:
            return self._backlog.has_only({*self.idle, "quit"})
        return self._input_ended and not self._backlog and not self._is_at_work()

    def _end_task(self) -> None:
        """Ends the current task, if any, and writes its summary."""
        task, self._task = self._task, None
        if task:
            task.stop()
            self._write_all(task.summary())

    def _write_all(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._write(line)

    def farewell(self) -> None:
        """Ends the conversation; a search ends with its answer."""
        self._session.native_code.use(False)
        self._end_work()
        self.ended = True

    def _answer_overdue(self, line: Waiting) -> None:
        """Answers a question for a sign of life that still waits, before the GUI gives up the engine.

        Timers that end together may post in any order. XBoard uses the last `pong`, so questions are answered
        in the order in which they came."""
        due = self._backlog.take_up_to(line, self.asks_for_life)
        if not due:
            return
        self._session.clock.is_awaited = bool(self._session.loading)
        if self._session.loading and self._excused != self._session.loading:
            self._excused = self._session.loading
            self.remark(
                f"{self._session.loading} is still being compiled, once for this machine; "
                "the rest of that time is taken from the clock of the first move"
            )
        for each in due:
            self._show_life(each.text)

    def _tell_compiling(self, variant: Variant, done: int, total: int) -> None:
        if self._announced != variant:
            self._announced = variant
            self.announce(f"compiling {variant}, once for this machine: it takes some seconds")
        else:
            self.remark(f"compiling {variant}: {100 * done // total} %")

    def _loaded(self, event: Loaded) -> None:
        complaints = self._session.loaded(event)
        self._loaded_at = time.monotonic()
        self._play_by(event.variant)
        if event.evaluation:
            self.remark(f"evaluation by the network {event.evaluation}")
        for text in complaints:
            self.warn(f"{text[0].upper()}{text[1:]}")

    def _load_failed(self, event: LoadFailed) -> None:
        """Keeps the previous game, or ends if there is none."""
        self._session.loader.end()
        self._session.lacks_search = False
        self._loaded_at = time.monotonic()
        self._tell_failed_load(event)
        if self._session.ready and self._session.variant is not None:
            self._play_by(self._session.variant)
        else:
            self.ended, self.exit_code = True, 1

    def _tell_provisional(self, search: SearchThread) -> None:
        """Reports once per game that a move was made without a search."""
        if search.result and search.result.is_provisional and self._provisional != self._session.variant:
            self._provisional = self._session.variant
            self.remark(
                f"the search of {self._session.variant} is still being compiled: "
                "until then moves come from a search of one ply"
            )

    def _confess(self, error: BaseException) -> None:
        """Reports an error of this program: its traceback goes to the GUI's log, to the program's log, and to
        standard error. Standard error gets it only once, because an unread pipe must not fill up and block
        the engine."""
        text = "".join(traceback.format_exception(error))
        self._tell_bug(text.splitlines())
        if text not in self._confessed:
            self._confessed.add(text)
            aside(text.rstrip())

    @abstractmethod
    def _command(self, text: str) -> str:
        """The command in a line; empty for an empty line."""

    @abstractmethod
    def _execute(self, text: str) -> None:
        """Carries out a line, or queues it until its game is loaded."""

    @abstractmethod
    def _has_to_wait(self, command: str) -> bool:
        """Whether a command has to wait for a game, or for the end of the current work."""

    @abstractmethod
    def _end_work(self) -> None:
        """Ends the current search or task, if any, with its answer."""

    @abstractmethod
    def _refuse(self, reason: str, text: str) -> None:
        """Reports why a line is refused."""

    @abstractmethod
    def warn(self, text: str) -> None:
        """Warns the user about a problem that does not stop play."""

    @abstractmethod
    def remark(self, text: str) -> None:
        """Writes a remark for readers of the conversation."""

    def announce(self, text: str) -> None:
        """Writes a remark that the waiting user should see."""
        self.remark(text)

    @abstractmethod
    def _show_life(self, text: str) -> None:
        """Answers the line `text`, which asks for a sign of life."""

    @abstractmethod
    def _play_by(self, variant: Variant) -> None:
        """From now on, reads and writes by the rules of that game."""

    @abstractmethod
    def _tell_failed_load(self, event: LoadFailed) -> None:
        """Reports that a game cannot be played."""

    @abstractmethod
    def _tell_bug(self, lines: Iterable[str]) -> None:
        """Reports an error of this program."""

    @abstractmethod
    def _think_aloud(self, search: SearchThread, info: "Info") -> None:
        """Writes a report of a search."""

    @abstractmethod
    def _tell_current(self, current: "Current") -> None:
        """Writes the current root move of a long search."""

    @abstractmethod
    def _finished(self, search: SearchThread) -> None:
        """Handles the end of a search."""
