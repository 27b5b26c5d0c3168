"""A side left with nothing but its king and some kinds that do not count has lost.

With `reply` it may first take the only piece that the other has left, if it can.
"""

from typing import TYPE_CHECKING, Any

from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import inner, over_rules
from .outcomes import LOST_BARE, WON_BARE

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import load, popcount
    from ..kernel.facts import Facts

if TYPE_CHECKING:
    from ..representation.piece_plan import Plan


def facts(plan: "Plan") -> dict[str, Any]:
    spared = plan.description.bare_king
    if spared is None:
        return {"bare": ()}
    members = [plan.king_mover, *plan.movers_of(spared)]
    return {
        "bare": (
            Facts(
                "bare",
                reply=plan.description.bare_reply,
                member_count=len(members),
                members=np.array(members, np.uint8),
            ),
        ),
    }


@inner
def _company(bare, position, side):
    """The pieces of a side that keep it from being bare."""
    rest = load(position, "colours", side)
    for i in range(bare.member_count):
        rest = rest & ~load(position, "movers", bare.members[i])
    return rest


@over_rules("bare")
def bare_outcome(bare, outcome, rules, position):
    """The outcome when one side is bare and the other is not, else `outcome`."""
    side = np.int64(position.side)
    own, enemy = popcount(_company(bare, position, side)), popcount(_company(bare, position, 1 - side))
    if own == 0 and enemy > np.int64(bare.reply):
        return np.int64(LOST_BARE)
    if bare.reply and enemy == 0 and own > 0:
        return np.int64(WON_BARE)
    return outcome


@over_rules("bare")
def last_company(bare, found, rules, position):
    """The one piece that keeps the side to move from being bare, as a bitboard, else `found`."""
    company = _company(bare, position, np.int64(position.side))
    return company if popcount(company) == 1 else found
