"""Squares and pieces whose moves give check, for games that forbid it.

Where squares alone tell whether a move checks, the generator leaves such moves out; in other games
`checking_moves` removes them."""

import numpy as np

from ..kernel.bitboard import has, lsb, without_lsb
from ..kernel.compiler import inner
from ..kernel.facts import over_rules
from ..mechanics.kings import if_king_stands
from ..representation.reach import line_through
from .attacks import line_between, members_of, slides_from


@over_rules("leapers")
def leaps_check(group, squares, rules, side, king):
    """Adds the squares from which a leaper of `side` would attack the king."""
    return squares | group.origins[side * group.asymmetric, king]


@over_rules("slides")
def slides_check(group, squares, rules, king, occupied):
    """Adds the squares from which a slider would attack the king."""
    return squares | slides_from(group, rules, king, occupied)


@over_rules("leapers")
def _leaps_of(group, squares, rules, mover, side, king):
    """`leaps_check` for one mover."""
    for i in range(group.member_count):
        if group.members[i] == mover:
            squares = squares | group.origins[side * group.asymmetric, king]
    return squares


@over_rules("slides")
def _slides_of(group, squares, rules, mover, king, occupied):
    """`slides_check` for one mover."""
    for i in range(group.member_count):
        if group.members[i] == mover:
            squares = squares | slides_from(group, rules, king, occupied)
    return squares


@inner
def checks_of(rules, mover, side, king, occupied):
    """The squares from which a piece of that mover would attack the king."""
    squares = _leaps_of(rules, rules.empty, mover, side, king)
    return _slides_of(rules, squares, mover, king, occupied)


@over_rules("slides")
def uncovering(group, pieces, rules, position, king, own, occupied):
    """Adds the pieces that are the only ones between an own slider and the king."""
    snipers = group.cross[king] & own & members_of(group, rules, position)
    while snipers:
        blockers = line_between(group, rules, king, lsb(snipers)) & occupied
        if not without_lsb(blockers):
            pieces = pieces | (blockers & own)
        snipers = without_lsb(snipers)
    return pieces


# Hooks of the generator


@over_rules("checks_avoided")
def uncovering_pieces(way, pieces, rules, position, side, own, occupied):
    """Adds the pieces of `side` that check when they leave their line to the enemy's king."""
    pieces = uncovering(rules, pieces, position, np.int64(position.kings[1 - side]), own, occupied)
    return if_king_stands(rules, pieces, position, 1 - side)


@over_rules("checks_avoided")
def checking_squares(way, squares, rules, position, side, mover, occupied):
    """Adds the squares from which a piece of that mover checks."""
    found = checks_of(rules, mover, side, np.int64(position.kings[1 - side]), occupied)
    return squares | if_king_stands(rules, found, position, 1 - side)


@over_rules("checks_avoided")
def still_covering(way, targets, rules, position, side, square, uncovering):
    """`targets` of a piece on `square`; only those on its line to the enemy's king if it is `uncovering`."""
    if has(uncovering, square):
        targets = targets & line_through(rules, np.int64(position.kings[1 - side]), square)
    return targets
