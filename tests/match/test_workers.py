"""Work in threads and processes of this machine."""

import math
import operator
import signal
import sys
import threading
import time
from functools import partial

import pytest
from surajang.match.workers.pool import LocalWorkers

pytestmark = [pytest.mark.process, pytest.mark.quick]


class Doubling:
    """Doubles numbers; records that it was closed."""

    def __init__(self):
        self.closed = False

    def __call__(self, number):
        if number < 0:
            raise ValueError(f"{number} is negative")
        return 2 * number

    def close(self):
        self.closed = True


class TestRun:
    @pytest.mark.parametrize("concurrency", [1, 3])
    def test_every_task_has_one_result(self, concurrency):
        with LocalWorkers(concurrency) as pool:
            results = list(pool.run(Doubling(), range(50)))
        assert sorted(results) == [(number, 2 * number) for number in range(50)]

    def test_a_single_thread_keeps_the_order(self):
        with LocalWorkers(1) as pool:
            assert [task for task, _ in pool.run(Doubling(), range(20))] == list(range(20))

    def test_tasks_may_follow_from_results(self):
        with LocalWorkers(2) as pool:
            results = pool.run(Doubling(), [1, 100], lambda task, result: [result] if result < 50 else [])
            assert sorted(task for task, _ in results) == [1, 2, 4, 8, 16, 32, 100]

    def test_tasks_are_taken_as_they_are_needed(self):
        taken = []

        def endless():
            for number in range(10**9):
                taken.append(number)
                yield number

        with LocalWorkers(2) as pool:
            results = pool.run(Doubling(), endless())
            next(results)
            results.close()
        assert len(taken) <= 5

    def test_what_the_function_raises_ends_the_run_and_closes_the_function(self):
        function = Doubling()
        with LocalWorkers(2) as pool, pytest.raises(ValueError, match="-1 is negative"):
            list(pool.run(function, [1, -1, 2]))
        assert function.closed

    def test_the_function_is_closed_at_the_end(self):
        function = Doubling()
        with LocalWorkers(2) as pool:
            list(pool.run(function, [1]))
        assert function.closed

    def test_stop_ends_the_results_and_abandons_what_runs(self):
        class Waiting(Doubling):
            def __init__(self):
                super().__init__()
                self.event = threading.Event()

            def __call__(self, number):
                if number:
                    self.event.wait()  # until it is closed
                return number

            def close(self):
                self.event.set()

        with LocalWorkers(2) as pool:
            seen = []
            for task, _ in pool.run(Waiting(), range(100)):
                seen.append(task)
                pool.stop()
            assert seen == [0]
            assert list(pool.run(Doubling(), [1])) == []

    def test_processes_do_the_same(self):
        with LocalWorkers(2, processes=True) as pool:
            assert sorted(pool.run(math.factorial, [3, 4, 5])) == [(3, 6), (4, 24), (5, 120)]
            with pytest.raises(TypeError):
                list(pool.run(operator.neg, ["x"]))

    @pytest.mark.skipif(sys.platform == "win32", reason="signals are another matter there")
    def test_processes_do_not_hear_of_ctrl_c(self):
        """Only the process that started them receives it, and ends them."""
        blocked = partial(signal.pthread_sigmask, signal.SIG_BLOCK)
        with LocalWorkers(2, processes=True) as pool:
            assert [signal.SIGINT in found for _, found in pool.run(blocked, [()] * 3)] == [True] * 3
        assert signal.SIGINT not in blocked(())

    def test_processes_are_stopped_in_the_middle_of_a_task(self):
        with LocalWorkers(2, processes=True) as pool:
            for _ in pool.run(time.sleep, [0, 100_000, 100_000]):
                pool.stop()
