"""`surajang bench hunt`: a suite of forced mates from games of the engine against itself."""

from collections.abc import Iterable
from pathlib import Path

import click

from ....engine.game.catalogue import load
from ....learn.self_play.data_command import self_play, self_play_options
from ....protocol.terminal.options import variant_option
from ....protocol.terminal.outputs import OutputFile
from ..collecting import collect, journal_of, told_errors
from .hunting import MateHunt
from .suite import Mate, chosen, read_mates, write_mates

NEVER = 1 << 20  # centipawns: no game is adjudicated before the mate


@click.command()
@variant_option
@click.option("--count", default=200, show_default=True, type=click.IntRange(1), help="Mates in the suite.")
@click.option(
    "--games", default=2000, show_default=True, type=click.IntRange(1), help="Maximum number of games."
)
@self_play_options
@click.option("--out", required=True, type=OutputFile(), help="The suite.")
def main(
    variant: str,
    count: int,
    games: int,
    nodes: int | None,
    depth: int | None,
    plies: int,
    seed: int,
    eval_file: Path | None,
    concurrency: int,
    cluster: str | None,
    out: Path,
) -> None:
    """Play games and keep forced mates in 2 to 6 moves, proven by exhaustion.

    All mates of the games are kept in a file beside the suite. The same command resumes from it, and the same
    settings give the same suite."""
    journal = journal_of(out)

    def suite() -> list[Mate]:
        return chosen(read_mates(journal, variant), count)

    with told_errors():
        hunt = MateHunt(self_play(variant, nodes, depth, plies, seed, eval_file, win_score=NEVER))
        collect(hunt, games, journal, cluster, concurrency, lambda: len(suite()), count)
        mates = suite()
        settings = hunt.heading.removeprefix(f"{variant}, ")
        write_mates(out, mates, f"{load(variant).title}: forced mates from games at {settings}")
    lengths = ", ".join(f"{number} in {moves}" for moves, number in lengths_of(mates).items())
    click.echo(f"{len(mates)} mates in {out}: {lengths}")


def lengths_of(mates: Iterable[Mate]) -> dict[int, int]:
    """Length in moves -> number of mates."""
    lengths = sorted(mate.moves for mate in mates)
    return {moves: lengths.count(moves) for moves in lengths}
