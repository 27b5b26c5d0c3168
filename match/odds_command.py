"""`surajang bench odds`: the odds at which two engines are level, from the folders of matches."""

from pathlib import Path
from typing import Annotated

import click

from ..protocol.terminal.command_options import told_errors, with_options
from ..protocol.terminal.outputs import written
from .games.tournament import Tournament, TournamentError
from .match_setup import configuration_in
from .odds import OddsPoint, base_names, fitted, level_lines, odds_table, points_of
from .records.journal import CONFIGURATION, Journal, JournalError
from .results.plot_option import plot_option
from .results.summary import as_text
from .runner import standings_of


@click.command()
@click.argument(
    "folders", nargs=-1, required=True, type=click.Path(exists=True, file_okay=False, path_type=Path)
)
@with_options
def main(
    folders: tuple[Path, ...],
    *,
    plot: Annotated[Path | None, plot_option("Draw Elo by odds and the fitted line: PNG, SVG, PDF.")] = None,
) -> None:
    """Show the score by time odds of the matches in FOLDERS, and the odds at which their engines are level.

    The matches are between the same two engines, in the same order, each with limits of its own; or one match
    was played with --odds."""
    for folder in folders:
        if sum(folder.samefile(other) for other in folders) > 1:
            raise click.UsageError(f"'{folder}' is named twice; its games would count twice")
    points: list[OddsPoint] = []
    names: dict[tuple[str, tuple[str, str]], None] = {}
    with told_errors(TournamentError, JournalError):
        for folder in folders:
            configuration, found = _points_in(folder)
            points += found
            names[configuration.variant, base_names(configuration)] = None
    if len(names) > 1:
        told = "; ".join(f"{variant}, {first} against {second}" for variant, (first, second) in names)
        raise click.UsageError(f"these are matches of different games or engines: {told}")
    points.sort(key=lambda point: point.odds)
    (variant, sides), *_ = names
    click.echo(as_text([[odds_table(points, sides), *level_lines(points, sides)]]), nl=False)
    if plot is not None:
        from .odds_plot import odds_panel
        from .results.plots import save_panels

        with written(plot):
            panel = odds_panel(points, sides, fitted(points))
            save_panels([panel], f"{variant}: {' - '.join(sides)}", plot)
        click.echo(f"The plot is in {plot}")


def _points_in(folder: Path) -> tuple[Tournament, list[OddsPoint]]:
    """(configuration, points) of the match in a folder. Raises TournamentError, JournalError, OSError."""
    configuration = configuration_in(folder)
    try:
        with Journal.resume(folder) as journal:
            return configuration, points_of(configuration, standings_of(configuration, journal.records))
    except ValueError as error:
        raise TournamentError(f"{folder / CONFIGURATION}: {error}") from None
