"""Runs the functions of compiled code in Python, without compiling anything: about a thousand times slower,
but at once.

A jitted function is copied, with everything that it names replaced by something that Python can run:
bitboards are ints, facts and records are views (`FactsView`, `RecordView`), and an intrinsic has a stand-in.
An int has no width, so code must mask the result of `~`, `-` and `<<` before it counts or lists its bits."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import cache
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np

from . import bitboard
from .bitboard import Bits, to_words
from .compiler import rarely_run
from .deferred import Deferred
from .facts import Choices, Facts, Table


def plain(value: Any) -> Any:
    """A value of Python or NumPy as interpreted code reads it."""
    kind = type(value)
    if kind is int or kind is bool:
        return value
    if kind in _READ:
        return _READ[kind](value)
    return int(value) if isinstance(value, np.integer) else value


class FactsView:
    """The `facts` as interpreted code reads them."""

    def __init__(self, facts: Facts | Choices) -> None:
        self.facts = facts

    def __getattr__(self, name: str) -> Any:
        value = plain(self.facts.__dict__[name])
        self.__dict__[name] = value
        return value


@cache
def _view_of(facts: Facts | Choices) -> FactsView:
    return FactsView(facts)


class TableView:
    """An array, or a table of bitboards, as interpreted code reads and writes it."""

    __slots__ = ("_array", "_mask")

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self._array, self._mask = array, _mask_of(array.dtype)

    def __len__(self) -> int:
        return len(self._array)

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of its axes."""
        return self._array.shape

    def __getitem__(self, place: Any) -> Any:
        return plain(self._array[place])

    def __setitem__(self, place: Any, value: Any) -> None:
        self._array[place] = value if self._mask is None else int(value) & self._mask


class RecordView:
    """A record as interpreted code reads and writes it."""

    __slots__ = ("record",)

    def __init__(self, record: np.void) -> None:
        object.__setattr__(self, "record", record)

    def __getattr__(self, name: str) -> Any:
        return plain(self.record[name])

    def __setattr__(self, name: str, value: Any) -> None:
        mask = _mask_of(self.record.dtype[name])
        self.record[name] = value if mask is None else int(value) & mask


@cache
def _mask_of(dtype: np.dtype[Any]) -> int | None:
    """The bits of an unsigned integer, which wraps around in compiled code; None for another type."""
    return (1 << 8 * dtype.itemsize) - 1 if dtype.kind == "u" else None


_READ: dict[type, Callable[[Any], Any]] = {
    Bits: lambda bits: bits.value,
    Facts: _view_of,
    Choices: _view_of,
    Table: lambda table: TableView(table.values),
    np.ndarray: TableView,
    np.void: RecordView,
    np.uint8: int,
    np.uint64: int,
}


# Stand-ins


def _shifted(board: int, shift: Any, side: int) -> int:
    delta = shift.black_delta if side else shift.white_delta
    board &= shift.black_sources if side else shift.white_sources
    return board << delta if delta > 0 else board >> -delta


def _row(record: RecordView, name: str, index: int | None) -> np.ndarray[Any, Any]:
    field: np.ndarray[Any, Any] = record.record[name]
    return field if index is None else field[index]


def _load(record: RecordView, name: str, index: int | None = None) -> int:
    return int.from_bytes(_row(record, name, index).tobytes(), "little")


def _store(record: RecordView, name: str, index: int | None, board: int) -> None:
    words = _row(record, name, index)
    words[:] = to_words(board, 64 * len(words))


def copy_record(target: RecordView, source: RecordView) -> None:
    """Copies `source` over `target`, records of one type."""
    for name in target.record.dtype.names:
        target.record[name] = source.record[name]


_NUMBERS = SimpleNamespace(
    **dict.fromkeys(("int64", "int32", "uint8", "uint16", "uint32"), int),
    uint64=lambda number: int(number) & 0xFFFF_FFFF_FFFF_FFFF,
)
_STAND_INS: dict[Any, Callable[..., Any]] = {
    rarely_run: lambda: None,
    bitboard.popcount: int.bit_count,
    bitboard.lsb: lambda board: (board & -board).bit_length() - 1,
    bitboard.without_lsb: lambda board: board & board - 1,
    bitboard.highest_or_first: lambda board: 1 << (board | 1).bit_length() - 1,
    bitboard.bit: lambda rules, square: 1 << square,
    bitboard.has: lambda board, square: bool(board >> square & 1),
    bitboard.shifted: _shifted,
    bitboard.load: _load,
    bitboard.load_one: _load,
    bitboard.store: _store,
    bitboard.store_one: lambda record, name, board: _store(record, name, None, board),
}


class Interpreter:
    """Functions that do in Python what jitted functions do. `stand_ins` replaces functions that only compiled
    code can run. May be used by several threads."""

    def __init__(self, stand_ins: Mapping[Any, Callable[..., Any]]) -> None:
        self._stand_ins = {**_STAND_INS, **stand_ins}
        self._made: dict[Any, Callable[..., Any]] = {}
        self._lock = threading.RLock()  # a function under construction is not finished

    def function(self, jitted: Any) -> Callable[..., Any]:
        """The Python function for a jitted one. Its arguments are what `plain` returns."""
        with self._lock:
            if jitted not in self._made:
                self._copy(jitted)
            return self._made[jitted]

    def _copy(self, jitted: Any) -> None:
        original: FunctionType = jitted.py_func
        names: dict[str, Any] = {"__builtins__": __builtins__}
        self._made[jitted] = FunctionType(original.__code__, names, original.__name__, original.__defaults__)
        for name in original.__code__.co_names:
            if name in original.__globals__:
                names[name] = self._replaced(original.__globals__[name])

    def _replaced(self, value: Any) -> Any:
        """What interpreted code finds under the name of `value`."""
        if isinstance(value, Deferred):
            value = value.resolve()
        if value is np:
            return _NUMBERS
        if hasattr(value, "py_func"):
            return self.function(value)
        if hasattr(value, "calls"):
            return self._fold(value.calls)
        try:
            return self._stand_ins.get(value, plain(value))
        except TypeError:  # it has no hash
            return plain(value)

    def _fold(self, calls: Callable[..., Any]) -> Callable[..., Any]:
        """The Python function for one of `facts`, which makes the `calls` for the facts of a bundle."""
        planned: dict[Any, list[tuple[Any, Any, Any]]] = {}

        def fold(bundle: FactsView, value: Any, *others: Any) -> Any:
            if bundle not in planned:
                planned[bundle] = [
                    (call, self.function(call.function), plain(call.item)) for call in calls(bundle, value)
                ]
            for call, function, item in planned[bundle]:
                value = function(*call.arguments(bundle, value, others, item))
            return value

        return fold
