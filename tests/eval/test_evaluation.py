"""The value of positions by the hand-written evaluation."""

import numpy as np
import pytest
from numba import njit
from surajang.eval.terms import evaluate as evaluation
from surajang.eval.terms.evaluate import MAX_SCORE
from surajang.eval.terms.weights import build_weights
from surajang.search.tree.parameters import DECISIVE
from surajang.tests.search.test_search import MIDDLE, position_of
from surajang.tests.support.games import START_FEN, mirror_fen, setup

pytestmark = [pytest.mark.compiled, pytest.mark.quick]


@njit
def _evaluate(rules, weights, state):
    return evaluation.evaluate(rules, weights, state)


@pytest.fixture(scope="module")
def worth():
    """The score of a FEN for the side to move, without the bonus of the move for attacks."""
    start = position_of()
    weights = build_weights(start.rules, start.description)
    weights["initiative"] = 0

    def evaluate(fen):
        return int(_evaluate(start.rules, weights, position_of(fen).state))

    return evaluate


@pytest.fixture(scope="module")
def tempo():
    """The value of the right to move."""
    start = position_of()
    return int(build_weights(start.rules, start.description)["tempo"])


FENS = [
    START_FEN,
    MIDDLE,
    "R1b1k4r/PP5P2/4n5/3D6/5h4/4S5/6g3/5N4/2p4p1p/R3K2B1R[RMPPqcbnp] w - - 0 1",
    setup("Ke1 Ra1 Rj1 Pb2 Pd3 ke10 ra10 rj10 pc4 pe4 pg9 ph8"),
    setup("Kj1 ke10 Qa4", "PPPqn", turn="b"),
    setup("Kj2 ka9 Ab2 gd3 wh7 Hh3", "Mc"),
]


@pytest.mark.parametrize("fen", FENS)
def test_mirrored_position_is_worth_the_same_to_the_mover(worth, fen):
    assert worth(mirror_fen(fen)) == worth(fen)


@pytest.mark.parametrize("fen", FENS)
def test_what_one_side_has_the_other_lacks(worth, tempo, fen):
    """Only the right to move breaks the symmetry."""
    board, turn, *rest = fen.split()
    other = " ".join([board, "wb"[turn == "w"], *rest])
    assert worth(fen) - tempo == -(worth(other) - tempo)


def test_start_is_worth_the_move(worth, tempo):
    assert worth(START_FEN) == tempo


@pytest.mark.parametrize("letter", "QMCRBNP")
def test_piece_in_hand_counts_for_its_owner(worth, letter):
    """By the table of hands, in which each further piece counts slightly less; threats are added."""
    men, start = "Ke1 ke10 Pa2 pa9", position_of()
    index = [piece.letter for piece in start.description.hand_pieces].index(letter)
    first, second = np.diff(build_weights(start.rules, start.description)["hands"][index][:3])
    none, mine, yours = (worth(setup(men, hand)) for hand in ("", letter, letter.lower()))
    assert mine - none >= first
    assert none - yours >= first
    assert worth(setup(men, letter * 2)) - mine >= second > first // 2


@pytest.mark.parametrize("letter", "QMCRBNPDHSAWG")
def test_piece_on_the_board_counts_for_its_owner(worth, letter):
    men = "Ke1 ke10 Pa2 pa9 "
    none, mine, yours = (worth(setup(men + man)) for man in ("", f"{letter}c4", f"{letter.lower()}c7"))
    least = position_of().description.piece(letter).value // 3  # squares and mobility take some away
    assert mine - none > least
    assert none - yours > least


def test_score_is_bounded_whatever_stands_on_the_board(worth):
    squares = [f"{file}{rank}" for file in "abcdfghij" for rank in (2, 3, 4)]
    mine = setup("Ke1 kj10 ri10 pi9 pj9 " + " ".join(f"Q{square}" for square in squares), "Q" * 99 + "M" * 99)
    yours = setup("Ka10 kj10 " + " ".join(f"q{square}" for square in squares[3:]), "q" * 99)
    assert worth(mine) == MAX_SCORE
    assert worth(yours) == -MAX_SCORE
    assert MAX_SCORE < DECISIVE
