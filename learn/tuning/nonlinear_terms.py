"""The parameters in which the evaluation is not linear, and how they are varied.

Each of their numbers has a name, (parameter, index), even if the parameter is a single number."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ...eval.terms.weights import Parameters
from ..self_play.array_types import Doubles


class Term(NamedTuple):
    """The settings for one parameter, in its own unit: it is varied by `step` in both directions to measure
    its effect, moves by `pace` where material moves by a centipawn, and stays within `least` and `most`."""

    step: float
    pace: float
    least: float
    most: float = 1e9


TERMS = {
    "crowd": Term(step=0.1, pace=0.004, least=0.5, most=1.0),
    "attack": Term(step=0.5, pace=0.04, least=0.0),
    "check": Term(step=1.0, pace=0.04, least=0.0),
    "drop": Term(step=0.5, pace=0.04, least=0.0),
    "weak": Term(step=1.0, pace=0.04, least=0.0),
    "hole": Term(step=0.5, pace=0.02, least=0.0),
    "escape": Term(step=0.5, pace=0.02, least=0.0),
    "shelter": Term(step=0.5, pace=0.04, least=-3.0),
    "danger": Term(step=20.0, pace=2.0, least=0.0, most=8000.0),
    "threat": Term(step=1.0, pace=0.04, least=0.0),
    "initiative": Term(step=1.0, pace=0.04, least=0.0),
    "mobility": Term(step=1.0, pace=0.06, least=-2.0),
    "hand": Term(step=20.0, pace=1.0, least=10.0),
    "held": Term(step=10.0, pace=0.6, least=-50.0),
    "escort": Term(step=5.0, pace=0.3, least=-50.0),
    "between": Term(step=10.0, pace=0.6, least=0.0),
    "backstab": Term(step=1.0, pace=0.04, least=0.0),
    "tempo": Term(step=10.0, pace=0.3, least=0.0),
}


def names_in(parameters: Parameters) -> list[tuple[str, int]]:
    """The names of all numbers of a game's parameters in TERMS."""
    return [(name, index) for name in TERMS for index in range(np.size(getattr(parameters, name)))]


def number(parameters: Parameters, name: str, index: int) -> float:
    """One number of the parameters."""
    value = getattr(parameters, name)
    return float(value[index]) if np.ndim(value) else float(value)


def with_number(parameters: Parameters, name: str, index: int, value: float) -> Parameters:
    """A copy of the parameters with one number changed; the other arrays are shared."""
    if np.ndim(getattr(parameters, name)) == 0:
        changes: dict[str, Any] = {name: value}
        return replace(parameters, **changes)
    changed = np.array(getattr(parameters, name), float)
    changed[index] = value
    changes = {name: changed}
    return replace(parameters, **changes)


def differences(
    parameters: Parameters, evaluations: Callable[[Parameters], Doubles]
) -> tuple[Doubles, list[tuple[str, int]]]:
    """The effect of each number around `parameters`: (changes, names of those with an effect). `changes` has
    a row for each position and a column for each name: centipawns per unit of the number.
    `evaluations(parameters)` returns the evaluation of each position, in centipawns."""
    columns, names = [], []
    for name, index in names_in(parameters):
        step, value = TERMS[name].step, number(parameters, name, index)
        more = evaluations(with_number(parameters, name, index, value + step))
        less = evaluations(with_number(parameters, name, index, value - step))
        if np.any(more != less):
            columns.append((more - less) / (2 * step))
            names.append((name, index))
    return np.array(columns).T.reshape(len(evaluations(parameters)), len(names)), names
