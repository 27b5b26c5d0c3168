"""A limit of moves: the game is drawn after each side has made that many moves of any kind."""

from ..game.description import Description
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules
from .mechanic import Mechanic, Rule

with deferred_imports():
    import numpy as np

    from ..kernel.facts import Facts
    from ..representation.piece_plan import Plan

MAX_MOVES = 10_000


def facts(limit: int, plan: Plan) -> Facts:
    return Facts("move-limit", moves=limit)


def sentences(limit: int, description: Description) -> list[str]:
    return [f"The game is drawn when each side has made {limit} moves, unless the last mates."]


@over_rules("move_limit")
def is_over(limit, found, rules, position):
    """Whether all moves have been made; `found` if the game has no such rule."""
    return np.int64(position.fullmoves) > limit.moves


MECHANIC = Mechanic(
    of="move_limit",
    fact="move_limit",
    keys=("end.moves",),
    read_key=lambda table, key: table.number(key, 1, MAX_MOVES, 0),
    facts=facts,
    rules=(Rule("limit of moves", "End of the game", sentences),),
)
