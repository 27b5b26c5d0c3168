"""Each legal move can be replayed from a file of games; a move onto the king of the other side cannot."""

import random

import numpy as np
import pytest
from surajang import Position
from surajang.engine.kernel.interpreter import plain
from surajang.engine.movegen.entry_points import INTERPRETER
from surajang.learn.self_play.positions import Filter, can_be_played, is_kept

pytestmark = pytest.mark.compiled

GAMES = [
    *("antichess", "atomic", "chess960", "crazyhouse", "dobutsu", "extinction", "horde", "janggi"),
    *(
        "jesonmor",
        "pandemonium",
        "placement",
        "racingkings",
        "rifle",
        "seirawan",
        "selfcapture",
        "threekings",
    ),
]
PLIES = 12


@pytest.fixture
def playable(interpreted):
    """Whether a move of a position can be played, by interpreted code."""
    check = INTERPRETER.function(can_be_played)
    return lambda position, move: bool(check(plain(position.rules), plain(position.state), move.code))


@pytest.mark.parametrize("variant", GAMES)
def test_legal_moves_can_be_replayed(playable, variant):
    position, chance = Position(variant), random.Random(1)
    for _ in range(PLIES):
        moves = list(position.legal_moves())
        assert [move for move in moves if not playable(position, move)] == []
        if moves:
            position.push(chance.choice(moves))
    assert position.ply > 0


@pytest.mark.parametrize(
    ("variant", "fen"),
    [
        ("horde", "4k3/8/8/8/8/8/P7/7r b - - 0 1"),
        ("antichess", "8/8/8/8/8/8/P7/7r b - - 0 1"),
    ],
)
def test_squares_of_kings_that_do_not_exist_can_be_entered(playable, variant, fen):
    position = Position(variant, fen)
    moves = list(position.legal_moves())
    assert "h1a1" in map(str, moves)
    assert [move for move in moves if not playable(position, move)] == []


def test_king_cannot_be_taken(playable):
    position = Position("chess", "4k3/8/8/8/8/8/8/4K2R w - - 0 1")
    move = position.parse_move("h1h8")
    assert playable(position, move)
    other = Position("chess", "7k/8/8/8/8/8/7P/4K2R w - - 0 1")
    assert not playable(other, move)


@pytest.mark.parametrize(("variant", "kept"), [("chess", False), ("antichess", True)])
def test_position_whose_best_move_captures_is_kept_where_captures_are_mandatory(interpreted, variant, kept):
    position = Position(variant, "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    move, child = position.parse_move("e4d5"), position.copy()
    child.push("e4d5")
    arguments = (position.rules, position.state, child.state, move.code, 0, 9, np.array(Filter(), np.int64))
    assert INTERPRETER.function(is_kept)(*map(plain, arguments)) == kept
