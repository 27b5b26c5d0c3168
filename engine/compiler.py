"""Where compiled code is kept, and how functions that Python calls are compiled.

The cache lies in one folder per content of all compiled sources, Numba version and processor, so that nothing
stale can load. Without a writable folder everything still runs and is compiled anew in each process.
"""

import hashlib
import os
import shutil
import tempfile
import time
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path

import filelock
import llvmlite.binding
import numba
import numba.core.event
import platformdirs
from numba import _dynfunc
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

PACKAGE = Path(__file__).parent.parent
COMPILED_FLOORS = ("engine", "eval", "search")
KEEP_SECONDS = 30 * 24 * 3600
EXPECTED = 221  # functions that a game needs, for progress alone


def _fingerprint():
    digest = hashlib.sha256()
    for floor in COMPILED_FLOORS:
        for path in sorted((PACKAGE / floor).glob("*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    facts = (numba.__version__, llvmlite.binding.get_host_cpu_name(), numba.config.BOUNDSCHECK)
    digest.update(repr(facts).encode())
    return digest.hexdigest()[:20]


def _prepare_folder():
    """The folder for this build's machine code, or None when none can be written."""
    base = os.environ.get("SURAJANG_CACHE_DIR")
    base = Path(base) if base else Path(platformdirs.user_cache_dir("surajang"))
    folder = base / "compiled" / _fingerprint()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        os.utime(folder)
        _forget_old(folder)
    except OSError:
        return None
    return folder


def _forget_old(folder):
    """Removes the folders of builds that no process has used for a month."""
    for other in folder.parent.iterdir():
        if other != folder and other.stat().st_mtime < time.time() - KEEP_SECONDS:
            shutil.rmtree(other, ignore_errors=True)


CACHE_FOLDER = _prepare_folder()
if CACHE_FOLDER is not None:
    numba.config.CACHE_DIR = str(CACHE_FOLDER)


@cache
def _refusal():
    """The address of compiled code that takes no argument, and raises TypeError when given any."""
    refuse = numba.njit(lambda: None)
    refuse.compile(())
    code, names = (getattr(refuse.overloads[()], part) for part in ("library", "fndesc"))
    return code.get_pointer_to_function(names.llvm_cpython_wrapper_name), refuse


def _stand_in(library, fndesc, env):
    """What Numba takes for the machine code of an inner function; Python cannot call it by mistake."""
    address, refuse = _refusal()
    name = fndesc.qualname.split(".")[-1]
    return _dynfunc.make_function(fndesc.lookup_module(), name, "inner", address, env, (library, refuse))


@register_pass(mutates_CFG=True, analysis_only=False)
class _InnerLowering(NativeLowering):
    """Lowers a function for use by other compiled code alone: no machine code, no wrapper for Python."""

    _name = "surajang_inner_lowering"

    def run_pass(self, state):
        context = state.targetctx
        context.get_executable = _stand_in
        try:
            return super().run_pass(state)
        finally:
            del context.get_executable


class _InnerCompiler(CompilerBase):
    """Numba's own pipeline with another last step."""

    def define_pipelines(self):
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [
            (_InnerLowering if step is NativeLowering else step, text) for step, text in pipeline.passes
        ]
        pipeline.finalize()
        return [pipeline]


INNER_OPTIONS = dict(pipeline_class=_InnerCompiler, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def inner(function):
    """Decorates a jitted function that only compiled code calls.

    It gets no machine code of its own but becomes part of the entry points; half of the compile time was
    spent on code that nothing would ever run.
    """
    return numba.njit(function, **INNER_OPTIONS)


def entry_point(function):
    """Decorates a jitted function that Python calls: cached on disk, and run outside the GIL."""
    return numba.njit(function, cache=CACHE_FOLDER is not None, nogil=True)


@contextmanager
def compile_lock():
    """Lets one process at a time compile into the shared cache folder."""
    lock = nullcontext()
    if CACHE_FOLDER is not None:
        lock = filelock.FileLock(CACHE_FOLDER / "compiling.lock")
    with lock:
        yield


class _Counter(numba.core.event.Listener):
    """Counts the functions that Numba has compiled."""

    def __init__(self, tell):
        self.count, self.tell = 0, tell

    def on_start(self, event):
        pass

    def on_end(self, event):
        self.count += 1
        self.tell(self.count)


def compile_ahead(calls, progress=None):
    """Compiles entry points, or loads them from the cache, without running them.

    `calls` are pairs of a function and arguments like those it will get; `progress(done, total, what)` is
    called after each compiled function, in units of one function, with an estimated total.
    """
    counter = _Counter(lambda count: progress and progress(min(count, EXPECTED), EXPECTED, "compiling"))
    with compile_lock(), numba.core.event.install_listener("numba:compile", counter):
        for function, arguments in calls:
            function.compile(tuple(numba.typeof(argument) for argument in arguments))
    if progress:
        progress(EXPECTED, EXPECTED, "ready")
