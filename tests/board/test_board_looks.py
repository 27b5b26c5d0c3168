"""The board in a real browser: every board fits its page, and is accessible."""

import pytest
from playwright.sync_api import expect
from surajang.match.records.live import LiveGames
from surajang.match.records.model import MatchGame, Opening
from surajang.tests.support.board import START, match_folder
from surajang.tests.support.browsing import (
    ANALYST,
    assert_accessible,
    click,
    expect_moves,
    fitted,
    played,
    resized,
    square,
)

pytestmark = pytest.mark.gui

# As many squares as there may be, and few kinds of pieces, which compile soon.
WIDEST = f"""name = "widest"
title = "Widest"
start = "nnnnknnnnnnnnnnn/pppppppppppppppp/{"16/" * 12}PPPPPPPPPPPPPPPP/NNNNKNNNNNNNNNNN[N] w - - 0 1"

[board]
files = 16
ranks = 16

[pieces]
K = {{ name = "King", moves = "K", royal = true }}
N = {{ name = "Knight", moves = "N", value = 300 }}
P = {{ name = "Pawn", moves = "fmWfcF", value = 100 }}

[drops]
pieces = "N"

[end]
checkmate = "loss"
stalemate = "draw"
"""


@pytest.mark.parametrize("game", ["minishogi", "xxl", "pandemonium", "widest"])
def test_boards_of_all_sizes_need_no_scrolling_in_any_mode(visit, tmp_path, game):
    file = tmp_path / "widest.toml"
    file.write_text(WIDEST)
    page = visit("--variant-file", str(file)) if game == "widest" else visit("--variant", game)
    for mode in ("play", "analyse", "review", "watch"):
        page.locator(f"#tab-{mode}").click()
        fitted(page)
        for part in ("#strip-far", "#board > svg", "#strip-near", ".nav"):
            box = page.locator(part).bounding_box()
            assert box["y"] >= 0 and box["y"] + box["height"] <= 768, (mode, part)
        assert page.locator("#board > svg").bounding_box()["height"] >= 420
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_strips_end_at_the_edges_of_the_squares_and_names_lie_outside(visit):
    page = visit("--variant", "chess")
    for width, height in ((1366, 768), (1024, 768), (1920, 1080), (390, 844)):
        resized(page, width, height)
        left, right = (square(page, name).bounding_box() for name in ("a1", "h1"))
        for strip in ("#strip-far", "#strip-near"):
            box = page.locator(strip).bounding_box()
            assert box["x"] == pytest.approx(left["x"], abs=1), width
            assert box["x"] + box["width"] == pytest.approx(right["x"] + right["width"], abs=1), width
        for name in page.locator("#board .coord").all():
            box = name.bounding_box()
            assert box["x"] >= right["x"] + right["width"] or box["y"] >= left["y"] + left["height"], width
        assert page.locator("#board > svg").bounding_box()["width"] >= min(width, height) * 0.68, width


def test_wide_window_gives_its_room_to_the_panels(visit):
    page = visit("--variant", "chess", width=1920, height=1080)
    fitted(page)
    panels = [page.locator(panel).bounding_box() for panel in (".left", ".right")]
    board = page.locator("#board > svg").bounding_box()
    assert sum(panel["width"] for panel in panels) + board["width"] > 1800


def test_material_balance_stands_beside_the_name(visit):
    page = visit("--variant", "chess", "--fen", "4k3/8/8/8/8/8/PP6/R3K3 w Q - 0 1")
    expect(page.locator("#strip-near .balance")).to_have_text("+7")
    expect(page.locator("#strip-near .balance svg")).to_have_count(3)
    expect(page.locator("#strip-far .balance")).to_be_empty()


def test_moves_and_drops_reach_every_corner_of_the_widest_board(visit, tmp_path):
    file = tmp_path / "widest.toml"
    file.write_text(WIDEST)
    page = visit("--variant-file", str(file))
    click(page, "p2", "p3")
    played(page, 1)
    click(page, "a15", "a14")
    played(page, 2)
    page.locator('.slot[data-piece="N"]').click()
    click(page, "p9")
    played(page, 3)
    expect_moves(page, "p3", "a14", "N@p9")


