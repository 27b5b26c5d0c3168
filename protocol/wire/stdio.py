"""Lines in and lines out: a thread that reads, a writer that keeps lines whole.

What a line means belongs to the dialects; nothing here knows a command.
"""

import os
import select
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple, Protocol

LONGEST_LINE = 65_536  # bytes; no sensible command is nearly as long
SHOWN = 80  # characters of a bad line that an error message repeats
EXIT_GRACE = 0.3  # seconds between the end of input and the end of the process, at the latest
PARENT_SECONDS = 0.1  # between looks whether the process that started this one is still there


class InputLine(NamedTuple):
    """One line of input without its end. Bytes that are not UTF-8 appear as `\\xNN`."""

    text: str


class LongLine(NamedTuple):
    """A line longer than LONGEST_LINE; `text` is how it begins, the rest is gone."""

    text: str


class EndOfInput(NamedTuple):
    """Nothing more will come."""


class _Log(Protocol):
    """What the reader and the writer need of a `DebugLog`, which imports this module."""

    def heard(self, text: str) -> None:
        """A line for the engine."""

    def said(self, text: str) -> None:
        """A line of the engine."""

    def note(self, text: str) -> None:
        """A remark that neither side has said."""


class LineReader(threading.Thread):
    """Posts every line that arrives on a file descriptor, then the end of input.

    It reads while the program is busy. Input also ends when nobody reads `output` any more, or when the
    process that started this one is gone: its pipes may still be open in a process that inherited them. If
    the program does not end by itself after the end of input, the reader ends it: an engine without a GUI
    must not go on computing.
    """

    def __init__(
        self, post: Callable[[object], None], log: _Log, descriptor: int = 0, output: int = 1
    ) -> None:
        super().__init__(name="reader", daemon=True)
        self._post = post
        self._log = log
        self._descriptor = descriptor
        self._output = output
        self._parent = os.getppid()
        self._poll: select.poll | None = None
        if sys.platform == "linux":  # elsewhere terminals cannot be polled
            self._poll = select.poll()
            self._poll.register(descriptor, select.POLLIN)
            self._poll.register(output, 0)

    def run(self) -> None:
        pending = b""
        skipping = False  # inside a line that was too long
        while data := self._read():
            *lines, pending = (pending + data).split(b"\n")
            for line in lines:
                if not skipping:
                    self._tell(line)
                skipping = False
            if len(pending) > LONGEST_LINE:
                if not skipping:
                    self._tell(pending)
                pending, skipping = b"", True
        if pending and not skipping:
            self._tell(pending)
        self._log.note("end of input")
        self._post(EndOfInput())
        time.sleep(EXIT_GRACE)
        os._exit(0)

    def _read(self) -> bytes:
        """More input; empty at its end."""
        try:
            while self._poll and not self._has_input():
                if os.getppid() != self._parent:
                    return b""
            return os.read(self._descriptor, 65_536)
        except OSError:
            return b""

    def _has_input(self) -> bool:
        """Whether something can be read, or the end of it. Raises BrokenPipeError when nobody reads what this
        program writes."""
        assert self._poll is not None
        found = dict(self._poll.poll(1000 * PARENT_SECONDS))
        if self._output in found:
            raise BrokenPipeError
        return self._descriptor in found

    def _tell(self, line: bytes) -> None:
        event = _event(line)
        self._log.heard(event.text)
        self._post(event)


def _event(line: bytes) -> InputLine | LongLine:
    kind: type[InputLine] | type[LongLine] = InputLine
    if len(line) > LONGEST_LINE:
        kind, line = LongLine, line[: 4 * SHOWN]
    return kind(line.removesuffix(b"\r").decode("utf-8", "backslashreplace"))


class Writer:
    """Writes whole lines to a file descriptor at once, from any thread, and to a `DebugLog`."""

    def __init__(self, log: _Log, descriptor: int = 1) -> None:
        self._log = log
        self._descriptor = descriptor
        self._lock = threading.Lock()

    def line(self, text: str) -> None:
        """Writes one line. The process ends when nobody reads any more, for then nobody plays."""
        data = (printable(text) + "\n").encode("utf-8", "backslashreplace")
        with self._lock:
            self._log.said(text)
            while data:
                try:
                    data = data[os.write(self._descriptor, data) :]
                except OSError:
                    os._exit(0)


def aside(text: str) -> None:
    """Writes to standard error. Failures are ignored, because nobody needs to read it."""
    if sys.stderr is not None:
        with suppress(OSError, ValueError):
            print(text, file=sys.stderr, flush=True)


def printable(text: str) -> str:
    """`text` with control characters, tabs excepted, written as escapes."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char == "\t" else char.encode("unicode_escape").decode()
        for char in text
    )


def excerpt(text: str, limit: int = SHOWN) -> str:
    """As much of `text` as an error message should repeat, control characters escaped."""
    text = printable(text)
    return text if len(text) <= limit else text[: limit - 3] + "..."
