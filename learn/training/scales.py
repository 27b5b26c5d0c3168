"""The logistic curve by which scores predict results."""

import math

import numpy as np
import numpy.typing as npt

from .decoding import COUNTED

SCALES = (10.0, 1e5)  # the range of scales that are tried, in centipawns
HALVINGS = 40  # of what lies between them


def fitted_scale(counted: npt.NDArray[np.int64]) -> float:
    """The scale in centipawns of the logistic curve that predicts results from scores best, by bisection
    within SCALES. `counted` are positions by score, from -COUNTED centipawns, and by result -1, 0, 1; beyond
    COUNTED games are decided."""
    levels = np.arange(-COUNTED, COUNTED + 1.0)
    counts, points = counted.sum(axis=1), counted @ np.array([0.0, 0.5, 1.0])
    low, high = SCALES
    for _ in range(HALVINGS):
        middle = math.sqrt(low * high)
        too_flat = np.dot(points - counts / (1 + np.exp(-levels / middle)), levels) > 0
        low, high = (low, middle) if too_flat else (middle, high)
    return math.sqrt(low * high)


def scale_of_results(counted: npt.NDArray[np.int64]) -> float:
    """The `fitted_scale` of the positions of decisive games. Draws would make the curve flatter for stronger
    players, although their scores mean the same."""
    decisive = counted.copy()
    decisive[:, 1] = 0
    return fitted_scale(decisive)
