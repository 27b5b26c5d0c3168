"""A game of Fairy-Stockfish's files while it is read: its pieces, its start, and what is asked of both."""

import re
from dataclasses import dataclass, field
from typing import Any

from ..game import betza
from .keys import Keys


@dataclass
class Piece:
    """A kind of piece while its game is read: `letter` is lower case, `kind` the key that gives it."""

    letter: str
    kind: str
    moves: str
    name: str
    extra: dict[str, Any] = field(default_factory=dict)  # what else our file says of it

    @property
    def royal(self) -> bool:
        return self.kind == "king"

    @property
    def ours(self) -> str:
        """The letter in our file."""
        return self.letter.upper()


@dataclass
class ImportedGame:
    """A game while it is read. `used` are the letters of pieces that can come to the board."""

    keys: Keys
    pieces: dict[str, Piece] = field(default_factory=dict)  # by letter
    used: set[str] = field(default_factory=set)
    start: list[str] = field(default_factory=list)  # the fields of the FEN
    checks: str | None = None  # the field with counts of checks
    forms: dict[str, list[str]] = field(default_factory=dict)  # letter -> those of its promoted forms
    check_limit: int = 0
    demotes: bool = False  # promoted forms turn back where other pieces promote

    @property
    def board(self) -> str:
        return self.start[0].partition("[")[0]

    @property
    def drops(self) -> bool:
        return "[" in self.start[0]

    @property
    def castles(self) -> bool:
        return self.start[2] != "-"

    @property
    def king(self) -> Piece:
        return next(piece for piece in self.pieces.values() if piece.royal)


def letters_of(game: ImportedGame, key: str, default: str = "") -> list[str]:
    """The letters of pieces that a key names, `*` for all."""
    text = game.keys.text(key, default)
    found = [] if text == "-" else [letter for letter in text.lower() if not letter.isspace()]
    if "*" in found:
        return list(game.pieces)
    for letter in found:
        if letter not in game.pieces:
            raise game.keys.error(key, f"{letter!r} is not a piece of this game ({''.join(game.pieces)})")
    return list(dict.fromkeys(found))


def row_of(game: ImportedGame, rank: int) -> list[str]:
    """What stands on a rank of the start, by file."""
    rows = game.board.split("/")
    if rank > len(rows):
        return []
    return list(re.sub(r"\d+", lambda gap: " " * int(gap[0]), rows[len(rows) - rank]))


def stuck_ranks(game: ImportedGame, piece: Piece) -> list[int]:
    """The ranks from which a piece could never move again."""
    rides = betza.parse(piece.moves)
    if any(ride.ranks <= 0 for ride in rides):
        return []
    return list(range(game.keys.ranks - min(ride.ranks for ride in rides) + 1, game.keys.ranks + 1))