@pytest.mark.parametrize("game", ["crazyhouse", "widest", "cannonshogi"])
def test_narrow_page_has_one_column_as_wide_as_the_page(visit, tmp_path, game):
    file = tmp_path / "widest.toml"
    file.write_text(WIDEST)
    chosen = ("--variant-file", str(file)) if game == "widest" else ("--variant", game)
    page = visit(*chosen, width=400, height=800)
    for mode in ("analyse", "review", "watch", "puzzles", "play"):
        page.locator(f"#tab-{mode}").click()
        assert page.evaluate("document.documentElement.scrollWidth") <= 400, mode
    assert page.locator("#board > svg").bounding_box()["width"] >= 340
    page.evaluate("board.board.focus(board.state.moves.find(move => !move.drop).from)")
    page.locator("#board .cell:focus").click()
    expect(page.locator(".target").first).to_be_attached()
    page.locator("#rules").click()
    page.locator("#card .cards").wait_for()
    assert page.evaluate("(card => card.scrollWidth <= card.clientWidth)(document.querySelector('#card'))")


def test_arrangements_fit_on_a_narrow_page(visit):
    page = visit("--variant", "pandemonium-vchess", width=400, height=800)
    for picture in page.locator("#choices svg").all():
        box = picture.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 400 and box["width"] > 20
    page.locator("#choices button").nth(1).click()
    played(page, 1)


def test_message_covers_neither_the_move_field_nor_the_squares(visit):
    page = visit("--variant", "xiangqi")
    for width, height in ((1366, 768), (1024, 700), (400, 800), (800, 380)):
        resized(page, width, height)
        page.evaluate("board.toast('That is no legal move: the piece is pinned')")
        overlap = page.evaluate(
            """() => {
              const toast = document.querySelector("#toast").getBoundingClientRect();
              return ["#movebox", "#board .layer-cells"].filter((name) => {
                const box = document.querySelector(name).getBoundingClientRect();
                const beside = box.left >= toast.right || toast.left >= box.right;
                return !beside && box.top < toast.bottom && toast.top < box.bottom;
              });
            }"""
        )
        assert overlap == [], width


def test_footer_shows_its_choices_whole_in_two_rows(visit):
    page = visit("--variant", "xiangqi")
    expect(page.locator("#style option:checked")).to_have_text("characters")
    for width in (1366, 1200, 400):
        resized(page, width, 768)
        assert page.locator(".foot").bounding_box()["height"] < 92
        cut = page.evaluate(
            """() => [...document.querySelectorAll(".foot select")].filter((shown) => {
              const whole = shown.cloneNode(true);
              whole.id = "";
              whole.style = "position:absolute; flex:none; width:auto";
              whole.replaceChildren(new Option(shown.value));
              shown.parentElement.append(whole);
              const width = whole.getBoundingClientRect().width;
              whole.remove();
              return shown.getBoundingClientRect().width < width;
            }).map((shown) => shown.id)"""
        )
        assert cut == [], width


def assert_accessible_in_both_themes(page, *modes):
    for theme in ("light", "dark"):
        assert_accessible(page, theme, *modes)


def test_axe_finds_no_fault_of_accessibility_in_any_mode(visit):
    page = visit("--variant", "crazyhouse", "--fen", "4k3/8/8/8/8/8/8/4K3[QNNp] w - - 0 1")
    assert_accessible_in_both_themes(page, "play", "analyse", "review", "watch", "puzzles")


def test_axe_finds_no_fault_in_open_dialogs(visit, tmp_path):
    pgn = tmp_path / "game.pgn"
    pgn.write_text('[Variant "Crazyhouse"]\n\n1. e4 d5 2. Qg4 Bxg4 *\n\n[White "A"]\n\n1. d4 *\n')
    page = visit("--variant", "crazyhouse", "--pgn", str(pgn), "--engine", ANALYST)
    page.locator("#review").click()
    page.locator("#counts").wait_for()
    page.locator("#tab-eval").click()
    page.locator(".tag").first.wait_for()
    assert_accessible(page, "light", "review")
    page.locator("#tab-moves").click()
    page.locator("#analyse").click()
    page.locator("#engine li").first.wait_for()
    assert_accessible(page, "light", "analyse")
    page.locator("#edit").click()
    page.locator("#edit-done").wait_for()
    assert_accessible(page, "light")
    page.locator("#rules").click()
    page.locator("#card .cards").wait_for()
    assert_accessible(page, "light")


