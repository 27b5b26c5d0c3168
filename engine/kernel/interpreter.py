"""Runs the functions of compiled code in Python, without compiling anything: about a thousand times slower,
but at once.

A jitted function is copied, with everything that it names replaced by something that Python can run:
bitboards are ints, facts and records are views (`FactsView`, `RecordView`), and an intrinsic has a stand-in.
An int has no width, so code must mask the result of `~`, `-` and `<<` before it counts or lists its bits."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np

from . import bitboard
from .bitboard import Bits
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


class _Table(ctypes.Array):
    """An array of numbers as interpreted code reads and writes it. C does that: unsigned numbers wrap around
    as in compiled code."""

    _type_, _length_ = ctypes.c_uint8, 0  # of this class, which has no instances
    shape: tuple[int, ...] = ()  # the lengths of its axes


_element = ctypes.Array.__getitem__


class _Rows(_Table):
    """An array with more than one axis."""

    _type_, _length_ = ctypes.c_uint8, 0

    def __getitem__(self, place: Any) -> Any:
        if type(place) is not tuple:
            return _element(self, place)
        for each in place:
            self = _element(self, each)
        return self

    def __setitem__(self, place: Any, value: Any) -> None:
        *rows, last = place
        self[tuple(rows)][last] = value


@cache
def _number_type(dtype: np.dtype[Any]) -> Any:
    return ctypes.c_bool if dtype.kind == "b" else np.ctypeslib.as_ctypes_type(dtype)


@cache
def _table_type(dtype: np.dtype[Any], shape: tuple[int, ...]) -> Any:
    length, *rest = shape
    element = _table_type(dtype, tuple(rest)) if rest else _number_type(dtype)
    return type("_", (_Rows if rest else _Table,), {"_type_": element, "_length_": length, "shape": shape})


class RecordTable:
    """An array of records as interpreted code reads it."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self._array, self._address, self._step = array, array.ctypes.data, array.strides[0]
        self._records: dict[int, RecordView] = {}

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, place: int) -> RecordView:
        if place not in self._records:
            self._records[place] = _record_at(self._array[place], self._address + place * self._step)
        return self._records[place]


class _Row(tuple):
    """A part of a constant table of bitboards as interpreted code reads it."""

    def __getitem__(self, place: Any) -> Any:
        if type(place) is not tuple:
            return super().__getitem__(place)
        for each in place:
            self = self[each]
        return self


def _constant(values: Any) -> Any:
    """Nested lists as nested tuples."""
    if not isinstance(values, list):
        return int(values)
    return (_Row if isinstance(values[0], list) else tuple)(map(_constant, values))


def _array_view(array: np.ndarray[Any, Any]) -> Any:
    if array.dtype.names:
        return RecordTable(array)
    return _table_at(array.dtype, array.shape, array.ctypes.data, array)


def _table_at(dtype: np.dtype[Any], shape: tuple[int, ...], address: int, owner: Any) -> Any:
    """The view of the numbers at an address, where `owner` keeps them."""
    view = _table_type(dtype, shape).from_address(address)
    view.owner = owner
    return view


class RecordView(ctypes.Structure):
    """A record as interpreted code reads and writes it. Its numbers are read by C; its arrays and records are
    views that are made when they are first read."""

    record: np.void
    address: int
    places: dict[str, tuple[int, int]]  # of each field of bitboards: its first word, the words of a board

    @cached_property
    def words(self) -> memoryview:
        """The whole record as uint64."""
        return memoryview(self).cast("B").cast("Q")

    def __getattr__(self, name: str) -> Any:
        field, offset = self.record.dtype.fields[name][:2]
        address = self.address + offset
        if field.names:
            view: Any = _record_at(self.record[name], address)
        elif field.base.names:
            view = RecordTable(self.record[name])
        else:
            view = _table_at(field.base, field.shape, address, self.record)
        self.__dict__[name] = view
        return view


def record_view(record: np.void) -> RecordView:
    """A record as interpreted code reads and writes it."""
    return _record_at(record, np.frombuffer(memoryview(record), np.uint8).ctypes.data)


def _record_at(record: np.void, address: int) -> RecordView:
    view = _record_type(record.dtype).from_address(address)
    view.record, view.address = record, address
    return view


@cache
def _record_type(dtype: np.dtype[Any]) -> type[RecordView]:
    """The type of views of records of a type."""
    fields, places, end = [], {}, 0
    for name, (kind, offset, *_) in sorted(dtype.fields.items(), key=lambda each: each[1][1]):
        if kind.shape and kind.base == np.uint64:
            places[name] = offset // 8, kind.shape[-1]
        if kind.shape or kind.names:
            continue
        fields += [(f"before {name}", ctypes.c_uint8 * (offset - end)), (name, _number_type(kind))]
        end = offset + kind.itemsize
    fields.append(("the rest", ctypes.c_uint8 * (dtype.itemsize - end)))
    return type("_", (RecordView,), {"_pack_": 1, "_fields_": fields, "places": places})


_READ: dict[type, Callable[[Any], Any]] = {
    Bits: lambda bits: bits.value,
    Facts: _view_of,
    Choices: _view_of,
    Table: lambda table: _constant(table.values.tolist()),
    np.ndarray: _array_view,
    np.void: record_view,
    np.uint8: int,
    np.uint64: int,
}


# Stand-ins


def _shifted(board: int, shift: Any, side: int) -> int:
    delta = shift.black_delta if side else shift.white_delta
    board &= shift.black_sources if side else shift.white_sources
    return board << delta if delta > 0 else board >> -delta


def _load(record: RecordView, name: str, index: int = 0) -> int:
    place, count = record.places[name]
    place += index * count
    board: int = record.words[place]
    for word in range(1, count):
        board |= record.words[place + word] << 64 * word
    return board


def _store(record: RecordView, name: str, index: int, board: int) -> None:
    place, count = record.places[name]
    for word in range(place + index * count, place + (index + 1) * count):
        record.words[word] = board & 0xFFFF_FFFF_FFFF_FFFF
        board >>= 64


def copy_record(target: RecordView, source: RecordView) -> None:
    """Copies `source` over `target`, records of one type."""
    target.words[:] = source.words


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
    bitboard.store_one: lambda record, name, board: _store(record, name, 0, board),
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
        planned: dict[Any, list[tuple[Any, ...]]] = {}

        def fold(bundle: FactsView, value: Any, *others: Any) -> Any:
            if bundle not in planned:
                planned[bundle] = [
                    (
                        self.function(call.function),
                        call.item and plain(call.item),
                        call.with_bundle,
                        call.takes,
                    )
                    for call in calls(bundle, value)
                ]
            for function, item, with_bundle, takes in planned[bundle]:
                given = others if takes is None else others[:takes]
                if item is None:
                    value = function(bundle, value, *given)
                elif with_bundle:
                    value = function(item, value, bundle, *given)
                else:
                    value = function(item, value, *given)
            return value

        return fold
