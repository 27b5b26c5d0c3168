"""Promotion squares of Black that are those of White on the turned board, not on the mirrored one. The facts
of promotions have them by side, see `piece_plan`."""

from ..game.description import Description
from ..game.table_reader import TableReader
from .mechanic import Mechanic, Rule, flag


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
    read_key=flag,
    check=check,
    mirrors=lambda turned, description: False,
    rules=(Rule("turned promotion squares", "Promotion", sentences),),
)
