"""Games in which the mated side wins, or the side with fewer pieces wins by stalemate."""

import random

import chess.variant
import pyffish
import pytest
from surajang import Engine, Position
from surajang.engine.definition.catalogue import parse
from surajang.engine.game.description import VariantError

pytestmark = pytest.mark.compiled

BACK_RANK = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
FOOL = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2"


def test_the_mated_side_wins(interpreted):
    position = Position("misere", FOOL)
    position.push("d8h4")
    assert tuple(position.result()) == ("1-0", "White is mated and wins")
    assert position.is_checkmate() and position.copy().result().winner == 0


def test_the_search_does_not_mate_where_mate_loses(interpreted_search):
    with Engine("misere") as engine:
        assert str(engine.play(Position("misere", FOOL), depth=4).move) != "d8h4"
        assert engine.play(Position("misere", BACK_RANK), depth=4).score.mate is None


def test_the_search_forces_the_enemy_to_mate(interpreted_search):
    """Captures are a duty, and the only one of Black mates."""
    position = Position("losers", "3r3k/7p/8/8/8/8/1N4PP/7K w - - 0 1")
    with Engine("losers") as engine:
        result = engine.play(position, depth=5)
    assert str(result.move) == "b2d1"
    assert result.score.mate is not None and result.score.mate > 0


def test_a_bare_king_wins_in_losers():
    position = Position("losers", "4k3/8/8/8/8/8/3p4/4K1N1 w - - 0 1")
    position.push("e1d2")
    assert position.result().score == "0-1"


def test_checks_are_answered_before_captures_in_losers():
    fen = "4k3/8/8/1p6/P7/8/8/r3K3 w - - 0 1"
    assert {str(move) for move in Position("losers", fen).legal_moves} == {"e1d2", "e1e2", "e1f2"}
    assert set(pyffish.legal_moves("losers", fen, [])) == {"e1d2", "e1e2", "e1f2"}


@pytest.mark.parametrize(
    "fen, score, reason",
    [
        ("8/8/8/8/8/p7/P7/8 w - - 0 1", "1/2-1/2", "White has no move, and as many pieces as Black"),
        ("8/8/8/8/p7/p7/P7/8 w - - 0 1", "1-0", "White has no move, and fewer pieces than Black"),
        ("8/8/8/8/8/p7/P1p5/2B5 b - - 0 1", "1/2-1/2", "Black has no move, and as many pieces as White"),
    ],
)
def test_stalemate_is_won_by_the_side_with_fewer_pieces(fen, score, reason):
    position = Position("suicide", fen)
    assert tuple(position.result()) == (score, reason)
    assert chess.variant.SuicideBoard(fen).result() == score


def test_the_search_knows_who_wins_a_stalemate(interpreted_search):
    fen, mates = "8/8/8/1p6/8/1P6/1P6/8 b - - 0 1", {}
    for name in ("suicide", "antichess"):
        with Engine(name) as engine:
            mates[name] = engine.play(Position(name, fen), depth=3).score.mate
    assert mates == {"suicide": 1, "antichess": -1}


def test_random_games_end_as_in_python_chess():
    chance, ends = random.Random(4), 0
    for _ in range(40):
        position = Position("suicide")
        board = chess.variant.SuicideBoard(position.fen())
        while position.result() is None and position.ply < 200:
            moves = sorted(str(move) for move in position.legal_moves)
            assert moves == sorted(move.uci() for move in board.legal_moves)
            text = chance.choice(moves)
            position.push(text)
            board.push_uci(text)
        if position.result() is not None and position.result().score != "1/2-1/2":
            ends += 1
            assert board.result() == position.result().score, board.fen()
    assert ends > 20


@pytest.mark.parametrize(
    "lines, reason",
    [
        ('extends = "antichess"\n[end]\ncheckmate = "win"', "end.checkmate: no kind is royal"),
        ('extends = "shogi"\n[end]\ncheckmate = "win"', "'win' cannot be combined with drops.no_mate"),
        ('extends = "chess"\n[end]\ncheckmate = "win"', "cannot be combined with end.dead_positions"),
        ('extends = "chess"\n[end]\ncheckmate = "draw"', "end.checkmate: 'draw' should be"),
        ('extends = "chess"\n[end]\nstalemate = "more"', "end.stalemate: 'more' should be"),
    ],
)
def test_contradictions_are_refused(lines, reason):
    with pytest.raises(VariantError) as refused:
        parse(lines.replace("\n", '\nname = "mine"\ntitle = "Mine"\n', 1), "mine.toml")
    assert reason in str(refused.value) and "\n" not in str(refused.value)
