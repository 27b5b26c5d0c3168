"""Promotions that only one side has. The generator limits promotions by side, see `rules`."""

from typing import Any

from ..game.description import REVERTING, Description
from ..game.table_reader import GameReader, TableReader
from ..game.words import listed, names
from .mechanic import Mechanic, Rule


def read(game: GameReader) -> dict[str, Any]:
    """`side_promotions`: the letters that pieces of White and of Black may promote to; empty if all may."""
    table = game.top.table_at("promotion", {})
    if not {"white", "black"} & set(table.table):
        return {"side_promotions": ()}
    return {"side_promotions": tuple(table.letters(key, game.known) for key in ("white", "black"))}


def check(top: TableReader, description: Description) -> None:
    made = {letter.removesuffix(REVERTING) for piece in description.pieces for letter in piece.promotes_to}
    for key, letters in zip(("white", "black"), description.side_promotions, strict=False):
        for letter in letters:
            if letter not in made:
                raise top.error(f"promotion.{key}", f"no piece promotes to {letter!r}")
        for piece in description.pieces:
            if piece.promotes_to and not {x.removesuffix(REVERTING) for x in piece.promotes_to} & set(
                letters
            ):
                raise top.error(f"promotion.{key}", f"leaves nothing for {piece.letter!r}")


def sentences(description: Description) -> list[str]:
    return [
        f"{colour} promotes only to {listed(names(description, letters), 'or')}."
        for colour, letters in zip(("White", "Black"), description.side_promotions, strict=False)
    ]


MECHANIC = Mechanic(
    keys=("promotion.white", "promotion.black"),
    read=read,
    check=check,
    mirrors=lambda description: len({frozenset(letters) for letters in description.side_promotions}) < 2,
    rules=(Rule("promotions by side", "Promotion", sentences),),
)
