"""What a training depends on besides its positions, and what comes of an epoch."""

from typing import NamedTuple

import numpy as np

from ...eval.network.output_buckets import BOARD


class Recipe(NamedTuple):
    """The settings of a run besides its positions.

    `hidden` neurons, of whose outputs `output_buckets` chooses one; `epochs` over all positions, which need
    not be a whole number, in batches of `batch`. Adam's rate falls from `rate` to `final_rate` by a cosine.
    Targets are `blend` parts score by a logistic curve of `scale` centipawns, the rest TD target with that
    `decay`. The result of the game takes a share of them that grows from nothing to `result_share` at the
    end. The error is |chance - target| ** `power`. `seed` is of the first weights, the order and the mirrored
    positions.

    What an input has of its own, besides its groups' weights, decays by `weight_decay` times the rate with
    each step: a rare input would keep its first random weights otherwise. With several `king_buckets`, each
    king bucket's own weights decay KING_BUCKET_DECAY times as fast. The weights of the last part `average` of
    the steps are averaged. With several `threads` sums run in another order, the same in every run."""

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
        """Adam's rate by step, of so many."""
        fall = (1 + np.cos(np.pi * np.arange(steps) / steps)) / 2
        return self.final_rate + (self.rate - self.final_rate) * fall


class Epoch(NamedTuple):
    """An epoch's results: how often it was trained on all positions, mean errors on those and on held-out
    ones, and the last rate."""

    epoch: float
    loss: float
    held_out: float
    rate: float
