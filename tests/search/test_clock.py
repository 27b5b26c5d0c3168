"""Time management in numbers: no search runs here."""

from functools import partial
from itertools import pairwise, product, starmap

import pytest
from surajang import Clock
from surajang.engine.rules import rules_for
from surajang.search import time_management
from surajang.search.time_management import LAG_RATE, MOST_LAG_S, RESERVE, RESERVE_SHARE, ClockLag
from surajang.search.tree.tunable import tuned_facts

pytestmark = pytest.mark.pure

STABLE = range(0, 30)
DROPS = (-500, -1, 0, 1, 10, 30, 59, 60, 61, 200, 5_000)
SHARES = (0.0, 0.1, 0.3, 0.5, 0.8, 0.99, 1.0)
OVERHEADS = (0.0, 0.03, 0.5, 20.0)
REMAINING = (0.0, 0.02, 0.1, 1.0, 10.0, 300.0, 7200.0)


@pytest.fixture(params=["chess", "crazyhouse"])
def numbers(request):
    return tuned_facts(rules_for(request.param))


@pytest.fixture
def time_budget(numbers):
    """`time_budget` by the numbers of a game."""
    return partial(time_management.time_budget, numbers)


@pytest.fixture
def stretch(numbers):
    """`stretch` by the numbers of a game."""
    return partial(time_management.stretch, numbers)


@pytest.mark.parametrize("overhead", OVERHEADS)
def test_limits_never_exceed_the_clock(time_budget, overhead):
    for clock in starmap(Clock, product(REMAINING, (0.0, 0.1, 10.0), (None, 1, 2, 40))):
        limits = time_budget(clock, None, overhead)
        assert 0 <= limits.soft <= limits.hard <= max(0.0, clock.remaining - overhead), clock


@pytest.mark.parametrize("remaining", [-1.0, -1e9, 0.0])
def test_fallen_flag_leaves_no_time(time_budget, remaining):
    assert time_budget(Clock(remaining, 5.0), None) == (0.0, 0.0)


def test_more_time_is_never_used_for_less_thought(time_budget):
    for increment in (0.0, 2.0):
        for moves_to_go in (None, 1, 20):
            limits = [
                time_budget(Clock(seconds, increment, moves_to_go), None)
                for seconds in (0.1, 1.0, 5.0, 60.0, 600.0)
            ]
            assert limits == sorted(limits)
            assert limits[0] < limits[-1]


def test_more_moves_to_go_never_lengthen_a_move(time_budget):
    for increment in (0.0, 2.0):
        moves = (1, 2, 3, 5, 10, 31, 32, 33, 60, None)
        limits = [time_budget(Clock(60.0, increment, count), None) for count in moves]
        assert limits == sorted(limits, reverse=True)
        assert limits[0] > limits[-1]


def test_later_position_is_nearer_to_the_end(time_budget):
    """The planned number of moves does not fall to 0."""
    limits = [time_budget(Clock(60.0, 0.5), None, 0.0, ply) for ply in (0, 1, 2, 40, 400, 500)]
    assert limits[0] == limits[1]
    assert limits == sorted(limits) and limits[0] < limits[3] < limits[4] == limits[5]
    assert limits[4].soft < 60.0 / 8


def test_increment_lengthens_a_move(time_budget):
    limits = [time_budget(Clock(60.0, increment), None) for increment in (0.0, 0.5, 2.0)]
    assert all(one.soft < other.soft for one, other in pairwise(limits))


def test_whole_clock_is_not_spent_before_the_last_move_of_a_control(time_budget):
    for moves_to_go in (None, 2, 40):
        assert time_budget(Clock(60.0, 0.0, moves_to_go), None).hard <= 30.0
    assert time_budget(Clock(60.0, 0.0, 1), None).hard > 45.0


def test_overhead_is_kept_back(time_budget):
    limits = [time_budget(Clock(10.0, 0.0, 1), None, overhead) for overhead in OVERHEADS]
    assert all(one.hard > other.hard and one.soft > other.soft for one, other in pairwise(limits))
    assert limits[-1] == (0.0, 0.0)


@pytest.mark.parametrize("moves_to_go", [None, 1, 2])
@pytest.mark.parametrize("remaining", [0.01, 0.1, 0.4, 1.0, 10.0])
def test_some_of_the_clock_is_kept_for_a_stall(time_budget, remaining, moves_to_go):
    kept = min(RESERVE, RESERVE_SHARE * remaining)
    assert time_budget(Clock(remaining, 1.0, moves_to_go), None, 0.0).hard <= remaining - kept
    assert kept > 0


@pytest.mark.parametrize("increment", [0.01, 0.1])
def test_clock_with_an_increment_comes_back_above_its_reserve(time_budget, increment):
    """A player who always uses the soft limit, and a millisecond more, is ready for a stall."""
    remaining, lowest = 1.0, 1.0
    for _ in range(300):
        remaining += increment - time_budget(Clock(remaining, increment), None, 0.01).soft - 0.001
        lowest = min(lowest, remaining)
    assert lowest > RESERVE
    below = time_budget(Clock(RESERVE / 2, increment), None)
    assert 0 < below.soft <= below.hard < increment


