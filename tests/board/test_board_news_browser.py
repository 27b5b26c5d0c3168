"""Chess960, openings, phases, clocks, films and the search by position, in a real browser.

All tests share one board and one page, which loads nothing from the network."""

import re
import subprocess

import pytest
from playwright.sync_api import expect
from surajang.engine.definition.shuffled_starts import shuffled_start
from surajang.engine.variant import Variant
from surajang.tests.support.browsing import ANALYST, boards, click, expect_moves, played, replaced, visits

pytestmark = pytest.mark.gui

DASH = "\N{EN DASH}"
DEFAULTS = {"side": "both", "clock": 0, "minutes": 5, "increment": 3, "byoyomi": 0, "days": 1}


@pytest.fixture(scope="module")
def shared(chromium):
    with boards() as serve, visits(chromium, serve) as visit:
        page = visit("--variant", "chess", "--engine", ANALYST)
        foreign = []
        page.on("request", lambda request: foreign.append(request.url))
        page.reload()
        page.wait_for_selector("#board .piece")
        yield page
        assert foreign and not [
            url for url in foreign if not url.startswith(("http://127.0.0.1:", "data:", "blob:"))
        ]


@pytest.fixture
def page(shared):
    """The page with a new game of chess in the mode Play, and the choices of a new user."""
    show(shared, "new", variant="chess")
    shared.evaluate("defaults => Object.assign(board.settings, defaults)", DEFAULTS)
    shared.evaluate("board.showTab('moves'), board.flip(false), board.setMode('play'), board.theme('light')")
    return shared


def show(page, request, **fields):
    """Sends a request that replaces the game, and waits for the new one."""
    with replaced(page):
        page.evaluate("([type, fields]) => board.send(type, fields)", [request, fields | {"sure": True}])


def type_moves(page, *moves):
    for move in moves:
        ply = page.evaluate("board.state.ply")
        page.locator("#movebox input").fill(move)
        page.keyboard.press("Enter")
        played(page, ply + 1)
    page.locator("#movebox input").blur()


# Chess960


def choose_start(page, number):
    page.locator("#shuffled").check()
    field = page.locator("#start-number")
    expect(field).to_be_visible(timeout=60_000)  # the game is compiled first
    page.wait_for_function("() => board.startNumber !== null && board.state")
    with replaced(page):
        field.fill(str(number))
        page.keyboard.press("Enter")
    assert page.evaluate("board.startNumber") == number


def test_start_of_chess960_is_chosen_by_number_and_drawn_by_chance(page):
    choose_start(page, 518)
    assert page.evaluate("board.state.fen").startswith("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w")
    expect(page.locator("#start-number")).to_have_value("518")
    drawn = set()
    for _ in range(4):
        with replaced(page):
            page.locator("#random-start").click()
        drawn.add(page.locator("#start-number").input_value())
    assert len(drawn) > 1
    page.locator("#start-number").fill("960")
    page.keyboard.press("Enter")
    expect(page.locator("#start-number")).to_have_value(str(page.evaluate("board.startNumber")))
    page.locator("#shuffled").uncheck()
    page.wait_for_function("() => board.game.variant === 'chess'")
    expect(page.locator("#start-number")).to_have_count(0)


def test_game_of_chess960_castles_by_king_onto_rook_and_ends_with_its_start_in_the_pgn(page):
    choose_start(page, 342)
    start = shuffled_start(Variant("chess960").description, 342)
    assert page.evaluate("board.state.fen") == start
    page.locator("#start").click()
    page.locator("#takeback").wait_for()
    assert page.evaluate("board.startNumber") == 342  # the start on the board is played
    expect(page.locator("#left")).to_contain_text("Chess960, start 342")
    page.locator("#stop-play").click()
    show(page, "fen", fen="1rk4r/pppppppp/8/8/8/8/PPPPPPPP/1RK4R w BHbh - 0 1")
    click(page, "c1")
    expect(page.locator(".target")).not_to_have_count(0)
    click(page, "h1")
    played(page, 1)
    click(page, "c8", "b8")
    played(page, 2)
    expect_moves(page, "O-O", "O-O-O")
    assert page.evaluate("[5, 6, 58, 59].map(square => board.state.pieces[square])") == ["R", "K", "k", "r"]
    page.locator("#tab-text").click()
    page.wait_for_function("() => document.querySelector('#pgn').value.includes('O-O-O')")
    text = page.locator("#pgn").input_value()
    for tag in (
        '[Variant "Chess960"]',
        '[SetUp "1"]',
        '[FEN "1rk4r/pppppppp/8/8/8/8/PPPPPPPP/1RK4R w KQkq - 0 1"]',
    ):
        assert tag in text


