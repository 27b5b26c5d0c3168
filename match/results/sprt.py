"""The sequential probability ratio test, which stops a match as soon as the result is clear.

The generalised test of Michel Van den Bergh ("A practical introduction to the GSPRT", "Comments on normalized
Elo"): the likelihoods of the results under both hypotheses are the greatest ones that distributions with the
hypothetical strength can give them. Counts are those of statistics.py.
"""

import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .statistics import NORMALISED, Tally, score_of_elo

MODELS = ("normalized", "logistic", "bayesian")
H0, H1 = "H0", "H1"
EMPTY = 1e-3  # what fishtest and fastchess put in place of a count of 0, so that logarithms exist
ROUNDS = 100  # of an iteration that takes fewer than ten; a bound for extreme results


@dataclass(frozen=True)
class Sprt:
    """The test of H0, the engine is `elo0` stronger, against H1, it is `elo1` stronger.

    `alpha` is the probability of accepting H1 where H0 holds, `beta` that of accepting H0 where H1 holds.
    `model` says what the Elo is: "normalized" (in standard deviations of a game's score, so that the length
    of the test depends neither on draws nor on openings), "logistic" (of the mean score) or "bayesian"
    (BayesElo, with the draws of the sample; it uses games and not pairs). Raises ValueError for settings that
    make no test.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "normalized"

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 {self.elo0:g} should be less than elo1 {self.elo1:g}")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ValueError(f"{name} {getattr(self, name):g} should be between 0 and 0.5")
        if self.model not in MODELS:
            raise ValueError(f"model {self.model!r} should be one of {', '.join(MODELS)}")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which H0 is accepted (Wald)."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which H1 is accepted (Wald)."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, tally: Tally) -> float:
        """The log-likelihood ratio of H1 to H0 for a Tally: of its pairs, or of its games if it has none."""
        counts = tally.games if self.model == "bayesian" else tally.counts
        return log_likelihood_ratio(counts, self.elo0, self.elo1, self.model)

    def verdict(self, llr: float) -> str | None:
        """H0 or H1 where the ratio has reached a bound, else None."""
        return H1 if llr >= self.upper else H0 if llr <= self.lower else None

    def __str__(self) -> str:
        unit = {"normalized": "nElo", "logistic": "Elo", "bayesian": "BayesElo"}[self.model]
        return f"{unit} [{self.elo0:.2f}, {self.elo1:.2f}]"


def parse_sprt(text: str) -> "Sprt":
    """The test that "elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized" asks for.

    The last three may be left out. Raises ValueError that quotes the fault.
    """
    settings: dict[str, Any] = {}
    for word in shlex.split(text):
        name, equals, value = word.partition("=")
        if name not in Sprt.__dataclass_fields__ or not equals:
            raise ValueError(
                f"{word!r} is not a setting of an SPRT; it has {', '.join(Sprt.__dataclass_fields__)}"
            )
        try:
            settings[name] = value if name == "model" else float(value)
        except ValueError:
            raise ValueError(f"{name} {value!r} should be a number") from None
    missing = [name for name in ("elo0", "elo1") if name not in settings]
    if missing:
        raise ValueError(f"an SPRT needs {' and '.join(missing)}, as in 'elo0=0 elo1=5'")
    return Sprt(**settings)


def log_likelihood_ratio(
    counts: Sequence[float], elo0: float, elo1: float, model: str = "normalized"
) -> float:
    """The logarithm of the likelihood of `counts` with `elo1` over that with `elo0`; 0 without results.

    A count of 0 is taken as EMPTY, as fishtest and fastchess do. The bayesian model needs three counts and is
    0 as long as one side has no win, where BayesElo's rate of draws does not exist.
    """
    if not any(counts):
        return 0.0
    total = sum(count or EMPTY for count in counts)
    shares = [(count or EMPTY) / total for count in counts]
    if model == "normalized":
        # The deviation of a pair's score is a game's over the root of 2, so the same Elo is more of them.
        unit = math.sqrt((len(counts) - 1) // 2) / NORMALISED
        low, high = (likeliest_with_strength(shares, unit * elo) for elo in (elo0, elo1))
    elif model == "logistic":
        low, high = (likeliest_with_mean(shares, score_of_elo(elo)) for elo in (elo0, elo1))
    else:
        if not counts[0] or not counts[2]:
            return 0.0
        low, high = (likeliest_with_mean(shares, _bayesian_score(shares, elo)) for elo in (elo0, elo1))
    return total * sum(share * math.log(b / a) for share, a, b in zip(shares, low, high, strict=True))


def likeliest_with_mean(shares: Sequence[float], mean: float) -> list[float]:
    """Of the distributions over equally spaced scores from 0 to 1 with this mean, the one that makes `shares`
    (observed, none of them 0, sum 1) likeliest."""
    return _likeliest(shares, [score - mean for score in _scores(shares)])


def likeliest_with_strength(shares: Sequence[float], strength: float) -> list[float]:
    """The same, with a mean that lies `strength` standard deviations above one half.

    The condition is not linear; each round solves it linearised at the distribution of the round before. The
    first is one of wins and losses only that meets it exactly, which keeps the linear problems solvable.
    """
    scores = _scores(shares)
    excess = strength / (2 * math.hypot(1, strength))
    guess = [0.5 - excess, *[0.0] * (len(shares) - 2), 0.5 + excess]
    for _ in range(ROUNDS):
        mean = sum(score * part for score, part in zip(scores, guess, strict=True))
        deviation = math.sqrt(sum(part * (x - mean) ** 2 for x, part in zip(scores, guess, strict=True)))
        # Slopes of mean - strength * deviation, shifted to average 0 where the condition holds.
        slopes = [x - 0.5 - strength / 2 * (deviation + (x - mean) ** 2 / deviation) for x in scores]
        last, guess = guess, _likeliest(shares, slopes)
        if max(abs(a - b) for a, b in zip(last, guess, strict=True)) < 1e-10:
            break
    return guess


def _scores(shares: Sequence[float]) -> list[float]:
    return [index / (len(shares) - 1) for index in range(len(shares))]


def _likeliest(shares: Sequence[float], values: Sequence[float]) -> list[float]:
    """The distribution with the greatest likelihood of `shares` among those where `values` average to 0.

    By Lagrange's rule it is share / (1 + multiplier * value). The multiplier is the root of a falling
    function between two poles: Newton's steps, and bisection where one would leave the interval. `values` has
    both signs.
    """
    low, high = -1 / max(values), -1 / min(values)
    multiplier = 0.0
    for _ in range(ROUNDS):
        terms = [value / (1 + multiplier * value) for value in values]
        balance = sum(share * term for share, term in zip(shares, terms, strict=True))
        if balance > 0:
            low = multiplier
        else:
            high = multiplier
        steepness = sum(share * term * term for share, term in zip(shares, terms, strict=True))
        step = multiplier + balance / steepness
        if not low < step < high:
            step = (low + high) / 2
        if abs(step - multiplier) <= 1e-12 * (1 + abs(multiplier)):
            break
        multiplier = step
    return [share / (1 + multiplier * value) for share, value in zip(shares, values, strict=True)]


def _bayesian_score(shares: Sequence[float], elo: float) -> float:
    """The mean score at `elo` in Rémi Coulom's BayesElo, with as many draws as the shares have."""
    loss, _, win = shares
    draw_elo = 200 * math.log10((1 - loss) / loss * (1 - win) / win)
    return (score_of_elo(elo - draw_elo) + 1 - score_of_elo(-elo - draw_elo)) / 2
