"""Which moves to try first: captures and promotions by gain, killers, the rest by history."""

import numpy as np

from ..engine.bitboard import has, load
from ..engine.compiler import inner
from ..engine.moves import DROP, EN_PASSANT, PROMOTION
from ..engine.state import (
    action_of,
    kind_of,
    source_of,
    target_of,
)
from .parameters import HISTORY_LIMIT, ORDER_CAPTURE, ORDER_KILLER, ORDER_TABLE


@inner
def gain_of(rules, worker, position, move):
    """Centipawns that a move wins at once: the piece taken, in the hand as well, and the promotion."""
    action = action_of(move)
    if action == DROP:
        return np.int64(0)
    weights = worker.weights
    kind = np.int64(position.board[source_of(move)])
    gain = np.int64(weights.capture[np.int64(position.board[target_of(move)])])
    if action == EN_PASSANT:
        gain = np.int64(weights.capture[kind])
    elif action == PROMOTION:
        gain += weights.board[kind_of(move)] - weights.board[kind]
    return gain


@inner
def is_quiet(rules, position, move):
    """Whether a move neither captures nor promotes."""
    action = action_of(move)
    if action in (PROMOTION, EN_PASSANT):
        return False
    side = np.int64(position.side)
    return not has(load(position, "colours", 1 - side), target_of(move))


@inner
def history_slot(rules, position, move):
    """The row of the history table for a move: its kind, drops apart from moves on the board."""
    if action_of(move) == DROP:
        return rules.kinds + kind_of(move)
    return np.int64(position.board[source_of(move)])


@inner
def history_of(rules, worker, position, move):
    """How well a quiet move did elsewhere in the tree, within HISTORY_LIMIT either way."""
    slot = history_slot(rules, position, move)
    return np.int64(worker.history[np.int64(position.side), slot, target_of(move)])


@inner
def learn(rules, worker, position, move, bonus):
    """Moves a quiet move's history towards the limit by `bonus`, positive or negative."""
    slot = history_slot(rules, position, move)
    side, target = np.int64(position.side), target_of(move)
    old = np.int64(worker.history[side, slot, target])
    worker.history[side, slot, target] = old + bonus - old * abs(bonus) // HISTORY_LIMIT


@inner
def score_moves(rules, worker, ply, count, table_move):
    """Writes an ordering score beside each of the moves listed at `ply`."""
    position, moves = worker.positions[ply], worker.lists[ply]
    for i in range(count):
        move = np.int64(moves.moves[i])
        if move == table_move:
            score = np.int64(ORDER_TABLE)
        elif not is_quiet(rules, position, move):
            mover = np.int64(worker.weights.board[np.int64(position.board[source_of(move)])])
            score = ORDER_CAPTURE + 16 * gain_of(rules, worker, position, move) - mover
        elif move == np.int64(worker.killers[ply, 0]):
            score = np.int64(ORDER_KILLER + 1)
        elif move == np.int64(worker.killers[ply, 1]):
            score = np.int64(ORDER_KILLER)
        else:
            score = history_of(rules, worker, position, move)
        moves.scores[i] = score


@inner
def pick(moves, start, count):
    """Swaps the best of the moves from `start` on to the front; returns it."""
    best = start
    for i in range(start + 1, count):
        if moves.scores[i] > moves.scores[best]:
            best = i
    move, score = moves.moves[best], moves.scores[best]
    moves.moves[best], moves.scores[best] = moves.moves[start], moves.scores[start]
    moves.moves[start], moves.scores[start] = move, score
    return np.int64(move)
