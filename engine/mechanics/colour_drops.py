"""Drops that keep a kind of piece on squares of both colours: as many light as dark, or one more."""

from typing import Any

from ..game.description import REVERTING, Description
from ..game.table_reader import GameReader, TableReader
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules
from .mechanic import Mechanic, Rule

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import load, popcount
    from ..kernel.facts import Facts
    from ..representation.piece_plan import Plan, counted


def read_pieces(game: GameReader) -> dict[str, dict[str, Any]]:
    """`both_colours`: drops keep half of them on light squares and half on dark ones."""
    letters = game.top.table_at("drops", {}).letters("both_colours", game.known)
    return {"both_colours": dict.fromkeys(letters, True)}


def check(top: TableReader, description: Description) -> None:
    for piece in description.pieces:
        if piece.both_colours and not piece.droppable:
            raise top.error("drops.both_colours", f"{piece.letter!r} is not among drops.pieces")


def facts(plan: Plan) -> dict[str, Any]:
    geometry = plan.geometry
    light = geometry.light_squares()
    return {
        "colour_drops": tuple(
            Facts(
                "colour-drop",
                hand=hand,
                **counted(members=_members(plan, letter)),
                colours=plan.table([light, geometry.board & ~light]),
            )
            for hand, letter in enumerate(plan.hand)
            if plan.description.piece(letter).both_colours
        )
    }


def _members(plan: Plan, letter: str) -> list[int]:
    """The movers of a kind, with those that a promotion has made of it."""
    return plan.movers_of({letter, letter + REVERTING} & plan.mover_index.keys())


def sentences(description: Description) -> list[str]:
    return [
        f"{piece.name}: half of a side's are dropped on light squares and half on dark ones, and other drops"
        " must leave room for that."
        for piece in description.pieces
        if piece.both_colours
    ]


@over_rules("colour_drops")
def colour_targets(drop, targets, rules, position, side, hand):
    """`targets` of a drop without those that leave too many of the kind, or too little room, on a colour.

    Of all pieces of a side, on the board, promoted ones included, and in hand, at most half, rounded up, may
    be dropped on squares of one colour; any other drop must leave squares for half of them, rounded down, on
    each."""
    count = np.int64(position.hands[side, drop.hand])
    own = rules.empty
    for i in range(drop.member_count):
        own = own | load(position, "movers", drop.members[i])
    own = own & load(position, "colours", side)
    total = count + popcount(own)
    if hand == drop.hand:
        for i in range(2):
            if popcount(own & drop.colours[i]) + 1 > (total + 1) // 2:
                targets = targets & ~drop.colours[i]
        return targets
    occupied = load(position, "colours", 0) | load(position, "colours", 1)
    room = own | (rules.drop_squares[side, drop.hand] & ~occupied)
    for i in range(2):
        left = popcount(room & drop.colours[i])
        if left < total // 2:
            return rules.empty
        if left == total // 2:
            targets = targets & ~(room & drop.colours[i])
    return targets


MECHANIC = Mechanic(
    keys=("drops.both_colours",),
    read_pieces=read_pieces,
    piece_defaults={"both_colours": False},
    check=check,
    facts=facts,
    rules=(Rule("both colours", "Drops", sentences),),
    drop_targets=colour_targets,
)
