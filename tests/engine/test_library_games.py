"""Random games of every shipped game with public names only: written text is read back."""

import io
import pickle
import random
from functools import cache

import pytest
import surajang

# The texts of moves and positions do not depend on compiled code.
pytestmark = [pytest.mark.compiled, pytest.mark.usefixtures("seldom_compiled")]

GAMES = surajang.variants()
PLIES = 20
every_game = pytest.mark.parametrize("variant", GAMES)


@cache
def random_game(variant):
    """A position at the end of a random game. Its copies know the legal moves of all positions before."""
    chance, position = random.Random(7), surajang.Position(variant)
    while position.ply < PLIES and not position.is_game_over():
        position.push(chance.choice(position.legal_moves))
    return position


def steps(variant):
    """(position before, move, position after) for each move of the random game, the last move first."""
    position = random_game(variant).copy()
    while position.move_stack:
        after, move = position.copy(stack=False), position.pop()
        yield position, move, after


@every_game
def test_moves_come_back_from_their_notations(variant):
    chance = random.Random(8)
    for position, move, after in steps(variant):
        for each in (move, chance.choice(position.legal_moves)):
            assert position.parse_san(position.san(each)) == each
            assert position.parse_move(each.uci()) == surajang.Move.parse(each.uci()) == each
            assert each in position.legal_moves and each.uci() in position.legal_moves
        again = position.copy(stack=False)
        again.push_san(position.san(move))
        assert again == after


@every_game
def test_positions_come_back_from_their_fens(variant):
    start = surajang.Position(variant)
    for position in (*(after for *_, after in steps(variant)), start):
        again = surajang.Position(variant, position.fen())
        assert again == position and again.fen() == position.fen()
    assert random_game(variant).root() == start


@every_game
def test_games_come_back_from_pickle_and_pgn(variant):
    position = random_game(variant)
    again = pickle.loads(pickle.dumps(position))
    assert (again, again.move_stack, again.result()) == (position, position.move_stack, position.result())
    game = surajang.pgn.Game(variant)
    game.add_line(position.move_stack)
    (read,) = surajang.pgn.read_games(io.StringIO(f"{game}\n"))
    assert not read.errors and read.variant == variant
    assert [node.move for node in read.mainline()] == position.move_stack
    assert read.end().position() == position


@every_game
def test_captures_checks_and_pieces_agree_with_the_position_after_a_move(variant):
    for position, move, after in steps(variant):
        enemy = 1 - position.turn
        left = len(after.pieces(colour=enemy))
        assert (left < len(position.pieces(colour=enemy))) == position.is_capture(move)
        assert after.is_check() == position.gives_check(move) == bool(after.checkers())
        assert after.outcome() == after.result()
