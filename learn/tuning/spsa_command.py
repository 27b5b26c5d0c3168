"""`surajang bench spsa`: numbers of the search, tuned together by games at equal nodes."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.table import Table

from ...engine.game.description import VariantError
from ...engine.rules import rules_for
from ...eval.network.file import NetworkError
from ...match.workers.options import own_file, workers
from ...match.workers.pool import WorkersError
from ...protocol.terminal.console import console
from ...protocol.terminal.options import variant_option
from ...protocol.terminal.outputs import OutputFile
from ...protocol.terminal.progress import compiled_with_bar, counted
from ..self_play.games_file import GamesError
from ..self_play.generator import playing

if TYPE_CHECKING:
    from ...match.workers.pool import Workers
    from .duels import PlayChoices, Tuned
    from .spsa import Spsa, SpsaJournal


@click.command()
@variant_option
@click.option(
    "--numbers",
    required=True,
    metavar="NAMES",
    help="Names of the numbers, as in 'rfp_margin,lmr_base=600'; a value is the start of its number.",
)
@click.option(
    "--iterations", default=5000, show_default=True, type=click.IntRange(10), help="Number of iterations."
)
@click.option(
    "--pairs", default=2, show_default=True, type=click.IntRange(1), help="Pairs of games in each iteration."
)
@click.option(
    "--nodes", default=4000, show_default=True, type=click.IntRange(100), help="Nodes of each search."
)
@click.option(
    "--clock",
    metavar="NODES[+NODES]",
    help="A clock of nodes instead: nodes of a game and more with each move.",
)
@click.option(
    "--plies", default=8, show_default=True, type=click.IntRange(0, 200), help="Random plies of an opening."
)
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0, 2**32 - 1), help="Random seed.")
@click.option(
    "--eval",
    "evaluation",
    default="",
    metavar="FILE|none",
    help="Another evaluation than the game's network.",
)
@click.option(
    "--concurrency", default=1, show_default=True, type=click.IntRange(1), help="Number of processes."
)
@click.option("--cluster", metavar="ADDRESS", help="Play on the Dask cluster of this scheduler.")
@click.option("--out", required=True, type=OutputFile(), help="The journal.")
@click.option("--plot", type=OutputFile(), help="Draw the curves: PNG, SVG, PDF.")
def main(
    variant: str,
    numbers: str,
    iterations: int,
    pairs: int,
    nodes: int,
    clock: str | None,
    plies: int,
    seed: int,
    evaluation: str,
    concurrency: int,
    cluster: str | None,
    out: Path,
    plot: Path | None,
) -> None:
    """Tune numbers of the search together (SPSA).

    Each iteration changes all numbers at once, randomly in both directions, and lets the two settings play.
    The same command resumes from the journal. Nothing else is written: test the result with
    `surajang bench duel`."""
    from ..self_play.duel_games import DUEL_SETTINGS
    from .duels import PlayChoices, clocked, parse_clock, parse_numbers, parse_player
    from .spsa import Spsa, SpsaError, SpsaJournal, TuningPlan

    try:
        start = parse_numbers(numbers, rules_for(variant))
        player = parse_player(f"eval={evaluation}" if evaluation else "", variant)
        node_clock = parse_clock(clock) if clock is not None else None
        if plot is not None:
            from ...match.results.plots import check_plot

            check_plot(plot)
    except (ValueError, VariantError) as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        raise click.UsageError(f"{error.filename}: {error.strerror}") from None
    except ImportError as error:
        raise click.ClickException(str(error)) from None
    spsa = Spsa(TuningPlan(start, iterations, pairs, seed))
    settings = clocked(DUEL_SETTINGS, node_clock, nodes)._replace(plies=plies, seed=seed)
    limit = {"clock": clock} if clock is not None else {"nodes": nodes}
    conditions = {"variant": variant, **limit, "plies": plies, "eval": evaluation}
    try:
        work = PlayChoices(variant, settings, player, player, own_file(variant), clock=node_clock)
        with SpsaJournal(out, spsa, conditions) as journal:
            if len(spsa.done) < iterations:
                compiled_with_bar(variant, work.compile)
                with playing(workers(cluster, concurrency, processes=True)) as pool:
                    _tune(work, pool, spsa, journal)
    except (GamesError, NetworkError, SpsaError, VariantError) as error:
        raise click.UsageError(str(error)) from None
    except (WorkersError, OSError) as error:
        raise click.ClickException(str(error)) from None
    console().print(_table(spsa))
    if plot is not None:
        from .spsa_plot import plot_course

        each = f"a clock of {clock} nodes" if clock is not None else f"{nodes:,} nodes"
        plot_course(spsa, plot, f"{variant}, {each}, {len(spsa.done):,} iterations")


def _tune(work: "PlayChoices", pool: "Workers", spsa: "Spsa", journal: "SpsaJournal") -> None:
    """Plays the iterations that are missing; each is proposed from what has been learnt when it begins."""
    plan = spsa.plan

    def tasks() -> "Iterator[tuple[int, int, Tuned, Tuned]]":
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


def _table(spsa: "Spsa") -> Table:
    """The numbers before and now."""
    table = Table(title=f"{len(spsa.done):,} of {spsa.plan.iterations:,} iterations", title_justify="left")
    for heading in ("number", "start", "now", "least", "most"):
        table.add_column(heading, justify="left" if heading == "number" else "right")
    for (name, start), value, low, high in zip(
        spsa.plan.start, spsa.values, spsa.low, spsa.high, strict=True
    ):
        table.add_row(name, f"{start:.0f}", f"{value:.1f}", f"{low:.0f}", f"{high:.0f}")
    return table
