"""Vector code for training: sums of rows of float32, and outputs over activations.

A layer of neurons is stored in blocks of `block_width` neurons. All rows of one block are adjacent, so a
block of weights stays in the second-level cache while many positions are summed, and a row fills whole cache
lines. Numba's own loops keep the sums in memory between two rows; here they stay in registers."""

from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ...engine.kernel.compiler import inner
from ...eval.network.file import LANES

WIDTHS = (64, 32, LANES)  # neurons of a block: the first that divides a layer
LINE = 64  # bytes of a cache line
EPSILON = 1e-8  # of Adam
_FLOAT, _SHORT, _LONG = ir.FloatType(), ir.IntType(16), ir.IntType(64)


def block_width(hidden: int) -> int:
    """The number of neurons in a block of a layer of `hidden` neurons."""
    return next(width for width in WIDTHS if hidden % width == 0)


def aligned_zeros(*shape: int) -> npt.NDArray[np.float32]:
    """An array of float32 zeros that is aligned to cache lines; loads that straddle two lines take twice as
    long."""
    count = int(np.prod(shape))
    memory = np.zeros(4 * count + LINE, np.uint8)
    start = -memory.ctypes.data % LINE
    found: npt.NDArray[np.float32] = memory[start : start + 4 * count].view(np.float32).reshape(shape)
    return found


def _vector(builder: Any, address: Any, width: int) -> Any:
    """A pointer to `width` float32 at an address."""
    return builder.inttoptr(address, ir.VectorType(_FLOAT, width).as_pointer())


def _row_adder(width: int) -> Any:
    """`add_rows` for blocks of that width."""

    @intrinsic
    def add(typingctx, target, source, rows, count):
        def generate(context, builder, sig, args):
            target, source, rows, count = args
            total = cgutils.alloca_once(builder, ir.VectorType(_FLOAT, width))
            builder.store(builder.load(_vector(builder, target, width), align=4), total)
            numbers = builder.inttoptr(rows, _SHORT.as_pointer())
            with cgutils.for_range(builder, count, intp=_LONG) as loop:
                number = builder.zext(builder.load(builder.gep(numbers, [loop.index])), _LONG)
                place = builder.add(source, builder.mul(number, _LONG(4 * width)))
                row = builder.load(_vector(builder, place, width), align=4)
                builder.store(builder.fadd(builder.load(total), row), total)
            builder.store(builder.load(total), _vector(builder, target, width), align=4)
            return context.get_dummy_value()

        return types.void(*[types.int64] * 4), generate

    return add


_add_rows_64, _add_rows_32, _add_rows_16 = (_row_adder(width) for width in WIDTHS)


@inner
def add_rows(width, target, source, rows, count):
    """Adds `count` rows of `width` float32 to the row at `target`. The rows are those of the table at
    `source` with the numbers (uint16) at `rows`. All three are addresses."""
    if width == 64:
        _add_rows_64(target, source, rows, count)
    elif width == 32:
        _add_rows_32(target, source, rows, count)
    else:
        _add_rows_16(target, source, rows, count)


def _clipped(builder: Any, value: Any) -> Any:
    low, high = (ir.Constant(value.type, [bound] * LANES) for bound in (0.0, 1.0))
    value = builder.select(builder.fcmp_ordered(">", value, low), value, low)
    return builder.select(builder.fcmp_ordered("<", value, high), value, high)


def _at(builder: Any, address: Any, first: int) -> Any:
    """A pointer to LANES float32, starting at number `first` from an address."""
    return _vector(builder, builder.add(address, _LONG(4 * first)), LANES)


def _row_multiplier(width: int) -> Any:
    """`clip_and_multiply` for blocks of that width."""

    @intrinsic
    def multiply(typingctx, partial, values, weights):
        def generate(context, builder, sig, args):
            partial = _vector(builder, args[0], LANES)
            total = builder.load(partial, align=4)
            for first in range(0, width, LANES):
                place = _at(builder, args[1], first)
                value = _clipped(builder, builder.load(place, align=4))
                builder.store(value, place, align=4)
                weight = builder.load(_at(builder, args[2], first), align=4)
                total = builder.fadd(total, builder.fmul(builder.fmul(value, value), weight))
            builder.store(total, partial, align=4)
            return context.get_dummy_value()

        return types.void(*[types.int64] * 3), generate

    return multiply


_multiply_64, _multiply_32, _multiply_16 = (_row_multiplier(width) for width in WIDTHS)


@inner
def clip_and_multiply(width, partial, values, weights):
    """Clips `width` float32 at the address `values` to 0..1, in place, and adds value x value x weight to the
    LANES float32 at `partial`. The compiler may not reorder one sum, but it vectorises independent ones."""
    if width == 64:
        _multiply_64(partial, values, weights)
    elif width == 32:
        _multiply_32(partial, values, weights)
    else:
        _multiply_16(partial, values, weights)


