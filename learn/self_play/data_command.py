"""`surajang bench data`: games of the engine against itself, for tuning and training, and what is in them."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ...engine.game.description import VariantError
from ...match.workers.options import own_file
from ...match.workers.pool import WorkersError
from ...protocol.terminal.options import variant_file_option, variant_option
from ...protocol.terminal.outputs import OutputFile
from ...protocol.terminal.progress import counted

if TYPE_CHECKING:
    from .generator import PlayGames

F = TypeVar("F", bound=Callable[..., Any])

GAMES = 1000
NODES = 1000
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)

_SEARCH = (
    click.option(
        "--nodes",
        type=click.IntRange(1),
        help=f"Average nodes of a search, which finishes its iteration.  [default: {NODES}]",
    ),
    click.option("--depth", type=click.IntRange(1, 100), help="Depth of each search in plies instead."),
)
_OPENING = (
    click.option(
        "--plies",
        default=8,
        show_default=True,
        type=click.IntRange(0, 200),
        help="Random plies at the start of a game.",
    ),
    click.option(
        "--seed",
        default=1,
        show_default=True,
        type=click.IntRange(0, 2**64 - 1),
        help="Seed of the random moves.",
    ),
)
_EVALUATION = (
    click.option(
        "--eval-file",
        type=_FILE,
        help="The network that plays.  [default: the hand-written evaluation]",
    ),
)
_WORKERS = (
    click.option(
        "--concurrency",
        default=1,
        show_default=True,
        type=click.IntRange(1),
        help="Number of processes that play.",
    ),
    click.option("--cluster", metavar="ADDRESS", help="Play on the Dask cluster of this scheduler."),
)


def _with(function: F, options: Iterable[Callable[[F], F]]) -> F:
    """The function of a command with these options, in this order."""
    for option in reversed(list(options)):
        function = option(function)
    return function


def self_play_options(function: F) -> F:
    """The options of the games: --nodes or --depth, --plies, --seed and --eval-file, and those that say
    where they are played."""
    return _with(function, (*_SEARCH, *_OPENING, *_EVALUATION, *_WORKERS))


def opening_options(function: F) -> F:
    """The options of the random moves that open a game: --plies, --seed."""
    return _with(function, _OPENING)


def worker_options(function: F) -> F:
    """The options that say where games are played: --concurrency, --cluster."""
    return _with(function, _WORKERS)


def self_play(
    variant: str,
    nodes: int | None,
    depth: int | None,
    plies: int,
    seed: int,
    eval_file: Path | None = None,
    **more: int,
) -> "PlayGames":
    """The `PlayGames` that the options name, with `more` of its `Settings`; says who plays the games. Raises
    UsageError for two limits, VariantError, NetworkError."""
    from ...eval.network.file import load_network
    from .compiled_games import Settings
    from .games_file import Header
    from .generator import PlayGames

    if nodes is not None and depth is not None:
        raise click.UsageError("--nodes and --depth are two limits of a search; give one of them")
    nodes = None if depth else nodes or NODES
    settings = Settings(nodes=nodes, depth=depth, plies=plies, seed=seed, **more)
    network = load_network(eval_file, variant) if eval_file else None
    header = Header.of(variant, settings, network)
    click.echo(f"{variant}: games by {header.player}", err=True)
    return PlayGames(header, own_file(variant), eval_file.read_bytes() if eval_file else None)


class _DataGroup(click.Group):
    """Runs `play` where no command is named."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or (args[0] not in self.commands and args[0] != "--help"):
            args = ["play", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_DataGroup)
def main() -> None:
    """Play games for training into a file (`play`, the default), show them, or count them."""


@main.command()
@variant_option
@click.option("--games", type=click.IntRange(1), help=f"Games in the whole file.  [default: {GAMES}]")
@click.option("--positions", type=click.IntRange(1), help="Quiet positions in the whole file.")
@self_play_options
@click.option("--out", required=True, type=OutputFile(), help="The file of games.")
def play(
    variant: str,
    games: int | None,
    positions: int | None,
    nodes: int | None,
    depth: int | None,
    plies: int,
    seed: int,
    eval_file: Path | None,
    concurrency: int,
    cluster: str | None,
    out: Path,
) -> None:
    """Play games of the engine against itself and keep their results and moves with the scores of the search.

    An existing file is continued. The same seed and settings give the same file on every machine."""
    from ...eval.network.file import NetworkError
    from .games_file import GamesError
    from .generator import MAX_GAMES, play_into

    games = games or (MAX_GAMES if positions else GAMES)
    try:
        work = self_play(variant, nodes, depth, plies, seed, eval_file)
        added, kept = play_into(out, work, games, positions, cluster, concurrency)
    except (GamesError, NetworkError, VariantError) as error:
        raise click.UsageError(str(error)) from None
    except (WorkersError, OSError) as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{added:,} games with {kept:,} quiet positions added to {out}")


OWN_GAME = "a game of your own needs --variant-file with its file"


@main.command()
@variant_file_option
@click.argument("file", type=_FILE)
@click.option("--game", type=click.IntRange(0), help="Show all plies of the game with this number, from 0.")
@click.option(
    "--positions",
    metavar="FIRST[-LAST]",
    help="Show quiet positions by number, from 0: FEN ; score ; points, both from White's view.",
)
def show(file: Path, game: int | None, positions: str | None) -> None:
    """Show games or positions of a file, by default the first game."""
    from .games_file import GamesError
    from .viewing import game_lines, position_lines

    try:
        if positions is not None:
            lines = position_lines(file, *_range(positions))
        else:
            lines = game_lines(file, game or 0)
        for line in lines:
            click.echo(line)
    except GamesError as error:
        raise click.UsageError(str(error)) from None
    except VariantError as error:
        raise click.UsageError(f"{error}; {OWN_GAME}") from None


def _range(text: str) -> tuple[int, int]:
    """(first, last) of a text like "7" or "0-99". Raises BadParameter."""
    first, dash, last = text.partition("-")
    with suppress(ValueError):
        found = int(first), int(last if dash else first)
        if 0 <= found[0] <= found[1]:
            return found
    raise click.BadParameter(f"{text!r} is not a number like 7, nor two like 0-99", param_hint="--positions")


@main.command()
@variant_file_option
@click.argument("file", type=_FILE)
@click.option("--plot", type=OutputFile(), help="Draw the statistics: PNG, SVG, PDF.")
def stats(file: Path, plot: Path | None) -> None:
    """Count what is in a file: lengths, results, scores, phases, doubles."""
    from ...protocol.terminal.console import console
    from .games_file import GamesError
    from .statistics import collect, heading, tables

    try:
        if plot is not None:
            from .plots import check_plot, plot_statistics

            check_plot(plot)
        with counted("bytes", 0, file.stat().st_size, "positions") as progress:
            found = collect(file, progress=progress)
        click.echo(heading(found))
        for table in tables(found):
            console().print(table)
        if plot is not None:
            plot_statistics(found, plot, heading(found))
    except GamesError as error:
        raise click.UsageError(str(error)) from None
    except VariantError as error:
        raise click.UsageError(f"{error}; {OWN_GAME}") from None
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--plot") from None
    except (ImportError, OSError) as error:
        raise click.ClickException(str(error)) from None