def test_axe_finds_no_fault_in_live_boards(visit, tmp_path):
    match_folder(tmp_path, [0])
    with LiveGames(tmp_path) as match:
        for number in (1, 2):
            match.started(MatchGame(number, 0, 0, 1, Opening(START, ("e2e4",))), [65.0, 64.0])
        page = visit("--watch", str(tmp_path))
        expect(page.locator(".live")).to_have_count(2)
        page.locator(".live").nth(1).click()
        expect(page.locator(".live").nth(1)).to_have_class("live here")
        assert_accessible_in_both_themes(page, "watch")


def test_axe_finds_no_fault_during_games_and_in_shuffled_starts(visit):
    page = visit("--variant", "chess960", "--engine", ANALYST)
    assert_accessible_in_both_themes(page, "play", "analyse")
    page.locator("#tab-play").click()
    page.locator("#wish-side").select_option("both")
    page.locator("#wish-clock").select_option("days")
    page.locator("#start").click()
    page.locator("#takeback").wait_for()
    page.evaluate("board.move(board.state.moves[0].text)")
    played(page, 1)
    page.locator("#pause").click()
    page.locator("#clock-note").wait_for()
    assert_accessible_in_both_themes(page)
    page.evaluate("board.send('resign')")
    page.locator("#rematch").wait_for()
    page.locator("#tab-text").click()
    page.locator("#make-link").click()
    page.evaluate("board.on_compile({title: 'Chess', done: 1, total: 2})")
    assert_accessible_in_both_themes(page)


def test_axe_finds_no_fault_in_questions_searches_errors_and_choices(visit, tmp_path):
    pgn = tmp_path / "games.pgn"
    pgn.write_text("1. e4 d5 2. exd5 Qxd5 3. Nc3 Qxa2 *\n\n1. d4 *\n")
    page = visit("--variant", "chess", "--pgn", str(pgn), "--engine", ANALYST)
    expect(page.locator("#strip-far .balance")).not_to_be_empty()
    expect(page.locator("#opening")).not_to_be_empty()
    page.locator("#find-position").click()
    expect(page.locator("#games-found")).to_have_text("1 of 2 games")
    assert_accessible_in_both_themes(page)
    page.locator("#tab-text").click()
    for name, text in (("fen", "nonsense"), ("pgn", "1. e5 *")):
        page.locator(f"#{name}").fill(text)
        page.locator(f"#load-{name}").click()
        expect(page.locator(f"#{name}-error")).not_to_be_empty()
    assert_accessible_in_both_themes(page)
    page.keyboard.press("Escape")
    page.locator("#help").click()
    assert_accessible_in_both_themes(page)
    page.locator("#keys .shut").click()
    page.evaluate("board.send('fen', {fen: '7k/P7/8/8/8/8/8/K7 w - - 0 1'})")
    page.wait_for_function("() => board.state?.ply === 0")
    click(page, "a7", "a8")
    expect(page.locator("[data-becomes]")).to_have_count(4)
    page.evaluate("board.toast('That is no legal move'), board.connection('lost')")
    assert_accessible_in_both_themes(page)
    page.keyboard.press("Escape")
    page.locator("#tab-play").click()
    page.locator("#wish-clock").select_option("own")
    assert_accessible_in_both_themes(page)
    page.locator("#start").click()
    page.locator("#takeback").wait_for()
    page.locator("#tab-analyse").click()
    page.locator("#start").click()
    expect(page.locator("#ask")).to_be_visible()
    assert_accessible_in_both_themes(page)


def test_axe_finds_no_fault_while_two_engines_play(visit, tmp_path):
    signal = tmp_path / "move"  # until then, the engine thinks about its first move
    engine = ANALYST.replace("fake_analyst.py", f"fake_analyst.py --until {signal}")
    page = visit("--variant", "chess", "--engine", engine)
    page.locator("#tab-watch").click()
    page.locator("#watch").click()
    expect(page.get_by_role("region", name="Thoughts of").first).to_contain_text("depth 1")
    assert_accessible(page, "dark")
    signal.touch()


@pytest.mark.parametrize("game", ["shogi", "xiangqi", "janggi", "makruk"])
def test_axe_finds_no_fault_on_native_boards_in_any_set_of_pieces(visit, game):
    page = visit("--variant", game)
    for style in page.locator("#style option").all_text_contents():
        page.locator("#style").select_option(style)
        assert_accessible(page, "light")
