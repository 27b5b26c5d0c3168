"""The options of `surajang learn`."""

from dataclasses import dataclass
from typing import Annotated

from ...protocol.terminal.command_options import Option
from ..training.train_command import BY_POSITIONS, POSITIVE, Hidden, KingBuckets

POSITIONS, NODES, GENERATIONS = 2_000_000, 400, 3
Generations = Annotated[int, Option("Number of generations.", least=1, most=999)]
Hours = Annotated[float | None, Option("Hours for all generations of this call.", type=POSITIVE)]
Processes = Annotated[int, Option("Number of processes.", least=1, most=256)]


@dataclass(frozen=True)
class PlanOptions:
    """The options of a `LearningPlan` except the game; None means that the number of positions decides."""

    positions: Annotated[int, Option("Positions from the games of the first generation.", least=1)] = (
        POSITIONS
    )
    growth: Annotated[
        float,
        Option(
            "Ratio of the positions of each generation to those of the generation before.", least=1, most=10
        ),
    ] = 1.0
    nodes: Annotated[int, Option("Nodes per move in these games.", least=1)] = NODES
    plies: Annotated[int, Option("Random plies at the start of a game.", least=0, most=200)] = 8
    hidden: Hidden = None
    king_buckets: KingBuckets = None
    epochs: Annotated[
        float | None,
        Option(f"Maximum number of epochs of a training.  [default: {BY_POSITIONS}]", type=POSITIVE),
    ] = None
    factor_games: Annotated[
        int,
        Option("Maximum number of games of each duel that tries a search factor; 0 for no duels.", least=0),
    ] = 600
    games: Annotated[int, Option("Maximum number of games of each match.", least=2)] = 200
    match_nodes: Annotated[int, Option("Nodes per move in the first match.", least=1)] = 4000
    tc: Annotated[str, Option("Clock of the second match, seconds+increment.")] = "2+0.02"
    sprt: Annotated[str, Option("Test that ends matches early.")] = "elo0=0 elo1=30"
    seed: Annotated[int, Option("Random seed.", least=0, most=2**32)] = 1
