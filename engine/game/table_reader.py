"""Reads a table of a game's file key by key; errors name file, key and reason."""

import json
import re
from collections.abc import Collection, Sequence
from difflib import get_close_matches
from types import EllipsisType
from typing import Any, TypeVar

from . import betza, picture_names
from .description import FILE_LETTERS, VariantError
from .moves import parse_square

_Value = TypeVar("_Value")


class TableReader:
    """A table of the file with its path, for error messages."""

    def __init__(self, file: str, table: dict[str, Any], path: str = "") -> None:
        self.file, self.table, self.path = file, table, path

    def error(self, key: str, reason: str) -> VariantError:
        return VariantError(f"{self.file}: {self._path_of(key)}: {reason}")

    def _path_of(self, key: str) -> str:
        """A key, or a path of keys, after the path of the table, as written in files: unusual ones in
        quotes."""
        key = key if re.fullmatch("[A-Za-z0-9_.-]+", key) else json.dumps(key, ensure_ascii=False)
        return f"{self.path}.{key}" if self.path else key

    def get(self, key: str, kind: type[_Value], default: _Value | EllipsisType = ...) -> _Value:
        """The value of `key`, which must be of type `kind`; `default` if it is missing, where `...` means an
        error."""
        if key not in self.table:
            if default is ...:
                raise self.error(key, "is missing")
            return default
        value = self.table[key]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            words: dict[type, str] = {int: "a whole number", str: "a text", bool: "true or false"}
            words |= {list: "a list", dict: "a table"}
            if value is False:  # written to remove a key that a parent had
                words = {kind: f"{words[kind]}; false removes a key of the game in extends, which has none"}
            text = json.dumps(value) if isinstance(value, bool) else repr(value)
            raise self.error(key, f"{text} should be {words[kind]}")
        return value

    def words(self, key: str) -> str:
        """A text that fits on one line."""
        text = self.get(key, str)
        if not text.strip() or not text.isprintable():
            raise self.error(key, f"{text!r} should be words, on one line")
        return text

    def number(self, key: str, low: int, high: int, default: int | EllipsisType = ...) -> int:
        """A whole number in these bounds, or the default, which may be outside of them."""
        value = self.get(key, int, default)
        if key in self.table and not low <= value <= high:
            raise self.error(key, f"{value} should be from {low} to {high}")
        return value

    def choice(self, key: str, choices: Sequence[str], default: str | EllipsisType = ...) -> str:
        """One of the choices, or the default, which need not be one of them."""
        value = self.get(key, str, default)
        if key in self.table and value not in choices:
            known = repr(choices[0]) if len(choices) == 1 else f"one of {', '.join(choices)}"
            raise self.error(key, f"{value!r} should be {known}")
        return value

    def choices(self, key: str, choices: Sequence[str], default: list[str]) -> frozenset[str]:
        """A list of values from `choices`, as a frozen set."""
        values = self.get(key, list, default)
        for value in values:
            if value not in choices:
                raise self.error(key, f"{value!r} should be {' or '.join(map(repr, choices))}")
        if key in self.table and default and not values:
            raise self.error(key, f"[] should hold {' or '.join(map(repr, choices))}")
        return frozenset(values)

    def table_at(self, key: str, default: dict[str, Any] | EllipsisType = ...) -> "TableReader":
        value = self.get(key, dict, default)
        return TableReader(self.file, value, self._path_of(key))

    def optional_table(self, key: str, *known: str) -> "TableReader | None":
        """The table `key` with its known keys, or None if the file has none."""
        if key not in self.table:
            return None
        table = self.table_at(key)
        table.finish(*known)
        return table

    def letters(self, key: str, known: Collection[str], default: str | EllipsisType = "") -> str:
        """A text of letters of `known` pieces."""
        text = self.get(key, str, default)
        for index, letter in enumerate(text):
            if letter not in known:
                raise self.error(key, f"{letter!r} is not a piece of this game ({''.join(known)})")
            if letter in text[:index]:
                raise self.error(key, f"{letter!r} occurs twice in {text!r}")
        return text

    def one_letter(self, key: str, known: Collection[str]) -> str:
        text = self.letters(key, known, ...)
        if len(text) != 1:
            raise self.error(key, f"{text!r} should be one letter")
        return text

    def file_index(self, key: str, files: int) -> int:
        """The number of the file that a letter names."""
        if self.get(key, str) not in tuple(FILE_LETTERS[:files]):
            raise self.error(key, f"{self.table[key]!r} is not a file of this board")
        return FILE_LETTERS.index(self.table[key])

    def rank_list(self, key: str, ranks: int, default: list[int] | EllipsisType = ...) -> tuple[int, ...]:
        values = self.get(key, list, default)
        for value in values:
            if type(value) is not int or not 1 <= value <= ranks:
                raise self.error(key, f"{value!r} should be a rank from 1 to {ranks}")
        return tuple(values)

    def squares(self, key: str, files: int, ranks: int) -> tuple[int, ...]:
        """Squares from names and rectangles like "d1-f3", sorted."""
        found: set[int] = set()
        for name in self.get(key, list):
            names = name.split("-") if isinstance(name, str) else []
            squares = [parse_square(corner, files, ranks) for corner in names]
            corners = [square for square in squares if square is not None]
            if len(corners) not in (1, 2) or None in squares:
                reason = f"{name!r} should be a square of this board like 'd1', or a rectangle like 'd1-f3'"
                raise self.error(key, reason)
            left, right = sorted((corners[0] % files, corners[-1] % files))
            low, high = sorted((corners[0] // files, corners[-1] // files))
            found |= {rank * files + file for rank in range(low, high + 1) for file in range(left, right + 1)}
        if not found:
            raise self.error(key, "[] should hold squares")
        return tuple(sorted(found))

    def moves(self, key: str) -> tuple[betza.Ride, ...]:
        """Betza notation as its elementary moves."""
        try:
            return betza.parse(self.get(key, str))
        except betza.BetzaError as error:
            raise self.error(key, str(error)) from None

    def picture(self, key: str) -> str:
        """The name of a picture, checked; "" without one."""
        try:
            return picture_names.parse(self.get(key, str)).text if key in self.table else ""
        except picture_names.PictureError as error:
            raise self.error(key, str(error)) from None

    def finish(self, *known: str) -> None:
        """Raises an error for keys that are not in `known`."""
        for key in self.table:
            if key not in known:
                close = get_close_matches(key, known, n=1)
                hint = f"did you mean {close[0]!r}? " if close else ""
                raise self.error(key, f"unknown key ({hint}known here: {', '.join(known)})")


class GameReader:
    """The whole table of a game's file, its board and the letters of its pieces. `roles` are the texts that
    `letters` and `one_letter` have read so far."""

    def __init__(self, top: TableReader, files: int, ranks: int, known: Sequence[str]) -> None:
        self.top, self.files, self.ranks, self.known = top, files, ranks, known
        self.roles: list[str] = []

    def table(self, key: str, *known: str) -> TableReader | None:
        """The table `key` at the top with its known keys, or None if the file has none."""
        return self.top.optional_table(key, *known)

    def letters(self, table: TableReader, key: str, default: str | EllipsisType = "") -> str:
        """A text of pieces' letters. These pieces are distinguished from others with the same moves and
        promotions."""
        self.roles.append(table.letters(key, self.known, default))
        return self.roles[-1]

    def one_letter(self, table: TableReader, key: str) -> str:
        """As `letters`, for a single letter."""
        self.roles.append(table.one_letter(key, self.known))
        return self.roles[-1]

    def squares(self, table: TableReader, key: str) -> tuple[int, ...]:
        """Squares by names and rectangles, sorted."""
        return table.squares(key, self.files, self.ranks)
