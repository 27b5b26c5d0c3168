"""What others tell a search while it runs: to stop, and that the expected move was played. No clocks here."""

import threading

import numpy as np


class Stop:
    """A flag that ends a search within milliseconds, whether set before it begins or while it runs."""

    def __init__(self):
        self.word = np.zeros(1, np.uint64)

    def set(self):
        """Ends the search that was given this flag."""
        self.word[0] = 1

    def is_set(self) -> bool:
        """Whether `set` was called."""
        return bool(self.word[0])


class Ponder:
    """Thinking in the other side's time: a search that is given this obeys no clock until `hit` is called."""

    def __init__(self):
        self._lock = threading.Lock()
        self._hit = False
        self._begin = None

    @property
    def is_hit(self) -> bool:
        """Whether the expected move was played."""
        return self._hit

    def hit(self):
        """The other side has played the expected move: the search's own time begins."""
        with self._lock:
            self._hit, begin = True, self._begin
        if begin:
            begin()

    def bind(self, begin):
        """Has `begin` called at the hit, or at once if that was before."""
        with self._lock:
            self._begin, late = begin, self._hit
        if late:
            begin()
