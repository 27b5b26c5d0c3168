"""From games to figures, without playing."""

import json
import math
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from surajang.engine.definition.catalogue import load
from surajang.engine.variant import Variant
from surajang.study.figures.balance import balance_of
from surajang.study.figures.character import character_of, lead_changes, was_turned, was_turned_late
from surajang.study.figures.first_moves import openings_of
from surajang.study.figures.pieces import pieces_of
from surajang.study.figures.rules_at_work import rules_at_work
from surajang.study.figures.sharpness import sharpness_of
from surajang.study.figures.study import StudySource, study_of
from surajang.study.games.plan import START, SUITE, Series, StudyPlan, parse_strengths
from surajang.study.games.playing import until_time
from surajang.study.games.probing import Probe
from surajang.study.games.start_openings import chances_of
from surajang.study.games.study_game import StudyGame
from surajang.study.report.charts import curve_chart, heat_map, plain
from surajang.study.report.files import as_json
from surajang.study.report.markdown import markdown, write_markdown
from surajang.study.report.page import page
from surajang.study.report.sentences import balance as balance_sentences
from surajang.study.report.sentences import openings as openings_sentences
from surajang.tests.support.study_games import study_game

pytestmark = pytest.mark.pure

WEAK, STRONG = Series(START, 100), Series(START, 10_000)
SOURCE = StudySource("chess", "Chess", "abc", "the hand-written evaluation", "Surajang", 1, 600, 40, 0)


def series_of(*results):
    return [study_game(number, result) for number, result in enumerate(results)]


def study(games, source=SOURCE, count=40):
    return study_of(games, StudyPlan(Variant("chess"), count, (100, 10_000)), source, load("chess"))


# Games and plans


def test_game_survives_its_line_of_json():
    game = study_game(3, kinds=("x+", "", "="), scores=(None, -32, 5), mated=7)
    assert "\n" not in game.encoded()
    assert StudyGame.decoded(game.encoded()) == game


def test_greater_strengths_play_fewer_games():
    plan = StudyPlan(Variant("chess"), 1000)
    assert [plan.games_of(Series(START, nodes)) for nodes in plan.strengths] == [1000, 1000, 316, 100]
    assert plan.games_of(Series(SUITE, 100)) == 500
    assert StudyPlan(Variant("chess"), 10).games_of(Series(START, 100_000)) == 10


def test_no_score_ends_a_game_of_a_study():
    settings = StudyPlan(Variant("chess")).settings_of(WEAK)
    assert min(settings.win_plies, settings.draw_plies) > settings.most_plies


@pytest.mark.parametrize("text", ["", "many", "100,", "0", "-5", "100;200"])
def test_bad_strengths_are_quoted(text):
    with pytest.raises(ValueError, match=f"'{text}' should be nodes a move"):
        parse_strengths(text)


def test_better_moves_are_drawn_more_often_and_bad_ones_never():
    moves, chances = chances_of({"e2e4": 30, "d2d4": 10, "g2g4": -90})
    assert moves == ("e2e4", "d2d4")
    assert sum(chances) == pytest.approx(1)
    assert chances[0] / chances[1] == pytest.approx(math.e)


def test_no_game_begins_when_the_time_is_over():
    tasks = [(number, ()) for number in range(9)]
    clock = iter(range(9))
    assert [*until_time(tasks, 4.0, lambda: next(clock))] == tasks[:4]
    assert [*until_time(tasks, None)] == tasks


# Balance


def test_unfinished_games_count_as_half_a_point_and_not_as_draws():
    (row,) = balance_of({WEAK: series_of("1-0", "*", "1/2-1/2", "0-1")}).rows
    assert (row.white_wins, row.draws, row.black_wins, row.unfinished) == (1, 1, 1, 1)
    assert row.score.value == 0.5 and row.drawn.value == 0.25 and row.decisive.value == 0.5
    assert balance_of({WEAK: series_of("1-0", "*")}).rows[0].score.value == 0.75


def test_change_with_strength_is_paired_by_opening():
    """Openings that decide a game at any strength hide a change without pairing."""
    weak = series_of(*["1-0", "0-1"] * 40)
    strong = series_of(*["1-0", "1/2-1/2"] * 40)
    found = balance_of({WEAK: weak, STRONG: strong[:60]})
    assert found.score_change.value == 0.25 and found.drawn_change.value == 0.5
    apart = found.rows[1].score - found.rows[0].score
    assert found.score_change.high - found.score_change.low < 0.7 * (apart.high - apart.low)


