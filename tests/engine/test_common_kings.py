"""Castling of kings that are not royal: attacks do not matter, and there may be several."""

import pyffish
import pytest
from surajang import Engine, Position

pytestmark = [pytest.mark.compiled, pytest.mark.usefixtures("interpreted_positions")]

# All kinds of both sides stand, so that nothing is extinct
TWO_KINGS = "4k2r/ppqbn3/8/8/4r3/8/1PKBN1Q1/R3K2R w KQk - 0 1"


def moves(position):
    return {str(move) for move in position.legal_moves}


def test_king_castles_out_of_check_and_through_attacks():
    position = Position("extinction", TWO_KINGS)
    assert {"e1g1", "e1c1"} <= moves(position)
    assert moves(position) == set(pyffish.legal_moves("extinction", TWO_KINGS, []))
    position.push("e1g1")
    assert position.fen() == "4k2r/ppqbn3/8/8/4r3/8/1PKBN1Q1/R4RK1 b k - 1 1"


def test_only_the_king_on_its_square_has_the_right():
    position = Position("extinction", TWO_KINGS)
    position.push("c2d3")
    assert position.fen().split()[2] == "KQk"
    position = Position("extinction", TWO_KINGS)
    position.push("e1f1")
    assert position.fen().split()[2] == "k"


def test_a_pawn_that_becomes_a_king_leaves_the_rights():
    position = Position("extinction", "4k2r/P1qbnp2/8/8/8/8/1PKBN1Q1/R3K2R w KQk - 0 1")
    position.push("a7a8k")
    assert position.fen().split()[2] == "KQk"
    position.push("e8g8")
    assert position.fen().startswith("K4rk1/")


def test_rights_without_king_or_rook_are_dropped():
    position = Position("extinction", "4k2r/ppqbn3/8/8/8/8/1PKBN1Q1/R6R w KQk - 0 1")
    assert position.fen().split()[2] == "k"
    assert position.notes


def test_castling_waits_where_a_capture_is_mandatory(interpreted):
    fen = "4k3/8/8/8/8/8/p7/R3K2R w KQ - 0 1"
    assert moves(Position("giveaway", fen)) == {"a1a2"} == set(pyffish.legal_moves("giveaway", fen, []))
    fen = "4r3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
    assert (
        {"e1g1", "e1c1"} <= moves(Position("giveaway", fen)) == set(pyffish.legal_moves("giveaway", fen, []))
    )


def test_random_games_keep_their_keys():
    position = Position("extinction", TWO_KINGS)
    for text in ("e1g1", "e8g8", "c2d3", "g8h8", "f1e1", "h8g8"):
        position.push(text)
        assert Position("extinction", position.fen()).key == position.key


def test_the_search_takes_the_last_piece_of_a_kind(interpreted_search):
    position = Position("extinction", "rnb1kbnr/pppp1ppp/8/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")
    with Engine("extinction") as engine:
        assert str(engine.play(position, depth=3).move) == "f3h4"
