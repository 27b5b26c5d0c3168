"""An engine's process: lines in, lines out, each with the time of its arrival; independent of protocols.
Needs a POSIX system. Every engine leads its own session, so that its children end with it."""

import collections
import contextlib
import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, NamedTuple, TextIO

from . import guard
from .player import QUIT_SECONDS, CrashError, DisconnectError, StallError, StartError

LONGEST_LINE = 1 << 18  # bytes; longer lines are cut off
# With more waiting than this nothing is read: the pipe fills, and an engine that floods us waits.
MOST_LINES = 20_000
MOST_WAITING = 1 << 22  # characters
WRITE_SECONDS = 10.0  # an engine that does not read its input for this long hangs
END_SECONDS = 1.0  # between the end of an engine's output and that of its process
LAST_WORDS_SECONDS = 1.0  # for its error output to end after its process has
LAST_WORDS = 300  # characters of its error output that the message of a crash repeats
CHUNK = 1 << 16


class OutputLine(NamedTuple):
    """One line of an engine's output without its end; `at` is when it arrived, by `time.monotonic`."""

    text: str
    at: float


class EngineProcess:
    """A running engine. `command` is its command line as a list, `directory` where it is started,
    `environment` its environment variables (this process's by default), `log` a file that takes both
    directions with times, or None.

    Raises StartError when it cannot be started.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        directory: str | None = None,
        environment: dict[str, str] | None = None,
        log: Path | TextIO | None = None,
    ) -> None:
        self.name = name
        self._log = Log(log, name)
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
                cwd=directory, env=environment, start_new_session=True,
            )  # fmt: skip
        except (OSError, ValueError) as error:
            self._log.close()
            raise StartError(f"{name} does not start: {error}") from None
        self.pid = self._process.pid
        guard.watch(self.pid)
        assert self._process.stdin is not None
        os.set_blocking(self._process.stdin.fileno(), False)
        self._input = _Input()
        self._told = ""  # the last line
        self._pen, self._end_lock = threading.Lock(), threading.Lock()
        self._errors: collections.deque[str] = collections.deque(maxlen=20)
        self._errors_read = threading.Event()
        self._wake, self._bell = os.pipe()
        self._closed = False
        self._reader = threading.Thread(target=self._read, name=f"reader of {name}", daemon=True)
        self._reader.start()

    # Its output

    def _read(self) -> None:
        """Takes output and error output as they come, until both have ended or `close` rings the bell."""
        assert self._process.stdout is not None and self._process.stderr is not None
        output, errors = self._process.stdout.fileno(), self._process.stderr.fileno()
        splitters = {output: _Splitter(), errors: _Splitter()}
        while splitters and not self._closed:
            wanted = [self._wake, *splitters]
            if output in splitters and self._input.full():
                wanted.remove(output)
            for descriptor in _readable(wanted, 0.05 if len(wanted) <= len(splitters) else None):
                if descriptor == self._wake:
                    break
                data = os.read(descriptor, CHUNK)
                at = time.monotonic()
                for text in splitters[descriptor].split(data):
                    self._take(text, at, descriptor == errors)
                if not data:
                    del splitters[descriptor]
                    if descriptor == output:
                        self._input.end()
                    else:
                        self._errors_read.set()
        self._errors_read.set()
        self._input.end()

    def _take(self, text: str, at: float, is_error: bool) -> None:
        self._log.write("!" if is_error else "<", text, at)
        if is_error:
            self._errors.append(text)
        else:
            self._input.put(OutputLine(text, at))

    def read(self, deadline: float) -> OutputLine:
        """The next `OutputLine`. Raises StallError at `deadline` (by `time.monotonic`), CrashError or
        DisconnectError at the end of the output."""
        while True:
            now = time.monotonic()
            line = self._input.take(min(max(0.0, deadline - now), 1.0))
            if line is not None:
                return line
            if self._input.ended or self.ended():
                # Its children may hold the output open. What it said before it ended is read first.
                line = self._input.take(0.0 if self._input.ended else 0.1)
                if line is not None:
                    return line
                raise self.failure()
            if time.monotonic() >= deadline:
                raise StallError(f"{self.name} does not answer {self._told!r}")

    def waiting(self) -> Iterator[OutputLine]:
        """Yields the lines that have arrived and have not been read yet, oldest first."""
        while (line := self._input.take(0.0)) is not None:
            yield line

    # Its input

    def write(self, *lines: str, seconds: float = WRITE_SECONDS) -> None:
        """Writes lines. Raises StallError when the engine has not read them within `seconds`, CrashError or
        DisconnectError when it does not read any more."""
        now = time.monotonic()
        for line in lines:
            self._log.write(">", line, now)
            self._told = line
        data = memoryview("".join(line + "\n" for line in lines).encode())
        descriptor = self._process.stdin
        assert descriptor is not None
        while data:
            try:
                # Another thread may close the pipe, and its number would soon be that of another one.
                with self._pen:
                    data = data[os.write(descriptor.fileno(), data) :]
            except BlockingIOError:
                if not _writable(descriptor, now + seconds - time.monotonic()):
                    raise StallError(f"{self.name} does not read its input") from None
            except (OSError, ValueError):
                raise self.failure() from None

    # Its end

    def ended(self) -> bool:
        """Whether the process has ended. Only `close` reaps it: until then its number is not reused."""
        return self._end() is not None

    def _end(self) -> str | None:
        """How it has ended, in words, or None while it runs."""
        try:
            status = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:  # closed, or the system reaps for a program that ignores SIGCHLD
            return "has ended"
        if status is None:
            return None
        if status.si_code == os.CLD_EXITED:
            return f"ended with exit status {status.si_status}"
        with contextlib.suppress(ValueError):
            return f"was ended by {signal.Signals(status.si_status).name}"
        return f"was ended by signal {status.si_status}"

    def wait(self, seconds: float) -> bool:
        """Waits until the process has ended, and returns whether it has."""
        deadline = time.monotonic() + seconds
        while not self.ended():
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.005)
        return True

    def failure(self) -> CrashError | DisconnectError:
        """The PlayerError for an engine that has stopped writing or reading."""
        if not self.wait(END_SECONDS):
            return DisconnectError(f"{self.name} has closed its output or input")
        self._errors_read.wait(LAST_WORDS_SECONDS)  # its children may hold the pipe open for longer
        words = " / ".join(filter(None, map(str.strip, self._errors)))[-LAST_WORDS:]
        return CrashError(f"{self.name} {self._end()}" + (f": {words}" if words else ""))

    def close(self, farewell: str = "quit") -> None:
        """Writes `farewell` and kills the process with all its children if it does not end. Raises nothing.

        Any thread may call it: one that reads or writes gets a CrashError.
        """
        with self._end_lock:
            if not self._closed:
                self._close(farewell)

    def _close(self, farewell: str) -> None:
        process = self._process
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        deadline = time.monotonic() + QUIT_SECONDS
        self._input.open_wide()
        with contextlib.suppress(CrashError, DisconnectError, StallError):
            if not self.ended():
                self.write(farewell, seconds=QUIT_SECONDS)
        with self._pen, contextlib.suppress(OSError):
            process.stdin.close()
        self.wait(deadline - time.monotonic())
        with contextlib.suppress(OSError):
            os.killpg(self.pid, signal.SIGKILL)
        self._closed = True
        os.write(self._bell, b"!")
        self._reader.join()
        process.wait()
        guard.release(self.pid)
        process.stdout.close()
        process.stderr.close()
        os.close(self._wake)
        os.close(self._bell)
        self._log.close()


class _Input:
    """The lines that wait to be taken: the reader's thread puts them in, another one takes them."""

    def __init__(self) -> None:
        self._lines: collections.deque[OutputLine] = collections.deque()
        self._size = 0
        self._changed = threading.Condition()
        self._wide = False
        self.ended = False

    def put(self, line: OutputLine) -> None:
        with self._changed:
            if not self._wide:
                self._lines.append(line)
                self._size += len(line.text)
                self._changed.notify()

    def take(self, seconds: float) -> OutputLine | None:
        """The oldest line, or None when none comes within so many seconds."""
        with self._changed:
            if not self._lines and not self.ended and seconds > 0:
                self._changed.wait_for(lambda: self._lines or self.ended, seconds)
            if not self._lines:
                return None
            line = self._lines.popleft()
            self._size -= len(line.text)
            return line

    def full(self) -> bool:
        """Whether no more should be read for the moment."""
        return not self._wide and (len(self._lines) > MOST_LINES or self._size > MOST_WAITING)

    def open_wide(self) -> None:
        """Forgets all lines, also those to come: an engine that is to end must not wait for a reader."""
        with self._changed:
            self._wide = True
            self._lines.clear()
            self._size = 0

    def end(self) -> None:
        with self._changed:
            self.ended = True
            self._changed.notify()


