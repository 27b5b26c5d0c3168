"""Perft: the number of leaves of the legal move tree, the last ply counted in bulk."""

from functools import cache

import numpy as np

from .attacks import inspect
from .compiler import entry_point
from .movegen import COUNTING, LISTING, legal_moves
from .play import play
from .state import movelist_dtype, position_dtype

MAX_PERFT_DEPTH = 16


@cache
def tree_dtype(rules):
    """The record that holds one position and one move list per ply."""
    return np.dtype(
        [
            ("positions", position_dtype(rules), (MAX_PERFT_DEPTH + 1,)),
            ("lists", movelist_dtype(rules), (MAX_PERFT_DEPTH + 1,)),
        ],
        align=True,
    )


@entry_point
def count_leaves(rules, tree, ply, depth):
    """Leaves `depth` plies (at least 1) below `tree.positions[ply]`; ply + depth <= MAX_PERFT_DEPTH."""
    position, out = tree.positions[ply], tree.lists[ply]
    checkers, pinned = inspect(rules, position)
    if depth == 1:
        return legal_moves(rules, COUNTING, out, position, checkers, pinned)
    count = legal_moves(rules, LISTING, out, position, checkers, pinned)
    child = tree.positions[ply + 1]
    total = np.int64(0)
    for i in range(count):
        play(rules, child, position, np.int64(out.moves[i]))
        total += count_leaves(rules, tree, np.int64(ply + 1), np.int64(depth - 1))
    return total


def perft(position, depth):
    """The number of leaves of the legal move tree `depth` plies below a `Position`.

    Raises ValueError for a depth below 0 or above MAX_PERFT_DEPTH.
    """
    if not 0 <= depth <= MAX_PERFT_DEPTH:
        raise ValueError(f"depth {depth} should be from 0 to {MAX_PERFT_DEPTH}")
    if depth == 0:
        return 1
    tree = np.zeros(1, tree_dtype(position.rules))[0]
    tree["positions"][0] = position.state
    return int(count_leaves(position.rules, tree, 0, depth))


def divide(position, depth):
    """Yields (move, leaves below it) for each legal move, sorted by spelling; `depth` is at least 1."""
    for move in sorted(position.legal_moves(), key=str):
        position.push(move)
        yield move, perft(position, depth - 1)
        position.pop()
