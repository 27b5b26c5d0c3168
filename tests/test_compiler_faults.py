"""The folder of compiled code when it cannot be written, is full, damaged or shared: one tiny function in
processes of their own is compiled or loaded, and always gives the right answer."""

import gc
import json
import os
import shutil
import subprocess
import sys

import filelock
import numba
import pytest
from surajang.engine import compiler
from surajang.tests.test_compiler import PRELUDE, run

CALL = """
import sys
sys.path.insert(0, {folder!r})
import tiny
from surajang.engine.compiler import compile_ahead
compile_ahead([(tiny.triple, (argument,)) for argument in {arguments}])
tell(answers=[tiny.triple(argument) for argument in {arguments}])
"""
TINY = """
from surajang.engine.compiler import entry_point

@entry_point
def triple(x):
    return 3 * x
"""
WARNING = "compiled code cannot be kept in"
SECONDS = 120


@pytest.fixture
def tiny(tmp_path):
    """A script that calls the function; `tiny(1, 1.5)` does so with two types of argument."""
    (tmp_path / "tiny.py").write_text(TINY)
    return lambda *arguments: CALL.format(folder=str(tmp_path), arguments=arguments)


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


def files(cache, suffix):
    return sorted(path for path in cache.rglob(f"*{suffix}") if "triple" in path.name)


DAMAGES = {
    "empty": lambda data: b"",
    "torn": lambda data: data[: len(data) // 2],
    "zeros": lambda data: bytes(len(data)),
    "zeros at the end": lambda data: data[:-2000] + bytes(2000) if len(data) > 4000 else data[:-9] + bytes(9),
    "one bit": lambda data: (
        data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 8]) + data[len(data) // 2 + 1 :]
    ),
}


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=list(DAMAGES))
def test_damaged_file_is_compiled_anew_and_mended(tiny, cache, suffix, damage):
    assert run(tiny(7), cache)["compiled"] == 1
    (path,) = files(cache, suffix)
    path.write_bytes(damage(path.read_bytes()))
    told = run(tiny(7), cache)
    assert (told["answers"], told["compiled"]) == ([21], 1)
    told = run(tiny(7), cache)
    assert (told["answers"], told["compiled"]) == ([21], 0)


def test_missing_file_is_compiled_anew(tiny, cache):
    run(tiny(7), cache)
    for path in files(cache, ".nbc"):
        path.unlink()
    assert run(tiny(7), cache)["compiled"] == 1
    assert run(tiny(7), cache)["compiled"] == 0


# Writing that fails


SABOTAGE = """
import builtins, errno, os
from surajang.engine import compiler

def refusing(function, is_refused):
    def call(path, *rest, **options):
        if str(path).startswith({cache!r}) and is_refused(path, *rest, **options):
            raise OSError(errno.{fault}, os.strerror(errno.{fault}), str(path))
        return function(path, *rest, **options)
    return call

builtins.open = refusing(open, lambda path, mode="r", *rest, **options: set(mode) & set("wax+"))
os.open = refusing(os.open, lambda path, flags, *rest, **options: flags & (os.O_WRONLY | os.O_RDWR))
os.mkdir = refusing(os.mkdir, lambda path, *rest, **options: not os.path.isdir(path))
"""


def content(cache):
    return {path: path.read_bytes() for path in cache.rglob("*") if path.is_file()}


@pytest.mark.parametrize("fault", ["ENOSPC", "EROFS", "EACCES"])
def test_folder_that_cannot_be_written_stops_nothing_and_what_is_there_is_loaded(tiny, cache, fault):
    run(tiny(7), cache)
    before = content(cache)
    sabotage = SABOTAGE.format(fault=fault, cache=str(cache))
    told = run(sabotage + tiny(7, 1.5), cache)
    assert (told["answers"], told["compiled"]) == ([21, 4.5], 1)
    assert content(cache) == before
    told = run(tiny(7, 1.5), cache)
    assert (told["answers"], told["compiled"]) == ([21, 4.5], 1)
    assert run(tiny(7, 1.5), cache)["compiled"] == 0


@pytest.mark.parametrize("fault", ["ENOSPC", "EROFS"])
def test_empty_folder_that_cannot_be_written_is_told_once_and_nothing_lies_elsewhere(
    tiny, cache, tmp_path, fault
):
    """Numba would go to the folders of the sources, and then to one of its own in the home directory."""
    script = SABOTAGE.format(fault=fault, cache=str(cache)) + tiny(7, 1.5)
    done = process(script, cache, HOME=str(tmp_path / "home"))
    output, errors = done.communicate(timeout=SECONDS)
    assert done.returncode == 0, errors
    assert json.loads(output)["answers"] == [21, 4.5]
    assert errors.count(WARNING) == 1
    assert not list(tmp_path.rglob("*.nb*"))


