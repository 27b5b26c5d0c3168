"""The mates of a hunt as they are found, game by game: a text file that a hunt continues after a crash."""

from pathlib import Path
from typing import TYPE_CHECKING

from ..shared.task_journal import TaskJournal
from .suite import Mate

if TYPE_CHECKING:
    from .hunting import MateHunt


class MateJournalError(ValueError):
    """A journal that cannot be read or added to; the text names the file and quotes it."""


class MateJournal(TaskJournal[Mate]):
    """The mates of games 0, 1, 2, ... of `work`. Raises MateJournalError as `TaskJournal` says."""

    def __init__(self, path: Path, work: "MateHunt") -> None:
        super().__init__(path, work.heading, "game", MateJournalError)
