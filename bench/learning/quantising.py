"""From float weights to the integers of a network's file, and back; what the rounding costs."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.game.catalogue import load
from ...engine.rules import rules_for
from ...eval.network.features import features_for
from ...eval.network.file import QA, QB, Network, accumulator_bounds
from ...eval.terms.weights import NORMAL_SCALE, build_weights
from .descent import MAX_OUTPUT, Weights, size_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from .training import Training

    Floats = npt.NDArray[np.float32]
    Shorts = npt.NDArray[np.int16]

TIGHTER = 0.9  # factor for the largest weights of a neuron whose sum might overflow, until it cannot


def quantised(
    vector: "Floats", variant: str, hidden: int, scale: float, certificate: dict[str, Any]
) -> Network:
    """The `Network` of a vector of weights; its logits are worth `scale` centipawns as people see them."""
    features = features_for(variant)
    weights = Weights.of(vector, features.count, hidden)
    inputs = np.rint(weights.inputs * np.float32(QA)).astype(np.int16)
    bias = np.rint(weights.bias * np.float32(QA)).astype(np.int16)
    outputs = np.rint(weights.outputs.clip(-MAX_OUTPUT, MAX_OUTPUT) * np.float32(QB)).astype(np.int16)
    output_bias = np.rint(weights.output_bias * np.float32(QA * QB)).astype(np.int32)
    inputs = fitting(features, inputs, bias)
    return Network(variant, hidden, units_of(scale, variant), inputs, bias, outputs, output_bias, certificate)


def units_of(scale: float, variant: str) -> int:
    """Centipawns as people see them in the units of a game's hand-written evaluation."""
    return round(scale * float(build_weights(rules_for(variant), load(variant))["scale"]) / NORMAL_SCALE)


def fitting(features: Any, inputs: "Shorts", bias: "Shorts") -> "Shorts":
    """Input weights like `inputs` with which no accumulator can overflow: a neuron's largest are cut."""
    inputs, limits = inputs.copy(), np.iinfo(np.int16)
    while True:
        least, most = accumulator_bounds(features, inputs, bias)
        over = np.flatnonzero((least < limits.min) | (most > limits.max))
        if not len(over):
            return inputs
        largest = (np.abs(inputs[:, over]).max(0) * TIGHTER).astype(np.int16)
        inputs[:, over] = inputs[:, over].clip(-largest, largest)


def floating(network: Network, scale: float | None = None) -> "Floats":
    """The vector of float weights with exactly the outputs of a quantised network, except for its rounding
    of the output. With a `scale` its logits are worth so many centipawns as people see them, whatever they
    are worth in the network."""
    count = features_for(network.variant).count
    vector = np.empty(size_of(count, network.hidden), np.float32)
    weights = Weights.of(vector, count, network.hidden)
    weights.inputs[:] = network.input_weights / np.float32(QA)
    weights.bias[:] = network.input_bias / np.float32(QA)
    weights.outputs[:] = network.output_weights / np.float32(QB)
    weights.output_bias[:] = network.output_bias / np.float32(QA * QB)
    if scale is not None:
        ratio = np.float32(network.scale / units_of(scale, network.variant))
        weights.outputs[:] *= ratio
        weights.output_bias[:] *= ratio
    return vector


def rounding_errors(training: "Training", network: Network, scale: float) -> tuple[float, float]:
    """(mean, most) difference in centipawns between the best float weights of a run and its quantised network
    on held-out positions."""
    order = training.data.held_out
    exact, rounded = training.logits(order, training.best), training.logits(order, floating(network))
    errors = np.abs(exact - rounded) * scale
    return float(errors.mean()), float(errors.max())
