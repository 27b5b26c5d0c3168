"""Promotion squares of Black that are those of White on the turned board, not on the mirrored one. The facts
of promotions have them by side, see `piece_plan`."""

from typing import Any

from ..game.description import Description
from ..game.table_reader import GameReader, TableReader
from .mechanic import Mechanic, Rule


def read(game: GameReader) -> dict[str, Any]:
    """`promotion_turned`: whether Black's promotion squares are White's after half a turn of the board."""
    return {"promotion_turned": game.top.table_at("promotion", {}).get("turned", bool, False)}


def check(turned: bool, top: TableReader, description: Description) -> None:
    if not any(piece.promotion_squares for piece in description.pieces):
        raise top.error("promotion.turned", "needs promotion.squares")
    if any(piece.region for piece in description.pieces):
        raise top.error("promotion.turned", "cannot be combined with regions of pieces")


def sentences(turned: bool, description: Description) -> list[str]:
    return ["For Black turn the board by half a turn."]


MECHANIC = Mechanic(
    of="promotion_turned",
    keys=("promotion.turned",),
    read=read,
    check=check,
    rules=(Rule("turned promotion squares", "Promotion", sentences),),
)
