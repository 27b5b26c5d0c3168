"""A Dask cluster as workers: each task runs on one of its workers, and tasks of lost workers run again.

The only module that knows `dask.distributed`, which the extra `cluster` installs.
"""

import asyncio
import logging
from itertools import count
from queue import Empty
from typing import Any
from uuid import uuid4

from ... import __version__
from ..shared.machine import ALL, sources
from .pool import Workers, WorkersError, close_function

CONNECT_SECONDS = 10.0
LOOK_SECONDS = 1.0
WORKERS_SECONDS = 60.0  # for the first worker to appear
LOSSES = 3  # times that a task is given to the cluster again after the scheduler has given it up
SPARE = 2  # tasks handed out beyond those that run: a worker that joins finds work


class ClusterWorkers(Workers):
    """The Dask cluster whose scheduler listens at `address`, "tcp://host:port" or "host:port".

    Raises WorkersError when nobody listens, no worker appears, or a worker's Surajang has other sources.
    """

    def __init__(self, address) -> None:
        super().__init__()
        try:
            import distributed
        except ImportError:
            raise WorkersError('a cluster needs dask.distributed: pip install "surajang[cluster]"') from None
        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # errors are told here, in one sentence
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

    def _refuse_other_sources(self):
        # A function inside a function travels by value, so a worker without this Surajang can answer as well.
        def program():
            try:
                from surajang import __version__
            except ImportError:
                return None
            try:
                from surajang.bench.shared.machine import ALL, sources
            except ImportError:  # a version that lays its files out in another way
                return __version__, None
            return __version__, sources(ALL)

        for worker, found in self._client.run(program).items():
            if found is None or found[1] != sources(ALL):
                has = told(*found) if found else "no Surajang"
                raise WorkersError(
                    f"the worker at {worker} has {has}; this is {told(__version__, sources(ALL))}"
                )

    def run(self, function, tasks, *more):
        try:
            yield from super().run(function, tasks, *more)
        except self._distributed.comm.CommClosedError as error:
            raise WorkersError(f"the cluster's scheduler does not answer any more: {error}") from None

    def _next(self):
        # A client that has lost its scheduler finishes no futures, so it has to be looked at now and then.
        while True:
            try:
                return self._results.get(timeout=LOOK_SECONDS)
            except Empty:
                if self._client.status not in ("running", "connecting"):
                    raise WorkersError("the cluster's scheduler does not answer any more") from None

    def capacity(self):
        return sum(self._client.nthreads().values()) + SPARE

    def _submit(self, function, task):
        name = function.key(task) if hasattr(function, "key") else f"{self._run}-{next(self._numbers)}"
        losses, self._again = self._again, 0
        key = f"surajang-{name}" + (f"-again{losses}" if losses else "")
        future = self._client.submit(call, function, task, sources(ALL), key=key, pure=False)
        self._losses[future] = losses
        return future

    def _lost(self, future):
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

    def _abandon(self, function, futures):
        self._losses.clear()
        try:
            self._client.cancel(futures, force=True)
            self._client.run(close_on_worker, function, on_error="ignore")
        except (OSError, TimeoutError, RuntimeError):
            return  # nobody there to be told: engines that nobody asks for games are closed after a while

    def close(self) -> None:
        self._client.close()


class SourcesError(RuntimeError):
    """A worker that joined later, and whose Surajang has other sources."""


def told(version, fingerprint) -> str:
    """A program, as sentences name it."""
    return f"Surajang {version} (sources {fingerprint or 'unknown'})"


def call(function, task, fingerprint):
    """The function's result on a worker. Raises SourcesError where work comes from other sources."""
    own = sources(ALL)
    if own != fingerprint:
        raise SourcesError(f"a worker has {told(__version__, own)}; the work came from sources {fingerprint}")
    return function(task)


async def close_on_worker(function):
    """Closes the function on a worker, beside the worker's own thread, which must not wait."""
    await asyncio.to_thread(close_function, function)
