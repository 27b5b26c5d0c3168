"""The mates of a hunt as they are found, game by game: a text file that a hunt continues after a crash."""

from pathlib import Path
from typing import TYPE_CHECKING, Self

from ..shared.locked_file import open_to_add

if TYPE_CHECKING:
    from .hunting import MateHunt
    from .suite import Mate


SHOWN = 80  # characters of an offending line


class MateJournalError(ValueError):
    """A journal that cannot be read or added to; the text names the file and quotes it."""


class MateJournal:
    """The mates of games 0, 1, 2, ... in a text file, game by game, to which more can be added.

    The first line is the `heading` of `work`; each game is its mates and then a line `# end of game N`.
    A game whose last line is missing, after a crash for example, is cut off and written anew. `games` counts
    those in the file, `added` the mates added now. One process at a time has the file. Raises
    MateJournalError for a file of other settings, one that another process has, and one that cannot be
    opened."""

    def __init__(self, path: Path, work: "MateHunt") -> None:
        self.path, self.added, self.games = path, 0, 0
        self._waiting: dict[int, list[Mate]] = {}
        self._heading = f"# {work.heading}\n"
        self._file = open_to_add(path, MateJournalError)
        try:
            self._keep_heading()
            self._keep_whole_games()
        except BaseException:
            self._file.close()
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
            raise MateJournalError(f"{self.path}: the file is of {told}, not of {wanted}")
        self._file.truncate(0)
        self._file.write(heading)
        self._file.flush()

    def _keep_whole_games(self) -> None:
        """Counts the games and cuts off what follows the last of them. Raises MateJournalError, and cuts
        nothing, if games are missing."""
        place = end = self._file.tell()
        for number, line in enumerate(self._file, 2):
            place += len(line)
            if line == _end_of(self.games):
                self.games, end = self.games + 1, place
            elif line.startswith(b"# end of game") and line.endswith(b"\n"):
                wanted = _shown(_end_of(self.games))
                raise MateJournalError(f"{self.path}, line {number}: {_shown(line)} where {wanted} should be")
        self._file.truncate(end)

    def add(self, number: int, mates: "list[Mate]") -> None:
        """Adds a game; games that come early wait for those before them."""
        self._waiting[number] = mates
        while self.games in self._waiting:
            mates = self._waiting.pop(self.games)
            lines = [f"{mate}\n".encode() for mate in mates]
            self._file.write(b"".join([*lines, _end_of(self.games)]))
            self._file.flush()
            self.games += 1
            self.added += len(mates)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()


def _end_of(game: int) -> bytes:
    """The last line of a game in a file."""
    return f"# end of game {game}\n".encode()


def _shown(line: bytes) -> str:
    """A line of a file, given as bytes, in quotes."""
    return repr(line.decode(errors="replace").strip("# \r\n")[:SHOWN])
