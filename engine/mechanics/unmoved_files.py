"""Files of pieces that have not moved yet, by side, a bit each: their letters in a FEN, and their part of the
keys. The mechanics `gates` and `first_moves` have such files."""

from collections.abc import Sequence
from typing import Any

from ..game.description import FILE_LETTERS
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import inner

with deferred_imports():
    import numpy as np


def letters_of(files: int, side: int) -> str:
    """The letters of the files, White's in upper case."""
    letters = "".join(letter for file, letter in enumerate(FILE_LETTERS) if files >> file & 1)
    return letters if side else letters.upper()


def part_of_key(zobrist: Any, unmoved: Sequence[int]) -> int:
    """The part of a position's key; `zobrist` has a number by side and file."""
    found = 0
    for numbers, files in zip(zobrist.tolist(), unmoved, strict=True):
        for file, number in enumerate(numbers):
            found ^= number if files >> file & 1 else 0
    return found


@inner
def end_in_keys(mechanic, rules, child, side, ended):
    """Takes the files `ended` of `side`, bits, out of the keys; `mechanic.zobrist` has the numbers."""
    number = np.uint64(0)
    for file in range(rules.files):
        if (ended >> file) & 1:
            number ^= mechanic.zobrist[side, file]
    child.key ^= number
    child.repetition_key ^= number
