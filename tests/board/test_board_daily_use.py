"""The board in a real browser in daily use: keys, small screens, long lists, arrows, the editor."""

import re

import pytest
from playwright.sync_api import expect
from surajang.match.records.live import LiveGames
from surajang.match.records.model import MatchGame, Opening
from surajang.tests.support.board import START, match_folder
from surajang.tests.support.browsing import (
    ANALYST,
    click,
    expect_moves,
    fen_of,
    load_pgn,
    played,
    resized,
    square,
)

pytestmark = pytest.mark.gui

# Keys and the mouse


def test_click_on_the_board_leaves_the_arrow_keys_to_the_moves(visit):
    page = visit("--variant", "chess")
    click(page, "e2", "e4")
    played(page, 1)
    assert page.evaluate("document.activeElement === document.body")
    page.keyboard.press("ArrowLeft")
    played(page, 0)
    page.keyboard.press("ArrowRight")
    played(page, 1)


def test_click_on_the_board_takes_the_keys_from_a_field(visit):
    page = visit("--variant", "chess")
    click(page, "e2", "e4")
    played(page, 1)
    page.locator("#movebox input").click()
    click(page, "d5")
    page.keyboard.press("ArrowLeft")
    played(page, 0)


def test_space_starts_the_engine_and_then_plays_its_move(visit):
    page = visit("--variant", "chess", "--engine", ANALYST)
    page.keyboard.press(" ")
    expect(page.locator("#engine li")).to_have_count(1)
    page.keyboard.press(" ")
    played(page, 1)


