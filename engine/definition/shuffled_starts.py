"""The starts of games with free castling: the pieces of the first rank shuffled, as in Chess960.

Of two pieces of one kind that keep to a colour one stands on each; the king stands between the rooks. Both
sides have the same start. The numbers are those that Reinhard Scharnagl gave the 960 starts of chess
(https://en.wikipedia.org/wiki/Fischer_random_chess_numbering_scheme); other games are counted in the same
way.
"""

import re
from dataclasses import replace
from itertools import combinations
from math import comb
from typing import NamedTuple

from ..game.description import Description
from . import fen
from .catalogue import free_sibling
from .free_castling_field import all_free_rights, castlers, first_square

COLOURS = 2
_NUMBER = re.compile(r"-?\d{1,9}", re.ASCII)


class _Kinds(NamedTuple):
    """The letters of a first rank without king and rooks: pairs bound to a colour, single pieces, other
    groups with their sizes. "" stands for an empty square."""

    bound: list[str]
    singles: list[str]
    groups: list[tuple[str, int]]


def count_starts(description: Description) -> int:
    """How many starts a game has: 960 for chess, 1 for a game without free castling."""
    sides = _shuffled_sides(description)
    if not sides:
        return 1
    kinds, free = _kinds(sides[0][1], description), description.files
    count = 1
    for index, _ in enumerate(kinds.bound):
        count *= ((free + 1) // 2 - index) * (free // 2 - index)
    free -= COLOURS * len(kinds.bound)
    for size in (*[1] * len(kinds.singles), *(size for _, size in kinds.groups)):
        count *= comb(free, size)
        free -= size
    return count


def shuffled_start(description: Description, number: int) -> str:
    """The FEN of the start with this number, from 0. Raises ValueError for another number."""
    count = count_starts(description)
    if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < count:
        raise ValueError(f"{number!r} is not the number of a start of {_numbers(description, count)}")
    sides = _shuffled_sides(description)
    if not sides:
        return description.start_fen
    row = _arrangement(sides[0][1], description, number)
    start = fen.parse(description.start_fen, description)
    board = dict(start.board)
    for side, _ in sides:
        first = first_square(description, side)
        for file, letter in row.items():
            board.pop(first + file, None)
            if letter:
                board[first + file] = (side, letter)
    return fen.write(replace(start, board=board), all_free_rights(board, description) or "-", description)


def numbered_start(description: Description, text: str) -> str:
    """The FEN of a start whose number is given where a FEN is expected; any other text unchanged. Raises
    FenError for a number that no start has."""
    if not description.castling_free or not isinstance(text, str) or not _NUMBER.fullmatch(text.strip()):
        return text
    try:
        return shuffled_start(description, int(text))
    except ValueError as error:
        raise fen.FenError(f"board: {error}") from None


def _numbers(description: Description, count: int) -> str:
    """The name of a game, and which numbers its starts have."""
    if count > 1:
        return f"{description.name}: 0 to {count - 1}"
    free = free_sibling(description)
    more = f"; {free.name} has 0 to {count_starts(free) - 1}" if free else ""
    return f"{description.name}, which has one start{more}"


def start_number(description: Description, text: str) -> int | None:
    """The number of the start that a FEN is; None for another position, and for a game with one start.
    Raises FenError."""
    sides = _shuffled_sides(description)
    if not sides:
        return None
    side, start = sides[0]
    board, first = fen.parse(text, description).board, first_square(description, side)
    row = [board.get(first + file, (side, ""))[1] for file in range(description.files)]
    number = _number(row, _kinds(start, description)) if sorted(row) == sorted(start) else None
    if number is None or shuffled_start(description, number).split()[:3] != text.split()[:3]:
        return None
    return number


def _shuffled_sides(description: Description) -> list[tuple[int, list[str]]]:
    """The sides whose castling rank has a king between two rooks at the start, and the letters there."""
    found: list[tuple[int, list[str]]] = []
    if not description.castling_free:
        return found
    board = fen.parse(description.start_fen, description).board
    for side in (0, 1):
        king, rooks = castlers(board, description, side)
        if king is not None and len(rooks) == COLOURS:
            first = first_square(description, side)
            row = [board.get(first + file, (side, ""))[1] for file in range(description.files)]
            if not found or sorted(row) == sorted(found[0][1]):
                found.append((side, row))
    return found


def _kinds(row: list[str], description: Description) -> _Kinds:
    last = {description.castling_king, description.castling_rook}
    letters = [letter for letter in dict.fromkeys(row) if letter not in last]
    bound = [
        letter for letter in letters if row.count(letter) == COLOURS and _keeps_colour(letter, description)
    ]
    singles = [letter for letter in letters if row.count(letter) == 1]
    groups = [(letter, row.count(letter)) for letter in letters if letter not in bound + singles]
    return _Kinds(bound, singles, groups)


def _keeps_colour(letter: str, description: Description) -> bool:
    """Whether a piece never leaves the colour of its square."""
    return bool(letter) and all(
        (ride.files + ride.ranks) % 2 == 0 for ride in description.piece(letter).moves
    )


def _arrangement(row: list[str], description: Description, number: int) -> dict[int, str]:
    """The letters by file of the start with this number."""
    kinds, files = _kinds(row, description), description.files
    placed: dict[int, str] = {}
    for letter in kinds.bound:
        for first in (1, 0):
            free = [file for file in range(first, files, 2) if file not in placed]
            number, index = divmod(number, len(free))
            placed[free[index]] = letter
    for letter, size in (*((letter, 1) for letter in kinds.singles), *kinds.groups):
        choices = list(combinations(_left(placed, files), size))
        number, index = divmod(number, len(choices))
        placed |= dict.fromkeys(choices[index], letter)
    rook = description.castling_rook
    return placed | dict(zip(_left(placed, files), (rook, description.castling_king, rook), strict=True))


def _number(row: list[str], kinds: _Kinds) -> int | None:
    """The number of the start with these letters by file; None where a pair stands on one colour."""
    files = len(row)
    placed: dict[int, str] = {}
    # (choice, number of choices), in the order of `_arrangement`.
    digits: list[tuple[int, int]] = []
    for letter in kinds.bound:
        for first in (1, 0):
            free = [file for file in range(first, files, 2) if file not in placed]
            here = [file for file in free if row[file] == letter]
            if len(here) != 1:
                return None
            digits.append((free.index(here[0]), len(free)))
            placed[here[0]] = letter
    for letter, size in (*((letter, 1) for letter in kinds.singles), *kinds.groups):
        left = _left(placed, files)
        choices = list(combinations(left, size))
        own = tuple(file for file in left if row[file] == letter)
        digits.append((choices.index(own), len(choices)))
        placed |= dict.fromkeys(own, letter)
    number = 0
    for index, choice_count in reversed(digits):
        number = number * choice_count + index
    return number


def _left(placed: dict[int, str], files: int) -> list[int]:
    return [file for file in range(files) if file not in placed]
