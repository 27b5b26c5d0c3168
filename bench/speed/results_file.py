"""Benchmarks as JSON files, and the comparison of one with a saved one.

Two sets of runs count as different if their ranges do not overlap and their medians differ by more than
SLACK. By chance alone the ranges of five runs each are apart in 1 of 126 cases, of three in 1 of 10. With
fewer than MIN_RUNS on either side the spread is uncertain; then the medians must differ by more than
FEW_RUNS_SLACK."""

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.table import Table

from ...engine.game.text_files import fault_of
from ...match.workers.machine import machine_line
from ...protocol.terminal.console import console, say
from .report import title_of
from .result import TOTAL, BenchmarkResult, Figure, Measurement, Signature, Spread

FORMAT, VERSION = "surajang benchmark", 1
SLACK, FEW_RUNS_SLACK = 0.02, 0.10
MIN_RUNS = 3
SAME = "same"
QUOTED = 60  # characters of a wrong file in an error


class SavedError(ValueError):
    """A file without a benchmark, or with another one. The text names the file and quotes the fault."""


def save(outcome: BenchmarkResult, path: Path) -> None:
    """Writes an outcome with all of its samples."""
    data = {"format": FORMAT, "version": VERSION, **asdict(outcome)}
    data["figures"] = [figure._asdict() for figure in outcome.figures]
    data["samples"] = [sample._asdict() for sample in outcome.samples]
    data["signature"] = outcome.signature and outcome.signature._asdict()
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


def load(path: Path) -> BenchmarkResult:
    """The outcome in a file that `save` wrote. Raises SavedError."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SavedError(f"{path}: cannot be read: {fault_of(error)}") from None
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        quoted = text[max(0, error.pos - QUOTED // 2) :][:QUOTED]
        raise SavedError(f"{path}: is not JSON: {error} near {quoted!r}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        found = data.get("format") if isinstance(data, dict) else data
        raise SavedError(
            f"{path}: holds no saved benchmark: format is {str(found)[:QUOTED]!r}, not {FORMAT!r}"
        )
    if data.get("version") != VERSION:
        raise SavedError(
            f"{path}: format version {data.get('version')!r} is unknown; this program reads {VERSION}"
        )
    try:
        return _outcome_of(data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SavedError(f"{path}: is damaged: {type(error).__name__} {error}") from None


def _outcome_of(data: dict[str, Any]) -> BenchmarkResult:
    fields = {name: value for name, value in data.items() if name not in ("format", "version")}
    fields["figures"] = tuple(
        Figure(**{**figure, "words": tuple(figure["words"])}) for figure in fields["figures"]
    )
    fields["samples"] = [Measurement(**sample) for sample in fields["samples"]]
    fields["signature"] = fields["signature"] and Signature(**fields["signature"])
    outcome = BenchmarkResult(**fields)
    for sample in outcome.samples:
        for name, value in sample.figures.items():
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise ValueError(f"{sample.line}: {name} is {value!r}, not a number")
    for tell in (_machine, title_of, _date):  # a KeyError if something that the comparison needs is missing
        tell(outcome)
    return outcome


def _machine(outcome: BenchmarkResult) -> str:
    return machine_line(outcome.facts)


def _date(outcome: BenchmarkResult) -> str:
    date: str = outcome.facts["date"]
    return date


def refuse_other(saved: BenchmarkResult, outcome: BenchmarkResult, path: Path) -> None:
    """Raises SavedError, naming the first difference, when figures of the two are not comparable."""
    pairs: list[tuple[str, object, object]] = [
        ("benchmark", saved.benchmark, outcome.benchmark),
        ("game", saved.game, outcome.game),
    ]
    names = dict.fromkeys([*saved.parameters, *outcome.parameters])
    pairs += [(name, saved.parameters.get(name), outcome.parameters.get(name)) for name in names]
    names = dict.fromkeys([*saved.positions, *outcome.positions])
    pairs += [
        (f"the position {name!r}", saved.positions.get(name), outcome.positions.get(name)) for name in names
    ]
    for name, before, now in pairs:
        if before != now:
            raise SavedError(f"{path}: cannot be compared: {name} is {before!r} there, {now!r} here")


def verdict(before: Sequence[float], now: Sequence[float], figure: Figure) -> tuple[float | None, str]:
    """(gain, word) for two lists of values. The gain is above 1 if `now` is better by its median; the word is
    SAME or one of the figure's words."""
    old, new = Spread.of(before), Spread.of(now)
    gain = figure.gain(new.median, old.median)
    apart = new.low > old.high or new.high < old.low
    few = min(len(before), len(now)) < MIN_RUNS
    if gain is None or not apart or max(gain, 1 / gain) <= 1 + (FEW_RUNS_SLACK if few else SLACK):
        return gain, SAME
    return gain, figure.words[0 if gain > 1 else 1]


def print_comparison(saved: BenchmarkResult, outcome: BenchmarkResult, path: Path) -> None:
    """Prints a verdict for each line and figure that both have, and what else differs."""
    say(f"Against {path.name} of {_date(saved)}: {title_of(saved)}")
    table = Table()
    for heading in ("line", "by", "figure"):
        table.add_column(heading)
    for heading in ("before", "now", "gain", "verdict"):
        table.add_column(heading, justify="left" if heading == "verdict" else "right", no_wrap=True)
    for figure in outcome.figures:
        for line in outcome.lines():
            for who in outcome.contenders:
                before, now = (it.values(line, who, figure.name) for it in (saved, outcome))
                if before and now and _same_size(saved, outcome, line, who):
                    table.add_row(line, who, figure.unit, *_cells(before.values(), now.values(), figure))
    console().print(table)
    say(
        f"Figures differ if their ranges do not overlap and their medians differ by more than {SLACK:.0%}; "
        f"with fewer than {MIN_RUNS} runs by more than {FEW_RUNS_SLACK:.0%}."
    )
    _tell_other_tree(saved, outcome)
    if _machine(saved) != _machine(outcome):
        say(f"Before: {_machine(saved)}")


def _same_size(saved: BenchmarkResult, outcome: BenchmarkResult, line: str, who: str) -> bool:
    """Whether a line is not a total, or is of as many lines in both: totals leave out what was skipped."""
    sizes = [set(it.values(line, who, "lines").values()) for it in (saved, outcome)]
    return line != TOTAL or sizes[0] == sizes[1]


def _cells(before: Collection[float], now: Collection[float], figure: Figure) -> tuple[str, ...]:
    gain, word = verdict(list(before), list(now), figure)
    medians = (f"{Spread.of(values).median:.4g}" for values in (before, now))
    return *medians, "" if gain is None else f"{gain:.3f}", word


def _tell_other_tree(saved: BenchmarkResult, outcome: BenchmarkResult) -> None:
    """Prints whether both searched the same tree, if both have a signature of the same lines."""
    before, now = saved.signature, outcome.signature
    if not (before and now) or set(saved.lines()) != set(outcome.lines()):
        return
    if before == now:
        say(f"The same tree: {now.value} {now.what}")
        return
    say(f"A different tree: {before.value} {before.what} before, {now.value} now")
