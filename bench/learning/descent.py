"""One step of training a network, in compiled code: what a batch says of the weights, and Adam's answer.

The network is that of `eval.network` in float32: an accumulator is clipped at 1.0, the output is a logit. All
weights are one vector (`Weights` are views of it), so that gradients, moments and checkpoints are vectors,
too. Outputs are summed in LANES parts: the compiler may not reorder a sum, but it widens independent ones."""

from typing import NamedTuple

import numpy as np

from ...engine.kernel.compiler import entry_point, inner
from ...eval.network.file import BUCKETS, LANES, MAX_OUTPUT_WEIGHT, QB

BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8  # of Adam
MAX_INPUT = 2.0  # of an input weight or bias
MAX_OUTPUT = MAX_OUTPUT_WEIGHT / QB
UNLIMITED = 1e9


class Weights(NamedTuple):
    """Views of one vector of float32: `inputs` by feature and neuron, their `bias`, `outputs` by bucket and
    neuron (the mover's first) and their `output_bias`."""

    inputs: np.ndarray
    bias: np.ndarray
    outputs: np.ndarray
    output_bias: np.ndarray

    @classmethod
    def of(cls, vector, count, hidden):
        """The views of a vector of the weights of so many features and neurons."""
        ends = np.cumsum([count * hidden, hidden, BUCKETS * 2 * hidden])
        inputs, bias, outputs, output_bias = np.split(vector, ends)
        return cls(inputs.reshape(count, hidden), bias, outputs.reshape(BUCKETS, -1), output_bias)


class Views(NamedTuple):
    """Features by feature: as the mover's enemy sees it (`other`), and `mirrored`."""

    other: np.ndarray
    mirrored: np.ndarray


def size_of(count, hidden):
    """The length of the vector of all weights."""
    return count * hidden + hidden + BUCKETS * 2 * hidden + BUCKETS


def limits_of(count, hidden):
    """How large each weight may be, as a vector: what the quantised network holds."""
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
def _look(samples, views, index, salt, features):
    """Writes what both sides see of a position to the rows of `features`; returns how many each sees."""
    start = samples.starts[index]
    count = samples.starts[index + 1] - start
    turned = salt != 0 and samples.mirrors[index] != 0 and _is_mirrored(index, salt)
    for place in range(count):
        feature = np.uint64(samples.rows[start + place])
        if turned:
            feature = np.uint64(views.mirrored[feature])
        features[0, place] = feature
        features[1, place] = np.uint64(views.other[feature])
    return count


@inner
def _add_up(weights, features, perspective, count, sums):
    """Makes the accumulator of one side: its bias and the rows of its features, four at a time."""
    hidden = len(weights.bias)
    inputs = weights.inputs
    for j in range(hidden):
        sums[perspective, j] = weights.bias[j]
    place = 0
    while place + 4 <= count:
        a, b = features[perspective, place], features[perspective, place + 1]
        c, d = features[perspective, place + 2], features[perspective, place + 3]
        for j in range(hidden):
            sums[perspective, j] += (inputs[a, j] + inputs[b, j]) + (inputs[c, j] + inputs[d, j])
        place += 4
    while place < count:
        a = features[perspective, place]
        for j in range(hidden):
            sums[perspective, j] += inputs[a, j]
        place += 1


@inner
def _logit(weights, bucket, sums, partial):
    """The output of one bucket; `sums` become clipped accumulators."""
    hidden = len(weights.bias)
    for lane in range(LANES):
        partial[lane] = np.float32(0)
    for perspective in range(2):
        first = perspective * hidden
        for block in range(0, hidden, LANES):
            for lane in range(LANES):
                j = block + lane
                value = min(np.float32(1), max(np.float32(0), sums[perspective, j]))
                sums[perspective, j] = value
                partial[lane] += weights.outputs[bucket, first + j] * (value * value)
    total = weights.output_bias[bucket]
    for lane in range(LANES):
        total += partial[lane]
    return total


@inner
def _learn(weights, gradients, bucket, features, count, sums, slope):
    """Adds one position to the gradients, where `slope` is that of the error by the logit."""
    hidden = len(weights.bias)
    gradients.output_bias[bucket] += slope
    for perspective in range(2):
        first = perspective * hidden
        for j in range(hidden):
            value = sums[perspective, j]
            gradients.outputs[bucket, first + j] += slope * (value * value)
            inside = value > np.float32(0) and value < np.float32(1)
            back = np.float32(2) * slope * weights.outputs[bucket, first + j] * value
            sums[perspective, j] = back if inside else np.float32(0)
            gradients.bias[j] += sums[perspective, j]
    for place in range(count):
        own, enemy = features[0, place], features[1, place]
        for j in range(hidden):
            gradients.inputs[own, j] += sums[0, j]
        for j in range(hidden):
            gradients.inputs[enemy, j] += sums[1, j]


@entry_point
def add_gradients(samples, views, order, weights, gradients, power, salt):
    """Adds the gradient of the errors |p - target| ** power of the samples that `order` names; returns the
    sum of the errors. Mirrored by chance where `salt` is not 0."""
    features = np.empty((2, len(weights.inputs)), np.uint64)
    sums, partial = np.empty((2, len(weights.bias)), np.float32), np.empty(LANES, np.float32)
    total = 0.0
    for number in range(len(order)):
        index = np.int64(order[number])
        bucket = np.int64(samples.buckets[index])
        count = _look(samples, views, index, salt, features)
        _add_up(weights, features, 0, count, sums)
        _add_up(weights, features, 1, count, sums)
        chance = 1.0 / (1.0 + np.exp(-np.float64(_logit(weights, bucket, sums, partial))))
        miss = chance - np.float64(samples.targets[index])
        steep = abs(miss) ** (power - 1.0)
        total += steep * abs(miss)
        slope = power * steep * chance * (1.0 - chance)
        _learn(weights, gradients, bucket, features, count, sums, np.float32(slope if miss > 0 else -slope))
    return total


@entry_point
def write_logits(samples, views, order, weights, logits):
    """Writes what the network says of the samples that `order` names to `logits`."""
    features = np.empty((2, len(weights.inputs)), np.uint64)
    sums, partial = np.empty((2, len(weights.bias)), np.float32), np.empty(LANES, np.float32)
    for number in range(len(order)):
        index = np.int64(order[number])
        count = _look(samples, views, index, np.int64(0), features)
        _add_up(weights, features, 0, count, sums)
        _add_up(weights, features, 1, count, sums)
        logits[number] = _logit(weights, np.int64(samples.buckets[index]), sums, partial)


@entry_point
def adam(vector, limits, gradients, means, squares, first, behind, share, rate, step):
    """Moves the weights from `first` to before `behind` against the sum of `gradients` (a row for each
    thread, left as zeros), of which `share` makes a mean; `step` counts from 1."""
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
        moved = vector[j] - scale * means[j] / (np.sqrt(squares[j] * correction) + epsilon)
        vector[j] = min(limits[j], max(-limits[j], moved))
