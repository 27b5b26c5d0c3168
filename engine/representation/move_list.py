"""Sinks for the moves that a generator finds: they list or count them, with their promotions.

A *sink* says which moves are wanted and whether to list or to count them. Code that lists is compiled once:
which moves it lists is known at run time.
"""

import numpy as np
from numba.extending import overload

from ..game.moves import DROP, NORMAL, PROMOTION
from ..kernel.bitboard import has, load, lsb, popcount, shifted, without_lsb
from ..kernel.compiler import INNER_OPTIONS, inner
from ..kernel.facts import Choices, Facts, unrolled
from .position_record import make_move

COUNTING = Facts("counting", counts=True, tactical=True, quiet=True, captures=False)
COUNTING_CAPTURES = Facts("counting-captures", counts=True, tactical=True, quiet=False, captures=True)
_LISTS = Facts("listing", counts=False, captures=False)
LISTING = Choices(_LISTS, tactical=True, quiet=True)
# Two parts of LISTING: captures with promotions of pawns, and all the rest.
TACTICAL = Choices(_LISTS, tactical=True, quiet=False)
QUIET = Choices(_LISTS, tactical=False, quiet=True)


def lister(sink):
    """The sink that lists the moves that `sink` takes; for jitted code alone."""
    raise TypeError("only jitted code may call this")


@overload(lister, strict=False, jit_options=INNER_OPTIONS)
def _lister(sink):
    if sink.facts.counts:
        return lambda sink: LISTING
    return lambda sink: sink


@inner
def wanted(sink, own, enemy, allowed):
    """The squares of `allowed` on which moves of a piece of `own` may end, limited to those that `sink`
    accepts."""
    if not sink.quiet:
        return allowed & enemy
    if not sink.tactical:
        return allowed & ~(own | enemy)
    return allowed & ~own


@inner
def put(out, n, move):
    """Writes a move to the list; returns the new length."""
    out.moves[n] = np.uint32(move)
    return n + 1


@inner
def is_below_limit(rules, position, side, kind):
    """Whether a promotion may bring one more piece of this kind to the board."""
    pieces = rules.empty
    for i in range(rules.limit_width):
        pieces = pieces | load(position, "movers", rules.limit_movers[kind, i])
    return popcount(pieces & load(position, "colours", side)) < rules.promotion_limit[side, kind]


@inner
def _choices(promotion, rules, position, side, kind):
    """The number of kinds that a piece of this kind may promote to now."""
    if not rules.promotion_limited:
        return np.int64(promotion.count)
    count = np.int64(0)
    for i in range(promotion.count):
        count += is_below_limit(rules, position, side, rules.promotions[kind, i])
    return count


@inner
def _list(promotion, rules, out, n, position, side, source, target, promoting):
    """Writes one piece's move to one square with all its promotions."""
    if promotion.count and promoting:
        kind = np.int64(position.board[source])
        for i in range(promotion.count):
            promoted = rules.promotions[kind, i]
            if rules.promotion_limited and not is_below_limit(rules, position, side, promoted):
                continue
            n = put(out, n, make_move(source, target, promoted, PROMOTION))
        if promotion.always or (promotion.mandatory and has(promotion.must[side], target)):
            return n
    return put(out, n, make_move(source, target, 0, NORMAL))


@inner
def _count(promotion, rules, n, position, side, kind, targets, promoting):
    """Counts moves to `targets`, of which `promoting` may promote."""
    n += popcount(targets)
    if promotion.count:
        n += popcount(promoting) * _choices(promotion, rules, position, side, kind)
        if promotion.always:
            n -= popcount(promoting)
        elif promotion.mandatory:
            n -= popcount(promoting & promotion.must[side])
    return n


