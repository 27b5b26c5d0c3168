"""Calls a function with many tasks, in threads or processes here, or on a cluster. A match, data generation
and tuning use one interface, `Workers.run`; it is independent of games."""

import os
import signal
import sys
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait as wait_for
from queue import SimpleQueue
from threading import Thread
from typing import Any, Self, TypeVar

from ...engine.garbage import collect_seldom

Task = TypeVar("Task")
Result = TypeVar("Result")

_STOP: Any = object()  # in the queue of results: no more of them are wanted
_END: Any = object()  # instead of a task: there are no more
UNBLOCK_S = 1.0  # that an executor has to end by itself
AHEAD = 2  # tasks handed out for each that can run, so that no worker waits for the next


class WorkersError(RuntimeError):
    """Work that cannot be done here, or was lost with the machines that did it."""


def _nothing_follows(task: object, result: object) -> tuple[()]:
    return ()


class Workers(ABC):
    """Threads, processes or machines that call a function with many tasks, several at a time; a context
    manager.

    A function is any callable with one argument; for processes and clusters it is pickled, and so are tasks
    and results. It may have two methods: `key(task)`, a name that is unique among all tasks ever; and
    `close()`, which ends what it keeps in a process between tasks, and makes its running calls end soon, by
    whatever exception. Leaving the context ends all threads and processes.
    """

    def __init__(self) -> None:
        self._results: SimpleQueue[Any] = SimpleQueue()  # futures that are done, and _STOP
        self._stopped = False

    def run(
        self,
        function: Callable[[Task], Result],
        tasks: Iterable[Task],
        follow: Callable[[Task, Result], Iterable[Task]] = _nothing_follows,
        ahead: int = AHEAD,
    ) -> Generator[tuple[Task, Result], None, None]:
        """Yields (task, result) for each of `tasks`, as they finish.

        `ahead` tasks are handed out for each that can run; with 1 no task waits behind a running one. After
        each result the tasks of `follow(task, result)` are done next. Leaving the iteration abandons
        what still runs, as `stop` does. Raises what the function raises; WorkersError for lost machines.
        """
        waiting = iter(tasks)
        next_tasks: deque[Task] = deque()
        running: dict[Any, Task] = {}  # by future
        try:
            while not self._stopped:
                most = self.capacity() * ahead
                while len(running) < most:
                    task = next_tasks.popleft() if next_tasks else next(waiting, _END)
                    if task is _END:
                        break
                    self._start(function, task, running)
                if not running:
                    return
                future = self._next()
                if future is _STOP:
                    return
                task = running.pop(future)
                if self._lost(future):
                    self._start(function, task, running)
                    continue
                result = future.result()
                next_tasks.extend(follow(task, result))
                yield task, result
        finally:
            self._abandon(function, list(running))
            self._results = SimpleQueue()  # without what was abandoned

    def _start(self, function: Callable[[Task], object], task: Task, running: dict[Any, Task]) -> None:
        future = self._submit(function, task)
        running[future] = task
        future.add_done_callback(self._results.put)

    def _next(self) -> Any:
        """The next future that is done, or _STOP."""
        return self._results.get()

    def stop(self) -> None:
        """Ends the results of `run` now: what runs is abandoned. Any thread or signal handler may call it."""
        self._stopped = True
        self._results.put(_STOP)

    @abstractmethod
    def capacity(self) -> int:
        """How many tasks can be done at once, now."""

    @abstractmethod
    def _submit(self, function: Callable[[Task], object], task: Task) -> Any:
        """A future of the function's result: one of `concurrent.futures`, or one that works alike."""

    def _lost(self, future: Any) -> bool:
        """Whether the finished task was lost and should be done again."""
        return False

    @abstractmethod
    def _abandon(self, function: object, futures: list[Any]) -> None:
        """Ends running tasks and closes the function wherever it was called."""

    @abstractmethod
    def close(self) -> None:
        """Ends the workers."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class LocalWorkers(Workers):
    """This machine: `concurrency` tasks at once. Threads for work that waits for other processes, as games
    do; `processes=True` for work in Python itself, which threads would do one after another."""

    def __init__(self, concurrency: int, processes: bool = False) -> None:
        super().__init__()
        self._concurrency, self._processes = concurrency, processes
        self._executor: Executor
        if processes:
            self._executor = ProcessPoolExecutor(concurrency, get_context("spawn"), begin_worker)
        else:
            self._executor = ThreadPoolExecutor(concurrency, thread_name_prefix="worker")

    def capacity(self) -> int:
        return self._concurrency

    def _submit(self, function: Callable[[Task], object], task: Task) -> Any:
        with _deaf_children():
            return self._executor.submit(function, task)

    def _abandon(self, function: object, futures: list[Any]) -> None:
        if not self._processes:
            for future in futures:
                future.cancel()
        elif not all(future.done() for future in futures):
            self._kill()  # fails all futures; it must not meet cancelled ones, which would end its thread
        close_function(function)
        wait(futures)

    def _kill(self) -> None:
        """Kills the processes in the middle of their tasks, for which the executor has no method."""
        assert isinstance(self._executor, ProcessPoolExecutor)
        for process in list((self._executor._processes or {}).values()):
            process.terminate()

    def close(self) -> None:
        """Ends the workers."""
        if isinstance(self._executor, ProcessPoolExecutor) and self._executor._broken:
            _unblock(self._executor)
        self._executor.shutdown(wait=True, cancel_futures=True)


def _unblock(executor: Any) -> None:
    """Lets an executor end whose processes have died. Before Python 3.11.5 its thread may wait forever to
    write a task for them, because it does not close the end of the pipe that nobody reads any more
    (https://github.com/python/cpython/issues/94777)."""
    manager = executor._executor_manager_thread
    if sys.version_info < (3, 11, 5) and manager is not None:
        manager.join(UNBLOCK_S)
        if manager.is_alive():
            executor._call_queue._reader.close()


@contextmanager
def _deaf_children() -> Iterator[None]:
    """Processes that are started in this context block Ctrl-C, which a terminal sends to all processes: this
    one ends them. It gets the signal when the context ends."""
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin_worker() -> None:
    """Prepares a process of a pool for its tasks."""
    collect_seldom()
    end_with_parent()


def end_with_parent() -> None:
    """Has this process end when the one that started it does, however that ends."""

    def watch() -> None:
        parent = parent_process()
        assert parent is not None  # only processes of a pool come here
        wait_for([parent.sentinel])
        os._exit(1)

    Thread(target=watch, name="parent", daemon=True).start()


def close_function(function: object) -> None:
    """Calls the function's `close` in this process, if it has one."""
    close = getattr(function, "close", None)
    if close:
        close()
