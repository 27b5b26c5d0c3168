"""Time odds: the odds of limits, the line through results, and the report."""

import math
from dataclasses import replace

import numpy as np
import pytest
from surajang.engine.variant import Variant
from surajang.match.games.schedule import pairings
from surajang.match.games.tournament import GAUNTLET, ODDS, ROUND_ROBIN, Tournament, TournamentError
from surajang.match.odds import OddsPoint, fitted, level_lines, odds_of, odds_table, points_of
from surajang.match.players.control import TimeControl, parse_clock
from surajang.match.players.spec import parse_engine
from surajang.match.records.model import Opening
from surajang.match.results.standings import Standings
from surajang.match.results.statistics import Tally, score_of_elo
from surajang.match.results.summary import as_text

pytestmark = pytest.mark.pure


def clock(text):
    moves, base, increment = parse_clock(text)
    return TimeControl(base=base, increment=increment, moves=moves)


def point(odds, wins, draws, losses):
    """Results of games that are in no pairs."""
    return OddsPoint(odds, Tally([losses, draws, wins]), "1+0.01", f"{odds:g}+{odds / 100:g}")


@pytest.mark.parametrize(
    ("first", "second", "odds"),
    [
        (clock("1+0.01"), clock("16+0.16"), 16),
        (clock("2+0.02"), clock("1+0.01"), 0.5),
        (clock("40/60"), clock("40/240"), 4),
        (clock("60"), clock("1+1"), 61 / 60),
        (TimeControl(movetime=0.1), TimeControl(movetime=0.8), 8),
        (TimeControl(movetime=1), clock("60"), 1),
        (TimeControl(nodes=1000), TimeControl(nodes=250), 0.25),
        (TimeControl(nodes=1000, depth=9), TimeControl(nodes=3000), 3),
    ],
    ids=str,
)
def test_odds_are_how_many_times_the_first_engine_s_limit_the_second_has(first, second, odds):
    assert odds_of(first, second) == pytest.approx(odds)


@pytest.mark.parametrize(
    ("second", "told"),
    [
        (TimeControl(nodes=1000), "seconds against nodes"),
        (TimeControl(depth=9), "depth=9 has neither time nor nodes"),
    ],
)
def test_limits_that_cannot_be_compared_give_no_odds(second, told):
    with pytest.raises(TournamentError, match=told):
        odds_of(clock("1+0.01"), second)


def expected_score(even, doubling, odds):
    """Of the first engine, by Elo at even time and for each doubling."""
    return score_of_elo(even - doubling * math.log2(odds))


def test_line_is_found_again():
    """With a million games at each odds, half of the points from draws."""
    points = []
    for odds in (1, 2, 8, 32):
        score = expected_score(420, 120, odds)
        draws = round(1e6 * min(score, 1 - score))
        wins = round(1e6 * score - draws / 2)
        points.append(point(odds, wins, draws, 1_000_000 - wins - draws))
    fit = fitted(points)
    assert fit.doubling.value == pytest.approx(120, rel=1e-3) and fit.level == pytest.approx(3.5, rel=1e-3)
    odds, low, high = fit.odds
    assert odds == pytest.approx(2**3.5, rel=1e-2) and low < odds < high < 1.02 * odds


def test_line_is_the_one_under_which_the_results_are_likeliest():
    """No other line on a fine grid around it is likelier."""
    points = [point(1, 55, 2, 3), point(4, 40, 4, 16), point(16, 20, 0, 40), point(64, 2, 6, 52)]
    fit = fitted(points)
    slope = fit.doubling.value
    line = fit.level * slope, slope

    def likelihood(even, doubling):
        total = 0.0
        for each in points:
            losses, draws, wins = each.tally.games
            score = expected_score(even, doubling, each.odds)
            total += (wins + draws / 2) * math.log(score) + (losses + draws / 2) * math.log(1 - score)
        return total

    for way in np.linspace(0, 2 * np.pi, 16, endpoint=False):
        for step in (0.3, 5.0, 40.0):
            assert likelihood(*line) > likelihood(
                line[0] + step * np.cos(way), line[1] + step * np.sin(way) / 3
            )


@pytest.mark.parametrize("dependent", [False, True])
def test_interval_of_the_level_holds_it_in_95_of_100_matches(dependent):
    """Also if both games of a pair mostly have the same result, which halves their information."""
    rng, held, matches = np.random.default_rng(11), 0, 400
    for _ in range(matches):
        points = []
        for odds in (2, 4, 8, 16):
            score = expected_score(300, 100, odds)
            one, other = rng.random((2, 50)) < score
            if dependent:
                other = np.where(rng.random(50) < 0.8, one, other)
            both = one.astype(int) + other
            wins = int(both.sum())
            pairs = [int((both == 0).sum()), 0, int((both == 1).sum()), 0, int((both == 2).sum())]
            points.append(OddsPoint(odds, Tally([100 - wins, 0, wins], pairs), "", ""))
        fit = fitted(points)
        held += abs(fit.level - 3) <= fit.error
    assert 0.92 <= held / matches <= 0.985