def test_castling_of_chess960_may_mate(page):
    choose_start(page, 0)
    show(page, "fen", fen="4rkr1/4p1p1/8/8/8/8/8/RK5R w HA - 0 1")
    click(page, "b1", "h1")
    played(page, 1)
    expect(page.locator("#outcome")).to_have_text("1-0  White mates")
    expect_moves(page, "O-O#")


def test_rematch_of_chess960_has_the_same_start_and_a_new_game_another(page):
    choose_start(page, 7)
    page.locator("#start").click()
    page.locator("#takeback").wait_for()
    click(page, "e2", "e4")
    played(page, 1)
    page.evaluate("board.send('resign')")
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_function("() => board.play.active && board.state?.ply === 0")
    assert page.evaluate("board.startNumber") == 7
    page.locator("#stop-play").click()


def test_games_with_castling_have_shuffled_starts_and_others_do_not(page):
    show(page, "new", variant="crazyhouse")
    page.locator("#shuffled").check()
    page.wait_for_function("() => board.game.variant === 'crazyhouse960' && board.startNumber !== null")
    expect(page.locator("#variant option:checked")).to_have_text("Crazyhouse 960")
    show(page, "new", variant="xiangqi")
    expect(page.locator("#shuffled")).to_have_count(0)


# Openings, phases, the search by position


def test_opening_stands_above_the_moves_and_stays_after_the_book(page):
    expect(page.locator("#opening")).to_be_hidden()
    type_moves(page, "Nf3", "Nc6", "e4", "e5", "Bb5")
    expect(page.locator("#opening")).to_have_text("C60 Ruy Lopez")
    type_moves(page, "h5", "h4")
    expect(page.locator("#opening")).to_have_text("C60 Ruy Lopez")
    page.keyboard.press("Home")
    expect(page.locator("#opening")).to_be_hidden()
    page.locator("#tab-text").click()
    page.wait_for_function("""() => document.querySelector('#pgn').value.includes('[Opening "Ruy Lopez"]')""")
    assert '[ECO "C60"]' in page.locator("#pgn").input_value()


def test_review_shows_the_accuracy_of_each_phase(page):
    show(page, "pgn", text="1. e4 e5 2. Qh5 Nc6 3. Qxf7+ Kxf7 *")
    page.locator("#tab-review").click()
    page.locator("#review").click()
    rows = page.locator("#counts tbody tr")
    expect(rows).to_have_count(8)
    expect(rows.nth(4)).to_contain_text("Accuracy")
    cells = rows.nth(5).locator("td").all_text_contents()
    assert cells[0] == "in the opening" and cells[1].endswith("%")
    assert rows.nth(7).locator("td").all_text_contents() == ["in the ending", DASH, DASH]


def test_bar_shows_the_score_of_a_position_in_each_mode_but_play(page):
    show(page, "pgn", text="1. e4 {[%eval 0.5]} *")
    bar = page.locator("#bar")
    for mode, shown in (("review", True), ("play", False), ("analyse", True)):
        page.locator(f"#tab-{mode}").click()
        expect(bar).to_be_visible() if shown else expect(bar).to_be_hidden()


def test_games_of_a_file_are_found_by_the_position_on_the_board(page):
    text = '[White "A"]\n\n1. e4 e5 *\n\n[White "B"]\n\n1. d4 d5 *\n\n[White "C"]\n\n1. e4 c5 *\n'
    show(page, "pgn", text=text)
    page.locator("#tab-review").click()
    page.keyboard.press("Home")
    played(page, 0)
    type_moves(page, "e4")
    page.locator("#find-position").click()
    expect(page.locator("#games-found")).to_have_text("2 of 3 games")
    expect(page.locator(".games button")).to_have_text([f"1. A {DASH} ?  ", f"3. C {DASH} ?  "])
    page.locator("#find-game").fill("c")
    expect(page.locator(".games button")).to_have_text([f"3. C {DASH} ?  "])
    page.locator("#find-game").fill("")
    page.locator("#find-position").click()
    expect(page.locator("#games-found")).to_have_text("3 games")


# Clocks


def test_days_for_a_move_are_chosen_shown_and_remembered(page):
    page.locator("#wish-clock").select_option("days")
    page.get_by_label("Days a move").fill("3")
    page.locator("#start").click()
    page.locator("#takeback").wait_for()
    assert page.evaluate("[board.play.base, board.play.byoyomi]") == [0, 3 * 86_400]
    expect(page.locator("#strip-near .clock")).to_have_text("3 d 0 h")
    page.locator("#stop-play").click()
    page.reload()
    expect(page.get_by_label("Days a move")).to_have_value("3")


