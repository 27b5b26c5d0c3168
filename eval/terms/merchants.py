"""The value of merchants besides their moves: pieces that they hold, may capture, or escort."""

import numpy as np

from ...engine.kernel.bitboard import bit, has, load, lsb, popcount, shifted, without_lsb
from ...engine.kernel.facts import over_rules, unrolled
from ...engine.mechanics.merchants import beside


@unrolled("quiets")
def _stepped(step, squares, pieces, side):
    return squares | shifted(pieces, step, side)


@over_rules("merchants")
def merchant_threats(merchants, found, rules, weights, position, side, held, zone, occupied):
    """Adds what the merchants of `side` do: (score, danger units to the enemy's king).

    `held` are the enemies that they immobilise, `zone` the squares on and beside the enemy's king.
    """
    score, units = found
    while held:
        kind = np.int64(position.board[lsb(held)])
        score += weights.held[np.int64(rules.kind_mover[kind])]
        held = without_lsb(held)
    own, enemies = load(position, "colours", side), load(position, "colours", 1 - side)
    trade = load(position, "movers", merchants.mover) & own
    score += weights.escort * popcount(beside(merchants, rules.empty, trade) & own)
    steps = _stepped(merchants, rules.empty, trade, side) & ~occupied
    units += weights.attack[merchants.mover] * popcount(steps & zone)
    for i in range(merchants.spared_count):
        enemies = enemies & ~load(position, "movers", merchants.spared[i])
    rest = trade
    while rest:
        square = lsb(rest)
        steps = _stepped(merchants, rules.empty, trade & ~bit(rules, square), side) & ~occupied
        for i in range(4):
            victim, behind = merchants.pairs[square, i, 0], merchants.pairs[square, i, 1]
            if victim != square and has(enemies, victim) and has(steps, behind):
                if np.int64(position.board[victim]) == rules.king_kind:
                    units += weights.backstab
                else:
                    score += weights.between
        rest = without_lsb(rest)
    return score, units
