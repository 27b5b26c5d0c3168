"""A king in check may only move to take the checking piece. `movegen` generates the king's moves."""

from typing import TYPE_CHECKING, Any

from ..game.words import king_name
from .mechanic import Mechanic, Rule

if TYPE_CHECKING:
    from ..game.description import Description
    from ..game.table_reader import TableReader
    from ..representation.piece_plan import Plan


def check(duty: str, top: "TableReader", description: "Description") -> None:
    if description.merchants or description.bumping:
        raise top.error("checked_king", "cannot be combined with merchants or bumping")


def facts(plan: "Plan") -> dict[str, Any]:
    return {"checked_king_captures": plan.description.checked_king == "captures"}


def sentences(duty: str, description: "Description") -> list[str]:
    return [f"A {king_name(description)} in check may only move to take the piece that gives the check."]


MECHANIC = Mechanic(
    of="checked_king",
    read_key=lambda table, key: table.choice(key, ("captures",), ""),
    check=check,
    facts=facts,
    rules=(Rule("kings in check", "Special rules", sentences),),
)
