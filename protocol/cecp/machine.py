"""The commands of CECP about memory and cores."""

import os
from collections.abc import Callable

from ..session.session import Session
from ..wire.arguments import RefusedError, whole

MAX_HASH_MB = 1 << 20
MAX_CORES = 10_000


class Machine:
    """Memory and cores of a `Session`. Methods raise RefusedError, and change nothing then."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._waiting: int | None = None  # the number of threads to set after the search

    def memory(self, argument: str) -> None:
        """Sets the size of the transposition table."""
        _set(self._session.set_hash, whole(argument, 1, MAX_HASH_MB))

    def cores(self, argument: str) -> None:
        """Sets the number of threads, up to the machine's cores, after the current search, if any."""
        threads = min(whole(argument, 1, MAX_CORES), os.cpu_count() or 1)
        if self._session.search_control.deciding:
            self._waiting = threads
        else:
            _set(self._session.set_threads, threads)

    def take_cores(self) -> None:
        """Applies a `cores` command that has waited for the end of a search."""
        if self._waiting is None or self._session.search_control.deciding:
            return
        threads, self._waiting = self._waiting, None
        self._session.set_threads(threads)


def _set(setter: Callable[[int], None], value: int) -> None:
    try:
        setter(value)
    except ValueError as error:
        raise RefusedError(str(error)) from None
