"""A file that records the lines of the conversation with their times."""

import os
import threading
import time

from .stdio import aside, printable

TO_ENGINE, FROM_ENGINE, NOTE = ">", "<", "#"


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
        self.note(f"process {os.getpid()}, {time.strftime('%Y-%m-%d %H:%M:%S')}")

    def close(self) -> None:
        """Ends the recording."""
        with self._lock:
            descriptor, self._descriptor = self._descriptor, None
            if descriptor is not None:
                os.close(descriptor)

    def heard(self, text: str) -> None:
        """Records a line to the engine."""
        self._record(TO_ENGINE, text)

    def said(self, text: str) -> None:
        """Records a line from the engine."""
        self._record(FROM_ENGINE, text)

    def note(self, text: str) -> None:
        """Records a remark."""
        self._record(NOTE, text)

    def _record(self, mark: str, text: str) -> None:
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
