"""What the engine in force may take of the machine: the memory of its table, and threads."""

import math
import os
from contextlib import suppress
from pathlib import Path

HASH_MB, THREADS = 64, 1  # of an engine that was told nothing
MIN_HASH_MB = 1  # of an engine that is only loaded yet
MEMINFO = Path("/proc/meminfo")  # of Linux: memory of the machine that is free or could be
# The limit of a container, in bytes; by version 2 or 1 of Linux's control groups.
CONTAINER = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


class Resources:
    """What the user wants of every engine, in this game and the next."""

    def __init__(self):
        self._hash_mb, self._threads = HASH_MB, THREADS
        self._given_mb, self._given_threads = 0, THREADS  # what the engine in force has

    def set_hash(self, engine, megabytes: int) -> None:
        """The size of the transposition table, for `engine` now if there is one. Raises ValueError when there
        is not so much memory, and changes nothing."""
        self.refuse(megabytes)
        if engine:
            try:
                engine.set_hash(megabytes)
            except MemoryError as error:
                raise ValueError(str(error)) from None
            self._given_mb = megabytes
        self._hash_mb = megabytes

    def refuse(self, megabytes: int) -> None:
        """Raises ValueError for a table that is larger than the memory that is left."""
        # The system may promise more than there is and end the process when it is used.
        if megabytes > memory_left() + self._given_mb:
            raise ValueError("this machine has not so much memory")

    def set_threads(self, engine, threads: int) -> None:
        """The number of threads that search, in `engine` now if there is one. Raises ValueError, and changes
        nothing."""
        if engine:
            try:
                engine.set_threads(threads)
            except MemoryError:
                engine.set_threads(self._given_threads)
                raise ValueError(f"there is no memory for {threads} threads") from None
            self._given_threads = threads
        self._threads = threads

    def give(self, engine):
        """Gives an engine that was loaded with MIN_HASH_MB and THREADS what is wanted, or what is usual where
        that cannot be. Returns sentences about what it could not be given."""
        self._given_mb, self._given_threads = MIN_HASH_MB, THREADS
        return [
            *_first_of(lambda size: self.set_hash(engine, size), self._hash_mb, HASH_MB),
            *_first_of(lambda number: self.set_threads(engine, number), self._threads, THREADS),
        ]


def _first_of(setter, wanted, usual):
    """Sets what is wanted or, where that is refused, what is usual; returns why it was refused, if it was."""
    try:
        setter(wanted)
        return []
    except ValueError as error:
        with suppress(ValueError):
            setter(min(wanted, usual))
        return [str(error)]


def memory_left():
    """The memory that this process could still take, in MB; infinite where the system does not tell."""
    return min(_free_megabytes(), *(_megabytes_in(path) for path in CONTAINER))


def _free_megabytes():
    """What is free or could be; where only the size of all memory is known, that."""
    with suppress(OSError, ValueError, IndexError):
        text = MEMINFO.read_text().split("MemAvailable:")[1]
        return int(text.split()[0]) >> 10
    with suppress(AttributeError, ValueError, OSError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    return math.inf


def _megabytes_in(path):
    """The limit in a file; infinite where there is none."""
    with suppress(OSError, ValueError):
        return int(path.read_text()) >> 20
    return math.inf
