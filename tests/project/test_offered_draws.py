"""Draws that the engine may have at once, by answering a pass with a pass or by letting the kings face each
other: it takes them only if its position is worse."""

import pytest
from surajang import Engine, Position
from surajang.search.offered_draws import DRAW_MARGIN, offered_draws

pytestmark = pytest.mark.compiled

ROOK_UP = "3k5/9/9/9/9/9/9/9/4K4/R8 {} - - 0 1"
FACING = "5k3/9/9/9/9/9/9/9/4K4/R8 {} - - 0 1"  # Black has a move by which the kings face each other


@pytest.fixture(scope="module")
def engine():
    return Engine("janggi", hash_mb=4)


def play(engine, position, **limits):
    """(what `Engine.play` returns, its last report), from an empty table."""
    infos = []
    engine.clear()
    return engine.play(position, on_info=infos.append, **limits), infos[-1]


def passed(fen=None, *moves):
    """The position after the moves and a pass."""
    position = Position("janggi", fen)
    for move in (*moves, "0000"):
        position.push(move)
    return position


@pytest.mark.parametrize("depth", range(1, 9))
@pytest.mark.parametrize("moves", [(), ("a4b4", "a7b7"), ("h1g3",)])
def test_pass_in_the_opening_is_not_answered_by_a_pass(engine, moves, depth):
    start = Position("janggi").fen().replace(" Ss ", " - ")
    result, info = play(engine, passed(start, *moves), depth=depth)
    assert not result.move.is_pass and result.score.centipawns >= -DRAW_MARGIN
    assert info.pv[0] == result.move and info.score == result.score


def test_pass_that_draws_saves_a_game_that_is_lost(engine):
    result, info = play(engine, passed(ROOK_UP.format("w")), depth=5)
    assert result.move.is_pass and result.score.centipawns == 0
    assert info.pv == result.pv == (result.move,) and info.score.centipawns == 0


def test_pass_that_draws_throws_no_won_game_away(engine):
    result, _ = play(engine, passed(ROOK_UP.format("b")), depth=5)
    assert not result.move.is_pass and result.score.centipawns > DRAW_MARGIN


def facing():
    """Black has just moved its king onto White's file; every move that leaves the kings there draws."""
    position = Position("janggi", FACING.format("b"))
    position.push("f10e10")
    return position


def test_bikjang_is_avoided_by_who_stands_better(engine):
    position = facing()
    draws = offered_draws(position, position.legal_moves())
    assert {move.is_pass for move in draws} == {True, False}
    result, _ = play(engine, position, depth=5)
    assert result.move not in draws and result.score.centipawns > DRAW_MARGIN
    position.push(result.move)
    assert position.result() is None


def test_every_line_is_shown_where_several_are_wanted(engine):
    infos = []
    engine.clear()
    position = passed(ROOK_UP.format("b"))
    many = len(position.legal_moves())
    engine.play(position, depth=2, multipv=many, on_info=infos.append)
    last = [info for info in infos if info.depth == 2]
    assert sum(info.pv[0].is_pass and info.score.centipawns == 0 for info in last) == 1 and len(last) == many


def test_pass_that_alone_may_be_searched_is_played(engine):
    result, _ = play(engine, passed(ROOK_UP.format("b")), depth=2, searchmoves=["0000"])
    assert result.move.is_pass


def test_only_a_pass_after_a_pass_is_offered():
    position = Position("janggi", ROOK_UP.format("w"))
    assert offered_draws(position, position.legal_moves()) == []
    position.push("0000")
    assert [move.is_pass for move in offered_draws(position, position.legal_moves())] == [True]
    stalemating = Position("chess", "7k/5K2/8/6Q1/8/8/8/8 w - - 0 1")
    assert offered_draws(stalemating, stalemating.legal_moves()) == []