def test_favour_is_claimed_only_where_the_interval_shows_it():
    even = study({WEAK: series_of(*["1-0"] * 11, *["0-1"] * 9)})
    assert "do not show that either side is favoured" in balance_sentences(even)[0]
    uneven = study({WEAK: series_of(*["0-1"] * 32, *["1-0"] * 8)})
    assert balance_sentences(uneven)[0].endswith("Black is favoured.")


def test_strength_with_few_games_is_no_headline():
    """Two games at the greatest strength say nothing."""
    found = balance_of({WEAK: series_of(*["1-0"] * 30), STRONG: series_of("0-1", "0-1")})
    assert found.strongest.nodes == WEAK.nodes
    assert found.score_change is None and len(found.rows) == 2
    assert balance_of({STRONG: series_of("1-0")}).strongest.nodes == STRONG.nodes, "the only one"


# Rules at work


def test_rules_that_never_came_into_play_are_named():
    games = [(n, study_game(n, kinds=("x", "+", "O"), pieces=("N", "Q", "K"))) for n in range(300)]
    found = rules_at_work(games, load("chess"))
    assert [row.name for row in found.ends] == ["The winner mates"]
    assert {row.name for row in found.moves} == {"Captures", "Checks", "Castling"}
    assert {"En passant", "Pawn promotes to Queen", "Pawn promotes to Knight", "Repetition"} <= {*found.never}
    assert not {"Mate", "Castling", "Pass", "Goal"} & {*found.never}
    assert found.never_share == pytest.approx(3 / 300, rel=0.01), "the rule of three"


def test_each_promotion_counts_for_itself():
    game = study_game(kinds=("=", "=x", ""), pieces=("P", "P", "N"), moves=("a7a8q", "b7a8n", "g1f3"))
    rows = {row.name: row for row in rules_at_work([(0, game)], load("chess")).moves}
    assert rows["Pawn promotes to Queen"].times == rows["Pawn promotes to Knight"].times == 1
    assert "Pawn promotes to Rook" not in rows


