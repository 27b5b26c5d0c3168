"""Goals on which a piece must not be captured: Dobutsu shogi and Jeson Mor beside slow models, and beside the
leaves that the boards of Cute Chess 1.5.1 count."""

import random

import pytest
from surajang import Position
from surajang.engine.movegen.perft import perft
from surajang.tests.support.referee_small import GAMES, SmallGame

pytestmark = [pytest.mark.compiled, pytest.mark.slow, pytest.mark.usefixtures("interpreted_positions")]

LEAVES = {"dobutsu": [4, 17, 123], "jesonmor": [30, 900, 27_960]}


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("name", GAMES)
def test_start_has_the_leaves_of_cute_chess(name):
    assert [perft(Position(name), depth) for depth in (1, 2, 3)] == LEAVES[name]


@pytest.mark.parametrize("name", GAMES)
def test_random_games_are_those_of_the_model(name):
    chance, ends = random.Random(name), set()
    for _ in range(20):
        position, model = Position(name), SmallGame(name)
        while (result := position.result()) is None:
            assert model.result() is None, position.fen()
            moves = sorted(str(move) for move in position.legal_moves())
            assert moves == sorted(model.moves()), position.fen()
            text = chance.choice(moves)
            position.push(text)
            model.push(text)
        assert result.score == model.result(), position.fen()
        ends.add(result.reason)
    assert len(ends) >= 2


def test_piece_that_can_be_captured_on_its_goal_wins_only_if_it_is_not():
    position = Position("dobutsu", "3/L1l/3/G2[] w - - 0 1")
    position.push("a3a4")
    assert position.result().score == "1-0"
    position = Position("dobutsu", "1g1/L2/2l/G2[] w - - 0 1")
    position.push("a3a4")
    assert position.result() is None
    captured = Position("dobutsu", position.fen())
    captured.push("b4a4")
    assert captured.result().score == "0-1"
    position.push("c2c3")
    assert position.result().score == "1-0"
