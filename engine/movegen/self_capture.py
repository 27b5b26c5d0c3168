"""Captures of own pieces, for games that allow them.

They are listed with the quiet moves. No such capture answers a check, except one by the king. The captor
takes the place of the captured piece, so where pins decide legality, a pinned captor stays on its line and
nothing else needs a test; other games try each of the captures."""

import numpy as np

from ..game.moves import NORMAL
from ..kernel.bitboard import bit, has, load, lsb, without_lsb
from ..kernel.compiler import inner
from ..kernel.facts import over_rules
from ..representation.move_list import emit, lister, put, shift_captures
from ..representation.position_record import make_move
from ..representation.reach import line_through, odd_reach, reach
from .attacks import royal_attackers
from .by_trial import safe_ones


@over_rules("split_movers")
def _split(mover, n, rules, sink, out, position, side, king, pinned, targets):
    pieces = load(position, "movers", mover.index) & load(position, "colours", side)
    held, group, allowed = pieces & pinned, pieces & ~pinned, targets
    while True:
        n = shift_captures(mover, n, mover.promotion, rules, sink, out, position, side, group, allowed)
        if not held:
            return n
        square = lsb(held)
        group = bit(rules, square)
        allowed = targets & line_through(rules, king, square)
        held = without_lsb(held)


@over_rules("movers")
def _plain(mover, n, rules, sink, out, position, side, king, pinned, targets):
    own = load(position, "colours", side)
    occupied = own | load(position, "colours", 1 - side)
    pieces = load(position, "movers", mover.index) & own & ~bit(rules, king)
    while pieces:
        square = lsb(pieces)
        found = reach(mover.attack, rules, side, square, occupied) & targets
        if has(pinned, square):
            found = found & line_through(rules, king, square)
        n = emit(mover.promotion, rules, sink, out, n, position, side, square, found)
        pieces = without_lsb(pieces)
    return n


@over_rules("odd_movers")
def _odd(mover, n, rules, sink, out, position, side, king, pinned, targets):
    own = load(position, "colours", side)
    occupied = own | load(position, "colours", 1 - side)
    pieces = load(position, "movers", mover.index) & own
    while pieces:
        square = lsb(pieces)
        found = odd_reach(mover.attack, rules, position, side, square, occupied) & targets
        if has(pinned, square):
            found = found & line_through(rules, king, square)
        n = emit(mover.promotion, rules, sink, out, n, position, side, square, found)
        pieces = without_lsb(pieces)
    return n


@inner
def _by_king(rules, sink, out, n, position, side, king, own, enemy):
    """The king's captures of own pieces on squares that the enemy does not attack."""
    targets = reach(rules.king.attack, rules, side, king, own | enemy) & own
    occupied = (own | enemy) & ~bit(rules, king)
    while targets:
        target = lsb(targets)
        if not royal_attackers(rules, position, 1 - side, target, occupied):
            if not sink.counts:
                put(out, n, make_move(king, target, 0, NORMAL))
            n += 1
        targets = without_lsb(targets)
    return n


@inner
def _by_others(rules, sink, out, n, position, side, king, pinned, targets):
    n = _split(rules, n, sink, out, position, side, king, pinned, targets)
    n = _plain(rules, n, sink, out, position, side, king, pinned, targets)
    return _odd(rules, n, sink, out, position, side, king, pinned, targets)


@over_rules("by_pins")
def _pinned_stay(way, n, rules, sink, out, position, side, king, pinned, targets):
    return _by_others(rules, sink, out, n, position, side, king, pinned, targets)


@over_rules("by_trial")
def _tried(way, n, rules, sink, out, position, side, king, targets):
    """The captures after which the king is safe; all are listed for the test, even if they are only
    counted."""
    start = np.int64(0) if sink.counts else n
    end = _by_others(rules, lister(sink), out, start, position, side, king, rules.empty, targets)
    return n + safe_ones(rules, out, position, side, start, end) - start


@over_rules("self_capture")
def self_captures(way, n, rules, sink, out, position, checkers, pinned):
    """Adds the captures of own pieces to the first `n` moves; returns the new number."""
    if not sink.quiet:
        return n
    side = np.int64(position.side)
    king = np.int64(position.kings[side])
    own = load(position, "colours", side)
    n = _by_king(rules, sink, out, n, position, side, king, own, load(position, "colours", 1 - side))
    if checkers:
        return n
    targets = own & ~bit(rules, king)
    n = _pinned_stay(rules, n, sink, out, position, side, king, pinned, targets)
    return _tried(rules, n, sink, out, position, side, king, targets)
