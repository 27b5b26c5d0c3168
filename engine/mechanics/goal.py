"""Goal squares: a side that brings a piece of some kinds to one of them has won."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..game.words import article, listed, names, squares_in_words
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules
from ..representation.geometry import flipped
from .mechanic import Mechanic, Rule
from .outcomes import loss

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import load
    from ..kernel.facts import Facts

if TYPE_CHECKING:
    from ..game.description import Description
    from ..game.table_reader import GameReader
    from ..representation.piece_plan import Plan


LOST_TO_GOAL = loss("{other} reaches the goal")


@dataclass(frozen=True)
class GoalSquares:
    """Squares where one of these `pieces` wins: White's, and Black's where they are no mirror image."""

    pieces: str
    squares: tuple[int, ...]
    black: tuple[int, ...] = ()


def read(game: "GameReader") -> dict[str, Any]:
    table = game.table("goal", "pieces", "squares", "black")
    if table is None:
        return {"goal": None}
    black = game.squares(table, "black") if "black" in table.table else ()
    return {"goal": GoalSquares(game.letters(table, "pieces", ...), game.squares(table, "squares"), black)}


def facts(plan: "Plan") -> dict[str, Any]:
    goal = plan.description.goal
    if goal is None:
        return {"goal": ()}
    squares = sum(1 << square for square in goal.squares)
    black = sum(1 << square for square in goal.black) or flipped(plan.geometry, squares)
    members = plan.movers_of(goal.pieces)
    return {
        "goal": (
            Facts(
                "goal",
                squares=plan.table([squares, black]),
                member_count=len(members),
                members=np.array(members, np.uint8),
            ),
        )
    }


def sentences(description: "Description") -> list[str]:
    rule = description.goal
    if rule is None:
        return []
    pieces = listed([article(name) for name in names(description, rule.pieces)], "or")
    squares = squares_in_words(rule.squares, description)
    if rule.black:
        return [
            f"White wins at once when it brings {pieces} to {squares}, Black when it brings {pieces} to"
            f" {squares_in_words(rule.black, description)}."
        ]
    return [f"A side that brings {pieces} to {squares} wins at once."]


@over_rules("goal")
def goal_outcome(goal, outcome, rules, position):
    """The outcome when the side that has just moved stands on a goal, else `outcome`."""
    side = 1 - np.int64(position.side)
    reached = goal.squares[side] & load(position, "colours", side)
    for i in range(goal.member_count):
        if reached & load(position, "movers", goal.members[i]):
            return np.int64(LOST_TO_GOAL)
    return outcome


MECHANIC = Mechanic(
    keys=("goal",),
    read=read,
    facts=facts,
    rules=(Rule("goal", "Special rules", sentences),),
    after_move=goal_outcome,
    at_setup=goal_outcome,
)
