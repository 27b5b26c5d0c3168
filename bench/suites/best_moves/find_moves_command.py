"""`surajang bench find-moves`: a suite of best moves from fast games of the engine against itself.

A game's searches are short. If the score of a move differs strongly from that of the next one, one of the two
movers was mistaken; such positions are examined first."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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
from ..collecting import Moment, Out, collect, counted_found, journal_of, shortage
from ..judged_source import LEFT_OUT, JudgedSource
from .best_move_file import BestMove, first_of, read_moves
from .judging import MoveJudge

FIRST_PLY = 12  # of a game from which positions are examined
EXAMINED = 12  # positions of a game
DECIDED = 600  # centipawns by the game's own search
EARLY, UNSCORED, WON, CALM = "early", "unscored", "decided", "calm"


@dataclass(frozen=True)
class MoveFinder(JudgedSource):
    """Plays one of the games that `work` describes and returns its `BestMove`s; any process may call it. The
    deep search has so many `nodes`; `margin` in centipawns."""

    margin: int
    per_game, apart = 3, 8

    @property
    def heading(self) -> str:
        games = super().heading
        return f"{games}, then {self.nodes} nodes, margin {self.margin}, evaluation {self.evaluation}"

    @staticmethod
    def examined(moments: Sequence[Moment], left_out: Counter[str]) -> Sequence[Moment]:
        """At most EXAMINED positions, those with the largest changes of score first; counts
        the others in `left_out`."""
        changes: dict[int, int] = {}  # by ply
        for moment, following in zip(moments, [*moments[1:], None], strict=True):
            if moment.ply < FIRST_PLY:
                left_out[EARLY] += 1
            elif moment.score is None or following is None or following.score is None:
                left_out[UNSCORED] += 1
            elif abs(moment.score) >= DECIDED:
                left_out[WON] += 1
            else:
                changes[moment.ply] = abs(following.score - moment.score)
        plies = sorted(changes, key=lambda ply: (-changes[ply], ply))
        left_out[CALM] += len(plies[EXAMINED:])
        return [moments[ply] for ply in plies[:EXAMINED]]

    def new_judge(self) -> MoveJudge:
        return MoveJudge(self.variant, self.nodes, self.margin)


def counts_of(lines: Iterable[str]) -> Counter[str]:
    """Reason -> how many positions were left out for it, from the lines of a journal."""
    counts: Counter[str] = Counter()
    for line in lines:
        if line.startswith(LEFT_OUT):
            for part in line.removeprefix(LEFT_OUT).split(", "):
                count, _, why = part.partition(" ")
                counts[why] += int(count)
    return counts


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
        finder = MoveFinder(play.work(variant), nodes, evaluation, margin)
        moves = collect(finder, games, out, cluster, concurrency, suite, positions, "best moves")
        left_out = counts_of(journal_of(out).read_text(encoding="utf-8").splitlines())
    if left_out:
        console().print(_table(left_out))
    found = counted_found(len(moves), "best moves")
    click.echo(f"{found} in {out}{shortage(len(moves), positions, games)}")


def _table(left_out: Counter[str]) -> Table:
    """How many positions were left out, and why."""
    shown = table("left out", "positions")
    for why, count in left_out.most_common():
        shown.add_row(why, f"{count:,}")
    return shown
