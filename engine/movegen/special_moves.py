"""Moves of the king and of odd pieces, and castling, for both generators.

Moves of the king are tested by its attackers on the resulting board."""

import numpy as np

from ..game.moves import CASTLING, NORMAL
from ..kernel.bitboard import bit, has, load, lsb, without_lsb
from ..kernel.compiler import inner
from ..kernel.facts import over_rules
from ..mechanics import narrow_drops
from ..mechanics.castling_delay import castling_waits
from ..mechanics.kings import if_king_stands
from ..mechanics.last_royal import castles_in_safety, last_royals
from ..mechanics.walls import occupied_in
from ..representation.move_list import put, wanted
from ..representation.position_record import make_move
from ..representation.reach import odd_reach, reach
from .attacks import royal_attackers
from .checking_squares import still_covering
from .free_castling import free_castling_moves


@inner
def king_moves(rules, sink, out, n, position, side, king, own, enemy, checkers, uncovering):
    """The king's steps to squares that the enemy does not attack after the king has left its own."""
    targets = wanted(sink, own, enemy, reach(rules.king.attack, rules, side, king, own | enemy))
    targets = if_king_stands(rules, targets, position, side)
    targets = still_covering(rules, targets, position, side, king, uncovering)
    if rules.checked_king_captures and checkers:
        targets = targets & (rules.empty if without_lsb(checkers) else checkers)
    occupied = (own | enemy) & ~bit(rules, king)
    while targets:
        target = lsb(targets)
        if not royal_attackers(rules, position, 1 - side, target, occupied):
            if not sink.counts:
                put(out, n, make_move(king, target, 0, NORMAL))
            n += 1
        targets = without_lsb(targets)
    return n


@over_rules("royal_drops")
def _safe_for_king(royal, targets, rules, position, side, hand):
    """`targets` of the king's drop that the enemy does not attack; those of other pieces are unchanged."""
    if hand == royal.hand:
        occupied = occupied_in(rules, position)
        left = targets
        while left:
            square = lsb(left)
            if royal_attackers(rules, position, 1 - side, square, occupied):
                targets = targets & ~bit(rules, square)
            left = without_lsb(left)
    return targets


@inner
def drop_targets(rules, position, side, hand, squares):
    """The empty `squares` where a hand piece may be dropped; a check may remain."""
    targets = squares & rules.drop_squares[side, hand]
    targets = narrow_drops(rules, targets, position, side, hand)
    return _safe_for_king(rules, targets, position, side, hand)


@inner
def odd_targets(mover, rules, sink, position, side, square, own, enemy):
    """The squares to which an odd piece on `square` may move, limited to those that `sink` accepts."""
    occupied = own | enemy
    found = odd_reach(mover.attack, rules, position, side, square, occupied)
    if mover.uniform:
        return wanted(sink, own, enemy, found)
    found = found & enemy if sink.tactical else rules.empty
    if sink.quiet:
        found = found | (odd_reach(mover.quiet, rules, position, side, square, occupied) & ~occupied)
    return found


@over_rules("common_castling")
def castles_from(common, found, rules, position, side, square):
    """Whether a king that is not royal stands on its castling square; else `found`."""
    own = load(position, "colours", side)
    return np.int64(position.board[square]) == rules.castling_king_kind and has(own, square)


@over_rules("common_castling")
def if_attacks_matter(common, squares, rules, position, side, start):
    """`squares`, or none if the king that castles from `start` is not royal."""
    return squares if has(last_royals(rules, rules.empty, position, side), start) else rules.empty


@inner
def castling_moves(rules, sink, out, n, position, side, king, own, enemy):
    """Castling: king and rook are on their squares, both ways are empty, the king's way is not attacked, the
    right is kept, and it is not too early."""
    if castling_waits(rules, False, position):
        return n
    occupied = own | enemy
    n = free_castling_moves(rules, n, sink, out, position, side, king, occupied)
    for wing in range(rules.fixed_wings):
        rook = rules.castling_squares[side, wing, 1]
        if rules.castling_rights and not (np.int64(position.rights) >> (side * rules.wings + wing)) & 1:
            continue
        start = rules.castling_squares[side, wing, 0]
        if not castles_from(rules, king == start, position, side, start):
            continue
        if position.board[rook] != rules.rook_kinds[wing] or not has(own, rook):
            continue
        if occupied & rules.castling_between[side, wing]:
            continue
        # The way is tested without the king, and its target with the rook beside it.
        target, without = rules.castling_squares[side, wing, 2], occupied & ~bit(rules, start)
        path = rules.castling_path[side, wing] & ~bit(rules, target)
        way = path | bit(rules, start)
        path = castles_in_safety(rules, if_attacks_matter(rules, path, position, side, start), way)
        while path and not royal_attackers(rules, position, 1 - side, lsb(path), without):
            path = without_lsb(path)
        if path:
            continue
        after = (without & ~bit(rules, rook)) | bit(rules, rules.castling_squares[side, wing, 3])
        found = royal_attackers(rules, position, 1 - side, target, after)
        if if_attacks_matter(rules, found, position, side, start):
            continue
        if not sink.counts:
            put(out, n, make_move(start, target, 0, CASTLING))
        n += 1
    return n