def clock_after(time_budget, lag, moves, cost, increment):
    """(what is left of a second, what was left at the worst) after so many moves, each of which costs the
    clock `cost` seconds besides its search; `lag` learns."""
    remaining = lowest = 1.0
    for ply in range(0, 2 * moves, 2):
        clock = Clock(remaining, increment)
        lag.see(clock, ply)
        spent = time_budget(clock, None, ply=ply, lag=lag.seconds).soft
        lag.searched(clock, ply, spent)
        remaining += increment - spent - cost
        lowest = min(lowest, remaining)
    return remaining, lowest


class NoLag(ClockLag):
    """Learns nothing."""

    def see(self, clock, ply):
        pass


@pytest.mark.parametrize("cost", [0.004, 0.008, 0.0099])
def test_cost_of_moves_besides_their_search_does_not_use_up_the_clock(time_budget, cost):
    remaining, lowest = clock_after(time_budget, ClockLag(), 300, cost, 0.01)
    assert lowest > RESERVE
    assert clock_after(time_budget, NoLag(), 300, cost, 0.01)[1] < RESERVE
    assert remaining < 0.5  # what can be used is used


def test_costs_that_an_increment_covers_shorten_no_move(time_budget):
    clock = Clock(5.0, 0.05)
    assert time_budget(clock, None, lag=0.005) == time_budget(clock, None)
    assert time_budget(clock, None, lag=0.02).soft < time_budget(clock, None).soft
    assert time_budget(Clock(5.0), None, lag=0.02) == time_budget(Clock(5.0), None)


def test_lag_is_the_mean_of_what_is_missing_on_the_clock():
    lag, remaining = ClockLag(), 100.0
    for ply in range(0, 200, 2):
        lag.see(Clock(remaining, 1.0), ply)
        lag.searched(Clock(remaining, 1.0), ply, 0.5)
        remaining += 1.0 - 0.5 - (0.02 if ply % 4 else 0.0)
    assert lag.seconds == pytest.approx(0.01, abs=0.002)


@pytest.mark.parametrize(
    ("clock", "ply", "sample"),
    [
        (Clock(9.0), 2, 0.75),
        (Clock(9.76), 2, -0.01),  # a clock in whole hundredths may show more than expected
        (Clock(1.0), 2, MOST_LAG_S),
        (Clock(60.0), 2, None),  # a new session of the clock
        (Clock(9.0), 1, None),  # the opponent's clock
        (Clock(9.0), 0, None),  # another game
        (Clock(9.0), 4, None),
        (None, 2, None),
    ],
)
def test_lag_is_learned_from_the_next_move_of_a_player_alone(clock, ply, sample):
    lag = ClockLag()
    lag.searched(Clock(10.0), 0, 0.25)
    lag.see(clock, ply)
    assert lag.seconds == pytest.approx(0.0 if sample is None else LAG_RATE * sample)


def test_without_clock_and_movetime_there_is_no_limit(time_budget):
    assert time_budget(None, None) == (float("inf"), float("inf"))
    assert time_budget(None, 2.5).hard == 2.5


def test_movetime_is_all_used_and_the_clock_does_not_matter(time_budget):
    limits = time_budget(Clock(1.0), 2.5)
    assert limits == time_budget(None, 2.5)
    assert limits.soft >= limits.hard


# Stretching


@pytest.mark.parametrize("drop", DROPS)
def test_steady_best_move_never_lengthens_the_search(stretch, drop):
    for share in SHARES:
        factors = [stretch(stable, drop, share) for stable in STABLE]
        assert factors == sorted(factors, reverse=True), share
        assert factors[0] > factors[-1], share


@pytest.mark.parametrize("stable", (0, 1, 5, 7, 50))
def test_falling_score_never_shortens_the_search(stretch, stable):
    for share in SHARES:
        factors = [stretch(stable, drop, share) for drop in DROPS]
        assert factors == sorted(factors), share
        assert factors[0] < factors[-1], share


@pytest.mark.parametrize("stable", (0, 1, 5, 7, 50))
def test_more_effort_on_the_best_move_shortens_the_search(stretch, stable):
    for drop in DROPS:
        factors = [stretch(stable, drop, share) for share in SHARES]
        assert all(one > other for one, other in pairwise(factors)), drop


def test_stretch_stays_within_reason(stretch):
    factors = [stretch(*case) for case in product(STABLE, DROPS, SHARES)]
    assert min(factors) > 0.1
    assert max(factors) < 5
    assert stretch(2, 0, 0.5) == pytest.approx(1, abs=0.5)


def test_rising_score_is_no_trouble(stretch):
    assert stretch(3, -400, 0.5) == stretch(3, 0, 0.5)
