"""The pages of the repository: what they show is what the program does, and what they link to is there."""

import re
import tomllib
from pathlib import Path

import pytest
import surajang
from click.testing import CliRunner
from surajang.cli import BENCHMARKS, main
from surajang.engine.game import reader
from surajang.engine.game.catalogue import FOLDER, SHIPPED, load, parse
from surajang.engine.rulebook.markdown import page
from surajang.learn.networks.networks_command import shipped_networks
from surajang.protocol.cecp.protocol import Cecp
from surajang.protocol.uci.protocol import COMMANDS as UCI_COMMANDS
from surajang.protocol.uci.protocol import Uci
from surajang.protocol.wire.stdio import InputLine

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


def test_page_of_the_networks_is_what_the_command_writes():
    found = (DOCS / "networks.md").read_text(encoding="utf-8")
    written = CliRunner().invoke(main, ["bench", "networks", "--markdown"]).stdout
    assert found == written, "surajang bench networks --markdown > docs/networks.md"
    assert written.count("\n## ") == len(shipped_networks())


def test_page_of_a_game_is_what_the_command_writes():
    assert CliRunner().invoke(main, ["variants", "chaotic", "--markdown"]).stdout == page(load("chaotic"))


def test_pages_of_games_are_listed_and_no_page_is_left_over():
    listed = (DOCS / "games" / "README.md").read_text(encoding="utf-8")
    pages = sorted(path.stem for path in (DOCS / "games").glob("*.md") if path.name != "README.md")
    assert pages == GAMES
    assert all(f"]({name}.md)" in listed for name in GAMES)


def said(dialect, *lines):
    """What a dialect answers to lines that need no game."""
    written = []
    talk = dialect(written.append, lambda event: None)
    for line in lines:
        talk.handle(InputLine(line))
    return written


def first_column(text, heading):
    """The words in backquotes in the first column of the table below a heading."""
    table = text.split(f"## {heading}\n", 1)[1].split("\n## ")[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    return [word for cell in cells for word in re.findall("`([^`]+)`", cell)]


def test_page_of_uci_has_exactly_the_options_of_the_engine():
    offered = [re.match("option name (.*?) type ", line) for line in said(Uci, "uci")]
    told = first_column((DOCS / "uci.md").read_text(encoding="utf-8"), "Options")
    assert sorted(told) == sorted(match[1] for match in offered if match)


def test_page_of_cecp_has_exactly_the_options_of_the_engine():
    offered = [re.match('feature option="(.*?) -', line) for line in said(Cecp, "xboard", "protover 2")]
    told = first_column((DOCS / "cecp.md").read_text(encoding="utf-8"), "Options")
    assert sorted(told) == sorted(match[1] for match in offered if match)


def test_page_of_the_command_line_has_every_command():
    text = (DOCS / "command-line.md").read_text(encoding="utf-8")
    told = re.findall(r"^surajang ((?:bench )?[\w-]+) ", text, flags=re.MULTILINE)
    wanted = {name for name in main.commands if name != "bench"}
    assert set(told) == wanted | {f"bench {name}" for name in BENCHMARKS}


def test_games_in_the_page_on_games_of_ones_own_can_be_read():
    text = (DOCS / "your-own-game.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```toml\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    names = [parse(block, "game.toml").name for block in blocks]
    assert names == ["knighthouse", "tiny"]


def test_page_of_keys_has_every_key_that_a_file_may_have():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    for key in (*reader.TOP_KEYS, *reader.PIECE_KEYS):
        assert re.search(rf"[`\[]{key}[`\].]", text), key


def test_readme_is_short():
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= MAX_README_LINES


def test_version_is_the_same_everywhere():
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## (\S+)", changes, flags=re.MULTILINE)[1] == surajang.__version__
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {surajang.__version__}\n" in citation


def test_every_page_under_docs_is_linked_from_the_readme_or_its_index():
    linked = set()
    for start in (ROOT / "README.md", DOCS / "games" / "README.md"):
        for target, _ in LINK.findall(start.read_text(encoding="utf-8")):
            if "://" not in target:
                linked.add((start.parent / target).resolve())
    assert {path.resolve() for path in DOCS.rglob("*.md")} - linked == set()


def test_package_lists_every_folder():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    floors = ("engine", "eval", "search", "protocol", "match", "learn", "board", "bench")
    files = [path for floor in floors for path in (ROOT / floor).rglob("*.*") if path.is_file()]
    folders = {path.parent.relative_to(ROOT) for path in files if "__pycache__" not in path.parts}
    names = {".".join(("surajang", *folder.parts)) for folder in folders}
    assert set(project["tool"]["setuptools"]["packages"]) == {"surajang", *names}


def test_page_of_uci_has_every_command():
    told = " ".join(first_column((DOCS / "uci.md").read_text(encoding="utf-8"), "Commands"))
    assert all(re.search(rf"\b{name}\b", told) for name in UCI_COMMANDS), told
