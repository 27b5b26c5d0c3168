"""Moves that check at once: the squares from which each kind would attack the enemy's king.

Discovered checks, those of odd pieces (cannons, lame leapers) and those of a promoted piece back along its
own way are not seen; nothing here decides what is legal."""

import numpy as np

from ...engine.board.reach import reach
from ...engine.board.state import action_of, make_move, target_of
from ...engine.game.moves import DROP, PASS
from ...engine.kernel.bitboard import bit, has, load, lsb, shifted, store, without_lsb
from ...engine.kernel.compiler import inner
from ...engine.kernel.facts import over_rules, unrolled
from ...engine.mechanics.files import one_to_a_file
from ...engine.moving.by_trial import calm_squares
from .see import kind_after


@unrolled("captures")
def _shifted_attacks(shift, attacks, pieces, side):
    return attacks | shifted(pieces, shift, side)


@over_rules("movers")
def _mark_movers(mover, done, rules, worker, ply, side, king, occupied):
    squares = reach(mover.attack, rules, 1 - side, king, occupied)
    store(worker, "check_squares", ply * rules.mover_count + mover.index, squares)
    return done


@over_rules("split_movers")
def _mark_split(mover, done, rules, worker, ply, side, king):
    squares = _shifted_attacks(mover, rules.empty, bit(rules, king), 1 - side)
    store(worker, "check_squares", ply * rules.mover_count + mover.index, squares)
    return done


@inner
def mark_checks(rules, worker, ply):
    """Notes the squares from which pieces of the side to move at `ply` would check.

    A leap that is not the same for both sides is taken for its mirror image.
    """
    position = worker.positions[ply]
    side = np.int64(position.side)
    king = np.int64(position.kings[1 - side])
    occupied = load(position, "colours", 0) | load(position, "colours", 1)
    _mark_movers(rules, 0, worker, ply, side, king, occupied)
    _mark_split(rules, 0, worker, ply, side, king)


@inner
def checks(rules, worker, ply, position, move):
    """Whether a move checks from the square it ends on; `mark_checks` must have seen the position."""
    if action_of(move) >= PASS:
        return False
    mover = np.int64(rules.kind_mover[kind_after(rules, position, move)])
    return has(load(worker, "check_squares", ply * rules.mover_count + mover), target_of(move))


@over_rules("dropping")
def checking_drops(dropping, n, rules, worker, ply):
    """Adds the drops that check to the `n` moves listed at `ply`; the side to move must not be in check.

    Pieces whose drop may not mate are left out: nobody has looked whether theirs would.
    """
    position, moves = worker.positions[ply], worker.lists[ply]
    side = np.int64(position.side)
    empty = rules.board & ~(load(position, "colours", 0) | load(position, "colours", 1))
    empty = calm_squares(rules, empty, position)
    for hand in range(rules.hand_kinds):
        if position.hands[side, hand] == 0 or hand == rules.no_mate_hand:
            continue
        kind = np.int64(rules.hand_kind[hand])
        mover = np.int64(rules.kind_mover[kind])
        targets = empty & rules.drop_squares[side, hand]
        targets = targets & load(worker, "check_squares", ply * rules.mover_count + mover)
        targets = one_to_a_file(rules, targets, position, side, hand)
        while targets:
            square = lsb(targets)
            moves.moves[n] = np.uint32(make_move(square, square, kind, DROP))
            moves.scores[n] = -np.int64(worker.weights.board[kind])
            n += 1
            targets = without_lsb(targets)
    return n
