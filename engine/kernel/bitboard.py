"""Bitboards of any width as a Numba scalar type with operators.

This module has the type, its operators and bit tricks; other modules give squares a meaning. In Python a
bitboard is a plain int; `Bits` marks one (with its width) as a compile-time constant."""

import operator
from collections.abc import Iterable
from typing import Any, NamedTuple

from llvmlite import ir
from numba import types
from numba.core import cgutils, config
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model


class Bits(NamedTuple):
    """A bitboard constant: `value` as an int, `width` in bits (64, 128 or 256)."""

    value: int
    width: int


class BitboardType(types.Type):
    """An unsigned integer of `width` bits that combines only with its own type."""

    def __init__(self, width: int) -> None:
        self.width = width
        super().__init__(name=f"bitboard{width}")


@register_model(BitboardType)
class _BitboardModel(models.PrimitiveModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, ir.IntType(fe_type.width))


def _operator(op, count, emit, result=None):
    """Types and lowers an operator on `count` bitboards of one width; its result is a bitboard, unless a
    `result` type is given."""

    @infer_global(op)
    class _Template(AbstractTemplate):
        def generic(self, args, kws):
            if len(args) == count and isinstance(args[0], BitboardType) and args[0] == args[-1]:
                return signature(result or args[0], *args)

    @lower_builtin(op, *[BitboardType] * count)
    def _lower(context, builder, sig, args):
        return emit(builder, *args)


_operator(operator.and_, 2, lambda builder, x, y: builder.and_(x, y))
_operator(operator.or_, 2, lambda builder, x, y: builder.or_(x, y))
_operator(operator.xor, 2, lambda builder, x, y: builder.xor(x, y))
_operator(operator.sub, 2, lambda builder, x, y: builder.sub(x, y))
_operator(operator.eq, 2, lambda builder, x, y: builder.icmp_unsigned("==", x, y), types.boolean)
_operator(operator.ne, 2, lambda builder, x, y: builder.icmp_unsigned("!=", x, y), types.boolean)
_operator(operator.invert, 1, lambda builder, x: builder.not_(x))
_operator(bool, 1, lambda builder, x: builder.icmp_unsigned("!=", x, x.type(0)), types.boolean)
_operator(operator.not_, 1, lambda builder, x: builder.icmp_unsigned("==", x, x.type(0)), types.boolean)


def _fit(builder, value, width):
    """Zero-extends or truncates the integer `value` to `width` bits."""
    target = ir.IntType(width)
    if value.type.width < width:
        return builder.zext(value, target)
    if value.type.width > width:
        return builder.trunc(value, target)
    return value


def _shift(op, emit):
    """`bitboard op int`; the count must be at least 0 and less than the width."""

    @infer_global(op)
    class _Template(AbstractTemplate):
        def generic(self, args, kws):
            board, count = args
            if isinstance(board, BitboardType) and isinstance(count, types.Integer):
                return signature(board, board, types.int64)

    @lower_builtin(op, BitboardType, types.int64)
    def _lower(context, builder, sig, args):
        return emit(builder, args[0], _fit(builder, args[1], sig.return_type.width))


_shift(operator.lshift, lambda builder, x, n: builder.shl(x, n))
_shift(operator.rshift, lambda builder, x, n: builder.lshr(x, n))


def _llvm_function(builder, name, result, *arguments):
    return cgutils.get_or_insert_function(builder.module, ir.FunctionType(result, list(arguments)), name)


def _is_bitboard(t):
    return isinstance(t, BitboardType)


@intrinsic
def popcount(typingctx, board):
    """The number of set bits, as int64."""
    if not _is_bitboard(board):
        return None

    def generate(context, builder, sig, args):
        wide = args[0].type
        count = _llvm_function(builder, f"llvm.ctpop.i{wide.width}", wide, wide)
        return _fit(builder, builder.call(count, args), 64)

    return types.int64(board), generate


@intrinsic
def lsb(typingctx, board):
    """The index of the lowest set bit, as int64; `board` must not be empty."""
    if not _is_bitboard(board):
        return None

    def generate(context, builder, sig, args):
        wide, flag = args[0].type, ir.IntType(1)
        count = _llvm_function(builder, f"llvm.cttz.i{wide.width}", wide, wide, flag)
        return _fit(builder, builder.call(count, [args[0], flag(1)]), 64)

    return types.int64(board), generate


@intrinsic
def without_lsb(typingctx, board):
    """The board with its lowest set bit cleared."""
    if not _is_bitboard(board):
        return None

    def generate(context, builder, sig, args):
        return builder.and_(args[0], builder.sub(args[0], args[0].type(1)))

    return board(board), generate


@intrinsic
def highest_or_first(typingctx, board):
    """The highest set bit as a board; the bit of square 0 when `board` is empty."""
    if not _is_bitboard(board):
        return None

    def generate(context, builder, sig, args):
        wide, flag = args[0].type, ir.IntType(1)
        count = _llvm_function(builder, f"llvm.ctlz.i{wide.width}", wide, wide, flag)
        zeros = builder.call(count, [builder.or_(args[0], wide(1)), flag(1)])
        return builder.lshr(wide(1 << (wide.width - 1)), zeros)

    return board(board), generate


