"""Resources of the engine: memory for its table, and threads."""

import math
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...search.engine import Engine

HASH_MB, THREADS = 64, 1  # by default
MIN_HASH_MB = 1  # while an engine is being loaded
MEMINFO = Path("/proc/meminfo")  # Linux: memory that is available
# The memory limit of a container, in bytes: control groups of Linux, version 2 and version 1.
CONTAINER = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


class Resources:
    """The hash size and the threads that the user wants, for the engine of this game and of later ones."""

    def __init__(self) -> None:
        self._hash_mb, self._threads = HASH_MB, THREADS
        self._given_mb, self._given_threads = 0, THREADS  # the settings of the current engine

    def set_hash(self, engine: "Engine | None", megabytes: int) -> None:
        """Sets the size of the transposition table, also in `engine` unless it is None. Raises ValueError and
        changes nothing if there is too little memory."""
        self.refuse(megabytes)
        if engine:
            try:
                engine.set_hash(megabytes)
            except MemoryError as error:
                raise ValueError(str(error)) from None
            self._given_mb = megabytes
        self._hash_mb = megabytes

    def refuse(self, megabytes: int) -> None:
        """Raises ValueError for a table that does not fit into the available memory."""
        # The system may promise more than there is and kill the process when it is used.
        if megabytes > memory_left() + self._given_mb:
            raise ValueError("this machine does not have so much memory")

    def set_threads(self, engine: "Engine | None", threads: int) -> None:
        """Sets the number of search threads, also in `engine` unless it is None. Raises ValueError and
        changes nothing if there is too little memory."""
        if engine:
            try:
                engine.set_threads(threads)
            except MemoryError:
                engine.set_threads(self._given_threads)
                raise ValueError(f"there is no memory for {threads} threads") from None
            self._given_threads = threads
        self._threads = threads

    def give(self, engine: "Engine") -> list[str]:
        """Sets the wanted hash size and threads in an engine that was loaded with MIN_HASH_MB and THREADS, or
        the defaults if that fails. Returns a sentence for each failure."""
        self._given_mb, self._given_threads = MIN_HASH_MB, THREADS
        return [
            *_first_of(lambda size: self.set_hash(engine, size), self._hash_mb, HASH_MB),
            *_first_of(lambda number: self.set_threads(engine, number), self._threads, THREADS),
        ]


def _first_of(setter: Callable[[int], None], wanted: int, usual: int) -> list[str]:
    """Sets `wanted` or, if that is refused, `usual`. Returns the reasons of the refusal, none or one."""
    try:
        setter(wanted)
        return []
    except ValueError as error:
        with suppress(ValueError):
            setter(min(wanted, usual))
        return [str(error)]


def memory_left() -> float:
    """The memory that this process can still use, in MB; infinite if the system does not report it."""
    return min(_free_megabytes(), *(_megabytes_in(path) for path in CONTAINER))


def _free_megabytes() -> float:
    """Available memory in MB, or all memory if only that is known."""
    with suppress(OSError, ValueError, IndexError):
        text = MEMINFO.read_text().split("MemAvailable:")[1]
        return int(text.split()[0]) >> 10
    with suppress(AttributeError, ValueError, OSError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    return math.inf


def _megabytes_in(path: Path) -> float:
    """The limit in a file, in MB; infinite without one."""
    with suppress(OSError, ValueError):
        return int(path.read_text()) >> 20
    return math.inf
