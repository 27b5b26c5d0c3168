"""The notations of moves that a game has besides SAN, by its family."""

from ..engine.game.description import Description
from ..engine.notation.traditional import check_notation
from ..engine.pictures.families import JANGGI, SHOGI, XIANGQI, family
from ..engine.position import Move, Position
from .view import read_label

OF_FAMILY = {SHOGI: ("hodges", "hosking", "usi"), XIANGQI: ("wxf",), JANGGI: ("korean",)}


def notations(game: Description) -> list[str]:
    """The notations of a game besides SAN, the usual one first."""
    found = []
    for notation in OF_FAMILY.get(family(game), ()):
        try:
            check_notation(notation, game)
        except ValueError:
            continue
        found.append(notation)
    return found


def spelled_in(position: Position, move: Move, names: list[str]) -> dict[str, str]:
    """A legal move in each of these notations; nothing for passes and setup choices."""
    if move.is_pass or move.is_choice:
        return {}
    return {name: position.notate(move, name) for name in names}


def read_move(position: Position, text: str) -> Move:
    """The legal move of a person's text, as `read_label` reads it or in a notation of the game. Raises
    MoveError."""
    try:
        return read_label(position, text)
    except ValueError:
        for name in notations(position.description):
            try:
                return position.parse_notation(text, name)
            except ValueError:
                continue
        raise
