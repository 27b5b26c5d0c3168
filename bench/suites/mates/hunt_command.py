"""`surajang bench hunt`: a suite of forced mates from games of the engine against itself."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import click

from ....engine.variant import Variant
from ....learn.self_play.generator import game_errors
from ....learn.self_play.options import MostGames, SelfPlayOptions
from ....protocol.terminal.command_options import Option, with_options
from ....protocol.terminal.options import variant_option
from ..collecting import Out, collect
from .hunting import MateHunt
from .mate_file import Mate, chosen, read_mates

NEVER = 1 << 20  # centipawns: no game is adjudicated before the mate


@click.command()
@variant_option
@with_options
def main(
    variant: Variant,
    *,
    count: Annotated[int, Option("Mates in the suite.", least=1)] = 200,
    games: MostGames = 2000,
    self_play: SelfPlayOptions,
    out: Out,
) -> None:
    """Play games and keep forced mates in 2 to 6 moves, proven by exhaustion.

    All mates of the games are kept in a file beside the suite. The same command resumes from it, and the same
    settings give the same suite."""

    def suite(journal: Path) -> list[Mate]:
        return chosen(read_mates(journal, variant), count)

    with game_errors(ValueError):
        hunt = MateHunt(self_play.work(variant, win_score=NEVER))
        place = self_play.cluster, self_play.concurrency
        mates = collect(hunt, games, out, *place, suite, count, "forced mates")
    counts = Counter(mate.moves for mate in mates)
    lengths = ", ".join(f"{number} in {moves}" for moves, number in sorted(counts.items()))
    click.echo(f"{len(mates)} mates in {out}: {lengths}")
