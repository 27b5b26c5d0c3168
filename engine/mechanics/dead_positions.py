"""Dead positions: material with which neither side can mate."""

from dataclasses import dataclass
from typing import Any

from ..game.description import Description
from ..game.table_reader import GameReader
from ..game.words import king_name, listed, names
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules
from .mechanic import Mechanic, Rule
from .placement import value_if_settled

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import load, popcount
    from ..kernel.facts import Facts
    from ..representation.piece_plan import Plan, counted


@dataclass(frozen=True)
class DeadPositions:
    """Material that cannot mate: kings and at most one piece of `single`, or any number of
    `colourbound` pieces on squares of one colour."""

    single: str
    colourbound: str


def read(game: GameReader) -> dict[str, Any]:
    table = game.top.table_at("end").optional_table("dead_positions", "single", "colourbound")
    if table is None:
        return {"dead_positions": None}
    return {
        "dead_positions": DeadPositions(game.letters(table, "single"), game.letters(table, "colourbound"))
    }


def facts(dead: DeadPositions, plan: Plan) -> Facts:
    return Facts(
        "dead",
        **counted(single=plan.movers_of(dead.single), bound=plan.movers_of(dead.colourbound)),
        light=plan.bits(plan.geometry.light_squares()),
    )


def sentences(rule: DeadPositions, description: Description) -> list[str]:
    left = [f"the two {king_name(description)}s alone"]
    if rule.single:
        left.append(f"a single {listed(names(description, rule.single), 'or')} beside them")
    if rule.colourbound:
        bound = listed(names(description, rule.colourbound), "or")
        left.append(f"any number of the kind {bound}, all on squares of one colour")
    return [f"Material that cannot mate draws: {listed(left, 'or')}."]


@over_rules("dead")
def is_dead(dead, found, rules, position):
    """Whether neither side can mate; `found` if the game has no such rule."""
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


MECHANIC = Mechanic(
    of="dead_positions",
    fact="dead",
    keys=("end.dead_positions",),
    read=read,
    facts=facts,
    rules=(Rule("", "End of the game", sentences),),
)
