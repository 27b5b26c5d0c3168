"""Input and output of lines: a thread that reads, a writer that writes whole lines, and a file that records
them. Dialects interpret the lines."""

import codecs
import errno
import os
import select
import stat
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

LONGEST_LINE = 65_536  # bytes; no sensible command is nearly as long
BYTE_ORDER_MARK = "\ufeff".encode()
UTF_16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
SHOWN = 80  # characters of a wrong line in an error message
GONE = (errno.EPIPE, errno.ECONNRESET, errno.EBADF)  # errors of writing where nobody reads any more
WATCH_SECONDS = 0.1  # between checks whether a reader and a parent process are there
TO_ENGINE, FROM_ENGINE, NOTE = ">", "<", "#"  # marks in a `DebugLog`


class InputLine(NamedTuple):
    r"""One line of input without its end. Bytes that are not UTF-8 appear as `\xNN`."""

    text: str


class LongLine(NamedTuple):
    """A line longer than LONGEST_LINE; `text` is its beginning, the rest is discarded."""

    text: str


class EndOfInput(NamedTuple):
    """The end of input."""


class DebugLog:
    """Records both directions, one line each: seconds since the program started, a mark of the direction (`>`
    to the engine, `<` from it, `#` for neither), and the text with escaped control characters.

    Nothing is written until a file is opened. Every line is written before the next event; several processes
    may share a file."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._descriptor: int | None = None
        self._lock = threading.Lock()

    def open(self, path: str) -> None:
        """Appends to a file from now on; creates it if necessary. Raises OSError, and then the previous log
        continues."""
        # A pipe without a reader would block the program.
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0)
        descriptor = os.open(os.path.expanduser(path), flags, 0o644)
        self.close()
        self._descriptor = descriptor
        self.record(NOTE, f"process {os.getpid()}, {time.strftime('%Y-%m-%d %H:%M:%S')}")

    def close(self) -> None:
        """Ends the recording."""
        with self._lock:
            descriptor, self._descriptor = self._descriptor, None
            if descriptor is not None:
                os.close(descriptor)

    def record(self, mark: str, text: str) -> None:
        """Records a line TO_ENGINE or FROM_ENGINE, or a NOTE."""
        if self._descriptor is None:
            return
        line = f"{time.monotonic() - self._started:10.3f} {mark} {printable(text)}\n"
        with self._lock:
            try:
                if self._descriptor is not None:
                    os.write(self._descriptor, line.encode("utf-8", "backslashreplace"))
                return
            except OSError as error:
                reason = error
        self.close()
        aside(f"The log ends here: {reason}")


class LineReader(threading.Thread):
    """Posts every line from a file descriptor, then the end of input. It reads while the program is busy.

    After the end of input the program may still have work to do, so the reader keeps watching: if `output`
    has no reader any more, or the parent process is gone, it ends this process at once, because an engine
    without a GUI must not go on computing. The pipes of a closed GUI may still be open in a process that
    inherited them; output to a file needs no reader."""

    def __init__(
        self, post: Callable[[object], None], log: DebugLog, descriptor: int = 0, output: int = 1
    ) -> None:
        super().__init__(name="reader", daemon=True)
        self._post = post
        self._log = log
        self._descriptor = descriptor
        self._output = output
        self._parent = None if _is_file(output) else os.getppid()
        self._poll: select.poll | None = None
        if sys.platform == "linux":  # elsewhere terminals cannot be polled
            self._poll = select.poll()
            self._poll.register(descriptor, select.POLLIN)
            self._poll.register(output, 0)

    def run(self) -> None:
        try:
            self._read_lines()
            self._log.record(NOTE, "end of input")
            self._post(EndOfInput())
            self._watch()
        except _DesertedError:
            self._log.record(NOTE, "no reader is there any more")
            os._exit(0)

    def _read_lines(self) -> None:
        """Posts all lines, the first one without the byte order mark that some shells of Windows write.
        Raises _DesertedError."""
        pending, mark, to_utf_8 = b"", BYTE_ORDER_MARK, _ToUtf8()
        skipping = False  # inside a line that was too long
        while data := self._read():
            *lines, pending = (pending + to_utf_8.convert(data)).split(b"\n")
            for line in lines:
                if not skipping:
                    self._tell(line.removeprefix(mark))
                skipping, mark = False, b""
            if len(pending) > LONGEST_LINE:
                if not skipping:
                    self._tell(pending)
                pending, skipping = b"", True
        pending += to_utf_8.rest()
        if pending and not skipping:
            self._tell(pending.removeprefix(mark))

    def _read(self) -> bytes:
        """More input; empty at its end. Raises _DesertedError."""
        while self._poll and not self._has_input():
            self._look_for_parent()
        while True:
            try:
                return os.read(self._descriptor, 65_536)
            except BlockingIOError:  # another owner of the descriptor may have made it non-blocking
                select.select([self._descriptor], [], [])
            except OSError:
                return b""

    def _has_input(self) -> bool:
        """Whether input, or its end, is available after a while. Raises _DesertedError."""
        assert self._poll is not None
        found = dict(self._poll.poll(1000 * WATCH_SECONDS))
        if self._output in found:
            raise _DesertedError
        return self._descriptor in found

    def _look_for_parent(self) -> None:
        if self._parent is not None and os.getppid() != self._parent:
            raise _DesertedError

    def _watch(self) -> None:
        """Waits until the reader or the parent process is gone. Raises _DesertedError then."""
        if self._poll:
            self._poll.unregister(self._descriptor)
        while True:
            if self._poll:
                self._has_input()
            else:
                time.sleep(WATCH_SECONDS)
            self._look_for_parent()

    def _tell(self, line: bytes) -> None:
        event = _event(line)
        self._log.record(TO_ENGINE, event.text)
        self._post(event)


class _ToUtf8:
    """Input as UTF-8, where it begins as UTF-16 does, with its mark or without; other input as it is."""

    def __init__(self) -> None:
        self._begun: bytes | None = b""  # the input so far, until it is known which of both it is
        self._decoder: codecs.IncrementalDecoder | None = None

    def convert(self, data: bytes) -> bytes:
        """The next part of the input."""
        if self._begun is not None:
            data = self._begun + data
            if data in (UTF_16_MARKS[0][:1], UTF_16_MARKS[1][:1]):
                self._begun = data
                return b""
            self._begun = None
            if encoding := _utf_16(data):
                self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        return self._decoder.decode(data).encode() if self._decoder else data

    def rest(self) -> bytes:
        """What is left at the end of the input."""
        return self._begun or b""


def _utf_16(begin: bytes) -> str:
    """The encoding of input that begins like this, if it is a kind of UTF-16."""
    if begin[:2] in UTF_16_MARKS:
        return "utf-16"
    if begin[1:2] == b"\0" and begin[:1].isalpha():
        return "utf-16-le"
    return "utf-16-be" if begin[:1] == b"\0" and begin[1:2].isalpha() else ""


class _DesertedError(Exception):
    """The output has no reader any more, or the parent process is gone."""


def _is_file(descriptor: int) -> bool:
    """Whether output to it is kept in a file."""
    try:
        return stat.S_ISREG(os.fstat(descriptor).st_mode)
    except OSError:
        return False


def _event(line: bytes) -> InputLine | LongLine:
    kind: type[InputLine] | type[LongLine] = InputLine
    if len(line) > LONGEST_LINE:
        kind, line = LongLine, line[: 4 * SHOWN]
    return kind(line.removesuffix(b"\r").decode("utf-8", "backslashreplace"))


class Writer:
    """Writes whole lines to a file descriptor at once, from any thread, and to a `DebugLog`."""

    def __init__(self, log: DebugLog, descriptor: int = 1) -> None:
        self._log = log
        self._descriptor = descriptor
        self._lock = threading.Lock()

    def line(self, text: str) -> None:
        """Writes one line. The process ends when the output has no reader any more, or no space."""
        data = (printable(text) + "\n").encode("utf-8", "backslashreplace")
        with self._lock:
            self._log.record(FROM_ENGINE, text)
            while data:
                try:
                    data = data[os.write(self._descriptor, data) :]
                except BlockingIOError:  # another owner of the descriptor may have made it non-blocking
                    select.select([], [self._descriptor], [])
                except OSError as error:
                    if error.errno not in GONE:
                        aside(f"Error: the output cannot be written: {error.strerror}")
                    os._exit(0 if error.errno in GONE else 1)


def aside(text: str) -> None:
    """Writes to standard error. Failures are ignored, because it may have no reader."""
    if sys.stderr is not None:
        with suppress(OSError, ValueError):
            print(text, file=sys.stderr, flush=True)


def printable(text: str) -> str:
    """`text` with control characters except tabs written as escapes."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char == "\t" else char.encode("unicode_escape").decode()
        for char in text
    )


def excerpt(text: str, limit: int = SHOWN) -> str:
    """The part of `text` that an error message repeats, with escaped control characters."""
    text = printable(text)
    return text if len(text) <= limit else text[: limit - 3] + "..."
