"""First moves of Cambodian chess; random games beside Fairy-Stockfish are in `test_shipped_games`."""

import pytest
from surajang import Position

pytestmark = [pytest.mark.compiled, pytest.mark.slow, pytest.mark.usefixtures("interpreted_positions")]


def moves_of(position, square):
    return {str(move)[2:] for move in position.legal_moves if str(move)[:2] == square}


def test_king_and_met_leap_while_they_have_not_moved():
    position = Position("cambodian", "4k3/8/8/8/8/8/8/3KM3 w DE - 0 1")
    assert {"b2", "f2"} <= moves_of(position, "d1") and "e3" in moves_of(position, "e1")
    moved = Position("cambodian", "4k3/8/8/8/8/8/8/3KM3 w - - 0 1")
    assert not {"b2", "f2"} & moves_of(moved, "d1") and "e3" not in moves_of(moved, "e1")


def test_first_move_neither_captures_nor_ends_a_check():
    position = Position("cambodian", "4k3/8/8/8/8/4n3/1r6/3KM3 w DE - 0 1")
    assert "b2" not in moves_of(position, "d1") and "e3" not in moves_of(position, "e1")
    checked = Position("cambodian", "3rk3/8/8/8/8/8/8/3KM3 w DE - 0 1")
    assert not {"b2", "f2"} & moves_of(checked, "d1")


def test_first_move_is_gone_after_the_move_and_in_the_fen():
    position = Position("cambodian")
    key = position.key
    for text in ("d1b2", "e8g7", "b2c2", "g7f7", "c2d1", "f7e8"):
        position.push(text)
    assert position.fen().split()[:3] == [*Position("cambodian").fen().split()[:2], "Ed"]
    assert position.key != key
    assert Position("cambodian", position.fen()).key == position.key


def test_letter_of_a_piece_that_stands_elsewhere_is_mentioned():
    position = Position("cambodian", "4k3/8/8/8/8/8/3K4/4M3 w DE - 0 1")
    assert position.fen().split()[2] == "E"
    assert any("'D' cannot be used" in note for note in position.notes)


def test_first_move_is_gone_when_its_piece_is_captured():
    position = Position("cambodian", "6k1/8/8/8/8/3n4/8/3KM3 b DE - 0 1")
    position.push("d3e1")
    assert position.fen().split()[2] == "D"


def test_king_loses_its_first_move_when_a_rook_moves_into_line_with_it():
    """Whatever stands between them; other pieces do not matter, nor do rooks that stand in line already."""
    for move, lost in {"a4a8": "e", "a4e4": "e", "a4b4": "", "c3d5": "", "e5e6": ""}.items():
        position = Position("cambodian", "1n1mk3/8/4p3/4S3/R7/2N5/8/3KMR2 w DEde - 0 1")
        position.push(move)
        assert set("DEde") - set(position.fen().split()[2]) == set(lost), move
        assert Position("cambodian", position.fen()).key == position.key
    position = Position("cambodian", "3mk2r/8/8/8/8/8/8/3KM3 b DEde - 0 1")
    position.push("h8h1")
    assert set("DEde") - set(position.fen().split()[2]) == {"D"}
