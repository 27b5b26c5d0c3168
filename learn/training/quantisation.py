"""Converts float weights to the integers of a network's file and back, and measures the rounding errors."""

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ...engine.variant import Variant
from ...eval.network.features import features_for
from ...eval.network.file import (
    MAX_OUTPUT_WEIGHT,
    MAX_PARTS,
    MAX_SCALE,
    QA,
    QB,
    Network,
    accumulator_bounds,
    count_king_buckets,
)
from ...eval.network.output_buckets import BOARD
from ..self_play.array_types import Floats, Shorts
from ..self_play.score_units import player_units
from .gradients import MAX_OUTPUT, Rows, size_of
from .training import Training

ROOM = 0.9  # share of int32 that the sum of an output may fill
TIGHTER = 0.9  # factor that reduces the largest weights of a neuron until its sum cannot overflow


def quantise(
    vector: Floats,
    variant: Variant,
    hidden: int,
    units: int,
    metadata: dict[str, Any],
    king_buckets: npt.NDArray[np.uint8] | None = None,
    output_buckets: str = BOARD,
) -> Network:
    """The `Network` of a vector of weights, with its `king_buckets` and kind of `output_buckets`; a logit of
    1 is worth `units` of the search."""
    features = features_for(variant)
    weights = Rows.of(vector, features.count * count_king_buckets(king_buckets), hidden)
    inputs = np.rint(weights.inputs * np.float32(QA)).astype(np.int16)
    bias = np.rint(weights.bias * np.float32(QA)).astype(np.int16)
    found = weights.outputs.clip(-MAX_OUTPUT, MAX_OUTPUT)
    parts = finest_resolution(found, weights.output_bias)
    outputs = np.rint(found * np.float32(parts)).astype(np.int16)
    output_bias = np.rint(weights.output_bias * np.float32(QA * parts)).astype(np.int32)
    inputs = without_overflow(features, inputs, bias)
    numbers = (inputs, bias, outputs, output_bias)
    return Network(variant, hidden, units, *numbers, metadata, parts, king_buckets, output_buckets)


def finest_resolution(outputs: Floats, bias: Floats) -> int:
    """The finest resolution (parts of 1.0) in which these output weights and biases fit their integers, at
    least QB."""
    most = max(float(np.abs(outputs).max()), 1e-6)
    one_way = max(float(np.maximum(outputs.clip(0).sum(1), -outputs.clip(None, 0).sum(1)).max()), 1e-6)
    room = float(np.iinfo(np.int32).max) * ROOM / (QA * QA * one_way + QA * float(np.abs(bias).max()))
    return int(np.clip(min(MAX_OUTPUT_WEIGHT / most, room), QB, MAX_PARTS))


def with_scale(network: Network, units: float) -> Network:
    """A network with the evaluation of `network`, in which a logit of 1 is worth `units` of the search, as
    closely as the resolution of its output weights allows."""
    parts = int(np.clip(round(network.parts * units / network.scale), QB, MAX_PARTS))
    scale = int(np.clip(round(network.scale * parts / network.parts), 1, MAX_SCALE))
    return replace(network, parts=parts, scale=scale)


def without_overflow(features: Any, inputs: Shorts, bias: Shorts) -> Shorts:
    """Input weights with which no accumulator can overflow; the largest weights of a neuron are reduced."""
    inputs, limits = inputs.copy(), np.iinfo(np.int16)
    while True:
        least, most = accumulator_bounds(features, inputs, bias)
        over = np.flatnonzero((least < limits.min) | (most > limits.max))
        if not len(over):
            return inputs
        largest = (np.abs(inputs[:, over]).max(0) * TIGHTER).astype(np.int16)
        inputs[:, over] = inputs[:, over].clip(-largest, largest)


def dequantise(network: Network, units: int | None = None) -> Floats:
    """The vector of float weights with the outputs of a quantised network, apart from the rounding of the
    output. A logit of 1 is worth `units` without the search factor, by default as in the network."""
    count = features_for(network.variant).count * network.king_bucket_count
    vector = np.empty(size_of(count, network.hidden), np.float32)
    weights = Rows.of(vector, count, network.hidden)
    weights.inputs[:] = network.input_weights / np.float32(QA)
    weights.bias[:] = network.input_bias / np.float32(QA)
    weights.outputs[:] = network.output_weights / np.float32(network.parts)
    weights.output_bias[:] = network.output_bias / np.float32(QA * network.parts)
    if units is not None:
        ratio = np.float32(player_units(network.variant, network) / units)
        weights.outputs[:] *= ratio
        weights.output_bias[:] *= ratio
    return vector


def rounding_errors(training: Training, network: Network, scale: float) -> tuple[float, float]:
    """(mean, largest) difference in centipawns between the best float weights and the quantised network on
    held-out positions."""
    tested, vectors = training.data.held_out, (training.best, dequantise(network))
    exact, rounded = (training.logits(tested, vector=vector) for vector in vectors)
    errors = np.abs(exact - rounded) * scale
    return float(errors.mean()), float(errors.max())
