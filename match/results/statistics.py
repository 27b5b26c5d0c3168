"""Statistics of the results of two opponents: Elo and its error, likelihood of superiority, pairs.

Pure functions on counts, which run from the lowest score to the highest: [losses, draws, wins] of games, or
[LL, LD, DD and WL, WD, WW] of pairs, two games with one opening and colours swapped. A pair is one unit of
the pentanomial: its games depend on each other through the opening, and its score is the mean of theirs.
The sequential test is in sprt.py, ratings of more than two engines are in ratings.py.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import NamedTuple

Z95 = NormalDist().inv_cdf(0.975)  # standard errors on either side that hold 95 %
LOGISTIC = 400 / math.log(10)  # Elo for each unit of the logistic curve's argument
NORMALISED = 2 * LOGISTIC  # normalised Elo for each standard deviation of a game's score


class Estimate(NamedTuple):
    """A figure in Elo and its error: `value` ± `error` holds 95 %.

    `value` is nan without games and infinite where all points went to one side. `error` is infinite where the
    95 % interval reaches a score of 0 or 1, and nan where the results have no spread to estimate it from.
    `bound` is what such a result shows at 95 %: a difference above it, or below it where the value is -inf;
    nan elsewhere."""

    value: float
    error: float
    bound: float = math.nan

    def __str__(self) -> str:
        if math.isnan(self.value):
            return "-"
        if math.isinf(self.value):
            side = "above" if self.value > 0 else "below"
            return f"{self.value:+}" if math.isnan(self.bound) else f"{side} {self.bound:+.0f}"
        error = "?" if math.isnan(self.error) else f"{self.error:.1f}"
        return f"{self.value:+.1f} ± {error}"

    def __neg__(self) -> "Estimate":
        return Estimate(-self.value, self.error, -self.bound)


def score_of_elo(elo: float) -> float:
    """The expected score, from 0 to 1, of a player that is `elo` stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of_score(score: float) -> float:
    """The Elo difference at which `score` is expected; infinite for 0 and below, for 1 and above."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return LOGISTIC * math.log(score / (1 - score))


def mean_and_deviation(counts: Sequence[float]) -> tuple[float, float]:
    """Mean and standard deviation (of the sample, not of the mean) of a unit's score from 0 to 1.

    Both are nan without results.
    """
    total, best = sum(counts), len(counts) - 1
    if not total:
        return math.nan, math.nan
    mean = sum(index * count for index, count in enumerate(counts)) / (best * total)
    variance = sum(count * (index / best - mean) ** 2 for index, count in enumerate(counts)) / total
    return mean, math.sqrt(variance)


def least_elo(wins: int) -> float:
    """The lower bound, at 95 %, on the Elo of a player that won all of `wins` games: with less, so many wins
    in a row would come in fewer than one case in twenty."""
    return elo_of_score(0.05 ** (1 / wins)) if wins else -math.inf


def one_sided(value: float, games: int) -> Estimate:
    """The Estimate of so many games that all went to one side: `value` is inf or -inf."""
    return Estimate(value, math.nan, math.copysign(1, value) * least_elo(games))


def ratio(part: float, other: float) -> float:
    """`part` / `other`; infinite where only the other is 0, nan where both are."""
    if other:
        return part / other
    return math.inf if part else math.nan


@dataclass
class Tally:
    """The results of one engine against another, or against all: counts of `games` and of complete `pairs`.

    Elo, normalised Elo and the likelihood of superiority come from the pairs as soon as there is one, and
    then leave out what has no partner; before that from the games.
    """

    games: list[int] = field(default_factory=lambda: [0, 0, 0])
    pairs: list[int] = field(default_factory=lambda: [0, 0, 0, 0, 0])

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            [a + b for a, b in zip(self.games, other.games, strict=True)],
            [a + b for a, b in zip(self.pairs, other.pairs, strict=True)],
        )

    def __neg__(self) -> "Tally":
        """The same results from the opponent's side."""
        return Tally(self.games[::-1], self.pairs[::-1])

    @property
    def counts(self) -> list[int]:
        """What estimates are made from: the pairs if there are any, else the games."""
        return self.pairs if any(self.pairs) else self.games

    @property
    def _rated_games(self) -> int:
        """The number of games that estimates are made from."""
        return sum(self.counts) * (len(self.counts) - 1) // 2

    @property
    def played(self) -> int:
        """Number of games."""
        return sum(self.games)

    @property
    def points(self) -> float:
        """Wins, and half the draws."""
        return self.games[2] + self.games[1] / 2

    @property
    def score(self) -> float:
        """Points a game; nan without games."""
        return self.points / self.played if self.played else math.nan

    @property
    def draw_ratio(self) -> float:
        """Draws a game; nan without games."""
        return self.games[1] / self.played if self.played else math.nan

    @property
    def even_ratio(self) -> float:
        """The part of the pairs that end 1 to 1; nan without pairs. fastchess calls it DrawRatio."""
        return self.pairs[2] / sum(self.pairs) if any(self.pairs) else math.nan

    @property
    def pair_ratio(self) -> float:
        """Pairs won for each pair lost."""
        return ratio(self.pairs[3] + self.pairs[4], self.pairs[0] + self.pairs[1])

    def spread(self, mean: float) -> float:
        """Pearson's statistic: the squared distances of the results from a `mean` score, by the variance that
        games have which are won or lost."""
        best = len(self.counts) - 1
        squares = sum(count * (index / best - mean) ** 2 for index, count in enumerate(self.counts))
        return squares / (mean * (1 - mean) / (best // 2))

    @property
    def elo(self) -> Estimate:
        """The Elo difference, an Estimate.

        As fastchess and cutechess-cli do, the error is half the distance between the Elo at both ends of the
        95 % interval of the mean score; for the small ones it is the delta method on the logistic curve."""
        mean, deviation = mean_and_deviation(self.counts)
        value = elo_of_score(mean)
        if not deviation > 0:
            return one_sided(value, self._rated_games) if math.isinf(value) else Estimate(value, math.nan)
        reach = Z95 * deviation / math.sqrt(sum(self.counts))
        return Estimate(value, (elo_of_score(mean + reach) - elo_of_score(mean - reach)) / 2)

    @property
    def normalised_elo(self) -> Estimate:
        """Normalised Elo, an Estimate: the score's distance from one half in standard deviations of one game.

        Michel Van den Bergh's definition ("Normalized Elo"), scaled so that it is near Elo where draws are
        rare; a pair's score has half the variance of a game's. The error takes the score to be normally
        distributed, as fastchess does: it depends on the number of games alone."""
        mean, deviation = mean_and_deviation(self.counts)
        if not deviation > 0:
            even = math.isnan(mean) or mean == 0.5
            return Estimate(mean - 0.5 if even else math.copysign(math.inf, mean - 0.5), math.nan)
        value = NORMALISED * (mean - 0.5) / (deviation * math.sqrt((len(self.counts) - 1) // 2))
        return Estimate(value, Z95 * NORMALISED / math.sqrt(self._rated_games))

    @property
    def superiority(self) -> float:
        """The likelihood (0 to 1) that the first player is the stronger one; nan without results.

        From the normal distribution of the mean score. Where all results are the same and not even, the
        deviation is taken as 0.5, that of wins and losses in equal numbers, as cutechess-cli does."""
        mean, deviation = mean_and_deviation(self.counts)
        if math.isnan(mean):
            return math.nan
        return NormalDist().cdf(math.sqrt(sum(self.counts)) * (mean - 0.5) / (deviation or 0.5))
