"""Fairy-Stockfish's files of games as text: sections, keys, and what a section inherits.

What the keys mean is not known here.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..game.description import VariantError

MAX_BYTES = 4_000_000
MAX_GAMES = 1000  # of a file; those that people have made hold some 150
MAX_PARENTS = 50
SHOWN = 20  # games that a line names
TEMPLATES = Path(__file__).with_name("templates.ini")
HEADER = re.compile(r"\[\s*([A-Za-z0-9_-]{1,60})\s*(?::\s*([A-Za-z0-9_-]{1,60})\s*)?\]")
KEY = re.compile(r"([A-Za-z][A-Za-z0-9]{0,60})\s*=\s*(.*)")


@dataclass(frozen=True)
class Section:
    """A game as the file writes it: `parent` is the name of another, or None; `keys` are in its order."""

    name: str
    parent: str | None
    keys: dict[str, str]


@dataclass(frozen=True)
class Value:
    """The text of a key, and the section that gives it."""

    text: str
    section: str


def some(names: Iterable[str]) -> str:
    """The first of some names in words, and that there are more."""
    names = list(names)
    return ", ".join(names[:SHOWN]) + (", ..." if len(names) > SHOWN else "")


def shown(text: str) -> str:
    """A text from a file in quotes, shortened where it is long."""
    return repr(text if len(text) <= 60 else text[:57] + "...")


def read_file(path: str | Path) -> dict[str, Section]:
    """The sections of a file by name. Raises VariantError."""
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise VariantError(f"{path}: cannot be read: {error}") from None
    if len(data) > MAX_BYTES:
        raise VariantError(f"{path}: has {len(data)} bytes; a file of games has at most {MAX_BYTES}")
    try:
        text = data.decode("utf-8-sig")
    except ValueError as error:
        raise VariantError(f"{path}: is not text in UTF-8: {error}") from None
    if "\0" in text:
        raise VariantError(f"{path}: is not text: it has a zero byte at {text.index(chr(0))}")
    return read(text, Path(path).name)


def read(text: str, file: str) -> dict[str, Section]:
    """The sections of a text by name; `file` is for messages. Raises VariantError with file and line."""
    sections: dict[str, Section] = {}
    section = None
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line[0] in "#;":
            continue
        where = f"{file}: line {number}: {shown(line)}"
        if line.startswith("["):
            match = HEADER.fullmatch(line.split("#")[0].strip())
            if not match:
                raise VariantError(f"{where} should be a game like '[name]' or '[name:template]'")
            if match[1] in sections:
                raise VariantError(f"{where}: a game of that name stands above; names should differ")
            if len(sections) == MAX_GAMES:
                raise VariantError(f"{where}: a file has at most {MAX_GAMES} games")
            section = sections[match[1]] = Section(match[1], match[2], {})
            continue
        match = KEY.fullmatch(line)
        if not match:
            raise VariantError(f"{where} should be a key with a value, like 'maxRank = 8'")
        if section is None:
            raise VariantError(f"{where} stands before the first game, like '[name:template]'")
        if match[1] in section.keys:
            raise VariantError(f"{file}: [{section.name}] {match[1]} = {shown(match[2])}: is there twice")
        section.keys[match[1]] = match[2].strip()
    return sections


@cache
def templates() -> dict[str, Section]:
    """The games that a section may inherit from without the file having them."""
    return read_file(TEMPLATES)


def resolved(name: str, sections: dict[str, Section], file: str) -> dict[str, Value]:
    """Key -> `Value` of a game with all that it inherits.

    Raises VariantError for parents that are unknown or run in a circle.
    """
    chain: list[Section] = []
    section = sections.get(name) or templates().get(name)
    if section is None:
        raise VariantError(f"{file}: [{name}]: there is no such game in the file")
    own = name in sections
    while True:
        chain.append(section)
        parent = section.parent
        if parent is None:
            break
        where = f"{file}: [{section.name}:{parent}]"
        # A game of the file may have the name of a template that it changes
        if own and parent in sections and parent != section.name:
            following: Section | None = sections[parent]
        else:
            following, own = templates().get(parent), False
        if following is None:
            known = ", ".join(sorted(templates()))
            raise VariantError(
                f"{where}: {parent!r} is neither a game of the file nor a known template ({known})"
            )
        if following in chain:
            raise VariantError(f"{where}: inherits from itself, by {' from '.join(s.name for s in chain)}")
        if len(chain) > MAX_PARENTS:
            raise VariantError(f"{where}: inherits from more than {MAX_PARENTS} games, one behind another")
        section = following
    merged: dict[str, Value] = {}
    for section in reversed(chain):
        merged |= {key: Value(text, section.name) for key, text in section.keys.items()}
    return merged