def test_engines_play_with_an_own_clock_that_is_shown_as_in_play(page):
    page.locator("#tab-watch").click()
    page.locator("#wish-watchClock").select_option("own")
    page.get_by_label("Minutes").fill("0")
    page.get_by_label("Seconds a move").fill("0")
    page.get_by_label("Byoyomi").fill("30")
    page.locator("#watch").click()
    expect(page.locator("#strip-near .clock")).to_have_text(re.compile("0:(30|2.)"))
    assert page.evaluate("[board.watch.clocks, board.watch.byoyomi]") == [[0, 0], 30]
    page.locator("#stop-watch").click()
    page.wait_for_function("() => !board.watch.running")
    shown = page.evaluate(
        """() => {
          const saved = board.watch;
          const game = { ...saved, running: true, byoyomi: 30, ran: 0 };
          const look = (clocks, ran) => {
            board.on_watch({ ...game, clocks, ran });
            return [0, 1].map((side) => board.clocks.clock(side));
          };
          const both = [look([65, 0], 4.5), look([3, 5], 15.5)].flat().map((one) => one.text);
          const low = look([0, 5], 25.5).map((one) => one.low);
          board.on_watch(saved);
          return [...both, ...low];
        }"""
    )
    assert shown == ["1:00", "0:30", "0:17", "0:05.0", True, False]


def test_own_clock_is_stopped_and_continues(page):
    page.locator("#wish-clock").select_option("3")
    page.locator("#start").click()
    pause = page.locator("#pause")
    expect(pause).to_be_disabled()  # no clock runs before the first move
    click(page, "e2", "e4")
    expect(page.locator("#strip-far .clock")).to_have_class("clock ticking")
    pause.click()
    expect(page.locator("#clock-note")).to_contain_text("Your clock is stopped")
    expect(page.locator("#strip-far .clock")).to_have_class("clock")
    pause.click()
    expect(page.locator("#strip-far .clock")).to_have_class("clock ticking")
    page.locator("#stop-play").click()


def test_resignation_needs_two_presses(page):
    page.locator("#start").click()
    resign = page.locator("#resign")
    resign.click()
    expect(resign).to_have_text("Really?")
    assert page.evaluate("board.play.active")
    resign.click()
    expect(page.locator("#outcome")).to_contain_text("resigns")


# Sharing


def test_game_is_saved_as_a_moving_picture(page, tmp_path):
    type_moves(page, "e4", "e5", "Ke2")
    page.locator("#tab-text").click()
    with page.expect_download() as waiting:
        page.locator("#save-gif").click()
    assert waiting.value.suggested_filename == "chess.gif"
    waiting.value.save_as(tmp_path / "game.gif")
    command = ["convert", str(tmp_path / "game.gif"), "-coalesce", str(tmp_path / "frame.png")]
    subprocess.run(command, check=True)
    frames = sorted(tmp_path.glob("frame-*.png"))
    assert len(frames) == 4
    # In the last frame e4 and e2 have pieces, and e1 has none: its square has few colours.
    found = []
    for frame, y in ((frames[0], 350), (frames[3], 350), (frames[3], 302)):
        shades = subprocess.run(
            ["convert", str(frame), "-crop", f"30x30+203+{y}", "-format", "%k", "info:"],
            check=True,
            capture_output=True,
            text=True,
        )
        found.append(int(shades.stdout))
    assert found[0] > 3 and found[1] <= 2 and found[2] > 3
    expect(page.locator("#save-gif")).to_be_enabled()


# Contrast


def luminance(colour):
    parts = [part / 255 for part in colour]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(first, second):
    dark, light = sorted(map(luminance, (first, second)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_material_balance_of_both_colours_stands_out(page, theme):
    show(page, "fen", fen="4k3/8/8/8/8/8/PPP5/R3K2r w Q - 0 1")
    page.evaluate("theme => board.theme(theme)", theme)
    ground, ink = page.evaluate(
        """() => {
          const style = getComputedStyle(document.querySelector("#strip-near .balance"));
          return [style.backgroundColor, style.color].map((text) => text.match(/[\\d.]+/g).map(Number));
        }"""
    )
    assert len(ground) == 3  # opaque
    assert contrast(ground, ink) >= 4.5
    assert contrast(ground, (0, 0, 0)) >= 4.5 and contrast(ground, (255, 255, 255)) >= 1.5
