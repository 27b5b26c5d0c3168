"""The data of a benchmark: its figures, the samples of each run, and the whole result."""

import statistics
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

TOTAL = "total"


class Figure(NamedTuple):
    """A kind of number: its name in samples, its unit, whether more is better, words for better and worse."""

    name: str
    unit: str
    more: bool = True
    words: tuple[str, str] = ("faster", "slower")

    def gain(self, value: float, base: float) -> float | None:
        """How many times better `value` is than `base`; above 1 is better. None where that makes no sense."""
        above, below = (value, base) if self.more else (base, value)
        return above / below if below > 0 else None


# What is measured; `name` is the key in samples, so a benchmark has no two figures with the same name.
SPEED = Figure("speed", "million nodes/s")
LEAVES = Figure("speed", "million leaves/s")
DEPTH = Figure("depth", "plies", words=("deeper", "shallower"))
SECONDS = Figure("seconds", "s", more=False)


class Measurement(NamedTuple):
    """The result of one contender for one line of work in one run: names of figures and counts -> numbers."""

    line: str
    contender: str
    run: int
    figures: dict[str, float]


class Signature(NamedTuple):
    """A count that is the same on every machine: the sum of `what` over the work."""

    what: str
    value: int

    def __str__(self) -> str:
        return f"{self.what.capitalize()} searched : {self.value}"


@dataclass
class BenchmarkResult:
    """A benchmark that has been carried out.

    `parameters` and `positions` (name -> FEN) are what has to be the same for figures to be comparable.
    `baseline` is the contender that the others are measured against, if there are several. `skipped` says for
    each line that was left out who refused it and why. `facts` describe machine, program and time.
    """

    benchmark: str
    game: str
    parameters: dict[str, object]
    positions: dict[str, str]
    figures: tuple[Figure, ...]
    contenders: list[str] = field(default_factory=list)
    baseline: str | None = None
    samples: list[Measurement] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    signature: Signature | None = None
    facts: dict[str, Any] = field(default_factory=dict)

    def lines(self) -> list[str]:
        """The names of the lines, in the order of the work."""
        return list(dict.fromkeys(sample.line for sample in self.samples))

    def values(self, line: str, contender: str | None, name: str) -> dict[int, float]:
        """Run -> the figure or count of that name, for the runs that gave it."""
        return {
            sample.run: sample.figures[name]
            for sample in self.samples
            if (sample.line, sample.contender) == (line, contender) and name in sample.figures
        }


class Spread(NamedTuple):
    """Minimum, median and maximum."""

    low: float
    median: float
    high: float

    @classmethod
    def of(cls, values: Collection[float]) -> "Spread":
        """The spread of some numbers, of at least one."""
        return cls(min(values), statistics.median(values), max(values))


def per_second(what: str, count: float, seconds: float) -> dict[str, float]:
    """The figures for `count` nodes or leaves in so many seconds; `what` is the name of the count."""
    return {what: count, "seconds": seconds, "speed": count / max(seconds, 1e-9) / 1e6}


def adding(what: str) -> Callable[[Mapping[str, Mapping[str, float]]], dict[str, float]]:
    """Makes `add` for `totals`: the speed over several lines is all of the counts `what` in all seconds."""

    def add(found: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
        count, seconds = (sum(figures[name] for figures in found.values()) for name in (what, "seconds"))
        return per_second(what, count, seconds)

    return add


def shared_lines(samples: Iterable[Measurement], contenders: Sequence[str]) -> list[str]:
    """The lines for which every contender has the full number of samples."""
    runs: dict[str, dict[str, set[int]]] = {}
    for sample in samples:
        runs.setdefault(sample.line, {}).setdefault(sample.contender, set()).add(sample.run)
    most = max((len(of) for line in runs.values() for of in line.values()), default=0)
    return [line for line, of in runs.items() if all(len(of.get(name, ())) == most for name in contenders)]


def totals(
    samples: Sequence[Measurement],
    contenders: Sequence[str],
    add: Callable[[dict[str, dict[str, float]]], dict[str, float]],
) -> list[Measurement]:
    """A sample for the line TOTAL of each run and contender: what `add` makes of its figures on all lines
    that every contender finished, and how many `lines` these are. Empty if there is only one line."""
    lines = shared_lines(samples, contenders)
    if len(lines) < 2:
        return []
    gathered: dict[tuple[str, int], dict[str, dict[str, float]]] = {}
    for sample in samples:
        if sample.line in lines:
            gathered.setdefault((sample.contender, sample.run), {})[sample.line] = sample.figures
    return [
        Measurement(TOTAL, who, run, {**add(found), "lines": len(lines)})
        for (who, run), found in gathered.items()
    ]


def signature_of(samples: Iterable[Measurement], contender: str, what: str) -> Signature | None:
    """The `Signature` of a contender's counts `what`; None when its runs did not agree on every line."""
    counts: dict[str, set[float]] = {}
    for sample in samples:
        if sample.contender == contender and sample.line != TOTAL and what in sample.figures:
            counts.setdefault(sample.line, set()).add(sample.figures[what])
    if not counts or any(len(of) > 1 for of in counts.values()):
        return None
    return Signature(what, int(sum(min(of) for of in counts.values())))
