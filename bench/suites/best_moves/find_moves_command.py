"""`surajang bench find-moves`: a suite of best moves from games of the engine against itself."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import click
from rich.table import Table

from ....engine.variant import Variant
from ....eval.network.installing import default_network
from ....learn.self_play.games_file import evaluation_digest
from ....learn.self_play.generator import game_errors
from ....learn.self_play.options import NODES as GAME_NODES
from ....learn.self_play.options import Concurrency, MostGames, Plies, Seed, SelfPlayOptions
from ....protocol.terminal.command_options import Cluster, Option, with_options
from ....protocol.terminal.console import console, table
from ....protocol.terminal.options import variant_option
from ..collecting import Out, collect, journal_of
from .best_move_file import BestMove, first_of, read_moves
from .finding import MoveFinder, counts_of


@click.command()
@variant_option
@with_options
def main(
    variant: Variant,
    *,
    positions: Annotated[int, Option("Positions in the suite.", least=1)] = 100,
    games: MostGames = 2000,
    nodes: Annotated[int, Option("Nodes of each deep search.", least=1)] = 2_000_000,
    margin: Annotated[int, Option("Centipawns by which a move is better than the next.", least=1)] = 80,
    game_nodes: Annotated[int, Option("Average nodes of a search in the games.", least=1)] = GAME_NODES,
    plies: Plies = 8,
    seed: Seed = 1,
    concurrency: Concurrency = 1,
    cluster: Cluster = None,
    out: Out,
) -> None:
    """Play games and keep positions with one best move, which a short search misses and deep searches find.

    The results of each game are kept in a file beside the suite. The same command resumes from it, and the
    same settings give the same suite."""

    def suite(journal: Path) -> list[BestMove]:
        return first_of(read_moves(journal, variant, check=False), positions)

    play = SelfPlayOptions(nodes=game_nodes, plies=plies, seed=seed)
    with game_errors(ValueError):
        evaluation = evaluation_digest(variant, default_network(variant))
        finder = MoveFinder(play.work(variant), nodes, margin, evaluation)
        moves = collect(finder, games, out, cluster, concurrency, suite, positions, "best moves")
        left_out = counts_of(journal_of(out).read_text(encoding="utf-8").splitlines())
    if left_out:
        console().print(_table(left_out))
    click.echo(f"{len(moves)} best moves in {out}")


def _table(left_out: Counter[str]) -> Table:
    """How many positions were left out, and why."""
    shown = table("left out", "positions")
    for why, count in left_out.most_common():
        shown.add_row(why, f"{count:,}")
    return shown
