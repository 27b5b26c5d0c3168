"""Searches of games in which captures are mandatory: whole exchanges are forced, so their number must not
explode."""

import chess.variant
import pytest
from surajang import Engine, Position
from surajang.tests.support.short_wins import PythonChess, fastest_wins

pytestmark = pytest.mark.compiled


@pytest.fixture(scope="module")
def engine():
    engine = Engine("antichess", hash_mb=16)
    yield engine
    engine.close()


@pytest.mark.parametrize(
    "moves",
    [
        "",
        "g1f3 b8a6 c2c4 h7h5 b2b4 a6b4 g2g4 h5g4",
        "h2h3 b8a6 h1h2 f7f6 b1c3 e7e6 e2e3 d7d5 f1a6 b7a6 c3d5 d8d5 d1h5",
        "f2f3 g8f6 b1c3 h7h6 e2e3 c7c5 f1a6 b8a6 b2b4 a6b4 d2d4 b4c2 d4c5 c2e3 c1e3",
        "b1a3 f7f6 h2h3 b7b5 a3b5 g7g5 b5c7 d8c7 f2f4",
    ],
)
def test_few_nodes_are_enough_for_four_plies(engine, moves):
    """Where exchanges were played to their end, millions were not enough for one."""
    position = Position("antichess")
    for move in moves.split():
        position.push(move)
    engine.clear()
    assert engine.play(position, depth=4, nodes=20_000).depth == 4


def test_forced_captures_are_seen_to_their_end(engine):
    """White has one piece to give away, and Black must take it."""
    position = Position("antichess", "8/8/8/8/3p4/8/2P5/8 w - - 0 1")
    result = engine.play(position, depth=4)
    assert str(result.move) in ("c2c3", "c2c4")  # the pawn on d4 takes either way
    assert result.score.mate == 1


def test_quiescence_knows_that_a_capture_is_forced(engine):
    """The reply is beyond a search of one ply, and standing pat would avoid it."""
    position = Position("antichess", "8/8/8/8/3p4/8/2P5/8 w - - 0 1")
    result = engine.play(position, depth=1)
    assert str(result.move) in ("c2c3", "c2c4")  # the pawn on d4 takes either way
    assert result.score.mate == 1


@pytest.mark.parametrize(
    "fen",
    [
        "8/6N1/8/8/8/r5r1/4p1P1/8 w - - 0 1",
        "8/8/5p2/3B4/8/3p3p/1P1b4/8 w - - 0 1",
        "8/8/8/8/1pB3b1/8/2P5/8 w - - 0 1",
    ],
)
def test_an_only_capture_is_searched_deeper(engine, fen):
    """White gives away both pieces, and Black has one capture each time: four plies by a search of two."""
    board = chess.variant.AntichessBoard(fen)
    assert _wins_by_gifts(board, 2)
    result = engine.play(Position("antichess", fen), depth=2)
    assert result.score.mate == 2


def _wins_by_gifts(board, moves):
    """Whether the side to move can lose all its pieces in so many moves, by python-chess."""
    if moves == 0:
        return board.is_variant_win()
    return any(_after(board, move, _all_captures_lose, moves) for move in list(board.legal_moves))


def _all_captures_lose(board, moves):
    replies = list(board.legal_moves)
    return bool(replies) and all(_after(board, move, _wins_by_gifts, moves - 1) for move in replies)


def _after(board, move, question, moves):
    board.push(move)
    try:
        return question(board, moves)
    finally:
        board.pop()


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/K3r2N/8/8/8/8/4n2r w - - 0 1",
        "8/1N6/8/5nr1/8/8/8/7N w - - 0 1",
        "1b6/6P1/8/8/8/8/1r6/6Q1 w - - 0 1",
        "8/N4q2/8/8/1r6/7B/8/8 w - - 0 1",
        "B7/8/5Nk1/8/5q2/8/8/8 w - - 0 1",
    ],
)
def test_no_node_is_cut_by_its_static_score_while_a_capture_is_forced(engine, fen):
    """White gives away its last piece with the second move. Black's scores are good until then, but it has to
    capture. By the hand-written evaluation, so that no other network changes the order of moves."""
    judge = PythonChess(chess.variant.AntichessBoard)
    plies, moves = fastest_wins(judge, judge.state(fen), 4)
    engine.set_eval_file(False)
    try:
        result = engine.play(Position("antichess", fen), depth=2)
    finally:
        engine.set_eval_file(None)
    assert (plies, result.score.mate) == (4, 2)
    assert str(result.move) in moves
