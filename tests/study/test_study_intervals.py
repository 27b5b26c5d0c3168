"""Intervals of a study hold the true figure in 95 % of cases, and unknown ones are marked."""

import math

import numpy as np
import pytest
from surajang.study.figures.intervals import Interval, clipped, mean, mean_change, ratio, score, share

pytestmark = pytest.mark.pure

DRAWINGS = 600
LEAST_COVERAGE = 0.92  # of 95 % intervals: drawings are few, and counts are whole


@pytest.mark.parametrize("games", [20, 400])
@pytest.mark.parametrize(
    "chances", [(0.3, 0.3, 0.4), (0.02, 0.9, 0.08), (0.5, 0.0, 0.5), (0.05, 0.0, 0.95), (0.1, 0.5, 0.4)]
)
def test_score_lies_in_its_interval(games, chances):
    chance = np.random.default_rng(7)
    true = chances[2] + chances[1] / 2
    found = [score(*map(int, chance.multinomial(games, chances))) for _ in range(DRAWINGS)]
    covered = sum(each.low <= true <= each.high for each in found) / DRAWINGS
    assert covered >= LEAST_COVERAGE


@pytest.mark.parametrize("true", [0.02, 0.5, 0.9])
def test_share_lies_in_its_interval(true):
    chance = np.random.default_rng(8)
    found = [share(int(chance.binomial(100, true)), 100) for _ in range(DRAWINGS)]
    assert sum(each.low <= true <= each.high for each in found) / DRAWINGS >= LEAST_COVERAGE


def test_ratio_takes_a_game_for_one_unit():
    """Each game has its own share of captures, so another game is more information than another move."""
    chance = np.random.default_rng(9)
    hits = 0
    for _ in range(DRAWINGS):
        wholes = chance.integers(20, 120, 60)
        shares = chance.choice([0.1, 0.3], 60)
        found = ratio([float(n) for n in chance.binomial(wholes, shares)], [float(n) for n in wholes])
        hits += found.low <= 0.2 <= found.high
    assert hits / DRAWINGS >= LEAST_COVERAGE
    independent = share(12 * 60, 60 * 60)
    assert found.high - found.low > 1.5 * (independent.high - independent.low)


@pytest.mark.parametrize("results", [(0, 50, 0), (0, 0, 50), (50, 0, 0)])
def test_games_that_all_end_alike_still_leave_room(results):
    found = score(*results)
    assert found.value in (0, 0.5, 1)
    assert 0.02 < found.high - found.low < 0.12


def test_only_wins_reach_one_and_only_losses_reach_zero():
    assert score(0, 0, 30).high == 1 and score(30, 0, 0).low == 0
    assert share(0, 30).low == 0 and share(30, 30).high == 1


def test_draws_make_the_interval_smaller():
    drawn, decided = score(10, 80, 10), score(50, 0, 50)
    assert drawn.high - drawn.low < 0.6 * (decided.high - decided.low)


def test_nothing_played_is_unknown():
    for found in (score(0, 0, 0), share(0, 0), mean([]), ratio([], [])):
        assert not found.is_known and not found.excludes(0.5)


def test_one_game_has_no_error():
    found = mean([12.0])
    assert found.value == 12 and math.isnan(found.low) and not found.excludes(0)


def test_difference_is_less_certain_than_either_figure():
    difference = Interval(0.6, 0.55, 0.65) - Interval(0.5, 0.47, 0.53)
    assert difference.value == pytest.approx(0.1)
    assert difference.high - difference.value == pytest.approx(math.hypot(0.05, 0.03))
    uneven = Interval(0.6, 0.59, 0.65) - Interval(0.5, 0.47, 0.54)
    assert uneven.value - uneven.low == pytest.approx(math.hypot(0.01, 0.04)), (
        "up of one is down of the other"
    )


def test_mean_has_the_error_of_a_sample():
    """The variance of a sample has its number less 1 as divisor."""
    found = mean([0.0, 1.0])
    assert found.high - found.value == pytest.approx(1.96 * math.sqrt(0.5 / 2), abs=1e-3)


def test_ratio_that_all_games_share_is_certain():
    found = ratio([1, 2, 4], [2, 4, 8])
    assert found.value == found.low == found.high == 0.5
    assert ratio([0, 2, 4], [2, 4, 8]).high > 0.55


def test_change_that_no_pair_shows_is_not_known_to_be_zero():
    """Of 30 equal pairs a change in one game of ten may still be missed."""
    found = mean_change([0.0] * 30)
    assert found.value == 0 and found.high == -found.low
    assert 0.08 < found.high < 0.15
    assert mean_change([1.0, -1.0]).low == -1, "a difference of points is not below -1"
    assert mean_change([0.5, -0.5] * 50) == mean([0.5, -0.5] * 50)


def test_interval_of_a_share_stays_between_none_and_all():
    assert clipped(Interval(0.01, -0.02, 0.04), 1.0) == Interval(0.01, 0.0, 0.04)
    assert clipped(Interval(0.99, 0.9, 1.1), 1.0) == Interval(0.99, 0.9, 1.0)
