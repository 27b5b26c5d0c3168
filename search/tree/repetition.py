"""Repetition inside the search: the path from the root and the game before it. Scores given for positions are
looked up in the same way, because both are rare."""

import numpy as np

from ...engine.kernel.compiler import inner
from .parameters import PERPETUAL, SEEN_SLOTS
from .table import node_score

NONE = -1_000_000  # no repetition; no score is as low


@inner
def _slot(key):
    return np.int64(key & np.uint64(SEEN_SLOTS - 1))


@inner
def enter(worker, ply, key, checked, after_null):
    """Records the position reached at `ply`; every `enter` needs its `leave`."""
    index = worker.root + ply
    worker.keys[index] = key
    worker.checks[index] = checked
    worker.horizon[index] = index if after_null else worker.horizon[index - 1]
    worker.seen[_slot(key)] += 1


@inner
def leave(worker, ply):
    """Removes the position at `ply`."""
    worker.seen[_slot(worker.keys[worker.root + ply])] -= 1


@inner
def _all_checks(worker, first, last):
    """Whether every second position from `first` to `last` has the side to move in check."""
    for index in range(first, last + 1, 2):
        if worker.checks[index] == 0:
            return False
    return True


@inner
def _given_score(worker, key, depth, ply):
    """The score that was given for a search of the position with that key, `depth` plies deep, else NONE."""
    for i in range(worker.given_count):
        if worker.given_keys[i] == key and depth <= worker.given_depths[i]:
            return node_score(np.int64(worker.given_scores[i]), ply)
    return np.int64(NONE)


@inner
def repetition_score(rules, worker, depth, ply):
    """The score for the side to move if the position at `ply` ends the game by repetition, or has a score
    given for that depth, else NONE.

    Inside the tree the second occurrence counts as the last, because the best move will be the same again. A
    position may recur after two plies: by passes, and by pawns that push each other back."""
    index = worker.root + ply
    key = worker.keys[index]
    if worker.seen[_slot(key)] < 2:
        return NONE
    times, latest = 1, np.int64(-1)
    earlier = index - 2
    while earlier >= worker.horizon[index]:
        if worker.keys[earlier] == key:
            times += 1
            latest = max(latest, earlier)
            if earlier > worker.root or times >= rules.repetition_times:
                break
        earlier -= 2
    if times < rules.repetition_times and latest <= worker.root:
        return _given_score(worker, key, depth, ply)
    if rules.perpetual_check_loses:
        mine = _all_checks(worker, latest + 1, index - 1)
        theirs = _all_checks(worker, latest + 2, index)
        if mine and not theirs:
            return ply - PERPETUAL
        if theirs and not mine:
            return PERPETUAL - ply
    sign = rules.repetition_sign
    if rules.repetition_absolute and worker.positions[ply].side:
        sign = -sign
    return sign * (PERPETUAL - ply)
