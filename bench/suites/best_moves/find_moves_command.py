"""`surajang bench find-moves`: a suite of best moves from games of the engine against itself."""

from collections import Counter
from pathlib import Path

import click
from rich.table import Table

from ....engine.game.catalogue import load
from ....eval.network.file import load_network
from ....eval.network.installing import default_network_path
from ....learn.self_play.data_command import NODES as GAME_NODES
from ....learn.self_play.data_command import opening_options, self_play, worker_options
from ....learn.self_play.games_file import evaluation_digest
from ....protocol.terminal.console import console
from ....protocol.terminal.options import variant_option
from ....protocol.terminal.outputs import OutputFile
from ..collecting import collect, journal_of, told_errors
from .finding import MoveFinder, counts_of
from .suite import BestMove, first_of, read_moves, write_moves


@click.command()
@variant_option
@click.option(
    "--positions", default=100, show_default=True, type=click.IntRange(1), help="Positions in the suite."
)
@click.option(
    "--games", default=2000, show_default=True, type=click.IntRange(1), help="Maximum number of games."
)
@click.option(
    "--nodes", default=2_000_000, show_default=True, type=click.IntRange(1), help="Nodes of each deep search."
)
@click.option(
    "--margin",
    default=80,
    show_default=True,
    type=click.IntRange(1),
    help="Centipawns by which a move is better than the next.",
)
@click.option(
    "--game-nodes",
    default=GAME_NODES,
    show_default=True,
    type=click.IntRange(1),
    help="Average nodes of a search in the games.",
)
@opening_options
@worker_options
@click.option("--out", required=True, type=OutputFile(), help="The suite.")
def main(
    variant: str,
    positions: int,
    games: int,
    nodes: int,
    margin: int,
    game_nodes: int,
    plies: int,
    seed: int,
    concurrency: int,
    cluster: str | None,
    out: Path,
) -> None:
    """Play games and keep positions with one best move, which a short search misses and deep searches find.

    The results of each game are kept in a file beside the suite. The same command resumes from it, and the
    same settings give the same suite."""
    journal = journal_of(out)

    def suite() -> list[BestMove]:
        return first_of(read_moves(journal, variant, check=False), positions)

    with told_errors():
        finder = MoveFinder(
            self_play(variant, game_nodes, None, plies, seed), nodes, margin, _evaluation_of(variant)
        )
        collect(finder, games, journal, cluster, concurrency, lambda: len(suite()), positions)
        moves = suite()
        settings = finder.heading.removeprefix(f"{variant}, ")
        write_moves(out, moves, f"{load(variant).title}: best moves from games at {settings}")
        left_out = counts_of(journal.read_text(encoding="utf-8").splitlines())
    if left_out:
        console().print(_table(left_out))
    click.echo(f"{len(moves)} best moves in {out}")


def _evaluation_of(variant: str) -> str:
    """The digest of the evaluation that the engine takes for a game. Raises VariantError, NetworkError."""
    path = default_network_path(variant)
    return evaluation_digest(variant, load_network(path, variant) if path.exists() else None)


def _table(left_out: Counter[str]) -> Table:
    """How many positions were left out, and why."""
    table = Table()
    table.add_column("left out")
    table.add_column("positions", justify="right")
    for why, count in left_out.most_common():
        table.add_row(why, f"{count:,}")
    return table
