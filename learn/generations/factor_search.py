"""Searches for the search factor of a network: how much its scores count beside the search margins. Duels
between the network and itself with other factors decide."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...match.results.sprt import Sprt
from ...match.results.statistics import Tally
from .learned_match import MatchOutcome, outcome_of_tally

STEP = 0.75  # ratio of one factor to the next
FARTHEST = 3  # the most steps in one direction


def next_factor(won: dict[float, bool]) -> float | None:
    """The next factor to try, or None when the search is complete. `won` says for each factor tried so far
    whether it beat the best one before it.

    Smaller factors come first, as long as they win. If the first one loses, larger ones follow."""
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
    """The last factor that won, or 1."""
    return next((factor for factor in reversed(won) if won[factor]), 1.0)


def duel_outcome(log: Path, sprt: Sprt) -> MatchOutcome | None:
    """The outcome of the last duel in the file of `surajang bench duel --log`, or None if there is none.
    Raises OSError, ValueError."""
    if not log.exists():
        return None
    lines = log.read_text(encoding="utf-8").splitlines()
    if not lines:
        return None
    told: dict[str, Any] = json.loads(lines[-1])
    return outcome_of_tally(Tally(list(told["games"]), list(told["pairs"])), sprt)


def tried_factors(duel: Callable[[float, float], bool], won: dict[float, bool]) -> float:
    """The best factor. `duel(factor, best)` says whether a factor wins against the best so far; duels whose
    results are in `won` are not played again. Adds the new results to `won`."""
    while (factor := next_factor(won)) is not None:
        won[factor] = duel(factor, best_factor(won))
    return best_factor(won)
