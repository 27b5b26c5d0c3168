"""The process that compiles native code: starting, ending, and conditions."""

import os
import subprocess
import sys
import threading
import time

import pytest
from surajang.engine.variant import CHESS
from surajang.search import native_code
from surajang.search.native_code import NativeCompiler, prefer_native_code

pytestmark = pytest.mark.process

PID = 4321
SOON = 0.0  # a moment of time.monotonic that is over
WAIT_S = 60


class Engine:
    """An engine that plays chess by prebuilt code and without a network."""

    variant, shape = CHESS, None

    def __init__(self, is_native=False):
        self.is_native = is_native


class Process:
    """A process that ends when it is killed, or on the test's command."""

    def __init__(self, command, **options):
        self.command, self.env, self._ended, self._code = command, options["env"], threading.Event(), 0
        self.pid, self.was_killed = PID, False
        self._waiting = None  # the thread that waits for the end

    @property
    def is_reaped(self):
        """Whether the thread that waited for the end has ended as well."""
        return self._waiting is not None and not self._waiting.is_alive()

    def wait(self):
        self._waiting = threading.current_thread()
        assert self._ended.wait(WAIT_S)
        return self._code

    def kill(self):
        self.was_killed, self._code = True, -9
        self._ended.set()

    def end(self):
        self._ended.set()


@pytest.fixture
def lowered():
    """The numbers of the processes whose priority was lowered."""
    return []


@pytest.fixture
def started(monkeypatch, lowered):
    """The processes that were started, where prebuilt code is in use."""
    found = []

    def start(command, **options):
        found.append(Process(command, **options))
        return found[-1]

    monkeypatch.setattr(native_code.PREBUILT, "usable", True)
    monkeypatch.setattr(native_code.subprocess, "Popen", start)
    monkeypatch.setattr(native_code, "lower_priority", lowered.append)
    return found


def until(is_so):
    deadline = time.monotonic() + WAIT_S
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def test_process_compiles_the_game_without_prebuilt_code_at_low_priority(started, lowered):
    NativeCompiler().allow(Engine(), SOON)
    until(lambda: lowered)
    (process,) = started
    assert process.command[-1].endswith("chess.toml") and "surajang.search.native_code" in process.command
    assert process.env["SURAJANG_PREBUILT"] == "off" and lowered == [PID]
    process.end()


def test_process_is_killed_when_it_is_forbidden_and_started_again_when_it_is_allowed(started):
    compiler, engine = NativeCompiler(), Engine()
    compiler.allow(engine, SOON)
    until(lambda: compiler._process)
    compiler.forbid()
    assert started[0].was_killed
    until(lambda: started[0].is_reaped)
    compiler.allow(engine, SOON)
    until(lambda: len(started) == 2)
    started[1].end()


def test_code_is_compiled_once(started):
    compiler, engine = NativeCompiler(), Engine()
    compiler.allow(engine, SOON)
    until(lambda: compiler._process)
    started[0].end()
    until(lambda: compiler._process is None)
    compiler.forbid()
    compiler.allow(engine, SOON)
    assert compiler._allowed is None and len(started) == 1


def test_native_code_is_not_compiled_again(started):
    compiler, engine = NativeCompiler(), Engine(is_native=True)
    compiler.allow(engine, SOON)
    until(lambda: engine in compiler._tried)
    assert started == []


def test_nothing_is_started_before_the_moment(started):
    compiler = NativeCompiler()
    compiler.allow(Engine(), time.monotonic() + 3600)
    compiler.forbid()
    assert started == [] and compiler._timer is None


def test_nothing_is_started_without_prebuilt_code(started, monkeypatch):
    monkeypatch.setattr(native_code.PREBUILT, "usable", False)
    compiler = NativeCompiler()
    compiler.allow(Engine(), SOON)
    assert compiler._timer is None and started == []


def test_machine_without_processes_left_is_no_error(started, monkeypatch):
    def refuse(*_, **options):
        raise OSError("no process left")

    monkeypatch.setattr(native_code.subprocess, "Popen", refuse)
    compiler, engine = NativeCompiler(), Engine()
    compiler.allow(engine, SOON)
    until(lambda: engine in compiler._tried)


@pytest.mark.parametrize("is_usable", [True, False])
def test_command_prefers_native_code_at_low_priority_where_prebuilt_code_would_play(monkeypatch, is_usable):
    done = []
    monkeypatch.setattr(native_code.PREBUILT, "usable", is_usable)
    monkeypatch.setattr(native_code.PREBUILT, "turn_off", lambda: done.append("native code only"))
    monkeypatch.setattr(native_code, "lower_priority", lambda: done.append("low priority"))
    prefer_native_code()
    assert done == (["low priority", "native code only"] if is_usable else [])


def test_low_priority_is_the_lowest_that_the_system_has():
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    try:
        native_code.lower_priority(process.pid)
        assert os.getpriority(os.PRIO_PROCESS, process.pid) == 19
        if hasattr(os, "SCHED_IDLE"):
            assert os.sched_getscheduler(process.pid) == os.SCHED_IDLE
    finally:
        process.kill()
        process.wait()
