"""Legal moves: what the game's generator finds, after choices, passes and special endings.

The generators live in `by_pins` and `by_trial`; a game has exactly one of them. How a move changes the
position lives in `play`.
"""

import numpy as np

from ..board.emit import COUNTING, LISTING, QUIET, TACTICAL
from ..kernel.compiler import entry_point, inner
from ..mechanics.passing import pass_moves
from ..mechanics.setup import setup_moves
from .attacks import in_check, inspect
from .by_pins import moves_by_pins
from .by_trial import moves_by_trial

__all__ = ["COUNTING", "LISTING", "QUIET", "TACTICAL", "add_moves", "check", "legal_moves", "list_moves"]


@inner
def add_moves(rules, sink, out, first, position, checkers, pinned):
    """Adds the legal moves that `sink` takes to the `first` that are there; returns the new number.

    `checkers` and `pinned` must be those of `position`.
    """
    if rules.can_end and position.outcome:
        return np.int64(first)
    n = moves_by_pins(rules, np.int64(first), sink, out, position, checkers, pinned)
    n = moves_by_trial(rules, n, sink, out, position, checkers)
    n = pass_moves(rules, n, sink, out, position, checkers)
    return setup_moves(rules, n, first, sink, out, position)


@inner
def legal_moves(rules, sink, out, position, checkers, pinned):
    """The number of legal moves, listed in `out` from 0 when `sink` lists."""
    return add_moves(rules, sink, out, np.int64(0), position, checkers, pinned)


@entry_point
def list_moves(rules, out, position):
    """Lists all legal moves in `out`; returns their number."""
    checkers, pinned = inspect(rules, position)
    return legal_moves(rules, LISTING, out, position, checkers, pinned)


@entry_point
def check(rules, position):
    """Whether the side to move is in check."""
    return in_check(rules, position)
