"""A side that has given so many checks has won.

The position has in `checks` how many each side still needs.
"""

from typing import TYPE_CHECKING, Any

from ..game.words import ORDINALS
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules
from .mechanic import Mechanic, Rule
from .outcomes import loss

with deferred_imports():
    import numpy as np

    from ..kernel.facts import Facts

if TYPE_CHECKING:
    from ..game.description import Description
    from ..game.table_reader import GameReader
    from ..representation.piece_plan import Plan

ZOBRIST_SEED = 0x3C
LOST_BY_CHECKS = loss("{other} has given enough checks")


def read(game: "GameReader") -> dict[str, Any]:
    """`check_limit`: checks that win; 0 without the rule."""
    top = game.top
    return {"check_limit": top.number("check_limit", 1, 9) if "check_limit" in top.table else 0}


def facts(plan: "Plan") -> dict[str, Any]:
    limit = plan.description.check_limit
    if not limit:
        return {"check_count": ()}
    rng = np.random.Generator(np.random.PCG64(ZOBRIST_SEED))
    keys = rng.integers(0, 1 << 64, (2, limit + 1), np.uint64)
    return {"check_count": (Facts("check-count", limit=limit, zobrist=keys),)}


def sentences(description: "Description") -> list[str]:
    if not description.check_limit:
        return []
    return [f"A side that gives check for the {ORDINALS[description.check_limit]} time wins at once."]


@over_rules("check_count")
def check_outcome(count, outcome, rules, child, parent, action, check):
    """Notes in `child` whether the move to it gave `check`; the outcome when it was the last one needed."""
    if not check:
        return outcome
    side = 1 - np.int64(child.side)
    before = np.int64(child.checks[side])
    child.checks[side] = np.uint8(before - 1)
    number = count.zobrist[side, before] ^ count.zobrist[side, before - 1]
    child.key ^= number
    child.repetition_key ^= number
    return np.int64(LOST_BY_CHECKS) if before == 1 else outcome


@over_rules("check_count")
def checks_at_once(count, outcome, rules, position):
    """The outcome of a position whose history nobody knows: its checks may all have been given."""
    if position.checks[1 - np.int64(position.side)] == 0:
        return np.int64(LOST_BY_CHECKS)
    return outcome


MECHANIC = Mechanic(
    keys=("check_limit",),
    read=read,
    facts=facts,
    rules=(Rule("counted checks", "Special rules", sentences),),
    after_move=check_outcome,
    at_setup=checks_at_once,
    quiet_moves_end=False,
)
