"""Attacks: where pieces reach, who attacks a square, checkers and pins.

Sliders by obstruction difference: on one line, with `lower` and `upper` the occupied squares below and above
the slider, `upper ^ (upper - highest(lower))` covers everything between the nearest blockers, both included.
"""

import numpy as np

from .bitboard import bit, has, highest_or_first, load, lsb, without_lsb
from .compiler import inner
from .facts import unrolled


@inner
def line_attacks(rules, line, square, occupied):
    """Squares that a slider on `square` reaches along one line, the first occupied ones included."""
    below = rules.rays[square, 2 * line]
    above = rules.rays[square, 2 * line + 1]
    lower = occupied & below
    upper = occupied & above
    return (below | above) & (upper ^ (upper - highest_or_first(lower)))


@inner
def reach(pattern, rules, side, square, occupied):
    """Squares that a piece with this pattern of moves reaches, whatever stands there."""
    targets = rules.empty
    if pattern.leaps:
        targets = pattern.leap_table[side * pattern.asymmetric, square]
    for i in range(pattern.line_count):
        targets = targets | line_attacks(rules, pattern.lines[i], square, occupied)
    return targets


@inner
def members_of(group, rules, position):
    """All pieces, of both sides, of the movers in a group of sliders or leapers."""
    pieces = rules.empty
    for i in range(group.member_count):
        pieces = pieces | load(position, "movers", group.members[i])
    return pieces


@unrolled("leapers")
def _leapers_to(group, found, rules, position, side, square):
    origins = group.origins[side * group.asymmetric, square]
    return found | (origins & members_of(group, rules, position))


@unrolled("slides")
def _sliders_to(group, found, rules, position, square, occupied):
    pieces = members_of(group, rules, position)
    attacks = rules.empty
    for i in range(group.line_count):
        attacks = attacks | line_attacks(rules, group.lines[i], square, occupied)
    return found | (attacks & pieces)


@inner
def attackers(rules, position, side, square, occupied):
    """The pieces of `side` that attack `square` when `occupied` squares block; pinned ones too."""
    found = _leapers_to(rules, rules.empty, rules, position, side, square)
    found = _sliders_to(rules, found, rules, position, square, occupied)
    return found & load(position, "colours", side)


@inner
def line_through(rules, first, second):
    """The whole line that holds both squares; empty when none does or they are the same."""
    for line in range(4):
        squares = rules.rays[first, 2 * line] | rules.rays[first, 2 * line + 1]
        if has(squares, second):
            return squares | bit(rules, first)
    return rules.empty


@inner
def between(rules, first, second):
    """The squares strictly between two squares of one line; empty when no line holds both."""
    if first > second:
        first, second = second, first
    span = bit(rules, second) - (bit(rules, first) << 1)
    return line_through(rules, first, second) & span


@inner
def _line_between(group, rules, king, square):
    """The squares strictly between the king and a slider of `group` that stands on its cross."""
    for i in range(group.line_count):
        line = group.lines[i]
        below = rules.rays[king, 2 * line]
        above = rules.rays[king, 2 * line + 1]
        if has(above, square):
            return above & (bit(rules, square) - (bit(rules, king) << 1))
        if has(below, square):
            return below & (bit(rules, king) - (bit(rules, square) << 1))
    return rules.empty


@unrolled("slides")
def _inspect_slides(group, found, rules, position, king, own, enemy):
    """Adds the checkers and pins along the lines of one group."""
    checkers, pinned = found
    snipers = group.cross[king] & enemy
    if snipers:
        snipers = snipers & members_of(group, rules, position)
        while snipers:
            square = lsb(snipers)
            blockers = _line_between(group, rules, king, square) & (own | enemy)
            if not blockers:
                checkers = checkers | bit(rules, square)
            elif not without_lsb(blockers):
                pinned = pinned | (blockers & own)
            snipers = without_lsb(snipers)
    return checkers, pinned


@inner
def inspect(rules, position):
    """The pieces that check the side to move, and its own pieces pinned to its king."""
    side = np.int64(position.side)
    king = np.int64(position.kings[side])
    own = load(position, "colours", side)
    enemy = load(position, "colours", 1 - side)
    checkers = _leapers_to(rules, rules.empty, rules, position, 1 - side, king)
    found = (checkers & enemy, rules.empty)
    return _inspect_slides(rules, found, rules, position, king, own, enemy)


@inner
def in_check(rules, position):
    """Whether the side to move is in check."""
    side = np.int64(position.side)
    king = np.int64(position.kings[side])
    occupied = load(position, "colours", 0) | load(position, "colours", 1)
    return bool(attackers(rules, position, 1 - side, king, occupied))
