"""Measurement of suites: the options of their benchmarks, their files, and shares by group."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeVar

import click

from ...engine.variant import Variant
from ...protocol.terminal.command_options import FILE, Option, told_errors
from ..speed.engines_under_test import Searcher, SearchLimit, SearchReport, searchers
from ..speed.options import Report, Runs, Searching
from ..speed.repeat import carry_out
from ..speed.result import TOTAL, BenchmarkResult, Figure, Measurement
from .epd import SuiteEntry

Entry = TypeVar("Entry", bound=SuiteEntry)


@dataclass(frozen=True)
class SuiteReport(Report):
    """As `Report`, with one round."""

    runs: Runs = 1


Every = Annotated[int, Option("Search only every N-th position.", least=1)]


def file_option(flag: str) -> Option:
    """The option that names a suite's file."""
    return Option("Your own suite instead of the game's.", flag, type=FILE)


def movetime_option(default: SearchLimit) -> Option:
    """The option for seconds per position; `default` is used if no limit is given."""
    return Option("Seconds for each position." + _shown(default, "movetime"), least=0.01)


def nodes_option(default: SearchLimit) -> Option:
    """The option for nodes per position; `default` is used if no limit is given."""
    return Option("Nodes for each position." + _shown(default, "nodes"), least=1)


def _shown(default: SearchLimit, name: str) -> str:
    value = default.get(name)
    return f"  [default: {value}]" if value else ""


def search_limit(movetime: float | None, nodes: int | None, default: SearchLimit) -> SearchLimit:
    """The limit of the options. Raises UsageError for two."""
    if movetime and nodes:
        raise click.UsageError("--movetime and --nodes exclude each other")
    if nodes:
        return {"nodes": nodes}
    return {"movetime": movetime} if movetime else default


def suite_of(
    read: Callable[[Path, Variant], list[Entry]],
    folder: Path,
    what: str,
    flag: str,
    variant: Variant,
    path: Path | None = None,
) -> list[Entry]:
    """The entries in a file, by default the one in `folder` for the game; `what` names them in the UsageError
    that is raised for a game without a file, a bad file and an empty one."""
    path = path or folder / f"{variant}.epd"
    if not path.exists():
        known = ", ".join(sorted(file.stem for file in folder.glob("*.epd")))
        raise click.UsageError(f"{variant} comes without {what}, which {known} have; {flag} names a file")
    with told_errors(ValueError, failures=()):
        entries = read(path, variant)
    if not entries:
        raise click.UsageError(f"{path}: there are no {what} in it")
    return entries


def measure_suite(
    name: str,
    entries: Sequence[Entry],
    told: Callable[[Entry], str],
    figures: tuple[Figure, ...],
    judge: Callable[[Entry, SearchReport], dict[str, float]],
    gather: Callable[[list[Measurement], list[str]], list[Measurement]],
    limit: SearchLimit,
    searching: Searching,
    report: Report,
    sign: str | None = None,
) -> BenchmarkResult:
    """Searches the entries of a suite; `told` is what the result says of one behind its FEN, `judge` makes
    the figures of a search, beside nodes and seconds. The others are those of `carry_out`."""

    def measure(who: Searcher, entry: Entry, run: int) -> dict[str, dict[str, float]]:
        search = who.search(entry, limit)
        counts = {"nodes": search.nodes, "seconds": search.seconds}
        return {entry.name: {**judge(entry, search), **counts}}

    variant, parameters = entries[0].variant, {**searching.parameters, **limit}
    positions = {entry.name: f"{entry.fen} ; {told(entry)}" for entry in entries}
    return carry_out(
        BenchmarkResult(name, variant, parameters, positions, figures),
        entries,
        searchers(variant, searching),
        measure,
        gather=gather,
        sign=sign,
        report=report,
    )


def by_group(
    groups: Mapping[str, str], sum_up: Callable[[Sequence[dict[str, float]]], dict[str, float]]
) -> Callable[[list[Measurement], list[str]], list[Measurement]]:
    """Makes `gather` for `carry_out`: samples for each group, and for the total.

    `groups` maps the name of a position to that of its group, in the order in which groups are shown; a
    group's line begins with the number of its positions. `sum_up` makes its figures of theirs."""

    def gather(samples: list[Measurement], contenders: list[str]) -> list[Measurement]:
        counts = Counter(groups[line] for line in {sample.line for sample in samples})
        lines = {group: f"{counts[group]} {group}" for group in groups.values() if counts[group]}
        found: dict[tuple[str, str], dict[int, list[dict[str, float]]]] = {
            (line, who): {} for line in [*lines.values(), TOTAL] for who in contenders
        }
        for sample in samples:
            for line in (lines[groups[sample.line]], TOTAL):
                found[line, sample.contender].setdefault(sample.run, []).append(sample.figures)
        return [
            Measurement(line, who, run, {**sum_up(figures), "lines": len(figures)})
            for (line, who), runs in found.items()
            for run, figures in runs.items()
        ]

    return gather
