"""Positions in random order, in any number.

Randomly chosen chunks of games fill a pool of some millions of positions, from which positions are drawn at
random while a thread fills the next pool. The order depends only on the seed and the games. Training can
resume at any place without the places before it."""

from bisect import bisect_right
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from ..self_play.array_types import Indices
from .samples import Samples, append, bytes_of, samples_for
from .training_set import TrainingSet

POOL_BYTES = 1 << 30  # of each of the two pools, about twelve million positions of crazyhouse


class MiniBatch(NamedTuple):
    """A batch of `samples`, by their numbers in `order`. `salt` decides which of them are mirrored."""

    samples: Samples
    order: Indices
    salt: int


class _Filling(NamedTuple):
    """The content of a pool: chunks, and their numbers of positions and features."""

    chunks: tuple[int, ...]
    positions: int
    rows: int


class Pools:
    """The training positions of a `TrainingSet`, epoch after epoch, in `total` batches of `batch`."""

    def __init__(self, data: TrainingSet, seed: int, batch: int, total: int) -> None:
        self._data, self._seed, self._total = data, seed, total
        self.batch = min(batch, data.positions)
        self._free: list[Samples] = []
        self._loaded: tuple[tuple[int, ...], Samples] | None = None
        self._coming: tuple[tuple[int, ...], Future[Samples]] | None = None
        self._thread = ThreadPoolExecutor(1)

    @property
    def batches(self) -> int:
        """Batches of an epoch; leftover positions at its end are skipped."""
        return self._data.positions // self.batch

    def plan(self, epoch: int) -> list[_Filling]:
        """The content of the pools of an epoch, in order: all chunks at once if they fit into two pools;
        otherwise as many as fit into one, but at least a batch."""
        survey = self._data.survey
        counts, rows = survey.to_learn.tolist(), survey.chunks["rows"].tolist()
        sizes = [bytes_of(count, more) for count, more in zip(counts, rows, strict=True)]
        order = np.flatnonzero(survey.to_learn)
        if sum(sizes) <= 2 * POOL_BYTES:
            return [_Filling(tuple(order.tolist()), sum(counts), sum(rows))]
        chunks: list[list[int]] = [[]]
        size = positions = 0
        for chunk in np.random.default_rng([self._seed, epoch, 2]).permutation(order).tolist():
            if size + sizes[chunk] > POOL_BYTES and positions >= self.batch:
                chunks.append([])
                size = positions = 0
            chunks[-1].append(chunk)
            size, positions = size + sizes[chunk], positions + counts[chunk]
        return [
            _Filling(tuple(each), sum(counts[chunk] for chunk in each), sum(rows[chunk] for chunk in each))
            for each in chunks
        ]

    def batches_of(self, epoch: int, first: int = 0) -> Iterator[MiniBatch]:
        """Yields the batches of an epoch from number `first` on. Leftover positions of a pool come first in
        the next one. Raises GamesError if a file has changed."""
        fillings = self.plan(epoch)
        ends = (np.cumsum([filling.positions for filling in fillings]) // self.batch).tolist()
        start = bisect_right(ends, first)
        left = self._left(epoch, fillings, start - 1) if 0 < start < len(ends) else None
        for number in range(start, len(fillings)):
            samples, order = self._load(fillings[number]), self._order(epoch, fillings, number)
            if left is not None:
                append(
                    samples, fillings[number].positions, left, np.arange(len(left.targets), dtype=np.uint32)
                )
            self._prepare(epoch, fillings, number, ends[number])
            salt = int(np.random.default_rng([self._seed, epoch, 1, number]).integers(1, 1 << 62))
            done = ends[number - 1] if number else 0
            for batch in range(max(first, done), ends[number]):
                place = (batch - done) * self.batch
                yield MiniBatch(samples, order[place : place + self.batch], salt)
            if number + 1 < len(fillings):
                left = self._left(epoch, fillings, number)

    def _order(self, epoch: int, fillings: list[_Filling], number: int) -> Indices:
        """The positions of a pool in their order: those left over from before, which are at its end, and its
        own, shuffled."""
        own = fillings[number].positions
        before = sum(filling.positions for filling in fillings[:number]) % self.batch
        random = np.random.default_rng([self._seed, epoch, 0, number])
        shuffled = random.permutation(np.arange(own, dtype=np.uint32))
        return np.concatenate([np.arange(own, own + before, dtype=np.uint32), shuffled])

    def _left(self, epoch: int, fillings: list[_Filling], number: int) -> Samples:
        """A copy of the leftover positions of a pool, which has fewer than a batch of them."""
        rest = sum(filling.positions for filling in fillings[: number + 1]) % self.batch
        order, found = self._order(epoch, fillings, number), samples_for(rest, rest * self._data.most)
        append(found, 0, self._load(fillings[number]), order[len(order) - rest :])
        return found

    def _load(self, filling: _Filling) -> Samples:
        """The samples of a pool: the loaded one, the one that the thread fills, or a new one."""
        if self._loaded is None or self._loaded[0] != filling.chunks:
            if self._loaded is not None:
                self._free.append(self._loaded[1])
                self._loaded = None
            if self._coming is not None:
                (chunks, future), self._coming = self._coming, None
                self._loaded = chunks, future.result()
                return self._load(filling)
            self._loaded = filling.chunks, self._fill(filling)
        return self._loaded[1]

    def _prepare(self, epoch: int, fillings: list[_Filling], number: int, end: int) -> None:
        """Starts the thread that fills the pool after that number, if the run needs it."""
        if epoch * self.batches + end >= self._total:
            return
        following = fillings[number + 1] if number + 1 < len(fillings) else self.plan(epoch + 1)[0]
        if self._coming is None and following.chunks != fillings[number].chunks:
            self._coming = following.chunks, self._thread.submit(self._fill, following)

    def _fill(self, filling: _Filling) -> Samples:
        """A pool of these chunks, in free or new memory."""
        positions, rows = filling.positions + self.batch, filling.rows + self.batch * self._data.most
        fit = [each for each in self._free if len(each.targets) >= positions and len(each.rows) >= rows]
        self._free.clear()
        room = fit[0] if fit else samples_for(positions, rows)
        behind = 0
        for chunk in sorted(filling.chunks):
            behind = self._data.load(chunk, room, behind)
        return room

    def close(self) -> None:
        """Ends the thread."""
        self._thread.shutdown(cancel_futures=True)
