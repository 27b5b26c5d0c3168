"""`surajang bench hunt`: a suite of forced mates from games of the engine against itself."""

from pathlib import Path

import click

from ..engine.description import VariantError, load
from ..protocol.options import variant_option
from .data import generate, self_play_options
from .field import FieldError
from .mating.hunting import MateHunt
from .mating.suite import chosen, read_mates, write_mates
from .place import own_file
from .tuning.samples import SampleError


@click.command()
@variant_option
@click.option("--count", default=200, show_default=True, type=click.IntRange(1), help="Mates in the suite.")
@click.option("--games", default=2000, show_default=True, type=click.IntRange(1), help="To play at most.")
@self_play_options
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The file.")
def main(variant, count, games, nodes, plies, seed, concurrency, cluster, out):
    """Play games of the engine against itself and keep forced mates in 2 to 6 moves, proven by exhaustion.

    All mates of the games stay in a file beside the suite, which is gone on with: the same settings give the
    same suite."""
    work = MateHunt(variant, nodes, plies, seed, toml=own_file(variant))
    journal = out.with_name(f"{out.name}.games")

    def suite():
        return chosen(read_mates(journal, variant), count)

    try:
        generate(work, games, journal, cluster, concurrency, enough=lambda: len(suite()) == count)
        mates = suite()
        settings = f"{nodes} nodes, {plies} plies, seed {seed}"
        write_mates(out, mates, f"{load(variant).title}: forced mates from games at {settings}")
    except (SampleError, VariantError, ValueError) as error:
        raise click.UsageError(str(error)) from None
    except (FieldError, OSError) as error:
        raise click.ClickException(str(error)) from None
    lengths = ", ".join(f"{number} in {moves}" for moves, number in lengths_of(mates).items())
    click.echo(f"{len(mates)} mates in {out}: {lengths}")


def lengths_of(mates):
    """Length in moves -> number of mates."""
    lengths = sorted(mate.moves for mate in mates)
    return {moves: lengths.count(moves) for moves in lengths}
