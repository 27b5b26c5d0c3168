"""The report of `surajang learn`: a page in Markdown and a picture of Elo by generation."""

import math
from collections.abc import Sequence
from pathlib import Path

from .generations import CURVES, REPORT, Generation, LearningPlan, can_plot, generations_in
from .learned_match import MatchOutcome

PICTURE, ARROW = "elo.png", 60.0  # length of an arrow, in Elo
HEAD = (
    "| generation | games | positions | network | training | at equal nodes | by the clock | verdict |"
    " search factor |",
    "|---|---|---|---|---|---|---|---|---|",
)


def write_report(folder: Path, plan: LearningPlan) -> Path:
    """Writes the report of all finished generations into the run's folder; returns its path. Raises
    OSError."""
    generations = [each for each in generations_in(folder) if each.verdict]
    lines = [f"# Learning {plan.variant}", ""]
    growth = f", {plan.growth:g} times as many in each later one," if plan.growth > 1 else ""
    lines += [
        f"{plan.positions:,} positions a generation{growth} at {plan.nodes} nodes a move. Each network plays"
        " against the best one before it, the first against the hand-written evaluation.",
        "",
        *HEAD,
        *(_row(generation) for generation in generations),
        "",
    ]
    if can_plot() and generations:
        _plot(folder, plan, generations)
        lines += [f"![Elo by generation]({PICTURE})", ""]
        for generation in generations:
            if (generation.folder / CURVES).exists():
                name = f"{generation.folder.name}/{CURVES}"
                lines += [f"![Curves of generation {generation.number}]({name})", ""]
    path = folder / REPORT
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def _row(generation: Generation) -> str:
    state = generation.state
    played, trained = state["play"], state["train"]
    games = f"{played['seconds']:.0f} s" + ("" if played["complete"] else ", ended by --hours")
    matches = [MatchOutcome(**state[phase]) for phase in ("match_at_nodes", "match_by_clock")]
    told = [str(match) if match.wins + match.draws + match.losses else "-" for match in matches]
    buckets = trained.get("king_buckets", trained.get("zones"))
    size = "-" if "hidden" not in trained else f"{trained['hidden']} neurons, {buckets} king bucket(s)"
    positions = f"{trained['positions']:,}" if trained.get("positions") else "-"
    factor = generation.search_factor(state.get("try_factors", {}).get("factor", 1.0))
    cells = (
        *(generation.number, games, positions, size, f"{trained['seconds']:.0f} s", *told),
        *("kept" if generation.is_kept() else "rejected", f"{factor:g}" if generation.is_kept() else "-"),
    )
    return f"| {' | '.join(map(str, cells))} |"


def _plot(folder: Path, plan: LearningPlan, generations: Sequence[Generation]) -> None:
    """Draws the cumulative Elo of the networks that were kept, by their matches at equal nodes, with the
    error of each. If one side won all points, an arrow begins at the bound of the estimate."""
    from ...match.results.plots import MaxNLocator, sheet

    with sheet(folder / PICTURE, (8.0, 5.0)) as figure:
        axes = figure.subplots()
        axes.scatter([0], [0.0], c="grey", zorder=3)
        base = 0.0
        for generation in generations:
            outcome = MatchOutcome(**generation.state["match_at_nodes"])
            number, estimate = generation.number, outcome.estimate
            elo = estimate.bound if math.isinf(estimate.value) else estimate.value
            colour = "tab:green" if generation.is_kept() else "tab:red"
            if math.isinf(estimate.value):
                arrow = ARROW if estimate.value > 0 else -ARROW
                axes.annotate(
                    "", (number, base + elo + arrow), (number, base + elo), arrowprops={"arrowstyle": "->"}
                )
            elif math.isfinite(estimate.error):
                axes.errorbar([number], [base + elo], [estimate.error], fmt="none", ecolor="grey", capsize=4)
            axes.scatter([number], [base + elo], c=colour, zorder=3)
            base += elo if generation.is_kept() else 0.0
        axes.axhline(0, color="grey", linewidth=0.8)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set(
            title=f"{plan.variant}: networks at {plan.match_nodes} nodes a move (green: kept)",
            xlabel="generation",
            ylabel="Elo over the hand-written evaluation",
        )
