"""Perft: the number of leaves of the legal move tree, the last ply counted in bulk."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from ..game.moves import Move, spell
from ..kernel.compiler import compile_ahead, entry_point, part
from ..representation.position_record import movelist_dtype, position_dtype
from .attacks import inspect
from .legal_moves import COUNTING, LISTING, legal_moves
from .make_move import advance, play

MAX_PERFT_DEPTH = 16


@cache
def tree_dtype(rules: Any) -> np.dtype[Any]:
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
    """Leaves `depth` plies below `tree.positions[ply]`, with ply + depth at most MAX_PERFT_DEPTH.

    At depth 0 it lists the legal moves in `tree.lists[ply]` instead, and returns their number.
    """
    position, out = tree.positions[ply], tree.lists[ply]
    checkers, pinned = inspect(rules, position)
    if depth == 1:
        return legal_moves(rules, COUNTING, out, position, checkers, pinned)
    count = legal_moves(rules, LISTING, out, position, checkers, pinned)
    if depth == 0:
        return count
    child = tree.positions[ply + 1]
    total = np.int64(0)
    for i in range(count):
        play(rules, child, position, np.int64(out.moves[i]))
        total += count_leaves(rules, tree, np.int64(ply + 1), np.int64(depth - 1))
    return total


def compile_perft(rules: Any, progress: Callable[[int, int, str], object] | None = None) -> None:
    """Compiles what `perft` and `divide` call, or loads it from the store; `progress` is as in
    `compile_ahead`."""
    tree = np.zeros(1, tree_dtype(rules))[0]
    compile_ahead([part(count_leaves, rules, tree, 0, 0)], progress)


def _planted(position: Any, depth: int) -> Any:
    """A tree with the `Position` at its root. Raises ValueError for a depth out of range."""
    if not 0 <= depth <= MAX_PERFT_DEPTH:
        raise ValueError(f"depth {depth} should be from 0 to {MAX_PERFT_DEPTH}")
    tree = np.zeros(1, tree_dtype(position.rules))[0]
    tree["positions"][0] = position.state
    return tree


def perft(position: Any, depth: int) -> int:
    """The number of leaves of the legal move tree `depth` plies below a `Position`.

    Raises ValueError for a depth below 0 or above MAX_PERFT_DEPTH.
    """
    tree = _planted(position, depth)
    return int(count_leaves(position.rules, tree, 0, depth)) if depth else 1


def divide(position: Any, depth: int) -> Iterator[tuple[Move, int]]:
    """Yields (move, leaves below it) for each legal move of a `Position`, sorted by spelling; `depth` is at
    least 1."""
    rules, tree = position.rules, _planted(position, depth)
    count = count_leaves(rules, tree, 0, 0)
    codes = tree["lists"][0]["moves"][:count].tolist()
    for move in sorted((spell(code, position.description) for code in codes), key=str):
        advance(rules, tree["positions"][1], tree["positions"][0], move.code)
        yield move, int(count_leaves(rules, tree, 1, depth - 1)) if depth > 1 else 1
