"""Attacks: the attackers of a square, checkers and pins."""

import numpy as np

from ..kernel.bitboard import bit, has, load, lsb, without_lsb
from ..kernel.compiler import inner
from ..kernel.facts import over_rules, unrolled
from ..mechanics.cells import from_other_cells
from ..mechanics.co_royal import co_royals
from ..mechanics.explosion import unless_kings_touch
from ..mechanics.kings import if_king_stands
from ..mechanics.last_royal import last_royals, royal_together
from ..mechanics.merchants import able
from ..mechanics.walls import closed_to, occupied_in
from ..representation.reach import between, hop_origins, line_attacks, spared_by


@inner
def members_of(group, rules, position):
    """All pieces of both sides of the movers in a group of sliders or leapers."""
    pieces = rules.empty
    for i in range(group.member_count):
        pieces = pieces | load(position, "movers", group.members[i])
    return pieces


@over_rules("leapers")
def leapers_to(group, found, rules, position, side, square):
    """Adds the pieces, of both sides, that reach `square` by the leaps of `side`."""
    origins = group.origins[side * group.asymmetric, square]
    return found | (origins & members_of(group, rules, position))


@inner
def slides_from(group, rules, square, occupied):
    """Squares that a slider of `group` on `square` reaches, including the first occupied ones."""
    attacks = rules.empty
    for i in range(group.line_count):
        attacks = attacks | line_attacks(rules, group.lines[i], square, occupied)
    if group.palace_count and has(rules.diagonal_squares, square):
        for i in range(group.palace_count):
            attacks = attacks | line_attacks(rules, group.palace_lines[i], square, occupied)
    return attacks


@over_rules("slides")
def _sliders_to(group, found, rules, position, square, occupied):
    pieces = members_of(group, rules, position)
    if not pieces & group.cross[square]:
        return found
    return found | (slides_from(group, rules, square, occupied) & pieces)


@unrolled("lame")
def _lame_to(group, found, rules, position, side, square, occupied):
    pieces = members_of(group, rules, position) & group.around[side * group.asymmetric, square]
    if pieces:
        for i in range(group.count):
            if not occupied & group.paths[side * group.asymmetric, square, i]:
                found = found | (group.squares[side * group.asymmetric, square, i] & pieces)
    return found


@unrolled("hoppers")
def _hoppers_to(group, found, rules, position, side, square, occupied):
    pieces = members_of(group, rules, position)
    if pieces & group.cross[side, square]:
        spared = spared_by(group, rules, position)
        for i in range(group.line_count):
            origins = hop_origins(group, rules, group.lines[side, i], square, occupied, spared)
            found = found | (origins & pieces)
    return found


@unrolled("thrusts")
def _thrusts_to(group, found, rules, position, side, square, occupied):
    pieces = members_of(group, rules, position) & group.cross[side, square]
    if pieces:
        for i in range(group.line_count):
            found = found | (line_attacks(rules, group.lines[side, i], square, occupied) & pieces)
    return found


@over_rules("odd_attackers")
def _odd_to(groups, found, rules, position, side, square, occupied):
    found = _lame_to(groups, found, rules, position, side, square, occupied)
    found = _hoppers_to(groups, found, rules, position, side, square, occupied)
    return _thrusts_to(groups, found, rules, position, side, square, occupied)


@inner
def attackers(rules, position, side, square, occupied):
    """The pieces of `side` that attack `square` with blockers `occupied`, including pinned ones."""
    found = leapers_to(rules, rules.empty, position, side, square)
    found = _sliders_to(rules, found, position, square, occupied)
    found = _odd_to(rules, found, position, side, square, occupied)
    found = from_other_cells(rules, found, square)
    return able(rules, found & load(position, "colours", side), position, side)


@over_rules("stares")
def _stares_to(stare, found, rules, position, side, square, occupied):
    king = np.int64(position.kings[side])
    if has(stare.cross[square], king):
        for i in range(stare.line_count):
            found = found | (line_attacks(rules, stare.lines[i], square, occupied) & bit(rules, king))
    return found


@inner
def royal_attackers(rules, position, side, square, occupied):
    """The `attackers` of the current or next square of a king; its counterpart may forbid it as well."""
    found = attackers(rules, position, side, square, occupied)
    found = unless_kings_touch(rules, found, position, side, square)
    return _stares_to(rules, found, position, side, square, occupied)


@inner
def line_between(group, rules, king, square):
    """The squares strictly between the king and a slider of `group` that stands on its cross."""
    for i in range(group.line_count + group.palace_count):
        line = group.lines[i] if i < group.line_count else group.palace_lines[i - group.line_count]
        below = rules.rays[king, 2 * line]
        above = rules.rays[king, 2 * line + 1]
        if has(above, square):
            return above & (bit(rules, square) - (bit(rules, king) << 1))
        if has(below, square):
            return below & (bit(rules, king) - (bit(rules, square) << 1))
    return rules.empty


