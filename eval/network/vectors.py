"""Vector code for a network: updates of accumulators, the output, and comparisons of bytes.

Numba vectorises its loops only if every type in them allows it, so this code makes the vectors itself. The
records whose layout this code knows are here, too: the network in shared memory, and a worker's fields."""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import from_dtype, types
from numba.core import cgutils
from numba.extending import intrinsic

from ...engine.kernel.bitboard import BitboardType
from ...engine.kernel.facts import facts_of_type
from .features import features_for
from .file import QA, Network
from .output_buckets import HANDS, OUTPUT_BUCKETS

LANES = 128  # of an accumulator in registers at once: eight registers of AVX2
OUTPUT_LANES = 32
LINE = 64  # bytes of a cache line
_BYTE, _SHORT, _INT, _LONG = (ir.IntType(bits) for bits in (8, 16, 32, 64))


class Shape(NamedTuple):
    """The properties of a network that compiled code depends on: the numbering of its inputs, its hidden
    neurons, the number of king buckets (0 for a network without them), and whether the hands select its
    output."""

    features: Any  # `Facts`
    hidden: int
    king_buckets: int = 0
    by_hands: bool = False


def shape_of(network: Network | None) -> Shape | None:
    """The `Shape` of a network; None for the hand-written evaluation."""
    if network is None:
        return None
    king_buckets = 0 if network.king_buckets is None else network.king_bucket_count
    return Shape(features_for(network.variant), network.hidden, king_buckets, network.output_buckets == HANDS)


@cache
def network_dtype(features: Any, hidden: int, king_buckets: int = 0) -> np.dtype[Any]:
    """The record of a quantised network, rows of `hidden` weights at multiples of its size; the arguments are
    the first of its `Shape`."""
    room = -features.squares % LINE
    king_bucket_fields = [
        ("king_buckets", np.uint8, (features.squares,)),
        ("king_bucket_filler", np.uint8, (room,)),
    ]
    return np.dtype(
        [
            ("output_bias", np.int64, (OUTPUT_BUCKETS,)),
            ("output_scale", np.int64),
            ("filler", np.uint8, (LINE - 8,)),
            *(king_bucket_fields if king_buckets else []),
            ("input_bias", np.int16, (hidden,)),
            ("output_weights", np.int16, (OUTPUT_BUCKETS, 2 * hidden)),
            ("input_weights", np.int16, (max(1, king_buckets) * features.count, hidden)),
        ],
        align=True,
    )


def worker_fields(shape: Shape, plies: int) -> list[tuple[Any, ...]]:
    """The first fields of a worker that evaluates by a network of this shape.

    By ply: `sums` of White's view, then of Black's, and whether they are `fresh`. `changes` are rows, by
    perspective: those to add, then those to subtract. `network` is the address of its record. The field that
    is named like the features carries them to the compiler and holds nothing, as does `hand_buckets`.

    With king buckets, `king_buckets` are those of the kings by ply. Behind the plies are the sums that each
    king bucket had last, where by perspective and king bucket `known` says so; `king_bucket_positions` of the
    worker are the positions that they belong to.

    They come first: Numba takes a record that begins with all fields of another for the same type, and would
    run the other's code."""
    features, hidden, king_buckets, by_hands = shape
    king_bucket_fields = [("king_buckets", np.uint8, (plies, 2)), ("known", np.uint8, (2, king_buckets))]
    return [
        ("sums", np.int16, (plies + king_buckets, 2, hidden)),
        ("fresh", np.uint8, (plies,)),
        ("changes", np.int32, (2, 2, features.most)),
        *([("hand_buckets", np.uint8)] if by_hands else []),
        *(king_bucket_fields if king_buckets else []),
        ("network", np.uint64),
        (features.name, np.uint8),
    ]


def aligned_record(dtype: np.dtype[Any]) -> Any:
    """A record of zeros that is aligned to cache lines."""
    memory = np.zeros(dtype.itemsize + LINE, np.uint8)
    start = -memory.ctypes.data % LINE
    return memory[start : start + dtype.itemsize].view(dtype)[0]


