"""Goal squares: a side that brings a piece of some kinds to one of them has won."""

from typing import TYPE_CHECKING, Any

from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules
from ..representation.geometry import flipped
from .outcomes import LOST_TO_GOAL

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import load
    from ..kernel.facts import Facts

if TYPE_CHECKING:
    from ..representation.piece_plan import Plan


def facts(plan: "Plan") -> dict[str, Any]:
    goal = plan.description.goal
    if goal is None:
        return {"goal": ()}
    squares = sum(1 << square for square in goal.squares)
    black = sum(1 << square for square in goal.black) or flipped(plan.geometry, squares)
    members = plan.movers_of(goal.pieces)
    return {
        "goal": (
            Facts(
                "goal",
                squares=plan.table([squares, black]),
                member_count=len(members),
                members=np.array(members, np.uint8),
            ),
        )
    }


@over_rules("goal")
def goal_outcome(goal, outcome, rules, position):
    """The outcome when the side that has just moved stands on a goal, else `outcome`."""
    side = 1 - np.int64(position.side)
    reached = goal.squares[side] & load(position, "colours", side)
    for i in range(goal.member_count):
        if reached & load(position, "movers", goal.members[i]):
            return np.int64(LOST_TO_GOAL)
    return outcome
