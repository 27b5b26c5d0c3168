"""Lines in and lines out: a thread that reads, a writer that keeps lines whole.

What a line means belongs to the dialects; nothing here knows a command.
"""

import os
import threading
import time
from typing import NamedTuple

LONGEST_LINE = 65_536  # bytes; no sensible command comes near it
SHOWN = 80  # characters of a bad line that an error message repeats
EXIT_GRACE = 1.0  # seconds between the end of input and the end of the process, at the latest


class Line(NamedTuple):
    """One line of input without its end. Bytes that are no UTF-8 appear as `\\xNN`."""

    text: str


class LongLine(NamedTuple):
    """A line longer than LONGEST_LINE; `text` is how it begins, the rest is gone."""

    text: str


class EndOfInput(NamedTuple):
    """Nothing more will come."""


class Reader(threading.Thread):
    """Posts every line that arrives on a file descriptor, then the end of input.

    It reads whatever the program is busy with. Should the program fail to end by itself after the
    end of input, the reader ends it: an engine without a GUI must not go on computing.
    """

    def __init__(self, post, descriptor=0):
        super().__init__(name="reader", daemon=True)
        self._post = post
        self._descriptor = descriptor

    def run(self):
        pending = b""
        skipping = False  # inside a line that was too long
        while True:
            try:
                data = os.read(self._descriptor, 65_536)
            except OSError:
                data = b""
            if not data:
                break
            *lines, pending = (pending + data).split(b"\n")
            for line in lines:
                if not skipping:
                    self._post(_event(line))
                skipping = False
            if len(pending) > LONGEST_LINE:
                if not skipping:
                    self._post(_event(pending))
                pending, skipping = b"", True
        if pending and not skipping:
            self._post(_event(pending))
        self._post(EndOfInput())
        time.sleep(EXIT_GRACE)
        os._exit(0)


def _event(line):
    kind = Line
    if len(line) > LONGEST_LINE:
        kind, line = LongLine, line[: 4 * SHOWN]
    return kind(line.removesuffix(b"\r").decode("utf-8", "backslashreplace"))


class Writer:
    """Writes whole lines to a file descriptor at once, from any thread."""

    def __init__(self, descriptor=1):
        self._descriptor = descriptor
        self._lock = threading.Lock()

    def line(self, text):
        """Writes one line. When nobody reads any more, there is nobody to play for: the process ends."""
        data = (printable(text) + "\n").encode("utf-8", "backslashreplace")
        with self._lock:
            while data:
                try:
                    data = data[os.write(self._descriptor, data) :]
                except OSError:
                    os._exit(0)


def printable(text):
    """`text` with control characters, tabs excepted, written as escapes."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char == "\t" else char.encode("unicode_escape").decode()
        for char in text
    )


def excerpt(text, limit=SHOWN):
    """As much of `text` as an error message should repeat, control characters escaped."""
    text = printable(text)
    return text if len(text) <= limit else text[: limit - 3] + "..."
