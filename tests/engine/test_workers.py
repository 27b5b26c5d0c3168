"""Distribution of compilation: each part once, after its dependencies, whatever helpers do. Jitted functions
are replaced by stand-ins; helpers are small programs that behave well or badly."""

import sys
import threading
import time

import pytest
from surajang.engine.kernel import parallel_compile
from surajang.engine.kernel.parallel_compile import Part, Team, _Schedule, compile_parts, processes_wanted

pytestmark = pytest.mark.process

SECONDS = 20


class Jitted:
    """Looks like a jitted function, and records its compilation."""

    def __init__(self, py_func):
        self.py_func = py_func

    def compile(self, types):
        COMPILED.append(self)
        for wait in WAITS:
            wait()


COMPILED, WAITS = [], []


@Jitted
def base():
    return 1


@Jitted
def left():
    return base()


@Jitted
def right():
    return base()


@Jitted
def top():
    return left() + right()


@Jitted
def hen():
    return egg()


@Jitted
def egg():
    return hen()


PARTS = [Part(function, ()) for function in (top, left, right, base)]
ONE_NUMBER = [part.function for part in PARTS].index


@pytest.fixture(autouse=True)
def nothing_compiled():
    yield
    COMPILED.clear()
    WAITS.clear()


def in_thread(function, *arguments):
    """The result of the function in a thread; `join` waits for it."""
    found = []
    thread = threading.Thread(target=lambda: found.append(function(*arguments)), daemon=True)
    thread.found = found
    thread.start()
    return thread


def ended(thread):
    """The result of the thread, which must end."""
    thread.join(SECONDS)
    assert not thread.is_alive()
    return thread.found[0]


# The schedule


def test_part_is_given_out_after_all_that_it_rests_on():
    schedule = _Schedule(PARTS)
    taken = []
    while (number := schedule.take()) is not None:
        taken.append(PARTS[number].function)
        schedule.done(number)
    assert sorted(map(id, taken)) == sorted(id(part.function) for part in PARTS)
    assert (taken[0], taken[-1]) == (base, top)


def test_caller_waits_for_the_same_work_in_another_process():
    schedule = _Schedule(PARTS)
    assert schedule.take() == ONE_NUMBER(base)
    waiting = in_thread(schedule.take)
    waiting.join(0.1)
    assert waiting.is_alive()
    schedule.done(ONE_NUMBER(base))
    assert ended(waiting) == ONE_NUMBER(left)


def test_part_that_is_given_back_is_given_out_again_before_others():
    schedule = _Schedule(PARTS)
    schedule.done(schedule.take())
    lost = schedule.take()
    schedule.give_back(lost)
    assert schedule.take() == lost


def test_part_that_is_given_back_goes_to_one_who_waits():
    schedule = _Schedule(PARTS)
    lost = schedule.take()
    waiting = in_thread(schedule.take)
    schedule.give_back(lost)
    assert ended(waiting) == lost


def test_closing_sends_away_all_who_wait_and_all_who_come():
    schedule = _Schedule(PARTS)
    schedule.take()
    waiting = [in_thread(schedule.take) for _ in range(3)]
    schedule.close()
    assert [ended(thread) for thread in waiting] == [None] * 3
    assert schedule.take() is None


def test_same_function_for_other_types_need_not_wait():
    schedule = _Schedule([Part(base, (1,)), Part(base, (2,))])
    assert {schedule.take(), schedule.take()} == {0, 1}


def test_circle_of_parts_halts_nobody():
    schedule = _Schedule([Part(hen, ()), Part(egg, ())])
    first = ended(in_thread(schedule.take))
    schedule.done(first)
    assert {first, ended(in_thread(schedule.take))} == {0, 1}
    assert ended(in_thread(schedule.take)) is None


def test_many_who_take_get_each_part_once_and_in_order():
    parts = PARTS * 100
    schedule, done, lock = _Schedule(parts), [], threading.Lock()

    def work():
        while (number := schedule.take()) is not None:
            with lock:
                done.append(number)
            schedule.done(number)

    for thread in [in_thread(work) for _ in range(8)]:
        ended(thread)
    assert sorted(done) == list(range(len(parts)))
    order = [parts[number].function for number in done]
    assert order[:100] == [base] * 100
    assert order[-100:] == [top] * 100


def test_number_of_processes_is_that_of_the_variable_or_of_the_cores_up_to_four(monkeypatch):
    monkeypatch.setattr(parallel_compile.os, "sched_getaffinity", lambda _: set(range(64)), raising=False)
    for value, number in (("1", 1), ("7", 7), ("0", 1), ("-3", 1), ("many", 4), ("", 4)):
        monkeypatch.setenv(parallel_compile.PROCESSES, value)
        assert processes_wanted() == number
    monkeypatch.delenv(parallel_compile.PROCESSES)
    assert processes_wanted() == 4
    monkeypatch.setattr(parallel_compile.os, "sched_getaffinity", lambda _: {3, 5}, raising=False)
    assert processes_wanted() == 2


