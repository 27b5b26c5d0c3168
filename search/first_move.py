"""A sensible move while the search of a game is still being compiled, or waits for another one until it is
stopped: one ply, with the captures of the reply. It uses only the move generator."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..engine.game.moves import Move
from ..engine.mechanics.no_moves import sign_of_end
from ..engine.mechanics.outcomes import score_sign
from ..engine.movegen.entry_points import entry_points_of
from ..engine.position import Position
from ..engine.representation.position_record import movelist_dtype, position_dtype, read_board
from ..eval.terms.weights import build_weights
from .results import PlayResult, Score
from .stop import Stop
from .time_management import Limit, Ponder
from .tree.parameters import MATE

POLL_S = 0.01  # between two tests of whether the search is compiled
LOOK_S = 0.01  # for the move of a search that never began
CLOCK_SHARE = 0.25  # share of the clock that one move may wait for the search


class FirstMove:
    """The choice among `moves` in `position`; it improves while `look` runs."""

    def __init__(self, position: Position, moves: list[Move]) -> None:
        self._rules, self._compiled = position.rules, entry_points_of(position.rules)
        self._description = position.description
        self._side = position.turn
        self._weights = build_weights(position.rules, position.description)
        self._states = np.zeros(2, position_dtype(position.rules))
        self._states[0] = position.state
        self._replies = np.zeros(1, movelist_dtype(position.rules))
        self._waiting = list(moves)
        self._best = (-MATE, moves[0])  # worse than any value
        self._looked = 0

    def look(self, is_over: Callable[[], bool]) -> bool:
        """Examines moves until all are done or `is_over()`; returns whether all are done."""
        while self._waiting:
            if self._looked and is_over():
                return False
            move = self._waiting.pop(0)
            self._looked += 1
            value = self._value(move)
            if value > self._best[0]:
                self._best = value, move
        return True

    def result(self, seconds: float) -> PlayResult:
        """The best move so far, as the result of a search of so many seconds."""
        value, move = self._best
        score = Score.of(value, float(self._weights["scale"])) if self._looked else Score(0)
        return PlayResult(move, score, 1, self._looked, (move,), seconds, is_provisional=True)

    def _value(self, move: Move) -> int:
        """Material and squares after a move, minus the most valuable piece that the reply may capture; MATE -
        1 for a mate."""
        self._compiled.advance(self._states, 0, move.code)
        child = self._states[1]
        count = self._compiled.list_moves(self._replies, self._states, 1)
        if count == 0:
            return self._end_value()
        targets = self._replies["moves"][0, :count].astype(np.int64) & 255
        own = self._squares_of(child, self._side)
        kinds = np.asarray(child["board"])[targets[own[targets]]]
        risk = int(self._weights["capture"][kinds].max()) if len(kinds) else 0
        return self._standing(child, own) - risk

    def _end_value(self) -> int:
        """The value of a position without legal moves, for the side that has moved there."""
        outcome = int(self._states["outcome"][1])
        if outcome:
            return -(MATE - 1) * int(score_sign.py_func(outcome))
        checked = bool(self._compiled.check(self._states, 1))
        return -(MATE - 1) * sign_of_end(self._description, self._states[1], checked)

    def _standing(self, state: Any, own: np.ndarray[Any, Any]) -> int:
        """The value of the side's pieces on the board and in hand, minus the other side's."""
        board = np.asarray(state["board"])
        theirs = self._squares_of(state, 1 - self._side)
        total = 0
        for side, squares in ((self._side, np.flatnonzero(own)), (1 - self._side, np.flatnonzero(theirs))):
            value = int(self._weights["squares"][side, board[squares], squares].sum(dtype=np.int64))
            for index in range(self._rules.hand_kinds):
                value += int(state["hands"][side, index]) * int(self._weights["hand"][index])
            total += value if side == self._side else -value
        return total

    def _squares_of(self, state: Any, side: int) -> np.ndarray[Any, Any]:
        occupied = read_board(state, "colours", side)
        return np.array([occupied >> square & 1 for square in range(self._rules.squares)], bool)


class SearchWait:
    """The wait of one `Engine.play` for the search to be compiled, with a move if its time ends first. It
    uses at most CLOCK_SHARE of a clock."""

    def __init__(self, position: Position, moves: list[Move], limit: Limit, overhead: float) -> None:
        self._started = time.perf_counter()
        self._limit = limit
        self._choice = FirstMove(position, moves) if moves else None
        self._seconds = float("inf") if limit.time is None else limit.time
        if limit.clock is not None:
            self._seconds = min(self._seconds, CLOCK_SHARE * max(0.0, limit.clock.remaining - overhead))

    def until(self, has_search: threading.Event, stop: Stop, ponder: Ponder | None) -> bool:
        """Waits for the search; returns False if `stop` was set or the time is over first."""
        if self._choice is None:
            return has_search.wait()

        def is_over() -> bool:
            if stop.is_set() or has_search.is_set():
                return True
            if ponder is not None and not ponder.is_hit:  # the other side's time
                self._started = time.perf_counter()
                return False
            return self._elapsed() >= self._seconds

        while not is_over():
            if self._choice.look(is_over):
                time.sleep(POLL_S)
        return has_search.is_set()

    def rest(self) -> Limit:
        """The limit minus the time spent."""
        spent, limit = self._elapsed(), self._limit
        if limit.time is not None:
            limit = replace(limit, time=max(0.0, limit.time - spent))
        if limit.clock is not None:
            limit = replace(limit, clock=limit.clock._replace(remaining=limit.clock.remaining - spent))
        return limit

    def result(self) -> PlayResult:
        """The provisional move."""
        assert self._choice is not None
        return self._choice.result(self._elapsed())

    def _elapsed(self) -> float:
        return time.perf_counter() - self._started


def result_without_moves(position: Position) -> PlayResult:
    """The result of a search of a position without legal moves."""
    return PlayResult(None, Score.of(-MATE if position.is_check() else 0), 0, 0, (), 0.0)


def move_without_search(position: Position, moves: list[Move]) -> PlayResult:
    """The provisional result, one of these moves, of a search that was stopped before its turn came."""
    if not moves:
        return result_without_moves(position)
    started, choice = time.perf_counter(), FirstMove(position, moves)
    choice.look(lambda: time.perf_counter() - started > LOOK_S)
    return choice.result(time.perf_counter() - started)
