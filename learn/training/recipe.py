"""The settings of a training, and the results of an epoch."""

from typing import NamedTuple

import numpy as np

from ...eval.network.output_buckets import BOARD


class Recipe(NamedTuple):
    """The settings of a training besides its positions.

    The network has `hidden` neurons and several outputs, of which `output_buckets` selects one. Training
    takes `epochs` passes, which may be a fraction, in batches of `batch`. Adam's rate falls from `rate` to
    `final_rate` by a cosine.

    Targets are a share `blend` of the score by a logistic curve of `scale` centipawns; the rest is the TD
    target with that `decay`. The result of the game takes a share that grows from 0 to `result_share` at the
    end. The error is |chance - target| ** `power`. `seed` sets the first weights, the order and the mirrored
    positions.

    An input's own weights, besides those of its groups, decay by `weight_decay` times the rate in each step;
    without it a rare input would keep its random first weights. With several `king_buckets`, the weights of
    each bucket decay KING_BUCKET_DECAY times as fast. The weights of the last share `average` of the steps
    are averaged. With several `threads` sums are added in another order, which is the same in every run."""

    hidden: int = 128
    epochs: float = 12
    blend: float = 0.0
    decay: float = 0.93
    power: float = 2.5
    rate: float = 1e-3
    final_rate: float = 1e-5
    batch: int = 16_384
    seed: int = 1
    threads: int = 1
    scale: float = 250.0
    weight_decay: float = 5.0
    king_buckets: int = 1
    average: float = 0.0
    result_share: float = 0.0
    output_buckets: str = BOARD

    def rates(self, steps: int) -> "np.ndarray":
        """Adam's rate for each of that many steps."""
        fall = (1 + np.cos(np.pi * np.arange(steps) / steps)) / 2
        return self.final_rate + (self.rate - self.final_rate) * fall


class Epoch(NamedTuple):
    """The results of an epoch: the number of passes so far, the mean errors on training and held-out
    positions, and the last rate."""

    epoch: float
    loss: float
    held_out: float
    rate: float
