"""Positions packed for compiled code: what a network is trained on and tested with."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Indices = npt.NDArray[np.uint32]


class Samples(NamedTuple):
    """Positions, each as its mover sees it.

    The active features of position i are `rows[starts[i]:starts[i + 1]]` (uint16). `targets` are what the
    network should say, from 0 for lost to 1 for won (float32), `results` how the game ended (int8: 1, 0, -1);
    `output_buckets` are the outputs that say it (uint8), `mirrors` whether the position may be mirrored
    (uint8). `kings` are the squares of the mover's and of the enemy's king, each as its own side sees it
    (uint16); the number of squares means none on the board."""

    rows: np.ndarray
    starts: np.ndarray
    targets: np.ndarray
    results: np.ndarray
    output_buckets: np.ndarray
    mirrors: np.ndarray
    kings: np.ndarray


def samples_for(positions: int, rows: int) -> Samples:
    """Room for so many positions with so many features in all."""
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
    """The memory of so many positions with so many features in all."""
    return 19 * positions + 2 * rows


def append(samples: Samples, count: int, others: Samples, chosen: "Indices") -> None:
    """Copies the `chosen` ones of other samples behind the first `count` samples."""
    for place, index in enumerate(chosen.tolist(), count):
        row = others.rows[others.starts[index] : others.starts[index + 1]]
        start = samples.starts[place]
        samples.rows[start : start + len(row)] = row
        samples.starts[place + 1] = start + len(row)
    behind = count + len(chosen)
    for mine, other in zip(samples[2:], others[2:], strict=True):
        mine[count:behind] = other[chosen]
