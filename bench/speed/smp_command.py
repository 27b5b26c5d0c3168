"""Scaling by threads: nodes per second and time to depth of several numbers of threads, in turn. More nodes
per second show the use of the machine; a shorter time to the same depth shows the gain."""

import os
from collections.abc import Callable
from typing import Annotated

import click

from ...engine.variant import Variant
from ...protocol.terminal.command_options import Option, with_options
from ...protocol.terminal.options import variant_option
from .engines_under_test import Surajang
from .nps_command import limit_of, limited, search_figures
from .options import Depth, Fen, HashMb, Report
from .repeat import carry_out, work_of
from .result import SECONDS, SPEED, BenchmarkResult, adding


def steps(most: int) -> list[int]:
    """Numbers of threads to measure: 1, 2, 4 and so on, and `most` itself."""
    return sorted({1 << bits for bits in range(most.bit_length())} | {most})


@click.command()
@variant_option
@with_options
def main(
    variant: Variant,
    *,
    fen: Fen = None,
    report: Report,
    depth: Depth = None,
    threads: Annotated[
        int | None, Option("Maximum number of threads; by default the number of cores.", least=1)
    ] = None,
    hash_mb: HashMb = 64,
) -> None:
    """Measure the speed-up by 1, 2, 4 threads and so on, to the same depth, against one thread."""
    items = work_of(variant, fen)
    limits = {item: limit_of(item, depth) for item in items}
    numbers = steps(threads or os.cpu_count() or 1)

    def maker(number: int) -> Callable[[], Surajang]:
        return lambda: Surajang(variant, number, hash_mb, f"{number} thread{'s' * (number > 1)}")

    carry_out(
        BenchmarkResult(
            "smp",
            variant,
            {"threads": "1 to " * (numbers[-1] > 1) + str(numbers[-1]), "hash": hash_mb},
            limited(items, limits),
            (SPEED, SECONDS),
        ),
        items,
        [maker(number) for number in numbers],
        lambda who, item, run: {item.name: search_figures(who.search(item, limits[item]))},
        add=adding("nodes"),
        sign="nodes",
        baseline=0,
        report=report,
    )
