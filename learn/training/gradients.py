"""One step of training a network, in compiled code: the gradients of a batch, and Adam's step.

The network is that of `eval.network` in float32: an accumulator is clipped at 1.0, the output is a logit. All
weights are one vector (`Weights` are views of it), so gradients, moments and checkpoints are vectors, too.
Outputs are summed in LANES parts: the compiler may not reorder a sum, but it widens independent ones."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...engine.kernel.compiler import entry_point, inner
from ...eval.network.file import BUCKETS, LANES, MAX_OUTPUT_WEIGHT, QB

if TYPE_CHECKING:
    import numpy.typing as npt

BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8  # of Adam
MAX_INPUT = 2.0  # of an input weight or bias
MAX_OUTPUT = MAX_OUTPUT_WEIGHT / QB
UNLIMITED = 1e9
CHUNK = 128  # samples whose accumulators stay in the second-level cache


class Weights(NamedTuple):
    """Views of one vector of float32: `inputs` by feature and neuron, their `bias`, `outputs` by bucket and
    neuron (the mover's first) and their `output_bias`."""

    inputs: np.ndarray
    bias: np.ndarray
    outputs: np.ndarray
    output_bias: np.ndarray

    @classmethod
    def of(cls, vector: "npt.NDArray[np.float32]", count: int, hidden: int) -> "Weights":
        """The views of a vector of the weights of `count` features and `hidden` neurons."""
        ends = np.cumsum([count * hidden, hidden, BUCKETS * 2 * hidden])
        inputs, bias, outputs, output_bias = np.split(vector, ends)
        return cls(inputs.reshape(count, hidden), bias, outputs.reshape(BUCKETS, -1), output_bias)


class Views(NamedTuple):
    """Features by feature: as the mover's enemy sees it (`other`), and `mirrored`. `zones` are those of the
    own king by square (uint8), and in a second row those of the mirrored square."""

    other: np.ndarray
    mirrored: np.ndarray
    zones: np.ndarray


def size_of(count: int, hidden: int) -> int:
    """The length of the vector of all weights."""
    return count * hidden + hidden + BUCKETS * 2 * hidden + BUCKETS


def limits_of(count: int, hidden: int) -> "npt.NDArray[np.float32]":
    """How large each weight may be, as a vector: the most that the quantised network holds."""
    vector = np.full(size_of(count, hidden), MAX_INPUT, np.float32)
    limits = Weights.of(vector, count, hidden)
    limits.outputs[:], limits.output_bias[:] = MAX_OUTPUT, UNLIMITED
    return vector


@inner
def _is_mirrored(index, salt):
    """Whether a position is mirrored in the epoch of that salt: a bit of a hash (splitmix64)."""
    bits = np.uint64(index) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(salt)
    bits = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (bits >> np.uint64(63)) != 0


@inner
def _fetch(samples, indices):
    """Touches the samples before they are read, so that cache misses overlap instead of following each other.
    Returns how many features they have in all, for either side."""
    total, touched = np.int64(0), np.int64(0)
    for number in range(len(indices)):
        index = np.int64(indices[number])
        total += samples.starts[index + 1] - samples.starts[index]
        touched += np.int64(samples.buckets[index]) + np.int64(samples.mirrors[index])
        touched += np.int64(samples.targets[index]) + np.int64(samples.kings[index, 0])
    for number in range(len(indices)):
        index = np.int64(indices[number])
        touched += np.int64(samples.rows[samples.starts[index]])
        touched += np.int64(samples.rows[samples.starts[index + 1] - 1])
    return total + min(np.int64(0), touched)


@inner
def _look(samples, views, indices, salt, seen, ends):
    """Writes what both sides see of samples to `seen`: the mover's features of the first, its enemy's, those
    of the second, each as an input of the zone of the own king. `ends` gets the place behind each list."""
    place, count_of_zone = np.int64(0), len(views.other)
    for number in range(len(indices)):
        index = np.int64(indices[number])
        start = samples.starts[index]
        count = samples.starts[index + 1] - start
        turned = salt != 0 and samples.mirrors[index] != 0 and _is_mirrored(index, salt)
        row = np.int64(turned)
        own = count_of_zone * np.int64(views.zones[row, np.int64(samples.kings[index, 0])])
        other = count_of_zone * np.int64(views.zones[row, np.int64(samples.kings[index, 1])])
        for offset in range(count):
            feature = np.int64(samples.rows[start + offset])
            if turned:
                feature = np.int64(views.mirrored[feature])
            seen[place + offset] = own + feature
            seen[place + count + offset] = other + np.int64(views.other[feature])
        ends[2 * number] = place + count
        ends[2 * number + 1] = place + 2 * count
        place += 2 * count


@inner
def _add_up(weights, seen, place, behind, sums, row):
    """Makes an accumulator in a row of `sums`: the bias and the rows of features, four at a time."""
    hidden = len(weights.bias)
    inputs = weights.inputs
    for j in range(hidden):
        sums[row, j] = weights.bias[j]
    while place + 4 <= behind:
        a, b = np.uint64(seen[place]), np.uint64(seen[place + 1])
        c, d = np.uint64(seen[place + 2]), np.uint64(seen[place + 3])
        for j in range(hidden):
            sums[row, j] += (inputs[a, j] + inputs[b, j]) + (inputs[c, j] + inputs[d, j])
        place += 4
    while place < behind:
        a = np.uint64(seen[place])
        for j in range(hidden):
            sums[row, j] += inputs[a, j]
        place += 1


@inner
def _logit(weights, bucket, sums, row, partial):
    """The output of one bucket for the accumulators in two rows, the mover's first; clips them."""
    hidden = len(weights.bias)
    for lane in range(LANES):
        partial[lane] = np.float32(0)
    for side in range(2):
        first = side * hidden
        for block in range(0, hidden, LANES):
            for lane in range(LANES):
                j = block + lane
                value = min(np.float32(1), max(np.float32(0), sums[row + side, j]))
                sums[row + side, j] = value
                partial[lane] += weights.outputs[bucket, first + j] * (value * value)
    total = weights.output_bias[bucket]
    for lane in range(LANES):
        total += partial[lane]
    return total


@inner
def _forward(samples, views, weights, indices, salt, seen, ends, sums, partial, logits):
    """Writes the logits of samples, their features to `seen` and their clipped accumulators to `sums`, two
    rows each."""
    _look(samples, views, indices, salt, seen, ends)
    place = np.int64(0)
    for number in range(len(indices)):
        bucket = np.int64(samples.buckets[np.int64(indices[number])])
        for row in range(2 * number, 2 * number + 2):
            _add_up(weights, seen, place, ends[row], sums, row)
            place = ends[row]
        logits[number] = _logit(weights, bucket, sums, 2 * number, partial)


@inner
def _output_gradients(weights, gradients, bucket, sums, row, slope):
    """Adds one sample's gradients of outputs and biases, where `slope` is that of the error by the logit; its
    two rows of `sums` become the slopes by the accumulators."""
    hidden = len(weights.bias)
    gradients.output_bias[bucket] += slope
    for side in range(2):
        first = side * hidden
        for j in range(hidden):
            value = sums[row + side, j]
            gradients.outputs[bucket, first + j] += slope * (value * value)
            inside = value > np.float32(0) and value < np.float32(1)
            back = np.float32(2) * slope * weights.outputs[bucket, first + j] * value
            back = back if inside else np.float32(0)
            sums[row + side, j] = back
            gradients.bias[j] += back


@inner
def _by_feature(seen, ends, count, firsts, rows):
    """Sorts the rows of `sums` by the features that they hold: those of feature f are
    `rows[firsts[f]:firsts[f + 1]]`."""
    firsts[:] = 0
    for place in range(ends[2 * count - 1]):
        firsts[np.int64(seen[place]) + 2] += 1
    for feature in range(2, len(firsts)):
        firsts[feature] += firsts[feature - 1]
    place = np.int64(0)
    for row in range(2 * count):
        while place < ends[row]:
            behind = np.int64(seen[place]) + 1
            rows[firsts[behind]] = row
            firsts[behind] += 1
            place += 1


@inner
def _input_gradients(gradients, sums, firsts, rows):
    """Adds the rows of `sums` to the features that they hold, feature after feature: each row of gradients is
    loaded and stored once for four."""
    hidden = sums.shape[1]
    inputs = gradients.inputs
    for feature in range(len(inputs)):
        place, behind = firsts[feature], firsts[feature + 1]
        while place + 4 <= behind:
            a, b = np.uint64(rows[place]), np.uint64(rows[place + 1])
            c, d = np.uint64(rows[place + 2]), np.uint64(rows[place + 3])
            for j in range(hidden):
                inputs[feature, j] += (sums[a, j] + sums[b, j]) + (sums[c, j] + sums[d, j])
            place += 4
        while place < behind:
            a = np.uint64(rows[place])
            for j in range(hidden):
                inputs[feature, j] += sums[a, j]
            place += 1


@entry_point
def add_gradients(samples, views, order, weights, gradients, power, salt):
    """Adds the gradient of the errors |p - target| ** power of the samples that `order` names; returns the
    sum of the errors. Mirrored by chance where `salt` is not 0."""
    sums, partial = np.empty((2 * CHUNK, len(weights.bias)), np.float32), np.empty(LANES, np.float32)
    ends, logits = np.empty(2 * CHUNK, np.int64), np.empty(CHUNK, np.float32)
    firsts = np.empty(len(weights.inputs) + 2, np.int64)
    error = 0.0
    for first in range(0, len(order), CHUNK):
        indices = order[first : first + CHUNK]
        total = 2 * _fetch(samples, indices)
        seen, rows = np.empty(total, np.uint16), np.empty(total, np.uint16)
        _forward(samples, views, weights, indices, salt, seen, ends, sums, partial, logits)
        for number in range(len(indices)):
            index = np.int64(indices[number])
            chance = 1.0 / (1.0 + np.exp(-np.float64(logits[number])))
            miss = chance - np.float64(samples.targets[index])
            steep = abs(miss) ** (power - 1.0)
            error += steep * abs(miss)
            slope = power * steep * chance * (1.0 - chance)
            slope = np.float32(slope if miss > 0 else -slope)
            bucket = np.int64(samples.buckets[index])
            _output_gradients(weights, gradients, bucket, sums, 2 * number, slope)
        _by_feature(seen, ends, len(indices), firsts, rows)
        _input_gradients(gradients, sums, firsts, rows)
    return error


@entry_point
def write_logits(samples, views, order, weights, logits):
    """Writes the network's outputs for the samples that `order` names to `logits`."""
    sums, partial = np.empty((2 * CHUNK, len(weights.bias)), np.float32), np.empty(LANES, np.float32)
    ends = np.empty(2 * CHUNK, np.int64)
    for first in range(0, len(order), CHUNK):
        indices = order[first : first + CHUNK]
        seen = np.empty(2 * _fetch(samples, indices), np.uint16)
        part = logits[first : first + CHUNK]
        _forward(samples, views, weights, indices, np.int64(0), seen, ends, sums, partial, part)


@entry_point
def adam(vector, limits, gradients, means, squares, first, behind, share, rate, decay, step):
    """Moves the weights from `first` to before `behind` against the sum of `gradients` (a row for each
    thread, left as zeros), of which `share` makes a mean, and by `rate` x `decay` of themselves towards 0;
    `step` counts from 1.

    The decay is apart from the gradients: I. Loshchilov and F. Hutter, "Decoupled Weight Decay
    Regularization", 2019."""
    keep = np.float32(1 - rate * decay)
    share, rest1, rest2 = np.float32(share), np.float32(1 - BETA1), np.float32(1 - BETA2)
    scale = np.float32(rate / (1 - BETA1**step))
    correction = np.float32(1 / (1 - BETA2**step))
    epsilon = np.float32(EPSILON)
    for row in range(1, len(gradients)):
        for j in range(first, behind):
            gradients[0, j] += gradients[row, j]
            gradients[row, j] = np.float32(0)
    for j in range(first, behind):
        slope = gradients[0, j] * share
        gradients[0, j] = np.float32(0)
        means[j] += rest1 * (slope - means[j])
        squares[j] += rest2 * (slope * slope - squares[j])
        moved = keep * vector[j] - scale * means[j] / (np.sqrt(squares[j] * correction) + epsilon)
        vector[j] = min(limits[j], max(-limits[j], moved))
