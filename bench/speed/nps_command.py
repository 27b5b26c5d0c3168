"""Speed of the search: nodes per second over a game's positions, to a depth, for a time, or for nodes.

To a depth and with one thread the nodes are the same in every run: their sum is the program's signature.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import click

from ...engine.bench_positions import Item
from .engines_under_test import Searcher, SearchLimit, SearchReport, searchers
from .repeat import (
    against_option,
    bench_options,
    carry_out,
    depth_option,
    hash_option,
    threads_option,
    work_of,
)
from .result import DEPTH, SPEED, BenchmarkResult, per_second

SECONDS_BESIDE = 1.0  # of each search beside another engine, whose plies and nodes mean something else


def limit_of(
    item: Item, depth: int | None, seconds: float | None = None, nodes: int | None = None
) -> SearchLimit:
    """The limit of a search that the options name; by default the depth that suits the position."""
    if seconds is not None:
        return {"movetime": seconds}
    return {"nodes": nodes} if nodes is not None else {"depth": depth or item.search}


def limited(items: Iterable[Item], limits: Mapping[Item, SearchLimit]) -> dict[str, str]:
    """The positions with their limits as a `BenchmarkResult` keeps them."""
    return {
        item.name: f"{item.fen} ; {name} {value}" for item in items for name, value in limits[item].items()
    }


def search_figures(search: SearchReport) -> dict[str, float]:
    """The figures of a `SearchReport`."""
    return {**per_second("nodes", search.nodes, search.seconds), "depth": search.depth}


def add_searches(found: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    """The speed over several searches: all nodes in all seconds."""
    nodes, seconds = (sum(figures[name] for figures in found.values()) for name in ("nodes", "seconds"))
    return per_second("nodes", nodes, seconds)


@click.command()
@bench_options()
@depth_option
@click.option(
    "--seconds",
    type=click.FloatRange(0.01),
    help="Search so many seconds instead.  [default with --against: 1]",
)
@click.option("--nodes", type=click.IntRange(1), help="Search so many nodes instead.")
@threads_option
@hash_option
@against_option
def main(
    variant: str,
    fen: str | None,
    depth: int | None,
    seconds: float | None,
    nodes: int | None,
    threads: int,
    hash_mb: int,
    against: str | None,
    **report: Any,
) -> None:
    """Measure the speed of the search in nodes per second.

    With --depth or --nodes and one thread, the sum of the nodes is the signature of the search.
    """
    if sum(limit is not None for limit in (depth, seconds, nodes)) > 1:
        raise click.UsageError("--depth, --seconds and --nodes exclude each other")
    if against and not (depth or seconds or nodes):
        seconds = SECONDS_BESIDE
    items = work_of(variant, fen)
    limits = {item: limit_of(item, depth, seconds, nodes) for item in items}

    def measure(who: Searcher, item: Item, run: int) -> dict[str, dict[str, float]]:
        return {item.name: search_figures(who.search(item, limits[item]))}

    carry_out(
        BenchmarkResult(
            "nps",
            variant,
            {"threads": threads, "hash": hash_mb},
            limited(items, limits),
            (SPEED,) if seconds is None else (SPEED, DEPTH),
        ),
        items,
        searchers(variant, threads, hash_mb, against),
        measure,
        add=add_searches,
        sign="nodes" if seconds is None and threads == 1 else None,
        **report,
    )