def _shape_of(worker: Any) -> Shape:
    hidden = worker.typeof("sums").shape[-1]
    king_buckets = worker.typeof("known").shape[-1] if "known" in worker.fields else 0
    return Shape(facts_of_type(worker, "features"), hidden, king_buckets)


@intrinsic
def network_of(typingctx, worker):
    """The record of the worker's network."""
    network = from_dtype(network_dtype(*_shape_of(worker)[:3]))
    place = worker.offset("network")

    def generate(context, builder, sig, args):
        at = cgutils.get_record_member(builder, args[0], place, _LONG)
        return builder.inttoptr(builder.load(at), context.get_value_type(network))

    return network(worker), generate


def _shorts(builder, record, offset, index, lanes):
    """A pointer to `lanes` int16 from element `index` on, which may be a number, of a record's array."""
    base = cgutils.get_record_member(builder, record, offset, _SHORT)
    at = builder.gep(base, [index if isinstance(index, ir.Value) else _LONG(index)])
    return builder.bitcast(at, ir.VectorType(_SHORT, lanes).as_pointer())


def _chunks(hidden: int) -> list[tuple[int, int]]:
    """(first, number) of the lanes that are processed at once."""
    return [(first, min(LANES, hidden - first)) for first in range(0, hidden, LANES)]


def _updated_view(
    builder: Any, worker: Any, network: Any, args: Any, perspective: Any, first_row: Any
) -> None:
    """Code that makes the sums of one perspective at a ply those at `source`, or the bias where that is below
    0, with rows of the worker's `changes` more and less; `args` are (worker, network, target, source, added,
    removed). The rows are counted from row `first_row`."""
    hidden, most = _shape_of(worker).hidden, worker.typeof("changes").shape[-1]
    record, numbers, target, source, *counts = args
    rows = cgutils.get_record_member(builder, record, worker.offset("changes"), _INT)
    bias, weights = network.offset("input_bias"), network.offset("input_weights")
    is_known = builder.icmp_signed(">=", source, _LONG(0))
    list_start = builder.mul(perspective, _LONG(2 * most))
    for first, lanes in _chunks(hidden):

        def place(ply, first=first, lanes=lanes):
            view = builder.add(builder.mul(ply, _LONG(2)), perspective)
            at = builder.add(builder.mul(view, _LONG(hidden)), _LONG(first))
            return _shorts(builder, record, worker.offset("sums"), at, lanes)

        begin = builder.select(is_known, place(source), _shorts(builder, numbers, bias, first, lanes))
        total = cgutils.alloca_once(builder, ir.VectorType(_SHORT, lanes))
        builder.store(builder.load(begin, align=2), total)
        for operation, count, start in ((builder.add, counts[0], 0), (builder.sub, counts[1], most)):
            with cgutils.for_range(builder, count, intp=_LONG) as loop:
                number = builder.add(builder.add(loop.index, list_start), _LONG(start))
                row = builder.sext(builder.load(builder.gep(rows, [number])), _LONG)
                row = builder.mul(builder.add(row, first_row), _LONG(hidden))
                row = builder.add(row, _LONG(first))
                row = builder.load(_shorts(builder, numbers, weights, row, lanes), align=2)
                builder.store(operation(builder.load(total), row), total)
        builder.store(builder.load(total), place(target), align=2)


@intrinsic
def update_sums(typingctx, worker, network, target, source, added, removed):
    """Makes the sums at ply `target` those at `source`, or the bias where that is below 0, with `added` rows
    of the worker's `changes` more and `removed` less."""

    def generate(context, builder, sig, args):
        for perspective in (0, 1):
            _updated_view(builder, worker, network, args, _LONG(perspective), _LONG(0))
        return context.get_dummy_value()

    return types.void(worker, network, *[types.int64] * 4), generate


@intrinsic
def update_view(typingctx, worker, network, target, source, added, removed, perspective, first):
    """What `update_sums` does, for one perspective. The rows are counted from row `first`, where the king
    bucket of its king begins."""

    def generate(context, builder, sig, args):
        _updated_view(builder, worker, network, args[:6], *args[6:])
        return context.get_dummy_value()

    return types.void(worker, network, *[types.int64] * 6), generate


