"""The results of games for a suite, game by game: a text file that is continued after a crash."""

from pathlib import Path

from ...match.records.task_journal import TaskJournal


class SuiteJournalError(ValueError):
    """A journal that cannot be read or extended; the text names the file and quotes it."""


class SuiteJournal(TaskJournal[object]):
    """The lines of the games 0, 1, 2, ... Raises SuiteJournalError as `TaskJournal` does."""

    def __init__(self, path: Path, heading: str) -> None:
        super().__init__(path, heading, "game", SuiteJournalError)
