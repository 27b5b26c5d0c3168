"""The standings of a match from its games."""

import pytest
from surajang.match.records.model import MatchGame, MoveRecord, Opening, Record, Termination
from surajang.match.results.sprt import H1, Sprt
from surajang.match.results.standings import Standings
from surajang.match.results.statistics import Estimate, Tally

pytestmark = pytest.mark.pure

START = "4k3/8/8/8/8/8/8/4K3[] w - - 0 1"


def played(
    number,
    white,
    black,
    score,
    pair=None,
    replay=0,
    termination=Termination.NORMAL,
    fault=None,
    plies=(),
    moves=(),
):
    pair = number // 2 if pair is None else pair
    game = MatchGame(number, pair, white, black, Opening(START, tuple(moves)), replay)
    return Record(game, score, "reason", termination, list(plies), fault, overhead=0.002 * len(plies))


def standings_of(*records, names=("a", "b"), sprt=None):
    standings = Standings(names, sprt)
    for record in records:
        standings.add(record)
    return standings


def test_pair_counts_when_both_games_are_in_whatever_their_order():
    records = [
        played(3, 1, 0, "1/2-1/2"),  # with game 2: LD for a
        played(0, 0, 1, "1-0"),  # with game 1: WW
        played(2, 0, 1, "0-1"),
        played(4, 0, 1, "1-0"),  # alone
        played(1, 1, 0, "0-1"),
    ]
    standings = standings_of(*records)
    tally = standings.between(0, 1)
    assert tally == Tally([1, 1, 3], [0, 1, 0, 0, 1])
    assert standings.between(1, 0) == Tally([3, 1, 1], [1, 0, 0, 1, 0])
    assert standings.total(1) == standings.between(1, 0)
    assert standings.white == [2, 1, 2]
    assert standings.colours[0] == ([1, 0, 2], [0, 1, 1])
    assert standings.played == 5


def test_replay_counts_as_a_game_and_not_in_the_pair():
    records = [
        played(0, 0, 1, "1/2-1/2"),
        played(0, 1, 0, "1-0", replay=1),
        played(1, 1, 0, "0-1"),
    ]
    standings = standings_of(*records)
    assert standings.between(0, 1) == Tally([1, 1, 1], [0, 0, 0, 1, 0])
    assert standings.replays == 1


def test_game_counts_once_and_an_unfinished_one_not_at_all():
    standings = Standings(["a", "b"])
    assert not standings.add(played(0, 0, 1, "*", termination=Termination.UNTERMINATED))
    assert standings.add(played(0, 0, 1, "1-0"))
    assert not standings.add(played(0, 0, 1, "1-0"))
    assert (standings.played, standings.unfinished) == (1, 1)
    assert standings.between(0, 1).games == [0, 0, 1]


def test_faults_count_against_the_engine_that_made_them():
    standings = standings_of(
        played(0, 0, 1, "0-1", termination=Termination.TIME, fault=0),
        played(1, 1, 0, "1-0", termination=Termination.TIME, fault=0),
        played(2, 0, 1, "1-0", termination=Termination.ILLEGAL, fault=1),
        played(3, 1, 0, "1-0", termination=Termination.CRASH, fault=0),
    )
    assert standings.faults_of(0) == {Termination.TIME: 2, Termination.CRASH: 1}
    assert standings.faults_of(1) == {Termination.ILLEGAL: 1}


def test_figures_belong_to_the_engine_that_moved():
    plies = [
        MoveRecord("m", 1.0, depth=10, nodes=1000),
        MoveRecord("m", 3.0, depth=20, nodes=9000, reported=1.5),
        MoveRecord("m", 2.0),  # said nothing of its search
    ]
    standings = standings_of(played(0, 1, 0, "1-0", plies=plies, moves=["x"]))  # Black, engine 0, begins
    first, second = standings.figures
    assert (first.moves, first.seconds, first.slowest, first.depth, first.speed) == (2, 3.0, 2.0, 10, 1000)
    assert (second.moves, second.pace, second.depth, second.speed) == (1, 3.0, 20, 6000)
    assert standings.overhead_a_move == pytest.approx(0.002)


def test_speed_is_by_the_referees_clock_where_an_engine_tells_no_time_or_none_that_it_can_measure():
    plies = [MoveRecord("m", 0.5, nodes=100, reported=time) for time in (None, 0.0)]
    for ply in plies:
        assert standings_of(played(0, 0, 1, "1-0", plies=[ply], moves=["x"])).figures[1].speed == 200


def test_black_to_move_begins():
    record = played(0, 0, 1, "1-0", plies=[MoveRecord("m", 1.0)])
    record.game = MatchGame(0, 0, 0, 1, Opening(START.replace(" w ", " b ")))
    assert [figures.moves for figures in standings_of(record).figures] == [0, 1]


def test_decision_of_the_test_stays():
    standings = Standings(["a", "b"], Sprt(0, 200))
    number = 0
    while not standings.decision:
        standings.add(played(number, number % 2, 1 - number % 2, "1-0" if number % 2 == 0 else "0-1"))
        number += 1
    assert standings.decision == H1 and standings.llr >= standings.sprt.upper
    for later in range(number, number + 40):
        standings.add(played(later, later % 2, 1 - later % 2, "0-1" if later % 2 == 0 else "1-0"))
    assert standings.llr < 0 and standings.decision == H1


def test_test_needs_two_engines():
    with pytest.raises(ValueError, match="two"):
        Standings(["a", "b", "c"], Sprt(0, 5))


def test_table_of_several_engines_adds_up():
    standings = standings_of(
        played(0, 0, 1, "1-0"),
        played(1, 1, 0, "1/2-1/2"),
        played(2, 0, 2, "0-1"),
        played(3, 2, 1, "0-1"),
        names=("a", "b", "c"),
    )
    assert standings.total(0).games == [1, 1, 1]
    assert [(a, b, tally.games) for a, b, tally in standings.meetings()] == [
        (0, 1, [0, 1, 1]),
        (0, 2, [1, 0, 0]),
        (1, 2, [0, 0, 1]),
    ]
    estimates = standings.ratings()
    assert sum(estimate.value for estimate in estimates) == pytest.approx(0, abs=1e-6)
    assert all(isinstance(estimate, Estimate) for estimate in estimates)
    assert standings.elo(0) == estimates[0]
