"""Histories: how often moves were best among those tried.

Each table moves towards its limit by a bonus and away from it by a malus, less when it is closer to it. A
move is identified by its *slot* (the kind that moves or, separately, the kind that is dropped) and its target
square."""

from typing import Any

import numpy as np

from ...engine.game.moves import DROP
from ...engine.kernel.compiler import inner
from ...engine.kernel.facts import over_rules
from ...engine.representation.position_record import action_of, kind_of, source_of, target_of, wall_of
from .parameters import CONTINUATION_BYTES, HISTORY_LIMIT
from .see import kind_after


@inner
def slot_of(rules, position, move):
    """The row of a move in the tables: its kind, with separate rows for drops."""
    if action_of(move) == DROP:
        return rules.kinds + kind_of(move)
    return np.int64(position.board[source_of(move)])


@inner
def column_of(rules, position, move):
    """Slot and target of a move as one number."""
    return slot_of(rules, position, move) * rules.squares + target_of(move)


def columns_of(rules: Any) -> int:
    """The number of columns of the tables: slots times squares."""
    return (2 if rules.drops else 1) * rules.kinds * rules.squares


def most_rows(rules: Any) -> int:
    """The number of rows of the continuation history that moves may open. On large boards with many kinds
    several moves share one, so that the table stays within CONTINUATION_BYTES."""
    fitting = CONTINUATION_BYTES // (np.dtype(np.int16).itemsize * columns_of(rules)) - 1
    return min(2 * rules.kinds * rules.squares, fitting)


@inner
def row_of(rules, worker, position, move):
    """The row of the continuation history for the moves after this one; 0 means no move."""
    side = np.int64(position.side)
    kind = kind_after(rules, position, move)
    row = (side * rules.kinds + kind) * rules.squares + target_of(move)
    rows = len(worker.touched_rows) - 1
    if rows < 2 * rules.kinds * rules.squares:  # both are constants
        row %= rows
    return 1 + row


@inner
def _moved(old, bonus):
    """A history value after a bonus, or a malus, within HISTORY_LIMIT either way."""
    old = np.int64(old)
    return old + bonus - old * abs(bonus) // HISTORY_LIMIT


@inner
def quiet_history(rules, worker, position, ply, move):
    """The success of a quiet move in other positions, and after the two moves before it: within 4
    HISTORY_LIMIT; with a wall within 6."""
    column = column_of(rules, position, move)
    side = np.int64(position.side)
    score = (
        2 * np.int64(worker.history[side, column])
        + np.int64(worker.continuation[worker.rows[ply + 1], column])
        + np.int64(worker.continuation[worker.rows[ply], column])
    )
    return with_wall_history(rules, score, worker, position, move)


@inner
def update_quiet_history(rules, worker, position, ply, move, bonus):
    """Adds a bonus or a malus for a quiet move at `ply`."""
    column = column_of(rules, position, move)
    side = np.int64(position.side)
    worker.history[side, column] = _moved(worker.history[side, column], bonus)
    for row in (worker.rows[ply + 1], worker.rows[ply]):
        worker.touched_rows[row] = 1
        worker.continuation[row, column] = _moved(worker.continuation[row, column], bonus)


@over_rules("walls")
def with_wall_history(walls, score, rules, worker, position, move):
    """`score` and the success of walls on the square of a move's wall: within 2 HISTORY_LIMIT."""
    if not walls.chosen:
        return score
    return score + 2 * np.int64(worker.wall_history[np.int64(position.side), wall_of(move)])


@over_rules("walls")
def update_wall_history(walls, done, rules, worker, position, move, bonus):
    """Adds a bonus or a malus for the wall of a move."""
    if walls.chosen:
        side, square = np.int64(position.side), wall_of(move)
        worker.wall_history[side, square] = _moved(worker.wall_history[side, square], bonus)
    return done


@inner
def capture_history(rules, worker, position, move):
    """The success of captures of that kind by that kind on that square in other positions."""
    kind, taken = slot_of(rules, position, move), np.int64(position.board[target_of(move)])
    return np.int64(worker.captures[kind, target_of(move), taken])


@inner
def update_capture_history(rules, worker, position, move, bonus):
    """Adds a bonus or a malus for a capture or promotion."""
    kind, target = slot_of(rules, position, move), target_of(move)
    taken = np.int64(position.board[target])
    worker.captures[kind, target, taken] = _moved(worker.captures[kind, target, taken], bonus)
