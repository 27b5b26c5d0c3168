"""Time that passes only when a test advances it: tests neither wait nor depend on the speed of a machine."""

import heapq
import threading
from itertools import count

from surajang.protocol.session import clock as engine_clock
from surajang.protocol.session import search_thread
from surajang.search import time_management


class FakeClock:
    """Replaces the module `time`, and with `Timer` also `threading.Timer`, in a test. `now` is in seconds.
    Steps that are sums of powers of two add up exactly."""

    def __init__(self):
        self.now = 1024.0
        self.timers = []  # all that were started, the oldest first
        self._due = []
        self._order = count()

    def monotonic(self):
        return self.now

    perf_counter = monotonic

    def sleep(self, seconds):
        self.advance(seconds)

    def advance(self, seconds):
        """Advances the time and fires the timers that are due."""
        self.now += seconds
        while self._due and self._due[0][0] <= self.now:
            timer = heapq.heappop(self._due)[-1]
            if not timer.cancelled:
                timer.function()

    def at_each_iteration(self, seconds):
        """For `Engine.play`: takes reports, and advances the time with each iteration of one line."""
        return lambda info: None if info.bound else self.advance(seconds)

    def Timer(self, seconds, function):  # noqa: N802 - the name of what it stands in for
        return _Timer(self, seconds, function)

    def start(self, timer):
        """Lets a timer run; one of no seconds goes off at once."""
        self.timers.append(timer)
        heapq.heappush(self._due, (self.now + timer.seconds, next(self._order), timer))
        self.advance(0.0)


class _Timer:
    """What `FakeClock.Timer` makes: `seconds` is what was asked for."""

    def __init__(self, clock, seconds, function):
        self._clock, self.seconds, self.function = clock, seconds, function
        self.cancelled = False

    def start(self):
        self._clock.start(self)

    def cancel(self):
        self.cancelled = True


def search_clock(monkeypatch):
    """The clock of all searches of the test: a search takes only the time that the test advances."""
    clock = FakeClock()
    monkeypatch.setattr(time_management, "time", clock)
    monkeypatch.setattr(threading, "Timer", clock.Timer)
    return clock


def session_clock(monkeypatch):
    """The clock of all sessions of the test: the times that they charge to the engine."""
    clock = FakeClock()
    monkeypatch.setattr(engine_clock, "time", clock)
    monkeypatch.setattr(search_thread, "time", clock)
    return clock
