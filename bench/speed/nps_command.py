"""Speed of the search: nodes per second over a game's positions, to a depth, for a time, or for nodes.

With a depth limit and one thread the nodes are the same in every run: their sum is the program's
signature."""

from collections.abc import Iterable, Mapping
from typing import Annotated

import click

from ...engine.bench_positions import Item
from ...engine.variant import Variant
from ...protocol.terminal.command_options import Option, with_options
from ...protocol.terminal.options import variant_option
from .engines_under_test import Searcher, SearchLimit, SearchReport, searchers
from .options import Depth, Fen, Report, Searching
from .repeat import carry_out, work_of
from .result import DEPTH, SPEED, BenchmarkResult, adding, per_second

SECONDS_HELP = "Search so many seconds instead.  [default with --against: 1]"
SECONDS_BESIDE = 1.0  # of each search with another engine, whose plies and nodes are not comparable


def limit_of(
    item: Item, depth: int | None, seconds: float | None = None, nodes: int | None = None
) -> SearchLimit:
    """The limit of a search that the options name; by default the depth that suits the position."""
    if seconds is not None:
        return {"movetime": seconds}
    return {"nodes": nodes} if nodes is not None else {"depth": depth or item.search}


def limited(items: Iterable[Item], limits: Mapping[Item, SearchLimit]) -> dict[str, str]:
    """The positions with their limits in the form of `BenchmarkResult`."""
    return {
        item.name: f"{item.fen} ; {name} {value}" for item in items for name, value in limits[item].items()
    }


def search_figures(search: SearchReport) -> dict[str, float]:
    """The figures of a `SearchReport`."""
    return {**per_second("nodes", search.nodes, search.seconds), "depth": search.depth}


@click.command()
@variant_option
@with_options
def main(
    variant: Variant,
    *,
    fen: Fen = None,
    report: Report,
    depth: Depth = None,
    seconds: Annotated[float | None, Option(SECONDS_HELP, least=0.01)] = None,
    nodes: Annotated[int | None, Option("Search so many nodes instead.", least=1)] = None,
    searching: Searching,
) -> None:
    """Measure the speed of the search in nodes per second.

    With --depth or --nodes and one thread, the sum of the nodes is the signature of the search.
    """
    if sum(limit is not None for limit in (depth, seconds, nodes)) > 1:
        raise click.UsageError("--depth, --seconds and --nodes exclude each other")
    if searching.against and not (depth or seconds or nodes):
        seconds = SECONDS_BESIDE
    items = work_of(variant, fen)
    limits = {item: limit_of(item, depth, seconds, nodes) for item in items}

    def measure(who: Searcher, item: Item, run: int) -> dict[str, dict[str, float]]:
        return {item.name: search_figures(who.search(item, limits[item]))}

    carry_out(
        BenchmarkResult(
            "nps",
            variant,
            searching.parameters,
            limited(items, limits),
            (SPEED,) if seconds is None else (SPEED, DEPTH),
        ),
        items,
        searchers(variant, searching),
        measure,
        add=adding("nodes"),
        sign="nodes" if seconds is None and searching.threads == 1 else None,
        report=report,
    )
