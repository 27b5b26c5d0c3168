"""A game of Fairy-Stockfish's files during its import: its pieces, its start, and lookups in both."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from ..game.betza import Ride
from ..game.moves import square_name
from .keys import Keys
from .piece_types import KING
from .settings import ALL, GameSettings

WHITE, BLACK = 0, 1
BOTH = frozenset({WHITE, BLACK})


@dataclass
class Piece:
    """A kind of piece during the import.

    `letter` is lower case, `kind` is the key that defines it. `rides` are its moves, including first ones, on
    a board without special squares; `moves` are those without first ones, in our notation. `owners` are the
    sides that can have it. A `royal` piece is a king."""

    letter: str
    kind: str
    name: str
    royal: bool = False
    owners: set[int] = field(default_factory=set)
    rides: tuple[Ride, ...] = ()
    moves: str = ""
    region: set[int] = field(default_factory=set)  # squares to which it is restricted, for White; empty: all
    extra: dict[str, Any] = field(default_factory=dict)  # its other keys in our file

    @property
    def ours(self) -> str:
        """The letter in our file."""
        return self.letter.upper()


@dataclass
class ImportedGame:
    """A game during its import.

    `pieces` are by letter; those that can occur have owners. `forms` maps letters to those of promoted forms
    that only such a promotion makes. `targets` maps letters of pieces that promote like pawns of chess to
    those of their promoted pieces."""

    settings: GameSettings
    keys: Keys
    pieces: dict[str, Piece] = field(default_factory=dict)
    board: str = ""  # of the start, with the letters that pieces have here, and `+` before some
    hands: str = ""
    fields: list[str] = field(default_factory=list)  # fields of the start after the board
    checks: str | None = None  # the field of check counts
    forms: dict[str, str] = field(default_factory=dict)
    targets: dict[str, list[str]] = field(default_factory=dict)
    square_moves: dict[str, tuple[set[int], str]] = field(default_factory=dict)  # letter -> squares, moves
    drops: bool = False  # pieces are dropped, or enter at gates
    gates: bool = False  # pieces in hand enter at gates
    returns: bool = False  # captured pieces can be dropped by the captor

    @property
    def used(self) -> list[Piece]:
        """The pieces that can occur."""
        return [piece for piece in self.pieces.values() if piece.owners]

    @property
    def king(self) -> Piece | None:
        """The royal piece, if the game has one."""
        return next((piece for piece in self.pieces.values() if piece.royal), None)

    def of_kind(self, kind: str) -> list[Piece]:
        """All pieces in use of a kind, including promoted forms that have letters of their own."""
        return [piece for piece in self.used if kind in (piece.kind, ALL)]

    def natural(self, kind: str) -> Piece | None:
        """The piece of a kind with the letter from the file, if it is in use."""
        letter = self.settings.letters.get(kind)
        piece = self.pieces.get(letter) if letter else None
        return piece if piece and piece.owners and piece.letter not in self.forms.values() else None

    def shared(self, piece: Piece, key: str, white: set[int], black: set[int]) -> set[int]:
        """The squares, for White, that a pair of keys with the suffixes "White" and "Black" gives a piece;
        `white` and `black` are the defaults. Raises VariantError if both sides have the piece and their
        squares are not mirror images."""
        if piece.owners == BOTH:
            return self.keys.both(key, white, black)
        first, second = self.keys.sides(key, white, black)
        return first if WHITE in piece.owners else self.keys.mirrored(second)

    def zone(self, piece: Piece) -> set[int]:
        """The squares, for White, of the region where a piece would promote."""
        keys = self.keys
        if self.turned:
            white, black = keys.sides("promotionRegion", keys.rank_squares(8), keys.rank_squares(1))
            return white if WHITE in piece.owners else keys.turned(black)
        return self.shared(piece, "promotionRegion", keys.rank_squares(8), keys.rank_squares(1))

    @property
    def turned(self) -> bool:
        """Whether Black's promotion region is White's on the turned board, but not on the mirrored one."""
        keys = self.keys
        white, black = keys.sides("promotionRegion", keys.rank_squares(8), keys.rank_squares(1))
        return white != keys.mirrored(black) and white == keys.turned(black)

    def kinds(self, key: str, piece: Piece) -> list[str]:
        """The kinds in a key for the sides that have a piece. Raises VariantError if the sides differ."""
        found = {tuple(sorted(self.settings.sets[key][side])) for side in piece.owners}
        if len(found) > 1:
            raise self.settings.error(key, "differs between the sides, which is not supported")
        return list(found.pop())

    def stuck_squares(self, piece: Piece) -> set[int]:
        """The squares, for White, from which a piece could never move again."""
        if piece.kind in ("soldier", KING):  # Fairy-Stockfish uses their moves on the whole board
            return set()
        steps = {(ride.files, ride.ranks) for ride in piece.rides if ride.quiet and not ride.initial}
        files, ranks = self.keys.files, self.keys.ranks
        return {
            square
            for square in self.keys.everywhere
            if not any(0 <= square % files + x < files and 0 <= square // files + y < ranks for x, y in steps)
        }

    def named(self, squares: Iterable[int]) -> list[str]:
        """Squares by name, whole ranks as rectangles."""
        rest, files = set(squares), self.keys.files
        names = []
        for rank in self.keys.touched(rest):
            row = self.keys.rank_squares(rank)
            if row <= rest:
                names.append(f"{square_name(min(row), files)}-{square_name(max(row), files)}")
                rest -= row
        return names + [square_name(square, files) for square in sorted(rest)]
