"""The mode of puzzles in a real browser."""

import re

import pytest
from playwright.sync_api import expect
from surajang.tests.support.browsing import assert_accessible, click, played, square
from surajang.tests.support.puzzles import puzzle_file

pytestmark = pytest.mark.gui


@pytest.fixture
def page(visit, tmp_path, monkeypatch):
    """The page in the mode of puzzles, at the first of a file in the folder of the board."""
    puzzle_file(tmp_path / "puzzles-test.pgn")
    monkeypatch.chdir(tmp_path)
    page = visit("--variant", "chess")
    page.locator("#tab-puzzles").click()
    page.locator("#puzzle-files").select_option("puzzles-test.pgn")
    expect(page.locator("#outcome")).to_have_text("White to move: mate in 1")
    return page


def score(page):
    return page.locator("#puzzle-score td").all_text_contents()


def test_one_puzzle_is_solved_and_one_failed(page):
    assert page.evaluate("board.state.ply") == 0
    click(page, "e1", "e8")
    expect(page.locator("#outcome")).to_have_text("Solved!")
    assert score(page) == ["1 of 1", "1", "1"]
    page.locator("#puzzle-next").click()
    expect(page.locator("#outcome")).to_have_text("Black to move: mate in 2")
    assert page.evaluate("board.board.flipped")
    square(page, "h8").drag_to(square(page, "g8"))
    expect(page.locator("#outcome")).to_have_text("Kg8 is wrong; try again")
    assert page.evaluate("board.board.pieces.get(63).node.style.transform") == "translate(0px, 315px)"
    assert page.evaluate("board.board.chosen") is None
    assert score(page) == ["1 of 2", "0", "1"]
    assert page.evaluate("board.state.ply") == 0
    click(page, "a7", "a2")
    played(page, 2)
    expect(page.locator("#outcome")).to_have_text("Right! Black to move")
    click(page, "b8", "b1")
    expect(page.locator("#outcome")).to_have_text("Solved, with help")
    assert score(page) == ["1 of 2", "0", "1"]
    page.reload()
    expect(page.locator("#puzzle-score td").first).to_have_text("1 of 2")


def test_promotion_and_drop_are_played_by_keyboard_alone(page):
    page.locator("#puzzle-number").fill("3")
    page.keyboard.press("Enter")
    expect(page.locator("#puzzle-number")).to_have_value("3")
    page.wait_for_function("() => board.state.fen.startsWith('7k/P7')")
    page.locator("#puzzle-number").blur()
    page.keyboard.press("m")
    page.keyboard.type("a8=N")
    page.keyboard.press("Enter")
    expect(page.locator("#outcome")).to_have_text("a8=N is wrong; try again")
    page.keyboard.press("Escape")
    square(page, "a7").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("#outcome")).to_have_text("Solved, with help")
    page.keyboard.press("n")
    page.wait_for_function("() => board.game.variant === 'crazyhouse' && board.puzzles.solving")
    page.locator(".slot[data-piece='R']").focus()
    page.keyboard.press("Enter")
    square(page, "e8").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#outcome")).to_have_text("Solved!")


def test_hint_marks_the_piece_and_then_the_move(page):
    page.keyboard.press("h")
    expect(page.locator("#outcome")).to_have_text("Hint: move the rook")
    expect(page.locator(".layer-shapes circle.arrow")).to_have_count(1)
    page.get_by_role("button", name="Show move").click()
    expect(page.locator("#outcome")).to_have_text("Hint: Re8")
    expect(page.locator(".layer-shapes g.arrow")).to_have_count(1)
    page.locator("#puzzle-again").click()
    expect(page.locator(".layer-shapes .arrow")).to_have_count(0)


def test_solution_and_another_mode_end_the_puzzle(page):
    page.locator("#puzzle-solution").click()
    expect(page.locator("#moves")).to_contain_text("Re8#")
    expect(page.locator("#puzzle-hint")).to_be_disabled()
    page.locator("#puzzle-again").click()
    expect(page.locator("#puzzle-hint")).to_be_enabled()
    page.locator("#tab-analyse").click()
    click(page, "a1", "a2")
    played(page, 1)


def test_file_is_chosen_in_the_dialog_of_the_browser(page, tmp_path):
    file = tmp_path / "mine.pgn"
    file.write_text('[FEN "4k3/8/8/8/8/8/3q4/4K3 w - - 0 1"]\n\n1. Kxd2 *\n')
    page.locator("#puzzle-file").set_input_files(file)
    expect(page.locator("#puzzle-files option:checked")).to_have_text("mine.pgn")
    click(page, "e1", "d2")
    expect(page.locator("#outcome")).to_have_text("Solved!")
    page.locator("#puzzle-file").set_input_files(files=[])
    file.write_text("nothing")
    page.locator("#puzzle-file").set_input_files(file)
    expect(page.locator("#toast")).to_have_text(re.compile("'nothing': is not a move"))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_no_fault_in_a_puzzle_with_a_hint_and_a_solved_one(page, theme):
    page.locator("#puzzle-hint").click()
    expect(page.locator("#outcome")).to_contain_text("Hint")
    assert_accessible(page, theme)
    click(page, "e1", "e8")
    expect(page.locator("#outcome")).to_contain_text("Solved")
    assert_accessible(page, theme)
