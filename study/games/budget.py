"""The time of a study, as `--hours` limits it: each of its parts ends at a share of it."""

import time
from collections.abc import Callable

# Parts in their order, and when each ends. What runs then is finished: the games end early enough for the
# longest one, and for the searches behind them.
OPENINGS, GAMES, POSITIONS, LINES, HANDICAPS = "openings", "games", "positions", "lines", "handicaps"
ENDS = {OPENINGS: 0.2, GAMES: 0.75, POSITIONS: 0.83, LINES: 0.9, HANDICAPS: 0.97}


class StudyBudget:
    """So many `seconds` from now on for all parts of a study, without a limit for None. `now` is a clock."""

    def __init__(self, seconds: float | None = None, now: Callable[[], float] = time.monotonic) -> None:
        self.now = now
        self._seconds = seconds
        self._start = now()

    def end_of(self, part: str) -> float | None:
        """When a part should end by the clock; None for no limit."""
        return None if self._seconds is None else self._start + ENDS[part] * self._seconds

    def left_for(self, part: str) -> bool:
        """Whether there is time left for a part."""
        end = self.end_of(part)
        return end is None or self.now() < end
