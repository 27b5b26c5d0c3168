"""Compiled code when its folder is damaged, full or shared, and when processes are killed. A few small
functions are compiled or loaded in separate processes, which always give right answers."""

import errno
import gc
import shutil
import signal

import numba
import psutil
import pytest
from surajang.engine.kernel import compiler
from surajang.tests.support.compiling import heard, pieces, run, start, until, versions

pytestmark = pytest.mark.process

# `call(x, y)` compiles `whole` and three functions inside it for the types of x and y, and tells its values.
LITTLE = """
import sys
import numba
from surajang.engine.kernel.compiler import compile_ahead, entry_point, help_compile, inner, part
from surajang.engine.kernel.parallel_compile import Team

@inner
def low(x):
    return 2 * x

@inner
def left(x):
    return low(x) + 1

@inner
def right(x):
    return low(x) - x if x < 5 else right(x - 1) + 1

@entry_point
def whole(x):
    return left(x) + right(x)

HELPER = "import sys, little; little.help_compile(little.plan(sys.argv[1:]))"

def plan(types):
    parts = [part(function, getattr(numba, each)) for each in types for function in (low, left, right)]
    return [*parts, *(part(whole, getattr(numba, each)) for each in types)]

def call(*values):
    types = [str(numba.typeof(value)) for value in values]
    command = [sys.executable, "-c", HELPER, *types]
    compile_ahead([part(whole, value) for value in values], team=lambda: Team(plan(types), command))
    return [whole(value) for value in values]
"""
FUNCTIONS = ["left", "low", "right", "whole"]
PIECES = ["left", "low", "machine_code", "right", "whole"]
CALL = "import little\ntell(values=little.call({}))\n"


def calling(*values):
    """A script that calls the function: `calling(7, 1.5)` does so with two types of argument."""
    return CALL.format(", ".join(map(str, values)))


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    """The folder of the functions."""
    folder = tmp_path_factory.mktemp("module")
    (folder / "little.py").write_text(LITTLE)
    return folder


@pytest.fixture
def little(module, monkeypatch):
    """`calling`; its scripts find the functions."""
    monkeypatch.setenv("PYTHONPATH", str(module))
    return calling


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


@pytest.fixture(scope="module")
def kept(module, tmp_path_factory):
    """A folder with the functions for a whole number, which one process has compiled."""
    folder = tmp_path_factory.mktemp("kept") / "cache"
    told = run(calling(7), folder, PYTHONPATH=str(module))
    assert (told["values"], sorted(told["compiled"])) == ([22], FUNCTIONS)
    return folder


@pytest.fixture
def filled(kept, cache):
    """A copy of that folder in place of the empty one."""
    shutil.copytree(kept, cache)
    return cache


def leftovers(cache):
    return [path.name for path in cache.rglob(".tmp-*")]


def test_inner_function_refuses_python_and_is_called_from_compiled_code(little, cache):
    script = """
import little
values = little.call(7)
try:
    little.low(7)
except TypeError:
    tell(values=values)
"""
    assert run(script, cache)["values"] == [22]


RECURSIVE = """
from surajang.engine.kernel.compiler import compile_ahead, entry_point, inner, part

@inner
def double(x):
    return 2 * x

@entry_point
def more(x):
    return double(x) + 1

@entry_point
def power(x):
    return 1 if x == 0 else double(power(x - 1))

compile_ahead([part(more, 7), part(power, 7)])
tell(values=[more(7), power(7)])
"""


def test_entry_points_that_are_compiled_together_share_machine_code_and_may_call_themselves(cache, tmp_path):
    (tmp_path / "powers.py").write_text(RECURSIVE.replace("tell(", "RESULT = dict("))
    script = f"sys.path.insert(0, {str(tmp_path)!r})\nimport powers\ntell(**powers.RESULT)\n"
    assert run(script, cache)["values"] == [15, 128]
    assert len(list(cache.rglob("machine_code-*"))) == 1
    told = run(script, cache)
    assert (told["values"], told["compiled"]) == ([15, 128], [])


