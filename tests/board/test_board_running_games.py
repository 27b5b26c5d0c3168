"""A running game on the board in a real browser: questions before work is lost, clocks, reloads, a lost
connection, and moves in advance."""

import pytest
from playwright.sync_api import expect
from surajang.tests.support.browsing import (
    ANALYST,
    click,
    expect_moves,
    load_pgn,
    played,
    square,
)

pytestmark = pytest.mark.gui


@pytest.fixture
def slow(tmp_path):
    """An engine that moves after the file exists: (its option, the file)."""
    signal = tmp_path / "move"
    return ANALYST.replace("fake_analyst.py", f"fake_analyst.py --until {signal}"), signal


def start(page, **wishes):
    """Begins a game with the choices of the panel."""
    for name, value in wishes.items():
        page.locator(f"#wish-{name}").select_option(value)
    page.locator("#start").click()
    page.locator("#takeback").wait_for()


def answer(page, text):
    """Answers the question that the page asks."""
    page.locator("#ask button", has_text=text).click()
    expect(page.locator("#ask")).not_to_be_visible()


# Work that must not be lost


@pytest.mark.parametrize("way", ["start position", "fen", "variant"])
def test_running_game_ends_only_after_a_question(visit, way):
    page = visit("--variant", "chess", "--engine", ANALYST)
    start(page)
    click(page, "e2", "e4")
    played(page, 2)
    page.locator("#tab-analyse").click()
    if way == "fen":
        page.locator("#tab-text").click()

    def end():
        if way == "start position":
            page.locator("#start").click()
        elif way == "fen":
            page.locator("#fen").fill("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
            page.locator("#load-fen").click()
        else:
            page.locator("#variant").select_option("crazyhouse")

    end()
    answer(page, "Go on playing")
    assert page.evaluate("board.play.active && board.state.ply === 2")
    assert page.evaluate("board.game.variant") == "chess"
    end()
    answer(page, "End the game")
    page.wait_for_function("() => !board.play.active && board.state?.ply === 0")


def test_undo_brings_back_a_deleted_line_and_a_replaced_game(visit):
    page = visit("--variant", "chess")
    click(page, "e2", "e4")
    played(page, 1)
    click(page, "e7", "e5")
    played(page, 2)
    page.locator("#delete").click()
    played(page, 1)
    page.locator("#tab-analyse").click()
    page.locator("#start").click()
    played(page, 0)
    expect_moves(page)
    page.keyboard.press("Control+z")
    expect_moves(page, "e4")
    page.keyboard.press("Control+z")
    expect_moves(page, "e4", "e5")
    played(page, 2)
    page.keyboard.press("Control+y")
    expect_moves(page, "e4")
    page.locator("#undo").click()
    expect_moves(page, "e4", "e5")


def test_bad_pgn_changes_neither_the_mode_nor_the_game(visit):
    page = visit("--variant", "chess")
    click(page, "e2", "e4")
    played(page, 1)
    load_pgn(page, "1. e5 *")
    expect(page.locator("#pgn-error")).to_contain_text("e5")
    assert page.evaluate("board.mode") == "play"
    assert page.evaluate("board.state.ply") == 1


# Clocks and reloads


def test_clocks_of_a_resigned_game_go_with_it(visit):
    page = visit("--variant", "chess", "--engine", ANALYST)
    start(page, clock="3")
    expect(page.locator("#strip-near .clock")).not_to_be_empty()
    page.locator("#resign").click()
    page.locator("#resign").click()
    expect(page.locator("#outcome")).to_contain_text("resigns")
    page.locator("#tab-analyse").click()
    page.locator("#start").click()
    expect(page.locator(".strip .clock").first).to_be_empty()
    expect(page.locator(".strip .clock").last).to_be_empty()
    expect(page.locator("#outcome")).to_be_empty()


def test_clock_shows_tenths_below_ten_seconds_and_never_four_digits(visit):
    page = visit("--variant", "chess")
    texts = page.evaluate(
        "import('./static/dom.js').then(dom => [9.97, 9.95, 10, 0.04, -1, 59.99].map(dom.clockText))"
    )
    assert texts == ["0:09.9", "0:09.9", "0:10", "0:00.0", "0:00.0", "0:59"]


def test_reload_keeps_the_game_its_side_and_the_wishes(visit, tmp_path):
    pgn = tmp_path / "game.pgn"
    pgn.write_text("1. e4 e5 *\n\n1. d4 *\n")
    page = visit("--variant", "chess", "--engine", ANALYST, "--pgn", str(pgn))
    expect(page.locator("#tab-review")).to_have_attribute("aria-selected", "true")
    page.locator("#tab-play").click()
    page.locator("#level").fill("800")
    start(page, side="black", clock="3")
    played(page, 1)
    page.reload()
    page.locator("#takeback").wait_for()
    expect(page.locator("#tab-play")).to_have_attribute("aria-selected", "true")
    assert page.evaluate("board.board.flipped")
    page.locator("#stop-play").click()
    expect(page.locator("#wish-side")).to_have_value("black")
    expect(page.locator("#wish-clock")).to_have_value("3")
    expect(page.locator("#level")).to_have_value("800")
    page.reload()
    page.wait_for_function("() => board.texts.length === 2")  # the games of the file change no mode
    expect(page.locator("#tab-play")).to_have_attribute("aria-selected", "true")


def test_pgn_of_a_timed_game_has_its_time_control(visit):
    page = visit("--variant", "chess", "--engine", ANALYST)
    start(page, clock="3")
    page.locator("#tab-text").click()
    page.wait_for_function("""() => document.querySelector('#pgn').value.includes('[TimeControl "300+3"]')""")


# The connection


def test_page_of_an_earlier_run_says_where_to_go(visit):
    page = visit("--variant", "chess")
    page.evaluate("""() => {
      openSocket = () => new WebSocket(`ws://${location.host}/socket?token=other`);
      board.net.socket.close();
    }""")
    expect(page.locator("#notice")).to_have_text(
        "This page is from an earlier run. Open the address that the program printed."
    )


def test_move_without_a_connection_is_reported_and_its_piece_goes_back(visit):
    visit.expected = ["WebSocket"]
    page = visit("--variant", "chess")
    page.evaluate("""() => {
      openSocket = () => new WebSocket(`ws://${location.host}/nothing`);
      board.net.socket.close();
    }""")
    expect(page.locator("#notice")).to_contain_text("connection is lost")
    square(page, "e2").drag_to(square(page, "e4"))
    expect(page.locator("#toast")).to_contain_text("Nothing was sent")
    place = "board.board.pieces.get(12).node.style.transform"
    assert page.evaluate(place) == "translate(180px, 270px)"
    page.wait_for_function(
        "() => document.querySelector('#notice').textContent.includes('address that it printed')"
    )


# Playing while the other side thinks


def test_premove_is_marked_and_played_when_its_turn_comes(visit, slow):
    engine, signal = slow
    page = visit("--variant", "chess", "--engine", engine)
    start(page)
    click(page, "e2", "e4")
    played(page, 1)
    click(page, "b8")
    expect(page.locator(".target")).to_have_count(0)
    click(page, "g1", "f3")
    expect(page.locator(".premove")).to_have_count(2)
    signal.touch()
    played(page, 4)
    expect(page.locator(".premove")).to_have_count(0)
    assert page.evaluate("board.moves.node(board.moves.mainLine()[3]).move") == "g1f3"


def test_premove_that_has_become_illegal_is_dropped(visit, slow):
    engine, signal = slow
    page = visit("--variant", "chess", "--engine", engine)
    start(page)
    click(page, "e2", "e4")
    played(page, 1)
    square(page, "b1").drag_to(square(page, "b5"))
    expect(page.locator(".premove")).to_have_count(2)
    signal.touch()
    played(page, 2)
    expect(page.locator(".premove")).to_have_count(0)
    page.wait_for_function("() => board.board.chosen === null")
    click(page, "g1")
    expect(page.locator(".target")).not_to_have_count(0)


def test_piece_in_hand_is_dropped_in_advance(visit, slow):
    engine, signal = slow
    fen = "4k3/p7/8/8/8/8/P7/4K3[N] w - - 0 1"
    page = visit("--variant", "crazyhouse", "--engine", engine, "--fen", fen)
    page.locator("#from-here").click()
    page.locator("#takeback").wait_for()
    click(page, "a2", "a3")
    played(page, 1)
    page.locator('.slot[data-piece="N"]').click()
    click(page, "d5")
    expect(page.locator(".premove")).to_have_count(1)
    signal.touch()
    page.wait_for_function("() => board.state.pieces[35] === 'N'")


def test_earlier_position_of_a_running_game_takes_no_move(visit):
    page = visit("--variant", "chess", "--engine", ANALYST)
    start(page)
    click(page, "e2", "e4")
    played(page, 2)
    page.keyboard.press("Home")
    played(page, 0)
    click(page, "d2")
    expect(page.locator(".target")).to_have_count(0)
    expect(page.locator("#outcome")).to_contain_text("The game continues after its last move")
    page.keyboard.press("End")
    played(page, 2)
    click(page, "d2")
    expect(page.locator(".target")).to_have_count(2)
