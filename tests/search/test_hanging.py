"""Pieces that hang, compared with boards of python-chess, and what the search does about them."""

from collections import Counter

import chess
import pytest
from surajang import Engine, Position
from surajang.engine.game.moves import spell
from surajang.search.tree.tunable import tuned_values
from surajang.tests.support.inside import Inside, walked

pytestmark = pytest.mark.compiled

PIECES = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)


@pytest.fixture(scope="module")
def inside():
    return Inside("chess")


def values_of(inside):
    """The centipawns of a captured piece, by its type; a king captures last."""
    letters = {piece.letter.lower(): number for number, piece in enumerate(inside.description.pieces)}
    capture = inside.weights["capture"]
    values = {kind: int(capture[letters[chess.piece_symbol(kind)]]) for kind in range(1, 6)}
    return values | {chess.KING: 1_000_000}


def losses_of(board, values):
    """What each piece of the side to move besides king and pawns would lose, by square."""
    found = {}
    for kind in PIECES:
        for square in board.pieces(kind, board.turn):
            enemies = [values[board.piece_type_at(each)] for each in board.attackers(not board.turn, square)]
            if enemies:
                saved = min(enemies) if board.attackers(board.turn, square) else 0
                if values[kind] > saved:
                    found[square] = values[kind] - saved
    return found


def test_losses_are_those_of_attacked_pieces(inside):
    values, several = values_of(inside), 0
    for position in walked("chess", (None,), 400, seed=3, plies=90):
        inside.show(position)
        expected = losses_of(chess.Board(position.fen()), values)
        most, second, *_ = [*sorted(expected.values(), reverse=True), 0, 0]
        assert inside.losses() == (most, second, set(expected)), position.fen()
        several += len(expected) > 1
    assert several > 30


@pytest.mark.parametrize("variant", ["chess", "crazyhouse"])
def test_quiet_moves_are_ordered_by_what_hangs_before_and_after(variant):
    """Those of pieces that hang come first, except with drops; those that lose their piece come later, the
    more it is worth the later."""
    inside = Inside(variant)
    values, numbers = values_of(inside), tuned_values(inside.rules)
    letters = [piece.letter for piece in inside.description.pieces]
    escaped, lost = 0, set()
    for position in walked(variant, (None,), 200, seed=8, plies=90):
        inside.show(position)
        codes = inside.picked()
        quiet, safe, checks = inside.judged(codes)
        losses = losses_of(chess.Board(position.fen()), values) if variant == "chess" else {}
        ranks = []
        for code, is_safe in zip(codes[quiet & ~checks], safe[quiet & ~checks], strict=True):
            move = spell(int(code), inside.description)
            kind = letters.index(move.drop) if move.drop else position.state["board"][move.from_square]
            escape = move.from_square in losses
            penalty = 0 if is_safe else numbers["order_unsafe"] * int(inside.weights["capture"][kind])
            ranks.append(numbers["order_escape"] * escape - penalty)
            escaped += escape
            lost.add(penalty)
        assert ranks == sorted(ranks, reverse=True), position.fen()
    assert (escaped > 40) == (variant == "chess")
    assert len(lost) >= 5


@pytest.mark.parametrize("variant", ["chess", "crazyhouse"])
def test_quiet_moves_that_lose_are_known_when_they_were_picked(variant):
    """The search does not ask for their exchanges again."""
    inside, counts = Inside(variant), Counter()
    for position in walked(variant, (None,), 100, seed=9, plies=90):
        inside.show(position)
        codes = inside.picked()
        quiet, safe, _ = inside.judged(codes)
        assert inside.known_safe()[: len(codes)].tolist() == (quiet & safe).tolist(), position.fen()
        counts.update(safe[quiet].tolist())
    assert min(counts[True], counts[False]) > 200


@pytest.mark.parametrize("variant", ["antichess", "atomic"])
def test_nothing_hangs_where_captures_are_a_duty_or_explode(variant):
    inside = Inside(variant)
    for position in walked(variant, (None,), 60, seed=4):
        inside.show(position)
        assert inside.losses() == (0, 0, set())


def test_fork_is_seen_two_plies_before_the_horizon():
    """A pawn attacks both knights; the static score, a knight more for Black, would cut off at once."""
    with Engine("chess", hash_mb=16, eval_file=False) as engine:
        fen = "r4rk1/ppp2ppp/8/8/2n1n3/8/PPPPPPPP/R1B1KB1R w KQ - 0 1"
        assert str(engine.play(Position("chess", fen), depth=2).move) == "d2d3"
