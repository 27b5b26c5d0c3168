"""Where compiled code is kept, and how functions that Python calls are compiled.

The cache lies in one folder per content of all compiled sources, Numba version and processor, so that nothing
stale can load. Whatever is wrong with the folder (missing, read-only, full, damaged), everything still runs:
what cannot be loaded is compiled, and what cannot be kept is compiled anew in each process.
"""

import gc
import hashlib
import os
import pickle
import shutil
import time
import warnings
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import filelock
import llvmlite.binding
import numba
import numba.core.event
import platformdirs
from numba import _dynfunc
from numba.core import caching, sigutils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

PACKAGE = Path(__file__).parent.parent
COMPILED_FLOORS = ("engine", "eval", "search")
KEEP_SECONDS = 30 * 24 * 3600
EXPECTED = 320  # functions that a game needs, about; for progress alone
LOCK_PATIENCE = 300.0  # seconds for another process to compile; one that was halted must not halt all others
DIGEST_BYTES = 16
COLLECTING = 5_000, 10, 1 << 30  # while compiling; objects that have survived are not looked at again


def _fingerprint():
    digest = hashlib.sha256()
    for floor in COMPILED_FLOORS:
        for path in sorted((PACKAGE / floor).rglob("*.py")):
            digest.update(str(path.relative_to(PACKAGE)).encode() + b"\0" + path.read_bytes() + b"\0")
    facts = (numba.__version__, llvmlite.binding.get_host_cpu_name(), numba.config.BOUNDSCHECK)
    digest.update(repr(facts).encode())
    return digest.hexdigest()[:20]


def _prepare_folder():
    """The folder for this build's machine code, or None when there can be none.

    One that cannot be written may still hold code that is good to load.
    """
    base = os.environ.get("SURAJANG_CACHE_DIR")
    base = Path(base) if base else Path(platformdirs.user_cache_dir("surajang"))
    folder = base / "compiled" / _fingerprint()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        _warn(folder, error.strerror)
        return None
    with suppress(OSError):
        os.utime(folder)
        _forget_old(folder)
    return folder


@cache
def _warn(folder, reason):
    """Tells, once, that each process will compile: that is slow, and somebody may want to know why."""
    warnings.warn(f"compiled code cannot be kept in {folder}: {reason}", RuntimeWarning, stacklevel=2)


def _forget_old(folder):
    """Removes the folders of builds that no process has used for a month."""
    for other in folder.parent.iterdir():
        if other != folder and other.stat().st_mtime < time.time() - KEEP_SECONDS:
            shutil.rmtree(other, ignore_errors=True)


CACHE_FOLDER = _prepare_folder()


class _Place(caching._SourceFileBackedLocatorMixin, caching._CacheLocator):
    """Where the code of a function lies: below the cache folder, and nowhere else.

    Numba itself would look for another place where it cannot write, such as the folders of the sources, where
    nothing tells code of one build from that of another.
    """

    def __init__(self, py_func, py_file):
        self._py_file, self._lineno = py_file, py_func.__code__.co_firstlineno

    def get_cache_path(self):
        return str(CACHE_FOLDER / self.get_suitable_cache_subpath(self._py_file))

    def ensure_cache_path(self):
        with suppress(OSError):
            os.makedirs(self.get_cache_path(), exist_ok=True)


class _Sealed(caching.CompileResultCacheImpl):
    """What is kept of a function, with a digest: code of a torn file would end the process that loads it."""

    _locator_classes = (_Place,)

    def reduce(self, cres):
        data = caching.dumps(super().reduce(cres))
        return _digest(data), data

    def rebuild(self, target_context, payload):
        digest, data = payload
        if digest != _digest(data):
            raise ValueError("the file is damaged")
        return super().rebuild(target_context, pickle.loads(data))


def _digest(data):
    return hashlib.blake2b(data, digest_size=DIGEST_BYTES).digest()


