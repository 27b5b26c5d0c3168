"""Perft: the number of leaves of the legal move tree, with bulk counting at the last ply."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from ..game.moves import Move, spell
from ..kernel.compiler import compile_ahead, entry_point, part
from ..kernel.interruptible import interruptible
from ..representation.position_record import movelist_dtype, position_dtype
from .attacks import inspect
from .entry_points import advance
from .legal_moves import COUNTING, LISTING, legal_moves
from .make_move import play

MAX_PERFT_DEPTH = 16
STOPPABLE_DEPTH = 3  # plies; a shallower count takes milliseconds and is always finished


@cache
def tree_dtype(rules: Any) -> np.dtype[Any]:
    """The record that holds one position and one move list per ply, and whether to stop counting."""
    return np.dtype(
        [
            ("positions", position_dtype(rules), (MAX_PERFT_DEPTH + 1,)),
            ("lists", movelist_dtype(rules), (MAX_PERFT_DEPTH + 1,)),
            ("stopped", np.int64),
        ],
        align=True,
    )


@entry_point
def count_leaves(rules, tree, ply, depth):
    """Leaves `depth` plies below `tree.positions[ply]`, with ply + depth at most MAX_PERFT_DEPTH. At depth 0
    it lists the legal moves in `tree.lists[ply]` and returns their number. If another thread sets
    `tree.stopped`, it soon returns a smaller number."""
    if depth >= STOPPABLE_DEPTH and tree.stopped:
        return np.int64(0)
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
    """Compiles the code of `perft` and `divide`, or loads it from the store; `progress` is as in
    `compile_ahead`."""
    tree = np.zeros(1, tree_dtype(rules))[0]
    compile_ahead([part(count_leaves, rules, tree, 0, 0)], progress)


class StoppedCountError(RuntimeError):
    """A count of leaves was stopped before its end."""


class LegalMoveTree:
    """The tree of legal moves to `depth` plies below a `Position`, which is copied.

    Raises ValueError for a depth below 0 or above MAX_PERFT_DEPTH.
    """

    def __init__(self, position: Any, depth: int) -> None:
        if not 0 <= depth <= MAX_PERFT_DEPTH:
            raise ValueError(f"depth {depth} should be from 0 to {MAX_PERFT_DEPTH}")
        self._rules, self._description = position.rules, position.description
        self._depth = depth
        self._record = np.zeros(1, tree_dtype(position.rules))[0]
        self._record["positions"][0] = position.state

    def stop(self) -> None:
        """Ends a count in another thread within milliseconds; it raises StoppedCountError there."""
        self._record["stopped"] = 1

    def leaves(self) -> int:
        """The number of leaves. Raises StoppedCountError."""
        count_leaves(self._rules, self._record, 0, 0)  # compiled in this thread, which can be interrupted
        return self._count(0, self._depth) if self._depth else 1

    def divide(self) -> Iterator[tuple[Move, int]]:
        """Yields (move, leaves below it) for each legal move, sorted by text; the depth must be at least 1.
        Raises StoppedCountError."""
        record = self._record
        count = count_leaves(self._rules, record, 0, 0)
        codes = record["lists"][0]["moves"][:count].tolist()
        for move in sorted((spell(code, self._description) for code in codes), key=str):
            advance(self._rules, record["positions"], 0, move.code)
            yield move, self._count(1, self._depth - 1) if self._depth > 1 else 1

    def _count(self, ply: int, depth: int) -> int:
        """The leaves `depth` plies below a ply. Ctrl-C ends a count that may take long."""
        if depth < STOPPABLE_DEPTH:
            return int(count_leaves(self._rules, self._record, ply, depth))
        leaves = interruptible(lambda: count_leaves(self._rules, self._record, ply, depth), self.stop)
        if self._record["stopped"]:
            raise StoppedCountError
        return int(leaves)


def perft(position: Any, depth: int) -> int:
    """The number of leaves of the legal move tree `depth` plies below a `Position`.

    Raises ValueError for a depth below 0 or above MAX_PERFT_DEPTH.
    """
    return LegalMoveTree(position, depth).leaves()


def divide(position: Any, depth: int) -> Iterator[tuple[Move, int]]:
    """Yields (move, leaves below it) for each legal move of a `Position`, sorted by text; `depth` is at least
    1."""
    return LegalMoveTree(position, depth).divide()
