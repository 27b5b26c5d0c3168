"""The data of the game on the board, and of all games, for a page."""

import random

from ..engine.definition import catalogue
from ..engine.definition.shuffled_starts import count_starts, shuffled_start
from ..engine.game.description import Description, VariantError
from ..engine.pictures.families import SHOGI, family, sides
from ..engine.pictures.piece_set import LETTER_STYLE, board_style, picture_set, styles
from ..engine.variant import Variant
from .notations import notations


def game_message(game: Description) -> dict[str, object]:
    """The board, the pieces with their pictures, and the special properties of the game."""
    facts = ("letter", "name", "royal", "promoted", "value")
    style = board_style(game)
    return {
        "type": "game",
        "variant": game.name,
        "title": game.title,
        "files": game.files,
        "ranks": game.ranks,
        "startFen": game.start_fen,
        "pieces": [{fact: getattr(piece, fact) for fact in facts} for piece in game.pieces],
        "hand": [piece.letter for piece in game.hand_pieces],
        "pictures": {style: picture_set(game, style) for style in styles(game)},
        "style": style["kind"],
        **{name: style[name] for name in ("diagonals", "stars", "river", "points", "holes", "cells")},
        "rotating": _rotating_styles(game),
        "setup": start_before_setup(game) is not None,
        "starts": count_starts(game),
        **_siblings(game),
        "passing": game.passing,
        "walls": game.walls is not None,
        "choosesWalls": game.walls is not None and game.walls.chosen,
        "sides": sides(game),
        "notations": notations(game),
    }


def _rotating_styles(game: Description) -> list[str]:
    """The styles whose pieces rotate with the board, because those of the other side point down: all of shogi
    but letters."""
    return [style for style in styles(game) if style != LETTER_STYLE] if family(game) == SHOGI else []


def start_before_setup(game: Description) -> str | None:
    """The FEN of a game's start before its setup phase; None for a game that has none, or always begins with
    it."""
    fields = game.start_fen.split()
    if not game.setup_swaps or "S" in fields[2]:
        return None
    fields[2] = "Ss" if fields[2] == "-" else fields[2] + "Ss"
    return " ".join(fields)


def _siblings(game: Description) -> dict[str, str]:
    """The name of the same game with `shuffled` starts, and of the one with a `fixed` start; "" for none."""
    if not game.castling or not (game.castling_free or game.name in catalogue.available()):
        return {"shuffled": "", "fixed": ""}
    if game.castling_free:
        renamed = {other: name for name, other in catalogue.FREED.items()}
        fixed = renamed.get(game.name, game.name.removesuffix(catalogue.FREE_SUFFIX))
        return {"shuffled": game.name, "fixed": fixed if fixed in catalogue.available() else ""}
    shuffled = catalogue.freed(game.name)
    counted = shuffled and count_starts(Variant(shuffled).description) > 1
    return {"shuffled": shuffled or "" if counted else "", "fixed": game.name}


def random_start(game: Description) -> str | None:
    """The FEN of a start that is drawn, where king and rooks castle from any files; None for other games."""
    if not game.castling_free:
        return None
    return shuffled_start(game, random.randrange(count_starts(game)))


def titles() -> list[dict[str, str]]:
    """Name and title of every game."""
    return [{"name": name, "title": _title(name)} for name in catalogue.available()]


def _title(name: str) -> str:
    try:
        return Variant(name).description.title
    except VariantError:
        return name