# Helpers, good and bad

TAKES = """
import os, pathlib, signal, sys, time
print("ready", flush=True)
number = input()
pathlib.Path(sys.argv[1]).write_text(number)
"""
FIRST_ONLY = """
import pathlib, sys
print("ready", flush=True)
pathlib.Path(sys.argv[1]).write_text(input())
print("alive", "compiled", "compiled", "done", sep="\\n", flush=True)
for line in sys.stdin:
    pass
"""


@pytest.fixture
def compiled_with(monkeypatch, tmp_path):
    """Compiles PARTS with helpers that run a program; returns the number of functions reported. With `takes`
    the main process waits in its first part until a helper has got one as well."""
    monkeypatch.setattr(parallel_compile, "SIGN_SECONDS", 0.05)
    monkeypatch.setattr(parallel_compile, "HELPER_PATIENCE", 0.3)

    def compiled(program, parts=PARTS, helpers=1, takes=True, command=(sys.executable, "-IS", "-c")):
        monkeypatch.setenv(parallel_compile.PROCESSES, str(1 + helpers))
        told, taken = [], tmp_path / "taken"
        if takes:
            WAITS.append(lambda: until(taken.exists))
        team = Team(parts, [*command, program, str(taken)])
        thread = in_thread(compile_parts, team, lambda part: False, lambda: told.append(1))
        ended(thread)
        return len(told)

    return compiled


def until(holds):
    """Waits until `holds()`."""
    limit = time.monotonic() + SECONDS
    while not holds():
        assert time.monotonic() < limit
        time.sleep(0.01)


FREE = [
    Part(left, ()),
    Part(right, ()),
    Part(top, ()),
]  # two that can be compiled at once, and one after them


def test_good_helper_compiles_a_part_in_the_main_process_s_place(compiled_with):
    """The main process waits for this part, on which the last one rests, and not for the last one."""
    told = compiled_with(FIRST_ONLY, FREE)
    assert told == 2
    assert len({left, right}.intersection(COMPILED)) == 1


LOSES = {
    "dies": "os.kill(os.getpid(), signal.SIGKILL)",
    "ends": "",
    "closes its output": "os.close(1); input()",
    "talks rubbish": "print('rubbish', flush=True); input()",
    "dies in the middle": "print('alive\\ncompiled', flush=True); sys.exit(1)",
    "is silent": "input()",
    "is halted": "os.kill(os.getpid(), signal.SIGSTOP)",
}


@pytest.mark.parametrize("end", LOSES.values(), ids=LOSES)
def test_part_of_a_helper_that_fails_is_compiled_by_the_main_process(compiled_with, end):
    compiled_with(TAKES + end, FREE)
    assert [part.function in COMPILED for part in FREE] == [True] * 3
    assert len(COMPILED) == 3


def test_helper_that_speaks_of_its_life_is_waited_for(compiled_with):
    """It takes three times as long as a silent helper may."""
    busy = "[(print('alive', flush=True), time.sleep(0.1)) for _ in range(9)]; print('done', flush=True)"
    compiled_with(TAKES + busy + "\ninput()", FREE)
    assert len({left, right}.intersection(COMPILED)) == 1


USELESS = {
    "ends at once": "",
    "talks rubbish": "import sys; sys.stdout.buffer.write(b'\\xff\\xfe\\x00' * 100_000)",
    "says nothing": "input()",
    "has an error": "1 / 0",
}


@pytest.mark.parametrize("program", USELESS.values(), ids=USELESS)
def test_useless_helper_changes_nothing(compiled_with, program):
    compiled_with(program, helpers=3, takes=False)
    assert sorted(map(id, COMPILED)) == sorted(id(part.function) for part in PARTS)


@pytest.mark.parametrize("command", [["/nowhere/python"], ["/"]], ids=["missing", "folder"])
def test_helper_that_cannot_be_started_changes_nothing(compiled_with, command):
    compiled_with("", helpers=3, takes=False, command=command)
    assert len(COMPILED) == len(PARTS)


def test_parts_that_are_kept_are_not_given_out(monkeypatch):
    monkeypatch.setenv(parallel_compile.PROCESSES, "1")
    compile_parts(Team(PARTS, []), lambda part: part.function in (base, left), lambda: None)
    assert [right, top] == COMPILED


def test_error_of_a_part_is_that_of_the_whole(monkeypatch):
    monkeypatch.setenv(parallel_compile.PROCESSES, "1")
    WAITS.append(lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        compile_parts(Team(PARTS, []), lambda part: False, lambda: None)
