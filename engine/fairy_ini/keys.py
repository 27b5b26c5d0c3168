"""The keys of a game in a file of Fairy-Stockfish: reading, checking, and errors with name and value."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import overload

from ..game.description import FILE_LETTERS, VariantError
from ..game.fen_error import shown
from .ini import MAX_TEXT

MAX_SIDE = 16
BOOLEANS = {"true": True, "false": False}


@dataclass(frozen=True)
class Value:
    """The text of a key in the file, its section, and its name there."""

    text: str
    section: str
    key: str


def leading_number(text: str) -> int | None:
    """The number that a text begins with; Fairy-Stockfish does not look at what follows."""
    match = re.match(r"\s*\+?([0-9]{1,9})(?![0-9])", text)
    return int(match[1]) if match else None


def without_comment(text: str) -> str:
    """A value up to the first `#` or `;`, where Fairy-Stockfish stops to read a list."""
    return re.split("[#;]", text)[0].rstrip()


class Keys:
    """The values of a game by key; `seen` are those that were read. `files` and `ranks` are the size of the
    board."""

    def __init__(self, name: str, file: str, values: dict[str, Value]) -> None:
        self.name, self.file, self.values = name, file, values
        self.seen: set[str] = set()
        for key, value in values.items():
            if len(value.text) > MAX_TEXT:
                raise self.error(key, f"has {len(value.text)} characters; there are at most {MAX_TEXT}")
        self.files = self.number("maxFile", 8, 2, MAX_SIDE)
        self.ranks = self.number("maxRank", 8, 2, MAX_SIDE)

    def error(self, key: str, reason: str) -> VariantError:
        """A VariantError for a key and its value, with the game and the section of the key."""
        return error(self.file, self.name, self.values.get(key), key, reason)

    def unmirrored(self, key: str) -> VariantError:
        """The error about squares of one side that are not the mirror image of the other side's."""
        given = "is" if key in self.values else "is not given, and the default on this board is"
        return self.error(key, f"{given} not the mirror image of the other side's, which is not supported")

    @overload
    def text(self, key: str) -> str | None: ...
    @overload
    def text(self, key: str, default: str) -> str: ...
    def text(self, key: str, default: str | None = None) -> str | None:
        self.seen.add(key)
        return self.values[key].text.rstrip() if key in self.values else default

    def flag(self, key: str, default: bool = False) -> bool:
        return BOOLEANS[self.choice(key, tuple(BOOLEANS), str(default).lower())]

    def number(self, key: str, default: int, least: int, most: int) -> int:
        text = self.text(key)
        if text is None:
            return default
        if key == "maxFile" and text[:1] in tuple(FILE_LETTERS):
            return self.file_index(key, default) + 1
        number = leading_number(text)
        if number is None or not least <= number <= most:
            raise self.error(key, f"should be a whole number from {least} to {most}")
        return number

    def choice(self, key: str, choices: Collection[str], default: str) -> str:
        text = self.text(key, default)
        word = without_comment(text)
        if word == "false" in choices:  # for Fairy-Stockfish all but 'true' is false
            return word
        if word != text and word in choices:
            raise self.error(key, f"has a comment: Fairy-Stockfish does not read that as {word!r}")
        if text not in choices:
            raise self.error(key, f"should be {' or '.join(choices)}")
        if key in self.values and self.values[key].text != text:
            raise self.error(key, f"ends with a blank; Fairy-Stockfish does not read it as {text!r}")
        return text

    def file_index(self, key: str, default: int) -> int:
        """The file for a letter or a number, from 0; it may be beyond this board."""
        text = self.text(key)
        if text is None:
            return default
        number = leading_number(text)
        if number is not None and 1 <= number <= MAX_SIDE:
            return number - 1
        letter = without_comment(text)
        if letter not in tuple(FILE_LETTERS):
            raise self.error(key, "is not a file, like 'c'")
        return FILE_LETTERS.index(letter)

    def region(self, key: str) -> set[int] | None:
        """The squares of this board in a text like `*8 a4 b*`, or None without the key."""
        text = self.text(key)
        if text is None:
            return None
        squares: set[int] = set()
        for part in without_comment(text).split():
            if part == "-":
                break
            match = re.fullmatch(r"([a-pA-P])([0-9]{1,2}|\*)|\*([0-9]{1,2})", part)
            if not match:
                reason = f"{part!r} is not a square like 'd4', a rank like '*8' or a file like 'a*'"
                raise self.error(key, reason)
            file, rank = match[1], match[2] or match[3]
            files: Sequence[int] = [FILE_LETTERS.index(file.lower())] if file else range(self.files)
            ranks: Sequence[int] = range(self.ranks) if rank == "*" else [int(rank) - 1]
            squares |= {
                y * self.files + x for x in files for y in ranks if x < self.files and 0 <= y < self.ranks
            }
        return squares

    def sides(self, key: str, white: set[int], black: set[int]) -> tuple[set[int], set[int]]:
        """The squares of White and of Black from a key with the suffixes `White` and `Black`, or from the key
        without a suffix."""
        found = self.region(f"{key}White"), self.region(f"{key}Black")
        return (white if found[0] is None else found[0], black if found[1] is None else found[1])

    def both(self, key: str, white: set[int], black: set[int]) -> set[int]:
        """The squares of White from such keys. Raises VariantError unless the squares of the sides are mirror
        images."""
        first, second = self.sides(key, white, black)
        if first != self.mirrored(second):
            given = f"{key}White" if f"{key}White" in self.values else f"{key}Black"
            raise self.unmirrored(given)
        return first

    def mirrored(self, squares: Iterable[int]) -> set[int]:
        """Squares as seen by the other side."""
        return {(self.ranks - 1 - s // self.files) * self.files + s % self.files for s in squares}

    def turned(self, squares: Iterable[int]) -> set[int]:
        """Squares after half a turn of the board."""
        return {self.files * self.ranks - 1 - square for square in squares}

    def rank_numbers(self, key: str, squares: Collection[int]) -> list[int]:
        """The ranks, from 1, that the squares fill. Raises VariantError if they are not whole ranks."""
        ranks = self.touched(squares)
        if len(squares) != len(ranks) * self.files:
            raise self.error(key, "should be whole ranks; other squares are not supported")
        return ranks

    def touched(self, squares: Iterable[int]) -> list[int]:
        """The ranks, from 1, with at least one of the squares."""
        return sorted({square // self.files + 1 for square in squares})

    def rank_squares(self, *ranks: int) -> set[int]:
        """The squares of ranks counted from 1, within this board."""
        return {(r - 1) * self.files + file for r in ranks if r <= self.ranks for file in range(self.files)}

    @property
    def everywhere(self) -> set[int]:
        """All squares of the board."""
        return set(range(self.files * self.ranks))


def error(file: str, name: str, value: Value | None, key: str, reason: str) -> VariantError:
    """A VariantError for a key of the game `name`, with its value if it has one."""
    if value is None:
        return VariantError(f"{file}: [{name}] {key}: {reason}")
    origin = f" (from [{value.section}])" if value.section != name else ""
    return VariantError(f"{file}: [{name}] {value.key} = {shown(value.text)}{origin}: {reason}")
