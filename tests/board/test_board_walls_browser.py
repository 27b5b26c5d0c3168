"""The board in a real browser with a game of walls: the square of the wall is chosen after the move."""

import pytest
from playwright.sync_api import expect
from surajang.engine.fairy_ini.importing import import_game
from surajang.engine.fairy_ini.ini import IniFile
from surajang.tests.support.browsing import click, expect_moves, fen_of, played

pytestmark = pytest.mark.gui


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
