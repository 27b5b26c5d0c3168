"""`surajang bench supply`: bench positions and openings of shipped games that lack them."""

import subprocess
import sys
from pathlib import Path

import click

from ....engine import bench_positions
from ....engine.definition.catalogue import shipped
from ....engine.variant import Variant
from ....match.openings import opening_suites
from ....match.openings.openings import BookError
from ....protocol.terminal.command_options import told_errors
from ....protocol.terminal.progress import compile_with_bar
from .quick_openings import save_quick_suite
from .quick_positions import save_quick_positions


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
def main(games: tuple[str, ...]) -> None:
    """Make bench positions and a small suite of openings for shipped games that lack them.

    Without GAME for all such games. It takes half a minute for each, most of it for compiling. Existing files
    are kept: delete one to make it again. The same code gives the same files."""
    known = shipped()
    if unknown := [game for game in games if game not in known]:
        raise click.UsageError(f"{unknown[0]!r} is not a shipped game")
    lacking = [game for game in games or known if not all(path.exists() for path in files_of(game))]
    failed = []
    for game in lacking:
        if len(lacking) == 1:
            supply(Variant(game))
        # A process for each game, so that memory does not grow with compiled code.
        elif subprocess.run([sys.executable, "-m", "surajang", "bench", "supply", game]).returncode:
            failed.append(game)
    if failed:
        raise click.ClickException(f"nothing or not everything was made for {', '.join(failed)}")


def files_of(game: str) -> tuple[Path, Path]:
    """The suite of openings and the list of bench positions of a game."""
    suite = opening_suites.FOLDER / f"{game}{opening_suites.SUFFIX}"
    return suite, bench_positions.FOLDER / f"{game}.epd"


def supply(variant: Variant) -> None:
    """Makes the files of a game that are missing. Raises ClickException."""
    suite, positions = files_of(variant)
    compile_with_bar(variant)
    with told_errors(failures=(BookError,)):
        if not suite.exists():
            click.echo(save_quick_suite(variant, suite))
        if not positions.exists():
            number = save_quick_positions(variant, suite, positions)
            click.echo(f"{variant.description.title}: {number} bench positions")
