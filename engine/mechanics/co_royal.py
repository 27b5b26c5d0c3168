"""Further royal kinds: like the king, none of their pieces may be attacked after the own move. They are
checked and mated like the king."""

from typing import TYPE_CHECKING, Any

from ..game.words import article, listed, names
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules
from .mechanic import Mechanic, Rule

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import load
    from ..kernel.facts import Facts

if TYPE_CHECKING:
    from ..game.description import Description
    from ..game.table_reader import GameReader, TableReader
    from ..representation.piece_plan import Plan


def read(game: "GameReader") -> dict[str, Any]:
    """`co_royal`: the letters of the kinds that are royal besides the king."""
    return {"co_royal": game.letters(game.top, "co_royal")}


def check(top: "TableReader", description: "Description") -> None:
    royal = [piece.letter for piece in description.pieces if piece.royal]
    if not description.co_royal:
        return
    if not royal or description.kings:
        raise top.error("co_royal", "needs a royal piece of each side")
    if royal[0] in description.co_royal:
        raise top.error("co_royal", f"{royal[0]!r} is royal already")
    others = {
        "drops": description.has_drops,
        "merchants": description.merchants is not None,
        "bumping": bool(description.bumping),
        "explosion": description.explosion is not None,
        "rifle_captures": bool(description.rifle_captures),
        "colour_change": bool(description.colour_change),
        "cells": description.cells is not None,
        "facing_kings": description.facing_kings is not None,
        "checked_king": bool(description.checked_king),
        "check_limit": bool(description.check_limit),
        "must_capture": description.must_capture,
        "self_capture": description.self_capture,
        "checks": description.checks_forbidden,
        "passing": description.passing,
        "setup": bool(description.setup_swaps),
        "castling.free": description.castling_free,
    }
    for name, has_it in others.items():
        if has_it:
            raise top.error("co_royal", f"cannot be combined with {name}")
    rule = description.extinction
    if rule and any(letter in rule.pieces for letter in description.co_royal):
        raise top.error(
            "co_royal", "cannot be combined with the extinction of these pieces: they are never taken"
        )


def facts(plan: "Plan") -> dict[str, Any]:
    letters = plan.description.co_royal
    if not letters:
        return {"co_royal": ()}
    members = plan.movers_of(letters)
    return {"co_royal": (Facts("co-royal", member_count=len(members), members=np.array(members, np.uint8)),)}


def sentences(description: "Description") -> list[str]:
    if not description.co_royal:
        return []
    kinds = article(listed([name.lower() for name in names(description, description.co_royal)], "or"))
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
    keys=("co_royal",),
    read=read,
    check=check,
    facts=facts,
    rules=(Rule("further royal pieces", "Special rules", sentences),),
)
