"""Sounds, hints, rematches, own clocks, marks by hand and links, in a real browser.

All tests share one board and one page; each begins with a new game of chess."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect
from surajang.tests.support.browsing import (
    ANALYST,
    boards,
    click,
    expect_moves,
    load_pgn,
    played,
    replaced,
    visits,
)

pytestmark = pytest.mark.gui

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1"
# Keeps the tones that the page plays, or refuses them.
TONES = """window.tones = [];
window.refuse = false;
const create = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () {
  if (window.refuse) throw new Error("refused");
  const tone = create.call(this);
  window.tones.push(tone);
  return tone;
};"""
DEFAULTS = {"sound": True, "side": "white", "clock": 0, "minutes": 5, "increment": 3, "byoyomi": 0}


@pytest.fixture(scope="module")
def shared(chromium):
    with boards() as serve, visits(chromium, serve) as visit:
        page = visit("--variant", "chess", "--engine", ANALYST)
        page.add_init_script(TONES)
        page.reload()
        yield page


@pytest.fixture
def page(shared):
    """The page with a new game of chess in the mode Play, and the choices of a new user."""
    show(shared, "new", variant="chess")
    shared.evaluate("defaults => Object.assign(board.settings, defaults)", DEFAULTS)
    shared.evaluate("board.showTab('moves'), board.flip(false), board.setMode('play'), tones.splice(0)")
    return shared


def show(page, request, **fields):
    """Sends a request that replaces the game, and waits for the new one."""
    with replaced(page):
        page.evaluate("([type, fields]) => board.send(type, fields)", [request, fields | {"sure": True}])


def start(page, **wishes):
    for name, value in wishes.items():
        page.locator(f"#wish-{name}").select_option(value)
    page.locator("#start").click()
    page.locator("#takeback").wait_for()


def tones(page):
    """The frequencies of the tones since the last call, in hertz."""
    return page.evaluate("window.tones.splice(0).map(tone => Math.round(tone.frequency.value))")


# Sounds


def test_move_capture_check_and_end_have_their_own_sounds(page):
    heard = []
    for plies, move in enumerate((("e2", "e4"), ("d7", "d5"), ("e4", "d5"), ("d8", "d5")), 1):
        click(page, *move)
        played(page, plies)
        heard.append(tones(page))
    quiet, same, capture, again = heard
    assert quiet and quiet == same != capture == again
    click(page, "h2", "h3")
    played(page, 5)
    click(page, "d5", "e5")
    played(page, 6)
    tones(page)
    page.keyboard.press("ArrowLeft")
    played(page, 5)
    page.keyboard.press("ArrowRight")
    played(page, 6)
    check = tones(page)[-2:]
    show(page, "fen", fen=MATE_IN_ONE)
    tones(page)
    click(page, "e1", "e8")
    played(page, 1)
    end = tones(page)
    assert check not in (quiet, capture) and end not in (quiet, capture, check)


def test_switch_and_key_turn_sounds_off_and_on(page):
    switch = page.get_by_role("button", name="Sounds", exact=True)
    expect(switch).to_have_attribute("aria-pressed", "true")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "false")
    click(page, "e2", "e4")
    played(page, 1)
    assert tones(page) == []
    page.keyboard.press("s")
    expect(switch).to_have_attribute("aria-pressed", "true")


def test_board_is_silent_where_the_browser_refuses_sounds(page):
    page.evaluate("window.refuse = true")
    click(page, "e2", "e4")
    played(page, 1)
    click(page, "e7", "e5")
    played(page, 2)
    expect_moves(page, "e4", "e5")
    page.evaluate("window.refuse = false")


def test_low_clock_of_a_person_sounds_once(page):
    page.locator("#tab-play").click()  # before that, browsers allow no sound
    heard = page.evaluate(
        """() => {
          const saved = board.play;
          const game = { ...saved, byoyomi: 0, active: true, ticking: true, tip: board.state.node };
          const hear = (sides, ...lefts) => {
            for (const left of lefts) { board.on_play({ ...game, sides, left }); board.clocks.draw(); }
            board.on_play(saved);
            return tones.splice(0).length;
          };
          const [own, other] = [["person", "engine"], ["engine", "person"]];
          return [hear(own, [9, 300], [12, 300], [8, 300]), hear(other, [9, 300]), hear(own, [50, 9])];
        }"""
    )
    assert heard == [2, 0, 0]


# The game


def test_own_clock_is_played_and_remembered_like_the_switch_of_sounds(page):
    expect(page.get_by_label("Minutes")).to_be_hidden()
    page.locator("#wish-clock").select_option("own")
    page.get_by_label("Minutes").fill("7")
    page.get_by_label("Seconds a move").fill("4")
    page.get_by_label("Byoyomi").fill("20")
    start(page)
    assert page.evaluate("[board.play.base, board.play.increment, board.play.byoyomi]") == [420, 4, 20]
    page.locator("#stop-play").click()
    page.locator("#sound").click()
    page.reload()
    expect(page.locator("#sound")).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_label("Minutes")).to_have_value("7")
    expect(page.get_by_label("Seconds a move")).to_have_value("4")


def test_clock_counts_the_byoyomi_after_the_base(page):
    shown = page.evaluate(
        """() => {
          const saved = board.play;
          const game = { ...saved, byoyomi: 30, active: true, ticking: false, tip: board.state.node };
          const texts = [[65, 0], [-12, 5], [0, 0]].map((left) => {
            board.on_play({ ...game, left });
            return [0, 1].map((side) => board.clocks.clock(side).text);
          });
          board.on_play(saved);
          return texts;
        }"""
    )
    assert shown == [["1:05", "0:30"], ["0:18", "0:05.0"], ["0:30", "0:30"]]


@pytest.mark.parametrize(
    ("elo", "name"), [(200, "beginner"), (1500, "casual player"), (2200, "master"), (3200, "superhuman")]
)
def test_level_has_a_name_beside_its_number(page, elo, name):
    page.locator("#level").fill(str(elo))
    expect(page.locator("#level-name")).to_have_text(f"{elo}, {name}")
    expect(page.locator("#level")).to_have_attribute("aria-valuetext", f"{elo}, {name}")


def test_own_clock_keeps_to_its_limits(page):
    page.locator("#wish-clock").select_option("own")
    page.get_by_label("Minutes").fill("9999")
    page.get_by_label("Seconds a move").fill("-3")
    page.keyboard.press("Tab")
    expect(page.get_by_label("Minutes")).to_have_value("1440")
    expect(page.get_by_label("Seconds a move")).to_have_value("0")


def test_rematch_exchanges_the_sides(page):
    start(page, side="white", clock="2")
    page.evaluate("board.send('resign')")
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_function("() => board.play.active && board.play.sides[0] === 'engine'")
    played(page, 1)
    assert page.evaluate("[board.play.sides[1], board.play.base, board.play.increment]") == ["person", 180, 2]
    assert page.evaluate("board.board.flipped")


@pytest.mark.parametrize("way", ["button", "key"])
def test_hint_shows_the_engine_s_move_without_playing_it(page, way):
    show(page, "fen", fen="4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")
    page.locator("#from-here").click()
    page.locator("#takeback").wait_for()
    if way == "button":
        page.locator("#hint").click()
    else:
        page.keyboard.press("h")
    expect(page.get_by_role("alert").filter(has_text="Hint: exd5")).to_be_visible()
    expect(page.locator(".layer-shapes .arrow")).to_have_count(1)
    assert page.evaluate("board.state.ply") == 0
    click(page, "e4", "d5")
    page.wait_for_function("() => board.state.ply > 0")
    expect(page.locator(".layer-shapes .arrow")).to_have_count(0)


def test_hint_that_comes_after_the_next_move_is_not_shown(page):
    start(page, side="both")
    page.evaluate("board.toast(''), board.on_hint = (hint) => { window.late = hint; }")
    page.locator("#hint").click()
    page.wait_for_function("() => window.late")
    click(page, "e2", "e4")
    played(page, 1)
    page.evaluate("delete board.on_hint, board.on_hint(late)")
    expect(page.locator("#toast")).to_be_empty()
    expect(page.locator(".layer-shapes .arrow")).to_have_count(0)


@pytest.mark.parametrize("end", ["resign", "stop_play"])
def test_arrow_of_a_hint_goes_when_the_game_ends(page, end):
    start(page)
    page.locator("#hint").click()
    expect(page.locator(".layer-shapes .arrow")).to_have_count(1)
    page.evaluate("end => board.send(end)", end)
    page.wait_for_function("() => !board.play.active")
    expect(page.locator(".layer-shapes .arrow")).to_have_count(0)


def test_lines_of_a_second_engine_are_compared_and_played(page):
    second = page.get_by_label("Compare with another engine")
    second.select_option("Analyst")
    expect(page.locator("#rival li")).to_have_count(1)
    expect(page.locator("#rival .facts")).to_contain_text("Analyst: depth")
    expect(page.locator(".layer-shapes .arrow")).to_have_count(2)
    page.locator("#rival .pv").first.click()
    played(page, 1)
    expect(page.locator("#rival li")).to_have_count(1)
    second.select_option("compare ...")
    expect(page.locator("#rival")).to_be_hidden()
    expect(page.locator("#engine > ol li")).to_have_count(1)
    page.keyboard.press("a")
    expect(page.locator("#engine > ol li")).to_have_count(0)


# Marks, notations, links, pictures


def test_moves_are_listed_and_typed_in_the_notation_of_the_game(page):
    expect(page.get_by_label("Notation")).to_have_count(0)
    show(page, "new", variant="xiangqi")
    page.get_by_label("Notation").select_option("WXF")
    page.get_by_label("Type a move").fill("C2=5")
    page.keyboard.press("Enter")
    played(page, 1)
    expect_moves(page, "C2=5")
    page.reload()
    expect_moves(page, "C2=5")
    page.get_by_label("Notation").select_option("SAN")
    expect_moves(page, "Che3")


def test_mark_by_hand_goes_into_the_list_and_the_pgn(page):
    click(page, "e2", "e4")
    played(page, 1)
    good = page.get_by_role("button", name="interesting move", exact=True)
    good.focus()
    page.keyboard.press("Enter")
    expect(good).to_have_attribute("aria-pressed", "true")
    expect_moves(page, "e4!?")
    page.locator("#tab-text").click()
    expect(page.locator("#pgn")).to_have_value(re.compile(r"1\. e4 (\$5|\{?!\?)|1\. e4!\?"))
    page.locator("#tab-moves").click()
    good.click()
    expect(good).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Control+z")
    expect(good).to_have_attribute("aria-pressed", "true")


def test_start_position_cannot_be_marked(page):
    assert page.locator(".glyphs button:disabled").count() == 6


def link_of(page):
    page.locator("#tab-text").click()
    page.locator("#make-link").click()
    field = page.get_by_label("Link to this position")
    expect(field).to_have_value(re.compile("#pgn="))
    return field.input_value()


def test_link_brings_the_game_and_the_position(page):
    for plies, move in enumerate((("e2", "e4"), ("e7", "e5"), ("g1", "f3")), 1):
        click(page, *move)
        played(page, plies)
    page.keyboard.press("ArrowLeft")
    played(page, 2)
    link = link_of(page)
    assert parse_qs(urlsplit(link).fragment)["ply"] == ["2"]
    show(page, "new", variant="chess")
    page.evaluate("link => { location.href = link; }", link)
    page.wait_for_function("() => board.moves.mainLine().length === 4 && !location.hash")
    played(page, 2)


def test_link_of_another_machine_is_read_in_the_pgn_field(page):
    load_pgn(page, "http://127.0.0.1:1/?token=x#pgn=1.+d4+d5+*&ply=1")
    page.wait_for_function("() => board.moves.mainLine().length === 3 && board.state.ply === 1")


def test_text_that_the_user_writes_is_not_replaced_by_a_late_answer(page):
    page.locator("#tab-text").click()
    field = page.locator("#pgn")
    expect(field).to_have_value(re.compile("Event"))
    field.fill("1. d4 d5 *")
    page.evaluate("board.texts_.exported({ pgn: 'late', fen: 'late' })")
    expect(field).to_have_value("1. d4 d5 *")
    page.get_by_role("button", name="Show current").click()
    expect(field).to_have_value(re.compile("Event"))


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_position_is_saved_as_a_picture(page, kind, tmp_path):
    click(page, "e2", "e4")
    played(page, 1)
    page.locator("#tab-text").click()
    with page.expect_download() as waiting:
        page.locator(f"#save-{kind}").click()
    assert waiting.value.suggested_filename == f"chess.{kind}"
    waiting.value.save_as(tmp_path / "picture")
    content = (tmp_path / "picture").read_bytes()
    if kind == "svg":
        assert content.startswith(b"<svg ") and content.count(b"<g transform") >= 32
    else:
        width = int.from_bytes(content[16:20], "big")
        assert content.startswith(b"\x89PNG") and width == 1200


def test_pieces_that_point_at_their_enemy_turn_with_the_board_and_letters_do_not(page):
    page.evaluate(
        """() => {
          const state = board.state;
          board.on_game({ ...board.game, rotating: ["figures"] });
          board.on_state(state);
          board.flip(true);
        }"""
    )
    turned = page.locator(".layer-pieces use[transform]")
    expect(turned).to_have_count(32)
    page.locator("#style").select_option("letters")
    expect(turned).to_have_count(0)
    page.locator("#style").select_option("figures")
    expect(turned).to_have_count(32)


def test_cells_are_drawn_from_either_side(page):
    lines = page.evaluate(
        """() => {
          const state = board.state;
          board.on_game({ ...board.game, cells: [[1, 3], [2]] });
          board.on_state(state);
          return [false, true].map((flipped) => {
            board.flip(flipped);
            return document.querySelector("#board .cells").getAttribute("d");
          });
        }"""
    )
    assert lines == ["M45 0v360M135 0v360M0 270h360", "M315 0v360M225 0v360M0 90h360"]
