"""Items of arrays in records, which inner functions read and write without Numba's array structure; the
linkage of functions; signatures; and what is switched off while something is compiled."""

import functools
import gc
import inspect
import weakref

import llvmlite.binding as llvm
import numpy as np
import pytest
from numba import njit
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from surajang.engine.kernel import compiler, shortcuts
from surajang.engine.kernel.compiler import _undisturbed, entry_point, inner, rarely_run
from surajang.engine.kernel.pipeline import entry_library

pytestmark = [pytest.mark.compiled, pytest.mark.quick]

RECORD = np.dtype([("head", np.uint8), ("row", np.int16, 5), ("table", np.uint32, (3, 4))], align=True)

CODE = """
define linkonce_odr i64 @tripled(i64 %x) noinline {
  %y = mul i64 %x, 3
  ret i64 %y
}
define i64 @called_by_python(i64 %x) {
  %y = call i64 @tripled(i64 %x)
  ret i64 %y
}
"""


class Circle:
    """An object that only the search for garbage can find."""


@inner
def exchange(record, at, rank, file, value):
    before = np.int64(record.row[at]) * 1000 + np.int64(record.table[rank, file])
    record.row[at] = value
    record.table[rank, file] = value + 1
    record.row[0] = record.row[-1]
    return before


@njit
def run(records, at, rank, file, value):
    return exchange(records[0], at, rank, file, value)


@pytest.mark.parametrize("at, rank, file", [(1, 0, 0), (4, 2, 3), (-2, 1, -1), (3, -3, 2)])
def test_items_are_those_that_numpy_reads_and_writes(at, rank, file):
    records = np.zeros(1, RECORD)
    records["row"], records["table"] = np.arange(10, 15), np.arange(100, 112).reshape(3, 4)
    expected = records.copy()
    before = int(expected[0]["row"][at]) * 1000 + int(expected[0]["table"][rank, file])
    expected[0]["row"][at], expected[0]["table"][rank, file] = 7, 8
    expected[0]["row"][0] = expected[0]["row"][-1]
    assert run(records, at, rank, file, 7) == before
    assert (records["row"] == expected["row"]).all() and (records["table"] == expected["table"]).all()
    assert records[0]["head"] == 0


def test_functions_are_internal_to_the_entry_points_that_call_them():
    library = entry_library(cpu_target.target_context.codegen(), "linkage")
    library.add_llvm_module(llvm.parse_assembly(CODE))
    with global_compiler_lock:
        library.finalize()
    linkages = {function.name: function.linkage for function in library._final_module.functions}
    assert linkages == {"tripled.internal": llvm.Linkage.internal, "called_by_python": llvm.Linkage.external}


def test_code_that_is_loaded_later_does_not_use_the_functions_of_an_entry_point():
    """LLVM passes no constant to the function within the entry point; others pass both arguments."""

    @inner
    def product(one, other):
        rarely_run()
        return one * other

    @entry_point
    def tenfold(number):
        return product(number, np.int64(10)) - product(number + 1, np.int64(10))

    @njit
    def difference(one, other):
        return product(one, other) - product(one + 1, other)

    assert tenfold(np.int64(3)) == -10
    assert difference(np.int64(3), np.int64(7)) == -7


def test_numbas_clocks_and_the_collector_come_back_when_two_threads_have_compiled():
    clocks = llvm.ffi.lib._lock._cblist
    assert clocks and gc.isenabled()
    first, second = _undisturbed(), _undisturbed()
    first.__enter__()
    second.__enter__()
    assert not llvm.ffi.lib._lock._cblist and not gc.isenabled()
    first.__exit__(None, None, None)  # before the second
    second.__exit__(None, None, None)
    assert llvm.ffi.lib._lock._cblist is clocks and gc.isenabled()


@pytest.mark.slow
def test_much_garbage_of_compilations_is_collected_before_the_next(monkeypatch):
    monkeypatch.setattr(compiler, "MANY_OBJECTS", 10)
    monkeypatch.setattr(compiler, "_garbage", 0)
    circle = Circle()
    alive = weakref.ref(circle)
    with _undisturbed():
        circle.itself, kept = circle, [[] for _ in range(100)]
        del circle
    gc.collect()
    assert alive() is not None and len(kept) == 100  # frozen: looked at by no collection
    with _undisturbed():
        assert alive() is not None  # little garbage is not worth a collection
    monkeypatch.setattr(compiler, "MOST_GARBAGE", 50)
    with _undisturbed():
        assert alive() is None


def test_signatures_are_those_of_python():
    closed = 3

    def simple(a, b=closed, c="x"):
        return a + b

    def annotated(a: int) -> int:
        return a

    def several(a, *others, b=1, **options):
        return a

    def positional(a, /, b=2):
        return a

    @functools.wraps(several)
    def wrapper(*arguments):
        return several(*arguments)

    for function in (simple, annotated, several, positional, wrapper, lambda: closed, print, int.bit_count):
        assert shortcuts._signature(function) == inspect.signature(function)
