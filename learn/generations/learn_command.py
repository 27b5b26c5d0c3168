"""`surajang learn`: networks for a game, generation after generation, from nothing but its rules."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...engine.game.description import VariantError
from ...eval.network.file import MAX_KING_BUCKETS, NetworkError
from ...match.workers.options import own_file
from ...protocol.terminal.command_options import RenamedOption
from ...protocol.terminal.options import variant_option
from ...protocol.terminal.outputs import OutputFolder
from ..training.train_command import BY_POSITIONS

if TYPE_CHECKING:
    from .generations import LearningPlan

POSITIONS, NODES, GENERATIONS = 2_000_000, 400, 3
_SECONDS = 3600


@click.command()
@variant_option
@click.option(
    "--out",
    type=OutputFolder(),
    help="Folder of the run.  [default: learn-NAME]",
)
@click.option(
    "--generations",
    default=GENERATIONS,
    show_default=True,
    type=click.IntRange(1, 999),
    help="Number of generations.",
)
@click.option(
    "--hours", type=click.FloatRange(0, min_open=True), help="Hours for all generations of this call."
)
@click.option(
    "--positions",
    default=POSITIONS,
    show_default=True,
    type=click.IntRange(1),
    help="Positions from the games of the first generation.",
)
@click.option(
    "--growth",
    default=1.0,
    show_default=True,
    type=click.FloatRange(1, 10),
    help="Ratio of the positions of each generation to those of the generation before.",
)
@click.option(
    "--nodes", default=NODES, show_default=True, type=click.IntRange(1), help="Nodes per move in these games."
)
@click.option(
    "--plies",
    default=8,
    show_default=True,
    type=click.IntRange(0, 200),
    help="Random plies at the start of a game.",
)
@click.option(
    "--hidden",
    type=click.IntRange(16, 4096),
    help=f"Neurons of the network.  [default: {BY_POSITIONS}]",
)
@click.option(
    "--king-buckets",
    "--zones",
    cls=RenamedOption,
    type=click.IntRange(1, MAX_KING_BUCKETS),
    help=f"King buckets: places of the own king that have separate weights.  [default: {BY_POSITIONS}]",
)
@click.option(
    "--epochs",
    type=click.FloatRange(0, min_open=True),
    help=f"Maximum number of epochs of a training.  [default: {BY_POSITIONS}]",
)
@click.option(
    "--factor-games",
    default=600,
    show_default=True,
    type=click.IntRange(0),
    help="Maximum number of games of each duel that tries a search factor; 0 for no duels.",
)
@click.option(
    "--games",
    default=200,
    show_default=True,
    type=click.IntRange(2),
    help="Maximum number of games of each match.",
)
@click.option(
    "--match-nodes",
    default=4000,
    show_default=True,
    type=click.IntRange(1),
    help="Nodes per move in the first match.",
)
@click.option(
    "--tc", default="2+0.02", show_default=True, help="Clock of the second match, seconds+increment."
)
@click.option("--sprt", default="elo0=0 elo1=30", show_default=True, help="Test that ends matches early.")
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0, 2**32), help="Random seed.")
@click.option(
    "--concurrency", default=1, show_default=True, type=click.IntRange(1, 256), help="Number of processes."
)
@click.option("--cluster", metavar="ADDRESS", help="Play the games on the Dask cluster of this scheduler.")
@click.option("--no-install", is_flag=True, help="Leave accepted networks in the folder of the run.")
@click.option(
    "--take-back", is_flag=True, help="Restore the network from before the last one that was installed."
)
def main(
    variant: str,
    out: Path | None,
    generations: int,
    hours: float | None,
    concurrency: int,
    cluster: str | None,
    no_install: bool,
    take_back: bool,
    **options: Any,
) -> None:
    """Train networks for a game, generation after generation.

    Each generation plays games with the best network so far, trains the next one on them, and accepts it if
    it wins a match at equal nodes and does not lose one by the clock. The first generation plays with the
    hand-written evaluation. The engine finds an accepted network by itself. The same command resumes a run
    that was stopped or killed."""
    from ...eval.network.installing import take_back as put_back
    from ...match.records.journal import JournalError
    from .generations import (
        INTERRUPTED,
        InterruptedRunError,
        LearningError,
        LearningResources,
        Loop,
        alone,
        open_folder,
    )
    from .learning import default_folder, run_generations

    try:
        if take_back:
            click.echo(put_back(variant))
            return
        folder = out or default_folder(variant)
        plan = open_folder(folder, _plan(variant, options))
        seconds = hours and hours * _SECONDS / generations
        resources = LearningResources(concurrency, cluster, seconds)
        loop = Loop(folder, plan, resources, click.echo)
        with alone(folder):
            _compile_all(plan.variant, loop.best(generations + 1), cluster)
            for _ in run_generations(loop, generations, not no_install):
                pass
    except InterruptedRunError:
        click.echo(f"Interrupted. The same command continues the run in {folder}.", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None
    except (LearningError, NetworkError, VariantError) as error:
        raise click.UsageError(str(error)) from None
    except (JournalError, OSError) as error:
        raise click.ClickException(str(error)) from None


def _compile_all(variant: str, network: Path | None, cluster: str | None) -> None:
    """Compiles what games by `network`, trainings and matches need, with one bar. The code for a new network
    depends on its size; matches compile that."""
    from ...eval.network.file import load_network
    from ...protocol.terminal.progress import CompileAll, compile_together, compiling
    from ..self_play.generator import compile_all
    from ..training.train_command import compile_training

    works: list[tuple[str, CompileAll]] = [(f"{variant}: training", partial(compile_training, variant))]
    if not cluster:
        player = load_network(network, variant) if network else None
        works = [
            (f"{variant}: games", partial(compile_all, variant, player)),
            *works,
            (f"{variant}: matches", compiling(variant, str(network) if network else False)),
        ]
    compile_together(works, "part")


def _plan(variant: str, options: dict[str, Any]) -> "LearningPlan":
    """The `LearningPlan` that the options make. Raises BadParameter for options that would fail later."""
    from .learning import PlanError, make_plan

    try:
        return make_plan(variant=variant, toml=own_file(variant), **options)
    except PlanError as error:
        raise click.BadParameter(error.reason, param_hint=f"--{error.name}") from None
