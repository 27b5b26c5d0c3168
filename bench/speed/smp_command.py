"""Scaling by threads: nodes per second and time to depth of several numbers of threads, in turn.

More nodes per second show how well the machine is used, a shorter time to the same depth what that gains.
"""

import os
from collections.abc import Callable
from typing import Any

import click

from .engines_under_test import Surajang
from .nps_command import add_searches, limit_of, limited, search_figures
from .repeat import bench_options, carry_out, depth_option, hash_option, work_of
from .result import SECONDS, SPEED, BenchmarkResult


def steps(most: int) -> list[int]:
    """Numbers of threads to measure: 1, 2, 4 and so on, and `most` itself."""
    return sorted({1 << bits for bits in range(most.bit_length())} | {most})


@click.command()
@bench_options()
@depth_option
@click.option(
    "--threads", type=click.IntRange(1), help="Maximum number of threads; by default the number of cores."
)
@hash_option
def main(
    variant: str, fen: str | None, depth: int | None, threads: int | None, hash_mb: int, **report: Any
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
        add=add_searches,
        sign="nodes",
        baseline=0,
        **report,
    )
