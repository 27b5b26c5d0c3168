"""The values of pieces by the results of games.

A logistic regression explains White's points by the differences of the two sides' pieces on boards within the
games, on the board and in hand. The boards of a game share its result, so the error is that of games as
clusters (the sandwich estimator of P. J. Huber, 1967). Values are scaled so that the pieces at the start are
worth as much as in the game's file.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ...engine.game.description import Description
from ...match.results.statistics import Z95
from ..games.study_game import StudyGame
from .intervals import UNKNOWN, Interval
from .pieces import count_at_start

Floats = npt.NDArray[np.float64]
LEAST_GAMES = 30  # units in which the sides differ in a piece, for a value of it
LEAST_KINDS = 2  # with a value: that of one alone would be its own unit
STEPS = 50  # of Newton's method, at most
PRECISION = 1e-9
RIDGE = 1e-3  # of the penalty for squares of weights, in parts of a game
PARTS: tuple[Callable[[Floats], Floats], ...] = (  # of the rows of a game: all, and its halves
    lambda rows: rows,
    lambda rows: rows[: (len(rows) + 1) // 2],
    lambda rows: rows[len(rows) // 2 :],
)


@dataclass(frozen=True)
class ResultValue:
    """The value of a piece by results, in the units of the game's file (centipawns), on the board or in hand.

    `early` and `late` are those by the boards of the first and of the second half of each game; `in_file` is
    the value in the game's file."""

    letter: str
    name: str
    in_hand: bool
    value: Interval
    early: Interval
    late: Interval
    in_file: int

    @property
    def differs(self) -> bool:
        """Whether the value of the file lies outside the interval."""
        return self.value.excludes(self.in_file)


@dataclass(frozen=True)
class _Kind:
    letter: str
    name: str
    in_hand: bool
    in_file: int


def piece_values(
    games: Sequence[StudyGame], description: Description, openings: Sequence[object] | None = None
) -> tuple[ResultValue, ...]:
    """The values of the pieces by the results of `games`, those on the board first. Games of one of the
    `openings` are one unit of the errors; without them each game is. Kinds in which the sides differ in fewer
    than LEAST_GAMES units are left out. No values at all where the results do not depend on the pieces, and
    for one kind alone, whose value would be that of the unit."""
    kinds = _kinds(description)
    boards = [(_rows(game, kinds), game.points) for game in games]
    units = _numbered(openings if openings is not None else range(len(games)))
    whole, early, late = (
        _values_by([(part(rows), points) for rows, points in boards], units, kinds, description)
        for part in PARTS
    )
    return tuple(
        ResultValue(
            **vars(kind), value=whole[kind], early=early.get(kind, UNKNOWN), late=late.get(kind, UNKNOWN)
        )
        for kind in kinds
        if kind in whole
    )


def _numbered(openings: Sequence[object]) -> list[int]:
    numbers: dict[object, int] = {}
    return [numbers.setdefault(opening, len(numbers)) for opening in openings]


def _rows(game: StudyGame, kinds: Sequence[_Kind]) -> Floats:
    """The boards of a game, as rows of the differences of the two sides by kind."""
    boards = zip(game.boards, game.hands, strict=True)
    return np.array([_differences(*board, kinds) for board in boards], dtype=float)


def _values_by(
    games: Sequence[tuple[Floats, float]],
    units: Sequence[int],
    kinds: Sequence[_Kind],
    description: Description,
) -> dict[_Kind, Interval]:
    """The values by boards of games, each with White's points; `units` has the number of each game's unit."""
    if not games:
        return {}
    features = np.concatenate([rows for rows, _ in games])
    lengths = [len(rows) for rows, _ in games]
    numbers = np.repeat(np.array(units), lengths)
    weights = np.repeat(1 / np.array(lengths), lengths)
    points = np.repeat(np.array([points for _, points in games], dtype=float), lengths)
    enough = [len(set(numbers[column != 0])) >= LEAST_GAMES for column in features.T]
    kept = [kind for kind, is_enough in zip(kinds, enough, strict=True) if is_enough]
    if len(kept) < LEAST_KINDS:
        return {}
    found, covariance = fit(features[:, enough], points, weights, numbers)
    return _scaled(kept, found[1:], covariance[1:, 1:], description)


def fit(features: Floats, points: Floats, weights: Floats, units: Any) -> tuple[Floats, Floats]:
    """Weights of a logistic regression, the constant first, and their covariance with `units` as clusters.

    `features` is (boards, kinds), `points` White's points of each board's game from 0 to 1, `weights` that of
    each board, `units` the number of its game."""
    inputs = np.column_stack([np.ones(len(features)), features])
    ridge = RIDGE * np.eye(inputs.shape[1])
    found = np.zeros(inputs.shape[1])
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-np.clip(inputs @ found, -30, 30)))
        gradient = inputs.T @ (weights * (points - chances)) - ridge @ found
        curvature = (inputs * (weights * chances * (1 - chances))[:, None]).T @ inputs + ridge
        step = np.linalg.solve(curvature, gradient)
        found = found + step
        if np.abs(step).max() < PRECISION:
            break
    residuals = inputs * (weights * (points - chances))[:, None]
    sums = np.zeros((int(np.max(units)) + 1, inputs.shape[1]))
    np.add.at(sums, units, residuals)
    inverse = np.linalg.inv(curvature)
    return found, inverse @ (sums.T @ sums) @ inverse


def _scaled(
    kinds: Sequence[_Kind], found: Floats, covariance: Floats, description: Description
) -> dict[_Kind, Interval]:
    """Values in the units of the file, with errors that include that of the scale."""
    counts = np.array(
        [0 if kind.in_hand else count_at_start(kind.letter, description) for kind in kinds], dtype=float
    )
    total = counts @ found
    if not counts.any() or total <= Z95 * np.sqrt(counts @ covariance @ counts):
        return {}
    wanted = counts @ np.array([kind.in_file for kind in kinds])
    slopes = wanted * (np.eye(len(kinds)) / total - np.outer(found, counts) / total**2)
    errors = Z95 * np.sqrt(np.maximum(0, np.einsum("ij,jk,ik->i", slopes, covariance, slopes)))
    return {
        kind: Interval(float(value), float(value - error), float(value + error))
        for kind, value, error in zip(kinds, wanted * found / total, errors, strict=True)
    }


def _kinds(description: Description) -> list[_Kind]:
    pieces = [piece for piece in description.kinds if not piece.royal]
    hands = {piece.letter for piece in description.hand_pieces}
    return [_Kind(piece.letter, piece.name, False, piece.value) for piece in pieces] + [
        _Kind(piece.letter, piece.name, True, piece.hand_value) for piece in pieces if piece.letter in hands
    ]


def _differences(board: str, hand: str, kinds: Sequence[_Kind]) -> list[int]:
    """White's pieces less Black's, by kind; `board` and `hand` as in `StudyGame`."""
    return [
        (hand if kind.in_hand else board).count(kind.letter)
        - (hand if kind.in_hand else board).count(kind.letter.lower())
        for kind in kinds
    ]
