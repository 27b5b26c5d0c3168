"""`surajang bench odds`: the odds at which two engines are level, from the folders of matches."""

import json
from pathlib import Path

import click

from .games.tournament import Tournament, TournamentError
from .odds import OddsPoint, base_names, level_lines, odds_table, points_of
from .records.journal import CONFIGURATION, Journal, JournalError
from .results.summary import as_text
from .runner import standings_of


@click.command()
@click.argument(
    "folders", nargs=-1, required=True, type=click.Path(exists=True, file_okay=False, path_type=Path)
)
def main(folders: tuple[Path, ...]) -> None:
    """Show the score by time odds of the matches in FOLDERS, and the odds at which their engines are level.

    The matches are between the same two engines, in the same order, each with limits of its own; or one match
    was played with --odds."""
    points: list[OddsPoint] = []
    names: dict[tuple[str, tuple[str, str]], None] = {}
    try:
        for folder in folders:
            configuration, found = _points_in(folder)
            points += found
            names[configuration.variant, base_names(configuration)] = None
    except (TournamentError, JournalError) as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        raise click.ClickException(str(error)) from None
    if len(names) > 1:
        told = "; ".join(f"{variant}, {first} against {second}" for variant, (first, second) in names)
        raise click.UsageError(f"these are matches of different games or engines: {told}")
    points.sort(key=lambda point: point.odds)
    (_, sides), *_ = names
    click.echo(as_text([[odds_table(points, sides), *level_lines(points, sides)]]), nl=False)


def _points_in(folder: Path) -> tuple[Tournament, list[OddsPoint]]:
    """(configuration, points) of the match in a folder. Raises TournamentError, JournalError, OSError."""
    path = folder / CONFIGURATION
    if not path.is_file():
        raise JournalError(f"{folder} holds no match: there is no {CONFIGURATION}")
    try:
        configuration = Tournament.from_json(json.loads(path.read_bytes()))
        with Journal.resume(folder) as journal:
            return configuration, points_of(configuration, standings_of(configuration, journal.records))
    except ValueError as error:
        raise TournamentError(f"{path}: {error}") from None
