"""Pools of processes whose work is interrupted."""

import time
from threading import Thread

import pytest
from surajang.match.workers.pool import LocalWorkers

pytestmark = pytest.mark.process


def slept(seconds):
    """A task for a process that takes time."""
    time.sleep(seconds)
    return seconds


def test_processes_in_the_midst_of_tasks_end_with_all_their_futures_failed(monkeypatch):
    # A cancelled one would end the executor's own thread, and the wait for the others would never end.
    futures, submit = [], LocalWorkers._submit
    monkeypatch.setattr(LocalWorkers, "_submit", lambda *a: futures.append(submit(*a)) or futures[-1])
    with LocalWorkers(2, processes=True) as pool:
        # more than the executor hands on to its processes
        for _ in pool.run(slept, [0, *[100] * 30], ahead=10):
            processes = list(pool._executor._processes.values())
            pool.stop()
        assert len(futures) == 20
        assert all(future.done() and not future.cancelled() for future in futures)
        assert all(future.exception() for future in futures[1:])
    assert processes and not any(process.is_alive() for process in processes)


def slept_if_long(task):
    """A task that takes time if it is long."""
    time.sleep(100 if task else 0)


def test_processes_end_while_a_long_task_is_written_to_them():
    processes = []

    def interrupted():
        with LocalWorkers(1, processes=True) as pool:
            for _ in pool.run(slept_if_long, [b"", *[bytes(1 << 24)] * 4], ahead=4):
                processes.extend(pool._executor._processes.values())
                time.sleep(0.5)  # until the first long task is read and the second fills the pipe
                pool.stop()

    thread = Thread(target=interrupted, daemon=True)
    thread.start()
    thread.join(60)
    assert not thread.is_alive()
    assert processes and not any(process.is_alive() for process in processes)


def test_no_task_waits_behind_a_running_one_where_none_may_be_ahead():
    """Tasks that are drawn later see what the ones before have done."""
    for ahead, drawn_first in ((1, 1), (2, 2)):
        drawn, done = [], []

        def tasks(drawn=drawn):
            for number in range(4):
                drawn.append(number)
                yield number

        with LocalWorkers(1) as pool:
            for number, _ in pool.run(lambda number: number, tasks(), ahead=ahead):
                done.append((number, len(drawn)))
        assert done == [(number, min(4, number + drawn_first)) for number in range(4)]
