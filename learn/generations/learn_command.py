"""`surajang learn`: trains networks for a game, generation after generation, from nothing but its rules."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from ...engine.game.description import VariantError
from ...engine.variant import Variant
from ...eval.network.file import NetworkError
from ...match.workers.options import own_file
from ...protocol.terminal.command_options import NEW_FOLDER, Cluster, Option, told_errors, with_options
from ...protocol.terminal.interrupts import INTERRUPTED
from ...protocol.terminal.options import variant_option
from ..training.train_command import BY_POSITIONS, POSITIVE, Hidden, KingBuckets

if TYPE_CHECKING:
    from .generations import LearningPlan

POSITIONS, NODES, GENERATIONS = 2_000_000, 400, 3


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


@click.command()
@variant_option
@with_options
def main(
    variant: Variant,
    *,
    out: Annotated[Path | None, Option("Folder of the run.  [default: learn-NAME]", type=NEW_FOLDER)] = None,
    generations: Annotated[int, Option("Number of generations.", least=1, most=999)] = GENERATIONS,
    hours: Annotated[float | None, Option("Hours for all generations of this call.", type=POSITIVE)] = None,
    options: PlanOptions,
    concurrency: Annotated[int, Option("Number of processes.", least=1, most=256)] = 1,
    cluster: Cluster = None,
    no_install: Annotated[bool, Option("Leave accepted networks in the folder of the run.")] = False,
    take_back: Annotated[
        bool, Option("Restore the network from before the last one that was installed.")
    ] = False,
) -> None:
    """Train networks for a game, generation after generation.

    Each generation plays games with the best network so far, trains the next one on them, and accepts it if
    it wins a match at equal nodes and does not lose one by the clock. The first generation plays with the
    hand-written evaluation. The engine finds an accepted network by itself. The same command resumes a run
    that was stopped or killed."""
    from ...eval.network.installing import take_back as put_back
    from ...match.records.journal import JournalError
    from .compile_run import compile_run
    from .generations import (
        InterruptedRunError,
        LearningError,
        LearningResources,
        Loop,
        folder_lock,
        open_folder,
        seconds_each,
    )
    from .learning import default_folder, run_generations

    with told_errors(LearningError, NetworkError, VariantError, failures=(JournalError, OSError)):
        try:
            if take_back:
                click.echo(put_back(variant))
                return
            folder = out or default_folder(variant)
            plan = open_folder(folder, _plan(variant, options))
            resources = LearningResources(concurrency, cluster, seconds_each(folder, generations, hours))
            loop = Loop(folder, plan, resources, click.echo)
            with folder_lock(folder):
                compile_run(plan, loop.best(generations + 1), generations, cluster)
                for _ in run_generations(loop, generations, not no_install):
                    pass
        except InterruptedRunError:
            click.echo(f"Interrupted. The same command continues the run in {folder}.", err=True)
            raise click.exceptions.Exit(INTERRUPTED) from None


def _plan(variant: Variant, options: PlanOptions) -> "LearningPlan":
    """The `LearningPlan` of the options. Raises BadParameter for options that would fail later."""
    from .learning import PlanError, make_plan

    try:
        return make_plan(variant=variant, toml=own_file(variant), **asdict(options))
    except PlanError as error:
        raise click.BadParameter(error.reason, param_hint=f"--{error.name}") from None