@inner
def emit(promotion, rules, sink, out, n, position, side, source, targets):
    """Lists or counts one piece's moves to all of `targets`."""
    promoting = rules.empty
    if promotion.count:
        zone = promotion.zone[side]
        if promotion.enters:
            promoting = targets & zone
        if promotion.leaves and has(zone, source):
            promoting = targets
        if promotion.captures:
            promoting = promoting & load(position, "colours", 1 - side)
    if promotion.barred:
        targets = targets & (promoting | ~promotion.bars[side])
    if sink.counts:
        kind = np.int64(position.board[source])
        return _count(promotion, rules, n, position, side, kind, targets, promoting)
    while targets:
        target = lsb(targets)
        n = _list(promotion, rules, out, n, position, side, source, target, has(promoting, target))
        targets = without_lsb(targets)
    return n


@inner
def _emit_shift(promotion, rules, sink, out, n, position, side, delta, targets):
    """Lists or counts moves of many pieces, each `delta` squares behind its target."""
    promoting = rules.empty
    if promotion.count and promotion.enters:
        promoting = targets & promotion.zone[side]
        if promotion.captures:
            promoting = promoting & load(position, "colours", 1 - side)
    if promotion.barred:
        targets = targets & (promoting | ~promotion.bars[side])
    if sink.counts:
        kind = np.int64(0)
        if rules.promotion_limited and promoting:
            kind = np.int64(position.board[lsb(promoting) - delta])
        return _count(promotion, rules, n, position, side, kind, targets, promoting)
    while targets:
        target = lsb(targets)
        n = _list(promotion, rules, out, n, position, side, target - delta, target, has(promoting, target))
        targets = without_lsb(targets)
    return n


@inner
def emit_drops(rules, sink, out, n, kind, targets):
    """Lists or counts the drops of a piece of that kind on all of `targets`."""
    if sink.counts:
        return n + popcount(targets)
    while targets:
        square = lsb(targets)
        n = put(out, n, make_move(square, square, kind, DROP))
        targets = without_lsb(targets)
    return n


@inner
def _distance(shift, side):
    """The distance of a shift in squares."""
    return shift.white_delta if side == 0 else shift.black_delta


@unrolled("captures")
def shift_captures(shift, n, promotion, rules, sink, out, position, side, pieces, targets):
    targets = targets & shifted(pieces, shift, side)
    delta = _distance(shift, side)
    return _emit_shift(promotion, rules, sink, out, n, position, side, delta, targets)


@unrolled("quiets")
def _shift_quiet(shift, n, promotion, rules, sink, out, position, side, pieces, targets):
    targets = targets & shifted(pieces, shift, side)
    delta = _distance(shift, side)
    return _emit_shift(promotion, rules, sink, out, n, position, side, delta, targets)


@unrolled("steps")
def _shift_step(step, found, promotion, rules, sink, out, position, side, empty, allowed):
    """One more square forward for the pieces that may continue; `found` is (count, squares reached)."""
    n, front = found
    front = shifted(front, step.shift, side) & empty
    delta = step.length * _distance(step.shift, side)
    n = _emit_shift(promotion, rules, sink, out, n, position, side, delta, front & allowed)
    return n, front


@unrolled("ways")
def _shift_way(way, n, promotion, rules, sink, out, position, side, pieces, empty, allowed):
    """The longer steps in one direction."""
    found = (n, shifted(pieces, way.forward, side) & empty)
    n, _ = _shift_step(way, found, promotion, rules, sink, out, position, side, empty, allowed)
    return n


@inner
def shift_moves(mover, n, rules, sink, out, position, side, pieces, empty, allowed):
    """All moves to `allowed` squares of a set of leapers that capture otherwise than they move. `empty` are
    the squares of the board without a piece or a wall."""
    promotion = mover.promotion
    enemy = load(position, "colours", 1 - side)
    if sink.tactical:
        targets = enemy & allowed
        n = shift_captures(mover, n, promotion, rules, sink, out, position, side, pieces, targets)
    if sink.captures:
        return n
    targets = empty & allowed
    if not sink.quiet:
        if not promotion.mandatory:
            return n
        targets = targets & promotion.zone[side]
    elif not sink.tactical and promotion.mandatory:
        targets = targets & ~promotion.zone[side]
    n = _shift_quiet(mover, n, promotion, rules, sink, out, position, side, pieces, targets)
    if sink.quiet:
        n = _shift_way(mover, n, promotion, rules, sink, out, position, side, pieces, empty, allowed)
    return n
