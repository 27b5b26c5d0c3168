"""A static score does not count where a capture could explode the king with the next move, and a quiet move
that the other side must answer by a capture is tried before others."""

import chess.variant
import pytest
from surajang import Engine, Position
from surajang.engine.game.moves import spell
from surajang.tests.support.inside import Inside, walked
from surajang.tests.support.short_wins import PythonChess, fastest_wins

pytestmark = pytest.mark.compiled


@pytest.mark.parametrize(
    "fen",
    [
        "8/7N/kp2Pp2/8/8/7Q/7K/8 w - - 0 1",
        "8/2Pp4/3k4/7r/1p1BB3/3R4/4K3/8 w - - 0 1",
        "8/1B3P2/2b5/b3R3/2K5/6pk/3B4/8 w - - 0 1",
    ],
)
def test_quiet_threat_to_explode_the_king_wins(atomic, fen):
    judge = PythonChess(chess.variant.AtomicBoard)
    plies, moves = fastest_wins(judge, judge.state(fen), 3)
    atomic.clear()
    result = atomic.play(Position("atomic", fen), depth=3)
    assert (plies, result.score.mate) == (3, 2)
    assert str(result.move) in moves


@pytest.fixture(scope="module")
def atomic():
    engine = Engine("atomic", hash_mb=16)
    yield engine
    engine.close()


def test_quiet_moves_that_offer_a_piece_come_first():
    inner, found = Inside("antichess"), 0
    for position in walked("antichess", (None,), 150, seed=5):
        board = chess.variant.AntichessBoard(position.fen())
        if any(map(board.is_capture, board.legal_moves)):
            continue
        inner.show(position)
        moves = [board.parse_uci(str(spell(int(move), inner.description))) for move in inner.picked()]
        offers = [is_offer(board, move) for move in moves if not move.promotion]
        assert offers == sorted(offers, reverse=True), position.fen()
        found += 0 < sum(offers) < len(offers)
    assert found > 20


def is_offer(board, move):
    """Whether the piece that moves can be captured at once."""
    board.push(move)
    answer = any(reply.to_square == move.to_square for reply in board.legal_moves if board.is_capture(reply))
    board.pop()
    return answer
