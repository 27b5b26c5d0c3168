"""Positions and moves as text in every game: accepted spellings and refusals."""

import pytest
import surajang
from surajang.engine.position import FenError, IllegalMoveError, MoveSyntaxError
from surajang.tests.support.games import texts

pytestmark = pytest.mark.compiled

JANGGI = "rnea1aenr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNEA1AENR w - - 0 1"


# Positions

SAME = {
    "letters of other programs": (
        "janggi",
        JANGGI,
        JANGGI.replace("e", "b").replace("E", "B").replace("n", "h"),
    ),
    "missing fields": ("chess", "k7/8/8/8/8/8/8/7K w - - 0 1", "k7/8/8/8/8/8/8/7K"),
    "rights that nothing backs": (
        "chess",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1",
    ),
    "a mark that means nothing": ("chess", "k7/8/8/8/8/8/8/1Q5K w - - 0 1", "k7/8/8/8/8/8/8/1Q~5K w - - 0 1"),
    "a hand behind a slash": (
        "crazyhouse",
        "k7/8/8/8/8/8/8/7K[QPn] w - - 0 1",
        "k7/8/8/8/8/8/8/7K/QPn w - - 0 1",
    ),
    "a hand in any order": (
        "crazyhouse",
        "k7/8/8/8/8/8/8/7K[QPPnp] w - - 0 1",
        "k7/8/8/8/8/8/8/7K[pPnQP] w - - 0 1",
    ),
    "two-digit gaps in two digits": (
        "pandemonium-vchess",
        "4k5/10/10/10/10/10/10/10/10/5K4[] w - - 0 1",
        "4k5/91/91/91/91/91/91/91/91/5K4[-] w - - 0 1",
    ),
    "promoted forms by their base": (
        "minishogi",
        "4k/5/2D2/3t1/K4[] w - - 0 1",
        "4k/5/2+R2/3+p1/K4[] w - - 0 1",
    ),
    "fourteen files": (
        "xxl",
        "7k6/14/14/14/14/14/14/14/14/14/14/14/14/7K6 w - - 0 1",
        "7k6/95/14/14/14/14/14/14/14/14/14/14/14/7K6",
    ),
}


@pytest.mark.parametrize("case", SAME)
def test_position_is_accepted_in_another_spelling(case):
    variant, own, other = SAME[case]
    assert surajang.Position(variant, other).fen() == own
    assert surajang.Position(variant, own).fen() == own


def test_promoted_piece_keeps_its_mark_and_turns_back_when_captured():
    position = surajang.Position("crazyhouse", "r3k3/1P6/8/8/8/8/8/4K3[] w - - 0 1")
    position.push("b7b8q")
    assert position.fen().startswith("rQ~2k3/8/")
    position.push("a8b8")
    assert position.hand(1) == {"P": 1}


REFUSED = [
    ("janggi", "4k4/9/9/4a4/9/9/9/9/4K4/9 w - - 0 1", "board: an advisor cannot stand on e7"),
    ("janggi", "9/9/9/9/4k4/9/9/9/4K4/9 w - - 0 1", "board: a king cannot stand on e6"),
    ("chess", "k7/8/8/8/8/8/8/P6K w - - 0 1", "board: a pawn cannot stand on a1"),
    ("chess", "k6P/8/8/8/8/8/8/7K w - - 0 1", "board: a pawn cannot stand on h8"),
    ("chess", "k7/8/8/8/8/8/8/7K[Q] w - - 0 1", "hands: "),
    ("chess", "k7/8/8/8/8/8/8/7K w X - 0 1", "castling: 'X' in 'X' is not one of KQkq"),
    ("chess", "k6R/8/8/8/8/8/8/7K w - - 0 1", "board: Black is in check, but it is not its turn"),
    ("crazyhouse", "k7/8/8/8/8/8/8/7K[K] w - - 0 1", "hands: 'K' in 'K' cannot be in a hand"),
    ("chaotic", "8/8/8/8/8/8/8/7K w - - 0 1", "board: Black has no kings"),
    (
        "pandemonium-vchess",
        "4k5/10/10/10/10/10/10/10/10/5K4[D] w - - 0 1",
        "hands: 'D' in 'D' cannot be in a hand",
    ),
    ("xxl", "7k6/14/14/14/14/14/P13/14/14/14/14/14/14/7K6 w - - 0 1", "board: a pawn cannot stand on a8"),
    ("grand", "k9/10/10/10/10/10/10/10/P9/K9 w - - 0 1", "board: a pawn cannot stand on a2"),
]


@pytest.mark.parametrize("variant, fen, sentence", REFUSED)
def test_position_that_cannot_be_is_refused_with_one_sentence(variant, fen, sentence):
    with pytest.raises(FenError) as refusal:
        surajang.Position(variant, fen)
    assert str(refusal.value).startswith(sentence)
    assert "\n" not in str(refusal.value)


# Moves


@pytest.mark.parametrize("text", ["e2e2", "0000", "@@@@", "e2e9"])
def test_pass_is_accepted_in_every_spelling(text):
    position = surajang.Position("janggi")
    move = position.push(text)
    assert (str(move), move.is_pass) == ("e2e2", True)
    assert position.fen() == JANGGI.replace(" w - - 0 1", " b - - 1 1")


def test_pass_is_no_move_where_the_game_has_none():
    with pytest.raises(MoveSyntaxError):
        surajang.Position("chess").parse_move("0000")
    with pytest.raises(IllegalMoveError):
        surajang.Position("chess").parse_move("e1e1")


def test_setup_phase_offers_four_choices_and_then_the_game_begins():
    position = surajang.Position("janggi", JANGGI.replace(" w - ", " w Ss "))
    assert texts(position) == ["b1c1", "b1c1,h1g1", "e2e9", "h1g1"]
    position.push("h1g1,b1c1")
    assert position.fen() == ("rnea1aenr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RENA1ANER b s - 1 1")
    position.push("e9e2")
    assert position.fen().split()[2] == "-"
    assert len(position.legal_moves()) > 20


def test_move_before_the_choice_is_refused_with_the_choices():
    position = surajang.Position("pandemonium-vchess")
    with pytest.raises(IllegalMoveError, match="White chooses an arrangement first: e1e10, b1c1, i1h1"):
        position.push("e2e4")


def test_promotion_is_spelled_by_its_letter():
    position = surajang.Position("chess", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
    assert {move for move in texts(position) if move.startswith("a7")} == {
        "a7a8b",
        "a7a8n",
        "a7a8q",
        "a7a8r",
    }
    with pytest.raises(IllegalMoveError, match="the promotion does not fit; possible: a7a8q"):
        position.parse_move("a7a8")


def test_finished_game_refuses_moves():
    position = surajang.Position("janggi")
    position.push("e2e2")
    position.push("e9e9")
    assert position.result() == ("1/2-1/2", "Both sides passed")
    with pytest.raises(IllegalMoveError, match="the game is over"):
        position.push("a4a5")


def test_message_about_a_long_text_is_short_and_the_error_has_all_of_it():
    text = "e2e4 " * 1000
    for read in (surajang.Position("chess").push, surajang.Position("chess").parse_san):
        with pytest.raises(MoveSyntaxError) as raised:
            read(text)
        assert raised.value.text.strip() == text.strip()
        assert len(str(raised.value)) < 200
