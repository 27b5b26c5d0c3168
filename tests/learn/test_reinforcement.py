"""`surajang.rl`: actions, planes, PettingZoo's environment, and files of games as arrays."""

import builtins
import random
import sys

import chess
import numpy as np
import pytest
import surajang
from pettingzoo.test import api_test, seed_test
from surajang import BLACK, WHITE, IllegalMoveError, Position, rl
from surajang.engine.definition import catalogue
from surajang.learn.self_play.compiled_games import NO_SCORE, Settings
from surajang.tests.support.san_referees import random_positions
from surajang.tests.support.self_played import write_self_play

pytestmark = pytest.mark.compiled

SETTINGS = Settings(nodes=60, plies=4, seed=5)
every_game = pytest.mark.parametrize("variant", catalogue.available())
interpreted = pytest.mark.usefixtures("interpreted")


@interpreted
@every_game
def test_each_legal_move_has_an_action_of_its_own(variant):
    actions, chance = rl.Actions(variant), random.Random(1)
    for position in random_positions(variant, 20, 1):
        moves = position.legal_moves()
        numbers = [actions.of(move) for move in moves]
        assert len(set(numbers)) == len(moves)
        assert np.flatnonzero(actions.mask(position)).tolist() == sorted(numbers)
        for move in chance.sample(moves, min(4, len(moves))):
            assert actions.move(position, actions.of(move)) == move


