"""A Dask cluster as workers: each task runs on one of its workers, and tasks of lost workers run again.

The only module that knows `dask.distributed`, which the extra `cluster` installs.
"""

import asyncio
import logging
from collections.abc import Callable, Generator, Iterable
from itertools import count
from queue import Empty
from typing import Any
from uuid import uuid4

from ... import __version__
from .machine import ALL, sources
from .pool import AHEAD, Result, Task, Workers, WorkersError, _nothing_follows, close_function

CONNECT_SECONDS = 10.0
LOOK_SECONDS = 1.0
WORKERS_SECONDS = 60.0  # for the first worker to appear
LOSSES = 3  # limit of resubmissions of a task that the scheduler has given up
SPARE = 2  # tasks submitted beyond those that run, for workers that join later


class ClusterWorkers(Workers):
    """The Dask cluster whose scheduler listens at `address`, "tcp://host:port" or "host:port".

    Raises WorkersError when nothing listens there, no worker appears, or a worker's Surajang has other
    sources.
    """

    def __init__(self, address: str) -> None:
        super().__init__()
        try:
            import distributed
        except ImportError:
            raise WorkersError("a cluster needs dask.distributed: pip install distributed") from None
        # Its errors are reported here, in one sentence.
        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        self._distributed = distributed
        self._run, self._numbers = uuid4().hex[:12], count()
        self._losses: dict[Any, int] = {}  # future -> how often its task had been lost before
        self._again = 0  # losses of the task that is being submitted again
        try:
            self._client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise WorkersError(f"no Dask scheduler answers at {address!r}: {error}") from None
        try:
            self._client.wait_for_workers(1, timeout=WORKERS_SECONDS)
            self._refuse_other_sources()
        except TimeoutError:
            self.close()
            raise WorkersError(f"the cluster at {address!r} has no workers") from None
        except WorkersError:
            self.close()
            raise

    def _refuse_other_sources(self) -> None:
        # A nested function is sent by value, so a worker without this Surajang can answer as well.
        def program() -> "tuple[str, str | None] | None":
            try:
                from surajang import __version__
            except ImportError:
                return None
            try:
                from surajang.match.workers.machine import ALL, sources
            except ImportError:  # a version that lays its files out in another way
                return __version__, None
            return __version__, sources(ALL)

        for worker, found in self._client.run(program).items():
            if found is None or found[1] != sources(ALL):
                has = version_text(*found) if found else "no Surajang"
                raise WorkersError(
                    f"the worker at {worker} has {has}; this is {version_text(__version__, sources(ALL))}"
                )

    def run(
        self,
        function: Callable[[Task], Result],
        tasks: Iterable[Task],
        follow: Callable[[Task, Result], Iterable[Task]] = _nothing_follows,
        ahead: int = AHEAD,
    ) -> Generator[tuple[Task, Result], None, None]:
        try:
            yield from super().run(function, tasks, follow, ahead)
        except self._distributed.comm.CommClosedError as error:
            raise WorkersError(f"the cluster's scheduler no longer answers: {error}") from None

    def _next(self) -> Any:
        # A client that has lost its scheduler finishes no futures, so its state is checked now and then.
        while True:
            try:
                return self._results.get(timeout=LOOK_SECONDS)
            except Empty:
                if self._client.status not in ("running", "connecting"):
                    raise WorkersError("the cluster's scheduler no longer answers") from None

    def capacity(self) -> int:
        threads: dict[str, int] = self._client.nthreads()
        return sum(threads.values()) + SPARE

    def _submit(self, function: Callable[[Task], object], task: Task) -> Any:
        name = function.key(task) if hasattr(function, "key") else f"{self._run}-{next(self._numbers)}"
        losses, self._again = self._again, 0
        key = f"surajang-{name}" + (f"-again{losses}" if losses else "")
        future = self._client.submit(call, function, task, sources(ALL), key=key, pure=False)
        self._losses[future] = losses
        return future

    def _lost(self, future: Any) -> bool:
        losses = self._losses.pop(future)
        error = future.exception()
        if isinstance(error, SourcesError):
            raise WorkersError(str(error))
        if future.status == "cancelled" or isinstance(error, self._distributed.CancelledError):
            raise WorkersError("the cluster's scheduler has dropped the work") from None
        if not isinstance(error, self._distributed.KilledWorker):
            return False
        if losses == LOSSES:
            raise WorkersError(f"a task was lost with its workers again and again: {error}")
        self._again = losses + 1
        return True

    def _abandon(self, function: object, futures: list[Any]) -> None:
        self._losses.clear()
        try:
            self._client.cancel(futures, force=True)
            self._client.run(close_on_worker, function, on_error="ignore")
        except (OSError, TimeoutError, RuntimeError):
            return  # no worker can be reached; engines that stay unused close after a while

    def close(self) -> None:
        self._client.close()


class SourcesError(RuntimeError):
    """A worker that joined later has a Surajang with other sources."""


def version_text(version: str, fingerprint: str | None) -> str:
    """A version of this program in words."""
    return f"Surajang {version} (sources {fingerprint or 'unknown'})"


def call(function: Callable[[Task], Result], task: Task, fingerprint: str) -> Result:
    """The function's result on a worker. Raises SourcesError if the work comes from other sources."""
    own = sources(ALL)
    if own != fingerprint:
        raise SourcesError(
            f"a worker has {version_text(__version__, own)}; the work came from sources {fingerprint}"
        )
    return function(task)


async def close_on_worker(function: object) -> None:
    """Closes the function on a worker, in another thread: the worker's own must not wait."""
    await asyncio.to_thread(close_function, function)
