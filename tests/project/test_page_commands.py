"""The cheap commands on the pages run, with the files that the pages show."""

import re
import subprocess
import sys

import pytest
from surajang.tests.support.pages import DOCS, ROOT, code_blocks, command_path, commands, pages

pytestmark = pytest.mark.process

CHEAP = (
    ["variants"],
    ["variants", "show"],
    ["variants", "check"],
    ["variants", "export"],
    ["eval"],
    ["perft"],
)
MOST_PLIES = 3  # of perft
PLACEHOLDER = re.compile(r"\b[A-Z]{4,}\b|\bvariants\.ini\b")


def is_cheap(words):
    """Whether a command takes only seconds, and needs only files that the pages show."""
    if words == ["--version"] or words[:3] == ["bench", "networks", "--markdown"]:
        return True
    deep = "--depth" in words and int(words[words.index("--depth") + 1]) > MOST_PLIES
    return command_path(words) in CHEAP and not deep and not any(map(PLACEHOLDER.fullmatch, words))


CHEAP_LINES = sorted(
    {" ".join(words): words for page in pages() for words in commands(page) if is_cheap(words)}.items()
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the games that the pages show, each in a file of its name."""
    folder = tmp_path_factory.mktemp("pages")
    for page in pages():
        for block in code_blocks(page, "toml"):
            name = re.search(r'^name = "([\w-]+)"$', block, flags=re.MULTILINE)
            if name:
                (folder / f"{name[1]}.toml").write_text(block, encoding="utf-8")
    (folder / "docs" / "games").mkdir(parents=True)
    return folder


@pytest.mark.parametrize("words", [words for _, words in CHEAP_LINES], ids=[line for line, _ in CHEAP_LINES])
def test_cheap_command_on_a_page_runs(words, folder):
    words = words[: words.index(">")] if ">" in words else words
    command = [sys.executable, "-m", "surajang", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_games_on_the_pages_are_files(folder):
    assert (folder / "camelhouse.toml").exists() and (folder / "knighthouse.toml").exists()
    assert len(list(folder.glob("*.toml"))) >= len(list((DOCS / "own-game").glob("*.toml")))
    assert not (ROOT / "camelhouse.toml").exists()
