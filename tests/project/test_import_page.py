"""The page on Fairy-Stockfish's games names those that can be imported, and all others with a reason."""

import re

import pyffish
import pytest
from surajang.engine.fairy_ini.importing import Imported, import_game
from surajang.engine.fairy_ini.ini import IniFile, templates
from surajang.engine.game.description import VariantError
from surajang.tests.support.pages import DOCS

pytestmark = pytest.mark.pure

PAGE = (DOCS / "own-game" / "import.md").read_text(encoding="utf-8")


def is_imported(name):
    try:
        return isinstance(import_game(name, IniFile("templates")), Imported)
    except VariantError:
        return False


def test_page_lists_the_games_that_are_imported_and_their_number():
    known = [name for name in templates() if name in pyffish.variants()]
    sentence = re.search(r"translates these (\d+) of the (\d+) names:\n\n(.*?)\n\n", PAGE, re.S)
    listed = re.split(r",\s+", sentence[3])
    assert sorted(listed) == sorted(name for name in known if is_imported(name))
    assert (int(sentence[1]), int(sentence[2])) == (len(listed), len(known))


def test_page_gives_a_reason_for_each_other_game():
    table = PAGE.partition("| reason why a game is not imported | games |")[2]
    named = [name for row in re.findall(r"^\| [^|]+ \| ([^|]+) \|$", table, re.M) for name in row.split(", ")]
    known = [name for name in templates() if name in pyffish.variants()]
    assert sorted(named) == sorted(name for name in known if not is_imported(name))
