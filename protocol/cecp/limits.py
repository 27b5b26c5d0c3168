"""The commands of CECP that set a session's limits: time, depth and nodes, memory and cores."""

import os
from collections.abc import Callable

from ..session.session import Session
from ..wire.arguments import LONGEST_TIME, RefusedError, minutes, number, whole

DEEPEST = 1000  # plies
UNTOLD_FRACTION = 0.1  # seconds; for a move of less than a second, until the clock tells how much less
FASTEST = 999_999_999  # nodes a second
MOST_MOVES = 10_000
MAX_HASH_MB = 1 << 20
MAX_CORES = 10_000


class LimitCommands:
    """Sets the limits, memory and cores of a `Session`. Its methods raise RefusedError, and change nothing
    then."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._waiting: int | None = None  # the number of threads to set after the search

    def level(self, argument: str) -> None:
        """`level 40 5 0`, `level 0 2:30 12`: moves per control, time for them, increment in seconds."""
        words = argument.split()
        if len(words) != 3:
            raise RefusedError("level needs moves, base time and increment")
        moves, base, increment = whole(words[0], 0, MOST_MOVES), minutes(words[1]), number(words[2])
        session, limits = self._session, self._session.clock.control
        limits.moves, limits.base, limits.increment = moves, base, increment
        limits.per_move = None
        limits.since = session.position.ply if session.position else 0
        session.clock.remaining = base

    def st(self, argument: str) -> None:
        """`st 30`, `st 1:30`: fixed time for every move. `st 0` comes from GUIs that round seconds down, such
        as Cute Chess; `time` gives the fraction before each move."""
        self._session.clock.control.per_move = minutes(argument) if ":" in argument else number(argument)
        if self._session.clock.control.per_move == 0:
            self._session.clock.remaining = UNTOLD_FRACTION

    def sd(self, argument: str) -> None:
        """`sd 8`: the maximum depth in plies."""
        self._session.clock.control.depth = whole(argument, 1, DEEPEST)

    def nps(self, argument: str) -> None:
        """Counts time in nodes: nodes per second; 0 for seconds of the processor, -1 for the clock's again. A
        search in one thread is always busy, so the processor's seconds are the clock's."""
        self._session.clock.control.node_rate = None if argument == "-1" else whole(argument, 0, FASTEST)

    def time(self, argument: str) -> None:
        """The engine's clock, in hundredths of a second."""
        self._session.clock.remaining = number(argument, least=-LONGEST_TIME) / 100

    def otim(self, argument: str) -> None:
        """The other side's clock, which is ignored: with time odds only the engine's own clock counts."""
        number(argument, least=-LONGEST_TIME)

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
