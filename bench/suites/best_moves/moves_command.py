"""Best moves found: the share of positions whose best move the search chooses, and the nodes that it needs.

A position is *solved* if the search ends with a best move. The nodes to it are those after which the search
named no other move any more; for an unsolved position they are all nodes of the search."""

import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import click

from ....engine.variant import Variant
from ....protocol.terminal.command_options import with_options
from ....protocol.terminal.console import say
from ....protocol.terminal.options import variant_option
from ...speed.engines_under_test import SearchLimit, SearchReport
from ...speed.options import Searching
from ...speed.result import BenchmarkResult, Figure
from ...speed.results_file import load
from .. import measuring
from .best_move_file import FOLDER, KINDS, BestMove, read_moves

SOLVED = Figure("solved", "% solved", words=("better", "worse"))
TO_MOVE = Figure("to_move", "nodes to the move", more=False, words=("sooner", "later"))
LIMIT: SearchLimit = {"nodes": 50_000}


def is_solved(best: BestMove, search: SearchReport) -> bool:
    """Whether a `SearchReport` ends with a best move."""
    return search.move in best.best


def nodes_to_move(best: BestMove, search: SearchReport) -> int:
    """The nodes after which a search named a best move to its end; all of its nodes if it named none."""
    found = search.nodes
    if not is_solved(best, search):
        return found
    for nodes, move in reversed(search.choices):
        if move not in best.best:
            break
        found = nodes
    return found


def _sum_up(figures: Sequence[dict[str, float]]) -> dict[str, float]:
    """The figures of several positions together: the share in percent, the median of the nodes to the move,
    and all nodes."""
    return {
        "solved": 100 * sum(one["is_solved"] for one in figures) / len(figures),
        "to_move": statistics.median(one["nodes_to_move"] for one in figures),
        "nodes": sum(one["nodes"] for one in figures),
    }


def changes(saved: BenchmarkResult, outcome: BenchmarkResult) -> list[str]:
    """A sentence for each position and contender that one of two results solved in every run and the other in
    none."""
    found = []
    for line in outcome.positions:
        for who in outcome.contenders:
            before, now = (set(it.values(line, who, "is_solved").values()) for it in (saved, outcome))
            if (before, now) in (({1}, {0}), ({0}, {1})):
                found.append(f"{'Solved' if now == {1} else 'No longer solved'}: {who}, {line}")
    return found


@click.command()
@variant_option
@with_options
def main(
    variant: Variant,
    *,
    report: measuring.SuiteReport,
    path: Annotated[Path | None, measuring.file_option("--moves")] = None,
    movetime: Annotated[float | None, measuring.movetime_option(LIMIT)] = None,
    nodes: Annotated[int | None, measuring.nodes_option(LIMIT)] = None,
    every: measuring.Every = 1,
    searching: Searching,
) -> None:
    """Measure in how many positions of a suite the search finds the best move, and with how many nodes.

    With --nodes and one thread the figures are the same in every run. `surajang bench find-moves` makes
    suites."""
    limit = measuring.search_limit(movetime, nodes, LIMIT)
    moves = measuring.suite_of(read_moves, FOLDER, "best moves", "--moves", variant, path)[::every]
    kinds = {best.name: best.kind for best in sorted(moves, key=lambda best: KINDS.index(best.kind))}

    def judge(best: BestMove, search: SearchReport) -> dict[str, float]:
        return {"is_solved": int(is_solved(best, search)), "nodes_to_move": nodes_to_move(best, search)}

    outcome = measuring.measure_suite(
        "moves", moves, lambda best: f"bm {' '.join(best.best)}", (SOLVED, TO_MOVE), judge,
        measuring.by_group(kinds, _sum_up), limit, searching, report,
    )  # fmt: skip
    if report.compare:
        for change in changes(load(report.compare), outcome):
            say(change)
