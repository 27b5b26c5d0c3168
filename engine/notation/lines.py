"""The lines of a file of games, with their numbers, in any encoding."""

import contextlib
import gzip
import io
import weakref
from pathlib import Path
from typing import IO, Any, NamedTuple, TextIO, cast

from ..game.text_files import BOM, LATIN_1, UTF_16_BOMS

JUNK = (BOM, "\x1a", "\0")  # possible characters before a line: marks, and the end of an old file
GZIP_MAGIC = b"\x1f\x8b"


def open_pgn(path: str | Path) -> TextIO:
    """Opens a file of games for reading: UTF-8, with Latin-1 for bytes that are not UTF-8, or UTF-16 with its
    mark. The file may be compressed by gzip. Raises OSError."""
    file: IO[bytes] = Path(path).open("rb")  # noqa: SIM115 - the caller closes it
    try:
        head = file.read(2)
        file.seek(0)
        if head == GZIP_MAGIC:
            file = cast("IO[bytes]", gzip.GzipFile(fileobj=file))
            head = file.read(2)
            file.seek(0)
        encoding = "utf-16" if head in UTF_16_BOMS else "utf-8"
        return io.TextIOWrapper(file, encoding, errors="replace" if head in UTF_16_BOMS else LATIN_1)
    except BaseException:
        file.close()
        raise


class Lines:
    """The lines of a handle of text or bytes; `number` is that of the last one taken, from 1."""

    def __init__(self, handle: IO[Any], number: int = 0, returned: str = "") -> None:
        if not hasattr(handle, "readline"):
            raise TypeError(f"{handle!r} is not an open file; surajang.pgn.open opens one by its path")
        self._handle, self._readline = handle, handle.readline
        self._returned = returned
        self.number = number

    def take(self) -> str:
        """The next line with its end, "" after the last."""
        if self._returned:
            line, self._returned = self._returned, ""
        else:
            line = self._readline()
            if line.__class__ is bytes:
                line = line.decode("utf-8", errors=LATIN_1)
            if line[:1] in JUNK:
                line = line and (line.lstrip("".join(JUNK)) or "\n")
        if line:
            self.number += 1
        return line

    def give_back(self, line: str) -> None:
        """Returns the last line, or the end of it, to the input."""
        self._returned = line
        self.number -= 1

    def leave(self) -> None:
        """Moves the handle back before the unread lines; if it cannot, keeps them for the next `lines_of`."""
        if self._returned and _step_back(self._handle, self._returned):
            self._returned = ""
        place = _place(self._handle) if self._returned else None
        with contextlib.suppress(TypeError):  # a handle that cannot be referred to weakly
            _states[self._handle] = _State(self.number, self._returned, place)


class _State(NamedTuple):
    """The state after reading a handle: the number of the last line, and the unread text at that place."""

    number: int
    returned: str
    place: int | None


_states: "weakref.WeakKeyDictionary[Any, _State]" = weakref.WeakKeyDictionary()


def lines_of(handle: IO[Any]) -> Lines:
    """The `Lines` of a handle, which continue the count of `Lines.leave`."""
    try:
        state = _states.get(handle)
    except TypeError:
        state = None
    if state is None:
        return Lines(handle)
    if state.returned and state.place != _place(handle):  # another reader has moved the handle
        return Lines(handle, state.number)
    return Lines(handle, state.number, state.returned)


def _step_back(handle: IO[Any], line: str) -> bool:
    """Moves a handle to before its last line, if that is `line`; returns whether it did. A line may have one
    byte more than its characters, for its end."""
    here = _place(handle)
    if here is None:
        return False
    for size in (len(line.encode()), len(line.encode()) + 1, len(line)):
        try:
            handle.seek(here - size)
            found = handle.readline()
            if found in (line, line.encode()) and _place(handle) == here:
                handle.seek(here - size)
                return True
        except (OSError, ValueError):  # not seekable, or within a character
            pass
    handle.seek(here)
    return False


def _place(handle: IO[Any]) -> int | None:
    """The position of a handle, or None if it has none."""
    try:
        return int(handle.tell())
    except (OSError, AttributeError, ValueError):
        return None
