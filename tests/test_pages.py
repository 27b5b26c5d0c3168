"""The pages of the repository: what they show is what the program does, and what they link to is there."""

import re
from pathlib import Path

import pytest
import surajang
from click.testing import CliRunner
from surajang.engine.game.catalogue import FOLDER, SHIPPED, load
from surajang.protocol.cli import main
from surajang.protocol.terminal.markdown import page

pytestmark = pytest.mark.pure

ROOT = Path(surajang.__file__).parent
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md"), FOLDER / "README.md"])
GAMES = sorted(path.stem for folder in SHIPPED for path in folder.glob("*.toml"))
LINK = re.compile(r"\]\(([^)#\s]+)(?:#([^)\s]+))?\)")
MAX_README_LINES = 140


def relative(path):
    return str(path.relative_to(ROOT))


def anchors(text):
    """The names by which the headings of a page can be linked to, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", PAGES, ids=relative)
def test_links_to_files_and_headings_lead_somewhere(path):
    for target, anchor in LINK.findall(path.read_text(encoding="utf-8")):
        if "://" in target:
            continue
        other = path.parent / target
        assert other.exists(), target
        assert not anchor or anchor in anchors(other.read_text(encoding="utf-8")), f"{target}#{anchor}"


@pytest.mark.parametrize("name", GAMES)
def test_page_of_a_game_is_current(name):
    found = (DOCS / "games" / f"{name}.md").read_text(encoding="utf-8")
    assert found == page(load(name)), f"surajang variants {name} --markdown > docs/games/{name}.md"


def test_page_of_a_game_is_what_the_command_writes():
    assert CliRunner().invoke(main, ["variants", "chaotic", "--markdown"]).stdout == page(load("chaotic"))


def test_pages_of_games_are_listed_and_no_page_is_left_over():
    listed = (DOCS / "games" / "README.md").read_text(encoding="utf-8")
    pages = sorted(path.stem for path in (DOCS / "games").glob("*.md") if path.name != "README.md")
    assert pages == GAMES
    assert all(f"]({name}.md)" in listed for name in GAMES)
