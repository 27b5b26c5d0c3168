"""A limit by moves: the game is drawn when each side has made so many, of whatever kind."""

from typing import TYPE_CHECKING, Any

from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules

with deferred_imports():
    import numpy as np

    from ..kernel.facts import Facts

if TYPE_CHECKING:
    from ..representation.piece_plan import Plan


def facts(plan: "Plan") -> dict[str, Any]:
    limit = plan.description.move_limit
    return {"move_limit": (Facts("move-limit", moves=limit),) if limit else ()}


@over_rules("move_limit")
def is_over(limit, found, rules, position):
    """Whether all moves have been made; `found` where the game has no such rule."""
    return np.int64(position.fullmoves) > limit.moves
