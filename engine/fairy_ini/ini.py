"""The text format of Fairy-Stockfish's files of games: sections, their keys, and inheritance.

Unusual lines are read as Fairy-Stockfish reads them, with a warning. This module does not know the meaning of
keys."""

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from ..game.description import VariantError
from ..game.fen_error import shown
from ..game.text_files import decode, fault_of

TEMPLATE_OF = {"chess960": "fischerandom"}  # another program's name -> that of Fairy-Stockfish
MAX_BYTES = 4_000_000
MAX_GAMES = 1000  # of a file; real files have up to about 150
MAX_PARENTS = 50
MAX_TEXT = 2000  # characters of a value
SHOWN = 20  # games that a line names
MOST_WARNINGS = 10  # of a section
TEMPLATES = Path(__file__).with_name("templates.ini")
HEADER = re.compile(r"\[\s*([A-Za-z0-9_-]{1,60})\s*(?::\s*([A-Za-z0-9_-]{1,60})\s*)?\]")
KEY = re.compile(r"[A-Za-z][A-Za-z0-9]{0,60}")


@dataclass(frozen=True)
class Section:
    """A game in the file: `parent` is the name of another, or None. `warnings` are sentences on lines with a
    surprising meaning; `error` is the reason if the section cannot be read."""

    name: str
    parent: str | None
    keys: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    error: str = ""

    def warn(self, sentence: str) -> None:
        """Adds a warning, up to a limit."""
        if len(self.warnings) < MOST_WARNINGS:
            self.warnings.append(sentence)


@dataclass(frozen=True)
class IniFile:
    """A file of games: its name for messages, its sections by name, and warnings that belong to no
    section."""

    name: str
    sections: dict[str, Section] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def some(names: Iterable[str]) -> str:
    """The first names in words, with a note if there are more."""
    names = list(names)
    return ", ".join(names[:SHOWN]) + (", ..." if len(names) > SHOWN else "")


def read_file(path: str | Path) -> IniFile:
    """A file of games. Raises VariantError."""
    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        raise VariantError(f"{path}: cannot be read: {fault_of(error)}") from None
    if len(data) > MAX_BYTES:
        raise VariantError(f"{path}: has {len(data)} bytes; a file of games has at most {MAX_BYTES}")
    text = decode(data)
    if "\0" in text:
        raise VariantError(f"{path}: is not text: it has a zero byte at {text.index(chr(0))}")
    return read(text.replace("\r\n", "\n").replace("\r", "\n"), Path(path).name)


def read(text: str, name: str) -> IniFile:
    """The file of games from a text; `name` is for messages. Raises VariantError with the line."""
    return _read(text, name, templates())


def _read(text: str, name: str, builtin: Container[str]) -> IniFile:
    """As `read`; `builtin` are names of games that files cannot redefine."""
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
                    f"{name}: line {number}: {shown(line)} is before the first game and is ignored"
                )
        else:
            _read_key(section, number, line)
    return file


def _header(file: IniFile, number: int, line: str, builtin: Container[str]) -> Section:
    """The section that a line like `[name:template]` begins; an ignored section if the line is invalid."""
    where = f"line {number}: {shown(line)}"
    match = HEADER.match(line)
    if not match:
        name = re.sub("[^A-Za-z0-9:_-]", "_", line[1:].partition("]")[0])[:60] or "_"
        reason = "should be '[name]' or '[name:template]', by letters, digits, '-' and '_'"
        return file.sections.setdefault(name, Section(name, None, error=f"{where} {reason}"))
    section = Section(match[1], match[2])
    if match[1] in file.sections:
        file.warnings.append(f"{file.name}: {where}: there is a game of that name above; this one is ignored")
        return section
    if match[1] in builtin:
        section.warn(f"{where}: Fairy-Stockfish has a built-in game of that name, which is used instead")
    file.sections[match[1]] = section
    return section


def _read_key(section: Section, number: int, line: str) -> None:
    key, equals, value = line.partition("=")
    key, value = key.rstrip(" "), value.lstrip()
    where = f"line {number}: {shown(line)}"
    if equals and key[:1].isspace() and KEY.fullmatch(key.strip()):
        section.warn(f"{where} begins with a blank, so Fairy-Stockfish does not know the key; it is ignored")
    elif not equals or not KEY.fullmatch(key):
        section.warn(f"{where} is not a key with a value, like 'maxRank = 8'; it is ignored")
    elif not value:
        section.warn(f"{where} has no value and is ignored")
    else:
        if key in section.keys:
            section.warn(f"{where}: {key} is there twice; this value is used")
        section.keys[key] = value


@cache
def templates() -> dict[str, Section]:
    """The games from which a section can inherit although they are not in the file."""
    return _read(TEMPLATES.read_text(encoding="utf-8"), TEMPLATES.name, ()).sections


def chain(name: str, file: IniFile) -> list[Section]:
    """The section of a game after all its ancestors, the most distant first. Raises VariantError for a game
    that is not in the file, and for parents that are unknown, invalid or circular."""
    found: list[Section] = []
    heir, following = "", name
    while True:
        where = f"{file.name}: [{name}]: {heir}"
        section = templates().get(following) or file.sections.get(following)
        if section is None:
            if not heir:
                raise VariantError(f"{file.name}: [{name}]: the file has no such game")
            reason = f"{following!r} is neither a game of the file nor a known template"
            raise VariantError(f"{where}{reason}{_like(following, file)}")
        if section.error:
            raise VariantError(f"{where}{section.error}")
        if section in found:
            raise VariantError(f"{where}inherits from itself through {' from '.join(s.name for s in found)}")
        if len(found) > MAX_PARENTS:
            raise VariantError(f"{where}inherits from more than {MAX_PARENTS} games in a chain")
        found.append(section)
        if section.parent is None:
            return found[::-1]
        heir, following = f"[{section.name}:{section.parent}]: ", section.parent


def _like(parent: str, file: IniFile) -> str:
    """The end of an error about an unknown parent: the names like it, or some of those that there are."""
    names = [*templates(), *file.sections]
    close = [TEMPLATE_OF[parent]] if parent in TEMPLATE_OF else get_close_matches(parent, names)
    if close:
        return f"; did you mean {' or '.join(map(repr, close))}?"
    return f", such as {', '.join(sorted(templates())[:SHOWN])} ..."
