"""Unusual results of a side without a legal move: a mate that it wins, a stalemate that the smaller army
wins."""

from typing import Any

from ..game.description import FEWER, Description
from ..game.table_reader import TableReader
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import inner, over_rules
from .mechanic import Mechanic, refuse_together

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import load, popcount
    from ..kernel.facts import Facts
    from ..representation.piece_plan import Plan
    from ..representation.position_record import read_board

USUAL = 2  # in place of a sign: mate loses, and the game's result of stalemate counts


def check(top: TableReader, description: Description) -> None:
    if description.checkmate == "win":
        if not description.royals:
            raise top.error("end.checkmate", "no kind is royal, so nothing can be mated")
        others = ("drops.no_mate", "end.dead_positions")
        refuse_together(top, "end.checkmate", description, *others, what="'win' ")


def facts(plan: Plan) -> dict[str, Any]:
    """`no_moves` is not empty if an end is unusual, which `unusual_ends` also says."""
    description = plan.description
    wins, fewer = description.checkmate == "win", description.stalemate == FEWER
    found = (Facts("no-moves", mate_wins=wins, fewer_wins=fewer),) if wins or fewer else ()
    return {"no_moves": found, "unusual_ends": bool(found)}


@over_rules("no_moves")
def sign_without_moves(ends, sign, rules, position, checked):
    """1 if the side to move, which has no legal move, has won, -1 if it has lost, 0 for a draw; `sign` in
    games without such ends, and where theirs is the usual one. `checked`: whether it is in check."""
    if checked:
        return np.int64(1) if ends.mate_wins else sign
    if not ends.fewer_wins:
        return sign
    side = np.int64(position.side)
    own, enemies = popcount(load(position, "colours", side)), popcount(load(position, "colours", 1 - side))
    return np.int64(0) if own == enemies else np.int64(1) if own < enemies else np.int64(-1)


@inner
def loses_without_moves(rules, position, checked):
    """Whether the side to move has lost if it has no legal move."""
    sign = sign_without_moves(rules, np.int64(USUAL), position, checked)
    if sign != USUAL:
        return sign < 0
    return checked or rules.stalemate_is_loss


@over_rules("no_moves")
def against_mate(ends, danger, rules):
    """The value of `danger` to the enemy's king: a loss where mate wins for the mated side."""
    return -danger if ends.mate_wins else danger


def sign_of_end(description: Description, state: Any, checked: bool) -> int:
    """`sign_without_moves` for the record of a position, with the usual results as well."""
    if checked:
        return 1 if description.checkmate == "win" else -1
    if description.stalemate != FEWER:
        return {"draw": 0, "loss": -1, "win": 1}[description.stalemate]
    side = int(state["side"])
    own, enemies = (read_board(state, "colours", each).bit_count() for each in (side, 1 - side))
    return (own < enemies) - (own > enemies)


def reason_of_end(description: Description, sign: int, checked: bool, mover: str, other: str) -> str:
    """The sentence for the end of the game by a side, `mover`, that has no legal move, and its `sign`."""
    if checked:
        return f"{mover} is mated and wins" if description.checkmate == "win" else f"{other} mates"
    if description.stalemate == FEWER:
        size = {0: "as many pieces as", 1: "fewer pieces than", -1: "more pieces than"}
        return f"{mover} has no move, and {size[sign]} {other}"
    return "Stalemate" if description.stalemate == "draw" else f"{mover} has no move"


MECHANIC = Mechanic(keys=(), check=check, facts=facts)
