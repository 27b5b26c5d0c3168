"""Time to depth: seconds after which the search has finished a depth, for the last rungs up to it."""

from collections.abc import Mapping
from typing import Any

import click

from ...engine.bench_positions import Item
from .engines_under_test import Searcher, searchers
from .nps_command import limit_of, limited
from .repeat import (
    against_option,
    bench_options,
    carry_out,
    depth_option,
    hash_option,
    threads_option,
    work_of,
)
from .result import SECONDS, BenchmarkResult


def rungs(item: Item, depth: int, ladder: int) -> dict[int, str]:
    """Depth -> the name of its line, for the last depths of the ladder up to `depth`."""
    return {rung: f"{item.name}, depth {rung}" for rung in range(max(1, depth - ladder + 1), depth + 1)}


@click.command()
@bench_options()
@depth_option
@click.option(
    "--ladder", default=4, show_default=True, type=click.IntRange(1), help="Number of depths to show."
)
@threads_option
@hash_option
@against_option
def main(
    variant: str,
    fen: str | None,
    depth: int | None,
    ladder: int,
    threads: int,
    hash_mb: int,
    against: str | None,
    **report: Any,
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
            "ttd",
            variant,
            {"threads": threads, "hash": hash_mb, "ladder": ladder},
            limited(items, limits),
            (SECONDS,),
        ),
        items,
        searchers(variant, threads, hash_mb, against),
        measure,
        add=add,
        sign="nodes" if threads == 1 else None,
        **report,
    )
