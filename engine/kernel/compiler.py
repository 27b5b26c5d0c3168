"""The decorators of compiled functions, and compiling ahead. `pipeline` defines the passes; `code_cache`
keeps the code in `store`."""

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import llvmlite.binding as llvm
import numba
import numba.core.event
from numba import types
from numba.extending import intrinsic

from .code_cache import EntryCache, has_inner
from .entry_points_together import compile_together
from .fingerprint import digest
from .parallel_compile import Part, Team, compile_parts, help_out
from .pipeline import EntryCompiler, InnerCompiler
from .store import STORE, one_at_a_time

EXPECTED = 260  # functions that a game needs, about; for progress alone
MANY_OBJECTS = 100_000  # that compiling has left, more than loading does
MOST_GARBAGE = 1_000_000  # objects that compilations have left before they are collected; about 200 MB
INNER_OPTIONS = dict(pipeline_class=InnerCompiler, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def inner(function: Callable[..., Any]) -> Any:
    """Decorates a jitted function that only compiled code calls.

    It gets no machine code of its own but becomes part of the entry points.
    """
    return numba.njit(function, **INNER_OPTIONS)


@intrinsic
def rarely_run(typingctx: Any) -> Any:
    """Prevents inlining of the function that calls this, for code that runs rarely: the code around its calls
    stays small and fast."""

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        for attribute in ("noinline", "cold"):
            builder.function.attributes.add(attribute)
        return context.get_dummy_value()

    return types.void(), generate


def entry_point(function: Callable[..., Any]) -> Any:
    """Decorates a jitted function that Python calls: it is cached on disk and releases the GIL."""
    compiled = numba.njit(function, nogil=True, pipeline_class=EntryCompiler, no_cfunc_wrapper=True)
    compiled._cache = EntryCache(function)
    return compiled


_garbage = 0  # objects that compilations have left, which are frozen


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Turns off garbage collection while compiling: this saves a tenth of the time for 100 MB of memory. The
    garbage of a few compilations is collected before the next one, which takes half a second. Also turns off
    Numba's timer around each call of LLVM, whose report is not used here."""
    global _garbage
    enabled, clocks = gc.isenabled(), llvm.ffi.lib._lock._cblist
    if _garbage > MOST_GARBAGE:
        gc.unfreeze()
        gc.collect()
        _garbage = 0
    gc.disable()
    llvm.ffi.lib._lock._cblist = []
    try:
        yield
    finally:
        if clocks:  # none where another thread compiles, which puts them back
            llvm.ffi.lib._lock._cblist = clocks
        if (left := gc.get_count()[0]) > MANY_OBJECTS:
            gc.freeze()
            _garbage += left
        if enabled:
            gc.enable()


class _Counter(numba.core.event.Listener):
    """Calls `tell` for each function that Numba has compiled."""

    def __init__(self, tell: Callable[[], object]) -> None:
        self._tell = tell

    def on_start(self, event: Any) -> None:
        pass

    def on_end(self, event: Any) -> None:
        self._tell()


def counting(tell: Callable[[], object]) -> AbstractContextManager[Any]:
    """A context in which `tell()` is called for each function that this process has compiled."""
    return numba.core.event.install_listener("numba:compile", _Counter(tell))


def part(function: Any, *arguments: Any) -> Part:
    """A jitted function with the types of `arguments`, which are values or Numba's types."""
    return Part(
        function, tuple(each if isinstance(each, types.Type) else numba.typeof(each) for each in arguments)
    )


def _is_kept(each: Part) -> bool:
    """Whether the store has the code of a part."""
    entry = getattr(each.function, "_cache", None)
    if isinstance(entry, EntryCache):
        return entry.has(each.types)
    return has_inner(each.function.py_func, each.types)


def compile_ahead(
    entries: Sequence[Part],
    progress: Callable[[int, int, str], object] | None = None,
    team: Callable[[], Team] | None = None,
) -> None:
    """Compiles entry points, or loads them from the store, without running them. Those that are missing share
    one library.

    `entries` are parts (`part`); `team()` returns the parts that several processes can compile at once.
    `progress(done, total, what)` is called after each compiled function, in units of one function, with an
    estimated total."""
    count = 0

    def tell() -> None:
        nonlocal count
        count += 1
        if progress:
            progress(min(count, EXPECTED), EXPECTED, "compiling")

    with _undisturbed(), counting(tell):
        if not all(map(_is_kept, entries)):
            with one_at_a_time(
                digest(*(f"{each.function.py_func.__qualname__} {each.types}" for each in entries))
            ):
                if team is not None and STORE.folder is not None:
                    compile_parts(team(), _is_kept, tell)
                new = [each for each in entries if not (_is_kept(each) or each.is_compiled)]
                if len(new) > 1:
                    compile_together(new)
        for each in entries:
            each.compile()
    if progress:
        progress(EXPECTED, EXPECTED, "ready")


def help_compile(parts: Sequence[Part]) -> None:
    """The main loop of a helper process of `compile_ahead`: compiles those of `parts` whose numbers it
    receives, until its input ends."""
    with _undisturbed():
        help_out(parts, counting)
