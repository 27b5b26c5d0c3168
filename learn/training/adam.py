"""Adam over the weights of a network, in compiled code; the weights of rare inputs are updated lazily.

Adam moves every weight in every step, by the mean of its recent gradients. With king buckets, about half of
all inputs are in no position of a batch and have no gradient. Such a weight is left alone until its input
occurs again; `catch_up` then makes up for all steps in between at once. Without gradients the means fade by
known factors, so the movement along them and the decay are the same numbers for all weights of an input
(`_fade`).

The trained parameters of an input are its own row, that of its feature in any king bucket, and those of its
groups (`factoriser`); the network has their sum."""

from typing import NamedTuple

import numpy as np

from ...engine.kernel.compiler import entry_point, inner
from ...eval.network.file import LANES
from ..self_play.array_types import Doubles, Floats
from .gradients import MAX_INPUT, size_of
from .lanes import aligned_zeros, block_width, catch_up_lanes, move_lanes

BETA1, BETA2 = 0.9, 0.999
FADED = 100  # after so many steps a mean has faded to nothing
LEAST_KEPT = 1e-30  # of a weight by a decay that would take more than all of it


class Learnt(NamedTuple):
    """Views of one vector with all trained parameters, or with Adam's means of them: rows of the `inputs`, of
    `features` in any king bucket (none with a single king bucket) and of `groups`, by block, number and
    neuron; `rest` has the biases and outputs. The row of the last group stays 0."""

    inputs: np.ndarray
    rest: np.ndarray
    features: np.ndarray
    groups: np.ndarray

    @classmethod
    def of(cls, vector: Floats, hidden: int, counts: tuple[int, int, int]) -> "Learnt":
        """The views of a vector; `counts` are of inputs, features and groups."""
        inputs, features, groups = (count * hidden for count in counts)
        rest = size_of(0, hidden)
        ends = np.cumsum([inputs, rest, features])
        parts = np.split(vector, ends)
        assert len(parts[-1]) == groups
        width = block_width(hidden)
        shapes = [(hidden // width, count, width) for count in counts]
        return cls(
            parts[0].reshape(shapes[0]), parts[1], parts[2].reshape(shapes[1]), parts[3].reshape(shapes[2])
        )


class Schedule(NamedTuple):
    """By step, from 0 for no step: Adam's `rates` (float64), and the logarithm of the cumulative decay of a
    weight since the beginning, for `inputs` and for `features` in any king bucket (float64)."""

    rates: np.ndarray
    inputs: np.ndarray
    features: np.ndarray

    @classmethod
    def of(cls, rates: Doubles, inputs: float, features: float) -> "Schedule":
        """The schedule for the rates of all steps; the decays are multiples of the rate."""
        rates = np.concatenate([[0.0], rates])
        kept = (np.maximum(1 - rates * decay, LEAST_KEPT) for decay in (inputs, features))
        return cls(rates, *(np.cumsum(np.log(each)) for each in kept))


def learnt_size(hidden: int, counts: tuple[int, int, int]) -> int:
    """The length of the vector of all trained parameters."""
    return sum(counts) * hidden + size_of(0, hidden)


def learnt_limits(hidden: int, groups: int) -> Floats:
    """The largest value of each weight in a row of groups: MAX_INPUT, and 0 for those without a group."""
    width = block_width(hidden)
    limits = aligned_zeros(hidden // width, groups, width)
    limits[:, :-1] = MAX_INPUT
    return limits


@inner
def _corrections(rate, step):
    """(scale of a step, correction of squares) for the bias of the first means, as float32."""
    return np.float32(rate / (1 - BETA1**step)), np.float32(1 / (1 - BETA2**step))


@inner
def _fade(schedule, since, step, numbers, place):
    """Writes the effect of the steps after `since` up to `step` on a weight without gradients to a column of
    `numbers`: the factor of the weight; the movement along its mean, for a corrected root mean square of 1;
    the factors of the mean and of the squares; and the correction."""
    logs, way, fading = schedule.inputs, 0.0, 1.0
    faded1, faded2 = BETA1**since, BETA2**since
    behind = min(step, since + FADED)
    for number in range(since + 1, behind + 1):
        faded1, faded2 = faded1 * BETA1, faded2 * BETA2
        fading *= BETA1 / np.sqrt(BETA2)
        scale = schedule.rates[number] / (1 - faded1) * np.sqrt(1 - faded2)
        way = way * np.exp(logs[number] - logs[number - 1]) + scale * fading
    correction = 1 / (1 - BETA2 ** (since + 1))
    numbers[0, place] = np.exp(logs[step] - logs[since])
    numbers[1, place] = way * np.exp(logs[step] - logs[behind]) * np.sqrt(correction)
    numbers[2, place] = BETA1 ** (step - since)
    numbers[3, place] = BETA2 ** (step - since)
    numbers[4, place] = correction


@inner
def _catch_up(own, means, squares, limits, block, row, numbers, place):
    """Applies steps without gradients, from a column of `numbers` that `_fade` wrote."""
    places = own[block, row].ctypes.data, means[block, row].ctypes.data, squares[block, row].ctypes.data
    for offset in range(0, 4 * own.shape[2], 4 * LANES):
        catch_up_lanes(
            places[0] + offset,
            places[1] + offset,
            places[2] + offset,
            limits,
            numbers[0, place],
            numbers[1, place],
            numbers[2, place],
            numbers[3, place],
            numbers[4, place],
        )


@inner
def _move(own, means, squares, slopes, limits, block, row, share, kept, scale, correction):
    """Adam's step for a row; `slopes` and `limits` are addresses."""
    places = own[block, row].ctypes.data, means[block, row].ctypes.data, squares[block, row].ctypes.data
    for place in range(0, 4 * own.shape[2], 4 * LANES):
        move_lanes(
            places[0] + place,
            places[1] + place,
            places[2] + place,
            slopes + place,
            limits + place,
            share,
            np.float32(1 - BETA1),
            np.float32(1 - BETA2),
            kept,
            scale,
            correction,
        )


@inner
def _write_shared(learnt, groups, block, feature, shared):
    """Writes the part of an input's weights that it shares with others of its feature to `shared`."""
    for j in range(len(shared)):
        shared[j] = np.float32(0)
    if learnt.features.shape[1]:
        for j in range(len(shared)):
            shared[j] += learnt.features[block, feature, j]
    for grouping in range(len(groups)):
        group = np.int64(groups[grouping, feature])
        for j in range(len(shared)):
            shared[j] += learnt.groups[block, group, j]


@entry_point
def catch_up(learnt, means, squares, weights, groups, touched, last, schedule, first, behind, step):
    """Updates the inputs that a batch has `touched`, for the features from `first` to before `behind`:
    applies the steps since their `last` one up to `step`, and writes their sums to the input `weights`."""
    blocks, count, width = learnt.inputs.shape
    features = groups.shape[1]
    shared, limits = np.empty(width, np.float32), np.full(LANES, MAX_INPUT, np.float32)
    limit, numbers = np.float32(MAX_INPUT), np.empty((5, count), np.float32)
    for feature in range(first, behind):
        for index in range(feature, count, features):
            if touched[index] and last[index] < step:
                _fade(schedule, np.int64(last[index]), step, numbers, index)
    for block in range(blocks):
        for feature in range(first, behind):
            known = False
            for index in range(feature, count, features):
                if not touched[index]:
                    continue
                if not known:
                    _write_shared(learnt, groups, block, feature, shared)
                    known = True
                if last[index] < step:
                    known_of = (learnt.inputs, means.inputs, squares.inputs)
                    _catch_up(*known_of, limits.ctypes.data, block, index, numbers, index)
                for j in range(width):
                    value = learnt.inputs[block, index, j] + shared[j]
                    weights[block, index, j] = min(limit, max(-limit, value))
    for feature in range(first, behind):
        for index in range(feature, count, features):
            if touched[index]:
                last[index] = step


@inner
def _take_slopes(gradients, index, slopes, total):
    """Sums the gradients of all threads for the row that begins at `index`, clears them, and also adds the
    sum to `total`."""
    for j in range(len(slopes)):
        place = np.uint64(index + j)
        slope = gradients[0, place]
        gradients[0, place] = np.float32(0)
        for thread in range(1, len(gradients)):
            slope += gradients[thread, place]
            gradients[thread, place] = np.float32(0)
        slopes[j] = slope
        total[j] += slope


@entry_point
def move_inputs(
    learnt, means, squares, gradients, sums, features, touched, last, schedule, first, behind, share, step
):
    """Step number `step`, from 1, for the inputs that its batch has `touched`, for the features from `first`
    to before `behind` of `features`. The inputs must be up to date.

    `gradients` has a row for each thread and is cleared; `share` of their sum is the mean gradient. The sums
    of the gradients by feature go to `sums` (block, feature, neuron)."""
    blocks, count, width = learnt.inputs.shape
    slopes, limits = np.empty(width, np.float32), np.full(width, MAX_INPUT, np.float32)
    rate = schedule.rates[step]
    scale, correction = _corrections(rate, step)
    kept = np.float32(np.exp(schedule.inputs[step] - schedule.inputs[step - 1]))
    kept_anywhere = np.float32(np.exp(schedule.features[step] - schedule.features[step - 1]))
    numbers = share, kept, scale, correction
    for block in range(blocks):
        for feature in range(first, behind):
            total = sums[block, feature]
            for j in range(width):
                total[j] = np.float32(0)
            for index in range(feature, count, features):
                if touched[index]:
                    _take_slopes(gradients, (block * count + index) * width, slopes, total)
                    _move(
                        *(learnt.inputs, means.inputs, squares.inputs, slopes.ctypes.data),
                        *(limits.ctypes.data, block, index, *numbers),
                    )
            if learnt.features.shape[1]:
                _move(
                    *(learnt.features, means.features, squares.features, total.ctypes.data),
                    *(limits.ctypes.data, block, feature, share, kept_anywhere, scale, correction),
                )
    for feature in range(first, behind):
        for index in range(feature, count, features):
            if touched[index]:
                last[index], touched[index] = step, 0


@entry_point
def move_rest(learnt, means, squares, gradients, sums, groups, limits, rest_limits, schedule, share, step):
    """Step number `step` for the groups, whose gradients are those of their features (`sums`), and for biases
    and outputs, whose `gradients` have a row for each thread and are cleared."""
    blocks, _, width = learnt.groups.shape
    scale, correction = _corrections(schedule.rates[step], step)
    numbers = share, np.float32(1), scale, correction
    slopes = np.zeros(learnt.groups.shape, np.float32)
    for block in range(blocks):
        for grouping in range(len(groups)):
            for feature in range(sums.shape[1]):
                group = np.int64(groups[grouping, feature])
                for j in range(width):
                    slopes[block, group, j] += sums[block, feature, j]
        for group in range(learnt.groups.shape[1]):
            _move(
                *(learnt.groups, means.groups, squares.groups, slopes[block, group].ctypes.data),
                *(limits[block, group].ctypes.data, block, group, *numbers),
            )
    _move_flat(learnt.rest, means.rest, squares.rest, gradients, rest_limits, *numbers)


@inner
def _move_flat(own, means, squares, gradients, limits, share, kept, scale, correction):
    """Adam's step for weights that have no rows; their `gradients` are cleared."""
    for j in range(len(own)):
        slope = np.float32(0)
        for thread in range(len(gradients)):
            slope += gradients[thread, j]
            gradients[thread, j] = np.float32(0)
        slope *= share
        means[j] += np.float32(1 - BETA1) * (slope - means[j])
        squares[j] += np.float32(1 - BETA2) * (slope * slope - squares[j])
        root = np.sqrt(squares[j] * correction) + np.float32(1e-8)
        moved = kept * own[j] - scale * means[j] / root
        own[j] = min(limits[j], max(-limits[j], moved))
