"""The search of games with walls: kings that can be taken, walls that block, and sides that cannot move."""

import pytest
from surajang import Engine, Position

pytestmark = [pytest.mark.compiled, pytest.mark.slow]


@pytest.fixture(scope="module")
def engine():
    return Engine("duck", hash_mb=1)


def test_king_that_can_be_taken_is_mate_in_one(engine):
    result = engine.play(Position("duck", "4k3/8/3*4/8/8/8/4R3/4K3 w - - 0 1"), depth=2)
    assert str(result.move).startswith("e2e8,")
    assert result.score.mate == 1


def test_king_that_is_attacked_is_not_left_to_be_taken(engine):
    position = Position("duck", "4k3/8/3*4/8/8/8/4R3/4K3 b - - 0 1")
    position.push(engine.play(position, depth=3).move)
    king = next(square for square, piece in position.pieces().items() if str(piece) == "k")
    assert king not in {move.to_square for move in position.legal_moves}


def test_engine_plays_a_legal_game_of_duck_chess(engine):
    position = Position("duck")
    while position.ply < 16 and position.result() is None:
        position.push(engine.play(position, depth=3).move)
    assert position.ply == 16 or position.result() is not None
