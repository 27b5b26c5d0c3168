"""A side that has only its king and kinds that do not count has lost. With `reply` it may first take the last
such piece of the opponent."""

from typing import Any

from ..game.description import Description
from ..game.table_reader import GameReader
from ..game.words import king_name, listed, names
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import inner, over_rules
from .mechanic import Mechanic, Rule
from .outcomes import loss, win

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import load, popcount
    from ..kernel.facts import Facts
    from ..representation.piece_plan import Plan, counted


def _lost(description: Description, mover: str, other: str) -> str:
    spared = [f"{name.lower()}s" for name in names(description, description.bare_king or "")]
    return f"{mover} has nothing but {' and '.join(['king', *spared]) if spared else 'its king'}"


LOST_BARE = loss(_lost)
WON_BARE = win("{other} has nothing but its king")


def read(game: GameReader) -> dict[str, Any]:
    """`bare_king`: letters that do not count besides the king, or None without the rule; `bare_reply`:
    whether the bare side may still take the opponent's only piece besides the king."""
    table = game.table("bare_king", "result", "spared", "reply")
    if table is None:
        return {"bare_king": None, "bare_reply": False}
    table.choice("result", ("loss",))
    return {"bare_king": game.letters(table, "spared"), "bare_reply": table.get("reply", bool, False)}


def facts(plan: Plan) -> dict[str, Any]:
    spared = plan.description.bare_king
    if spared is None:
        return {"bare": ()}
    members = [plan.king_mover, *plan.movers_of(spared)]
    return {"bare": (Facts("bare", reply=plan.description.bare_reply, **counted(members=members)),)}


def sentences(description: Description) -> list[str]:
    if description.bare_king is None:
        return []
    company = names(description, description.bare_king)
    spared = f", with or without {listed(company)}" if company else ""
    return [
        f"A side that has nothing left but its {king_name(description)}{spared}, loses at once, unless the"
        " other has no more either"
        + (", or only one piece that it takes with its next move." if description.bare_reply else ".")
    ]


@inner
def _company(bare, position, side):
    """The pieces of a side because of which it is not bare."""
    rest = load(position, "colours", side)
    for i in range(bare.member_count):
        rest = rest & ~load(position, "movers", bare.members[i])
    return rest


@over_rules("bare")
def bare_outcome(bare, outcome, rules, position):
    """The outcome if exactly one side is bare, else `outcome`."""
    side = np.int64(position.side)
    own, enemy = popcount(_company(bare, position, side)), popcount(_company(bare, position, 1 - side))
    if own == 0 and enemy > np.int64(bare.reply):
        return np.int64(LOST_BARE)
    if bare.reply and enemy == 0 and own > 0:
        return np.int64(WON_BARE)
    return outcome


@over_rules("bare")
def last_company(bare, found, rules, position):
    """The only piece because of which the side to move is not bare, as a bitboard, else `found`."""
    company = _company(bare, position, np.int64(position.side))
    return company if popcount(company) == 1 else found


MECHANIC = Mechanic(
    keys=("bare_king",),
    read=read,
    facts=facts,
    rules=(Rule("bare king", "Special rules", sentences),),
    after_move=bare_outcome,
    at_setup=bare_outcome,
    quiet_moves_end=False,
)
