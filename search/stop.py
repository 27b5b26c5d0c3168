"""The flag that stops a running search."""

import numpy as np


class Stop:
    """A flag that stops a search within milliseconds; it may be set before the search starts."""

    def __init__(self) -> None:
        self.word = np.zeros(1, np.uint64)

    def set(self) -> None:
        """Stop the search that was given this flag."""
        self.word[0] = 1

    def is_set(self) -> bool:
        """Whether `set` was called."""
        return bool(self.word[0])
