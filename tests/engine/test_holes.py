"""Boards with holes, pieces that differ to the left and to the right, and diagonal double steps."""

import pytest
from surajang import Position
from surajang.engine.definition import catalogue
from surajang.engine.definition.fen import FenError, parse
from surajang.engine.pictures.piece_set import board_style
from surajang.engine.rulebook.text_board import board_rows

pytestmark = [pytest.mark.compiled, pytest.mark.slow, pytest.mark.usefixtures("interpreted")]


def moves_from(position, square):
    return {str(move)[2:] for move in position.legal_moves if str(move)[:2] == square}


def test_stars_of_the_start_are_holes():
    game = catalogue.load("gustav3")
    assert len(game.holes) == 12
    assert board_style(game)["holes"][:2] == ["a2", "j2"]
    assert board_rows(game)[1] == " 7   p p p p p p p p"
    assert catalogue.load("chess").holes == ()


def test_nothing_moves_to_or_over_a_hole():
    position = Position("gustav3", "k9/*8*/*8*/*8*/*8*/*8*/*8*/R3K5 w - - 0 1")
    assert {move for move in moves_from(position, "a1") if move[0] == "a"} == set()
    position = Position("gustav3", "k9/*8*/*8*/*8*/*8*/*8*/*8*/4K1N2A w - - 0 1")
    assert "j3" not in moves_from(position, "j1") and "i3" in moves_from(position, "j1")


def test_fen_has_the_holes_and_no_piece_on_them():
    game = catalogue.load("gustav3")
    assert Position("gustav3").fen().split()[0] == game.start_fen.split()[0]
    without = game.start_fen.replace("*8*", "10")
    assert Position("gustav3", without).fen() == Position("gustav3").fen()
    with pytest.raises(FenError, match="a7 is a hole"):
        parse("k9/p9/10/10/10/10/10/K9 w - - 0 1", game)
    with pytest.raises(FenError, match=r"'\*' in rank 7, '\*1\*7', is not at a hole of gustav3"):
        parse("k9/*1*7/10/10/10/10/10/K9 w - - 0 1", game)
    with pytest.raises(
        FenError, match=r"'\*' in rank 7, '\*7', is a hole or a wall, but there are none in chess"
    ):
        parse("k7/*7/8/8/8/8/8/K7 w - - 0 1", catalogue.load("chess"))


def test_quails_of_both_sides_look_the_same_way_from_their_own_side():
    white = Position("torishogi", "k6/7/7/3L3/7/7/6K[] w - - 0 1")
    black = Position("torishogi", "k6/7/7/3l3/7/7/6K[] b - - 0 1")
    turned = {"gfedcba"["abcdefg".index(move[0])] + str(8 - int(move[1])) for move in moves_from(white, "d4")}
    assert moves_from(black, "d4") == turned
    assert "c3" in moves_from(white, "d4") and "b2" not in moves_from(white, "d4")  # one step to the left
    assert {"e3", "f2"} <= moves_from(white, "d4")


def test_diagonal_double_step_can_be_captured_in_passing():
    position = Position("berolina", "4k3/8/8/8/2p5/8/1P6/4K3 w - - 0 1")
    position.push("b2d4")
    assert position.fen().split()[3] == "c3d4"
    assert Position("berolina", position.fen()).fen() == position.fen()
    position.push("c4c3")
    assert position.fen().split()[0] == "4k3/8/8/8/8/2p5/8/4K3"
