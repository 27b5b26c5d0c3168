"""Removes moves that give check, for games that forbid them.

Most moves neither end on a checking square nor leave a line to the enemy's king. The others are tested on a
spare position."""

import numpy as np

from ..game.moves import NORMAL, PROMOTION
from ..kernel.bitboard import has, load, lsb, without_lsb
from ..kernel.compiler import inner
from ..kernel.facts import over_rules
from ..mechanics.kings import if_king_stands
from ..representation.position_record import action_of, source_of, target_of
from .attacks import checkers_of, line_between, members_of, slides_from
from .make_move import play


@over_rules("leapers")
def _leaps_check(group, squares, rules, side, king):
    """Adds the squares from which a leaper of `side` would attack the king."""
    return squares | group.origins[side * group.asymmetric, king]


@over_rules("slides")
def _slides_check(group, squares, rules, king, occupied):
    """Adds the squares from which a slider would attack the king."""
    return squares | slides_from(group, rules, king, occupied)


@over_rules("slides")
def _uncovering(group, pieces, rules, position, king, own, occupied):
    """Adds the pieces that are the only ones between an own slider and the king."""
    snipers = group.cross[king] & own & members_of(group, rules, position)
    while snipers:
        blockers = line_between(group, rules, king, lsb(snipers)) & occupied
        if not without_lsb(blockers):
            pieces = pieces | (blockers & own)
        snipers = without_lsb(snipers)
    return pieces


@inner
def without_checks(way, rules, out, position, first, end):
    """Keeps those of the moves listed from `first` to `end` that do not check; returns the new end."""
    side = np.int64(position.side)
    king = np.int64(position.kings[1 - side])
    own = load(position, "colours", side)
    occupied = own | load(position, "colours", 1 - side)
    arriving, leaving = rules.board, rules.board
    if way.lines_tell:
        arriving = _leaps_check(rules, rules.empty, side, king)
        arriving = _slides_check(rules, arriving, king, occupied)
        leaving = _uncovering(rules, rules.empty, position, king, own, occupied)
    arriving = if_king_stands(rules, arriving, position, 1 - side)
    leaving = if_king_stands(rules, leaving, position, 1 - side)
    kept = first
    for i in range(first, end):
        move = np.int64(out.moves[i])
        calm = not has(arriving, target_of(move)) and not has(leaving, source_of(move))
        if not calm or action_of(move) not in (NORMAL, PROMOTION):
            play(rules, out.trial, position, move)
            if checkers_of(rules, out.trial, 1 - side):
                continue
        out.moves[kept] = np.uint32(move)
        kept += 1
    return kept
