"""`surajang bench data`: games of the engine against itself, for tuning and training, and statistics of
them."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated

import click

from ...engine.variant import Variant
from ...match.results.plot_option import plot_option
from ...protocol.terminal.command_options import FILE, NEW_FILE, Option, told_errors, with_options
from ...protocol.terminal.options import told_unknown_game, variant_file_option, variant_option
from ...protocol.terminal.progress import counted
from .options import SelfPlayOptions

GAMES = 1000


class _DataGroup(click.Group):
    """Runs `play` if no command is named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or (args[0] not in self.commands and args[0] != "--help"):
            args = ["play", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_DataGroup)
def main() -> None:
    """Play games for training into a file (`play`, the default), show them, or count them."""


@main.command()
@variant_option
@with_options
def play(
    variant: Variant,
    *,
    games: Annotated[int | None, Option(f"Games in the whole file.  [default: {GAMES}]", least=1)] = None,
    positions: Annotated[int | None, Option("Quiet positions in the whole file.", least=1)] = None,
    self_play: SelfPlayOptions,
    out: Annotated[Path, Option("The file of games.", type=NEW_FILE)],
) -> None:
    """Play games of the engine against itself and keep their results and moves with the scores of the search.

    Games with shuffled starts, as Chess960, begin from all of them in turn. An existing file is continued.
    The same seed and settings give the same file on every machine."""
    from .generator import MAX_GAMES, game_errors, play_into
    from .starts import starts_for

    games = games or (MAX_GAMES if positions else GAMES)
    with game_errors():
        work = self_play.work(variant, starts_for(variant))
        added, kept = play_into(out, work, games, positions, self_play.cluster, self_play.concurrency)
    click.echo(f"{added:,} games with {kept:,} quiet positions added to {out}")


POSITIONS_HELP = "Show quiet positions by number, from 0: FEN ; score ; points, both from White's view."


@contextmanager
def _file_errors() -> Iterator[None]:
    """Converts the errors of a file of games to those of the command line."""
    from .games_file import GamesError

    with told_errors(GamesError), told_unknown_game():
        yield


@main.command()
@variant_file_option
@click.argument("file", type=FILE)
@with_options
def show(
    file: Path,
    game: Annotated[
        int | None, Option("Show all plies of the game with this number, from 0.", least=0)
    ] = None,
    positions: Annotated[str | None, Option(POSITIONS_HELP, metavar="FIRST[-LAST]")] = None,
) -> None:
    """Show games or positions of a file, by default the first game."""
    from .viewing import game_lines, position_lines

    if game is not None and positions:
        raise click.UsageError("--game or --positions, not both")
    with _file_errors():
        lines = position_lines(file, *_range(positions)) if positions else game_lines(file, game or 0)
        for line in lines:
            click.echo(line)


def _range(text: str) -> tuple[int, int]:
    """(first, last) of a text like "7" or "0-99". Raises BadParameter."""
    first, dash, last = text.partition("-")
    with suppress(ValueError):
        found = int(first), int(last if dash else first)
        if 0 <= found[0] <= found[1]:
            return found
    raise click.BadParameter(
        f"{text!r} is not a number like 7 or a range like 0-99", param_hint="--positions"
    )


@main.command()
@variant_file_option
@click.argument("file", type=FILE)
@with_options
def stats(
    file: Path, plot: Annotated[Path | None, plot_option("Draw the statistics: PNG, SVG, PDF.")] = None
) -> None:
    """Count what is in a file: lengths, results, scores, phases, doubles."""
    from ...protocol.terminal.console import console
    from .statistics import collect, heading, tables

    with _file_errors():
        with counted("bytes", 0, file.stat().st_size, "positions") as progress:
            found = collect(file, progress=progress)
        click.echo(heading(found))
        for table in tables(found):
            console().print(table)
        if plot is not None:
            from .plots import plot_statistics

            plot_statistics(found, plot, heading(found))
