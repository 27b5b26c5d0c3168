"""The gradients of a batch of positions, in compiled code.

The network is that of `eval.network` in float32: the accumulator is clipped at 1.0, the output is a logit.
All weights are one vector, so gradients, averages and checkpoints are vectors too. The input weights are in
blocks of neurons (`lanes`); `Rows` are views of a vector that has them by input and neuron, as files do.

A batch takes two passes. `look` lists the inputs of each side and marks the touched ones; `add_gradients`
sums their weights, compares the outputs with the targets, and propagates back. Between the passes only the
touched weights must be updated (`adam`)."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ...engine.kernel.compiler import entry_point, inner
from ...eval.network.file import LANES, MAX_OUTPUT_WEIGHT, OUTPUT_BUCKETS, QB
from ..self_play.array_types import Floats
from .lanes import add_rows, aligned_zeros, block_width, clip_and_multiply, go_back_lanes

MAX_INPUT = 2.0  # of an input weight or bias
MAX_OUTPUT = MAX_OUTPUT_WEIGHT / QB
UNLIMITED = 1e9
FETCHED = 128  # samples that are prefetched
INPUTS_A_SAMPLE = 8  # inputs per sample of a chunk; each input's gradient is loaded once per chunk
LEAST_CHUNK, MOST_CHUNK = 256, 4096  # samples


class Rows(NamedTuple):
    """Views of one vector of float32: `inputs` by feature and neuron, their `bias`, `outputs` by bucket and
    neuron (the mover's first) and their `output_bias`."""

    inputs: np.ndarray
    bias: np.ndarray
    outputs: np.ndarray
    output_bias: np.ndarray

    @classmethod
    def of(cls, vector: Floats, count: int, hidden: int) -> "Rows":
        """The views of a vector of the weights of `count` features and `hidden` neurons."""
        ends = np.cumsum([count * hidden, hidden, OUTPUT_BUCKETS * 2 * hidden])
        inputs, bias, outputs, output_bias = np.split(vector, ends)
        return cls(inputs.reshape(count, hidden), bias, outputs.reshape(OUTPUT_BUCKETS, -1), output_bias)


class Blocks(NamedTuple):
    """Views of one vector as a training keeps it: `inputs` by block, feature and neuron of the block, the
    others as in `Rows`."""

    inputs: np.ndarray
    bias: np.ndarray
    outputs: np.ndarray
    output_bias: np.ndarray

    @classmethod
    def of(cls, vector: Floats, count: int, hidden: int) -> "Blocks":
        """The views of a vector of the weights of `count` features and `hidden` neurons."""
        inputs, *others = Rows.of(vector, count, hidden)
        return cls(inputs.reshape(-1, count, block_width(hidden)), *others)


def in_blocks(rows: Floats, hidden: int) -> Floats:
    """Rows of `hidden` numbers as blocks: block x row x neuron."""
    width = block_width(hidden)
    found: Floats = rows.reshape(-1, hidden // width, width).transpose(1, 0, 2)
    return found


def blocks_of(vector: Floats, count: int, hidden: int) -> Floats:
    """A vector in blocks from a vector by rows."""
    found = aligned_zeros(len(vector))
    inputs = count * hidden
    found[:inputs].reshape(-1, count, block_width(hidden))[:] = in_blocks(vector[:inputs], hidden)
    found[inputs:] = vector[inputs:]
    return found


def rows_of(vector: Floats, count: int, hidden: int) -> Floats:
    """A vector by rows from a vector in blocks."""
    found, inputs = vector.copy(), count * hidden
    blocks = Blocks.of(vector, count, hidden).inputs
    found[:inputs].reshape(count, *blocks.shape[::2])[:] = blocks.transpose(1, 0, 2)
    return found


class Views(NamedTuple):
    """The features that both sides see in a position, normal (row 0) and mirrored (row 1). By row and feature
    of the mover: the feature for the mover (`own`) and for the enemy (`other`), both uint16. By row and
    square: the king bucket of the own king (`king_buckets`, uint8)."""

    own: np.ndarray
    other: np.ndarray
    king_buckets: np.ndarray

    @classmethod
    def of(
        cls,
        other: npt.NDArray[np.uint16],
        mirrored: npt.NDArray[np.uint16],
        king_buckets: npt.NDArray[np.uint8],
    ) -> "Views":
        """The views from the features that the enemy sees and the mirrored features."""
        plain = np.arange(len(other), dtype=np.uint16)
        return cls(np.stack([plain, mirrored]), np.stack([other, other[mirrored]]), king_buckets)


def size_of(count: int, hidden: int) -> int:
    """The length of the vector of all weights."""
    return count * hidden + hidden + OUTPUT_BUCKETS * 2 * hidden + OUTPUT_BUCKETS


def output_limits(hidden: int) -> Floats:
    """The largest value of each weight after the input weights, as a vector: the limits of the quantised
    network."""
    vector = np.full(size_of(0, hidden), MAX_INPUT, np.float32)
    limits = Rows.of(vector, 0, hidden)
    limits.outputs[:], limits.output_bias[:] = MAX_OUTPUT, UNLIMITED
    return vector


@inner
def _is_mirrored(index, salt):
    """Whether a position is mirrored in the pass with that salt: a bit of a hash (splitmix64)."""
    bits = np.uint64(index) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(salt)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (bits >> np.uint64(63)) != 0


@inner
def _fetch(samples, indices):
    """Prefetches the samples, so that cache misses overlap. The caller must use the returned number."""
    touched = np.int64(0)
    for number in range(len(indices)):
        index = np.int64(indices[number])
        touched += np.int64(samples.output_buckets[index]) + np.int64(samples.mirrors[index])
        touched += np.int64(samples.targets[index]) + np.int64(samples.kings[index, 0])
        touched += np.int64(samples.results[index])
    for number in range(len(indices)):
        index = np.int64(indices[number])
        touched += np.int64(samples.rows[samples.starts[index]])
        touched += np.int64(samples.rows[samples.starts[index + 1] - 1])
    return touched


@inner
def _look_at(samples, views, index, salt, seen, ends, place, number):
    """Writes the features that both sides see in one sample to `seen` from `place` on: the mover's, then the
    enemy's, each as an input of the own king's bucket. Returns the next place."""
    start, width = samples.starts[index], views.own.shape[1]
    count = samples.starts[index + 1] - start
    turned = salt != 0 and samples.mirrors[index] != 0 and _is_mirrored(index, salt)
    row = np.int64(turned)
    own = np.uint16(width * np.int64(views.king_buckets[row, np.int64(samples.kings[index, 0])]))
    other = np.uint16(width * np.int64(views.king_buckets[row, np.int64(samples.kings[index, 1])]))
    owns, others = views.own[row], views.other[row]
    mine, theirs = seen[place : place + count], seen[place + count : place + 2 * count]
    for offset in range(count):
        feature = np.uint64(samples.rows[np.uint64(start + offset)])
        mine[np.uint64(offset)] = own + owns[feature]
        theirs[np.uint64(offset)] = other + others[feature]
    ends[2 * number] = place + count
    ends[2 * number + 1] = place + 2 * count
    return place + 2 * count


@entry_point
def look(samples, views, order, salt, ends, touched):
    """Lists the inputs of both sides for the samples in `order`, one list after the other (uint16); `ends`
    gets the end of each list, two per sample. Sets the elements of `touched` (uint8, by input) that occur.
    Samples are randomly mirrored if `salt` is not 0."""
    total = np.int64(0)
    for number in range(len(order)):
        index = np.int64(order[number])
        total += samples.starts[index + 1] - samples.starts[index]
    seen = np.empty(2 * total, np.uint16)
    place = np.int64(0)
    for first in range(0, len(order), FETCHED):
        behind = min(first + FETCHED, len(order))
        place += min(np.int64(0), _fetch(samples, order[first:behind]) + (1 << 40))
        for number in range(first, behind):
            index = np.int64(order[number])
            place = _look_at(samples, views, index, salt, seen, ends, place, number)
    for place in range(len(seen)):
        touched[np.uint64(seen[np.uint64(place)])] = 1
    return seen


@inner
def _sum_up(weights, seen, ends, first, count, sums):
    """Computes the accumulators of `count` lists from number `first` on, by block: the bias plus the rows of
    the inputs."""
    width = weights.inputs.shape[2]
    for block in range(len(weights.inputs)):
        table, target = weights.inputs[block].ctypes.data, sums[block].ctypes.data
        place = ends[first - 1] if first else np.int64(0)
        for row in range(count):
            behind = ends[first + row]
            for j in range(width):
                sums[block, row, j] = weights.bias[block * width + j]
            add_rows(width, target + 4 * row * width, table, seen.ctypes.data + 2 * place, behind - place)
            place = behind


@inner
def _logit(weights, bucket, sums, row, partial):
    """The output of one bucket for the accumulators in two rows, the mover's first; clips them."""
    width = sums.shape[2]
    outputs = weights.outputs[bucket].ctypes.data
    for lane in range(LANES):
        partial[lane] = np.float32(0)
    for side in range(2):
        for block in range(len(sums)):
            clip_and_multiply(width, partial.ctypes.data, sums[block, row + side].ctypes.data, outputs)
            outputs += 4 * width
    total = weights.output_bias[bucket]
    for lane in range(LANES):
        total += partial[lane]
    return total


@inner
def _output_gradients(weights, gradients, bucket, sums, row, slope):
    """Adds one sample's gradients of outputs and biases; `slope` is the derivative of the error by the logit.
    Its two rows of `sums` become the derivatives by the accumulators."""
    width = sums.shape[2]
    gradients.output_bias[bucket] += slope
    outputs = weights.outputs[bucket].ctypes.data
    slopes = gradients.outputs[bucket].ctypes.data
    for side in range(2):
        biases = gradients.bias.ctypes.data
        for block in range(len(sums)):
            values = sums[block, row + side].ctypes.data
            for place in range(0, 4 * width, 4 * LANES):
                go_back_lanes(values + place, outputs + place, slopes + place, biases + place, slope)
            outputs, slopes, biases = outputs + 4 * width, slopes + 4 * width, biases + 4 * width


@inner
def _by_input(seen, ends, first, count, firsts, rows):
    """Sorts the rows of `sums` by their inputs: those of input i are `rows[firsts[i]:firsts[i + 1]]`."""
    firsts[:] = 0
    begin = ends[first - 1] if first else np.int64(0)
    for place in range(begin, ends[first + count - 1]):
        firsts[np.int64(seen[place]) + 2] += 1
    for index in range(2, len(firsts)):
        firsts[index] += firsts[index - 1]
    place = begin
    for row in range(count):
        while place < ends[first + row]:
            behind = np.int64(seen[place]) + 1
            rows[firsts[behind]] = row
            firsts[behind] += 1
            place += 1


@inner
def _input_gradients(gradients, sums, firsts, rows):
    """Adds the rows of `sums` to their inputs, one input at a time, so that each row of gradients is loaded
    and stored once."""
    width = sums.shape[2]
    for block in range(len(sums)):
        table, targets = sums[block].ctypes.data, gradients.inputs[block].ctypes.data
        for index in range(gradients.inputs.shape[1]):
            place, behind = firsts[index], firsts[index + 1]
            if place < behind:
                add_rows(
                    width, targets + 4 * index * width, table, rows.ctypes.data + 2 * place, behind - place
                )


@inner
def _target(samples, index, share):
    result = (np.float64(samples.results[index]) + 1.0) / 2.0
    return (1.0 - share) * np.float64(samples.targets[index]) + share * result


@inner
def _steep(miss, power):
    """`miss` ** (`power` - 1); a root, which is faster, is used where possible."""
    return miss * np.sqrt(miss) if power == 2.5 else miss ** (power - 1.0)


def chunk_of(inputs: int) -> int:
    """The number of samples of a chunk; it is larger with many inputs, because each chunk loads and stores
    the gradients of all its inputs."""
    return int(np.clip(inputs // INPUTS_A_SAMPLE, LEAST_CHUNK, MOST_CHUNK))


def room_for_sums(inputs: int, hidden: int) -> Floats:
    """The work array `sums` of `add_gradients` and `write_logits`."""
    width = block_width(hidden)
    return aligned_zeros(hidden // width, 2 * chunk_of(inputs), width)


@entry_point
def add_gradients(samples, order, seen, ends, weights, gradients, sums, power, share):
    """Adds the gradient of the errors |p - target| ** power of the samples in `order`; returns the sum of the
    errors. `seen` and `ends` come from `look`; a target has a `share` of the result."""
    chunk = sums.shape[1] // 2
    partial, logits = np.empty(LANES, np.float32), np.empty(chunk, np.float32)
    firsts = np.empty(weights.inputs.shape[1] + 2, np.int64)
    error = 0.0
    for first in range(0, len(order), chunk):
        count = min(chunk, len(order) - first)
        _sum_up(weights, seen, ends, 2 * first, 2 * count, sums)
        for number in range(count):
            bucket = np.int64(samples.output_buckets[np.int64(order[first + number])])
            logits[number] = _logit(weights, bucket, sums, 2 * number, partial)
        for number in range(count):
            index = np.int64(order[first + number])
            chance = 1.0 / (1.0 + np.exp(-np.float64(logits[number])))
            miss = chance - _target(samples, index, share)
            steep = _steep(abs(miss), power)
            error += steep * abs(miss)
            slope = power * steep * chance * (1.0 - chance)
            slope = np.float32(slope if miss > 0 else -slope)
            bucket = np.int64(samples.output_buckets[index])
            _output_gradients(weights, gradients, bucket, sums, 2 * number, slope)
        begin = ends[2 * first - 1] if first else np.int64(0)
        rows = np.empty(ends[2 * (first + count) - 1] - begin, np.uint16)
        _by_input(seen, ends, 2 * first, 2 * count, firsts, rows)
        _input_gradients(gradients, sums, firsts, rows)
    return error


@entry_point
def write_logits(samples, views, order, weights, sums, logits):
    """Writes the network's outputs for the samples in `order` to `logits`."""
    chunk = sums.shape[1] // 2
    partial, ends = np.empty(LANES, np.float32), np.empty(2 * chunk, np.int64)
    for first in range(0, len(order), chunk):
        count = min(chunk, len(order) - first)
        total = np.int64(0)
        for number in range(first, first + count):
            index = np.int64(order[number])
            total += samples.starts[index + 1] - samples.starts[index]
        seen = np.empty(2 * total, np.uint16)
        place = np.int64(0)
        for number in range(count):
            index = np.int64(order[first + number])
            place = _look_at(samples, views, index, np.int64(0), seen, ends, place, number)
        _sum_up(weights, seen, ends, np.int64(0), 2 * count, sums)
        for number in range(count):
            bucket = np.int64(samples.output_buckets[np.int64(order[first + number])])
            logits[first + number] = _logit(weights, bucket, sums, 2 * number, partial)
