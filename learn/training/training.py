"""Training of a network: epochs over a training set, a rate schedule, tests on held-out games, and
checkpoints.

The weights are float32 here; `quantisation` makes a file of them. Only the times of checkpoints depend on the
clock; a resumed run ends with the same weights as an uninterrupted one."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ...engine.kernel.compiler import part
from ...engine.kernel.parallel_compile import Part
from ...engine.variant import Variant
from ...eval.network.features import MAX_FEATURES, features_for
from ...eval.network.file import LANES, count_king_buckets
from ...protocol.terminal.interrupts import handled
from ..self_play.array_types import Doubles, Floats, Indices
from ..self_play.games_file import GamesError
from . import adam, checkpoint, gradients
from .adam import Learnt, Schedule, learnt_size
from .checkpoint import TrainingError
from .gradients import Blocks, Rows, Views, room_for_sums, size_of
from .king_buckets import king_bucket_table, king_buckets_of
from .mirroring import mirrored, other_side
from .pools import Pools
from .recipe import Epoch, Recipe
from .samples import Samples, samples_for
from .training_set import TrainingSet
from .weights import STATE, TrainedWeights

CHECKPOINT_SECONDS = 60.0
START_BIAS = 0.25  # initial bias of accumulators, with which most neurons learn from the beginning
LEVEL_EPOCHS = 5  # a run ends after so many epochs without progress on held-out games
KING_BUCKET_DECAY = 3.0
AVERAGED = 256  # approximate number of samples for the average of the weights


def entry_points(variant: Variant) -> list[Part]:
    """The functions that Python calls to train, as parts for `compile_ahead`."""
    samples, bytes_, whole = samples_for(0, 0), np.zeros(1, np.uint8), np.zeros(1, np.int64)
    words, order = np.zeros(1, np.uint16), np.zeros(1, np.uint32)
    views = Views.of(words, words, np.zeros((2, 1), np.uint8))
    counts = (1, 1, 1)
    learnt = Learnt.of(np.zeros(learnt_size(LANES, counts), np.float32), LANES, counts)
    vector = np.zeros(size_of(1, LANES), np.float32)
    weights, rows = Blocks.of(vector, 1, LANES), vector[None]
    schedule, groups = Schedule.of(np.zeros(1), 0.0, 0.0), np.zeros((1, 1), np.uint32)
    sums, share = room_for_sums(1, LANES), np.float32(1)
    known, step = (learnt, learnt, learnt), (schedule, 0, 1, share, 1)
    rest = (rows, sums, groups, sums, vector, schedule, share, 1)
    return [
        part(gradients.look, samples, views, order, 1, whole, bytes_),
        part(gradients.add_gradients, samples, order, words, whole, weights, weights, sums, 2.5, 0.0),
        part(gradients.write_logits, samples, views, order, weights, sums, vector),
        part(adam.catch_up, *known, weights.inputs, groups, bytes_, whole, schedule, 0, 1, 1),
        part(adam.move_inputs, *known, rows, sums, 1, bytes_, whole, *step),
        part(adam.move_rest, *known, *rest),
    ]


def first_weights(variant: Variant, recipe: Recipe, seen: npt.NDArray[np.bool_]) -> Floats:
    """The vector of initial weights: small random numbers, and 0 for features that are never `seen`."""
    features = features_for(variant)
    rng = np.random.default_rng(recipe.seed)
    vector = np.zeros(size_of(features.count, recipe.hidden), np.float32)
    weights = Rows.of(vector, features.count, recipe.hidden)
    spread = 1 / np.sqrt(features.pieces)
    weights.inputs[:] = rng.uniform(-spread, spread, weights.inputs.shape) * seen[:, None]
    weights.bias[:] = START_BIAS
    spread = 1 / np.sqrt(2 * recipe.hidden)
    weights.outputs[:] = rng.uniform(-spread, spread, (1, 2 * recipe.hidden))
    return vector


def _chosen_king_buckets(data: TrainingSet, recipe: Recipe) -> npt.NDArray[np.uint8] | None:
    """The king buckets that a run of this recipe begins with; None for a single bucket."""
    if recipe.king_buckets == 1:
        return None
    king_buckets = king_buckets_of(data.survey.kings, data.variant, recipe.king_buckets)
    return king_buckets if king_buckets.max() > 0 else None


class Training:
    """A training run.

    `weights` are the current ones, `best` the vector with the smallest held-out error, `history` the `Epoch`s
    so far, `step` the number of batches so far, of `total`. With a `vector` it begins with those weights,
    which may be those of `king_buckets`. Raises TrainingError for too many inputs."""

    def __init__(
        self,
        data: TrainingSet,
        recipe: Recipe,
        vector: Floats | None = None,
        king_buckets: npt.NDArray[np.uint8] | None = None,
    ) -> None:
        self.data, self.recipe, variant = data, recipe, data.variant
        features = features_for(variant).count
        self.king_buckets = _chosen_king_buckets(data, recipe) if king_buckets is None else king_buckets
        number = count_king_buckets(self.king_buckets)
        if number * features > MAX_FEATURES:
            raise TrainingError(f"{number} king buckets of {features} inputs are more than {MAX_FEATURES}")
        batches = data.positions // min(recipe.batch, data.positions)
        self.total = max(1, round(recipe.epochs * batches))
        self._pools = Pools(data, recipe.seed, recipe.batch, self.total)
        self._averaged_from = self.total - round(recipe.average * self.total)
        views = Views.of(
            other_side(variant), mirrored(variant), king_bucket_table(self.king_buckets, variant)
        )
        decays = (KING_BUCKET_DECAY if number > 1 else 1) * recipe.weight_decay, recipe.weight_decay
        schedule = Schedule.of(recipe.rates(self.total), *decays)
        self.weights = TrainedWeights(
            variant, recipe.hidden, self.king_buckets, views, schedule, recipe.threads
        )
        if vector is None:
            seen = data.survey.seen | data.survey.seen[views.other[0]]
            vector = first_weights(variant, recipe, seen | seen[views.own[1]])
        self.weights.begin(vector, number > 1 and king_buckets is None)
        self.history: list[Epoch] = []
        self._loss, self._losses = 0.0, 0
        self.average = np.zeros(
            size_of(self.weights.inputs, recipe.hidden) if recipe.average else 0, np.float32
        )
        self._taken = 0  # samples in the average of the weights
        self.best = self.weights.vector()

    @property
    def step(self) -> int:
        """The batches so far."""
        return self.weights.step

    @property
    def batches(self) -> int:
        """Batches of an epoch; leftover positions at the end of its order are skipped."""
        return self._pools.batches

    @property
    def positions(self) -> int:
        """The training positions so far, each counted as often as it was used."""
        return self.step * self._pools.batch

    @property
    def all_positions(self) -> int:
        """The value of `positions` after all epochs."""
        return self.total * self._pools.batch

    def is_over(self) -> bool:
        """Whether all steps are done, or the last LEVEL_EPOCHS epochs brought no progress."""
        held_out = [epoch.held_out for epoch in self.history]
        level = len(held_out) - 1 - int(np.argmin(held_out)) if held_out else 0
        return (self.step >= self.total and self._losses == 0) or level >= LEVEL_EPOCHS

    def rate(self) -> float:
        """Adam's rate of the next step, or of the last one at the end."""
        return float(self.weights.schedule.rates[min(self.step + 1, self.total)])

    def steps(self) -> Iterator[None]:
        """Makes the remaining steps of an epoch and yields after each. Raises GamesError if a file has
        changed."""
        epoch = (self.step - self._losses) // self.batches
        behind = min(self.batches, self.total - epoch * self.batches)
        first = self.step - epoch * self.batches
        if first < behind:
            for batch in self._pools.batches_of(epoch, first):
                share = self.recipe.result_share * self.step / self.total
                self._loss += self.weights.learn(*batch, self.recipe.power, share)
                self._losses += 1
                self._take_average()
                yield
                if self.step - epoch * self.batches == behind:
                    break
        self._test(epoch + behind / self.batches)

    def _take_average(self) -> None:
        """Adds the weights to their average when it is due."""
        since = self.step - self._averaged_from
        every = max(1, (self.total - self._averaged_from) // AVERAGED)
        if len(self.average) and since > 0 and (since % every == 0 or self.step == self.total):
            self._taken += 1
            self.average += (self.weights.blocks() - self.average) / np.float32(self._taken)

    def candidate(self) -> Floats:
        """The vector of weights for a network: their average if there is one, otherwise the current ones."""
        if not self._taken:
            return self.weights.vector()
        return gradients.rows_of(self.average, self.weights.inputs, self.recipe.hidden)

    def _test(self, epoch: float) -> None:
        candidate = self.candidate()
        held_out = float(self.errors(self.data.held_out, vector=candidate).mean())
        loss = self._loss / (self._losses * self._pools.batch)
        passes = int(epoch) if epoch == int(epoch) else round(epoch, 4)
        self.history.append(Epoch(passes, loss, held_out, self.rate()))
        self._loss, self._losses = 0.0, 0
        if held_out <= min(each.held_out for each in self.history):
            self.best = candidate

    def logits(self, samples: Samples, order: Indices | None = None, vector: Floats | None = None) -> Floats:
        """The network's outputs for samples, all or those in `order`, by default with the current weights."""
        order = np.arange(len(samples.targets), dtype=np.uint32) if order is None else order
        return self.weights.logits(samples, order, vector)

    def errors(self, samples: Samples, order: Indices | None = None, vector: Floats | None = None) -> Doubles:
        """The error of each sample, all or those in `order`, by the targets at the end of the run."""
        chosen = slice(None) if order is None else order
        logits, share = self.logits(samples, order, vector), self.recipe.result_share
        chances = 1 / (1 + np.exp(-logits.astype(np.float64)))
        results = (samples.results[chosen] + 1.0) / 2
        targets = (1 - share) * samples.targets[chosen] + share * results
        errors: Doubles = np.abs(chances - targets) ** self.recipe.power
        return errors

    def save(self, path: Path) -> None:
        """Writes a checkpoint atomically. Raises OSError."""
        files = [[str(file.path.resolve()), file.size] for file in self.data.survey.files]
        state = {"recipe": self.recipe._asdict(), "data": self.data.survey.fingerprint(), "step": self.step}
        state |= {"files": files, "loss": self._loss, "losses": self._losses, "taken": self._taken}
        state |= {"history": [list(epoch) for epoch in self.history]}
        arrays = {name: getattr(self.weights, name) for name in STATE}
        checkpoint.save(path, state, arrays | {"best": self.best, "average": self.average})

    def load(self, path: Path) -> None:
        """Continues from a checkpoint. Raises TrainingError if it is damaged or of another run."""
        state, arrays = checkpoint.load(path, (*STATE, "best", "average"))
        try:
            self._refuse_other(path, state)
            mine = {name: getattr(self.weights, name) for name in STATE}
            mine |= {"best": self.best, "average": self.average}
            for name, array in arrays.items():
                if array.shape != mine[name].shape or array.dtype != mine[name].dtype:
                    raise TrainingError(
                        f"{path}: {name}: {array.dtype} {array.shape} where weights should be"
                    )
            for name, array in arrays.items():
                mine[name][:] = array
            self.weights.step, self._taken = state["step"], state["taken"]
            self._loss, self._losses = state["loss"], state["losses"]
            self.history = [Epoch(*epoch) for epoch in state["history"]]
        except (KeyError, TypeError) as error:
            raise TrainingError(f"{path}: not a readable checkpoint: {error!r}") from None

    def _refuse_other(self, path: Path, state: dict[str, Any]) -> None:
        """Raises TrainingError if the state is that of another run."""
        recipe, wanted = state["recipe"], self.recipe._asdict()
        changed = [name for name in wanted if recipe.get(name) != wanted[name]]
        differ = [f"{name} {recipe.get(name)}, not {wanted[name]}" for name in changed]
        if differ:
            raise TrainingError(f"{path}: the run was begun with {'; '.join(differ)}")
        if state["data"] != self.data.survey.fingerprint():
            raise TrainingError(f"{path}: the run was begun with other positions")

    def close(self) -> None:
        """Ends the threads."""
        self._pools.close()


class _Keeper:
    """Writes checkpoints of a run to `path`; a failure is reported and tried again later."""

    def __init__(self, training: Training, path: Path, tell_failure: Callable[[str], object]) -> None:
        self._training, self._path, self._tell = training, path, tell_failure
        self._saved = time.monotonic()

    def is_due(self) -> bool:
        """Whether the next checkpoint is due."""
        return time.monotonic() - self._saved > CHECKPOINT_SECONDS

    def save(self) -> None:
        """Writes a checkpoint."""
        self._saved = time.monotonic()
        try:
            self._training.save(self._path)
        except OSError as error:
            then = "the previous one stays" if self._path.exists() else "there is none yet"
            self._tell(f"{self._path}: the checkpoint cannot be written: {error.strerror or error}; {then}")


def train(
    training: Training,
    path: str | Path,
    tell: Callable[[int], object] = lambda positions: None,
    tell_epoch: Callable[[Epoch], object] = lambda epoch: None,
    tell_failure: Callable[[str], object] = lambda text: None,
) -> bool:
    """Trains until the run is over, with checkpoints at `path`. Returns whether it is complete: the first
    Ctrl-C or SIGTERM interrupts it.

    `tell(positions)` is called after each step, `tell_epoch(epoch)` after each `Epoch`, `tell_failure(text)`
    if a checkpoint cannot be written. Raises GamesError if a file of games has changed."""
    keeper = _Keeper(training, Path(path), tell_failure)
    noted: list[int] = []  # signals
    with handled(lambda number, frame: noted.append(number)):
        while not training.is_over():
            try:
                for _ in training.steps():
                    tell(training.positions)
                    if noted or keeper.is_due():
                        keeper.save()
                    if noted:
                        return False
            except GamesError:
                keeper.save()
                raise
            keeper.save()
            tell_epoch(training.history[-1])
    return True
