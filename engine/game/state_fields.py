"""The numbers that mechanics keep in the record of a position; `mechanics` adds those that it declares."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .description import Description


class StateField(NamedTuple):
    """A number (unsigned, of so many `bytes`) in the record of a position."""

    name: str
    zobrist: str = ""  # name of its random numbers in `rules`, one for each value
    values: int = 0  # how many it can have, where it has random numbers
    repeats: bool = False  # whether the repetition rule compares it
    # of its bits in a FEN's castling field, lowest first
    letters: Callable[["Description"], str] = lambda description: ""
    # only games with these facts have it, and a number for each side; empty: all games have one
    facts: str = ""
    bytes: int = 1


STATE_FIELDS: list[StateField] = []
