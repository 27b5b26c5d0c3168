"""The keys of a game in a file of Fairy-Stockfish: read, checked, and refused by name and value."""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import overload

from ..game.description import FILE_LETTERS, VariantError
from .ini import Value, shown
from .other_keys import OLD_NAMES

MAX_SIDE = 16
MAX_TEXT = 2000  # characters of a value
BOOLEANS = {"true": True, "false": False}


class Keys:
    """The values of a game by key, under the names that keys have now; `seen` are those that were asked for.

    `files` and `ranks` are the size of the board.
    """

    def __init__(self, name: str, values: dict[str, Value], file: str) -> None:
        self.name, self.file = name, file
        self.values = {OLD_NAMES.get(key, key): value for key, value in values.items()}
        self._written = {new: old for old, new in OLD_NAMES.items() if old in values}
        self.seen: set[str] = set()
        for key, value in values.items():
            if len(value.text) > MAX_TEXT:
                raise self.error(key, f"has {len(value.text)} characters; there are at most {MAX_TEXT}")
        self.files, self.ranks = (
            self.number("maxFile", 8, 2, MAX_SIDE),
            self.number("maxRank", 8, 2, MAX_SIDE),
        )

    def error(self, key: str, reason: str) -> VariantError:
        """A VariantError for a key and its value."""
        value = self.values.get(key)
        where = value.section if value else self.name
        text = f" = {shown(value.text)}" if value else ""
        return VariantError(f"{self.file}: [{where}] {self._written.get(key, key)}{text}: {reason}")

    @overload
    def text(self, key: str) -> str | None: ...
    @overload
    def text(self, key: str, default: str) -> str: ...
    def text(self, key: str, default: str | None = None) -> str | None:
        self.seen.add(key)
        return self.values[key].text if key in self.values else default

    def flag(self, key: str, default: bool = False) -> bool:
        text = self.text(key)
        if text is not None and text not in BOOLEANS:
            raise self.error(key, "should be true or false")
        return default if text is None else BOOLEANS[text]

    def number(self, key: str, default: int, least: int, most: int) -> int:
        text = self.text(key)
        if text is None:
            return default
        if key == "maxFile" and text in tuple(FILE_LETTERS):
            return FILE_LETTERS.index(text) + 1
        if not re.fullmatch("[0-9]{1,5}", text) or not least <= int(text) <= most:
            raise self.error(key, f"should be a whole number from {least} to {most}")
        return int(text)

    def choice(self, key: str, choices: Collection[str], default: str) -> str:
        text = self.text(key, default)
        if text not in choices:
            raise self.error(key, f"should be one of {', '.join(choices)}")
        return text

    def pairs(self, key: str) -> dict[str, str]:
        """Letter -> text of a list like `p:g r:d`."""
        text = self.text(key, "-")
        pairs = [part.split(":") for part in text.split()] if text != "-" else []
        if any(len(pair) != 2 or not re.fullmatch("[A-Za-z]", pair[0]) or not pair[1] for pair in pairs):
            raise self.error(key, "should be pairs like 'p:g r:d'")
        return {letter.lower(): value for letter, value in pairs}

    def file_index(self, key: str) -> int | None:
        """The file that a letter names, from 0, or None without the key."""
        text = self.text(key)
        if text is not None and text.lower() not in tuple(FILE_LETTERS[: self.files]):
            raise self.error(key, "is not a file of this board")
        return None if text is None else FILE_LETTERS.index(text.lower())

    def region(self, key: str) -> set[int] | None:
        """The squares that a text like `*8 a4 b*` names, or None without the key."""
        text = self.text(key)
        if text is None:
            return None
        squares: set[int] = set()
        for part in text.split() if text != "-" else ():
            match = re.fullmatch(r"([a-p*])([0-9]{1,2}|\*)", part)
            files: Sequence[int] = ()
            ranks: Sequence[int] = ()
            if match:
                files = range(self.files) if match[1] == "*" else [FILE_LETTERS.index(match[1])]
                ranks = range(self.ranks) if match[2] == "*" else [int(match[2]) - 1]
            if not match or files[-1] >= self.files or not 0 <= ranks[-1] < self.ranks:
                raise self.error(
                    key, f"{part!r} is not a square, a rank like '*8' or a file like 'a*' of this board"
                )
            squares |= {rank * self.files + file for file in files for rank in ranks}
        return squares

    def mirrored(self, squares: Iterable[int]) -> set[int]:
        """Squares as the other side has them."""
        return {(self.ranks - 1 - s // self.files) * self.files + s % self.files for s in squares}

    @overload
    def both_regions(self, key: str) -> set[int] | None: ...
    @overload
    def both_regions(self, key: str, default: set[int]) -> set[int]: ...
    def both_regions(self, key: str, default: set[int] | None = None) -> set[int] | None:
        """The squares of White by the keys with `White` and `Black` behind, `default` without them.

        Raises VariantError unless they are each other's mirror images.
        """
        white, black = self.region(f"{key}White"), self.region(f"{key}Black")
        if white is None and black is None:
            return default
        own = default if white is None else white
        if own != (default if black is None else self.mirrored(black)):
            given = "White" if black is None else "Black"
            raise self.error(
                f"{key}{given}", "is not the mirror image of the other side's: cannot be said here"
            )
        return own

    def rank_numbers(self, key: str, squares: Collection[int]) -> list[int]:
        """The ranks, from 1, that squares fill. Raises VariantError when they fill none."""
        ranks = sorted({square // self.files + 1 for square in squares})
        if len(squares) != len(ranks) * self.files:
            raise self.error(key, "should be whole ranks; other squares cannot be said here")
        return ranks

    def rank_squares(self, ranks: Iterable[int]) -> set[int]:
        """The squares of ranks counted from 1."""
        return {(rank - 1) * self.files + file for rank in ranks for file in range(self.files)}
