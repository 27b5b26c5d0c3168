"""Ratings of more than two engines from all their games against each other."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from .statistics import LOGISTIC, Z95, Estimate, Tally

if TYPE_CHECKING:
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]
    Bools = npt.NDArray[np.bool_]

ROUNDS = 100  # of Newton's method, which takes about ten


def ratings(tallies: Mapping[tuple[int, int], Tally], engines: int) -> list[Estimate]:
    """An Estimate for each engine; `engines` is their number, and the finite ratings average to 0.

    `tallies` maps (a, b), each pair of engines once, to the Tally of a against b. Maximum likelihood of the
    model of Bradley and Terry with a draw as half a win; the errors come from Fisher's information times the
    observed spread of the results about the model's scores (a quasi-likelihood), so draws and pairs narrow
    them as they do in a match of two.

    Engines are rated against each other only within a group in which a chain of engines, each with points
    from the next, leads from each to each; the group with the most games counts. An engine that took points
    from it and gave none, also through others, is at +inf, one that only gave is at -inf, and one without
    such games has no rating (nan).
    """
    points, games = _cross_table(tallies, engines)
    reach = _reach(points)
    members = _largest_group(reach, games)
    if len(members) == 1:  # no group in which engines took points from each other
        return [
            _beyond(bool(own.any()), bool(lost.any())) for own, lost in zip(points, points.T, strict=True)
        ]
    rated = dict(zip(members, _rate_group(points, games, tallies, members), strict=True))
    one = members[0]
    return [rated.get(engine) or _beyond(reach[engine, one], reach[one, engine]) for engine in range(engines)]


def _largest_group(reach: "Bools", games: "Floats") -> tuple[int, ...]:
    mutual = reach & reach.T
    groups = {tuple(int(member) for member in np.flatnonzero(row)) for row in mutual}
    return max(sorted(groups), key=lambda group: games[np.ix_(group, group)].sum())


def _beyond(above: bool, below: bool) -> Estimate:
    """The rating of an engine outside the group."""
    return Estimate(math.nan if above == below else math.inf if above else -math.inf, math.nan)


def _cross_table(tallies: Mapping[tuple[int, int], Tally], engines: int) -> "tuple[Floats, Floats]":
    points, games = np.zeros((engines, engines)), np.zeros((engines, engines))
    for (a, b), tally in tallies.items():
        points[a, b] += tally.points
        points[b, a] += tally.played - tally.points
        games[a, b] += tally.played
        games[b, a] += tally.played
    return points, games


def _reach(points: "Floats") -> "Bools":
    """Whether a chain of engines, each with points from the next, leads from one to the other."""
    reach = (points > 0) | np.eye(len(points), dtype=bool)
    for middle in range(len(points)):
        reach |= np.outer(reach[:, middle], reach[middle])
    return reach


def _expected(rating: "Floats") -> "Floats":
    """Expected scores of each against each; ratings in units of the logistic curve."""
    return 1 / (1 + np.exp(rating[None, :] - rating[:, None]))


def _information(rating: "Floats", games: "Floats") -> "Floats":
    """Fisher's information on the ratings; singular, as only their differences matter."""
    expected = _expected(rating)
    weight = games * expected * expected.T
    return np.diag(weight.sum(axis=1)) - weight


def _rate_group(
    points: "Floats", games: "Floats", tallies: Mapping[tuple[int, int], Tally], members: Sequence[int]
) -> list[Estimate]:
    block = np.ix_(members, members)
    points, games = points[block], games[block]
    rating = np.zeros(len(members))
    for _ in range(ROUNDS):
        slope = (points - games * _expected(rating)).sum(axis=1)
        step = np.linalg.pinv(_information(rating, games)) @ slope
        rating += step / max(1, np.abs(step).max())  # a full step from afar may overshoot
        if np.abs(step).max() < 1e-10:
            break
    spread = np.linalg.pinv(_information(rating, games)) * _dispersion(rating, tallies, members)
    errors = Z95 * np.sqrt(np.diag(spread))
    return [Estimate(LOGISTIC * value, LOGISTIC * error) for value, error in zip(rating, errors, strict=True)]


def _dispersion(rating: "Floats", tallies: Mapping[tuple[int, int], Tally], members: Sequence[int]) -> float:
    """Pearson's dispersion: the spread of the results about the expected scores, as a multiple of that of
    games that are won or lost; nan where there are not more results than ratings."""
    expected, place = _expected(rating), {engine: index for index, engine in enumerate(members)}
    total, units = 0.0, 0
    for (a, b), tally in tallies.items():
        if a not in place or b not in place:
            continue
        total += tally.spread(expected[place[a], place[b]])
        units += sum(tally.counts)
    free = units - (len(members) - 1)
    return total / free if free > 0 else math.nan
