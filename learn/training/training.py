"""Training a network: epochs over a training set, a schedule, tests on held-out games, and checkpoints.

The weights are float32 here; `quantising` makes a file of them. Only the times of checkpoints
depend on the clock, and a run that continues from one ends with the same weights as an uninterrupted run."""

import json
import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from zipfile import BadZipFile

import numpy as np

from ...engine.kernel.compiler import part
from ...eval.network.features import MAX_FEATURES, features_for
from ...eval.network.file import count_zones
from .factoriser import add_factors, gather_factors, groups_for
from .gradients import MAX_INPUT, Views, Weights, adam, add_gradients, limits_of, size_of, write_logits
from .king_buckets import zone_table, zones_of
from .mirroring import mirrored, other_side
from .training_set import Samples, TrainingSet

if TYPE_CHECKING:
    import numpy.typing as npt

    from ...engine.kernel.parallel_compile import Part

    Floats = npt.NDArray[np.float32]
    Indices = npt.NDArray[np.uint32]

T = TypeVar("T")

CHECKPOINT_SECONDS = 60.0
START_BIAS = 0.25  # of accumulators, so that most neurons learn from the beginning
LEVEL_EPOCHS = 5  # epochs without progress on held-out games that end a run
ZONE_DECAY = 3.0
SLICE = 1 << 24  # features that NumPy makes indices of at a time: in memory those are four times as large
ARRAYS = ("own", "means", "squares", "best")


class TrainingError(ValueError):
    """A run that cannot begin or go on; the text says why."""


class Recipe(NamedTuple):
    """What a run depends on besides its positions.

    `hidden` neurons; `epochs` over all positions in batches of `batch`; Adam's rate falls from `rate` to
    `final_rate` by a cosine. Targets are `blend` parts score by a logistic curve of `scale` centipawns, the
    rest outlook with that `decay`; the error is |chance - target| ** `power`. `seed` is of the first weights,
    the order and the mirrored positions. What an input has of its own, besides its groups' weights, decays by
    `weight_decay` times the rate with each step: a rare input would keep its first random weights otherwise.
    With several `zones` of the own king (`zones`), each zone's own weights decay ZONE_DECAY times as fast.
    With several `threads` sums run in another order, the same in every run."""

    hidden: int = 128
    epochs: int = 12
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
    zones: int = 1


class Epoch(NamedTuple):
    """An epoch's results: mean errors on positions learnt from and on held-out ones, and the last rate."""

    epoch: int
    loss: float
    held_out: float
    rate: float


def entry_points(variant: str) -> "list[Part]":
    """The functions that Python calls to train, as parts for `compile_ahead`."""
    words, whole = np.zeros(1, np.uint16), np.zeros(1, np.int64)
    targets, small, kings = np.zeros(1, np.float32), np.zeros(1, np.uint8), np.zeros((1, 2), np.uint16)
    samples = Samples(words, whole, targets, small, small, kings)
    views, order = Views(words, words, np.zeros((2, 1), np.uint8)), np.zeros(1, np.uint32)
    vector, rows = np.zeros(size_of(1, 16), np.float32), np.zeros((1, size_of(1, 16)), np.float32)
    weights = Weights.of(vector, 1, 16)
    steps = (0, 1, 1.0, 1e-3, 1.0, 1)
    groups = np.zeros((1, 1), np.uint32)
    return [
        part(add_gradients, samples, views, order, weights, weights, 2.5, 1),
        part(write_logits, samples, views, order, weights, vector),
        part(adam, vector, vector, rows, vector, vector, *steps),
        part(gather_factors, vector, groups, 1, 16, 16),
        part(add_factors, vector, vector, groups, 0, 1, 16, 16, MAX_INPUT),
    ]


def first_weights(variant: str, recipe: Recipe, seen: "npt.NDArray[np.bool_]") -> "Floats":
    """The vector that a run begins with: small random numbers, and 0 for features that are never `seen`."""
    features = features_for(variant)
    rng = np.random.default_rng(recipe.seed)
    vector = np.zeros(size_of(features.count, recipe.hidden), np.float32)
    weights = Weights.of(vector, features.count, recipe.hidden)
    spread = 1 / np.sqrt(features.pieces)
    weights.inputs[:] = rng.uniform(-spread, spread, weights.inputs.shape) * seen[:, None]
    weights.bias[:] = START_BIAS
    spread = 1 / np.sqrt(2 * recipe.hidden)
    weights.outputs[:] = rng.uniform(-spread, spread, (1, 2 * recipe.hidden))
    return vector


