"""Moves that are made while the search is still being compiled."""

import threading

import pytest
from surajang import Engine, Position, Score
from surajang.search.first_move import CLOCK_SHARE, FirstMove, SearchWait
from surajang.search.stop import Stop
from surajang.search.time_management import Clock, Limit, Ponder

pytestmark = [pytest.mark.compiled, pytest.mark.quick]

NEVER = threading.Event()


def chosen(fen=None, variant="chess"):
    """The move of a search of one ply."""
    position = Position(variant, fen)
    choice = FirstMove(position, position.legal_moves())
    assert choice.look(lambda: False)
    return choice.result(0.0)


@pytest.mark.parametrize(
    "fen, best",
    [
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1a8"),  # mates
        ("4k3/8/8/3q4/8/8/8/3RK3 w - - 0 1", "d1d5"),  # takes what hangs
        ("3rk3/8/8/3p4/8/8/8/K2Q4 w - - 0 1", None),  # leaves a guarded pawn alone
    ],
)
def test_move_takes_what_is_free_and_no_more(fen, best):
    move = str(chosen(fen).move)
    assert move == best if best else move != "d1d5"


def test_result_says_that_it_is_provisional():
    result = chosen()
    assert result.is_provisional and result.depth == 1 and result.pv == (result.move,)


def test_first_look_is_enough_for_a_legal_move():
    position = Position("chess")
    choice = FirstMove(position, position.legal_moves())
    assert not choice.look(lambda: True)
    assert choice.result(0.0).move in position.legal_moves()


def test_move_that_was_not_looked_at_has_an_even_score():
    position = Position("chess")
    assert FirstMove(position, position.legal_moves()).result(0.0).score == Score(0)


@pytest.mark.parametrize(
    "limit",
    [
        Limit(time=0.0),
        Limit(clock=Clock(0.0)),
        Limit(clock=Clock(0.02, moves_to_go=1)),
        Limit(time=60.0, clock=Clock(0.0)),
        Limit(time=0.0, clock=Clock(60.0)),
    ],
)
def test_wait_ends_before_the_time_does(limit):
    position = Position("chess")
    wait = SearchWait(position, position.legal_moves(), limit, 0.03)
    assert not wait.until(NEVER, Stop(), None)
    assert wait.result().move in position.legal_moves()


def test_wait_without_a_clock_ends_with_the_search_or_by_a_stop():
    position, ready, stop = Position("chess"), threading.Event(), Stop()
    wait = SearchWait(position, position.legal_moves(), Limit(depth=6), 0.03)
    threading.Timer(0.05, ready.set).start()
    assert wait.until(ready, stop, None)
    stop.set()
    assert not wait.until(NEVER, stop, None)


def test_time_does_not_run_while_the_other_side_is_to_move():
    position, ponder, ready = Position("chess"), Ponder(), threading.Event()
    wait = SearchWait(position, position.legal_moves(), Limit(time=0.0), 0.03)
    threading.Timer(0.05, ready.set).start()
    assert wait.until(ready, Stop(), ponder)


def test_search_has_the_rest_of_the_time():
    position = Position("chess")
    clock = Clock(60.0, 1.0, 20)
    for limit in (Limit(time=60.0), Limit(clock=clock), Limit(time=60.0, clock=clock)):
        wait = SearchWait(position, position.legal_moves(), limit, 0.03)
        wait._started -= 10
        rest = wait.rest()
        assert limit.time is None or rest.time == pytest.approx(50, abs=5)
        assert limit.clock is None or rest.clock.remaining == pytest.approx(50, abs=5)
    assert 0 < CLOCK_SHARE < 0.5


def test_engine_searches_by_the_rest_of_the_limit(monkeypatch):
    engine, position = Engine("chess", hash_mb=1), Position("chess")
    engine.defer_search()
    monkeypatch.setattr(SearchWait, "until", lambda *rest: True)
    monkeypatch.setattr(SearchWait, "rest", lambda self: Limit(depth=1))
    assert engine.play(position, depth=3).depth == 1


def test_engine_plays_provisional_moves_until_its_search_may_be_used():
    engine, position = Engine("chess", hash_mb=1), Position("chess")
    engine.defer_search()
    assert engine.play(position, movetime=0.0).is_provisional
    stop = Stop()
    stop.set()
    assert engine.play(position, depth=6, stop=stop).is_provisional
    engine.warm_up(position)
    engine.allow_search()
    result = engine.play(position, depth=2)
    assert not result.is_provisional and result.depth == 2