@inner
def _note_sniper(rules, found, square, blockers, own):
    """Adds checkers and pins for an enemy slider on `square`, from the pieces between it and the king, to
    `found`."""
    checkers, pinned = found
    if not blockers:
        checkers = checkers | bit(rules, square)
    elif not without_lsb(blockers):
        pinned = pinned | (blockers & own)
    return checkers, pinned


@over_rules("slides")
def _inspect_slides(group, found, rules, position, king, own, enemy):
    """Adds the checkers and pins along the lines of one group."""
    snipers = group.cross[king] & enemy
    if snipers:
        snipers = snipers & members_of(group, rules, position)
        while snipers:
            square = lsb(snipers)
            blockers = line_between(group, rules, king, square) & (own | enemy)
            found = _note_sniper(rules, found, square, blockers, own)
            snipers = without_lsb(snipers)
    return found


@unrolled("thrusts")
def _inspect_thrusts(group, found, rules, position, king, own, enemy):
    """Adds the checkers and pins by pieces that slide in one direction only, or within a region."""
    side = 1 - np.int64(position.side)
    snipers = group.cross[side, king] & enemy & members_of(group, rules, position)
    while snipers:
        square = lsb(snipers)
        blockers = between(rules, king, square) & (own | enemy)
        found = _note_sniper(rules, found, square, blockers, own)
        snipers = without_lsb(snipers)
    return found


@over_rules("odd_attackers")
def _inspect_odd(groups, found, rules, position, king, own, enemy):
    return _inspect_thrusts(groups, found, rules, position, king, own, enemy)


@over_rules("stares")
def _inspect_stares(stare, found, rules, position, king, own, enemy):
    """Adds the only piece between two kings that must not face each other to the pinned ones."""
    checkers, pinned = found
    other = np.int64(position.kings[1 - np.int64(position.side)])
    if has(stare.cross[king], other):
        blockers = between(rules, king, other) & (own | enemy)
        if not without_lsb(blockers):
            pinned = pinned | (blockers & own)
    return checkers, pinned


@over_rules("by_pins")
def _inspect_pins(way, found, rules, position):
    if rules.kingless:
        return found
    side = np.int64(position.side)
    king = np.int64(position.kings[side])
    own = closed_to(rules, position, side)
    enemy = load(position, "colours", 1 - side)
    checkers = leapers_to(rules, rules.empty, position, 1 - side, king)
    found = _inspect_slides(rules, (checkers & enemy, rules.empty), position, king, own, enemy)
    found = _inspect_odd(rules, found, position, king, own, enemy)
    checkers, pinned = _inspect_stares(rules, found, position, king, own, enemy)
    return if_king_stands(rules, checkers, position, side), if_king_stands(rules, pinned, position, side)


@over_rules("by_trial")
def _inspect_checks(way, found, rules, position):
    return checkers_of(rules, position, np.int64(position.side)), rules.empty


@inner
def inspect(rules, position):
    """The pieces that check the side to move, and its own pieces pinned to its king. Games that test moves
    one by one do not use pins; there they are empty."""
    found = _inspect_pins(rules, (rules.empty, rules.empty), position)
    return _inspect_checks(rules, found, position)


@over_rules("co_royal")
def co_royal_attackers(kinds, found, rules, position, side, occupied):
    """Adds the attackers of royal pieces of `side` besides the king, with blockers `occupied`."""
    pieces = co_royals(rules, rules.empty, position, side)
    while pieces:
        found = found | attackers(rules, position, 1 - side, lsb(pieces), occupied)
        pieces = without_lsb(pieces)
    return found


@over_rules("co_royal")
def king_checkers(kinds, found, rules, position, side):
    """Those of the `found` checkers that attack the king of `side` itself."""
    occupied = occupied_in(rules, position)
    return found & attackers(rules, position, 1 - side, np.int64(position.kings[side]), occupied)


@over_rules("last_royal")
def last_royal_attackers(rule, found, rules, position, side, occupied):
    """Adds the attackers of pieces of `side` that are royal now, with blockers `occupied`, and those of all
    that may not be attacked together if each of them is."""
    pieces = last_royals(rules, rules.empty, position, side)
    while pieces:
        found = found | attackers(rules, position, 1 - side, lsb(pieces), occupied)
        pieces = without_lsb(pieces)
    pieces, together = royal_together(rules, rules.empty, position, side), rules.empty
    while pieces:
        some = attackers(rules, position, 1 - side, lsb(pieces), occupied)
        if not some:
            return found
        together = together | some
        pieces = without_lsb(pieces)
    return found | together


@inner
def checkers_of(rules, position, side):
    """The pieces that attack the king of `side`, or another royal piece."""
    king = np.int64(position.kings[side])
    occupied = occupied_in(rules, position)
    found = royal_attackers(rules, position, 1 - side, king, occupied)
    found = if_king_stands(rules, found, position, side)
    found = co_royal_attackers(rules, found, position, side, occupied)
    return last_royal_attackers(rules, found, position, side, occupied)


@inner
def in_check(rules, position):
    """Whether the side to move is in check."""
    return bool(checkers_of(rules, position, np.int64(position.side)))
