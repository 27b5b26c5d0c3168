"""The weights of a network during training, and the steps that change them."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from ...engine.variant import Variant
from ...eval.network.features import features_for
from ...eval.network.file import count_king_buckets
from ..self_play.array_types import Floats, Indices, Integers
from .adam import Learnt, Schedule, catch_up, learnt_limits, learnt_size, move_inputs, move_rest
from .factoriser import groups_for
from .gradients import (
    Blocks,
    Views,
    add_gradients,
    blocks_of,
    in_blocks,
    look,
    output_limits,
    room_for_sums,
    rows_of,
    size_of,
    write_logits,
)
from .lanes import aligned_zeros, block_width
from .samples import Samples

T = TypeVar("T")

STATE = ("own", "means", "squares", "last")  # arrays that determine the weights


class TrainedWeights:
    """The weights of a network of `hidden` neurons that is trained with the `schedule` in `threads` threads.

    A vector of weights has the form of `Rows`. The trained parameters are `own`: the weights of inputs, of
    features in any king bucket, and of groups (`factoriser`); `means` and `squares` are those of Adam, `last`
    is the step of each input's last update. `step` is the number of steps so far."""

    def __init__(
        self,
        variant: Variant,
        hidden: int,
        king_buckets: npt.NDArray[np.uint8] | None,
        views: Views,
        schedule: Schedule,
        threads: int,
    ) -> None:
        self.hidden, self.views, self.schedule = hidden, views, schedule
        self.features = features_for(variant).count
        self.inputs = self.features * count_king_buckets(king_buckets)
        self._groups, groups = groups_for(variant)
        counts = self.inputs, self.features if self.inputs > self.features else 0, groups
        size = learnt_size(hidden, counts)
        self.own, self.means, self.squares = (aligned_zeros(size) for _ in range(3))
        self._learnt = [Learnt.of(each, hidden, counts) for each in (self.own, self.means, self.squares)]
        self._network = aligned_zeros(size_of(self.inputs, hidden))
        self._weights = Blocks.of(self._network, self.inputs, hidden)
        self._limits, self._rest_limits = learnt_limits(hidden, groups), output_limits(hidden)
        self._gradients = aligned_zeros(threads, len(self._network))
        self._sums = [room_for_sums(self.inputs, hidden) for _ in range(threads)]
        self._by_feature = aligned_zeros(hidden // block_width(hidden), self.features, block_width(hidden))
        self._touched, self._all_inputs = np.zeros(self.inputs, np.uint8), np.ones(self.inputs, np.uint8)
        self.last = np.zeros(self.inputs, np.int64)
        self.step, self._threads = 0, threads
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def begin(self, vector: Floats, shared: bool) -> None:
        """Begins with the weights of a vector; with `shared`, its inputs are features that are the same in
        all king buckets."""
        learnt, rest = self._learnt[0], size_of(0, self.hidden)
        target = learnt.features if shared else learnt.inputs
        target[:] = in_blocks(vector[:-rest], self.hidden)
        learnt.rest[:] = vector[-rest:]

    def vector(self) -> Floats:
        """The current weights of the network, all updated."""
        return rows_of(self.blocks(), self.inputs, self.hidden)

    def blocks(self) -> Floats:
        """The current weights in blocks, in memory that the next step changes."""
        self._catch_up(self._all_inputs)
        return self._network

    def _catch_up(self, touched: npt.NDArray[np.uint8]) -> None:
        """Updates the network's weights of inputs."""

        def bring(first: int, behind: int) -> None:
            state = (*self._learnt, self._weights.inputs, self._groups, touched, self.last)
            catch_up(*state, self.schedule, first, behind, self.step)

        self._all(bring, *self._shares(self.features))
        rest = len(self._learnt[0].rest)
        self._network[-rest:] = self._learnt[0].rest

    def learn(self, samples: Samples, order: Indices, salt: int, power: float, share: float) -> float:
        """A step; returns the sum of the errors. The positions are mirrored by `salt`; their targets have a
        `share` of the result."""
        parts = np.array_split(np.sort(order), self._threads)  # in the order of memory, for fewer misses
        ends = [np.empty(2 * len(each), np.int64) for each in parts]

        def see(part: Indices, ends: Integers) -> npt.NDArray[np.uint16]:
            seen: npt.NDArray[np.uint16] = look(samples, self.views, part, salt, ends, self._touched)
            return seen

        def go_down(number: int, seen: npt.NDArray[np.uint16]) -> float:
            found = Blocks.of(self._gradients[number], self.inputs, self.hidden)
            sums, where = self._sums[number], (samples, parts[number], seen, ends[number])
            error: float = add_gradients(*where, self._weights, found, sums, power, share)
            return error

        seen = self._all(see, parts, ends)
        self._catch_up(self._touched)
        errors = self._all(go_down, range(self._threads), seen)
        self._move(np.float32(1 / len(order)))
        return sum(errors)

    def _move(self, share: np.float32) -> None:
        """Moves the trained parameters against the gradients; `share` of their sum is the mean."""
        self.step += 1

        def move(first: int, behind: int) -> None:
            state = (
                *self._learnt,
                self._gradients,
                self._by_feature,
                self.features,
                self._touched,
                self.last,
            )
            move_inputs(*state, self.schedule, first, behind, share, self.step)

        self._all(move, *self._shares(self.features))
        rest = self._gradients[:, self.inputs * self.hidden :]
        state = (*self._learnt, rest, self._by_feature, self._groups, self._limits, self._rest_limits)
        move_rest(*state, self.schedule, share, self.step)

    def logits(self, samples: Samples, order: Indices, vector: Floats | None = None) -> Floats:
        """The network's outputs for samples, with the current weights or those of a vector."""
        network = self.blocks() if vector is None else blocks_of(vector, self.inputs, self.hidden)
        weights, found = Blocks.of(network, self.inputs, self.hidden), np.empty(len(order), np.float32)

        def write(number: int, indices: Indices, logits: Floats) -> None:
            write_logits(samples, self.views, indices, weights, self._sums[number], logits)

        numbers = range(self._threads)
        self._all(write, numbers, np.array_split(order, self._threads), np.array_split(found, self._threads))
        return found

    def _shares(self, count: int) -> tuple[list[int], list[int]]:
        """The bounds of each thread's share of `count` things."""
        edges = np.linspace(0, count, self._threads + 1).astype(int).tolist()
        return edges[:-1], edges[1:]

    def _all(self, function: Callable[..., T], *columns: Iterable[Any]) -> list[T]:
        """The results of a function for each row of arguments, each in its own thread."""
        run = map if self._pool is None else self._pool.map
        return list(run(function, *columns))
