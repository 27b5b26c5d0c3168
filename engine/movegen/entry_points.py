"""The compiled functions that `Position` calls: all work on an array of positions and an index into it. Numba
unpacks an array ten times faster than a single record, so a move takes less than a microsecond."""

import threading
from functools import cache, cached_property, partial
from typing import Any

import numpy as np

from ..kernel.bitboard import store_one
from ..kernel.compile_progress import Progress, terminal_progress
from ..kernel.compiler import compile_ahead, entry_point, part
from ..kernel.interpreter import Interpreter, copy_record, plain
from ..kernel.parallel_compile import Part
from ..mechanics import at_setup
from ..mechanics.dead_positions import is_dead
from ..mechanics.outcomes import UNDECIDED
from ..mechanics.walls import occupied_in
from ..representation.move_list import lister
from ..representation.position_record import copy_record as copy_compiled
from ..representation.position_record import movelist_dtype, position_dtype
from .attacks import attackers, checkers_of, in_check, inspect
from .last_reply import unless_black_follows, unless_captured
from .legal_moves import LISTING, legal_moves
from .make_move import play

OF_KING = -1  # in place of a square: that of the king
INTERPRETER = Interpreter(
    {copy_compiled: copy_record, lister: lambda sink: plain(LISTING) if sink.counts else sink}
)


@entry_point
def advance(rules, states, index, move):
    """Makes the next of the `states` the position after a legal `move` in the one at `index`."""
    play(rules, states[index + 1], states[index], move)


@entry_point
def list_moves(rules, lists, states, index):
    """Lists all legal moves in the first of the `lists`; returns their number."""
    checkers, pinned = inspect(rules, states[index])
    return legal_moves(rules, LISTING, lists[0], states[index], checkers, pinned)


@entry_point
def check(rules, states, index):
    """Whether the side to move is in check."""
    return in_check(rules, states[index])


@entry_point
def dead(rules, states, index):
    """Whether neither side can mate."""
    return is_dead(rules, False, states[index])


@entry_point
def judge(rules, states, index):
    """Records whether a position without history has ended by a special rule."""
    outcome = at_setup(rules, np.int64(UNDECIDED), states[index])
    outcome = unless_black_follows(rules, outcome, states[index])
    states[index].outcome = unless_captured(rules, outcome, states[index])


@entry_point
def find_attackers(rules, states, index, side, square):
    """Writes the pieces of `side` that attack a square, or with OF_KING the king of the other side, to
    `crossed` of the next of the `states`."""
    position = states[index]
    if square == OF_KING:
        found = checkers_of(rules, position, np.int64(1 - side))
    else:
        occupied = occupied_in(rules, position)
        found = attackers(rules, position, np.int64(side), np.int64(square), occupied)
    store_one(states[index + 1], "crossed", found)


def move_points(rules: Any) -> list[Part]:
    """The functions that a `Position` calls, as parts: sufficient for legal moves and results."""
    states, lists = np.zeros(2, position_dtype(rules)), np.zeros(1, movelist_dtype(rules))
    found = [
        part(check, rules, states, 0),
        part(advance, rules, states, 0, 0),
        part(list_moves, rules, lists, states, 0),
    ]
    if rules.can_end:
        found.append(part(judge, rules, states, 0))
    if rules.dead:
        found.append(part(dead, rules, states, 0))
    return found


class EntryPoints:
    """The entry points for one game, without the argument `rules`; each is loaded at its first use.

    A call skips Numba's dispatch on the types of its arguments, which takes longer than making a move: they
    must be arrays of the right records and Python ints. Between `interpret` and `load` they run in Python."""

    def __init__(self, rules: Any) -> None:
        self._rules = rules
        self._states = np.zeros(2, position_dtype(rules))
        self._is_ready = False
        self._changing = threading.Lock()  # several engines of a game may load its code at once

    def interpret(self) -> None:
        """Makes all functions available at once, in Python, unless their machine code is loaded."""
        with self._changing:
            if self._is_ready:
                return
            for each in (advance, list_moves, check, dead, judge, find_attackers):
                self.__dict__[each.py_func.__name__] = _interpreted(each, self._rules)
            self._is_ready = True

    def prepare(self, variant: str, progress: Progress | None = None) -> None:
        """Makes the functions for a `Position` available: compiles them unless they are interpreted, or
        loads them from the cache. Without a `progress`, a terminal shows it."""
        if not self._is_ready:
            with terminal_progress(f"compiling the moves of {variant}") as shown:
                compile_ahead(move_points(self._rules), progress or shown)
            self._is_ready = True

    def load(self) -> None:
        """From now on the functions run as machine code, which must exist."""
        with self._changing:
            self._is_ready = True
            for name in [*self.__dict__]:  # a copy: a use in another thread adds a name
                if not name.startswith("_"):
                    del self.__dict__[name]  # the next use loads it

    def _bound(self, function: Any, *arguments: Any) -> Any:
        types = part(function, self._rules, *arguments).types
        return partial(function.compile(types), self._rules)

    @cached_property
    def advance(self) -> Any:
        return self._bound(advance, self._states, 0, 0)

    @cached_property
    def list_moves(self) -> Any:
        return self._bound(list_moves, np.zeros(1, movelist_dtype(self._rules)), self._states, 0)

    @cached_property
    def check(self) -> Any:
        return self._bound(check, self._states, 0)

    @cached_property
    def dead(self) -> Any:
        return self._bound(dead, self._states, 0)

    @cached_property
    def judge(self) -> Any:
        return self._bound(judge, self._states, 0)

    @cached_property
    def find_attackers(self) -> Any:
        return self._bound(find_attackers, self._states, 0, 0, 0)


def _interpreted(function: Any, rules: Any) -> Any:
    """The Python function for an entry point, without the argument `rules`."""
    run = partial(INTERPRETER.function(function), plain(rules))
    views: dict[int, tuple[Any, Any]] = {}  # of the arrays of the last call, which the next one often gets

    def call(*arguments: Any) -> Any:
        nonlocal views
        # Another thread may be here too: the arguments are taken from what this one has found.
        views = found = {id(each): views.get(id(each)) or (each, plain(each)) for each in arguments}
        return run(*(found[id(each)][1] for each in arguments))

    return call


@cache
def entry_points_of(rules: Any) -> EntryPoints:
    """The `EntryPoints` of a game (cached)."""
    return EntryPoints(rules)
