"""Forbidden checks: no move may give check, or none that does not mate. The generator skips these moves, see
`movegen.checking_moves`."""

from typing import Any

from ..game.description import Description, VariantError
from ..game.table_reader import GameReader, TableReader
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules
from .mechanic import Mechanic, Rule, refuse_together

with deferred_imports():
    from ..kernel.facts import Facts
    from ..representation.piece_plan import Plan


def read(game: GameReader) -> dict[str, Any]:
    """`checks_forbidden`: whether moves may not give check; `mates_allowed`: unless they mate."""
    checks = game.top.choice("checks", ("illegal", "mate"), "")
    return {"checks_forbidden": bool(checks), "mates_allowed": checks == "mate"}


def check(forbidden: bool, top: TableReader, description: Description) -> None:
    others = ("drops", "merchants", "bumping", "facing_kings", "passing", "setup", "check_limit")
    refuse_together(top, "checks", description, *others)
    if not any(piece.royal for piece in description.pieces):
        raise top.error("checks", "needs a royal piece")
    if description.mates_allowed:
        refuse_together(top, "checks", description, "must_capture")


def facts(plan: Plan) -> dict[str, Any]:
    description = plan.description
    if not description.checks_forbidden:
        return {"checks_forbidden": (), "mates_allowed": ()}
    if description.mates_allowed and not plan.goes_by_pins:
        reason = "'mate' is only possible where all pieces step, leap and slide as in chess"
        raise VariantError(f"{description.name}: checks: {reason}")
    lines_tell = all(plan.is_plain(piece) or plan.is_split(piece) for piece in plan.pieces)
    more_changes = (
        *(description.explosion, description.rifle_captures, description.colour_change, description.walls),
        *(description.self_capture, description.cells, description.gates),
    )
    return {
        "checks_forbidden": (
            Facts(
                "checks-forbidden",
                lines_tell=lines_tell,
                squares_tell=lines_tell and not any(more_changes),
                mates=description.mates_allowed,
            ),
        ),
        "mates_allowed": (Facts("mates-allowed"),) if description.mates_allowed else (),
    }


def sentences(forbidden: bool, description: Description) -> list[str]:
    if description.mates_allowed:
        return ["A move may give check only if it mates."]
    return ["No move may give check."]


@over_rules("checks_forbidden")
def danger_if_checks(forbidden, danger, rules):
    """The `danger` for a king; none where it cannot be mated."""
    return danger if forbidden.mates else danger * 0


MECHANIC = Mechanic(
    of="checks_forbidden",
    keys=("checks",),
    read=read,
    check=check,
    facts=facts,
    rules=(Rule("forbidden checks", "Special rules", sentences),),
)
