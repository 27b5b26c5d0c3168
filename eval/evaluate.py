"""What a position is worth: material, squares, mobility, hands and danger around the kings.

All scores are centipawns. The same code serves every game; the numbers are in `weights`.
"""

import numpy as np

from ..engine.attacks import odd_reach, reach
from ..engine.bitboard import bit, load, lsb, popcount, shifted, without_lsb
from ..engine.compiler import inner
from ..engine.facts import unrolled

MOBILITY = 3  # for each square that a piece reaches and its own side does not occupy
TEMPO = 12
WEAK_SQUARE = 3  # danger units for each square beside the king that only the king defends
DANGER_DIVISOR = 6  # centipawns = units squared / divisor
MAX_DANGER = 1000
MAX_SCORE = 15_000


@unrolled("movers")
def _pieces(mover, found, rules, weights, position, side, own, occupied, zone):
    """Adds the pieces of one mover: (score, danger units to the enemy's king, squares attacked)."""
    score, units, attacked = found
    pieces = load(position, "movers", mover.index) & own
    while pieces:
        square = lsb(pieces)
        attacks = reach(mover.attack, rules, side, square, occupied)
        attacked = attacked | attacks
        score += weights.squares[side, np.int64(position.board[square]), square]
        score += MOBILITY * popcount(attacks & ~own)
        units += weights.attack[mover.index] * popcount(attacks & zone)
        pieces = without_lsb(pieces)
    return score, units, attacked


@unrolled("odd_movers")
def _odd_pieces(mover, found, rules, weights, position, side, own, occupied, zone):
    """Adds the pieces of one odd mover; where captures differ, mobility counts quiet moves."""
    score, units, attacked = found
    pieces = load(position, "movers", mover.index) & own
    while pieces:
        square = lsb(pieces)
        attacks = odd_reach(mover.attack, rules, position, side, square, occupied)
        attacked = attacked | attacks
        score += weights.squares[side, np.int64(position.board[square]), square]
        if mover.uniform:
            score += MOBILITY * popcount(attacks & ~own)
        else:
            quiet = odd_reach(mover.quiet, rules, position, side, square, occupied)
            score += MOBILITY * popcount(quiet & ~occupied)
        units += weights.attack[mover.index] * popcount(attacks & zone)
        pieces = without_lsb(pieces)
    return score, units, attacked


@unrolled("captures")
def _shifted_attacks(shift, attacks, pieces, side):
    return attacks | shifted(pieces, shift, side)


@unrolled("split_movers")
def _pawns(mover, found, rules, weights, position, side, own, occupied, zone):
    """Adds the pieces that capture otherwise than they move, all attacks at once."""
    score, units, attacked = found
    pieces = load(position, "movers", mover.index) & own
    attacks = _shifted_attacks(mover, rules.empty, pieces, side)
    units += weights.attack[mover.index] * popcount(attacks & zone)
    while pieces:
        square = lsb(pieces)
        score += weights.squares[side, np.int64(position.board[square]), square]
        pieces = without_lsb(pieces)
    return score, units, attacked | attacks


@inner
def _side(rules, weights, position, side, occupied):
    """(score, danger units to the enemy's king, squares attacked without the king's) of one side."""
    own = load(position, "colours", side)
    enemy_king = np.int64(position.kings[1 - side])
    king = np.int64(position.kings[side])
    zone = reach(rules.king.attack, rules, 1 - side, enemy_king, occupied) | bit(rules, enemy_king)
    score = np.int64(weights.squares[side, rules.king_kind, king])
    found = (score, np.int64(0), rules.empty)
    found = _pieces(rules, found, rules, weights, position, side, own, occupied, zone)
    found = _odd_pieces(rules, found, rules, weights, position, side, own, occupied, zone)
    found = _pawns(rules, found, rules, weights, position, side, own, occupied, zone)
    score, units, attacked = found
    for hand in range(rules.hand_kinds):
        count = np.int64(position.hands[side, hand])
        score += count * weights.hand[hand]
        units += weights.drop[hand] * min(count, 2)
    return score, units, attacked


@inner
def _danger(rules, position, side, units, attacked, defended, occupied):
    """Centipawns that `side` gains by threats around the enemy's king."""
    king = np.int64(position.kings[1 - side])
    zone = reach(rules.king.attack, rules, 1 - side, king, occupied)
    weak = zone & ~defended
    holes = popcount(weak & ~occupied)
    units += WEAK_SQUARE * popcount(weak & attacked)
    if rules.drops:
        in_hand = 0
        for hand in range(rules.hand_kinds):
            in_hand += min(np.int64(position.hands[side, hand]), 1)
        units += min(in_hand, 3) * holes
    return min(units * units // DANGER_DIVISOR, MAX_DANGER)


@inner
def evaluate(rules, weights, position):
    """Centipawns for the side to move, within MAX_SCORE either way."""
    occupied = load(position, "colours", 0) | load(position, "colours", 1)
    white, white_units, white_attacks = _side(rules, weights, position, 0, occupied)
    black, black_units, black_attacks = _side(rules, weights, position, 1, occupied)
    score = white - black
    score += _danger(rules, position, 0, white_units, white_attacks, black_attacks, occupied)
    score -= _danger(rules, position, 1, black_units, black_attacks, white_attacks, occupied)
    if position.side == 1:
        score = -score
    return max(-MAX_SCORE, min(MAX_SCORE, score + TEMPO))
