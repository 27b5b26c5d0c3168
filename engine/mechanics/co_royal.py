"""Further royal kinds: like the king, none of their pieces may be attacked after the own move. They are
checked and mated like the king."""

from typing import Any

from ..game.description import Description
from ..game.table_reader import GameReader, TableReader
from ..game.words import article, listed, names
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules
from .mechanic import Mechanic, Rule, refuse_together

with deferred_imports():
    from ..kernel.bitboard import load
    from ..kernel.facts import Facts
    from ..representation.piece_plan import Plan, counted


def read(game: GameReader) -> dict[str, Any]:
    """`co_royal`: the letters of the kinds that are royal besides the king."""
    return {"co_royal": game.letters(game.top, "co_royal")}


def check(letters: str, top: TableReader, description: Description) -> None:
    royal = [piece.letter for piece in description.royals]
    if not royal or description.kings:
        raise top.error("co_royal", "needs a royal piece of each side")
    if royal[0] in letters:
        raise top.error("co_royal", f"{royal[0]!r} is royal already")
    others = ("drops", "merchants", "bumping", "explosion", "rifle_captures", "colour_change", "cells")
    others += ("facing_kings", "checked_king", "check_limit", "must_capture", "self_capture", "checks")
    refuse_together(top, "co_royal", description, *others, "passing", "setup", "castling.free")
    rule = description.extinction
    if rule and any(letter in rule.pieces for letter in letters):
        raise top.error(
            "co_royal", "cannot be combined with the extinction of these pieces: they are never taken"
        )


def facts(letters: str, plan: Plan) -> Facts:
    return Facts("co-royal", **counted(members=plan.movers_of(letters)))


def sentences(letters: str, description: Description) -> list[str]:
    kinds = article(listed([name.lower() for name in names(description, letters)], "or"))
    return [
        f"Royal as well: {kinds}. After its move a side may leave none of its royal pieces attacked. Each is"
        " checked and mated like the king."
    ]


@over_rules("co_royal")
def co_royals(kinds, pieces, rules, position, side):
    """The pieces of `side` that are royal besides the king; `pieces` in games without them."""
    for i in range(kinds.member_count):
        pieces = pieces | load(position, "movers", kinds.members[i])
    return pieces & load(position, "colours", side)


MECHANIC = Mechanic(
    of="co_royal",
    fact="co_royal",
    read=read,
    check=check,
    facts=facts,
    rules=(Rule("further royal pieces", "Special rules", sentences),),
)
