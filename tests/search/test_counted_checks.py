"""Searches of games in which checks win: a check that loses a piece may win the game."""

import pytest
from surajang import Engine, Position

pytestmark = pytest.mark.compiled

# After 1. e3 c6 ... 14. Qh5 of a game: White has won two pieces, and loses by Nf3+, Qh4 and Qxf2.
SACRIFICES = "r2qk2r/pp3ppp/2p1b3/7Q/3B4/PP1BP3/3P1PPn/RN3RK1 b kq - 3+2 1 14"


@pytest.fixture(scope="module")
def engine():
    engine = Engine("3check", hash_mb=16)
    yield engine
    engine.close()


def test_checks_that_lose_pieces_are_found(engine):
    engine.clear()
    result = engine.play(Position("3check", SACRIFICES), depth=8, nodes=40_000)
    assert (str(result.move), result.score.mate) == ("h2f3", 4)


def test_last_check_wins_without_a_capture(engine):
    engine.clear()
    result = engine.play(Position("3check", "4k3/8/8/8/8/8/4P3/4K2R w - - 1+3 0 1"), depth=1)
    assert (str(result.move), result.score.mate) == ("h1h8", 1)


def test_threat_of_the_last_check_is_seen_beyond_the_horizon(engine):
    """One ply is searched; quiescence finds the check that does not capture."""
    engine.clear()
    position = Position("3check", "4k3/8/8/8/8/8/8/1K5R b - - 1+3 0 1")
    result = engine.play(position, depth=1, searchmoves=["e8f8"])
    assert result.score.mate == -1


def test_search_without_time_ends(engine):
    """Checks are searched deeper; that must not be without end."""
    engine.clear()
    queens = "qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 3+3 0 1"
    result = engine.play(Position("3check", queens), depth=3, nodes=1_000_000)
    assert result.nodes < 1_000_000