class _Cache(caching.FunctionCache):
    """The code of one function on disk. What fails there is told once and does not stop the program."""

    _impl_class = _Sealed

    def load_overload(self, sig, target_context):
        """The kept code for a signature; None where there is none that could be loaded."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:
            self._mend()
            return None

    def _load_overload(self, sig, target_context):
        """Two processes that save without the lock may choose the same file for two signatures."""
        code = super()._load_overload(sig, target_context)
        wanted, _ = sigutils.normalize_signature(sig)
        return code if code is not None and tuple(code.signature.args) == tuple(wanted) else None

    def _mend(self):
        """Begins the index anew if it is damaged; damaged code is written over once it is compiled."""
        try:
            self._cache_file._load_index()
        except OSError:
            return
        except Exception:
            with suppress(OSError):
                self.flush()

    def save_overload(self, sig, data):
        """Keeps code if that is possible."""
        try:
            super().save_overload(sig, data)
        except Exception as error:
            _warn(CACHE_FOLDER, getattr(error, "strerror", None) or str(error))


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


class _InnerLibrary(JITCodeLibrary):
    """The code of an inner function, kept as it was lowered until an entry point links it in.

    Numba would link, optimize and load the code of every function together with all that it calls, over
    and over on the way up. Here that happens once for each entry point.
    """

    def finalize(self):
        """Nothing is linked or loaded yet."""
        self._finalize_dynamic_globals()
        self._finalized = True

    def _get_module_for_linking(self):
        """The code of this function and of all that it calls.

        Callers are linked before what they call: LLVM drops a function that nothing asks for yet.
        """
        order, seen = [], set()
        self._visit(order, seen)
        module = self._own_module().clone()
        for library in reversed(order[:-1]):
            own = isinstance(library, _InnerLibrary)
            module.link_in(library._own_module() if own else library._get_module_for_linking(), preserve=True)
        return module

    def _visit(self, order, seen):
        """Appends this library to `order` after all that it calls."""
        seen.add(self)
        for library in self._linking_libraries:
            if library not in seen:
                if isinstance(library, _InnerLibrary):
                    library._visit(order, seen)
                else:
                    seen.add(library)
                    order.append(library)
        order.append(self)

    def _own_module(self):
        return super()._get_module_for_linking()


@register_pass(mutates_CFG=True, analysis_only=False)
class _InnerLowering(NativeLowering):
    """Lowers a function for use by other compiled code alone: no machine code, no wrapper for Python."""

    _name = "surajang_inner_lowering"

    def run_pass(self, state):
        context = state.targetctx
        context.get_executable = _stand_in
        state.library = _InnerLibrary(context.codegen(), state.func_id.func_qualname)
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
    compiled = numba.njit(function, nogil=True)
    if CACHE_FOLDER is not None:
        compiled._cache = _Cache(function)
    return compiled


@contextmanager
def compile_lock():
    """Lets one process at a time compile into the shared cache folder.

    Where no lock can be had, or not for LOCK_PATIENCE seconds, it goes on without one: files are replaced as
    a whole and checked when they are loaded, so that two processes that compile lose time and nothing else.
    """
    lock = None
    if CACHE_FOLDER is not None:
        with suppress(OSError, NotImplementedError):  # filelock's Timeout is an OSError, too
            lock = filelock.FileLock(CACHE_FOLDER / "compiling.lock")
            lock.acquire(timeout=LOCK_PATIENCE)
    try:
        yield
    finally:
        if lock is not None:
            lock.release()


@contextmanager
def _seldom_collecting():
    """Spares the search for garbage among what a compiler makes, nearly all of which stays: some 7 % of its
    time."""
    thresholds = gc.get_threshold()
    gc.set_threshold(*COLLECTING)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)


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
    listening = numba.core.event.install_listener("numba:compile", counter)
    with compile_lock(), _seldom_collecting(), listening:
        for function, arguments in calls:
            function.compile(tuple(numba.typeof(argument) for argument in arguments))
    if progress:
        progress(EXPECTED, EXPECTED, "ready")