def _activation(builder, value):
    """The values of a vector within 0 and QA."""
    low, high = (ir.Constant(value.type, [bound] * value.type.count) for bound in (0, QA))
    value = builder.select(builder.icmp_signed(">", value, low), value, low)
    return builder.select(builder.icmp_signed("<", value, high), value, high)


def _product(builder, value, weight):
    """value x weight x value, pairs of lanes added up: a vector of int32. LLVM makes `vpmaddwd` of it."""
    half = value.type.count // 2
    wide = ir.VectorType(_INT, value.type.count)
    once = builder.sext(builder.mul(value, weight), wide)
    twice = builder.mul(once, builder.sext(value, wide))
    parts = [
        builder.shuffle_vector(
            twice,
            ir.Constant(wide, ir.Undefined),
            ir.Constant(ir.VectorType(_INT, half), list(range(parity, 2 * half, 2))),
        )
        for parity in (0, 1)
    ]
    return builder.add(*parts)


@intrinsic
def output_sum(typingctx, worker, network, ply, side, bucket):
    """The output layer over the activations at a ply, the view of `side` first: QA x QA x QB for 1.0.

    An int64. 32 bits hold what is added up in one lane: 2 x `hidden` / 16 products of at most 127 QA QA."""
    hidden = _shape_of(worker).hidden
    sums, weights = worker.offset("sums"), network.offset("output_weights")

    def generate(context, builder, sig, args):
        record, numbers, ply, side, bucket = args
        totals = {}
        for half in (0, 1):
            view = side if half == 0 else builder.sub(_LONG(1), side)
            row = builder.add(builder.mul(ply, _LONG(2)), view)
            row = builder.mul(row, _LONG(hidden))
            start = builder.add(builder.mul(bucket, _LONG(2 * hidden)), _LONG(half * hidden))
            for first in range(0, hidden, OUTPUT_LANES):
                lanes = min(OUTPUT_LANES, hidden - first)
                at, wat = (builder.add(number, _LONG(first)) for number in (row, start))
                value = builder.load(_shorts(builder, record, sums, at, lanes), align=2)
                weight = builder.load(_shorts(builder, numbers, weights, wat, lanes), align=2)
                product = _product(builder, _activation(builder, value), weight)
                totals[lanes] = builder.add(totals[lanes], product) if lanes in totals else product
        return _total(builder, list(totals.values()))

    return types.int64(worker, network, types.int64, types.int64, types.int64), generate


def _total(builder, vectors):
    """All lanes of int32 vectors added up, as an int64."""
    total = _LONG(0)
    for vector in vectors:
        wide = ir.VectorType(_LONG, vector.type.count)
        name = f"llvm.vector.reduce.add.v{wide.count}i64"
        reduce = cgutils.get_or_insert_function(builder.module, ir.FunctionType(_LONG, [wide]), name)
        total = builder.add(total, builder.call(reduce, [builder.sext(vector, wide)]))
    return total


@intrinsic(prefer_literal=True)
def differing(typingctx, one, other, name):
    """Which elements differ in the array of uint8 `name` of two records of one type, as a bitboard that has
    room for them."""
    if not (isinstance(one, types.Record) and one == other):
        return None
    array = one.typeof(name.literal_value)
    size, offset = array.nitems, one.offset(name.literal_value)
    board = BitboardType(next(width for width in (64, 128, 256) if size <= width))

    def generate(context, builder, sig, args):
        wide, found, start = ir.IntType(board.width), None, 0
        for length in (1 << power for power in range(6, -1, -1)):
            while size - start >= length:
                vector = ir.VectorType(_BYTE, length)
                words = [
                    builder.load(
                        builder.bitcast(
                            cgutils.get_record_member(builder, record, offset + start, _BYTE),
                            vector.as_pointer(),
                        ),
                        align=1,
                    )
                    for record in args[:2]
                ]
                bits = builder.bitcast(builder.icmp_unsigned("!=", *words), ir.IntType(length))
                bits = builder.shl(builder.zext(bits, wide), wide(start)) if length < board.width else bits
                found = bits if found is None else builder.or_(found, bits)
                start += length
        return found

    return board(one, other, name), generate
