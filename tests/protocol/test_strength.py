"""Weaker play: the amount of search, and the choice among the best lines."""

import random
from collections import Counter

import pytest
from surajang import Info, Limit, Score
from surajang.protocol.session.search_thread import SearchRequest, weakened
from surajang.search import levels as strength
from surajang.search.levels import (
    LEVELS,
    Level,
    choose,
    elo_of_skill,
    level_for,
    level_of,
)

pytestmark = pytest.mark.pure


def lines(*scores):
    """Reports of one iteration, best first, each with its own line."""
    return [
        Info(3, 3, score if isinstance(score, Score) else Score(score), 1, 0.0, 1, 0, (number,), number)
        for number, score in enumerate(scores, 1)
    ]


def choices(level, *scores, times=2000):
    """How often each line is taken."""
    chance = random.Random(1)
    found = Counter(choose(lines(*scores), level, chance).multipv for _ in range(times))
    return [found[number] for number in range(1, len(scores) + 1)]


def test_table_is_one_of_growing_strength():
    levels = [LEVELS[elo] for elo in sorted(LEVELS)]
    assert [level.nodes for level in levels] == sorted({level.nodes for level in levels})
    lines = [level.lines for level in levels]
    assert lines == sorted(lines, reverse=True) and lines[-1] == 1
    assert [level.slack for level in levels] == sorted({level.slack for level in levels}, reverse=True)
    assert strength.LEAST_ELO <= strength.DEFAULT_ELO <= strength.MOST_ELO


def test_levels_between_those_of_the_table_lie_between_them():
    assert level_of(1310) == LEVELS[1310]
    below, between, above = level_of(1310), level_of(1540), level_of(1770)
    assert below.nodes < between.nodes < above.nodes
    assert between.slack == pytest.approx((below.slack + above.slack) / 2)
    assert below.lines >= between.lines >= above.lines
    assert level_of(1) == LEVELS[strength.LEAST_ELO] and level_of(9999) == LEVELS[strength.MOST_ELO]


def test_skill_levels_are_even_steps_up_to_full_strength():
    assert level_for(False, 1400, 0) == LEVELS[strength.LEAST_ELO]
    nodes = [level_for(False, 1400, skill).nodes for skill in range(strength.FULL_SKILL)]
    assert nodes == sorted(set(nodes)) and nodes[-1] < LEVELS[strength.MOST_ELO].nodes
    assert level_for(False, 1400, strength.FULL_SKILL) is None
    steps = [elo_of_skill(skill + 1) - elo_of_skill(skill) for skill in range(strength.FULL_SKILL - 1)]
    assert set(steps) == {150}


def test_elo_number_counts_before_the_skill():
    assert level_for(True, 1310, 3) == level_for(True, 1310, strength.FULL_SKILL) == LEVELS[1310]


def test_nodes_vary_around_those_of_the_level():
    chance = random.Random(1)
    level = Level(10_000, 4, 0.0)
    nodes = sorted(weakened(SearchRequest(Limit()), level, chance).limit.nodes for _ in range(1001))
    assert 9_000 < nodes[500] < 11_000
    assert nodes[50] < 7_000 < 14_000 < nodes[-50]


def test_other_limits_stay():
    request = SearchRequest(Limit(depth=3, nodes=5), multipv=9)
    assert weakened(request, Level(10_000, 4, 0.0)) == request
    assert weakened(SearchRequest(Limit()), Level(10_000, 4, 0.0)).multipv == 4


def test_better_lines_are_taken_more_often():
    often = choices(Level(1, 4, 50.0), 100, 60, -300)
    assert often[0] > often[1] > 100 and often[2] < 20


def test_less_slack_takes_the_best_line_more_often():
    shares = [choices(Level(1, 4, slack), 100, 60)[0] for slack in (200.0, 50.0, 10.0, 0.0)]
    assert shares == sorted(shares) and shares[-1] == 2000


def test_mates_are_seen_by_everybody():
    assert choices(Level(1, 4, 150.0), Score(31_990, 3), 90)[0] == 2000
    assert choices(Level(1, 4, 150.0), -100, Score(-31_990, -1))[0] == 2000
