"""The report of a run of `surajang learn`: a page in Markdown and a picture of Elo by generation."""

from collections.abc import Sequence
from pathlib import Path

from .generations import CURVES, REPORT, Generation, LearningPlan, can_plot, generations_in
from .learned_match import MatchOutcome

PICTURE = "elo.png"
HEAD = (
    "| generation | games | training | at equal nodes | by the clock | verdict |",
    "|---|---|---|---|---|---|",
)


def write_report(folder: Path, plan: LearningPlan) -> Path:
    """Writes the report of the generations so far into the run's folder; returns its path. Raises OSError."""
    generations = [each for each in generations_in(folder) if each.verdict]
    lines = [f"# Learning {plan.variant}", ""]
    zones = f" in {plan.zones} zones of the king" if plan.zones > 1 else ""
    lines += [
        f"{plan.positions:,} positions a generation at {plan.nodes} nodes a move, {plan.hidden}"
        f" neurons{zones}, {plan.epochs} epochs. Each network plays against the best one before it, the first"
        " against the hand-written evaluation.",
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
    verdict = "kept" if generation.is_kept() else "rejected"
    return (
        f"| {generation.number} | {games} | {trained['seconds']:.0f} s | {told[0]} | {told[1]} | {verdict} |"
    )


def _plot(folder: Path, plan: LearningPlan, generations: Sequence[Generation]) -> None:
    """Draws the sum of Elo that the kept networks won at equal nodes, with the error of each match."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    base, numbers, sums, errors, colours = 0.0, [0], [0.0], [0.0], ["grey"]
    for generation in generations:
        outcome = MatchOutcome(**generation.state["match_at_nodes"])
        numbers.append(generation.number)
        sums.append(base + outcome.elo)
        errors.append(outcome.error)
        colours.append("tab:green" if generation.is_kept() else "tab:red")
        base += outcome.elo if generation.is_kept() else 0.0
    figure = Figure(figsize=(8.0, 5.0), layout="constrained")
    axes = figure.subplots()
    axes.errorbar(numbers, sums, errors, fmt="none", ecolor="grey", capsize=4)
    axes.scatter(numbers, sums, c=colours, zorder=3)
    axes.axhline(0, color="grey", linewidth=0.8)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set(
        title=f"{plan.variant}: networks at {plan.match_nodes} nodes a move (green: kept)",
        xlabel="generation",
        ylabel="Elo over the hand-written evaluation",
    )
    figure.savefig(folder / PICTURE, dpi=120)
