"""Signals to a running search: to stop, and that the expected move was played. No clocks here."""

import threading
from collections.abc import Callable

import numpy as np


class Stop:
    """A flag that ends a search within milliseconds, whether set before it begins or while it runs."""

    def __init__(self) -> None:
        self.word = np.zeros(1, np.uint64)

    def set(self) -> None:
        """Ends the search that was given this flag."""
        self.word[0] = 1

    def is_set(self) -> bool:
        """Whether `set` was called."""
        return bool(self.word[0])


class Ponder:
    """Thinking in the other side's time: a search that is given this obeys no clock until `hit` is called."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hit = False
        self._begin: Callable[[], object] | None = None

    @property
    def is_hit(self) -> bool:
        """Whether the expected move was played."""
        return self._hit

    def hit(self) -> None:
        """The other side has played the expected move: the search's own time begins."""
        with self._lock:
            self._hit, begin = True, self._begin
        if begin:
            begin()

    def bind(self, begin: Callable[[], object]) -> None:
        """Calls `begin` at the hit, or at once if that was before."""
        with self._lock:
            self._begin, late = begin, self._hit
        if late:
            begin()
