"""Delayed castling: neither side may castle in its first moves, which the FEN's number of the move counts.

Keys and the repetition rule do not compare the number of the move: a position with rights is the same before
and after the delay."""

from ..game.description import Description
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules
from .mechanic import Mechanic, Rule

with deferred_imports():
    import numpy as np

    from ..kernel.facts import Facts
    from ..representation.piece_plan import Plan

MOST_MOVES = 1_000


def facts(moves: int, plan: Plan) -> Facts:
    return Facts("castling-delay", moves=moves)


def sentences(moves: int, description: Description) -> list[str]:
    if not description.castling:
        return []
    first = "first move" if moves == 1 else f"first {moves} moves"
    return [f"Neither side may castle in its {first}."]


@over_rules("castling_delay")
def castling_waits(delay, found, rules, position):
    """Whether it is too early to castle; `found` in games without the rule."""
    return np.int64(position.fullmoves) <= delay.moves


MECHANIC = Mechanic(
    of="castling_after",
    fact="castling_delay",
    keys=("castling.after",),
    read_key=lambda table, key: table.number(key, 1, MOST_MOVES, 0),
    facts=facts,
    rules=(Rule("delayed castling", "Moves", sentences),),
)
