"""Castling from any files: king and rook may stand anywhere on their rank, and end where they do in chess."""

import numpy as np

from ..game.moves import CASTLING
from ..kernel.bitboard import bit, load, lsb, without_lsb
from ..kernel.compiler import inner
from ..kernel.facts import over_rules
from ..mechanics.free_castling import WINGS, keep_rights
from ..representation.move_list import put
from ..representation.piece_updates import toggle
from ..representation.position_record import make_move, source_of, target_of
from ..representation.reach import between
from .attacks import royal_attackers


@inner
def _way(rules, first, second):
    """The squares of a rank from one to another, both included."""
    return between(rules, first, second) | bit(rules, first) | bit(rules, second)


@inner
def _has_right(position, side, wing):
    return bool((np.int64(position.rights) >> (WINGS * side + wing)) & 1)


@inner
def _is_free(rules, side, wing, king, rook, occupied):
    """Whether nothing but king and rook stands on their ways."""
    ways = _way(rules, king, rules.castling_squares[side, wing, 2])
    ways = ways | _way(rules, rook, rules.castling_squares[side, wing, 3])
    return not ways & occupied & ~bit(rules, king) & ~bit(rules, rook)


@inner
def _is_safe(rules, position, side, wing, king, rook, occupied):
    """Whether the enemy attacks no square of the king's way, and not the last one once the rook has moved."""
    target, without = rules.castling_squares[side, wing, 2], occupied & ~bit(rules, king)
    path = between(rules, king, target)
    while path:
        if royal_attackers(rules, position, 1 - side, lsb(path), without):
            return False
        path = without_lsb(path)
    after = (without & ~bit(rules, rook)) | bit(rules, rules.castling_squares[side, wing, 3])
    return not royal_attackers(rules, position, 1 - side, target, after)


@over_rules("free_castling")
def free_castling_moves(free, n, rules, sink, out, position, side, king, occupied):
    """Adds castling, as a move of the king onto its own rook, to the `n` moves that are there; returns the
    new number. The king must not be in check."""
    for wing in range(WINGS):
        rook = np.int64(position.rooks[side, wing])
        if (
            _has_right(position, side, wing)
            and _is_free(rules, side, wing, king, rook, occupied)
            and _is_safe(rules, position, side, wing, king, rook, occupied)
        ):
            if not sink.counts:
                put(out, n, make_move(king, rook, 0, CASTLING))
            n += 1
    return n


@over_rules("free_castling")
def may_castle_freely(free, found, rules, position, side, king, rook):
    """Whether castling from these squares can be made without harm; else `found`."""
    if king != np.int64(position.kings[side]):
        return False
    occupied = load(position, "colours", 0) | load(position, "colours", 1)
    for wing in range(WINGS):
        if np.int64(position.rooks[side, wing]) == rook and _has_right(position, side, wing):
            return _is_free(rules, side, wing, king, rook, occupied)
    return False


@over_rules("free_castling")
def castle_freely(free, done, rules, child, side, move):
    """Brings king and rook to their last squares, and takes the rights of `side`."""
    king, rook = source_of(move), target_of(move)
    wing = 0 if rook > king else 1
    king_to, rook_to = rules.castling_squares[side, wing, 2], rules.castling_squares[side, wing, 3]
    rook_kind = np.int64(child.board[rook])
    toggle(rules, child, side, rules.king_kind, king)
    toggle(rules, child, side, rook_kind, rook)
    child.board[king] = rules.no_kind
    child.board[rook] = rules.no_kind
    toggle(rules, child, side, rules.king_kind, king_to)
    toggle(rules, child, side, rook_kind, rook_to)
    child.board[king_to] = rules.king_kind
    child.board[rook_to] = rook_kind
    child.kings[side] = king_to
    keep_rights(rules, child, np.int64(child.rights) & ~rules.rights_of[side])
    return done
