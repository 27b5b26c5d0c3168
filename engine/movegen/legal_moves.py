"""Legal moves: what the game's generator finds, after choices, passes and special endings.

The generators live in `by_pins` and `by_trial`; a game has exactly one of them. How a move changes the
position lives in `play`.
"""

import numpy as np

from ..kernel.compiler import inner
from ..kernel.facts import over_rules
from ..mechanics import special_moves
from ..mechanics.placement import owes_drop
from ..representation.move_list import COUNTING, LISTING, QUIET, TACTICAL
from .by_pins import drops_by_pins, moves_by_pins
from .by_trial import drops_by_trial, moves_by_trial

__all__ = [
    "COUNTING",
    "LISTING",
    "QUIET",
    "TACTICAL",
    "add_moves",
    "legal_moves",
]


@inner
def _drops(rules, n, sink, out, position, checkers):
    n = drops_by_pins(rules, n, sink, out, position, checkers)
    return drops_by_trial(rules, n, sink, out, position, checkers)


@over_rules("placing")
def _placements(placing, n, rules, first, sink, out, position, checkers):
    """`first` and the drops that must be made, if any is legal, else `n`: nothing but those is legal then.

    Of the `n` moves all behind `first` are moves on the board where no such drop is.
    """
    if not owes_drop(rules, False, position):
        return n
    if not sink.quiet:
        found = _drops(rules, np.int64(0), COUNTING, out, position, checkers)
        return np.int64(first) if found else n
    end = _drops(rules, np.int64(first), sink, out, position, checkers)
    return end if end > first else n


@inner
def add_moves(rules, sink, out, first, position, checkers, pinned):
    """Adds the legal moves that `sink` takes to the `first` that are there; returns the new number.

    `checkers` and `pinned` must be those of `position`.
    """
    if rules.can_end and position.outcome:
        return np.int64(first)
    n = moves_by_pins(rules, np.int64(first), sink, out, position, checkers, pinned)
    n = moves_by_trial(rules, n, sink, out, position, checkers)
    n = _placements(rules, n, first, sink, out, position, checkers)
    return special_moves(rules, n, np.int64(first), sink, out, position, checkers)


@inner
def legal_moves(rules, sink, out, position, checkers, pinned):
    """The number of legal moves, listed in `out` from 0 when `sink` lists."""
    return add_moves(rules, sink, out, np.int64(0), position, checkers, pinned)