@intrinsic
def go_back_lanes(typingctx, values, weights, slopes, biases, slope):
    """Back-propagates through LANES clipped accumulators at `values`, which become the derivatives of the
    error by the accumulators; `slope` is that by the logit. Adds the derivatives by the output weights to
    those at `slopes`, and the new values to those at `biases`."""

    def generate(context, builder, sig, args):
        values, weights, slopes, biases = (_vector(builder, address, LANES) for address in args[:4])
        value, slope = builder.load(values, align=4), _splat(builder, args[4])
        once = builder.fmul(slope, value)
        total = builder.fadd(builder.load(slopes, align=4), builder.fmul(once, value))
        builder.store(total, slopes, align=4)
        low, high = (ir.Constant(value.type, [bound] * LANES) for bound in (0.0, 1.0))
        inside = builder.and_(builder.fcmp_ordered(">", value, low), builder.fcmp_ordered("<", value, high))
        back = builder.fmul(builder.fadd(once, once), builder.load(weights, align=4))
        back = builder.select(inside, back, low)
        builder.store(back, values, align=4)
        builder.store(builder.fadd(builder.load(biases, align=4), back), biases, align=4)
        return context.get_dummy_value()

    return types.void(*[types.int64] * 4, types.float32), generate


def _splat(builder: Any, value: Any) -> Any:
    """A vector of LANES copies of a float32."""
    kind = ir.VectorType(_FLOAT, LANES)
    one = builder.insert_element(ir.Constant(kind, ir.Undefined), value, ir.IntType(32)(0))
    return builder.shuffle_vector(
        one, ir.Constant(kind, ir.Undefined), ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    )


def _root(builder: Any, value: Any) -> Any:
    kind = ir.FunctionType(value.type, [value.type])
    return builder.call(
        cgutils.get_or_insert_function(builder.module, kind, f"llvm.sqrt.v{LANES}f32"), [value]
    )


def _within(builder: Any, value: Any, limit: Any) -> Any:
    """A vector limited to -limit..limit, where the limit is also a vector."""
    low = builder.fneg(limit)
    value = builder.select(builder.fcmp_ordered(">", value, low), value, low)
    return builder.select(builder.fcmp_ordered("<", value, limit), value, limit)


_ADAM = types.void(*[types.int64] * 5, *[types.float32] * 6)


@intrinsic
def move_lanes(typingctx, own, means, squares, slopes, limits, share, rest1, rest2, keep, scale, correction):
    """Adam's step for LANES float32 at the addresses `own`, `means` and `squares`. The gradients at `slopes`
    times `share` are averaged by `rest1` and `rest2`; the weights are first multiplied by `keep`, then moved
    by `scale` and limited to those at `limits`."""

    def generate(context, builder, sig, args):
        places = [_vector(builder, address, LANES) for address in args[:5]]
        weight, mean, square, slope, limit = (builder.load(place, align=4) for place in places)
        share, rest1, rest2, keep, scale, correction = (_splat(builder, value) for value in args[5:])
        slope = builder.fmul(slope, share)
        mean = builder.fadd(mean, builder.fmul(rest1, builder.fsub(slope, mean)))
        square = builder.fadd(square, builder.fmul(rest2, builder.fsub(builder.fmul(slope, slope), square)))
        moved = _moved(builder, weight, mean, square, keep, scale, correction)
        for value, place in zip((_within(builder, moved, limit), mean, square), places, strict=False):
            builder.store(value, place, align=4)
        return context.get_dummy_value()

    return _ADAM, generate


def _moved(builder: Any, weight: Any, mean: Any, square: Any, keep: Any, scale: Any, correction: Any) -> Any:
    """Weights after a step of Adam along `mean`."""
    epsilon = ir.Constant(weight.type, [EPSILON] * LANES)
    root = builder.fadd(_root(builder, builder.fmul(square, correction)), epsilon)
    step = builder.fdiv(builder.fmul(scale, mean), root)
    return builder.fsub(builder.fmul(keep, weight), step)


@intrinsic
def catch_up_lanes(typingctx, own, means, squares, limits, keep, scale, shrink1, shrink2, correction):
    """Applies steps of Adam without gradients to LANES float32 at `own`, `means` and `squares`: the means
    shrink by `shrink1`, the squares by `shrink2`; the weights are multiplied by `keep` and moved by `scale`.
    """

    def generate(context, builder, sig, args):
        places = [_vector(builder, address, LANES) for address in args[:4]]
        weight, mean, square, limit = (builder.load(place, align=4) for place in places)
        keep, scale, shrink1, shrink2, correction = (_splat(builder, value) for value in args[4:])
        moved = _moved(builder, weight, mean, square, keep, scale, correction)
        values = _within(builder, moved, limit), builder.fmul(mean, shrink1), builder.fmul(square, shrink2)
        for value, place in zip(values, places, strict=False):
            builder.store(value, place, align=4)
        return context.get_dummy_value()

    return types.void(*[types.int64] * 4, *[types.float32] * 5), generate
