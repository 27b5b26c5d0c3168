"""The commands of CECP about what the engine may take of the machine."""

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
        self._waiting: int | None = None  # the number of threads that waits for the end of a search

    def memory(self, argument: str) -> None:
        """The size of the transposition table."""
        _set(self._session.set_hash, whole(argument, 1, MAX_HASH_MB))

    def cores(self, argument: str) -> None:
        """The number of threads, as far as the machine has cores; after the search under way, if any."""
        threads = min(whole(argument, 1, MAX_CORES), os.cpu_count() or 1)
        if self._session.thinker.deciding:
            self._waiting = threads
        else:
            _set(self._session.set_threads, threads)

    def take_cores(self) -> None:
        """Carries out a `cores` that has waited for the end of a search."""
        if self._waiting is None or self._session.thinker.deciding:
            return
        threads, self._waiting = self._waiting, None
        self._session.set_threads(threads)


def _set(setter: Callable[[int], None], value: int) -> None:
    try:
        setter(value)
    except ValueError as error:
        raise RefusedError(str(error)) from None
