"""The board in a real browser with games of walls: the square of the wall is chosen after the move, in
premoves, studies and puzzles too."""

import sys

import pytest
from playwright.sync_api import expect
from surajang.engine.fairy_ini.importing import import_game
from surajang.engine.fairy_ini.ini import IniFile
from surajang.tests.support.browsing import click, expect_moves, fen_of, played, square

pytestmark = pytest.mark.gui

# An engine for duck chess that plays the moves of its command line, each once the file before them exists
ENGINE = """
import pathlib, sys, time
signal, moves = pathlib.Path(sys.argv[1]), sys.argv[2:]
for line in sys.stdin:
    word, *_ = line.split()
    if word == "uci":
        print("id name Drake", "option name UCI_Variant type combo default duck var duck", "uciok", sep="\\n")
    elif word == "isready":
        print("readyok")
    elif word == "go":
        while not signal.exists():
            time.sleep(0.01)
        print("bestmove", moves.pop(0))
    elif word == "quit":
        break
    sys.stdout.flush()
"""


@pytest.fixture
def duck(visit, tmp_path):
    """(a page in which White plays duck chess and has moved, the file that makes Black move)."""
    signal, script = tmp_path / "move", tmp_path / "drake.py"
    script.write_text(ENGINE, encoding="utf-8")
    moves = "e7e5,e5h3 g8f6,f6h4"
    page = visit(
        "--variant",
        "duck",
        "--engine",
        f"cmd='{sys.executable} {script} {signal} {moves}' proto=uci name=Drake",
    )
    page.locator("#start").click()
    page.locator("#takeback").wait_for()
    click(page, "e2", "e4", "a3")
    played(page, 1)
    return page, signal


def move_of(page, ply):
    """The move that was played at a ply of the main line, from 1."""
    return page.evaluate("ply => board.moves.node(board.moves.mainLine()[ply]).move", ply)


def test_wall_is_chosen_after_the_move_and_a_click_elsewhere_takes_the_move_back(visit, tmp_path):
    path = tmp_path / "isolation.toml"
    path.write_text(import_game("isolation", IniFile("templates")).toml, encoding="utf-8")
    page = visit("--variant-file", str(path))
    click(page, "c1", "b2")
    expect(page.locator(".target")).to_have_count(45)  # no wall on c1, b2, and d8 where Black stands
    click(page, "d8")  # no wall can be there
    expect(page.locator(".target")).to_have_count(0)
    click(page, "c1", "b1", "a1")
    played(page, 1)
    expect(page.locator(".wall")).to_have_count(1)
    click(page, "d8", "d7", "c2")
    played(page, 2)
    expect(page.locator(".wall")).to_have_count(2)
    expect_moves(page, "Pb1,a1", "Pd7,c2")
    assert fen_of(page).startswith("6/3p2/6/6/6/6/2*3/*P4 w")


# Moves that are chosen before their turn


def test_premove_takes_the_square_of_its_wall(duck):
    page, signal = duck
    click(page, "d2", "d4", "h6")
    expect(page.locator(".premove")).to_have_count(3)
    signal.touch()
    played(page, 4)
    expect(page.locator(".premove")).to_have_count(0)
    assert move_of(page, 3) == "d2d4,d4h6"


def test_premove_may_put_its_wall_on_the_square_that_its_piece_leaves(duck):
    page, signal = duck
    click(page, "b1", "c3", "b1")
    expect(page.locator(".premove")).to_have_count(3)
    signal.touch()
    played(page, 4)
    assert move_of(page, 3) == "b1c3,c3b1"


@pytest.mark.parametrize("walls", [(), ("e5",)])  # none chosen, or one where Black stands then
def test_wall_of_a_premove_is_chosen_in_its_turn_where_it_is_missing_or_impossible(duck, walls):
    page, signal = duck
    click(page, "d2", "d4", *walls)
    signal.touch()
    played(page, 2)
    expect(page.locator(".target")).to_have_count(31)  # the empty squares but h3, where the wall is
    click(page, "h6")
    played(page, 4)
    assert move_of(page, 3) == "d2d4,d4h6"


def test_premove_is_replaced_by_another_piece_and_by_dragging_the_same(duck):
    page, signal = duck
    click(page, "d2", "d4", "f1", "c4")  # a wall cannot be on one's own piece
    expect(page.locator(".premove")).to_have_count(2)
    square(page, "f1").drag_to(square(page, "b5"))
    click(page, "h6")
    expect(page.locator(".premove")).to_have_count(3)
    signal.touch()
    played(page, 4)
    assert move_of(page, 3) == "f1b5,b5h6"


def test_click_on_the_target_of_a_premove_without_a_wall_cancels_it(duck):
    page, _ = duck
    click(page, "d2", "d4", "d4")
    expect(page.locator(".premove")).to_have_count(0)


# Studies


def test_variations_with_walls_come_back_from_their_pgn(visit):
    page = visit("--variant", "duck")
    click(page, "e2", "e4", "a3")
    played(page, 1)
    click(page, "e7", "e5", "b3")
    played(page, 2)
    page.keyboard.press("ArrowLeft")
    played(page, 1)
    click(page, "e7", "e5", "c3")
    page.wait_for_function("() => board.state.last.wall === 18")
    page.keyboard.press("m")
    page.keyboard.type("Nf3,h6")
    page.keyboard.press("Enter")
    played(page, 3)
    listed = ("e4,a3", "e5,b3", "e5,c3", "Nf3,h6")
    expect_moves(page, *listed)
    page.locator("#tab-text").click()
    page.wait_for_function("() => document.querySelector('#pgn').value.includes('( 1... e5,c3 2. Nf3,h6 )')")
    text = page.locator("#pgn").input_value()
    page.locator("#pgn").fill("1. d4,a6 *")
    page.locator("#load-pgn").click()
    expect_moves(page, "d4,a6")
    page.locator("#pgn").fill(text)
    page.locator("#load-pgn").click()
    expect_moves(page, *listed)
    assert page.locator("#pgn").input_value() == text


PUZZLE = """[Variant "duck"]
[FEN "8/1P2k3/1q6/3p4/8/2R*4/1P2K3/8 w - - 2 43"]

43. b8=Q,b7 *
"""


def test_puzzle_asks_for_the_right_wall(visit, tmp_path, monkeypatch):
    (tmp_path / "puzzles-duck.pgn").write_text(PUZZLE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    page = visit("--variant", "duck")
    page.locator("#tab-puzzles").click()
    page.locator("#puzzle-files").select_option("puzzles-duck.pgn")
    expect(page.locator("#outcome")).to_have_text("White to move")
    for wall, said in (("a1", "b8=Q,a1 is wrong; try again"), ("b7", "Solved, with help")):
        click(page, "b7", "b8")
        page.locator('[data-becomes="Q"]').click()
        click(page, wall)
        expect(page.locator("#outcome")).to_have_text(said)
