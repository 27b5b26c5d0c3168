"""Fits the parameters of the evaluation to the results of games, by logistic regression.

After P. Österlund, "Texel's tuning method" (chessprogramming.org, 2014): the parameters minimise the error
with which sigmoid(evaluation / scale) predicts the results of the sampled games. The evaluation is linear in
material and squares, which are counted on the board; for each other parameter, finite differences of the
evaluation give its effect on each position. Steps of Adam then minimise the error, and the differences are
computed again around the result."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ...engine.definition.fen import FenError, Setup, parse
from ...engine.kernel.compiler import entry_point
from ...engine.variant import Variant
from ...eval.terms.evaluate import evaluate
from ...eval.terms.weights import Parameters, build_weights, tuned_parameters
from ..self_play.array_types import Doubles
from .linear_terms import PieceCounts
from .nonlinear_terms import TERMS, differences, number, with_number
from .records import records_of
from .samples import LabelledPositions, Sample, SampleError

FEWEST = 100  # positions
ROUNDS, STEPS = 4, 400  # Adam's steps in each round; differences are computed again before each round
RATE = 1.5  # about the largest change of a parameter in one step, in centipawns or its own unit
SCORE_SHARE = 0.3  # default share of the search's score in the target; the rest is the result
PULL = 2e-8  # error per squared centipawn of a parameter's change
SCALES = np.geomspace(40, 4000, 160)  # centipawns; range of scales that are tried
BETA_1, BETA_2, TINY = 0.9, 0.999, 1e-8  # of Adam, as in its paper
LAST_RATE = 0.1  # ratio of the last rate to the first one


class Adam:
    """Adam's steps for `size` numbers, `steps` in all (D. P. Kingma and J. Ba, "Adam: a method for stochastic
    optimization", 2015), with a falling rate. Each step moves a number by about `rate` at most, whatever its
    slope is."""

    def __init__(self, size: int, rate: float, steps: int) -> None:
        self._rate, self._steps = rate, steps
        self._step = 0
        self._mean, self._square = np.zeros(size), np.zeros(size)

    def move(self, slope: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """The next change of the numbers, for this gradient of the error."""
        self._step += 1
        self._mean = BETA_1 * self._mean + (1 - BETA_1) * slope
        self._square = BETA_2 * self._square + (1 - BETA_2) * slope**2
        mean = self._mean / (1 - BETA_1**self._step)
        size = np.sqrt(self._square / (1 - BETA_2**self._step))
        rate = self._rate * (1 - (1 - LAST_RATE) * self._step / self._steps)
        return -rate * mean / (size + TINY)


@entry_point
def _evaluate_all(rules, weights, positions, scores):
    """Writes the evaluation of each position, in centipawns for White, to `scores`."""
    for index in range(len(positions)):
        score = evaluate(rules, weights, positions[index])
        scores[index] = -score if positions[index].side else score


@dataclass
class Fit:
    """The result of a fit: the `parameters`, the errors before and after (mean logistic loss, in nats) on the
    training and the held-out samples, the `first` parameters, and the `scale` in centipawns."""

    first: Parameters
    parameters: Parameters
    scale: float
    before: float
    after: float
    held_before: float
    held_after: float


class Tuner:
    """The samples of one game as arrays, to which parameters can be fitted.

    `held` is the held-out share of the samples, at their end, by which the fit is judged: positions of one
    game are too similar to be in both parts. The samples of `games` follow the others. `progress` wraps the
    list of samples while they are loaded. Raises SampleError for too few samples and for a FEN that cannot be
    set up, VariantError for an unknown game."""

    def __init__(
        self,
        variant: Variant,
        samples: Sequence[Sample],
        games: Sequence[LabelledPositions] = (),
        held: float = 0.1,
        progress: Callable[[Sequence[Sample]], Iterable[Sample]] = iter,
    ) -> None:
        count = len(samples) + sum(len(each.positions) for each in games)
        if count < FEWEST:
            raise SampleError(f"{count} positions are too few to learn from; {FEWEST} are the least")
        self.rules, self.description = variant.rules, variant.description
        setups = (self._setup(sample) for sample in progress(samples))
        texts = LabelledPositions(
            records_of(setups, len(samples), self.rules, self.description),
            np.array([sample.score for sample in samples], float),
            np.array([sample.points for sample in samples], float),
        )
        columns = zip(texts, *games, strict=True)
        self.positions, self.scores, self.points = (np.concatenate(column) for column in columns)
        kept = round((1 - held) * count)
        self.learnt, self.held = np.arange(kept), np.arange(kept, count)
        self.counts = PieceCounts(self.positions, self.rules, self.description)

    def _setup(self, sample: Sample) -> Setup:
        """The position of a sample as plain data."""
        try:
            return parse(sample.fen, self.description)
        except FenError as error:
            where = f"{sample.where}: " if sample.where else ""
            raise SampleError(f"{where}{sample.fen!r}: {error}") from None

    def evaluations(self, parameters: Parameters) -> Doubles:
        """The evaluation of each position, White's view, in centipawns."""
        found = np.zeros(len(self.positions), np.int64)
        weights = build_weights(self.rules, self.description, parameters)
        _evaluate_all(self.rules, weights, self.positions, found)
        return found.astype(float)

    def scale(self, evaluations: Doubles) -> float:
        """The scale in centipawns at which the evaluations predict the points best."""
        learnt, points = evaluations[self.learnt], self.points[self.learnt]
        errors = [_loss(learnt / scale, points) for scale in SCALES]
        return float(SCALES[int(np.argmin(errors))])

    def fit(
        self,
        progress: Callable[[Sequence[int]], Iterable[int]] = iter,
        start: Parameters | None = None,
        pull: float = PULL,
        share: float = SCORE_SHARE,
    ) -> Fit:
        """Fits all parameters from `start` (by default those in use); returns a `Fit`.

        `progress` wraps the iterable of steps. `pull` is the error per squared centipawn of a parameter's
        change. A share `share` of the target is the chance from the search's score, with its own scale,
        because a network's scores may have other units than the evaluation. The rest is the result of the
        game."""
        first = current = start or tuned_parameters(self.rules, self.description)
        evaluations = self.evaluations(first)
        scale = self.scale(evaluations)
        expected = _sigmoid(self.scores / self.scale(self.scores))
        target = (1 - share) * self.points + share * expected
        aim = Objective(first, target, scale, pull)
        before = self._losses(evaluations, aim)
        for step in progress(range(ROUNDS * STEPS)):
            if step % STEPS == 0:
                around = LinearisedSteps(self, current, aim)
            around.step()
            if (step + 1) % STEPS == 0:
                current = around.parameters()
        evaluations = self.evaluations(current)
        after = self._losses(evaluations, aim)
        current = replace(current, scale=self.scale(evaluations))
        return Fit(first, current, scale, before[0], after[0], before[1], after[1])

    def _losses(self, evaluations: Doubles, aim: "Objective") -> list[float]:
        """The errors on the training and the held-out samples."""
        return [_loss(evaluations[part] / aim.scale, aim.target[part]) for part in (self.learnt, self.held)]


