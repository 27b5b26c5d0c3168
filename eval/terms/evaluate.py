"""The hand-written evaluation: material, squares, mobility, hands and danger around the kings.

All scores are centipawns. The same code is used for every game; `weights` has the parameters."""

import numpy as np

from ...engine.kernel.bitboard import bit, has, load, lsb, popcount, shifted, store, without_lsb
from ...engine.kernel.compiler import inner
from ...engine.kernel.facts import over_rules, unrolled
from ...engine.mechanics.check_count import danger_of_checks, worth_of_checks
from ...engine.mechanics.forbidden_checks import danger_if_checks
from ...engine.mechanics.gates import if_dropped, value_if_dropped, worth_in_hand
from ...engine.mechanics.goal import worth_of_race
from ...engine.mechanics.kings import if_king_stands, value_if_king_stands
from ...engine.mechanics.merchants import able
from ...engine.mechanics.no_moves import against_mate
from ...engine.mechanics.placement import if_settled, value_if_settled
from ...engine.mechanics.walls import occupied_in
from ...engine.representation.reach import odd_reach, reach
from .merchants import merchant_threats
from .weights import DANGER_ENTRIES, HAND_COUNTS, MOBILITY_ENTRIES, UNIT

MAX_SCORE = 15_000


@over_rules("movers")
def _pieces(mover, found, rules, weights, position, side, own, held, occupied, zone):
    """Adds the pieces of one mover: (score, danger units to the enemy's king, squares attacked). Pieces that
    are `held` by merchants count only for their squares."""
    score, units, attacked = found
    pieces = load(position, "movers", mover.index) & own
    reached = rules.empty
    while pieces:
        square = lsb(pieces)
        score += weights.squares[side, np.int64(position.board[square]), square]
        pieces = without_lsb(pieces)
        if rules.hidden_captures and has(held, square):
            continue
        attacks = reach(mover.attack, rules, side, square, occupied)
        reached = reached | attacks
        score += weights.mobility[mover.index, min(popcount(attacks & ~own), MOBILITY_ENTRIES - 1)]
        units += weights.attack[mover.index] * popcount(attacks & zone)
    store(weights, "reached", side * rules.mover_count + mover.index, reached)
    return score, units, attacked | reached


@over_rules("odd_movers")
def _odd_pieces(mover, found, rules, weights, position, side, own, held, occupied, zone):
    """Adds the pieces of one odd mover; where captures differ, mobility counts quiet moves."""
    score, units, attacked = found
    pieces = load(position, "movers", mover.index) & own
    while pieces:
        square = lsb(pieces)
        score += weights.squares[side, np.int64(position.board[square]), square]
        pieces = without_lsb(pieces)
        if rules.hidden_captures and has(held, square):
            continue
        attacks = odd_reach(mover.attack, rules, position, side, square, occupied)
        attacked = attacked | attacks
        count = popcount(attacks & ~own)
        if not mover.uniform:
            quiet = odd_reach(mover.quiet, rules, position, side, square, occupied)
            count = popcount(quiet & ~occupied)
        score += weights.mobility[mover.index, min(count, MOBILITY_ENTRIES - 1)]
        units += weights.attack[mover.index] * popcount(attacks & zone)
    return score, units, attacked


@unrolled("captures")
def _shifted_attacks(shift, attacks, pieces, side):
    return attacks | shifted(pieces, shift, side)


@over_rules("split_movers")
def _pawns(mover, found, rules, weights, position, side, own, held, occupied, zone):
    """Adds the pieces whose captures and quiet moves differ, all attacks at once."""
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
def _side(rules, weights, position, side, held, enemies_held, zone, occupied):
    """(score, danger units to the enemy's king, squares attacked without the king's) of one side.

    `held` are those of its pieces that merchants immobilise, `zone` the squares on and beside the enemy's
    king.
    """
    own = load(position, "colours", side)
    king = np.int64(position.kings[side])
    value = np.int64(weights.squares[side, rules.king_kind, king])
    found = (value_if_king_stands(rules, value, position, side), np.int64(0), rules.empty)
    found = _pieces(rules, found, weights, position, side, own, held, occupied, zone)
    found = _odd_pieces(rules, found, weights, position, side, own, held, occupied, zone)
    score, units, attacked = _pawns(rules, found, weights, position, side, own, held, occupied, zone)
    score, units = merchant_threats(
        rules, (score, units), weights, position, side, enemies_held, zone, occupied
    )
    score = worth_of_checks(rules, score, position, side)
    for hand in range(rules.hand_kinds):
        count = np.int64(position.hands[side, hand])
        score += worth_in_hand(rules, weights.hands[hand, min(count, HAND_COUNTS - 1)], position, side)
        drops = value_if_settled(rules, weights.drop[hand] * min(count, 2), position)
        units += value_if_dropped(rules, drops)
    return score, units, attacked


