"""Names of openings, by position: the lines of `openings/GAME.txt`, for the games that have such a file."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from ..engine.position import Position
from ..engine.variant import Variant

KEY_FIELDS = 3  # of a FEN that make a position of an opening: board, side to move, castling
NO_CODE = "-"


class OpeningName(NamedTuple):
    """An opening: its code in the Encyclopaedia of Chess Openings, "" for none, and its name."""

    code: str
    name: str

    def __str__(self) -> str:
        return f"{self.code} {self.name}".strip()


def opening_of(position: Position) -> OpeningName | None:
    """The opening whose last named position this is; None for any other position."""
    table = _openings(position.variant)
    return table.get(_key(position)) if table else None


def _key(position: Position) -> tuple[str, ...]:
    return tuple(position.fen().split()[:KEY_FIELDS])


@cache
def _openings(variant: Variant) -> "Mapping[tuple[str, ...], OpeningName]":
    """The openings of a game by the keys of their positions."""
    path = files("surajang.board").joinpath("openings", f"{variant}.txt")
    if not path.is_file():
        return {}
    found: dict[tuple[str, ...], OpeningName] = {}
    position, played = Position(variant), list[str]()
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            head, moves = line.rsplit(": ", 1)
            code, name = head.split(" ", 1)
            wanted = moves.split()
            while played != wanted[: len(played)]:  # the file is sorted, so most moves are on the board
                position.pop()
                played.pop()
            for move in wanted[len(played) :]:
                position.push_san(move)
                played.append(move)
            found[_key(position)] = OpeningName("" if code == NO_CODE else code, name)
    return found
