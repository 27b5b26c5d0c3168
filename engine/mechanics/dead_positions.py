"""Dead positions: material with which neither side can mate, whatever it does."""

from typing import TYPE_CHECKING, Any

from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules
from .placement import value_if_settled

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import load, popcount
    from ..kernel.facts import Facts

if TYPE_CHECKING:
    from ..representation.piece_plan import Plan


def facts(plan: "Plan") -> dict[str, Any]:
    dead = plan.description.dead_positions
    if dead is None:
        return {"dead": ()}
    geometry = plan.geometry
    light = sum(
        1 << square
        for square in range(geometry.squares)
        if (square % geometry.files + square // geometry.files) % 2
    )
    single, bound = plan.movers_of(dead.single), plan.movers_of(dead.colourbound)
    return {
        "dead": (
            Facts(
                "dead",
                single_count=len(single),
                single=np.array(single or [0], np.uint8),
                bound_count=len(bound),
                bound=np.array(bound or [0], np.uint8),
                light=plan.bits(light),
            ),
        )
    }


@over_rules("dead")
def is_dead(dead, found, rules, position):
    """Whether nobody can mate any more; `found` where the game has no such rule."""
    if not value_if_settled(rules, np.int64(1), position):
        return found
    rest = load(position, "colours", 0) | load(position, "colours", 1)
    rest = rest & ~load(position, "movers", rules.king_mover)
    bound = rest
    if popcount(rest) <= 1:
        for i in range(dead.single_count):
            rest = rest & ~load(position, "movers", dead.single[i])
        if not rest:
            return True
    for i in range(dead.bound_count):
        bound = bound & ~load(position, "movers", dead.bound[i])
    if bound:
        return False
    rest = load(position, "colours", 0) | load(position, "colours", 1)
    rest = rest & ~load(position, "movers", rules.king_mover)
    return not (rest & dead.light) or not (rest & ~dead.light)
