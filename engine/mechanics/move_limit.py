"""A limit of moves: the game is drawn after each side has made that many moves of any kind."""

from typing import TYPE_CHECKING, Any

from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules
from .mechanic import Mechanic, Rule

with deferred_imports():
    import numpy as np

    from ..kernel.facts import Facts

if TYPE_CHECKING:
    from ..game.description import Description
    from ..game.table_reader import GameReader
    from ..representation.piece_plan import Plan


MAX_MOVES = 10_000


def read(game: "GameReader") -> dict[str, Any]:
    end = game.top.table_at("end")
    return {"move_limit": end.number("moves", 1, MAX_MOVES) if "moves" in end.table else 0}


def facts(plan: "Plan") -> dict[str, Any]:
    limit = plan.description.move_limit
    return {"move_limit": (Facts("move-limit", moves=limit),) if limit else ()}


def sentences(description: "Description") -> list[str]:
    if not description.move_limit:
        return []
    moves = f"{description.move_limit} moves"
    return [f"The game is drawn when each side has made {moves}, unless the last mates."]


@over_rules("move_limit")
def is_over(limit, found, rules, position):
    """Whether all moves have been made; `found` if the game has no such rule."""
    return np.int64(position.fullmoves) > limit.moves


MECHANIC = Mechanic(
    keys=("end.moves",),
    read=read,
    facts=facts,
    rules=(Rule("limit of moves", "End of the game", sentences),),
)
