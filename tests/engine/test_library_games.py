"""Random games of every shipped game with public names only: written text is read back."""

import io
import pickle
import random

import pytest
import surajang

pytestmark = [pytest.mark.compiled, pytest.mark.usefixtures("seldom_compiled")]

GAMES = surajang.variants()
PLIES = 60
every_game = pytest.mark.parametrize("variant", GAMES)


def random_game(variant, seed=7):
    """A position at the end of a random game."""
    chance, position = random.Random(seed), surajang.Position(variant)
    while position.ply < PLIES and not position.is_game_over():
        position.push(chance.choice(position.legal_moves))
    return position


@every_game
def test_moves_come_back_from_their_notations(variant):
    chance, position = random.Random(8), surajang.Position(variant)
    for move in random_game(variant).move_stack:
        other = chance.choice(position.legal_moves)
        for each in (move, other):
            assert position.parse_san(position.san(each)) == each
            assert position.parse_move(each.uci()) == surajang.Move.parse(each.uci()) == each
            assert each in position.legal_moves and each.uci() in position.legal_moves
        position.push_san(position.san(move))
    assert position == random_game(variant)


@every_game
def test_positions_come_back_from_their_fens(variant):
    position = random_game(variant)
    while position.move_stack:
        again = surajang.Position(variant, position.fen())
        assert again == position and again.fen() == position.fen()
        position.pop()
    assert position == surajang.Position(variant)


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
    end = random_game(variant)
    position = end.root()
    for move in end.move_stack:
        captures, checks = position.is_capture(move), position.gives_check(move)
        before = len(position.pieces(colour=1 - position.turn))
        mover = position.turn
        position.push(move)
        assert position.is_check() == checks == bool(position.checkers())
        assert (len(position.pieces(colour=1 - mover)) < before) == captures
        assert position.outcome() == position.result()
