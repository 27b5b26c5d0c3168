"""`surajang bench spsa`: tunes several settings of the search together, by games at equal nodes."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import click
from rich.table import Table

from ...engine.variant import Variant
from ...match.results.plot_option import plot_option
from ...match.workers.options import own_file
from ...match.workers.pool import Workers
from ...protocol.terminal.command_options import NEW_FILE, Cluster, Option, with_options
from ...protocol.terminal.console import console, table
from ...protocol.terminal.options import variant_option
from ...protocol.terminal.progress import compiled_with_bar, counted
from ..self_play.generator import game_errors, playing
from .duel_options import NodeClock, Plies, Processes, SearchNodes, word_errors
from .duels import PlayChoices, Tuned, duel_settings, parse_clock, parse_numbers, parse_player
from .spsa import Spsa, SpsaError, SpsaJournal, TuningPlan

NUMBERS_HELP = "Names of the settings, as in 'rfp_margin,lmr_base=600'; a value is a start value."


@click.command()
@variant_option
@with_options
def main(
    variant: Variant,
    *,
    numbers: Annotated[str, Option(NUMBERS_HELP, metavar="NAMES")],
    iterations: Annotated[int, Option("Number of iterations.", least=10)] = 5000,
    pairs: Annotated[int, Option("Pairs of games in each iteration.", least=1)] = 2,
    nodes: SearchNodes = 4000,
    clock: NodeClock = None,
    plies: Plies = 8,
    seed: Annotated[int, Option("Random seed.", least=0, most=2**32 - 1)] = 1,
    evaluation: Annotated[
        str, Option("The network; the default is the game's.", "--eval", metavar="FILE|none")
    ] = "",
    concurrency: Processes = 1,
    cluster: Cluster = None,
    out: Annotated[Path, Option("The journal.", type=NEW_FILE)],
    plot: Annotated[Path | None, plot_option("Draw the curves: PNG, SVG, PDF.")] = None,
) -> None:
    """Tune numbers of the search together (SPSA).

    Each iteration changes all numbers at once, randomly in both directions, and lets the two settings play.
    The same command resumes from the journal. Nothing else is written: test the result with
    `surajang bench duel`."""
    with word_errors():
        start = parse_numbers(numbers, variant.rules)
        player = parse_player(f"eval={evaluation}" if evaluation else "", variant)
        node_clock = parse_clock(clock) if clock is not None else None
    spsa = Spsa(TuningPlan(start, iterations, pairs, seed))
    settings = duel_settings(node_clock, nodes, plies=plies, seed=seed)
    limit = {"clock": clock} if clock is not None else {"nodes": nodes}
    conditions = {"variant": variant, **limit, "plies": plies, "eval": evaluation}
    with game_errors(SpsaError):
        work = PlayChoices(variant, settings, player, player, own_file(variant), clock=node_clock)
        with SpsaJournal(out, spsa, conditions) as journal:
            if len(spsa.done) < iterations:
                compiled_with_bar(variant, work.compile)
                with playing(cluster, concurrency) as pool:
                    _tune(work, pool, spsa, journal)
    console().print(_table(spsa))
    if plot is not None:
        from .spsa_plot import plot_course

        each = f"a clock of {clock} nodes" if clock is not None else f"{nodes:,} nodes"
        plot_course(spsa, plot, f"{variant}, {each}, {len(spsa.done):,} iterations")


def _tune(work: PlayChoices, pool: Workers, spsa: Spsa, journal: SpsaJournal) -> None:
    """Plays the missing iterations; each is proposed with the latest values when it begins."""
    plan = spsa.plan

    def tasks() -> Iterator[tuple[int, int, Tuned, Tuned]]:
        for iteration in range(plan.iterations):
            if iteration not in spsa.done:
                first, second = spsa.proposal(iteration)
                yield iteration, plan.pairs, tuple(first.items()), tuple(second.items())

    with counted("iterations", len(spsa.done), plan.iterations, "games") as tell:
        games = 0
        for (iteration, *_), points in pool.run(work, tasks()):
            journal.add(iteration, points)
            games += 2 * plan.pairs
            tell(len(spsa.done), games)


def _table(spsa: Spsa) -> Table:
    """The numbers at the start and now."""
    title = f"{len(spsa.done):,} of {spsa.plan.iterations:,} iterations"
    shown = table("number", "start", "now", "least", "most", title=title)
    for (name, start), value, low, high in zip(
        spsa.plan.start, spsa.values, spsa.low, spsa.high, strict=True
    ):
        shown.add_row(name, f"{start:.0f}", f"{value:.1f}", f"{low:.0f}", f"{high:.0f}")
    return shown
