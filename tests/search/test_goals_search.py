"""The search of games that a king wins by a step: the step is quiet, but neither late nor beyond
the horizon."""

import chess.variant
import pytest
from surajang import Engine, Position
from surajang.tests.support.short_wins import PythonChess, fastest_wins

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def engine():
    engine = Engine("kingofthehill", hash_mb=16, eval_file=False)
    yield engine
    engine.close()


@pytest.mark.parametrize(
    ("fen", "depth"),
    [
        ("8/k3P1n1/8/8/8/1P6/5K2/8 w - - 0 1", 2),
        ("8/8/5B2/4r3/8/2k1K3/8/8 w - - 0 1", 2),
        ("8/2P2n2/8/8/8/3Nr3/2P1K1k1/8 w - - 0 1", 2),
        ("8/5k2/8/7R/8/7p/4NpK1/8 w - - 0 1", 4),
        ("8/4K3/8/8/8/4R3/6pk/8 w - - 0 1", 4),
    ],
)
def test_second_step_to_the_goal_is_seen(engine, fen, depth):
    judge = PythonChess(chess.variant.KingOfTheHillBoard)
    plies, moves = fastest_wins(judge, judge.state(fen), 3)
    engine.clear()
    result = engine.play(Position("kingofthehill", fen), depth=depth)
    assert (plies, result.score.mate) == (3, 2)
    assert str(result.move) in moves


def test_step_behind_the_horizon_is_seen(engine):
    """White, to move, can guard only one of the goal squares beside Black's king."""
    position = Position("kingofthehill", "8/8/3k4/8/8/8/PP6/KB6 w - - 0 1")
    assert engine.play(position, depth=1).score.mate == -1


def test_step_that_another_piece_forbids_is_none(engine):
    """White's queen guards both goal squares beside Black's king."""
    position = Position("kingofthehill", "8/8/3k4/8/8/8/PP6/K6Q w - - 0 1")
    result = engine.play(position, depth=2)
    assert result.score.centipawns > 0 and result.score.mate is None
