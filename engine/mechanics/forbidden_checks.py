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
    if not description.royals:
        raise top.error("checks", "needs a royal piece")
    if description.mates_allowed:
        refuse_together(top, "checks", description, "must_capture")


def facts(plan: Plan) -> dict[str, Any]:
    """`checks_forbidden` tells whether mates are allowed. `checks_avoided` is not empty if the generator
    leaves out moves that check, `checks_tested` if they are listed and tested."""
    description = plan.description
    found: dict[str, Any] = dict.fromkeys(
        ("checks_forbidden", "checks_avoided", "checks_tested", "mates_allowed"), ()
    )
    if not description.checks_forbidden:
        return found
    mates = description.mates_allowed
    if mates and not plan.goes_by_pins:
        reason = "'mate' is only possible where all pieces step, leap and slide as in chess"
        raise VariantError(f"{description.name}: checks: {reason}")
    lines_tell = all(plan.is_plain(piece) or plan.is_split(piece) for piece in plan.pieces)
    more_changes = (
        *(description.explosion, description.rifle_captures, description.colour_change, description.walls),
        *(description.self_capture, description.cells, description.gates),
    )
    squares_tell = lines_tell and not any(more_changes)
    found["checks_forbidden"] = (Facts("checks-forbidden", mates=mates),)
    if squares_tell and _only_plain_moves(plan):
        found["checks_avoided"] = (Facts("checks-avoided"),)
    else:
        tested = Facts("checks-tested", lines_tell=lines_tell, squares_tell=squares_tell)
        found["checks_tested"] = (tested,)
    found["mates_allowed"] = (Facts("mates-allowed"),) if mates else ()
    return found


def _only_plain_moves(plan: Plan) -> bool:
    """Whether each move is that of one piece, which captures as it moves and keeps its kind, and none that
    checks is allowed."""
    description = plan.description
    if description.mates_allowed or not plan.goes_by_pins or description.castling:
        return False
    return all(plan.is_plain(piece) and not piece.promotes_to for piece in plan.pieces)


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
