"""Mandatory captures: a side that can capture may make no other move. The generator keeps only the captures,
see `movegen.legal_moves`."""

from typing import TYPE_CHECKING, Any

from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules
from .mechanic import Mechanic, Rule

with deferred_imports():
    from ..kernel.facts import Facts

if TYPE_CHECKING:
    from ..game.description import Description
    from ..game.table_reader import GameReader, TableReader
    from ..representation.piece_plan import Plan


def read(game: "GameReader") -> dict[str, Any]:
    """`must_capture`: whether a side that can capture must do so."""
    return {"must_capture": game.top.get("must_capture", bool, False)}


def check(top: "TableReader", description: "Description") -> None:
    others = {
        "drops.must": any(piece.must_drop for piece in description.pieces),
        "drops.no_mate": any(piece.no_drop_mate for piece in description.pieces),
        "merchants": description.merchants is not None,
        "passing": bool(description.passing),
        "setup": bool(description.setup_swaps),
    }
    for name, has_it in others.items():
        if description.must_capture and has_it:
            raise top.error("must_capture", f"cannot be combined with {name}")


def facts(plan: "Plan") -> dict[str, Any]:
    return {"must_capture": (Facts("must-capture"),) if plan.description.must_capture else ()}


def sentences(description: "Description") -> list[str]:
    return ["A side that can capture must capture."] if description.must_capture else []


@over_rules("must_capture")
def captures_are_duty(duty, found, rules):
    """True; `found` in games without the rule."""
    return True


MECHANIC = Mechanic(
    keys=("must_capture",),
    read=read,
    check=check,
    facts=facts,
    rules=(Rule("mandatory captures", "Special rules", sentences),),
)
