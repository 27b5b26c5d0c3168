"""Forbidden checks: no move may give check. The generator skips these moves, see `movegen.checking_moves`."""

from typing import TYPE_CHECKING, Any

from ..kernel.deferred import deferred_imports
from .mechanic import Mechanic, Rule

with deferred_imports():
    from ..kernel.facts import Facts

if TYPE_CHECKING:
    from ..game.description import Description
    from ..game.table_reader import GameReader, TableReader
    from ..representation.piece_plan import Plan


def read(game: "GameReader") -> dict[str, Any]:
    """`checks_forbidden`: whether no move may give check."""
    top = game.top
    return {"checks_forbidden": "checks" in top.table and bool(top.choice("checks", ("illegal",)))}


def check(top: "TableReader", description: "Description") -> None:
    others = {
        "drops": description.has_drops,
        "merchants": description.merchants is not None,
        "bumping": bool(description.bumping),
        "facing_kings": description.facing_kings is not None,
        "passing": bool(description.passing),
        "setup": bool(description.setup_swaps),
        "check_limit": bool(description.check_limit),
    }
    for name, has_it in others.items():
        if description.checks_forbidden and has_it:
            raise top.error("checks", f"cannot be combined with {name}")
    if description.checks_forbidden and not any(piece.royal for piece in description.pieces):
        raise top.error("checks", "needs a royal piece")


def facts(plan: "Plan") -> dict[str, Any]:
    if not plan.description.checks_forbidden:
        return {"checks_forbidden": ()}
    lines_tell = all(plan.is_plain(piece) or plan.is_split(piece) for piece in plan.pieces)
    return {"checks_forbidden": (Facts("checks-forbidden", lines_tell=lines_tell),)}


def sentences(description: "Description") -> list[str]:
    return ["No move may give check."] if description.checks_forbidden else []


MECHANIC = Mechanic(
    keys=("checks",),
    read=read,
    check=check,
    facts=facts,
    rules=(Rule("forbidden checks", "Special rules", sentences),),
)
