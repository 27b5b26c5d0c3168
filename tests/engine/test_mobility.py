"""Estimated values of pieces without a value in the game's file."""

import pytest
from surajang.engine.definition.catalogue import load, parse
from surajang.engine.game import betza
from surajang.engine.game.mobility import estimated_value, reached
from surajang.tests.engine.test_description import GAME

pytestmark = pytest.mark.pure

PAWN = "fmWfcF"


def value(text, files=8, ranks=8):
    return estimated_value(files, ranks, betza.parse(text))


@pytest.mark.parametrize("files, ranks", [(8, 8), (10, 8), (10, 10), (16, 16)])
def test_queen_rook_bishop_knight_and_pawn_stand_in_the_order_of_chess(files, ranks):
    values = [value(text, files, ranks) for text in ("Q", "R", "B", "N", PAWN)]
    assert values == sorted(set(values), reverse=True)


def test_values_on_the_board_of_chess_are_those_of_chess():
    assert value(PAWN) == 100
    assert 290 <= value("N") <= 330
    assert 300 <= value("B") <= 400
    assert 450 <= value("R") <= 550
    assert 800 <= value("Q") <= 1000


@pytest.mark.parametrize("text", ["R", "B", "Q", "NN", "mRcpR", "fR"])
def test_larger_board_raises_the_value_of_sliders(text):
    values = [value(text, size, size) for size in (6, 8, 10, 12, 16)]
    assert values == sorted(set(values))


@pytest.mark.parametrize("slider, leaper", [("R", "WD"), ("B", "FA"), ("Q", "KAD")])
def test_larger_board_raises_sliders_more_than_leapers(slider, leaper):
    gain = [value(text, 16, 16) - value(text) for text in (slider, leaper)]
    assert gain[0] > gain[1] > 0


@pytest.mark.parametrize(
    "less, more",
    [
        *[("nN", "N"), ("nA", "A"), ("nD", "D"), ("nZ", "Z"), ("nC", "C")],
        *[("pR", "R"), ("pB", "B"), ("mRcpR", "R"), ("pR", "mRcpR"), ("pB", "mBcpB")],
        *[("mR", "R"), ("cR", "R"), ("mRcB", "Q"), ("B", "mRcB"), ("mNcB", "BN")],
        *[("W", "R"), ("R2", "R4"), ("R4", "R"), ("fR", "vR"), ("vR", "R"), ("N", "NN")],
        *[("R", "RN"), ("RN", "QN"), ("F", "K"), ("N", "KN"), ("fW", "W")],
    ],
)
def test_freedom_is_worth_something(less, more):
    assert value(less) < value(more)


def test_capturing_is_worth_more_than_moving():
    assert value("mR") < value("cR")
    assert value("mNcB") > value("mBcN")  # here the bishop reaches further than the knight


@pytest.mark.parametrize("text", ["fW", "fF", PAWN, "fmWfceF", "fN"])
def test_what_only_steps_forward_is_a_pawn(text):
    assert value(text) == value(text, 16, 16) == 100


def test_corner_reaches_less_than_the_middle():
    for text in ("N", "K", "B", "Q"):
        assert reached(8, 8, betza.parse(text), 0) < reached(8, 8, betza.parse(text), 27)


def test_rook_reaches_the_same_number_of_squares_everywhere_near_ones_counted_more():
    rook = betza.parse("R")
    assert reached(8, 8, rook, 27) > reached(8, 8, rook, 0)  # of fourteen squares more are near


def test_leaper_reaches_the_squares_it_has():
    knight = betza.parse("N")
    assert [reached(8, 8, knight, square) for square in (0, 1, 18)] == [2, 3, 8]
    assert reached(8, 8, betza.parse("R1"), 27) == 4
    assert reached(2, 2, knight, 0) == 0


def test_file_that_says_no_value_gets_the_estimate():
    game = parse(GAME.replace("value = 300, ", ""), "small.toml")
    assert game.piece("N").value == value("N", 5, 6)
    assert game.piece("N").hand_value == 350
    assert parse(GAME.replace("value = 500, ", ""), "small.toml").piece("R").hand_value == value("R", 5, 6)


def test_value_of_the_file_counts_where_there_is_one():
    assert load("chess").piece("N").value == 320
    assert load("xxl").piece("H").value == value("BN", 14, 14)


def test_royal_piece_has_no_value():
    assert parse(GAME, "small.toml").piece("K").value == 0


def test_no_estimate_is_beyond_what_a_file_may_say():
    most = "NNCCZZAADDHHGGQ"
    text = GAME.replace("files = 5\nranks = 6", "files = 16\nranks = 16").replace(
        'moves = "RK", value = 800', f'moves = "{most}"'
    )
    start = "/".join(["4k11", *["16"] * 14, "4K11"])
    text = text.replace("rk3/p4/5/5/P4/RK3", start).replace("zone = [5, 6]", "zone = [16]")
    assert 1500 < parse(text, "small.toml").piece("D").value <= 20_000
