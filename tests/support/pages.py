"""The content of the pages: their blocks, and the commands in them. For tests."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import surajang

ROOT = Path(surajang.__file__).resolve().parent
DOCS = ROOT / "docs"
FENCE = re.compile(r"^ *```\w*\n(.*?)^ *```$", flags=re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"\s*(?:time )?(?:\S*/bin/)?surajang( +#.*| [^\s\d:].*)?$")


def pages() -> list[Path]:
    """All pages except the changelog, whose commands may be gone."""
    found = [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]
    return sorted(path for path in found if "_build" not in path.parts and path.name != "CHANGELOG.md")


def code_blocks(page: Path, language: str) -> list[str]:
    """The blocks of a page that are in a language."""
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def commands(page: Path) -> Iterator[list[str]]:
    """The words behind `surajang` of each command in the blocks of a page, without comments."""
    for block in FENCE.findall(page.read_text(encoding="utf-8")):
        text = re.sub(r"\\\n\s*", "", block)
        text = re.sub(r"\n {4,}(?=[a-z])", " ", text)  # quotation marks that close in the next line
        for line in text.splitlines():
            found = COMMAND.match(line)
            if found:
                yield shlex.split(found[1] or "", comments=True)


def inline_commands(page: Path) -> Iterator[list[str]]:
    """The same of the commands in the sentences of a page."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for found in re.findall(r"`surajang ([^`]+)`", text):
        yield shlex.split(found.replace("\n", " "))


def command_path(words: list[str]) -> list[str]:
    """The names of command and subcommands at the beginning of a command's words."""
    path = words[:1] if words and not words[0].startswith("-") else []
    if path == ["bench"]:
        path = words[:2]
        if path[1:] == ["data"]:
            path += words[2:3] if words[2:3] in (["show"], ["stats"]) else ["play"]
    elif path == ["variants"]:
        path += words[1:2] if words[1:2] in (["check"], ["import"], ["export"], ["show"]) else []
        path += ["show"] if len(path) == 1 and len(words) > 1 else []
    return path
