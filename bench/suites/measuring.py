"""How suites are measured: the options of their benchmarks, their files, and shares by group."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from ..speed.engines_under_test import SearchLimit
from ..speed.repeat import against_option, bench_options, hash_option, threads_option
from ..speed.result import TOTAL, Measurement

Function = TypeVar("Function", bound=Callable[..., Any])
Entry = TypeVar("Entry")
_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


def suite_options(flag: str, default: SearchLimit) -> Callable[[Function], Function]:
    """The options that the benchmarks of suites take, with the file as `path` by `flag`; `default` is the
    limit that `search_limit` takes where none is given."""

    def shown(name: str) -> str:
        value = default.get(name)
        return f"  [default: {value}]" if value else ""

    options: list[Callable[[Any], Any]] = [
        bench_options(runs=1, fen=False),
        click.option(flag, "path", type=_FILE, help="Your own suite instead of the game's."),
        click.option(
            "--movetime", type=click.FloatRange(0.01), help=f"Seconds for each position.{shown('movetime')}"
        ),
        click.option("--nodes", type=click.IntRange(1), help=f"Nodes for each position.{shown('nodes')}"),
        click.option(
            "--every",
            default=1,
            show_default=True,
            type=click.IntRange(1),
            help="Search only every N-th position.",
        ),
        threads_option,
        hash_option,
        against_option,
    ]

    def decorate(function: Function) -> Function:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def search_limit(movetime: float | None, nodes: int | None, default: SearchLimit) -> SearchLimit:
    """The limit that the options name. Raises UsageError for two."""
    if movetime and nodes:
        raise click.UsageError("--movetime and --nodes exclude each other")
    if nodes:
        return {"nodes": nodes}
    return {"movetime": movetime} if movetime else default


def suite_of(
    read: Callable[[Path, str], list[Entry]],
    folder: Path,
    what: str,
    flag: str,
    variant: str,
    path: Path | None = None,
) -> list[Entry]:
    """The entries in a file, by default the one in `folder` for the game; `what` names them in the UsageError
    that is raised for a game without a file, a bad file and an empty one."""
    path = path or folder / f"{variant}.epd"
    if not path.exists():
        known = ", ".join(sorted(file.stem for file in folder.glob("*.epd")))
        raise click.UsageError(f"{variant} comes without {what}, which {known} have; {flag} names a file")
    try:
        entries = read(path, variant)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    if not entries:
        raise click.UsageError(f"{path}: there are no {what} in it")
    return entries


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
