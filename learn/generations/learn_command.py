"""`surajang learn`: trains networks for a game, generation after generation, from nothing but its rules."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from ...engine.game.description import VariantError
from ...engine.variant import Variant
from ...eval.network.file import NetworkError
from ...match.workers.options import own_file
from ...protocol.terminal.command_options import NEW_FOLDER, Cluster, Option, told_errors, with_options
from ...protocol.terminal.interrupts import INTERRUPTED
from ...protocol.terminal.options import refuse_beside, variant_option
from .learn_options import GENERATIONS, Generations, Hours, PlanOptions, Processes

if TYPE_CHECKING:
    from .generations import LearningPlan

TAKING_BACK = ("variant", "variant_file", "take_back")  # the options of a network to restore


@click.command()
@variant_option
@with_options
def main(
    variant: Variant,
    *,
    out: Annotated[Path | None, Option("Folder of the run.  [default: learn-NAME]", type=NEW_FOLDER)] = None,
    generations: Generations = GENERATIONS,
    hours: Hours = None,
    options: PlanOptions,
    concurrency: Processes = 1,
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
                refuse_beside(click.get_current_context(), TAKING_BACK, "--take-back")
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
