"""The score of a position by a network, and a network in memory that threads share."""

from typing import final

import numpy as np

from ...engine.kernel.compiler import inner
from ...engine.kernel.facts import chosen_by_field, facts_of
from ..terms.evaluate import MAX_SCORE
from .accumulators import refresh_sums
from .file import FINE, QA, QB, Network
from .output_buckets import board_bucket, hands_bucket
from .vectors import aligned_record, network_dtype, network_of, output_sum, shape_of


@final
class SharedNetwork:
    """A `Network` in memory in the form for compiled code, for any number of workers. The address is valid as
    long as the object exists."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.shape = shape_of(network)
        self._record = aligned_record(network_dtype(*self.shape[:3]))
        names = (
            "output_bias",
            "output_scale",
            "input_bias",
            "output_weights",
            "input_weights",
            "king_buckets",
        )
        for name in names if self.shape.king_buckets else names[:-1]:
            self._record[name] = getattr(network, name)

    @property
    def address(self) -> int:
        """Where its record begins."""
        return int(self._record.__array_interface__["data"][0])


@inner
def _board_bucket(rules, worker, ply):
    return board_bucket(facts_of(worker, "features"), worker.positions[ply])


@inner
def _hands_bucket(rules, worker, ply):
    return hands_bucket(facts_of(worker, "features"), worker.positions[ply])


_bucket = chosen_by_field("hand_buckets", _hands_bucket, _board_bucket)  # (rules, worker, ply)


@inner
def evaluate_network(rules, worker, ply):
    """Centipawns for the side to move at `ply`, within MAX_SCORE either way, by the worker's network."""
    refresh_sums(rules, worker, ply)
    network, position, bucket = network_of(worker), worker.positions[ply], _bucket(rules, worker, ply)
    total = (
        output_sum(worker, network, ply, np.int64(position.side), bucket) + QA * network.output_bias[bucket]
    )
    unit = FINE * QA * QA * QB
    score = (2 * total * network.output_scale + unit) // (2 * unit)  # rounded, halves up
    return max(np.int64(-MAX_SCORE), min(np.int64(MAX_SCORE), score))
