"""Scores for callers."""

import pytest
import surajang
from surajang import BLACK, WHITE, Score

pytestmark = pytest.mark.pure


@pytest.mark.parametrize(
    ("score", "turn", "wanted"),
    [
        (Score(120), WHITE, (120, None, 0)),
        (Score(120), BLACK, (-120, None, 0)),
        (Score(0, 2), WHITE, (None, 2, 0)),
        (Score(0, -3), BLACK, (None, 3, 0)),
    ],
)
def test_score_is_turned_to_white_as_pgn_has_it(score, turn, wanted):
    assert score.white(turn) == surajang.pgn.WhiteScore(*wanted)


def test_score_for_white_has_the_depth_of_the_search():
    assert Score(5).white(WHITE, depth=9) == (5, None, 9)
