"""A side left with nothing but its king and some kinds that do not count has lost."""

import numpy as np

from ..kernel.bitboard import load
from ..kernel.compiler import inner
from ..kernel.facts import Facts, over_rules
from .outcomes import LOST_BARE


def facts(plan):
    spared = plan.description.bare_king
    if spared is None:
        return {"bare": ()}
    members = [plan.king_mover, *plan.movers_of(spared)]
    return {
        "bare": (Facts("bare", member_count=len(members), members=np.array(members, np.uint8)),),
    }


@inner
def _is_bare(bare, position, side):
    rest = load(position, "colours", side)
    for i in range(bare.member_count):
        rest = rest & ~load(position, "movers", bare.members[i])
    return not rest


@over_rules("bare")
def bare_outcome(bare, outcome, rules, position):
    """The outcome when the side to move is bare and the other is not, else `outcome`."""
    side = np.int64(position.side)
    if _is_bare(bare, position, side) and not _is_bare(bare, position, 1 - side):
        return np.int64(LOST_BARE)
    return outcome