def test_king_castles_onto_its_rook(visit):
    page = visit("--variant", "chess", "--fen", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    click(page, "e1", "h1")
    played(page, 1)
    click(page, "e8", "a8")
    played(page, 2)
    expect_moves(page, "O-O", "O-O-O")


def test_check_stays_red_when_the_king_is_chosen(visit):
    page = visit("--variant", "chess", "--fen", "4k3/8/8/8/8/8/4q3/4K3 w - - 0 1")
    click(page, "e1")
    page.wait_for_function("() => board.board.chosen === 4")
    order = page.evaluate(
        "[...document.querySelectorAll('.layer-marks > *')].map(one => one.getAttribute('class'))"
    )
    assert order[-1] == "check" and len(order) > 1


# Small screens


def test_phone_in_landscape_shows_the_whole_board(visit):
    page = visit("--variant", "crazyhouse")
    for width, height in ((800, 380), (667, 375), (896, 414)):
        resized(page, width, height)
        board = page.locator("#board > svg").bounding_box()
        assert board["y"] >= 0 and board["y"] + board["height"] <= height
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_board_keeps_its_size_and_place_when_a_result_appears(visit):
    page = visit("--variant", "chess", "--fen", "7k/5Q2/6K1/8/8/8/8/8 w - - 0 1")
    before = page.locator("#board > svg").bounding_box()
    click(page, "f7", "g7")
    expect(page.locator("#outcome")).to_contain_text("White mates")
    assert page.locator("#board > svg").bounding_box() == before


# Files of games


def many_games(count):
    return "".join(
        f'[White "Player {n}"]\n[Black "Other"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n\n'
        for n in range(1, count + 1)
    )


def test_list_of_a_long_file_stays_where_it_is_and_can_be_searched(visit, tmp_path):
    pgn = tmp_path / "games.pgn"
    pgn.write_text(many_games(1000))
    page = visit("--variant", "chess", "--pgn", str(pgn))
    rows = page.locator(".games button")
    expect(rows).to_have_count(1000)
    rows.nth(700).scroll_into_view_if_needed()
    before = page.evaluate("document.querySelector('.games').scrollTop")
    rows.nth(700).click()
    page.wait_for_function("() => board.tags.White === 'Player 701'")
    expect(rows.nth(700)).to_have_class("here")
    page.evaluate("board.panels.draw()")  # as the progress of a review does
    assert before > 0 and page.evaluate("document.querySelector('.games').scrollTop") == before
    page.locator("#find-game").fill("player 70")
    expect(rows).to_have_count(20)  # 70 and 700, and those that end with 70 or begin with 70
    expect(page.locator("#games-found")).to_have_text("20 of 1000 games")


def test_game_with_an_illegal_move_is_shown_up_to_it(visit):
    page = visit("--variant", "chess")
    load_pgn(page, "1. e4 e5 2. Ke3 Nc6 *")
    expect(page.locator("#pgn-error")).to_contain_text("Ke3")
    page.locator("#tab-moves").click()
    expect_moves(page, "e4", "e5")


def test_file_whose_first_game_is_unreadable_shows_the_next(visit):
    page = visit("--variant", "chess")
    load_pgn(page, '[White "A"]\n\n1. e5 *\n\n[White "B"]\n\n1. d4 *\n')
    expect(page.locator(".games .here")).to_contain_text("B")
    page.locator("#tab-moves").click()
    expect_moves(page, "d4")


# Arrows, variations, the graph


def draw(page, *names):
    """Draws an arrow or a circle with the right button."""
    box = [square(page, name).bounding_box() for name in (names[0], names[-1])]
    for one, press in zip(box, (page.mouse.down, page.mouse.up), strict=True):
        page.mouse.move(one["x"] + one["width"] / 2, one["y"] + one["height"] / 2)
        press(button="right")


def test_arrows_and_circles_stay_with_their_position_and_in_the_pgn(visit):
    page = visit("--variant", "chess")
    draw(page, "e2", "e4")
    draw(page, "d5")
    arrows = page.locator(".layer-shapes .arrow")
    expect(arrows).to_have_count(2)
    click(page, "a5", "g1", "f3")
    played(page, 1)
    expect(arrows).to_have_count(0)
    page.keyboard.press("ArrowLeft")
    expect(arrows).to_have_count(2)
    page.locator("#tab-text").click()
    page.wait_for_function("() => document.querySelector('#pgn').value.includes('[%csl Gd5] [%cal Ge2e4]')")
    text = page.locator("#pgn").input_value()
    draw(page, "d5")
    expect(arrows).to_have_count(1)
    page.keyboard.press("c")
    expect(arrows).to_have_count(0)
    page.locator("#pgn").fill(text)
    page.locator("#load-pgn").click()
    page.wait_for_function("() => board.mode === 'review'")
    page.keyboard.press("Home")
    expect(arrows).to_have_count(2)


def contrast(page, selector):
    """The contrast of a text with its background, by the formula of WCAG 2."""
    colours = page.evaluate(
        "one => (s => [s.color, s.backgroundColor])(getComputedStyle(document.querySelector(one)))",
        selector,
    )

    def luminance(colour):
        parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        red, green, blue = [
            part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        ]
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, light = sorted(map(luminance, colours))
    return (light + 0.05) / (dark + 0.05)


def test_chosen_move_of_a_variation_can_be_read(visit):
    page = visit("--variant", "chess")
    click(page, "e2", "e4")
    played(page, 1)
    page.keyboard.press("ArrowLeft")
    played(page, 0)
    click(page, "d2", "d4")
    page.locator("#moves .side .mv.here").wait_for()
    for theme in ("light", "dark"):
        page.evaluate("theme => board.theme(theme)", theme)
        assert contrast(page, "#moves .side .mv.here") >= 4.5, theme


def test_moves_without_a_score_are_painted_for_neither_side(visit, tmp_path):
    pgn = tmp_path / "game.pgn"
    pgn.write_text("1. e4 {[%eval 0.3]} e5 {[%eval 0.2]} 2. Nf3 Nc6 3. Bb5 {[%eval 0.4]} a6 *\n")
    page = visit("--variant", "chess", "--pgn", str(pgn))
    grounds = page.locator("#graph .ground")
    expect(grounds).to_have_count(2)  # 1. e4 e5, and 3. Bb5
    painted = page.evaluate(
        "[...document.querySelectorAll('#graph .ground')].map(one => Number(one.getAttribute('width')))"
    )
    assert sum(painted) < 1000 / 2


# The editor, other names, matches


def test_pieces_of_the_editor_are_dragged(visit):
    page = visit("--variant", "chess")
    page.locator("#tab-analyse").click()
    page.locator("#edit").click()
    square(page, "d1").drag_to(square(page, "d5"))
    square(page, "a1").drag_to(page.locator("#title"))
    page.locator('.palette [data-letter="N"]').drag_to(square(page, "e4"))
    page.locator("#edit-castling").fill("Kkq")
    page.locator("#edit-castling").blur()
    page.locator("#edit-done").click()
    page.wait_for_function("() => !board.panels.editor.open")
    assert fen_of(page).startswith("rnbqkbnr/pppppppp/8/3Q4/4N3/8/PPPPPPPP/1NB1KBNR w Kkq")


def test_sides_have_the_names_of_their_game(visit):
    page = visit("--variant", "janggi")
    expect(page.locator("#strip-near .who")).to_have_text("Cho")
    expect(page.locator("#strip-far .who")).to_have_text("Han")
    assert square(page, "e9").get_attribute("aria-label") == "e9, han king"
    page.locator("#resign, #start").first.click()
    page.locator("#resign").click()
    page.locator("#resign").click()
    expect(page.locator("#outcome")).to_have_text("0-1  Cho resigns")


def test_live_game_is_followed_without_losing_the_wish_for_new_games(visit, tmp_path):
    match_folder(tmp_path, [0])
    with LiveGames(tmp_path) as match:
        match.started(MatchGame(1, 0, 0, 1, Opening(START, ("e2e4",))), [65.0, 64.0])
        page = visit("--watch", str(tmp_path))
        page.locator(".live").click()
        expect(page.locator(".live")).to_have_class("live here")
        expect(page.locator("#follow")).to_be_checked()
        match_folder(tmp_path, [2])
        expect(page.locator(".games button")).to_have_count(2)
        expect(page.locator(".live")).to_have_class("live here")


def test_board_waits_for_a_match_that_has_not_begun(visit, tmp_path):
    folder = tmp_path / "match"
    page = visit("--watch", str(folder))
    folder.mkdir()
    match_folder(folder, [0])
    expect(page.locator(".games button")).to_have_count(1)
