"""Time to depth: seconds after which the search has finished a depth, for the last rungs up to it."""

from collections.abc import Mapping
from typing import Annotated

import click

from ...engine.bench_positions import Item
from ...engine.variant import Variant
from ...protocol.terminal.command_options import Option, with_options
from ...protocol.terminal.options import variant_option
from .engines_under_test import Searcher, searchers
from .nps_command import limit_of, limited
from .options import Depth, Fen, Report, Searching
from .repeat import carry_out, work_of
from .result import SECONDS, BenchmarkResult


def rungs(item: Item, depth: int, ladder: int) -> dict[int, str]:
    """Depth -> the name of its line, for the last depths of the ladder up to `depth`."""
    return {rung: f"{item.name}, depth {rung}" for rung in range(max(1, depth - ladder + 1), depth + 1)}


@click.command()
@variant_option
@with_options
def main(
    variant: Variant,
    *,
    fen: Fen = None,
    report: Report,
    depth: Depth = None,
    ladder: Annotated[int, Option("Number of depths to show.", least=1)] = 4,
    searching: Searching,
) -> None:
    """Measure the seconds that a search takes to reach a depth. The total is the sum of the last depths."""
    items = work_of(variant, fen)
    limits = {item: limit_of(item, depth) for item in items}
    lines = {item: rungs(item, limits[item]["depth"], ladder) for item in items}
    last = {line for item in items for rung, line in lines[item].items() if rung == limits[item]["depth"]}

    def measure(who: Searcher, item: Item, run: int) -> dict[str, dict[str, float]]:
        search = who.search(item, limits[item])
        found = {line: search.reached[rung] for rung, line in lines[item].items() if rung in search.reached}
        figures = {line: {"seconds": seconds} for line, seconds in found.items()}
        for line in last & figures.keys():
            figures[line]["nodes"] = search.nodes
        return figures

    def add(found: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
        counted = [found[line] for line in last & found.keys()]
        return {name: sum(figures[name] for figures in counted) for name in ("seconds", "nodes")}

    carry_out(
        BenchmarkResult(
            "ttd", variant, {**searching.parameters, "ladder": ladder}, limited(items, limits), (SECONDS,)
        ),
        items,
        searchers(variant, searching),
        measure,
        add=add,
        sign="nodes" if searching.threads == 1 else None,
        report=report,
    )