DAMAGES = {
    "low": lambda data: b"",
    "left": lambda data: data[: len(data) // 2],
    "machine_code": lambda data: data[:-10],
    "right": lambda data: data[:200] + bytes([data[200] ^ 8]) + data[201:],
    "whole": lambda data: bytes(len(data)),
}


def test_damaged_files_are_compiled_again_and_mended(little, filled):
    """Files of inner functions and of entry points."""
    for name, path in zip(PIECES, pieces(filled), strict=True):
        path.write_bytes(DAMAGES[name](path.read_bytes()))
    told = run(little(7), filled)
    assert (told["values"], set(told["compiled"])) == ([22], set(FUNCTIONS))
    told = run(little(7), filled)
    assert (told["values"], told["compiled"]) == ([22], [])
    assert len(pieces(filled)) == len(PIECES)


@pytest.mark.parametrize("damage", [DAMAGES["machine_code"], None])
def test_machine_code_that_is_damaged_or_gone_is_compiled_again(little, filled, damage):
    (path,) = filled.rglob("machine_code-*")
    path.write_bytes(damage(path.read_bytes())) if damage else path.unlink()
    told = run(little(7), filled)
    assert (told["values"], told["compiled"]) == ([22], ["whole"])
    assert run(little(7), filled)["compiled"] == []


def test_damaged_inner_function_is_not_missed_while_its_callers_are_whole(little, filled):
    for path in pieces(filled):
        if path.name.startswith("whole-"):
            path.unlink()
        elif path.name.startswith("low-"):
            path.write_bytes(path.read_bytes()[:-1])
    told = run(little(7), filled)
    assert told["values"] == [22]
    assert {"low", "whole"} <= set(told["compiled"])


def test_code_of_another_key_in_a_piece_s_place_is_not_called(little, cache):
    run(little(7, 1.5), cache)
    for name in ("whole", "left"):
        one, other = (path for path in pieces(cache) if path.name.startswith(f"{name}-"))
        shutil.copy(one, other)
    told = run(little(7, 1.5), cache)
    assert told["values"] == [22, 5.5]
    assert told["compiled"].count("whole") == 1


# Writing that fails

SABOTAGE = """
import builtins, os

def refusing(function, is_refused):
    def call(path, *rest, **options):
        if str(path).startswith({cache!r}) and is_refused(path, *rest, **options):
            raise OSError({fault}, os.strerror({fault}), str(path))
        return function(path, *rest, **options)
    return call

builtins.open = refusing(open, lambda path, mode="r", *rest, **options: set(mode) & set("wax+"))
os.open = refusing(os.open, lambda path, flags, *rest, **options: flags & (os.O_WRONLY | os.O_RDWR))
os.mkdir = refusing(os.mkdir, lambda path, *rest, **options: not os.path.isdir(path))
os.utime = refusing(os.utime, lambda path, *rest, **options: True)
"""


@pytest.mark.parametrize("fault", ["ENOSPC", "EROFS", "EACCES"])
def test_folder_that_cannot_be_written_stops_nothing_and_what_is_there_is_loaded(little, filled, fault):
    before = versions(filled)
    sabotage = SABOTAGE.format(fault=getattr(errno, fault), cache=str(filled))
    told = run(sabotage + little(7, 1.5), filled, warnings=1)
    assert told["values"] == [22, 5.5]
    assert sorted(told["compiled"]) == FUNCTIONS
    assert versions(filled) == before
    assert not leftovers(filled)


def test_folder_that_cannot_be_made_stops_nothing_and_nothing_lies_elsewhere(little, module, cache, tmp_path):
    """Numba by itself would use the folders of the sources, or its own folder in the home directory."""
    sabotage = SABOTAGE.format(fault=errno.EROFS, cache=str(cache))
    home = tmp_path / "home"
    assert run(sabotage + little(7), cache, warnings=1, HOME=str(home))["values"] == [22]
    assert not home.exists()
    places = [*tmp_path.rglob("*"), *module.rglob("*")]
    assert not [path for path in places if path.suffix in (".nbi", ".nbc", ".code")]


def test_system_that_takes_no_more_bytes_stops_nothing_and_leaves_no_half_file(little, kept, cache):
    """A limit of the system, which writes what fits and refuses the rest, like a full disk."""
    sizes = {path.name.partition("-")[0]: path.stat().st_size for path in pieces(kept)}
    size = (max(sizes[name] for name in ("left", "low", "right")) + sizes["machine_code"]) // 2
    limit = f"import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))\n"
    told = run(limit + little(7), cache, warnings=1)
    assert (told["values"], sorted(told["compiled"])) == ([22], FUNCTIONS)
    assert {path.name.partition("-")[0] for path in pieces(cache)} == {"left", "low", "right"}
    assert not leftovers(cache)
    assert run(little(7), cache)["compiled"] == ["whole"]


# Several processes

# Each function takes a while longer.
SLOWLY = "save = pipeline.save_inner\npipeline.save_inner = lambda *rest: (time.sleep(0.3), save(*rest))\n"
TOGETHER = """
import little, pathlib
me, other = map(pathlib.Path, sys.argv[1:])
me.touch()
while not other.exists():
    time.sleep(0.01)
"""


def test_processes_that_start_together_compile_each_function_once(little, cache, tmp_path):
    """The second waits for the first, and loads what that has compiled."""
    one, other = tmp_path / "one", tmp_path / "other"
    script = TOGETHER + SLOWLY + little(7)
    processes = [start(script, cache, *names) for names in ((one, other), (other, one))]
    told = [heard(process) for process in processes]
    assert [each["values"] for each in told] == [[22], [22]]
    assert sorted(told[0]["compiled"] + told[1]["compiled"]) == FUNCTIONS


def test_halted_process_does_not_halt_others(little, cache):
    """It was stopped while it compiled and held the lock."""
    halted = start("pipeline.save_inner = lambda *rest: time.sleep(600)\n" + little(7), cache)
    try:
        until(lambda: list(cache.rglob("compiling-*.alive")))
        halted.send_signal(signal.SIGSTOP)
        assert run("store.LOCK_PATIENCE = 0.5\n" + little(7), cache)["values"] == [22]
    finally:
        halted.kill()
        halted.communicate()
    assert run(little(7), cache)["compiled"] == []


# What a helper does, and how the process that it helps waits in its own part until the helper has got one.
NOTED = """
import os, pathlib, sys, time, little
from surajang.engine.kernel import pipeline
save = pipeline.save_inner
def noted(*rest):
    pathlib.Path({note!r}).write_text(str(os.getpid()))
    {then}
pipeline.save_inner = noted
little.help_compile(little.plan(sys.argv[1:]))
"""
WAITING = """
import little
little.HELPER = {helper!r}
save = pipeline.save_inner
def waiting(*rest):
    while not os.path.exists({note!r}):
        time.sleep(0.01)
    save(*rest)
pipeline.save_inner = waiting
"""


@pytest.fixture
def note(tmp_path):
    """The path of a helper's process number."""
    return tmp_path / "helper"


def with_helper(note, then="time.sleep(600)"):
    """The start of a script that has one helper, and that never finishes a part without it."""
    return WAITING.format(note=str(note), helper=NOTED.format(note=str(note), then=then))


def helper_of(note):
    until(lambda: note.exists() and note.read_text())
    return psutil.Process(int(note.read_text()))


def test_part_of_a_killed_helper_is_compiled_by_the_main_process(little, cache, note):
    main = start(with_helper(note) + little(7, 1.5), cache, SURAJANG_COMPILERS="2")
    helper_of(note).kill()
    told = heard(main)
    assert told["values"] == [22, 5.5]
    assert sorted(told["compiled"]) == sorted(2 * FUNCTIONS)


def test_helpers_end_with_the_process_that_has_started_them(little, cache, note):
    main = start(with_helper(note) + little(7, 1.5), cache, SURAJANG_COMPILERS="2")
    helper = helper_of(note)
    main.kill()
    main.communicate()
    helper.wait(10)


def test_helper_does_its_share(little, cache, note):
    told = run(with_helper(note, "save(*rest)") + little(7, 1.5), cache, SURAJANG_COMPILERS="2")
    assert told["values"] == [22, 5.5]
    assert 0 < len(told["compiled"]) < 8
    assert len(pieces(cache)) == 2 * len(PIECES)
    assert run(little(7, 1.5), cache)["compiled"] == []


# The collector of garbage


class Function:
    """Looks like an entry point, and records how often garbage is collected during its compilation."""

    def __init__(self, during):
        self.py_func, self.overloads, self._during = lambda x: x, {}, during

    def compile(self, types):
        self._during.append(gc.isenabled())
        if types == (numba.float64,):
            raise ZeroDivisionError


def test_collector_of_garbage_is_as_it_was_after_compiling():
    """Also after a failure; nothing is collected during compilation."""
    during = []
    compiler.compile_ahead([compiler.part(Function(during), 1)])
    assert gc.isenabled()
    with pytest.raises(ZeroDivisionError):
        compiler.compile_ahead([compiler.part(Function(during), 1.0)])
    assert gc.isenabled()
    assert set(during) == {False}
