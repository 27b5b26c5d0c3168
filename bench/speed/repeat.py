"""The loop of every benchmark: several rounds over its positions, with all contenders in turn on each. They
take turns so that other load on the machine affects all contenders alike."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from typing import Protocol, TypeVar

import click

from ...engine.bench_positions import Item, items_of
from ...engine.variant import Variant
from ...match.players.player import PlayerError
from ...match.workers.machine import facts
from ...protocol.terminal.command_options import told_errors
from ...protocol.terminal.console import say
from ...protocol.terminal.interrupts import ending_at_once
from ...protocol.terminal.options import position_of
from ...protocol.terminal.outputs import written
from ...protocol.terminal.progress import tracked
from .engines_under_test import Contender
from .options import Report
from .report import print_outcome
from .result import BenchmarkResult, Measurement, signature_of, totals
from .results_file import SavedError, load, print_comparison, refuse_other, save


class Work(Protocol):
    """A piece of work: a position, or a way to start an engine."""

    @property
    def name(self) -> str: ...


_Work = TypeVar("_Work", bound=Work)
_Contender = TypeVar("_Contender", bound=Contender)


def work_of(variant: Variant, fen: str | None) -> list[Item]:
    """The positions of the options --variant and --fen. Raises BadParameter."""
    return items_of(variant, None if fen is None else position_of(variant, fen))


@ending_at_once()
def rounds(
    items: Sequence[_Work],
    contenders: Sequence[_Contender],
    measure: Callable[[_Contender, _Work, int], Mapping[str, dict[str, float]]],
    runs: int,
    what: str,
) -> tuple[list[Measurement], dict[str, str]]:
    """(samples, skipped) of that many rounds. `measure(contender, item, run)` returns line -> figures, where
    a line is the item or a part of it; empty for work that this run skips.

    An item that a contender refuses (PlayerError) is skipped for all of them; `skipped` has the reasons.
    Ctrl-C ends the process at once, because nothing is saved before the end."""
    samples: list[tuple[str, Measurement]] = []
    skipped: dict[str, str] = {}
    for item in items:
        try:
            for who in contenders:
                who.ready(item)
        except PlayerError as error:
            skipped[item.name] = str(error)
    left = [item for item in items if item.name not in skipped]
    work = [(run, item, who) for run in range(runs) for item in left for who in contenders]
    for run, item, who in tracked(work, what):
        if item.name in skipped:
            continue
        try:
            found = measure(who, item, run)
        except PlayerError as error:
            skipped[item.name] = str(error)
            continue
        samples += [(item.name, Measurement(line, who.name, run, figures)) for line, figures in found.items()]
    return [sample for name, sample in samples if name not in skipped], skipped


def carry_out(
    outcome: BenchmarkResult,
    items: Sequence[_Work],
    makers: Sequence[Callable[[], _Contender]],
    measure: Callable[[_Contender, _Work, int], Mapping[str, dict[str, float]]],
    *,
    report: Report,
    add: Callable[[dict[str, dict[str, float]]], dict[str, float]] | None = None,
    gather: Callable[[list[Measurement], list[str]], list[Measurement]] | None = None,
    sign: str | None = None,
    baseline: int = -1,
) -> BenchmarkResult:
    """Runs a benchmark, prints it, saves it and compares it if that is asked for; returns the outcome.

    `outcome` says what the benchmark is; the results are added to it. `makers` make the contenders; the
    others are measured against the one with the index `baseline`. `add(line -> figures)` makes the figures of
    a total, `gather(samples, contenders)` samples of lines of another kind.
    `sign` names the count of the first contender whose sum is the signature.
    """
    runs, json_file, compare = report.runs, report.json_file, report.compare
    with told_errors(SavedError, failures=()):
        saved = load(compare) if compare else None
        if saved and compare:
            refuse_other(saved, outcome, compare)
        with ExitStack() as stack:
            contenders = [stack.enter_context(closing(maker())) for maker in makers]
            outcome.contenders = [who.name for who in contenders]
            outcome.samples, outcome.skipped = rounds(items, contenders, measure, runs, outcome.benchmark)
    if not outcome.samples:
        raise click.UsageError(f"nothing could be measured: {next(iter(outcome.skipped.values()))}")
    if len(makers) > 1:
        outcome.baseline = outcome.contenders[baseline]
    if add:
        outcome.samples += totals(outcome.samples, outcome.contenders, add)
    if sign:
        outcome.signature = signature_of(outcome.samples, outcome.contenders[0], sign)
    if gather:
        outcome.samples += gather(outcome.samples, outcome.contenders)
    outcome.facts = facts(runs)
    print_outcome(outcome)
    if saved and compare:
        print_comparison(saved, outcome, compare)
    if json_file:
        with written(json_file):
            save(outcome, json_file)
        say(f"Saved in {json_file}")
    return outcome