@pytest.mark.parametrize(
    "points",
    [
        [],
        [point(4, 10, 2, 8)],
        [point(4, 10, 2, 8), point(4, 3, 0, 17)],
        [point(4, 10, 2, 8), point(8, 0, 0, 0)],
    ],
    ids=len,
)
def test_games_at_one_odds_do_not_say_where_the_level_is(points):
    assert fitted(points) is None
    assert level_lines(points, ("a", "b")) == [
        "Games at two odds or more are needed to compute at which odds both are level."
    ]


@pytest.mark.parametrize(
    "points", [[point(1, 20, 0, 0), point(4, 20, 0, 0)], [point(1, 20, 0, 0), point(4, 0, 0, 20)]]
)
def test_results_without_a_finite_fit_are_reported(points):
    assert fitted(points) is None
    assert "no finite fit" in level_lines(points, ("a", "b"))[0]


def test_slope_that_may_be_nothing_gives_no_level():
    points = [point(1, 10, 0, 10), point(2, 9, 0, 11)]
    fit = fitted(points)
    assert fit.error == math.inf and fit.odds[1:] == (0, math.inf)
    said = level_lines(points, ("a", "b"))
    assert "± " in said[0] and "are unknown" in said[1]


def test_level_is_reported_with_its_bounds_and_whether_it_lies_beyond_what_was_played():
    points = [point(1, 95, 0, 5), point(4, 80, 0, 20), point(16, 40, 0, 60)]
    _, level = level_lines(points, ("us", "them"))
    fit = fitted(points)
    odds, low, high = fit.odds
    bounds = f"{odds:.3g} times the time ({low:.3g} to {high:.3g})"
    assert level == f"us and them are level where them has {bounds}." and 4 < low < odds < high < 40
    assert level_lines(points[:2], ("us", "them"))[1].endswith("beyond the odds that were played.")


def engines(*clocks):
    return tuple(
        replace(parse_engine(f"cmd=surajang tc={text}"), name=f"{name} {text}") for name, text in clocks
    )


OPENINGS = (Opening("start", (), "one"), Opening("start", ("e2e4",), "two"))
PAIRINGS = ((0, 1), (0, 2), (3, 2))


def at_odds():
    players = engines(("us", "1+0.01"), ("them", "4+0.04"), ("them", "16+0.16"), ("us", "2+0.02"))
    return Tournament(Variant("chess"), players, OPENINGS, ODDS, pairings=PAIRINGS)


def test_each_pair_of_clocks_plays_all_openings_with_both_colours():
    games = at_odds().schedule()
    assert games == pairings(PAIRINGS, OPENINGS) and [game.number for game in games] == list(range(12))
    met = [(game.opening.name, game.white, game.black) for game in games]
    assert sorted(met) == sorted(
        (opening.name, *colours)
        for opening in OPENINGS
        for first, second in PAIRINGS
        for colours in ((first, second), (second, first))
    )


def test_match_at_odds_is_kept_as_plain_data_and_older_matches_are_read():
    assert Tournament.from_json(at_odds().as_json()) == at_odds()
    older = Tournament(Variant("chess"), engines(("a", "1"), ("b", "1")), OPENINGS).as_json()
    del older["pairings"]
    assert Tournament.from_json(older).pairings == ()


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"pairings": ()}, "0 pairings for the tournament 'odds'"),
        ({"pairings": ((0, 4),)}, "engines 0 and 4 of 4"),
        ({"pairings": ((1, 1),)}, "engines 1 and 1"),
        ({"tournament": GAUNTLET}, "3 pairings for the tournament 'gauntlet'"),
    ],
)
def test_pairings_that_make_no_match_are_refused(changes, told):
    with pytest.raises(TournamentError, match=told):
        replace(at_odds(), **changes)


def test_points_are_those_of_the_first_engine_in_the_order_of_the_odds():
    configuration = at_odds()
    standings = Standings(configuration.names)
    standings._tallies[0, 1] = Tally([1, 2, 3])
    standings._tallies[0, 2] = Tally([4, 5, 6])
    standings._tallies[2, 3] = Tally([7, 8, 9])
    found = points_of(configuration, standings)
    assert [(each.odds, each.tally.games) for each in found] == [
        (4, [1, 2, 3]),
        (8, [9, 8, 7]),
        (16, [4, 5, 6]),
    ]
    assert (found[1].first, found[1].second) == ("2+0.02", "16+0.16")
    text = as_text([[odds_table(found, ("us", "them"))]])
    assert "2+0.02" in text and "+7 =8 -9" in text and "47.9" not in text.splitlines()[0]


def test_gauntlet_has_odds_and_a_round_robin_has_none():
    players = engines(("us", "1+0.01"), ("a", "4+0.04"), ("b", "16+0.16"))
    standings = Standings([spec.name for spec in players])
    found = points_of(Tournament(Variant("chess"), players, OPENINGS, GAUNTLET), standings)
    assert [each.odds for each in found] == [4, 16]
    with pytest.raises(TournamentError, match="a round-robin has no first engine"):
        points_of(Tournament(Variant("chess"), players, OPENINGS, ROUND_ROBIN), standings)