@over_rules("movers")
def _safe_checks(mover, units, rules, weights, position, side, king, occupied, safe, free):
    """Adds the danger of safe checks to the king: by drops on `safe` squares, by pieces on `free` ones."""
    in_hand = False
    for hand in range(rules.hand_kinds):
        if np.int64(rules.kind_mover[rules.hand_kind[hand]]) == mover.index:
            in_hand = in_hand or position.hands[side, hand] > 0
    reached = load(weights, "reached", side * rules.mover_count + mover.index) & free
    if in_hand or reached:
        squares = reach(mover.attack, rules, 1 - side, king, occupied)
        if in_hand and squares & safe:
            units += weights.check[mover.index]
        if squares & reached:
            units += weights.threat[mover.index]
    return units


@inner
def _danger(rules, weights, position, side, zone, units, attacked, defended, occupied):
    """Centipawns that `side` gains by threats around the enemy's king, whose `zone` this is.

    `attacked` and `defended` are the squares that pieces other than kings attack, of `side` and of the enemy.
    """
    king = np.int64(position.kings[1 - side])
    weak = zone & ~defended
    units += weights.weak * popcount(weak & attacked)
    units -= weights.escape * popcount(zone & ~occupied & ~attacked)
    units -= weights.shelter * popcount(zone & load(position, "colours", 1 - side))
    if position.side == side:
        units += weights.initiative
    undefended = rules.board & ~defended & (~zone | attacked)
    if rules.drops:
        in_hand = 0
        for hand in range(rules.hand_kinds):
            in_hand += min(np.int64(position.hands[side, hand]), 1)
        holes = value_if_settled(rules, weights.hole * min(in_hand, 3), position)
        units += value_if_dropped(rules, holes) * popcount(weak & ~occupied)
    free = undefended & ~load(position, "colours", side)
    safe = if_dropped(rules, if_settled(rules, undefended & ~occupied, position))
    units = _safe_checks(rules, units, weights, position, side, king, occupied, safe, free)
    danger = np.int64(weights.danger[max(np.int64(0), min(units // UNIT, np.int64(DANGER_ENTRIES - 1)))])
    danger = danger_if_checks(rules, danger_of_checks(rules, danger, position, side))
    return against_mate(rules, value_if_king_stands(rules, danger, position, 1 - side))


@inner
def _zone(rules, position, side, occupied):
    """The squares on and beside the king of `side`."""
    king = np.int64(position.kings[side])
    zone = reach(rules.king.attack, rules, side, king, occupied) | bit(rules, king)
    return if_king_stands(rules, zone, position, side)


@inner
def _held(rules, position, side):
    """The pieces of `side` that merchants immobilise."""
    pieces = load(position, "colours", side)
    return pieces & ~able(rules, pieces, position, side)


@inner
def side_scores(rules, weights, position):
    """Centipawns of White's pieces and of Black's, and what White and Black gain by threats to the kings."""
    occupied = occupied_in(rules, position)
    white_zone, black_zone = _zone(rules, position, 0, occupied), _zone(rules, position, 1, occupied)
    white_held, black_held = _held(rules, position, 0), _held(rules, position, 1)
    white, white_units, white_attacks = _side(
        rules, weights, position, 0, white_held, black_held, black_zone, occupied
    )
    black, black_units, black_attacks = _side(
        rules, weights, position, 1, black_held, white_held, white_zone, occupied
    )
    white = worth_of_race(rules, white, position, 0, black_attacks)
    black = worth_of_race(rules, black, position, 1, white_attacks)
    white_threats = _danger(
        rules, weights, position, 0, black_zone, white_units, white_attacks, black_attacks, occupied
    )
    black_threats = _danger(
        rules, weights, position, 1, white_zone, black_units, black_attacks, white_attacks, occupied
    )
    return white, black, white_threats, black_threats


@inner
def evaluate(rules, weights, position):
    """Centipawns for the side to move, within MAX_SCORE either way."""
    white, black, white_threats, black_threats = side_scores(rules, weights, position)
    score = white - black + white_threats - black_threats
    if position.side == 1:
        score = -score
    return max(-MAX_SCORE, min(MAX_SCORE, score + weights.tempo))
