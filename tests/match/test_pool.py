"""Pools of processes whose work is interrupted."""

import time

import pytest
from surajang.match.workers import pool as pool_module
from surajang.match.workers.pool import LocalWorkers

pytestmark = pytest.mark.process


def slept(seconds):
    """A task for a process that takes time."""
    time.sleep(seconds)
    return seconds


def test_processes_in_the_midst_of_tasks_end_with_all_their_futures_failed(monkeypatch):
    # A cancelled one would end the executor's own thread, and the wait for the others would never end.
    futures, submit = [], LocalWorkers._submit
    monkeypatch.setattr(pool_module, "AHEAD", 10)  # more than the executor hands on to its processes
    monkeypatch.setattr(LocalWorkers, "_submit", lambda *a: futures.append(submit(*a)) or futures[-1])
    with LocalWorkers(2, processes=True) as pool:
        for _ in pool.run(slept, [0, *[100] * 30]):
            processes = list(pool._executor._processes.values())
            pool.stop()
        assert len(futures) == 20
        assert all(future.done() and not future.cancelled() for future in futures)
        assert all(future.exception() for future in futures[1:])
    assert processes and not any(process.is_alive() for process in processes)