def seen_features(training_set: TrainingSet, views: Views) -> "npt.NDArray[np.bool_]":
    """By feature, whether either side sees it in some position, mirrored or not."""
    rows = training_set.samples.rows
    seen: npt.NDArray[np.bool_] = np.zeros(len(views.other), np.bool_)
    for first in range(0, len(rows), SLICE):
        seen[rows[first : first + SLICE]] = True
    seen |= seen[views.other]
    seen |= seen[views.mirrored]
    return seen


def _chosen_zones(training_set: TrainingSet, recipe: Recipe) -> "npt.NDArray[np.uint8] | None":
    """The zones that a run of this recipe begins with, None for a single one."""
    if recipe.zones == 1:
        return None
    zones = zones_of(training_set.samples, training_set.variant, recipe.zones)
    return zones if zones.max() > 0 else None


def _decays(recipe: Recipe, inputs: int, size: int, shared: int, behind: int) -> list[tuple[int, int, float]]:
    """(first, behind, decay) of ranges of what is learnt: the `inputs` of a vector of that `size`, and of the
    factors behind it those that zones share."""
    decay, middle = float(recipe.weight_decay), size + shared
    own = ZONE_DECAY * decay if shared else decay
    return [(0, inputs, own), (inputs, size, 0.0), (size, middle, decay), (middle, behind, 0.0)]


