"""Mates found: the share of forced mates that the search announces, by length.

A mate is *solved* if the search announces one that is no longer than in the file, and its move begins one: it
is among those of the file, or the solver proves it. It is *announced* if the search reports any."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated

import click

from ....engine.variant import Variant
from ....protocol.terminal.command_options import with_options
from ....protocol.terminal.console import say
from ....protocol.terminal.options import variant_option
from ...speed.engines_under_test import SearchLimit, SearchReport
from ...speed.options import Searching
from ...speed.result import BenchmarkResult, Figure, Measurement
from .. import measuring
from .mate_file import FOLDER, Mate, read_mates
from .solver import MOST_MOVES, Solver

SOLVED = Figure("solved", "% solved", words=("better", "worse"))
ANNOUNCED = Figure("announced", "% announced", words=("better", "worse"))
LIMIT: SearchLimit = {"movetime": 1.0}
CHECK_NODES = 10_000_000  # of the solver, for a first move that the file does not know


def is_solved(solver: Solver, mate: Mate, search: SearchReport) -> bool:
    """Whether a `SearchReport` has solved a `Mate`; the solver tests first moves that are not in the file."""
    if search.mate is None or not 0 < search.mate <= mate.moves:
        return False
    if search.move in mate.first:
        return True
    first = next((move for move in mate.position.legal_moves() if str(move) == search.move), None)
    return first is not None and bool(solver.mates(mate.position, mate.moves, CHECK_NODES, first=first))


def is_wrong(solver: Solver, mate: Mate, search: SearchReport) -> bool:
    """Whether a `SearchReport` announced a mate that is shorter than possible."""
    if search.mate is None or not 0 < search.mate < mate.moves <= MOST_MOVES:
        return False
    return mate.shortest or solver.mates(mate.position, search.mate, CHECK_NODES) is False


def by_length(mates: Iterable[Mate]) -> Callable[[list[Measurement], list[str]], list[Measurement]]:
    """Makes `gather` for `carry_out`: samples for a line of each length of `mates`, and for the total."""
    mates = sorted(mates, key=lambda mate: mate.moves)
    counts = Counter(mate.moves for mate in mates)
    return measuring.by_group(
        {mate.name: f"mate{'s' * (counts[mate.moves] > 1)} in {mate.moves}" for mate in mates}, _shares
    )


def _shares(figures: Sequence[dict[str, float]]) -> dict[str, float]:
    """The figures of several positions together: shares in percent, and nodes."""
    count = len(figures)
    return {
        "solved": 100 * sum(one["is_solved"] for one in figures) / count,
        "announced": 100 * sum(one["is_announced"] for one in figures) / count,
        "nodes": sum(one["nodes"] for one in figures),
    }


def tell_wrong(outcome: BenchmarkResult) -> None:
    """Lists the positions in which a contender announced a mate that is shorter than possible."""
    for line in outcome.lines():
        for who in outcome.contenders:
            if any(outcome.values(line, who, "is_wrong").values()):
                say(f"No such mate: {who} in {line}")


@click.command()
@variant_option
@with_options
def main(
    variant: Variant,
    *,
    report: measuring.SuiteReport,
    path: Annotated[Path | None, measuring.file_option("--mates")] = None,
    movetime: Annotated[float | None, measuring.movetime_option(LIMIT)] = None,
    nodes: Annotated[int | None, measuring.nodes_option(LIMIT)] = None,
    every: measuring.Every = 1,
    searching: Searching,
) -> None:
    """Measure how many forced mates of a suite the search finds.

    With --nodes and one thread the figures are the same in every run. `surajang bench hunt` makes suites."""
    limit = measuring.search_limit(movetime, nodes, LIMIT)
    mates = measuring.suite_of(read_mates, FOLDER, "mates", "--mates", variant, path)[::every]
    solver = Solver(variant)

    def judge(mate: Mate, search: SearchReport) -> dict[str, float]:
        return {
            "is_solved": int(is_solved(solver, mate, search)),
            "is_announced": int(search.mate is not None and search.mate > 0),
            "is_wrong": int(is_wrong(solver, mate, search)),
        }

    sign = "nodes" if nodes and searching.threads == 1 else None
    figures = (SOLVED, ANNOUNCED)
    outcome = measuring.measure_suite(
        "mates", mates, lambda mate: f"dm {mate.moves}", figures, judge, by_length(mates),
        limit, searching, report, sign,
    )  # fmt: skip
    tell_wrong(outcome)
