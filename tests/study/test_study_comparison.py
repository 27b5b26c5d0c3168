"""Studies of several games beside each other: what is compared, and what is said about differences."""

import json
from dataclasses import replace

import pytest
from surajang.engine.definition.catalogue import load
from surajang.study.figures.comparison import common_strength, compare
from surajang.study.figures.intervals import UNKNOWN, Interval
from surajang.study.figures.piece_values import ResultValue
from surajang.study.figures.study import StudySource, study_of
from surajang.study.games.plan import START, Series, StudyPlan
from surajang.study.report.charts import interval_chart, plain
from surajang.study.report.comparing import json_of, markdown_of, page_of, sentences_of
from surajang.tests.support.study_games import study_game

pytestmark = pytest.mark.pure

SOURCE = StudySource("chess", "Chess", "abc", "the hand-written evaluation", "Surajang", 1, 600, 40, 0)


def study(title, results, nodes=100, plies=9):
    games = [study_game(number, result, kinds=("x",) * plies) for number, result in enumerate(results)]
    source = replace(SOURCE, game=title.lower(), title=title)
    return study_of({Series(START, nodes): games}, StudyPlan("chess", 40, (nodes,)), source, load("chess"))


LEVEL = study("Level", ["1-0", "0-1"] * 20)
SAME = study("Same", ["0-1", "1-0"] * 20)
DRAWN = study("Drawn", ["1/2-1/2"] * 40, plies=30)
STRONG = study("Strong", ["1/2-1/2"] * 40, nodes=10_000)


def figure(comparison, name):
    return next(each for each in comparison.figures if each.name == name)


def test_same_figures_show_no_difference():
    found = compare([LEVEL, SAME])
    difference = figure(found, "White's score").differences[0]
    assert difference.value == 0 and not difference.excludes(0)
    line = next(line for line in sentences_of(found) if line.startswith("White's score"))
    assert line.startswith(
        "White's score: the games do not show a difference between Same and Level, +0 points"
    )


def test_difference_is_that_from_the_first_game():
    found = compare([LEVEL, DRAWN])
    draws = figure(found, "Draws")
    assert draws.differences[0].value == 1 and draws.differences[0].low > 0.8
    assert compare([DRAWN, LEVEL]).figures[1].differences[0].value == -1
    text = markdown_of(found)
    assert "Draws: more in Drawn than in Level, +100 points" in text
    assert "| Draws | 0 % (0 to 9) | 100 % (91 to 100) |" in text


def test_values_of_pieces_are_compared_where_all_games_have_them():
    def valued(title, *rows):
        values = [
            ResultValue(name[0], name, in_hand, Interval(value, value - 20, value + 20), *[UNKNOWN] * 2, 100)
            for name, in_hand, value in rows
        ]
        return replace(study(title, ["1-0", "0-1"] * 20), values=tuple(values))

    found = compare(
        [
            valued("One", ("Rook", False, 500), ("Pawn", False, 100), ("Pawn", True, 90)),
            valued("Two", ("Rook", False, 400), ("Knight", False, 300), ("Pawn", True, 80)),
        ]
    )
    assert [each.name for each in found.figures if each.name.startswith("Value")] == ["Value of the Rook"]
    rook = figure(found, "Value of the Rook")
    assert rook.differences[0].value == -100 and rook.differences[0].excludes(0)
    assert any(line.startswith("Value of the Rook: less in Two than in One") for line in sentences_of(found))


def test_games_are_compared_at_a_common_strength_only():
    assert common_strength([LEVEL, DRAWN]) == 100
    assert common_strength([LEVEL, STRONG]) == 0
    found = compare([LEVEL, STRONG])
    assert found.figures == () and sentences_of(found) == ["The studies have no strength in common."]


def test_page_and_json_have_every_game():
    found = compare([LEVEL, DRAWN, SAME])
    text = page_of(found)
    assert "<h1>Level, Drawn, Same: a comparison</h1>" in text and text.count("<svg") == len(found.figures)
    facts = json.loads(json_of(found))
    assert facts["games"] == ["level", "drawn", "same"]
    assert len(facts["figures"][0]["differences"]) == 2


def test_chart_leaves_out_what_is_unknown():
    scores = figure(compare([LEVEL, DRAWN]), "White's score").values
    assert interval_chart(("a", "b"), scores, "title", plain).count("<circle") == 2
    sharp = (LEVEL.character.turned, DRAWN.character.turned)
    assert not sharp[1].is_known and interval_chart(("a", "b"), sharp, "title", plain).count("<circle") == 1
