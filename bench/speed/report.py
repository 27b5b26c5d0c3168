"""The report of a benchmark: a table of each figure over several runs, and the machine."""

from rich.table import Table

from ...match.workers.machine import machine_line
from ...protocol.terminal.console import console, say
from .result import TOTAL, BenchmarkResult, Figure, Spread


def title_of(outcome: BenchmarkResult) -> str:
    """Benchmark, game, runs and parameters."""
    parameters = [f"{name} {value}" for name, value in outcome.parameters.items()]
    return ", ".join([f"{outcome.benchmark} {outcome.game}", f"runs {outcome.facts['runs']}", *parameters])


def print_outcome(outcome: BenchmarkResult) -> None:
    """A table of each figure, then what was skipped, the signature and the machine."""
    say(title_of(outcome))
    for figure in outcome.figures:
        console().print(_table_of(outcome, figure))
    for line, why in outcome.skipped.items():
        say(f"Skipped {line}: {why}")
    if outcome.signature:
        say(str(outcome.signature))
    say(machine_line(outcome.facts))


def _table_of(outcome: BenchmarkResult, figure: Figure) -> Table:
    """Minimum, median and maximum of a figure for each line and contender."""
    several = len(outcome.contenders) > 1
    table = Table()
    table.add_column(figure.unit)
    if several:
        table.add_column("by", no_wrap=True)
    count = outcome.signature and outcome.signature.what
    headings = [count, "minimum", "median", "maximum", f"to {outcome.baseline}" if several else None]
    for heading in filter(None, headings):
        table.add_column(heading, justify="right", no_wrap=True)
    for line in outcome.lines():
        for who in outcome.contenders:
            if not (values := outcome.values(line, who, figure.name)):
                continue
            cells = [line] + [who] * several
            if count:
                cells.append(_count(outcome.values(line, who, count)))
            cells += [_number(value) for value in Spread.of(values.values())]
            if several:
                cells.append(_gain(outcome, line, who, figure))
            table.add_row(*cells, style="bold" if line == TOTAL else None)
    return table


def _number(value: float) -> str:
    """A number with about three significant digits; a whole one in full."""
    whole = float(value).is_integer()
    digits = 0 if whole or value >= 1000 else 1 if value >= 100 else 2 if value >= 0.1 else 4
    return f"{value:,.{digits}f}"


def _count(values: dict[int, float]) -> str:
    """A count that was the same in every run; empty if runs differ."""
    return f"{values.popitem()[1]:,}" if len(set(values.values())) == 1 else ""


def _gain(outcome: BenchmarkResult, line: str, who: str, figure: Figure) -> str:
    """How many times better than the baseline: by medians, and from worst to best of the pairs of a round."""
    own = outcome.values(line, who, figure.name)
    base = outcome.values(line, outcome.baseline, figure.name)
    pairs = [figure.gain(own[run], base[run]) for run in own if run in base]
    gains = [gain for gain in pairs if gain is not None]
    if who == outcome.baseline or not pairs or len(gains) < len(pairs):
        return ""
    middle = figure.gain(Spread.of(own.values()).median, Spread.of(base.values()).median)
    return f"{middle:.2f} ({min(gains):.2f} to {max(gains):.2f})"
