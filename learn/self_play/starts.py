"""The starts of self-play games: one for all, or, where starts are shuffled as in Chess960, many in turn by
the numbers of the games."""

from functools import cache

import numpy as np
import numpy.typing as npt

from ...engine.definition.shuffled_starts import count_starts, shuffled_start
from ...engine.position import Position
from ...engine.representation.position_record import position_dtype
from ...engine.variant import Variant

MOST_STARTS = 960


def starts_for(variant: Variant) -> int:
    """From how many starts the games of a variant should begin: from all, or from MOST_STARTS of them."""
    return min(count_starts(variant.description), MOST_STARTS)


def start_of(variant: Variant, number: int, starts: int) -> Position:
    """The `Position` in which game `number` begins, of games that begin from that many `starts`."""
    if starts == 1:
        return Position(variant)
    count = count_starts(variant.description)
    return Position(variant, shuffled_start(variant.description, number % starts * count // starts))


@cache
def start_records(variant: Variant, starts: int) -> npt.NDArray[np.void]:
    """The records of the positions in which games begin: that of game n has the index n % starts."""
    found = np.zeros(starts, position_dtype(variant.rules))
    for number in range(starts):
        found[number] = start_of(variant, number, starts).state
    found.setflags(write=False)
    return found