def test_castling_is_the_action_of_its_text():
    position = Position("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    action = rl.Actions("chess").of(position.parse_move("e1g1"))
    assert action == chess.E1 * 64 + chess.G1


LEAPING_KING = """
extends = "chess"
name = "leaping"
title = "Leaping kings"

[pieces]
K = { name = "King", moves = "KD", royal = true }
"""


@interpreted
def test_castling_and_a_step_of_the_king_to_the_same_square_have_two_actions():
    position = Position.from_toml(LEAPING_KING, "4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    actions = rl.Actions(position.variant)
    step, castling = (actions.of(position.parse_move(text)) for text in ("e1g1", "e1h1"))
    assert (step, castling) == (chess.E1 * 64 + chess.G1, chess.E1 * 64 + chess.H1)


def test_action_of_an_illegal_move_is_refused():
    position = Position("chess")
    with pytest.raises(IllegalMoveError, match="'797'"):
        rl.Actions("chess").move(position, 797)


@interpreted
@every_game
def test_planes_show_pieces_hands_and_the_side_to_move(variant):
    shown = rl.Planes(variant)
    for position in random_positions(variant, 12, 2):
        stack = rl.planes(position)
        planes = dict(zip(shown.names, stack, strict=True))
        game = position.description
        for number, piece in enumerate(game.pieces):
            for colour, side in ((WHITE, "White"), (BLACK, "Black")):
                squares = stack[colour * len(game.pieces) + number].reshape(-1)
                letter = piece.letter if colour == WHITE else piece.letter.lower()
                wanted = [square for square in range(game.squares) if position.letter_at(square) == letter]
                assert np.flatnonzero(squares).tolist() == wanted
                if piece in game.hand_pieces:
                    held = position.hand(colour).get(piece.letter, 0)
                    assert np.all(planes[f"{side}'s hand: {piece.name}"] == held)
        assert np.all(planes["Black to move"] == position.turn)
        assert np.allclose(planes["moves without progress"], position.halfmove_clock / 100)


def test_planes_show_castling_rights_and_captures_in_passing():
    fen = "r3k2r/8/8/2Pp4/8/8/8/R3K2R w Kq d6 0 1"
    planes = dict(zip(rl.Planes("chess").names, rl.planes(Position("chess", fen)), strict=True))
    rights = {name[-1]: planes[name].min() for name in planes if name.startswith("castling")}
    assert rights == {"K": 1, "Q": 0, "k": 0, "q": 1}
    assert np.flatnonzero(planes["captures in passing"]).tolist() == [chess.D6]


def test_planes_show_passes_and_choices():
    position = Position("janggi")
    position.push("e2e2")
    names = rl.Planes("janggi").names
    assert rl.planes(position)[names.index("the other side has passed")].min() == 1
    names = rl.Planes("placement").names
    assert not any("may still choose" in name for name in names)


@pytest.mark.parametrize("variant", ["chess", "crazyhouse", "janggi"])
def test_environment_passes_the_tests_of_pettingzoo(variant):
    with pytest.warns(UserWarning, match="Observation"):  # they expect arrays, and know action masks as well
        api_test(rl.env(variant), num_cycles=200)
    seed_test(lambda: rl.env(variant), num_cycles=30)


def play(environment, texts):
    """Plays moves; returns the rewards of both agents so far."""
    environment.reset()
    for text in texts:
        environment.step(environment.unwrapped.action_of(text))
    return environment.unwrapped


def test_winner_gets_one_and_loser_minus_one():
    game = play(rl.env("chess"), ["f2f3", "e7e5", "g2g4", "d8h4"])
    assert game.rewards == {"player_0": -1, "player_1": 1}
    assert all(game.terminations.values())
    assert game.infos["player_0"] == {"result": "0-1", "reason": "Black mates"}


def test_draw_gives_nothing():
    environment = rl.env("chess", "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1")
    game = play(environment, ["f1f7"])
    assert game.rewards == {"player_0": 0, "player_1": 0}
    assert all(game.terminations.values())


def test_agent_of_the_side_to_move_of_the_fen_begins():
    environment = rl.env("chess", "7k/8/8/8/8/8/8/K6R b - - 0 1")
    environment.reset()
    assert environment.agent_selection == "player_1"


def test_mask_is_empty_for_the_agent_that_waits():
    environment = rl.GameEnvironment("chess")
    assert environment.observe("player_0")["action_mask"].sum() == 20
    assert environment.observe("player_1")["action_mask"].sum() == 0


def test_illegal_action_loses_the_game():
    environment = rl.env("chess")
    environment.reset()
    environment.step(0)
    assert environment.unwrapped.rewards["player_0"] == -1
    with pytest.raises(IllegalMoveError, match="action mask"):
        rl.GameEnvironment("chess").step(0)


def test_game_is_truncated_after_max_plies():
    game = play(rl.env("chess", max_plies=2), ["e2e4", "e7e5"])
    assert all(game.truncations.values())
    assert not any(game.terminations.values())


def test_environment_renders_text_and_pictures(capsys):
    assert rl.env("chess", render_mode="ansi").unwrapped.render() == str(Position("chess"))
    assert rl.env("chess", render_mode="svg").unwrapped.render().startswith("<svg")
    assert rl.env("chess", render_mode="human").unwrapped.render() is None
    assert capsys.readouterr().out.startswith(str(Position("chess")))
    with pytest.raises(ValueError, match="'gif' is not a render mode"):
        rl.env("chess", render_mode="gif")


def test_missing_extra_is_named(monkeypatch):
    real = builtins.__import__

    def without(name, *arguments, **settings):
        if name.startswith("pettingzoo"):
            raise ModuleNotFoundError("No module named 'pettingzoo'", name="pettingzoo")
        return real(name, *arguments, **settings)

    monkeypatch.delitem(sys.modules, "surajang.learn.reinforcement.environment", raising=False)
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(
        ModuleNotFoundError, match=r"surajang.rl.env needs pettingzoo: pip install 'surajang\[rl\]'"
    ):
        _ = rl.env


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """A file of self-play games."""
    return write_self_play(tmp_path_factory.mktemp("games") / "games", 3, SETTINGS)


def test_chunks_hold_the_games_as_arrays(games):
    (chunk,) = rl.read_chunks(games)
    assert len(chunk.results) == len(chunk.ends) == 3
    assert len(chunk.moves) == len(chunk.scores) == chunk.ends[-1]


def test_positions_of_self_play_are_those_of_the_moves(games):
    (chunk,) = rl.read_chunks(games)
    actions = rl.Actions("crazyhouse")
    wanted, start = [], 0
    for number, end in enumerate(chunk.ends):
        position = Position("crazyhouse")
        for ply, index in enumerate(range(start, end)):
            move = next(move for move in position.legal_moves if move.code == chunk.moves[index])
            if chunk.scores[index] != NO_SCORE:
                wanted.append((rl.planes(position), actions.of(move), chunk.results[number], number, ply))
            position.push(move)
        start = end
    found = list(rl.read_positions(games, batch=50))
    assert len(found) > 1
    planes, *rest = (np.concatenate(column) for column in zip(*found, strict=True))
    assert np.array_equal(planes, np.array([row[0] for row in wanted]))
    assert [tuple(row) for row in zip(rest[0], rest[1], rest[3], rest[4], strict=True)] == [
        row[1:] for row in wanted
    ]
    assert sum(len(batch.actions) for batch in rl.read_positions(games, quiet=True)) < len(wanted)


PGN = """[Result "1-0"]

1. e4 {[%eval 0.3]} e5 2. Qh5 {[%eval #-3]} (2. Nf3) Ke7 3. Qxe5# 1-0

[Result "*"]

1. d4 *

[Variant "crazyhouse"]
[Result "1-0"]

1. e4 1-0

[Result "0-1"]

1. f3 e5 2. -- Qh4+ 0-1
"""


def test_positions_of_pgn_are_those_of_main_lines_with_a_result(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(PGN)
    (batch,) = rl.read_pgn(path)
    assert batch.results.tolist() == [1, 1, 1, 1, 1, -1, -1]
    assert batch.games.tolist() == [0, 0, 0, 0, 0, 3, 3]
    assert batch.plies.tolist() == [0, 1, 2, 3, 4, 0, 1]
    assert batch.scores.tolist() == [0, 30, 0, 0, 0, 0, 0]
    position = Position("chess")
    for text, planes, action in zip(["e2e4", "e7e5", "d1h5"], batch.planes, batch.actions, strict=False):
        assert np.array_equal(planes, rl.planes(position))
        assert rl.Actions("chess").move(position, action) == text
        position.push(text)
    assert [len(each.actions) for each in rl.read_pgn(path, batch=5)] == [5, 2]
    assert [len(each.actions) for each in surajang.rl.read_pgn(path, "crazyhouse")] == [8]


@pytest.mark.parametrize(
    "make, told",
    [
        (lambda: rl.env("chess", max_plies=0), "max_plies 0 should be at least 1"),
        (lambda: rl.env("chess", max_plies="x"), "max_plies 'x' should be a whole number"),
        (lambda: rl.planes("chess"), "'chess' should be a surajang.Position"),
        (lambda: next(rl.read_chunks("none", 0)), "plies 0 should be at least 1"),
        (lambda: next(rl.read_positions("none", batch=-5)), "batch -5 should be at least 1"),
        (lambda: next(rl.read_pgn("none", batch=2.5)), "batch 2.5 should be a whole number"),
    ],
)
def test_wrong_arguments_are_quoted(make, told):
    with pytest.raises((TypeError, ValueError), match=f"^{told}$"):
        make()
