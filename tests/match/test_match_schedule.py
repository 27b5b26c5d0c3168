"""Schedules: pairings, openings, order, and the remaining games after an interruption."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from surajang.match.games.schedule import (
    gauntlet,
    next_replay,
    replay_of,
    round_robin,
    unplayed,
)
from surajang.match.records.model import Opening, Record, Termination

pytestmark = pytest.mark.pure

OPENINGS = [Opening(f"position {number}", (), f"opening {number}") for number in range(6)]


def finished(game, score, termination=Termination.NORMAL):
    return Record(game, score, "a reason", termination)


def play_all(games, score_of, most_replays):
    """The records of a match in which `score_of(game)` is the result, and the games in their order."""
    records, waiting = [], list(games)
    while waiting:
        record = finished(waiting.pop(0), score_of())
        records.append(record)
        if again := next_replay(record, most_replays):
            waiting.append(again)
    return records


def test_head_to_head_plays_each_opening_with_both_colours_one_after_the_other():
    games = round_robin(2, OPENINGS[:3])
    assert [(game.white, game.black) for game in games] == [(0, 1), (1, 0)] * 3
    assert [game.pair for game in games] == [0, 0, 1, 1, 2, 2]
    assert [game.opening.name for game in games] == [f"opening {n}" for n in (0, 0, 1, 1, 2, 2)]
    assert all(game.replay == 0 for game in games)


@given(engines=st.integers(2, 9), rounds=st.integers(1, 6))
def test_in_a_round_robin_all_pairs_meet_from_each_opening_with_both_colours(engines, rounds):
    games = round_robin(engines, OPENINGS[:rounds])
    met = Counter((game.white, game.black, game.opening.name) for game in games)
    wanted = {
        (white, black, opening.name)
        for white in range(engines)
        for black in range(engines)
        if white != black
        for opening in OPENINGS[:rounds]
    }
    assert set(met) == wanted
    assert set(met.values()) == {1}


@given(engines=st.integers(2, 9))
def test_a_gauntlet_is_engine_0_against_each_other(engines):
    games = gauntlet(engines, OPENINGS)
    met = Counter(frozenset((game.white, game.black)) for game in games)
    assert met == {frozenset((0, other)): 2 * len(OPENINGS) for other in range(1, engines)}
    assert Counter(game.white for game in games)[0] == len(games) // 2


@given(
    kind=st.sampled_from([round_robin, gauntlet]),
    engines=st.integers(2, 7),
    rounds=st.integers(1, 5),
)
def test_numbers_count_up_and_stay_when_the_match_gets_longer(kind, engines, rounds):
    games = kind(engines, OPENINGS[:rounds])
    longer = kind(engines, OPENINGS)
    assert [game.number for game in games] == list(range(len(games)))
    assert longer[: len(games)] == games
    assert all(longer[number - 1].pair <= longer[number].pair for number in range(1, len(longer)))


@pytest.mark.parametrize("kind", [round_robin, gauntlet])
def test_wherever_a_match_stops_its_pairings_have_played_about_as_much(kind):
    games = kind(5, OPENINGS)
    pairings = {frozenset((game.white, game.black)) for game in games}
    for stop in range(len(games)):
        met = Counter(frozenset((game.white, game.black)) for game in games[:stop])
        counts = [met[pairing] for pairing in pairings]
        assert max(counts) - min(counts) <= 2


def test_in_a_round_robin_nobody_waits_for_the_others():
    games = round_robin(6, OPENINGS[:1])
    for stop in range(0, len(games), 6):
        played = Counter(engine for game in games[:stop] for engine in (game.white, game.black))
        assert {played[engine] for engine in range(6)} == {stop // 3}


def test_a_replay_has_the_same_opening_and_number_and_other_colours():
    game = round_robin(2, OPENINGS)[3]
    again = replay_of(game)
    assert (again.white, again.black, again.replay) == (game.black, game.white, 1)
    assert (again.number, again.pair, again.opening) == (game.number, game.pair, game.opening)
    assert replay_of(again) == replace(game, replay=2)


@pytest.mark.parametrize("score, replays", [("1-0", 0), ("0-1", 0), ("*", 0), ("1/2-1/2", 1)])
def test_only_a_draw_is_played_again(score, replays):
    game = round_robin(2, OPENINGS)[0]
    again = next_replay(finished(game, score), 5)
    assert (again is not None) == bool(replays)


def test_draws_are_played_again_only_so_often():
    games = round_robin(2, OPENINGS[:1])
    records = play_all(games, lambda: "1/2-1/2", 3)
    assert sorted((record.game.number, record.game.replay) for record in records) == [
        (number, replay) for number in (0, 1) for replay in range(4)
    ]
    assert next_replay(finished(games[0], "1/2-1/2"), 0) is None


def test_an_adjudicated_draw_is_a_draw():
    game = round_robin(2, OPENINGS)[0]
    assert next_replay(finished(game, "1/2-1/2", Termination.ADJUDICATION), 1) == replay_of(game)


def test_a_lost_clock_counts_as_played_and_an_interrupted_game_does_not():
    games = round_robin(2, OPENINGS[:2])
    records = [finished(games[0], "0-1", Termination.TIME), finished(games[2], "*", Termination.UNTERMINATED)]
    assert unplayed(games, records) == games[1:]


@given(st.data())
def test_remaining_games_complete_an_interrupted_match(data):
    games = round_robin(3, OPENINGS[:2])
    most = data.draw(st.integers(0, 2), "most replays")
    scores = data.draw(
        st.lists(st.sampled_from(["1-0", "0-1", "1/2-1/2"]), min_size=40, max_size=40), "scores"
    )
    records = play_all(games, iter(scores).__next__, most)
    stop = data.draw(st.integers(0, len(records)), "stop")
    done, rest = records[:stop], records[stop:]
    left = unplayed(games, done, most)
    assert len({game.number for game in left}) == len(left)
    first_missing = {}
    for record in rest:
        first_missing.setdefault(record.game.number, record.game)
    assert {game.number: game for game in left} == first_missing
    assert unplayed(games, records, most) == []


@pytest.mark.parametrize(
    "change",
    [
        {"number": 99},
        {"number": -1},
        {"pair": 3},
        {"white": 2},
        {"replay": 1},
        {"opening": OPENINGS[5]},
    ],
)
def test_a_record_of_another_match_is_refused(change):
    games = round_robin(2, OPENINGS[:2])
    other = replace(games[1], **change)
    with pytest.raises(ValueError, match=f"game {other.number + 1}"):
        unplayed(games, [finished(other, "1-0")])
