"""The time of one search: when its clock began, and whether the clock lets it go on."""

from __future__ import annotations

import threading
import time

from .clock import Limits
from .control import Ponder, Stop

PONDERHIT_POLL_S = 0.005  # between looks for the ponder hit, once there is nothing more to search


class Watch:
    """Holds a search to its `Limits`: the soft one between iterations, the hard one by a timer.

    With a `ponder`, the limits count from its hit; until then only `stop` ends the search."""

    def __init__(self, limits: Limits, stop: Stop, ponder: Ponder | None) -> None:
        self._limits, self._stop, self._ponder = limits, stop, ponder
        self._started = time.perf_counter()
        self._timer: threading.Timer | None = None
        self._expired = False  # the soft limit has passed, but it is still the other side's time

    def start(self) -> None:
        """Start the hard limit's timer, now or at the ponder hit."""
        if self._ponder is None:
            self._arm()
        else:
            self._ponder.bind(self._arm)

    def _arm(self) -> None:
        if self._expired:
            self._stop.set()
        if self._limits.hard == float("inf"):
            return
        spent = self.elapsed() if self._ponder is None else 0.0
        seconds = min(max(0.0, self._limits.hard - spent), threading.TIMEOUT_MAX)
        self._timer = threading.Timer(seconds, self._stop.set)
        self._timer.daemon = True
        self._timer.start()

    def cancel(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()

    def elapsed(self) -> float:
        """Seconds since the search began."""
        return time.perf_counter() - self._started

    def is_pondering(self) -> bool:
        """Whether the search still runs in the other side's time."""
        return self._ponder is not None and not self._ponder.is_hit

    def is_time_up(self, factor: float) -> bool:
        """Whether the soft limit, times `factor`, has passed, so that no further iteration may begin."""
        self._expired = self.elapsed() >= self._limits.soft * factor
        return self._expired and not self.is_pondering()

    def await_hit(self) -> None:
        """Wait until the ponder hit, or until the search is stopped."""
        while self.is_pondering() and not self._stop.is_set():
            time.sleep(PONDERHIT_POLL_S)