def test_write_that_fails_half_way_leaves_no_half_file(tiny, cache):
    """The disk is full after the first bytes of the code, when the index is written already."""
    script = """
from numba.core import caching
original = caching.IndexDataCacheFile._open_for_write
from contextlib import contextmanager

class Full:
    def __init__(self, file):
        self.file = file
    def write(self, data):
        self.file.write(data[:100])
        raise OSError(28, "No space left on device")

@contextmanager
def open_full(self, path):
    with original(self, path) as file:
        yield Full(file) if path.endswith(".nbc") else file

caching.IndexDataCacheFile._open_for_write = open_full
"""
    told = run(script + tiny(7), cache)
    assert told["answers"] == [21]
    assert files(cache, ".nbi") and not files(cache, ".nbc")
    assert not [path for path in cache.rglob("*") if ".tmp." in path.name]
    assert [run(tiny(7), cache)["compiled"] for _ in range(2)] == [1, 0]


@pytest.mark.parametrize("size", [0, 4_000], ids=["nothing fits", "the index fits"])
def test_system_that_takes_no_more_bytes_stops_nothing_and_leaves_no_half_file(tiny, cache, size):
    """A limit of the system, which writes what fits and refuses the rest, as a full disk does."""
    limit = f"import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))\n"
    told = run(limit + tiny(7, 1.5), cache)
    assert (told["answers"], told["compiled"]) == ([21, 4.5], 2)
    assert not files(cache, ".nbc") and bool(files(cache, ".nbi")) == bool(size)
    assert not [path for path in cache.rglob("*") if ".tmp." in path.name]
    assert [run(tiny(7, 1.5), cache)["compiled"] for _ in range(2)] == [2, 0]


def test_folder_that_can_never_be_stops_nothing(tiny, tmp_path):
    (tmp_path / "file").write_text("no folder")
    done = process(tiny(7), tmp_path / "file" / "cache")
    output, errors = done.communicate(timeout=SECONDS)
    assert done.returncode == 0, errors
    assert json.loads(output)["answers"] == [21]
    assert errors.count(WARNING) == 1


# Several processes


def process(script, cache, **environment):
    """A process that runs the script, its output and errors piped."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    return subprocess.Popen(
        [sys.executable, "-c", PRELUDE + script],
        env=variables | {"SURAJANG_CACHE_DIR": str(cache)} | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def held_lock(cache):
    """The lock of the folder, which a first process has made."""
    (path,) = cache.rglob("compiling.lock")
    lock = filelock.FileLock(path)
    lock.acquire(timeout=0)
    return lock


def test_second_process_waits_for_the_first_and_then_loads_what_that_has_compiled(tiny, cache):
    run(tiny(), cache)
    lock = held_lock(cache)
    waiting = process(tiny(7), cache)
    with pytest.raises(subprocess.TimeoutExpired):
        waiting.wait(3)
    assert not files(cache, ".nbc")
    run("from surajang.engine import compiler\ncompiler.LOCK_PATIENCE = 0\n" + tiny(7), cache)
    lock.release()
    output, errors = waiting.communicate(timeout=SECONDS)
    assert waiting.returncode == 0, errors
    told = json.loads(output)
    assert (told["answers"], told["compiled"]) == ([21], 0)


def test_process_that_was_halted_with_the_lock_does_not_halt_others_for_ever(tiny, cache):
    run(tiny(), cache)
    lock = held_lock(cache)
    script = "from surajang.engine import compiler\ncompiler.LOCK_PATIENCE = 0.5\n" + tiny(7)
    assert run(script, cache)["answers"] == [21]
    lock.release()
    assert run(tiny(7), cache)["compiled"] == 0


def test_code_that_another_process_has_put_in_the_place_of_this_one_s_is_not_called(tiny, cache, tmp_path):
    """So it may come where two processes compile without a lock."""
    run(tiny(7), cache)
    run(tiny(1.5), tmp_path / "other")
    (own,), (other,) = files(cache, ".nbc"), files(tmp_path / "other", ".nbc")
    shutil.copy(other, own)
    told = run(tiny(7), cache)
    assert (told["answers"], told["compiled"]) == ([21], 1)


def test_processes_that_start_together_all_give_right_answers(tiny, cache):
    scripts = [tiny(7), tiny(1.5), tiny(7, 1.5), tiny(1.5, 7)]
    processes = [process(script, cache) for script in scripts]
    told = []
    for started in processes:
        output, errors = started.communicate(timeout=SECONDS)
        assert started.returncode == 0 and not errors, errors
        told.append(json.loads(output))
    assert [one["answers"] for one in told] == [[21], [4.5], [21, 4.5], [4.5, 21]]
    assert sum(one["compiled"] for one in told) == 2
    assert run(tiny(7, 1.5), cache)["compiled"] == 0


def test_collector_of_garbage_is_as_it_was_after_compiling(monkeypatch):
    """Also after a failure; while it compiles, old objects are left alone."""
    during, before = [], gc.get_threshold()

    class Function:
        def compile(self, signature):
            during.append(gc.get_threshold())
            if signature == (numba.float64,):
                raise ZeroDivisionError

    monkeypatch.setattr(compiler, "CACHE_FOLDER", None)
    compiler.compile_ahead([(Function(), (1,))])
    assert gc.get_threshold() == before
    with pytest.raises(ZeroDivisionError):
        compiler.compile_ahead([(Function(), (1.0,))])
    assert gc.get_threshold() == before
    assert during == [compiler.COLLECTING] * 2 != [before] * 2
