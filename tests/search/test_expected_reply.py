"""The reply that a search expects, which a GUI shows as the ponder move, and on which the engine ponders."""

import pytest
from surajang import Clock, Engine, Position
from surajang.tests.search.test_search import MIDDLE, position_of

pytestmark = [pytest.mark.compiled, pytest.mark.quick]

MATE_IN_ONE = "9k/1R8/R9/10/10/10/10/10/10/K9[] w - - 0 1"


@pytest.fixture(scope="module")
def engine():
    engine = Engine(hash_mb=16)
    yield engine
    engine.close()


def test_every_move_of_a_game_has_one(engine):
    """For any state of the search at the end of its time."""
    engine.clear()
    position, seen = Position(), 0
    while position.result() is None and seen < 60:
        result = engine.play(position, movetime=0.01)
        for move in result.pv:
            assert move in position.legal_moves()
            position.push(move)
        assert len(result.pv) > 1 or position.result() is not None
        for _ in result.pv[1:]:
            position.pop()
        seen += 1
    assert seen > 20


def test_line_that_was_known_before_the_end_continues(engine):
    """A stopped search has often found the same best move again, without a continuation."""
    again = 0
    for nodes in range(4_000, 12_000, 100):
        engine.clear()
        before = []
        result = engine.play(position_of(MIDDLE), nodes=nodes, on_info=before.append)
        assert int(engine.workers[0]["nodes"]) == nodes  # no look for a reply beyond them
        if result.move == before[-1].pv[0]:
            assert len(result.pv) > 1
            again += result.pv == before[-1].pv
    assert again > 20


@pytest.mark.parametrize(
    "limits", [{"movetime": 0.05}, {"clock": Clock(5.0)}, {"depth": 3}, {"nodes": 3_000}]
)
def test_end_of_the_game_has_none(engine, limits):
    engine.clear()
    result = engine.play(Position("pandemonium", MATE_IN_ONE), **limits)
    assert result.score.mate == 1 and result.pv == (result.move,)


def test_none_is_looked_for_when_the_clock_has_run_down(engine):
    for clock in (Clock(0.0), Clock(0.03, 0.01), Clock(0.02)):
        engine.clear()
        result = engine.play(position_of(MIDDLE), clock=clock)
        assert int(engine.workers[0]["nodes"]) == result.nodes


def test_draw_by_repetition_has_none(engine):
    """Though the other side could move on."""
    position = Position("pandemonium")
    for move in ["b1c3", "b10c8", "c3b1", "c8b10"] * 2:
        last = position.push(move)
    assert position.result() is not None
    position.pop()
    result = engine.play(position, movetime=0.02, searchmoves=[last])
    assert result.pv == (last,)
