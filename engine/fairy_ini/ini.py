"""Fairy-Stockfish's files of games as text: sections, their keys, and from which others they inherit.

What is odd is read as Fairy-Stockfish reads it, with a warning. What the keys mean is not known here.
"""

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from ..game.description import VariantError
from ..game.text_files import decode

MAX_BYTES = 4_000_000
MAX_GAMES = 1000  # of a file; those that people have made hold some 150
MAX_PARENTS = 50
MAX_TEXT = 2000  # characters of a value
SHOWN = 20  # games that a line names
MOST_WARNINGS = 10  # of a section
TEMPLATES = Path(__file__).with_name("templates.ini")
HEADER = re.compile(r"\[\s*([A-Za-z0-9_-]{1,60})\s*(?::\s*([A-Za-z0-9_-]{1,60})\s*)?\]")
KEY = re.compile(r"[A-Za-z][A-Za-z0-9]{0,60}")


@dataclass(frozen=True)
class Section:
    """A game as the file writes it: `parent` is the name of another, or None.

    `warnings` are sentences on what is read otherwise than it looks, `error` says why nothing of it can be
    read, if so.
    """

    name: str
    parent: str | None
    keys: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    error: str = ""

    def warn(self, sentence: str) -> None:
        """Keeps a warning; of very many only the first ones."""
        if len(self.warnings) < MOST_WARNINGS:
            self.warnings.append(sentence)


@dataclass(frozen=True)
class IniFile:
    """A file of games: its name for messages, its sections by name, and warnings on no section of it."""

    name: str
    sections: dict[str, Section] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def some(names: Iterable[str]) -> str:
    """The first of some names in words, and that there are more."""
    names = list(names)
    return ", ".join(names[:SHOWN]) + (", ..." if len(names) > SHOWN else "")


def shown(text: str) -> str:
    """A text from a file in quotes, shortened where it is long."""
    return repr(text if len(text) <= 60 else text[:57] + "...")


def read_file(path: str | Path) -> IniFile:
    """A file of games. Raises VariantError."""
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise VariantError(f"{path}: cannot be read: {error}") from None
    if len(data) > MAX_BYTES:
        raise VariantError(f"{path}: has {len(data)} bytes; a file of games has at most {MAX_BYTES}")
    text = decode(data)
    if "\0" in text:
        raise VariantError(f"{path}: is not text: it has a zero byte at {text.index(chr(0))}")
    return read(text.replace("\r\n", "\n").replace("\r", "\n"), Path(path).name)


def read(text: str, name: str) -> IniFile:
    """The file of games that a text makes; `name` is for messages. Raises VariantError with the line."""
    return _read(text, name, templates())


def _read(text: str, name: str, builtin: Container[str]) -> IniFile:
    """`builtin` are names of games that no file changes."""
    file = IniFile(name)
    section = None
    for number, line in enumerate(text.split("\n"), 1):
        line = line.removesuffix("\r")
        if line.startswith("["):
            if len(file.sections) == MAX_GAMES:
                reason = f"a file has at most {MAX_GAMES} games"
                raise VariantError(f"{name}: line {number}: {shown(line)}: {reason}")
            section = _header(file, number, line, builtin)
        elif not line.strip() or line[0] in "#;":
            continue
        elif section is None:
            if not file.warnings:
                file.warnings.append(
                    f"{name}: line {number}: {shown(line)} stands before the first game and is passed over"
                )
        else:
            _read_key(section, number, line)
    return file


def _header(file: IniFile, number: int, line: str, builtin: Container[str]) -> Section:
    """The section that a line like `[name:template]` begins; one that does not count where it cannot."""
    where = f"line {number}: {shown(line)}"
    match = HEADER.match(line)
    if not match:
        name = re.sub("[^A-Za-z0-9:_-]", "_", line[1:].partition("]")[0])[:60] or "_"
        reason = "should be '[name]' or '[name:template]', by letters, digits, '-' and '_'"
        return file.sections.setdefault(name, Section(name, None, error=f"{where} {reason}"))
    section = Section(match[1], match[2])
    if match[1] in file.sections:
        file.warnings.append(
            f"{file.name}: {where}: a game of that name stands above; this one is passed over"
        )
        return section
    if match[1] in builtin:
        section.warn(f"{where}: Fairy-Stockfish has a game of that name, which counts instead")
    file.sections[match[1]] = section
    return section


def _read_key(section: Section, number: int, line: str) -> None:
    key, equals, value = line.partition("=")
    key, value = key.rstrip(" "), value.lstrip()
    where = f"line {number}: {shown(line)}"
    if not equals or not KEY.fullmatch(key):
        section.warn(f"{where} is not a key with a value, like 'maxRank = 8'; it is passed over")
    elif not value:
        section.warn(f"{where} has no value and is passed over")
    else:
        if key in section.keys:
            section.warn(f"{where}: {key} is there twice; this value counts")
        section.keys[key] = value


@cache
def templates() -> dict[str, Section]:
    """The games that a section may inherit from without the file having them."""
    return _read(TEMPLATES.read_text(encoding="utf-8"), TEMPLATES.name, ()).sections


def chain(name: str, file: IniFile) -> list[Section]:
    """The section of a game behind all from which it inherits, the farthest first.

    Raises VariantError for a game that the file does not have, and for parents that are unknown, cannot be
    read or run in a circle.
    """
    found: list[Section] = []
    heir, following = "", name
    while True:
        where = f"{file.name}: [{name}]: {heir}"
        section = templates().get(following) or file.sections.get(following)
        if section is None:
            if not heir:
                raise VariantError(f"{file.name}: [{name}]: the file has no such game")
            known = ", ".join(sorted(templates()))
            raise VariantError(
                f"{where}{following!r} is neither a game of the file nor a known template ({known})"
            )
        if section.error:
            raise VariantError(f"{where}{section.error}")
        if section in found:
            raise VariantError(f"{where}inherits from itself, by {' from '.join(s.name for s in found)}")
        if len(found) > MAX_PARENTS:
            raise VariantError(f"{where}inherits from more than {MAX_PARENTS} games, one behind another")
        found.append(section)
        if section.parent is None:
            return found[::-1]
        heir, following = f"[{section.name}:{section.parent}]: ", section.parent
