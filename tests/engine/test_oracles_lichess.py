"""Lichess's games against python-chess: three-check, horde, antichess, Racing Kings and atomic chess."""

import random

import chess
import chess.variant
import pytest
from surajang import Engine, Position
from surajang.bench.speed.coverage_command import leaves

pytestmark = pytest.mark.compiled

# Name -> the board of python-chess, and leaves after 1, 2, 3 and 4 plies from the start
GAMES = {
    "3check": (chess.variant.ThreeCheckBoard, (20, 400, 8_902, 197_281)),
    "horde": (chess.variant.HordeBoard, (8, 128, 1_274, 23_310)),
    "antichess": (chess.variant.AntichessBoard, (20, 400, 8_067, 153_299)),
    "racingkings": (chess.variant.RacingKingsBoard, (21, 421, 11_264, 296_242)),
    "atomic": (chess.variant.AtomicBoard, (20, 400, 8_902, 197_326)),
}
# Positions with what random games seldom reach
POSITIONS = {
    "3check": [
        "4k3/8/8/8/8/8/8/R3K2R w KQ - 1+3 0 1",
        "rnbqk1nr/pppp1ppp/8/4p3/1b2P3/3P4/PPP2PPP/RNBQKBNR w KQkq - 3+2 1 3",
        "4k3/8/8/8/8/8/8/4KN2 w - - 1+1 0 1",
    ],
    "horde": [
        "4k3/pp4q1/3P2p1/8/P3PP2/PPP2r2/PPP5/PPPP4 b - - 0 1",
        "k7/5p2/4p2P/3p2P1/2p2P2/1p2P2P/p2P2P1/2P2P2 w - - 0 1",
        "4k3/8/8/8/8/1p3p2/8/P3P2P w - - 0 1",
        "4k3/8/8/8/8/8/1r6/P7 b - - 0 1",
    ],
    "antichess": [
        "8/1p6/8/8/8/8/P7/8 w - - 0 1",
        "8/2p5/8/8/8/8/P7/8 w - - 0 1",
        "8/P6p/8/2k5/8/8/p6P/5N2 w - - 0 1",
        "r3k2r/pPp2p2/8/3pP1Pp/3Pp1pP/8/PpP2P2/R3K2R w - d6 0 1",
    ],
    "racingkings": [
        "4brn1/2K2k2/8/8/8/8/8/8 w - - 0 1",
        "1k3b2/6K1/4Q3/8/8/8/8/q6r w - - 0 1",
        "6r1/2K5/5k2/8/3R4/8/8/8 w - - 0 1",
        "8/1kn3K1/4b3/8/8/R7/6r1/8 w - - 0 1",
    ],
    "atomic": [
        "rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq - 0 1",
        "rn1qkb1r/p5pp/2p5/3p4/N3P3/5P2/PPP4P/R1BQK3 w Qkq - 0 1",
        "8/8/8/8/8/8/2k5/rR4KR w KQ - 0 1",
        "r3k1rR/5K2/8/8/8/8/8/8 b kq - 0 1",
        "r3kR2/4K3/8/6r1/8/8/8/8 b q - 6 4",  # its own rook stops that line at the end
        "r3k1R1/5K2/6r1/8/8/8/8/8 b q - 2 2",  # castling along the line of a rook that gives no check
        "1R4kr/4K3/8/8/8/8/8/8 b k - 0 1",
        "r1bqkbn1/1p3p1r/4p2p/2ppP1p1/6P1/5P1N/PPP4P/RNBK1B1R w q d6 0 10",
    ],
}
DECISIVE = {
    chess.Termination.CHECKMATE,
    chess.Termination.STALEMATE,
    chess.Termination.VARIANT_WIN,
    chess.Termination.VARIANT_LOSS,
    chess.Termination.VARIANT_DRAW,
}


def assert_same(position, board):
    """Asserts that both agree about the legal moves, checks and the result of a position."""
    outcome = board.outcome()
    ended = outcome is not None and outcome.termination in DECISIVE
    theirs = [] if ended else sorted(move.uci() for move in board.legal_moves)
    assert sorted(str(move) for move in position.legal_moves()) == theirs, board.fen()
    result = position.result()
    if ended:
        assert result is not None and result.score == outcome.result(), board.fen()
    else:
        assert position.is_check() == board.is_check(), board.fen()
    return ended or result is not None


@pytest.mark.parametrize("name", GAMES)
def test_start_has_as_many_lines_as_are_published(name):
    position = Position(name)
    assert tuple(leaves(position, depth) for depth in (1, 2, 3, 4)) == GAMES[name][1]


@pytest.mark.parametrize("name", GAMES)
def test_rare_positions_have_the_moves_of_python_chess(name):
    for fen in POSITIONS[name]:
        position, board = Position(name, fen), GAMES[name][0](fen)
        if not assert_same(position, board):
            for move in list(board.legal_moves):
                position.push(move.uci())
                board.push(move)
                assert_same(position, board)
                position.pop()
                board.pop()


@pytest.mark.parametrize("name", GAMES)
def test_random_games_are_those_of_python_chess(name):
    chance, ends = random.Random(3), set()
    for number in range(24):
        fens = [GAMES[name][0]().fen(), *POSITIONS[name]]
        fen = fens[number % len(fens)]
        position, board = Position(name, fen), GAMES[name][0](fen)
        while not assert_same(position, board) and position.ply < 200:
            move = chance.choice(list(board.legal_moves))
            position.push(move.uci())
            board.push(move)
        ends.add(position.result() and position.result().score)
    assert {"1-0", "0-1"} <= ends


@pytest.mark.parametrize(
    "name, fen, move",
    [
        ("horde", "4k3/8/8/8/8/8/1r6/1P6 b - - 0 1", "b2b1"),
        ("antichess", "8/p7/8/1P6/8/8/8/8 w - - 0 1", "b5b6"),
        ("racingkings", "8/K7/8/8/8/8/6k1/6b1 w - - 0 1", "a7b8"),
        ("atomic", "rnbqkbnr/pppppppp/8/6N1/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1", "g5f7"),
    ],
)
def test_search_wins_at_once_by_the_rule_of_the_game(interpreted_search, name, fen, move):
    position = Position(name, fen)
    engine = Engine(position.variant)
    answer = engine.play(position, depth=4)
    engine.close()
    assert answer.score.mate == 1
    position.push(answer.move)
    if name == "antichess":
        assert str(answer.move) == move
        position.push(position.legal_moves()[0])
    assert position.result().score == ("0-1" if name == "horde" else "1-0")


@pytest.mark.parametrize(
    "variant, rules", [("atomic", chess.variant.AtomicBoard), ("3check", chess.variant.ThreeCheckBoard)]
)
def test_kings_alone_draw_where_nothing_can_explode_or_check(variant, rules):
    board = rules("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    assert board.is_insufficient_material()
    assert Position(variant, board.fen()).result().score == "1/2-1/2"
    assert Position(variant, "4k3/8/8/8/8/8/4Q3/4K3 b - - 0 1").result() is None
