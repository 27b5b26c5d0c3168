"""Positions packed for compiled code, for training and testing a network."""

from typing import NamedTuple

import numpy as np

from ..self_play.array_types import Indices


class Samples(NamedTuple):
    """Positions from their mover's view.

    The active features of position i are `rows[starts[i]:starts[i + 1]]` (uint16). `targets` are the expected
    points from 0 (lost) to 1 (won) (float32), `results` those of the games (int8: 1, 0, -1), `output_buckets`
    the outputs that are trained (uint8). `mirrors` says whether the position may be mirrored (uint8). `kings`
    are the squares of the mover's and of the enemy's king, each from its own side's view (uint16); the number
    of squares means no king."""

    rows: np.ndarray
    starts: np.ndarray
    targets: np.ndarray
    results: np.ndarray
    output_buckets: np.ndarray
    mirrors: np.ndarray
    kings: np.ndarray


def samples_for(positions: int, rows: int) -> Samples:
    """Empty samples for that many positions with that many features in total."""
    return Samples(
        np.empty(rows, np.uint16),
        np.zeros(positions + 1, np.int64),
        np.empty(positions, np.float32),
        np.empty(positions, np.int8),
        np.empty(positions, np.uint8),
        np.empty(positions, np.uint8),
        np.empty((positions, 2), np.uint16),
    )


def bytes_of(positions: int, rows: int) -> int:
    """The memory of that many positions with that many features in total, in bytes."""
    return 19 * positions + 2 * rows


def append(samples: Samples, count: int, others: Samples, chosen: Indices) -> None:
    """Copies the `chosen` samples of others after the first `count` samples."""
    for place, index in enumerate(chosen.tolist(), count):
        row = others.rows[others.starts[index] : others.starts[index + 1]]
        start = samples.starts[place]
        samples.rows[start : start + len(row)] = row
        samples.starts[place + 1] = start + len(row)
    behind = count + len(chosen)
    for mine, other in zip(samples[2:], others[2:], strict=True):
        mine[count:behind] = other[chosen]