@intrinsic
def bit(typingctx, rules, square):
    """The board with one bit set, that of `square`; 0 <= square < width."""
    width = rules.facts.empty.width

    def generate(context, builder, sig, args):
        wide = ir.IntType(width)
        return builder.shl(wide(1), _fit(builder, args[1], width))

    return BitboardType(width)(rules, square), generate


@intrinsic
def has(typingctx, board, square):
    """Whether the bit of `square` is set."""
    if not (_is_bitboard(board) and isinstance(square, types.Integer)):
        return None

    def generate(context, builder, sig, args):
        wide = args[0].type
        moved = builder.lshr(args[0], _fit(builder, args[1], wide.width))
        return builder.trunc(moved, ir.IntType(1))

    return types.boolean(board, square), generate


@intrinsic
def shifted(typingctx, board, shift, side):
    """The squares that pieces of `side` on `board` reach by one leap that stays on the board.

    `shift` holds the leap's distance in squares and the squares it may start from, for both sides.
    """
    if not (_is_bitboard(board) and isinstance(side, types.Integer)):
        return None
    facts = shift.facts

    def moved(builder, pieces, delta, sources):
        pieces = builder.and_(pieces, pieces.type(sources.value))
        distance = pieces.type(abs(delta))
        return builder.shl(pieces, distance) if delta > 0 else builder.lshr(pieces, distance)

    def generate(context, builder, sig, args):
        white = moved(builder, args[0], facts.white_delta, facts.white_sources)
        black = moved(builder, args[0], facts.black_delta, facts.black_sources)
        is_white = builder.icmp_unsigned("==", args[2], args[2].type(0))
        return builder.select(is_white, white, black)

    return board(board, shift, side), generate


def _field_pointer(context, builder, record, name, pointer, index):
    """A pointer to row `index` of a record's field of shape (n, words), or to one of shape (words,)."""
    offset, nested = record.offset(name), record.typeof(name)
    row = nested.shape[-1] * 8
    wide = ir.IntType(row * 8).as_pointer()
    base = cgutils.get_record_member(builder, pointer, offset, ir.IntType(8))
    if index is None:
        return builder.bitcast(base, wide)
    index = _fit(builder, index, 64)
    if config.BOUNDSCHECK:
        outside = builder.icmp_unsigned(">=", index, index.type(nested.shape[0]))
        with builder.if_then(outside, likely=False):
            message = f"bitboard index out of range in field {name}"
            context.call_conv.return_user_exc(builder, IndexError, (message,))
    step = builder.mul(index, index.type(row))
    return builder.bitcast(builder.gep(base, [step]), wide)


def _field_board(record, name):
    return BitboardType(record.typeof(name.literal_value).shape[-1] * 64)


@intrinsic(prefer_literal=True)
def load(typingctx, record, name, index):
    """Row `index` of the record's bitboard field `name`, a uint64 array of shape (n, words)."""
    board = _field_board(record, name)

    def generate(context, builder, sig, args):
        place = _field_pointer(context, builder, record, name.literal_value, args[0], args[2])
        return builder.load(place, align=8)

    return board(record, name, index), generate


@intrinsic(prefer_literal=True)
def store(typingctx, record, name, index, board):
    """Writes `board` to row `index` of the record's bitboard field `name`."""

    def generate(context, builder, sig, args):
        place = _field_pointer(context, builder, record, name.literal_value, args[0], args[2])
        builder.store(args[3], place, align=8)
        return context.get_dummy_value()

    return types.void(record, name, index, board), generate


@intrinsic(prefer_literal=True)
def load_one(typingctx, record, name):
    """The record's bitboard field `name`, a uint64 array of shape (words,)."""
    board = _field_board(record, name)

    def generate(context, builder, sig, args):
        place = _field_pointer(context, builder, record, name.literal_value, args[0], None)
        return builder.load(place, align=8)

    return board(record, name), generate


@intrinsic(prefer_literal=True)
def store_one(typingctx, record, name, board):
    """Writes `board` to the record's bitboard field `name`."""

    def generate(context, builder, sig, args):
        place = _field_pointer(context, builder, record, name.literal_value, args[0], None)
        builder.store(args[2], place, align=8)
        return context.get_dummy_value()

    return types.void(record, name, board), generate


def to_words(value: int, width: int) -> list[int]:
    """Splits a Python int into `width // 64` uint64 words, lowest first."""
    return [(value >> shift) & 0xFFFF_FFFF_FFFF_FFFF for shift in range(0, width, 64)]


def from_words(words: Iterable[Any]) -> int:
    """Joins uint64 words, lowest first, into a Python int."""
    return sum(int(word) << (64 * i) for i, word in enumerate(words))
