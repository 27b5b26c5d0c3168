"""`surajang bench data`: quiet positions from games of the engine against itself, for tuning and training."""

import sys
from concurrent.futures import BrokenExecutor
from pathlib import Path

import click

from ..engine.description import VariantError
from ..protocol.options import variant_option
from ..protocol.progress import compile_with_bar, tracked
from .field import FieldError
from .place import INTERRUPTED, field_at, own_file, stopped_by_signals
from .tuning.samples import SampleError, SampleFile, SelfPlay

_SELF_PLAY = (
    click.option("--nodes", default=5000, show_default=True, type=click.IntRange(1), help="Of each search."),
    click.option("--plies", default=6, show_default=True, type=click.IntRange(0), help="Random ones, first."),
    click.option("--seed", default=1, show_default=True, type=click.IntRange(0), help="Of the random moves."),
    click.option(
        "--concurrency", default=1, show_default=True, type=click.IntRange(1), help="Games at once."
    ),
    click.option(
        "--cluster", metavar="ADDRESS", help="The scheduler of a Dask cluster that plays the games."
    ),
)


def self_play_options(function):
    """The options of the games: --nodes, --plies, --seed, and where they are played."""
    for option in reversed(_SELF_PLAY):
        function = option(function)
    return function


def generate(work, games, path, cluster=None, concurrency=1, enough=lambda: False):
    """Plays what is missing of so many games and adds their samples to the file at `path`, in order.

    Once there is `enough()` no more are played. Returns the number of samples that were added. The first
    Ctrl-C or SIGTERM ends the command; what is in the file stays. Raises SampleError, VariantError,
    FieldError, OSError."""
    with SampleFile(path, work) as file:
        missing = range(file.games, games)
        if missing and not enough():
            if not cluster:
                compile_with_bar(work.variant)
            _play(work, missing, file, field_at(cluster, concurrency, processes=True), enough)
        return file.added


def _play(work, numbers, file, place, enough):
    """Plays the games with these numbers at a place and adds them to the file, until there is `enough()`."""
    with place as field, stopped_by_signals(field) as interrupted:
        try:
            for number, samples in tracked(field.run(work, numbers), "games", len(numbers)):
                file.add(number, samples)
                if enough():
                    break
        except BrokenExecutor:
            raise FieldError(
                "a process that played games was killed: is there memory for so many? "
                "The games before are in the file, and the same command goes on"
            ) from None
    if interrupted:
        raise click.exceptions.Exit(INTERRUPTED)


@click.command()
@variant_option
@click.option("--games", default=1000, show_default=True, type=click.IntRange(1), help="In the whole file.")
@self_play_options
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The file.")
def main(variant, games, nodes, plies, seed, concurrency, cluster, out):
    """Play games of the engine against itself and keep their quiet positions, each with the search's score
    and the game's result. A file that is there is gone on with."""
    work = SelfPlay(variant, nodes, plies, seed, toml=own_file(variant))
    try:
        added = generate(work, games, out, cluster, concurrency)
    except (SampleError, VariantError) as error:
        raise click.UsageError(str(error)) from None
    except (FieldError, OSError) as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{added:,} positions added to {out}", file=sys.stdout)
