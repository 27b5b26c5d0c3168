"""When two positions are the same: for the keys, for repetition, and in a FEN. `test_en_passant_rights`
covers en passant. python-chess is the referee."""

import random

import chess
import chess.variant
import pytest
from surajang import Position

pytestmark = pytest.mark.compiled

DANCE = ["b1c3", "b10c8", "c3b1", "c8b10"]
JANGGI = "rnea1aenr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNEA1AENR w {} - 0 1"


def played(variant, fen, *moves):
    position = Position(variant, fen)
    for move in moves:
        position.push(move)
    return position


@pytest.mark.parametrize(
    "variant, fen, choices, dance",
    [
        ("pandemonium-vchess", None, ["e1e10", "e10e1"], DANCE),
        ("janggi", JANGGI.format("Ss"), ["e2e9", "e9e2"], ["a1a2", "a10a9", "a2a1", "a9a10"]),
    ],
)
def test_start_before_the_choices_is_another_position_than_after_them(variant, fen, choices, dance):
    position = played(variant, fen, *choices)
    first = Position(variant, fen)
    assert position.fen().split()[:2] == first.fen().split()[:2]
    assert position.repetition_key != first.repetition_key
    assert position.repetition_key == position.fresh_repetition_key()
    for move in dance:
        position.push(move)
    assert position.result() is None
    for move in dance:
        position.push(move)
    assert position.result() == ("1/2-1/2", "Draw by repetition")


@pytest.mark.parametrize(
    "moves",
    [
        ["h1g1", "h8g8", "g1h1", "g8h8"],
        ["e1e2", "e8e7", "e2e1", "e7e8"],
        ["a1b1", "e8d8", "b1a1", "d8e8"],
    ],
)
def test_loss_of_a_castling_right_makes_another_position(moves):
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    position, board = Position("chess", fen), chess.Board(fen)
    for move in [*moves, *moves, *moves]:
        position.push(move)
        board.push_uci(move)
        assert (position.result() is not None) == board.is_repetition(3)
    assert position.result() == ("1/2-1/2", "Draw by repetition")


def test_right_that_nothing_backs_makes_no_other_position():
    fen = "4k3/8/8/8/8/8/8/4K2R w {} - 0 1"
    one, other = Position("chess", fen.format("K")), Position("chess", fen.format("KQkq"))
    assert (one.key, one.repetition_key, one.fen()) == (other.key, other.repetition_key, other.fen())
    none = Position("chess", fen.format("-"))
    assert none.key != one.key and none.repetition_key != one.repetition_key


def test_right_is_gone_with_the_rook_and_does_not_come_back_with_another():
    fen = "4k3/8/8/8/8/6n1/P7/4K2R[R] b K - 0 1"
    moves = ["g3h1", "a2a3", "h1g3", "a3a4", "e8e7", "R@h1"]
    position, board = Position("crazyhouse", fen), chess.variant.CrazyhouseBoard(fen)
    for move in moves:
        position.push(move)
        board.push_uci(move)
        assert position.fen().split()[2] == board.fen().split()[2]
    assert Position("crazyhouse", position.fen().replace(" - ", " K ", 1)).key != position.key


@pytest.mark.parametrize("variant", ["chess", "crazyhouse"])
def test_repetition_is_python_chesses_among_kings_and_rooks(variant):
    chance, ends = random.Random(5), 0
    fen = "r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1"
    for _ in range(60):
        position = Position(variant, fen)
        board = chess.Board(fen) if variant == "chess" else chess.variant.CrazyhouseBoard(fen)
        while position.result() is None and position.ply < 60:
            home = [
                m
                for m in map(str, position.legal_moves())
                if {m[:2], m[2:4]} <= {"a1", "b1", "e1", "e2", "h1"}
            ]
            away = [
                m
                for m in map(str, position.legal_moves())
                if {m[:2], m[2:4]} <= {"a8", "b8", "e8", "e7", "h8"}
            ]
            move = chance.choice(sorted(home or away))
            position.push(move)
            board.push_uci(move)
            repeated = position.result() == ("1/2-1/2", "Draw by repetition")
            assert repeated == board.is_repetition(3)
            ends += repeated
    assert ends > 40


def test_promoted_piece_is_another_than_one_that_was_never_a_pawn():
    fen = "4k3/8/8/8/8/8/8/Q{}3K3[] w - - 0 1"
    one, other = Position("crazyhouse", fen.format("~")), Position("crazyhouse", fen.format(""))
    boards = [chess.variant.CrazyhouseBoard(fen.format(mark)) for mark in ("~", "")]
    assert boards[0]._transposition_key() != boards[1]._transposition_key()
    assert one.repetition_key != other.repetition_key
