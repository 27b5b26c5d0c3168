"""Figures with 95 % intervals: shares, scores, means and ratios over games.

All units are games, or openings where several games share one: positions of one game depend on each other.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ...match.results.statistics import Z95, mean_and_deviation

Z2 = Z95**2


@dataclass(frozen=True)
class Interval:
    """A figure and the ends of its 95 % interval; NaN where nothing is known."""

    value: float
    low: float
    high: float

    def __sub__(self, other: "Interval") -> "Interval":
        """The difference of two figures that do not depend on each other."""
        value = self.value - other.value
        down = math.hypot(self.value - self.low, other.high - other.value)
        up = math.hypot(self.high - self.value, other.value - other.low)
        return Interval(value, value - down, value + up)

    @property
    def is_known(self) -> bool:
        """Whether there is a figure at all."""
        return not math.isnan(self.value)

    def excludes(self, value: float) -> bool:
        """Whether a value lies outside the interval."""
        return value < self.low or value > self.high


UNKNOWN = Interval(math.nan, math.nan, math.nan)


def share(count: float, total: int) -> Interval:
    """A share of independent units: Wilson's interval (E. B. Wilson, 1927)."""
    if not total:
        return UNKNOWN
    value, k = count / total, Z2 / total
    centre, spread = value + k / 2, math.sqrt(k * value * (1 - value) + k * k / 4)
    low, high = (centre - spread) / (1 + k), (centre + spread) / (1 + k)
    return Interval(value, 0.0 if not count else low, 1.0 if count == total else high)


def score(losses: int, draws: int, wins: int) -> Interval:
    """A score from 0 to 1 with draws as one half: Wilson's interval with the variance that draws leave.

    For a mean p and a share of draws d a game has the variance p (1 - p) - d / 4; d is the lower end of its
    own interval, so that draws alone do not make the interval empty."""
    total = losses + draws + wins
    if not total:
        return UNKNOWN
    value, _ = mean_and_deviation((losses, draws, wins))
    d, k = share(draws, total).low, Z2 / total
    centre = value + k / 2
    spread = math.sqrt(max(0.0, k * (value * (1 - value) - d / 4) + k * k * (1 - d) / 4))
    return Interval(value, max(0.0, (centre - spread) / (1 + k)), min(1.0, (centre + spread) / (1 + k)))


def mean(values: Sequence[float]) -> Interval:
    """The mean of independent values. One value alone has no interval: its ends are NaN."""
    count = len(values)
    if not count:
        return UNKNOWN
    value = math.fsum(values) / count
    if count == 1:
        return Interval(value, math.nan, math.nan)
    variance = math.fsum((each - value) ** 2 for each in values) / (count - 1)
    reach = Z95 * math.sqrt(variance / count)
    return Interval(value, value - reach, value + reach)


def mean_change(values: Sequence[float]) -> Interval:
    """The mean of independent differences from -1 to 1, of points or of shares. Where all are equal, the
    interval is that of a share of so many units, because a difference may be too rare for them."""
    found = mean(values)
    if not found.is_known or math.isnan(found.low):
        return found
    reach = max(found.high - found.value, share(0, len(values)).high)
    return Interval(found.value, max(-1.0, found.value - reach), min(1.0, found.value + reach))


def mean_count(values: Sequence[float]) -> Interval:
    """The mean of independent counts. Where all are 0, the interval ends at the share of so many units that a
    rare event may have."""
    if values and not any(values):
        return share(0, len(values))
    return clipped(mean(values))


def clipped(figure: Interval, most: float = math.inf) -> Interval:
    """A figure from 0 to `most`, whose interval does not leave that range either."""
    if not figure.is_known or math.isnan(figure.low):
        return figure
    return Interval(figure.value, max(0.0, figure.low), min(most, figure.high))


def ratio(parts: Sequence[float], wholes: Sequence[float]) -> Interval:
    """The sum of `parts` over the sum of `wholes`, one of each for every independent unit, such as captures
    and moves of a game. The error is that of the ratio estimator (W. G. Cochran, "Sampling Techniques", 1977,
    section 6.4). Where all units have the same ratio, it is Wilson's for that many units if the ratio is 0 or
    1, and NaN otherwise for a unit alone."""
    units, whole = len(wholes), math.fsum(wholes)
    if not whole:
        return UNKNOWN
    value = math.fsum(parts) / whole
    if value in (0, 1):
        return share(value * units, units)
    if units == 1:
        return Interval(value, math.nan, math.nan)
    squares = math.fsum((part - value * each) ** 2 for part, each in zip(parts, wholes, strict=True))
    reach = Z95 * math.sqrt(squares / (units - 1) / units) / (whole / units)
    return Interval(value, value - reach, value + reach)
