"""Correction history: how far the static evaluation was off where searches found out.

The error is remembered by what tells such positions apart in these games: the pieces in hand or, without
drops or merchants, where either side's pieces but pawns stand; what stands around either king; and the move
that led there. In `worker.correction`, by side to move, table and row, and in `worker.move_correction`, by
the row of `histories`, stand running means of the error in centipawns, from the view of the side to move.
`worker.correction_keys` are the rows of the position at each ply."""

import numpy as np

from ...engine.kernel.bitboard import bit, has, load, lsb, without_lsb
from ...engine.kernel.compiler import inner
from ...engine.representation.reach import reach
from .parameters import CORRECTION_BITS, CORRECTION_LIMIT, CORRECTION_TABLES, CORRECTION_UNIT, DECISIVE

HANDS, OWN_KING, ENEMY_KING, OWN_PIECES, ENEMY_PIECES = range(CORRECTION_TABLES)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_HALF, _LOW = np.uint64(32), np.uint64(0xFFFF_FFFF)


@inner
def _row(number):
    """A row of a table from any number."""
    return np.int64((number * _MIX) >> np.uint64(64 - CORRECTION_BITS))


@inner
def _hands_key(rules, position, side):
    """The hands of both sides, the mover first."""
    key = np.uint64(0)
    for hand in range(rules.hand_kinds):
        key += np.uint64(position.hands[side, hand]) * rules.zobrist_hands[0, hand]
        key += np.uint64(position.hands[1 - side, hand]) * rules.zobrist_hands[1, hand]
    return _row(key)


@inner
def _pieces_key(rules, position, side):
    """The squares of the pieces of `side` that are not pawns.

    The hash is the sum NH of UMAC (Black et al., 1999): the halves of each word, each with its own number
    added, are multiplied. So the products are independent."""
    key = np.uint64(0)
    for word in range(position.movers.shape[1]):
        rest = position.colours[side, word]
        for i in range(rules.pawn_mover_count):
            rest &= ~position.movers[rules.pawn_movers[i], word]
        for mover in range(position.movers.shape[0]):
            squares = position.movers[mover, word] & rest
            salt = np.uint64(2 * (mover * position.movers.shape[1] + word) + 1) * _MIX
            low = (squares + salt) & _LOW
            high = ((squares >> _HALF) + (salt >> _HALF)) & _LOW
            key += low * high
    return _row(key)


@inner
def _king_key(rules, position, side):
    """The pieces on and beside the square of `side`'s king. The keys of single pieces are independent."""
    king = np.int64(position.kings[side])
    own = load(position, "colours", side)
    occupied = own | load(position, "colours", 1 - side)
    pieces = (reach(rules.king.attack, rules, side, king, occupied) | bit(rules, king)) & occupied
    key = np.uint64(0)
    while pieces:
        square = lsb(pieces)
        pieces = without_lsb(pieces)
        key ^= rules.zobrist_squares[np.int64(has(own, square)), np.int64(position.board[square]), square]
    return _row(key)


@inner
def corrected(rules, worker, tuned, ply, static_eval):
    """The static evaluation of the position at `ply`, not in check, with the correction learned from similar
    positions."""
    position = worker.positions[ply]
    side = np.int64(position.side)
    error = np.int64(0)
    if rules.drops:
        worker.correction_keys[ply, HANDS] = _hands_key(rules, position, side)
        error += tuned.correction_hands * np.int64(
            worker.correction[side, HANDS, worker.correction_keys[ply, HANDS]]
        )
    elif not rules.hidden_captures:
        worker.correction_keys[ply, OWN_PIECES] = _pieces_key(rules, position, side)
        worker.correction_keys[ply, ENEMY_PIECES] = _pieces_key(rules, position, 1 - side)
        pieces = np.int64(worker.correction[side, OWN_PIECES, worker.correction_keys[ply, OWN_PIECES]])
        pieces += np.int64(worker.correction[side, ENEMY_PIECES, worker.correction_keys[ply, ENEMY_PIECES]])
        error += tuned.correction_pieces * pieces
    worker.correction_keys[ply, OWN_KING] = _king_key(rules, position, side)
    worker.correction_keys[ply, ENEMY_KING] = _king_key(rules, position, 1 - side)
    kings = np.int64(worker.correction[side, OWN_KING, worker.correction_keys[ply, OWN_KING]])
    kings += np.int64(worker.correction[side, ENEMY_KING, worker.correction_keys[ply, ENEMY_KING]])
    error += tuned.correction_king * kings
    error += tuned.correction_move * np.int64(worker.move_correction[worker.rows[ply + 1]])
    return max(1 - DECISIVE, min(DECISIVE - 1, static_eval + error // CORRECTION_UNIT))


@inner
def _corrected_entry(old, bonus):
    old = np.int64(old)
    return old + bonus - old * abs(bonus) // CORRECTION_LIMIT


@inner
def learn_error(rules, worker, ply, depth, error):
    """Records that a search of `depth` plies found a score off the static evaluation by `error`."""
    most = np.int64(CORRECTION_LIMIT // 4)
    bonus = max(-most, min(most, error * depth // 8))
    position = worker.positions[ply]
    side = np.int64(position.side)
    first = HANDS if rules.drops else OWN_KING
    end = OWN_PIECES if rules.drops or rules.hidden_captures else CORRECTION_TABLES
    for which in range(first, end):
        row = worker.correction_keys[ply, which]
        worker.correction[side, which, row] = _corrected_entry(worker.correction[side, which, row], bonus)
    row = worker.rows[ply + 1]
    worker.move_correction[row] = _corrected_entry(worker.move_correction[row], bonus)
