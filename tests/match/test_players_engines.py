"""Real engines in real games: all of their output is understood."""

import random

import pytest
from surajang import Position
from surajang.engine.definition import catalogue
from surajang.engine.game.moves import square_name
from surajang.match.players.player import Answer, ProtocolError
from surajang.match.players.spec import parse_engine
from surajang.match.players.start import start_player
from surajang.tests.support.fake_players import NODES

pytestmark = pytest.mark.process


def missing(program):
    try:
        parse_engine(f"cmd={program} depth=1").resolved()
    except FileNotFoundError:
        return True
    return False


FAIRY = pytest.mark.skipif(missing("fairy-stockfish"), reason="not installed: fairy-stockfish")
SJAAK = pytest.mark.skipif(missing("sjaakii"), reason="not installed: sjaakii")


def is_pass_in_check(position, text):
    """Whether a move of Janggi passes although the kings face each other, as Fairy-Stockfish does."""
    king = square_name(int(position.state["kings"][position.turn]), position.description.files)
    return position.variant == "janggi" and position.is_check() and text == 2 * king


class RandomMover:
    """Plays any legal move, of rare kinds as often as of others."""

    def __init__(self):
        self.spec, self.source = parse_engine("cmd=surajang nodes=1 name=random"), random.Random(1)

    def new_game(self, *_):
        pass

    end_game = new_game

    def think(self, position, *_):
        return Answer(str(self.source.choice(position.legal_moves())), 0.0, None)

    def close(self):
        pass


def play(variant, *texts, games=2, plies=400):
    """Games between two engines, or one and a `RandomMover`, with alternating colours; returns the ends of
    games. All moves are legal, except passes of the first engine in check, which end a game."""
    specs, ends = [parse_engine(text) for text in texts], []
    players = []
    try:
        for spec in specs:
            players.append(start_player(spec, catalogue.load(variant)))
        players += [RandomMover()] * (2 - len(players))
        for number in range(games):
            position = Position(variant)
            order = players if number % 2 == 0 else players[::-1]
            for colour, player in enumerate(order):
                player.new_game(position, player.spec.control, order[1 - colour].spec.control, colour)
            while position.result() is None and position.ply < plies:
                answer = order[position.turn].think(position, None, None)
                assert answer.move is not None, (answer, position.fen())
                if order[position.turn] is players[0] and is_pass_in_check(position, str(answer.move)):
                    break
                position.push(answer.move)
            result = position.result()
            for player in order:
                player.end_game(position, result.score if result else "*", result.reason if result else "")
            ended = result or (position.ply < plies and "passed in check")
            ends.append((ended, [str(move) for move in position.moves]))
    finally:
        for player in players:
            player.close()
    return ends


@FAIRY
def test_games_against_fairy_stockfish():
    ends = play("crazyhouse", "cmd=fairy-stockfish nodes=100", "cmd=surajang nodes=100")
    assert all(result or len(moves) == 400 for result, moves in ends)


@FAIRY
@pytest.mark.usefixtures("interpreted_positions")
@pytest.mark.parametrize("variant", ["crazyhouse", "janggi", "chess", "minishogi", "shako"])
def test_fairy_stockfish_understands_any_move(variant):
    ends = play(variant, "cmd=fairy-stockfish nodes=100", games=4)
    assert all(result or len(moves) == 400 for result, moves in ends)


@SJAAK
def test_games_against_sjaak():
    ends = play("crazyhouse", "cmd=sjaakii depth=2", "cmd=surajang nodes=300")
    assert all(result or len(moves) == 400 for result, moves in ends)


@FAIRY
@pytest.mark.parametrize(("variant", "leaves"), [("janggi", 1024), ("crazyhouse", 400)])
def test_perft_of_fairy_stockfish(variant, leaves):
    player = start_player(parse_engine("cmd=fairy-stockfish depth=1"), catalogue.load(variant))
    assert player.perft(Position(variant), 2)[0] == leaves
    player.close()


@FAIRY
def test_setup_phase_is_over_before_others_see_the_board():
    player = start_player(parse_engine("cmd=fairy-stockfish nodes=100"), catalogue.load("janggi"))
    start = Position("janggi").start_fen.replace(" - ", " Ss ", 1)
    position = Position("janggi", start)
    with pytest.raises(ProtocolError, match="cannot choose an arrangement"):
        player.new_game(position, NODES, NODES, 0)
        player.think(position, None, None)
    for move in ("b1c1", "e9e2", "a4a5"):
        position.push(move)
    position.push(player.think(position, None, None).move)
    player.close()


def test_surajang_plays_the_setup_phase():
    position = Position("janggi", Position("janggi").start_fen.replace(" - ", " Ss ", 1))
    player = start_player(parse_engine("cmd=surajang nodes=100"), catalogue.load("janggi"))
    player.new_game(position, NODES, NODES, 0)
    for _ in range(4):
        position.push(player.think(position, None, None).move)
    assert position.moves[0].is_choice and position.moves[1].is_choice
    player.close()


def test_games_at_fixed_nodes_are_the_same_every_time():
    texts = "cmd=surajang nodes=400", "cmd=surajang nodes=900 name=other"
    first, _, third, _ = play("crazyhouse", *texts, games=4, plies=30)
    assert first == third == play("crazyhouse", *texts, games=1, plies=30)[0]
