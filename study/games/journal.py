"""The games of one series in a file: lines of JSON, added game by game, kept after a crash."""

from pathlib import Path

from ...learn.self_play.games_file import Header
from ...match.records.task_journal import TaskJournal
from .plan import Series
from .study_game import StudyGame

VERSION = 3  # of a line


class StudyJournalError(ValueError):
    """A journal that cannot be extended; the text names the file."""


def path_of(folder: Path, series: Series) -> Path:
    """The path of the journal of a series."""
    return folder / f"{series.name}.games"


def holds_games(folder: Path) -> bool:
    """Whether a folder has journals of a study."""
    return any(folder.glob("*.games"))


def heading(series: Series, header: Header) -> str:
    """Everything that the games of a series depend on, as the first line of their journal."""
    settings, game = header.settings, header.variant.description.name  # whatever the path of its file
    return (
        f"{game} (rules {header.rules}), {series.source}, {series.nodes} nodes, seed {settings.seed}, "
        f"evaluation {header.evaluation}, at most {settings.most_plies} plies, version {VERSION}"
    )


def open_journal(folder: Path, series: Series, header: Header) -> TaskJournal[str]:
    """The journal of a series, to which this process alone adds games. Raises StudyJournalError for one of
    other games."""
    return TaskJournal(path_of(folder, series), heading(series, header), "game", StudyJournalError)


def read_games(journal: TaskJournal[str], most: int) -> list[StudyGame]:
    """The first `most` games of a journal."""
    return [StudyGame.decoded(line) for line in journal.lines()[:most]]
