"""The search for how much a network's scores should count beside the margins of the search: duels between the
network and itself with other factors."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...match.results.sprt import Sprt
from ...match.results.statistics import Tally
from .learned_match import MatchOutcome, outcome_of_tally

STEP = 0.75  # of a factor to the next one
FARTHEST = 3  # steps one way


def next_factor(won: dict[float, bool]) -> float | None:
    """The factor to try next, where these were tried and won against the best before them or not; None at the
    end.

    First the factors go down, as long as they win; if the first one did not, they go up."""
    for way in (STEP, 1 / STEP):
        for steps in range(1, FARTHEST + 1):
            factor = round(way**steps, 4)
            if factor not in won:
                return factor
            if not won[factor]:
                break
        if steps > 1:  # the first one won
            return None
    return None


def best_factor(won: dict[float, bool]) -> float:
    """The last factor that won, 1 without any."""
    return next((factor for factor in reversed(won) if won[factor]), 1.0)


def duel_outcome(log: Path, sprt: Sprt) -> MatchOutcome | None:
    """The outcome of the last duel that `surajang bench duel --log` wrote down, None without any. Raises
    OSError, ValueError."""
    if not log.exists():
        return None
    lines = log.read_text(encoding="utf-8").splitlines()
    if not lines:
        return None
    told: dict[str, Any] = json.loads(lines[-1])
    return outcome_of_tally(Tally(list(told["games"]), list(told["pairs"])), sprt)


def tried_factors(duel: Callable[[float, float], bool], won: dict[float, bool]) -> float:
    """The best factor, found by duels that are not among those `won` before: `duel(factor, best)` says
    whether a factor wins against the best so far. Adds them to `won`."""
    while (factor := next_factor(won)) is not None:
        won[factor] = duel(factor, best_factor(won))
    return best_factor(won)
