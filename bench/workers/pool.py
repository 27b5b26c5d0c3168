"""Where work is done: a function is called with many tasks, in threads or processes here, or on a cluster.

A match, data generation and tuning use one interface, `Workers.run`. Nothing here knows what a game is.
"""

import os
import signal
from abc import ABC, abstractmethod
from collections import deque
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait as wait_for
from queue import SimpleQueue
from threading import Thread

_STOP = object()  # in the queue of results: no more of them are wanted
_END = object()
AHEAD = 2  # tasks handed out for each that can run: nobody waits for the next


class WorkersError(RuntimeError):
    """Work that cannot be done here, or was lost with the machines that did it."""


def _nothing_follows(task, result):
    return ()


class Workers(ABC):
    """Those who call a function with many tasks, several at a time; a context manager.

    A function is any callable with one argument; for processes and clusters it is pickled, and so are tasks
    and results. It may have two methods: `key(task)`, a name that is unique among all tasks ever; and
    `close()`, which ends what it keeps in a process between tasks, and makes its running calls end soon, with
    any exception. Leaving the context ends all threads and processes.
    """

    def __init__(self):
        self._results = SimpleQueue()
        self._stopped = False

    def run(self, function, tasks, follow=_nothing_follows):
        """Yields (task, result) for each of `tasks`, as they finish.

        After each result the tasks of `follow(task, result)` are done next. Whoever leaves the iteration
        abandons what still runs, as `stop` does. Raises what the function raises; WorkersError for lost
        machines.
        """
        tasks, next_tasks, running = iter(tasks), deque(), {}
        try:
            while not self._stopped:
                most = self.capacity() * AHEAD
                while len(running) < most:
                    task = next_tasks.popleft() if next_tasks else next(tasks, _END)
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

    def _start(self, function, task, running):
        future = self._submit(function, task)
        running[future] = task
        future.add_done_callback(self._results.put)

    def _next(self):
        """The next future that is done, or _STOP."""
        return self._results.get()

    def stop(self) -> None:
        """Ends the results of `run` now: what runs is abandoned. From any thread or signal handler."""
        self._stopped = True
        self._results.put(_STOP)

    @abstractmethod
    def capacity(self):
        """How many tasks can be done at once, now."""

    @abstractmethod
    def _submit(self, function, task):
        """A future of the function's result."""

    def _lost(self, future):
        """Whether the finished task was lost and should be done again."""
        return False

    @abstractmethod
    def _abandon(self, function, futures):
        """Ends what runs and closes the function wherever it was called."""

    @abstractmethod
    def close(self):
        """Ends the workers."""

    def __enter__(self):
        return self

    def __exit__(self, *error) -> None:
        self.close()


class LocalWorkers(Workers):
    """This machine: `concurrency` tasks at once. Threads for work that waits for other processes, as games
    do; `processes=True` for work in Python itself, which threads would do in turns."""

    def __init__(self, concurrency: int, processes: bool = False) -> None:
        super().__init__()
        self._concurrency, self._processes = concurrency, processes
        self._executor: Executor
        if processes:
            self._executor = ProcessPoolExecutor(concurrency, get_context("spawn"), end_with_parent)
        else:
            self._executor = ThreadPoolExecutor(concurrency, thread_name_prefix="worker")

    def capacity(self):
        return self._concurrency

    def _submit(self, function, task):
        with _deaf_children():
            return self._executor.submit(function, task)

    def _abandon(self, function, futures):
        for future in futures:
            future.cancel()
        if self._processes and not all(future.done() for future in futures):
            self._kill()
        close_function(function)
        wait(futures)

    def _kill(self):
        """Ends the processes in the middle of their tasks, for which the executor has no word."""
        for process in list((self._executor._processes or {}).values()):
            process.terminate()

    def close(self) -> None:
        self._executor.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _deaf_children():
    """Processes that are started in this context never hear of Ctrl-C, which a terminal sends to all of them:
    it is for this one to end them. Here it is heard afterwards."""
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end_with_parent() -> None:
    """Has this process end when the one that started it does, however that ends."""

    def watch():
        wait_for([parent_process().sentinel])
        os._exit(1)

    Thread(target=watch, name="parent", daemon=True).start()


def close_function(function) -> None:
    """Closes a function in this process, if there is anything to close."""
    close = getattr(function, "close", None)
    if close:
        close()
