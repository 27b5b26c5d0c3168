"""Mandatory captures: a side that can capture may make no other move. The generator keeps only the captures,
see `movegen.legal_moves`."""

from ..game.description import Description
from ..game.table_reader import TableReader
from ..kernel.deferred_decorators import over_rules
from .mechanic import Mechanic, Rule, flag, refuse_together


def check(duty: bool, top: TableReader, description: Description) -> None:
    others = ("drops.must", "drops.no_mate", "merchants", "passing", "setup")
    refuse_together(top, "must_capture", description, *others)


def sentences(duty: bool, description: Description) -> list[str]:
    return ["A side that can capture must capture."]


@over_rules("must_capture")
def captures_are_duty(duty, found, rules):
    """True; `found` in games without the rule."""
    return True


MECHANIC = Mechanic(
    of="must_capture",
    fact="must_capture",
    read_key=flag,
    check=check,
    rules=(Rule("mandatory captures", "Special rules", sentences),),
)
