"""Compiling with several processes: each compiles parts of one call graph and stores them on disk.

The process that needs the code makes a plan of parts and distributes them, dependencies first. It compiles
parts itself as well, and links them at the end. If a helper dies, or sends no output for too long, only its
part is compiled again."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, NamedTuple

from .fingerprint import reached

PROCESSES = "SURAJANG_COMPILERS"  # the variable that says how many processes compile
MOST_PROCESSES = 4
READY, ALIVE, COMPILED, DONE = "ready", "alive", "compiled", "done"  # what a helper says
SIGN_SECONDS = 0.5  # between signs of life of a helper
HELPER_PATIENCE = 5.0  # seconds without output, after which a helper that is at work is killed


class Part(NamedTuple):
    """A jitted function and the types of the arguments that it is compiled for."""

    function: Any
    types: tuple[Any, ...]

    @property
    def is_compiled(self) -> bool:
        """Whether this process has compiled or loaded it."""
        return self.types in self.function.overloads

    def compile(self) -> None:
        """Compiles the function for these types, or loads it from the store."""
        self.function.compile(self.types)


class Team(NamedTuple):
    """A plan of `parts`, and the command that starts a helper with the same plan."""

    parts: list[Part]
    command: list[str]


def processes_wanted() -> int:
    """The number of processes that should compile: the value of the variable, otherwise one per core, up to
    four."""
    with suppress(KeyError, ValueError):
        return max(1, int(os.environ[PROCESSES]))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(MOST_PROCESSES, cores)


class _Schedule:
    """The state of all parts: waiting, being compiled or finished. Each process has a thread that asks it for
    work."""

    def __init__(self, parts: Sequence[Part]) -> None:
        functions = [part.function.py_func for part in parts]
        self._waiting = list(range(len(parts)))
        self._under_way: set[int] = set()
        self._needs = [
            {j for j, other in enumerate(functions) if other is not own and other in reached(own)}
            for own in functions
        ]
        self._changed = threading.Condition()
        self._closed = False

    def take(self) -> int | None:
        """The number of a part whose dependencies are finished; waits for one. None at the end."""
        with self._changed:
            while self._waiting and not self._closed:
                open_parts = self._under_way.union(self._waiting)
                free = (number for number in self._waiting if not self._needs[number] & open_parts)
                number = next(free, None)
                if number is None and not self._under_way:  # a cycle: one of them has to be first
                    number = self._waiting[0]
                if number is not None:
                    self._waiting.remove(number)
                    self._under_way.add(number)
                    return number
                self._changed.wait()
            return None

    def done(self, number: int) -> None:
        """Marks a part as stored."""
        with self._changed:
            self._under_way.discard(number)
            self._changed.notify_all()

    def give_back(self, number: int) -> None:
        """Lets another process compile the part."""
        with self._changed:
            self._under_way.discard(number)
            self._waiting.insert(0, number)
            self._changed.notify_all()

    def close(self) -> None:
        """Stops the distribution of parts."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


@contextmanager
def _helper(
    command: list[str], numbers: Sequence[int], schedule: _Schedule, tell: Callable[[], object]
) -> Iterator[None]:
    """A process that compiles parts until none are left; none if no process can be started."""
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            errors="replace",
        )
    except OSError:
        yield
        return
    server = threading.Thread(target=_serve, args=(process, numbers, schedule, tell), daemon=True)
    server.start()
    try:
        yield
    finally:
        schedule.close()
        with suppress(OSError):
            process.stdin.close()  # a helper ends with its input, whatever it is doing
        threading.Thread(target=process.wait, daemon=True).start()


def _serve(
    process: "subprocess.Popen[str]", numbers: Sequence[int], schedule: _Schedule, tell: Callable[[], object]
) -> None:
    """Sends the helper one part after the other, and reads its answers."""
    if process.stdout.readline().strip() != READY:
        return
    while (taken := schedule.take()) is not None:
        with suppress(OSError, ValueError), _patience(process) as hear:
            print(numbers[taken], file=process.stdin, flush=True)
            while (word := hear()) in (ALIVE, COMPILED):
                if word == COMPILED:
                    tell()
            if word == DONE:
                schedule.done(taken)
                continue
        schedule.give_back(taken)
        return


@contextmanager
def _patience(process: "subprocess.Popen[str]") -> Iterator[Callable[[], str]]:
    """A function that returns the helper's next answer; a helper that sends none for too long is killed."""
    heard, ended = time.monotonic(), threading.Event()

    def hear() -> str:
        nonlocal heard
        word = process.stdout.readline().strip()
        heard = time.monotonic()
        return word

    def watch() -> None:
        while not ended.wait(SIGN_SECONDS):
            if time.monotonic() - heard > HELPER_PATIENCE:
                process.kill()
                return

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield hear
    finally:
        ended.set()


def compile_parts(team: Team, is_kept: Callable[[Part], bool], tell: Callable[[], object]) -> None:
    """Compiles the parts of the team's plan that are not stored, with as many processes as are wanted.
    `tell()` is called for each function that a helper has compiled."""
    numbers = [number for number, part in enumerate(team.parts) if not is_kept(part)]
    schedule = _Schedule([team.parts[number] for number in numbers])
    helpers = min(processes_wanted(), len(numbers)) - 1
    with _helpers(helpers, team.command, numbers, schedule, tell):
        while (taken := schedule.take()) is not None:
            team.parts[numbers[taken]].compile()
            schedule.done(taken)


@contextmanager
def _helpers(count: int, *rest: Any) -> Iterator[None]:
    if count < 1:
        yield
        return
    with _helper(*rest), _helpers(count - 1, *rest):
        yield


def help_out(
    parts: Sequence[Part], listening: Callable[[Callable[[], object]], AbstractContextManager[Any]]
) -> None:
    """The main loop of a helper: compiles the parts whose numbers it receives, until its input ends.
    `listening(tell)` is a context in which `tell` is called for each compiled function."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends with the process that has started it
    numbers, arrived = [], threading.Semaphore(0)

    def hear() -> None:
        for line in sys.stdin:
            numbers.append(int(line))
            arrived.release()
        os._exit(0)

    def say(word: str) -> None:
        try:
            os.write(sys.stdout.fileno(), f"{word}\n".encode())  # in one piece, whichever thread says it
        except OSError:
            os._exit(0)

    def live() -> None:
        while True:
            time.sleep(SIGN_SECONDS)
            say(ALIVE)

    threading.Thread(target=hear, daemon=True).start()
    say(READY)
    threading.Thread(target=live, daemon=True).start()
    with listening(lambda: say(COMPILED)):
        while arrived.acquire():
            parts[numbers.pop(0)].compile()
            say(DONE)
