"""A queue of lines that wait."""

from collections import Counter, deque
from collections.abc import Collection, Iterator
from typing import NamedTuple


class Waiting(NamedTuple):
    """A line that waits, with its command, `since` a moment of `time.monotonic`."""

    text: str
    command: str
    since: float


class Backlog:
    """The lines that wait. A script may have thousands, so queries over all of them take constant time."""

    def __init__(self) -> None:
        self._lines: deque[Waiting] = deque()
        self._counts: Counter[str] = Counter()  # by command

    def __len__(self) -> int:
        return len(self._lines)

    def __iter__(self) -> Iterator[Waiting]:
        return iter(self._lines)

    @property
    def first(self) -> Waiting:
        """The next line. Raises IndexError if none waits."""
        return self._lines[0]

    def add(self, line: Waiting, first: bool = False) -> None:
        """Appends a line, or prepends it as the `first`."""
        if first:
            self._lines.appendleft(line)
        else:
            self._lines.append(line)
        self._counts[line.command] += 1

    def pop(self) -> Waiting:
        """Removes and returns the first line."""
        line = self._lines.popleft()
        self._counts[line.command] -= 1
        return line

    def has(self, *commands: str | None) -> bool:
        """Whether a line with one of the commands waits."""
        return any(command is not None and self._counts[command] for command in commands)

    def has_only(self, commands: Collection[str]) -> bool:
        """Whether no line with another command waits."""
        return all(command in commands for command, count in self._counts.items() if count)

    def take_up_to(self, line: Waiting, command: str | None) -> list[Waiting]:
        """Removes and returns the lines with a command, up to and including `line`; none if the line no
        longer waits."""
        place = next((number for number, each in enumerate(self._lines) if each is line), -1)
        taken = [
            each for number, each in enumerate(self._lines) if number <= place and each.command == command
        ]
        self._lines = deque(each for each in self._lines if not any(each is one for one in taken))
        self._counts.subtract(each.command for each in taken)
        return taken
