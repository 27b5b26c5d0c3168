"""Kings that are not on the board: in hand, exploded, or because a side, or the game, has none.

The field `kings` has no meaning for a side without a king on the board. `if_king_stands` removes squares and
numbers of such kings; games in which both kings are always on the board have no such code."""

from typing import Any

from ..game.description import Description
from ..game.table_reader import GameReader, TableReader
from ..game.words import king_name
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import inner, over_rules
from .mechanic import Mechanic, Rule, has_key

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import has, load
    from ..kernel.facts import Facts
    from ..representation.piece_plan import Plan

SIDES = ("white", "black")


def read(game: GameReader) -> dict[str, Any]:
    """`kings`: the only side that has a king, "white" or "black", or "" if both or neither have one."""
    return {"kings": game.top.choice("kings", SIDES, "")}


def check(top: TableReader, description: Description) -> None:
    royal = description.royals
    if description.kings and not royal:
        raise top.error("kings", "has no effect in a game without a royal piece")
    if royal and not description.kings:
        return
    if description.kings and royal[0].droppable:
        raise top.error("kings", f"cannot be combined with {royal[0].letter!r} in drops.pieces")
    others = ("facing_kings", "passing", "setup", "merchants", "bare_king", "end.dead_positions")
    for name in (*others, *["check_limit"] * (not royal), "drops.no_mate"):
        if has_key(description, name) and not royal:
            raise top.error("pieces", f"no kind is royal, but {name} needs a king of each side")
        if has_key(description, name):
            raise top.error("kings", f"{name} needs a king of each side")


def facts(plan: Plan) -> dict[str, Any]:
    """`absent_kings` is not empty if a king may be absent, `kingless` true if both always are; `royal_kind`
    is the kind of the kings, or `no_kind` if there are none."""
    description = plan.description
    absent = not plan.has_kings or description.kings or description.explosion or plan.king.letter in plan.hand
    return {
        "absent_kings": (Facts("absent-kings"),) if absent else (),
        "kingless": not plan.has_kings,
        "royal_kind": plan.kinds[plan.king.letter] if plan.has_kings else len(plan.pieces),
    }


def sentences(description: Description) -> list[str]:
    if not description.royals:
        return ["No piece is royal: there is neither check nor mate."]
    if not description.kings:
        return []
    without = "Black" if description.kings == "white" else "White"
    return [f"{without} has no {king_name(description)}."]


@inner
def _is_absent(rules, position, side):
    """Whether the king of `side` is not on the board."""
    if rules.kingless:
        return True
    square = np.int64(position.kings[side])
    own = load(position, "colours", side)
    return np.int64(position.board[square]) != rules.royal_kind or not has(own, square)


@over_rules("absent_kings")
def if_king_stands(absent, squares, rules, position, side):
    """`squares`, or none while the king of `side` is not on the board."""
    return rules.empty if _is_absent(rules, position, side) else squares


@over_rules("absent_kings")
def value_if_king_stands(absent, number, rules, position, side):
    """`number`, or 0 while the king of `side` is not on the board."""
    return number * 0 if _is_absent(rules, position, side) else number


@over_rules("absent_kings")
def king_is_absent(absent, found, rules, position, side):
    """Whether the king of `side` is not on the board; `found` in games where it always is."""
    return _is_absent(rules, position, side)


MECHANIC = Mechanic(
    keys=("kings",),
    read=read,
    check=check,
    mirrors=lambda description: not description.kings,
    facts=facts,
    rules=(Rule("kings", "Special rules", sentences),),
)
