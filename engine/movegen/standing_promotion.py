"""Promotions by moves of their own, see `mechanics.standing_promotion`. Each is tried, because it may neither
leave the own king in check nor check the other one."""

import numpy as np

from ..game.moves import PROMOTION
from ..kernel.bitboard import bit, load, lsb, without_lsb
from ..kernel.compiler import inner
from ..kernel.facts import over_rules, unrolled
from ..mechanics.walls import occupied_in
from ..representation.move_list import is_below_limit, put
from ..representation.position_record import make_move
from .attacks import checkers_of
from .make_move import play


@inner
def _is_calm(rules, out, position, move):
    """Whether no king is in check after a move."""
    play(rules, out.trial, position, move)
    return not checkers_of(rules, out.trial, np.int64(0)) and not checkers_of(rules, out.trial, np.int64(1))


@unrolled("items")
def _promotions(item, n, rules, sink, out, position, side):
    if rules.promotion_limited and not is_below_limit(rules, position, side, np.int64(item.kind)):
        return n
    pieces = load(position, "movers", item.mover) & load(position, "colours", side)
    if not item.last or without_lsb(pieces):
        pieces = pieces & item.squares[side]
    empty, enemy = rules.board & ~occupied_in(rules, position), load(position, "colours", 1 - side)
    while pieces:
        source = lsb(pieces)
        targets = (item.steps[side, source] & empty) | bit(rules, source)
        while targets:
            target = lsb(targets)
            move = make_move(source, target, item.kind, PROMOTION)
            if not item.strikes[side, target] & enemy and _is_calm(rules, out, position, move):
                if not sink.counts:
                    put(out, n, move)
                n += 1
            targets = without_lsb(targets)
        pieces = without_lsb(pieces)
    return n


@over_rules("standing_promotion")
def standing_promotions(rule, n, rules, sink, out, position):
    """Adds the promotions that are moves of their own to the first `n` moves; returns the new number."""
    if not sink.tactical:
        return n
    return _promotions(rule, n, rules, sink, out, position, np.int64(position.side))