class _Splitter:
    """Cuts a stream of bytes into lines of text; bytes that are not UTF-8 become the replacement
    character."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []  # of the line that is not complete yet
        self._size = 0  # bytes of that line, with those thrown away because it is too long

    def split(self, data: bytes) -> list[str]:
        """The lines that `data` completes; no data means the end, which completes the last line."""
        *ends, rest = data.split(b"\n")
        lines = []
        for end in ends:
            self._append(end)
            lines.append(self._line())
        self._append(rest)
        return lines if data or not self._size else [*lines, self._line()]

    def _append(self, piece: bytes) -> None:
        if piece and self._size < LONGEST_LINE:
            self._pieces.append(piece[: LONGEST_LINE - self._size])
        self._size += len(piece)

    def _line(self) -> str:
        line = b"".join(self._pieces).rstrip(b"\r")
        self._pieces, self._size = [], 0
        return line.decode("utf-8", "replace")


class Log:
    """The file that takes both directions: `time name> told`, `time name< said`, `!` for error output.

    `target` is a path, to which is appended, an open file, or None. Times are seconds since the start.
    """

    def __init__(self, target: Path | TextIO | None, name: str) -> None:
        self._own = isinstance(target, str | os.PathLike)
        self._file: TextIO | None
        if isinstance(target, str | os.PathLike):
            self._file = open(target, "a", encoding="utf-8", buffering=1)  # noqa: SIM115
        else:
            self._file = target
        self._name = name
        self._started = time.monotonic()
        self._lock = threading.Lock()

    def write(self, direction: str, text: str, at: float) -> None:
        """Writes a line. Raises nothing: a log that cannot be written does not end a game."""
        if self._file is not None:
            with self._lock, contextlib.suppress(OSError, ValueError):
                self._file.write(f"{at - self._started:9.3f} {self._name}{direction} {text}\n")

    def close(self) -> None:
        """Closes the file if it was opened here."""
        if self._own and self._file is not None:
            self._file.close()


def _readable(descriptors: list[int], seconds: float | None) -> list[int]:
    """Those that can be read, in their order; none after so many seconds (None: no limit)."""
    poll = select.poll()
    for descriptor in descriptors:
        poll.register(descriptor, select.POLLIN)
    ready = {descriptor for descriptor, _ in poll.poll(None if seconds is None else 1000 * seconds)}
    return [descriptor for descriptor in descriptors if descriptor in ready]


def _writable(descriptor: IO[bytes], seconds: float) -> bool:
    """Whether something can be written, or never again, within so many seconds."""
    poll = select.poll()
    try:
        poll.register(descriptor, select.POLLOUT)
    except ValueError:  # closed meanwhile: the next write tells
        return True
    return bool(poll.poll(max(0, 1000 * seconds)))