class Training:
    """A run: `vector` are the weights now, `best` those that did best on held-out games, `history` the
    `Epoch`s so far, `step` the batches. With a `vector` it begins with those weights, which may be those of
    `zones`. Raises TrainingError for more inputs than numbers.

    What is learnt is `own`: a vector like `vector`, and behind it the rows of groups (`factoring`)."""

    def __init__(
        self,
        training_set: TrainingSet,
        recipe: Recipe,
        vector: "Floats | None" = None,
        zones: "npt.NDArray[np.uint8] | None" = None,
    ) -> None:
        self.data, self.recipe = training_set, recipe
        variant, features = training_set.variant, features_for(training_set.variant).count
        self.zones = _chosen_zones(training_set, recipe) if zones is None else zones
        number = count_zones(self.zones)
        self._count = number * features
        if self._count > MAX_FEATURES:
            raise TrainingError(f"{number} zones of {features} inputs are more than {MAX_FEATURES}")
        self.views = Views(other_side(variant), mirrored(variant), zone_table(self.zones, variant))
        if vector is None:
            vector = first_weights(variant, recipe, seen_features(training_set, self.views))
        self._groups, groups = groups_for(variant, number)
        factors = np.zeros(groups * recipe.hidden, np.float32)
        rows, inputs = features * recipe.hidden, self._count * recipe.hidden
        if number > 1 and zones is None:  # at first all zones are alike
            factors[:rows] = vector[:rows]
            vector = np.concatenate([np.zeros(inputs, np.float32), vector[rows:]])
        self.vector, self.own = vector, np.concatenate([vector, factors])
        bounds = np.full_like(factors, MAX_INPUT)
        bounds[-recipe.hidden :] = 0  # of features without a group
        self._limits = np.concatenate([limits_of(self._count, recipe.hidden), bounds])
        self._decays = _decays(recipe, inputs, len(vector), rows if number > 1 else 0, len(self.own))
        self.means, self.squares = np.zeros_like(self.own), np.zeros_like(self.own)
        self._gradients = np.zeros((recipe.threads, len(self.own)), np.float32)
        self.history: list[Epoch] = []
        self.step, self._loss = 0, 0.0
        self._threads = ThreadPoolExecutor(recipe.threads) if recipe.threads > 1 else None
        self._add_factors()
        self.best = self.vector.copy()

    @property
    def batches(self) -> int:
        """Batches of an epoch; positions left over at the end of its order are left out."""
        return max(1, len(self.data.train) // self.recipe.batch)

    @property
    def positions(self) -> int:
        """Positions learnt from, each counted as often as it was used."""
        return self.step * min(self.recipe.batch, len(self.data.train))

    @property
    def all_positions(self) -> int:
        """What `positions` is after all epochs."""
        return self.recipe.epochs * self.batches * min(self.recipe.batch, len(self.data.train))

    def is_over(self) -> bool:
        """Whether all epochs were made, or the last LEVEL_EPOCHS brought no progress."""
        held_out = [epoch.held_out for epoch in self.history]
        level = len(held_out) - 1 - int(np.argmin(held_out)) if held_out else 0
        return len(held_out) >= self.recipe.epochs or level >= LEVEL_EPOCHS

    def rate(self) -> float:
        """Adam's rate of the next step."""
        recipe = self.recipe
        part_done = self.step / (recipe.epochs * self.batches)
        fall: float = (1 + np.cos(np.pi * part_done)) / 2
        return recipe.final_rate + (recipe.rate - recipe.final_rate) * fall

    def steps(self) -> Iterator[None]:
        """Makes the steps that are left of an epoch, and yields after each."""
        epoch = len(self.history)
        order = np.random.default_rng([self.recipe.seed, epoch]).permutation(self.data.train)
        salt = int(np.random.default_rng([self.recipe.seed, epoch, 1]).integers(1, 1 << 62))
        size = self.recipe.batch
        for batch in range(self.step - epoch * self.batches, self.batches):
            self._learn(order[batch * size : (batch + 1) * size], salt)
            yield
        loss = self._loss / (self.batches * min(size, len(order)))
        held_out = float(self.errors(self.data.held_out).mean())
        self.history.append(Epoch(epoch + 1, loss, held_out, float(self.rate())))
        self._loss = 0.0
        if held_out <= min(each.held_out for each in self.history):
            self.best[:] = self.vector

    def _learn(self, order: "Indices", salt: int) -> None:
        """A step: the gradients of a batch, and Adam's move."""
        recipe, samples = self.recipe, self.data.samples
        weights = Weights.of(self.vector, self._count, recipe.hidden)

        def gradients(row: int, part_of_batch: "Indices") -> float:
            whole = self._gradients[row]
            found = Weights.of(whole[: len(self.vector)], self._count, recipe.hidden)
            error: float = add_gradients(
                samples, self.views, part_of_batch, weights, found, recipe.power, salt
            )
            gather_factors(whole, self._groups, self._count, recipe.hidden, len(self.vector))
            return error

        rate, share, step = float(self.rate()), 1.0 / len(order), self.step + 1
        steady = (self.own, self._limits, self._gradients, self.means, self.squares)

        def move(first: int, behind: int) -> None:
            for begin, end, decay in self._decays:
                adam(*steady, max(first, begin), min(behind, end), share, rate, decay, step)

        parts = np.array_split(order, recipe.threads)
        self._loss += sum(self._all(gradients, range(recipe.threads), parts))
        self._all(move, *self._shares(len(self.own)))
        self._add_factors()
        self.step += 1

    def _shares(self, count: int) -> tuple[list[int], list[int]]:
        """Where each thread's share of `count` things begins and ends."""
        edges = np.linspace(0, count, self.recipe.threads + 1).astype(int).tolist()
        return edges[:-1], edges[1:]

    def _add_factors(self) -> None:
        """Computes `vector` from `own`."""
        hidden, size = self.recipe.hidden, len(self.vector)

        def add(first: int, behind: int) -> None:
            add_factors(self.vector, self.own, self._groups, first, behind, hidden, size, MAX_INPUT)

        self._all(add, *self._shares(self._count))
        rest = self._count * hidden
        self.vector[rest:] = self.own[rest:size]

    def _all(self, function: Callable[..., T], *columns: Iterable[Any]) -> list[T]:
        """The results of a function for each row of arguments, one thread for each."""
        run = map if self._threads is None else self._threads.map
        return list(run(function, *columns))

    def logits(self, order: "Indices", vector: "Floats | None" = None) -> "Floats":
        """The network's outputs for samples, by default with the weights as they are now."""
        vector = self.vector if vector is None else vector
        weights = Weights.of(vector, self._count, self.recipe.hidden)
        found, threads = np.empty(len(order), np.float32), self.recipe.threads

        def write(indices: "Indices", logits: "Floats") -> None:
            write_logits(self.data.samples, self.views, indices, weights, logits)

        self._all(write, np.array_split(order, threads), np.array_split(found, threads))
        return found

    def errors(self, order: "Indices", vector: "Floats | None" = None) -> "npt.NDArray[np.float64]":
        """The error of each sample."""
        chances = 1 / (1 + np.exp(-self.logits(order, vector).astype(np.float64)))
        errors: npt.NDArray[np.float64] = (
            np.abs(chances - self.data.samples.targets[order]) ** self.recipe.power
        )
        return errors

    def save(self, path: Path) -> None:
        """Writes a checkpoint, all of it or nothing. Raises OSError."""
        state = {"recipe": self.recipe._asdict(), "data": self.data.fingerprint(), "step": self.step}
        state |= {"loss": self._loss, "history": [list(epoch) for epoch in self.history]}
        draft = path.with_name(f"{path.name}.{os.getpid()}.part")
        try:
            with open(draft, "wb") as file:
                text = np.frombuffer(json.dumps(state).encode(), np.uint8)
                np.savez(file, state=text, **{name: getattr(self, name) for name in ARRAYS})
                file.flush()
                os.fsync(file.fileno())
            os.replace(draft, path)
        finally:
            draft.unlink(missing_ok=True)

    def load(self, path: Path) -> None:
        """Continues from a checkpoint. Raises TrainingError for one that is damaged or of another run."""
        try:
            with np.load(path, allow_pickle=False) as found:
                state = json.loads(found["state"].tobytes())
                arrays = [found[name] for name in ARRAYS]
            recipe, data, history = state["recipe"], state["data"], state["history"]
        except OSError as error:
            raise TrainingError(f"{path}: cannot be read: {error.strerror or error}") from None
        except (ValueError, KeyError, TypeError, EOFError, BadZipFile) as error:
            raise TrainingError(f"{path}: not a checkpoint that can be read: {error}") from None
        wanted = self.recipe._asdict()
        changed = [name for name in wanted if recipe.get(name) != wanted[name]]
        differ = [f"{name} {recipe.get(name)}, not {wanted[name]}" for name in changed]
        if differ:
            raise TrainingError(f"{path}: the run was begun with {'; '.join(differ)}")
        if data != self.data.fingerprint():
            raise TrainingError(f"{path}: the run was begun with other positions; have its files grown?")
        for name, array in zip(ARRAYS, arrays, strict=True):
            if array.shape != getattr(self, name).shape or array.dtype != np.float32:
                raise TrainingError(f"{path}: {name}: {array.dtype} {array.shape} where weights should be")
            getattr(self, name)[:] = array
        self._add_factors()
        self.step, self._loss = state["step"], state["loss"]
        self.history = [Epoch(*epoch) for epoch in history]


@contextmanager
def _signals_noted() -> Iterator[list[int]]:
    """A list that is empty until the first Ctrl-C or SIGTERM."""
    noted: list[int] = []

    def note(number: int, frame: object) -> None:
        noted.append(number)

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield noted
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def train(
    training: Training,
    checkpoint: str | Path,
    tell: Callable[[int], object] = lambda positions: None,
    tell_epoch: Callable[[Epoch], object] = lambda epoch: None,
) -> bool:
    """Trains until the run is over, with checkpoints at `checkpoint`. Returns whether it is over: the first
    Ctrl-C or SIGTERM ends it earlier.

    `tell(positions)` is called after each step, `tell_epoch(epoch)` after each `Epoch`. Raises OSError."""
    checkpoint, saved = Path(checkpoint), time.monotonic()
    with _signals_noted() as noted:
        while not training.is_over():
            for _ in training.steps():
                tell(training.positions)
                if noted or time.monotonic() - saved > CHECKPOINT_SECONDS:
                    training.save(checkpoint)
                    saved = time.monotonic()
                if noted:
                    return False
            training.save(checkpoint)
            saved = time.monotonic()
            tell_epoch(training.history[-1])
    return True
