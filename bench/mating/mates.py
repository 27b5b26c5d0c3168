"""Mates found: the share of forced mates that the search announces, by their length.

A mate is *solved* when the search announces one that is no longer than the file says, and its move begins
one: it is among those of the file, or the solver proves it. It is *announced* when the search reports any.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

from ..shared.console import say
from ..speed.engines_under_test import Searcher, SearchLimit, SearchReport, searchers
from ..speed.repeat import against_option, bench_options, carry_out, hash_option, threads_option
from ..speed.result import TOTAL, BenchmarkResult, Figure, Measurement
from .solver import MOST_MOVES, Solver
from .suite import FOLDER, Mate, read_mates

SOLVED = Figure("solved", "% solved", words=("better", "worse"))
ANNOUNCED = Figure("announced", "% announced", words=("better", "worse"))
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
    """Whether a `SearchReport` announced a mate that is shorter than the shortest."""
    if search.mate is None or not 0 < search.mate < mate.moves <= MOST_MOVES:
        return False
    return mate.shortest or solver.mates(mate.position, search.mate, CHECK_NODES) is False


def by_length(mates: Iterable[Mate]) -> Callable[[list[Measurement], list[str]], list[Measurement]]:
    """Makes `gather` for `carry_out`: samples for a line of each length of `mates`, and for the total."""
    lengths = {mate.name: mate.moves for mate in mates}

    def gather(samples: list[Measurement], contenders: list[str]) -> list[Measurement]:
        counts = Counter(lengths[line] for line in {sample.line for sample in samples})
        lines = {
            moves: f"{count} mate{'s' * (count > 1)} in {moves}" for moves, count in sorted(counts.items())
        }
        groups: dict[tuple[str, str], dict[int, list[dict[str, float]]]] = {
            (line, who): {} for line in [*lines.values(), TOTAL] for who in contenders
        }
        for sample in samples:
            for line in (lines[lengths[sample.line]], TOTAL):
                groups[line, sample.contender].setdefault(sample.run, []).append(sample.figures)
        return [
            Measurement(line, who, run, _shares(figures))
            for (line, who), runs in groups.items()
            for run, figures in runs.items()
        ]

    return gather


def _shares(figures: list[dict[str, float]]) -> dict[str, float]:
    """The figures of several positions together: shares in percent, and counts."""
    count = len(figures)
    return {
        "solved": 100 * sum(one["is_solved"] for one in figures) / count,
        "announced": 100 * sum(one["is_announced"] for one in figures) / count,
        "nodes": sum(one["nodes"] for one in figures),
        "lines": count,
    }


def tell_wrong(outcome: BenchmarkResult) -> None:
    """Names the positions where a contender announced a mate that is shorter than the shortest."""
    for line in outcome.lines():
        for who in outcome.contenders:
            if any(outcome.values(line, who, "is_wrong").values()):
                say(f"No such mate: {who} in {line}")


@click.command()
@bench_options(runs=1, fen=False)
@click.option("--mates", "path", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A file.")
@click.option("--movetime", type=click.FloatRange(0.01), help="Seconds for each position.  [default: 1]")
@click.option("--nodes", type=click.IntRange(1), help="So many nodes for each position instead.")
@click.option("--every", default=1, show_default=True, type=click.IntRange(1), help="Take one in so many.")
@threads_option
@hash_option
@against_option
def main(
    variant: str,
    path: Path | None,
    movetime: float | None,
    nodes: int | None,
    every: int,
    threads: int,
    hash_mb: int,
    against: str | None,
    **report: Any,
) -> None:
    """Measure how many forced mates the search finds: those that come with the game, or in a file of `hunt`.

    At so many nodes, with one thread, the figures are the same in every run."""
    if movetime and nodes:
        raise click.UsageError("--movetime and --nodes exclude each other")
    limit: SearchLimit = {"nodes": nodes} if nodes else {"movetime": movetime or 1.0}
    mates, solver = mates_of(variant, path)[::every], Solver(variant)

    def measure(who: Searcher, mate: Mate, run: int) -> dict[str, dict[str, float]]:
        search = who.search(mate, limit)
        figures: dict[str, float] = {
            "is_solved": int(is_solved(solver, mate, search)),
            "is_announced": int(search.mate is not None and search.mate > 0),
            "is_wrong": int(is_wrong(solver, mate, search)),
            "nodes": search.nodes,
            "seconds": search.seconds,
        }
        return {mate.name: figures}

    outcome = carry_out(
        BenchmarkResult(
            "mates",
            variant,
            {"threads": threads, "hash": hash_mb, **limit},
            {mate.name: f"{mate.fen} ; dm {mate.moves}" for mate in mates},
            (SOLVED, ANNOUNCED),
        ),
        mates,
        searchers(variant, threads, hash_mb, against),
        measure,
        gather=by_length(mates),
        sign="nodes" if nodes and threads == 1 else None,
        **report,
    )
    tell_wrong(outcome)


def mates_of(variant: str, path: Path | None = None) -> list[Mate]:
    """The mates in a file, by default the one that comes with the game. Raises UsageError."""
    path = path or FOLDER / f"{variant}.epd"
    if not path.exists():
        known = ", ".join(sorted(file.stem for file in FOLDER.glob("*.epd")))
        raise click.UsageError(f"{variant} comes without mates, which {known} have; --mates names a file")
    try:
        mates = read_mates(path, variant)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if not mates:
        raise click.UsageError(f"{path}: there are no mates in it")
    return mates