def test_games_of_one_opening_are_one_unit():
    game = study_game(kinds=("O",))
    alone = rules_at_work([(n, game) for n in range(100)], load("chess"))
    shared = rules_at_work([(n // 10, game) for n in range(100)], load("chess"))
    low = {name: found.moves[0].share.low for name, found in (("alone", alone), ("shared", shared))}
    assert low["shared"] < low["alone"] - 0.1
    assert shared.never_share > 5 * alone.never_share


def test_captures_of_own_pieces_are_a_rule_at_work():
    games = [(0, study_game(kinds=("o", "", "x")))]
    rows = {row.name: row.times for row in rules_at_work(games, load("selfcapture")).moves}
    assert rows["Captures of own pieces"] == rows["Captures"] == 1
    assert "Captures of own pieces" not in rules_at_work(games, load("chess")).never


def test_special_rules_of_a_game_are_counted_and_named_if_they_never_come():
    games = [(n, study_game(n, kinds=("b", "xm", ""), pieces=("P", "M", "K"))) for n in range(50)]
    found = rules_at_work(games, load("chaotic"))
    assert {row.name: row.times for row in found.moves} == {
        "Captures": 50,
        "Captures between two merchants": 50,
        "Bumps": 50,
    }
    assert "Merchant takes the king" in found.never
    games = [(n, study_game(n, kinds=("s", "w"), pieces=("", ""))) for n in range(50)]
    swaps = {row.name: row.times for row in rules_at_work(games, load("pandemonium-vchess")).moves}
    assert swaps == {"Setup choice that swaps pieces": 50}
    assert "Entries at a gate" in rules_at_work(games, load("seirawan")).never


def test_rule_that_the_start_has_not_is_not_named():
    """Janggi's usual start has no choice of an arrangement."""
    never = rules_at_work([(0, study_game(pieces=("K",) * 9))], load("janggi")).never
    assert "Setup choice that swaps pieces" not in never and "Pass" in never


def test_longer_steps_count_by_piece():
    games = [(0, study_game(kinds=("2", "", "2"), pieces=("P", "P", "P")))]
    rows = {row.name: row.times for row in rules_at_work(games, load("chess")).moves}
    assert rows == {"Pawn makes a longer step": 2}


def test_leaps_of_first_moves_count_by_piece():
    games = [(0, study_game(kinds=("f", "f", "f", ""), pieces=("K", "M", "K", "K")))]
    rows = {row.name: row.times for row in rules_at_work(games, load("cambodian")).moves}
    king, met = (load("cambodian").piece(letter).name for letter in "KM")
    assert rows == {f"{king} leaps with its first move": 2, f"{met} leaps with its first move": 1}
    assert f"{king} leaps with its first move" not in rules_at_work(games, load("makruk")).never


# Character


def test_lead_that_changes_is_counted_and_small_scores_are_not():
    game = study_game(scores=(None, 150, 40, -120, -30, 90, 300, 400, -250))
    assert lead_changes(game) == 3
    assert was_turned(game), "White won although Black was ahead by 250"
    assert lead_changes(study_game(scores=(150, -40, 120, -90, 0, 0, 0, 0, 0))) == 0
    assert not was_turned(study_game(result="1-0", scores=(0,) * 9))
    assert not was_turned(study_game(result="1-0", scores=(400,) * 9)), "the winner was ahead"
    assert was_turned(study_game(result="0-1", scores=(400,) * 9))
    assert was_turned_late(game), "in the last of nine plies"
    assert not was_turned_late(study_game(scores=(0, -250, 0, 0, 0, 0, 0, 0, 0))), "early"


def test_count_that_is_always_zero_may_still_be_rare():
    found = character_of(series_of(*["1-0"] * 40), 100).lead_changes
    assert found.low == found.value == 0 and 0.05 < found.high < 0.15


def test_kinds_of_moves_by_third_of_the_game():
    found = character_of(
        [study_game(n, kinds=["", "", "x", "x", "x", "x", "", "", ""]) for n in range(5)], 100
    )
    (row,) = found.kinds
    assert row.kind == "captures"
    assert [part.value for part in row.shares] == [pytest.approx(1 / 3), 1, 0]


def test_sharpness_counts_losses_and_changes_of_the_best_move():
    probes = [Probe(n, 8, loss, ("e2e4", "d2d4", "d2d4")) for n, loss in enumerate([0, 20, 100, 1000])]
    found = sharpness_of(probes)
    assert (found.loss.value, found.sharp.value, found.changes.value) == (280, 0.5, 0.5)
    assert sharpness_of([]) is None


def test_positions_of_one_game_are_one_unit_of_sharpness():
    losses = [0, 20, 100, 1000] * 10
    alone = sharpness_of([Probe(n, 8, loss, ("e2e4",)) for n, loss in enumerate(losses)])
    shared = sharpness_of([Probe(n % 4, n, loss, ("e2e4",)) for n, loss in enumerate(losses)])
    for name in ("loss", "sharp"):
        one, four = getattr(alone, name), getattr(shared, name)
        assert one.value == four.value and four.high - four.low > 1.5 * (one.high - one.low), name


def test_curve_ends_where_few_games_are_left():
    games = [study_game(n, kinds=("",) * (100 if n == 0 else 20)) for n in range(30)]
    assert max(point.ply for point in character_of(games, 100).legal) <= 20
    assert character_of(games, 100).quartiles == (20, 20, 20)


# Pieces, openings


def test_heat_maps_have_both_sides_from_their_own_first_rank():
    board = ["."] * 64
    board[0], board[63] = "R", "r"  # a1, h8
    game = study_game(boards=("".join(board),), result="0-1", mated=0)
    found = pieces_of([game], load("chess"))
    (rook,) = found.rows
    assert (rook.stands[0], rook.stands[7]) == (0.5, 0.5)
    assert found.mated[0] == 1 and found.mates == 1
    assert rook.survival.value == 0.5, "two of four rooks"


def test_heat_is_that_of_all_boards_and_survival_that_of_the_last():
    both, one = "R......R" + "." * 56, "R" + "." * 63
    (rook,) = pieces_of([study_game(boards=(both, one))], load("chess")).rows
    assert (rook.stands[0], rook.stands[7]) == (pytest.approx(2 / 3), pytest.approx(1 / 3))
    assert rook.survival.value == 0.25, "one of four rooks"


def test_mobility_is_that_of_one_piece():
    """The order of kinds is that of the game's file; kinds without a piece have none."""
    letters = [piece.letter for piece in load("chess").pieces]
    mobility = tuple(6 if letter == "R" else 0 for letter in letters)
    movable = tuple(4 if letter == "R" else 0 for letter in letters)
    games = [study_game(n, boards=("RN" + "." * 62,), mobility=mobility, movable=movable) for n in range(3)]
    rows = {row.letter: row for row in pieces_of(games, load("chess")).rows}
    assert rows["R"].mobility.value == 1.5 and not rows["N"].mobility.is_known
    assert rows["N"].moves.low >= 0, "a share"


def test_drops_are_seen_from_the_side_that_drops():
    board = "." * 63 + "P"
    game = study_game(kinds=("@", "@"), moves=("P@e4", "P@e5"), pieces=("P", "P"), boards=(board,))
    (pawn,) = pieces_of([game], load("crazyhouse")).rows
    assert pawn.drops[28] == 1
    black_begins = replace(load("crazyhouse"), start_fen=load("crazyhouse").start_fen.replace(" w ", " b "))
    first = study_game(
        kinds=("@", "@"), moves=("N@f6", "P@e4"), pieces=("N", "P"), boards=(board[:-1] + "N",)
    )
    (knight,) = pieces_of([first], black_begins).rows
    assert knight.drops[21] == 1, "f3, as Black sees it; drops of other pieces are theirs"


def test_first_moves_are_ordered_by_games():
    games = [study_game(n, "1-0", line=("e4", "e5", "Nf3", "Nc6")) for n in range(3)]
    games.append(study_game(3, "0-1", line=("d4", "d5", "c4", "e6")))
    found = openings_of(games, 100)
    assert [(row.moves, row.games) for row in found.first] == [(("e4",), 3), (("d4",), 1)]
    assert found.lines[0].moves == ("e4", "e5", "Nf3", "Nc6") and found.lines[0].score.value == 1


# Faults


def test_game_that_is_over_at_the_start_is_reported():
    over = study_game(0, "1/2-1/2", kinds=())
    found = study({WEAK: [over]})
    assert found.notes == ("The game is over before the first move: Stalemate (1/2-1/2).",)
    assert "Stalemate" in markdown(found) and "<h1>" in page(found, load("chess"))


def test_win_within_a_few_plies_is_reported():
    found = study({WEAK: [study_game(n, kinds=("+",)) for n in range(3)]})
    assert (
        "White won every game, the longest in 1 ply. The game is probably decided at the start."
        in found.notes
    )


def test_games_without_an_end_are_reported():
    found = study({WEAK: series_of("*", "*", "1-0")})
    assert any("2 of 3 games had no result after 600 plies" in note for note in found.notes)


def test_nothing_played_is_a_report_too():
    found = study({WEAK: []})
    assert found.notes == ("No game was played.",)
    assert found.character is None and "No game was played." in page(found, load("chess"))


# Reports


def test_reports_have_every_section_and_no_other_file():
    found = study({WEAK: series_of(*["1-0", "0-1", "1/2-1/2"] * 8), STRONG: series_of(*["1/2-1/2"] * 12)})
    html, text = page(found, load("chess")), markdown(found)
    for heading in ("Balance", "Rules at work", "Character", "Openings"):
        assert f"<h2>{heading}</h2>" in html and f"\n## {heading}\n" in text
    assert "prefers-color-scheme: dark" in html and "@media print" in html
    assert "<script" not in html and 'src="' not in html and "nan" not in html + text
    assert page(found, load("chess")) == html


def test_markdown_has_its_figures_beside_it(tmp_path):
    found = study({WEAK: series_of(*["1-0", "0-1", "1/2-1/2"] * 8)})
    page_of_study = tmp_path / "chess.md"
    write_markdown(page_of_study, found, load("chess"))
    text = page_of_study.read_text(encoding="utf-8")
    linked = re.findall(r"!\[[^]]+\]\(([^)]+)\)", text)
    assert linked[:2] == ["chess-score.svg", "chess-results.svg"]
    assert sorted(linked) == sorted(path.name for path in tmp_path.glob("*.svg"))
    for name in linked:
        svg = ElementTree.fromstring((tmp_path / name).read_text(encoding="utf-8"))
        assert svg.tag == "{http://www.w3.org/2000/svg}svg"
        assert "prefers-color-scheme: dark" in svg[0].text, "its colours do not depend on the page"


def test_json_has_null_for_what_is_unknown():
    figures = json.loads(as_json(study({WEAK: series_of("1-0")})))
    assert figures["balance"]["rows"][0]["plies"] == {"value": 9.0, "low": None, "high": None}
    assert figures["source"]["game"] == "chess"


def test_charts_of_hardly_anything_are_left_out_or_whole():
    assert curve_chart((), "nothing", plain) == ""
    assert heat_map((0.0,) * 6, 3, 2, "nothing").count('class="heat"') == 6


def test_moves_of_a_setup_phase_are_explained():
    games = {WEAK: [study_game(n, kinds=("s", "sw"), pieces=("", ""), line=("e1e10",)) for n in range(9)]}
    with_choice = study_of(games, StudyPlan(Variant("chess"), 9, (100,)), SOURCE, load("pandemonium-vchess"))
    assert any("chooses its arrangement" in line for line in openings_sentences(with_choice))
    assert not any("arrangement" in line for line in openings_sentences(study(games)))