class Objective(NamedTuple):
    """The goal of a fit: `target` points by position, which sigmoid(evaluation / `scale`) should predict, and
    a `pull` towards the first parameters, `home`."""

    home: Parameters
    target: np.ndarray
    scale: float
    pull: float


class LinearisedSteps:
    """Steps from the parameters `centre`, around which the evaluation is linearised.

    The variables are the values of classes of squares and then, as distances from `centre`, those of the
    terms with an effect; `pace` is the change of each in a step of RATE centipawns."""

    def __init__(self, tuner: Tuner, centre: Parameters, aim: Objective) -> None:
        self._tuner, self._centre, self._aim = tuner, centre, aim
        self._base = tuner.evaluations(centre)
        self._changes, self._names = differences(centre, tuner.evaluations)
        self._start = self._numbers(centre)
        self._values, self._home = self._start.copy(), self._numbers(aim.home)
        self._board = tuner.counts.classes  # variables before those of the terms
        self._pace = np.ones(len(self._values))
        self._pace[self._board :] = [TERMS[name].pace for name, _ in self._names]
        self._least, self._most = self._bounds()
        self._learns = np.zeros(len(tuner.positions), bool)
        self._learns[tuner.learnt] = True
        self._adam = Adam(len(self._values), RATE, STEPS)

    def _numbers(self, parameters: Parameters) -> Doubles:
        terms = [number(parameters, *name) - number(self._centre, *name) for name in self._names]
        return np.concatenate([self._tuner.counts.values(parameters), terms])

    def _bounds(self) -> tuple[Doubles, Doubles]:
        """(least, largest) values of all variables."""
        least, most = np.full(len(self._values), -np.inf), np.full(len(self._values), np.inf)
        centre = np.array([number(self._centre, *name) for name in self._names])
        least[self._board :] = np.array([TERMS[name].least for name, _ in self._names]) - centre
        most[self._board :] = np.array([TERMS[name].most for name, _ in self._names]) - centre
        return least, most

    def step(self) -> None:
        """Changes all variables once, downhill."""
        move = self._adam.move(self._slope() * self._pace)
        self._values = np.clip(self._values + move * self._pace, self._least, self._most)

    def _slope(self) -> Doubles:
        """The gradient of the error and of the pull."""
        aim, moved = self._aim, self._values - self._start
        board, terms = moved[: self._board], moved[self._board :]
        found = self._base + self._tuner.counts.worth(board) + self._changes @ terms
        error = np.where(self._learns, _sigmoid(found / aim.scale) - aim.target, 0.0)
        error /= aim.scale * len(self._tuner.learnt)
        slope = np.concatenate([self._tuner.counts.slope(error), self._changes.T @ error])
        return slope + 2 * aim.pull * (self._values - self._home) / self._pace**2

    def parameters(self) -> Parameters:
        """The parameters with the current variables."""
        found = self._tuner.counts.with_values(self._centre, self._values[: self._board])
        for name, moved in zip(self._names, self._values[self._board :], strict=True):
            found = with_number(found, *name, number(found, *name) + float(moved))
        return found


def _sigmoid(x: Doubles) -> Doubles:
    return 1 / (1 + np.exp(-np.clip(x, -40, 40)))


def _loss(x: Doubles, target: Doubles) -> float:
    """The mean logistic loss in nats."""
    return float(np.mean(np.logaddexp(0, x) - target * x))
