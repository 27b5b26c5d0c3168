"""The results of numbered tasks, in a text file with which a command continues after a crash."""

from collections.abc import Iterable
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Generic, Self, TypeVar

from .locked_file import open_to_add

SHOWN = 80  # characters shown of a wrong line
Entry = TypeVar("Entry")


class TaskJournal(Generic[Entry]):
    """The entries of tasks 0, 1, 2, ... in a text file, task by task, to which more can be added. The first
    line is the `heading`, which names all that the entries depend on; each task is its entries, a line each,
    and then a line `# end of UNIT N`, where `unit` says what a task is. A task whose last line is missing,
    after a crash for example, is cut off and written again. `tasks` counts those in the file, `added` the
    entries added now. One process at a time has the file. Raises `error`, a class of exceptions, for a file
    with another heading, one that another process has, and one that cannot be opened."""

    def __init__(self, path: Path, heading: str, unit: str, error: type[Exception]) -> None:
        self.path, self.added, self.tasks = path, 0, 0
        self._waiting: dict[int, list[Entry]] = {}
        self._heading, self._unit, self._error = f"# {heading}\n", unit, error
        self._file = open_to_add(path, error)
        try:
            self._keep_heading()
            self._keep_whole_tasks()
        except BaseException as error:
            self.__exit__(type(error))
            raise

    def _keep_heading(self) -> None:
        """Goes to the end of the first line, which is written if it is missing or incomplete."""
        self._file.seek(0)
        heading = self._heading.encode()
        first = self._file.readline(max(len(heading), SHOWN))
        if first == heading:
            return
        if not heading.startswith(first):
            told, wanted = _shown(first), _shown(heading)
            raise self._error(f"{self.path}: the file is of {told}, not of {wanted}")
        self._file.truncate(0)
        self._write(heading)

    def _keep_whole_tasks(self) -> None:
        """Counts the tasks and cuts off what follows the last of them. Raises the error, and cuts nothing, if
        tasks are missing."""
        place = end = self._file.tell()
        for number, line in enumerate(self._file, 2):
            place += len(line)
            if line == self._end_of(self.tasks):
                self.tasks, end = self.tasks + 1, place
            elif line.startswith(f"# end of {self._unit}".encode()) and line.endswith(b"\n"):
                wanted = _shown(self._end_of(self.tasks))
                raise self._error(f"{self.path}, line {number}: {_shown(line)} where {wanted} should be")
        self._file.truncate(end)

    def add(self, task: int, entries: Iterable[Entry]) -> list[Entry]:
        """Adds a task; early tasks wait for those before them. Returns the entries that were written, in
        order."""
        self._waiting[task] = list(entries)
        written: list[Entry] = []
        while self.tasks in self._waiting:
            found = self._waiting.pop(self.tasks)
            lines = [f"{entry}\n".encode() for entry in found]
            self._write(b"".join([*lines, self._end_of(self.tasks)]))
            self.tasks += 1
            written += found
        self.added += len(written)
        return written

    def _write(self, data: bytes) -> None:
        """Writes at once. Raises OSError, with the file's name."""
        try:
            self._file.write(data)
            self._file.flush()
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self.path)) from None

    def lines(self) -> list[str]:
        """The entries of all tasks in the file, as text."""
        text = self.path.read_text(encoding="utf-8")
        return [line for line in text.splitlines() if not line.startswith("# ")]

    def _end_of(self, task: int) -> bytes:
        """The last line of a task in the file."""
        return f"# end of {self._unit} {task}\n".encode()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None = None, *error: object) -> None:
        with suppress(OSError) if kind else nullcontext():  # a full disk was told of before
            self._file.close()


def _shown(line: bytes) -> str:
    """A line of a file, given as bytes, in quotes."""
    return repr(line.decode(errors="replace").strip("# \r\n")[:SHOWN])
