"""Positions as planes: arrays of float32 with the shape (planes, ranks, files), rank 1 and file a first.

There is a plane for each piece of White and of Black (1 on its squares), for each piece in each hand (its
count everywhere), for Black to move, for the target squares of en passant, for each castling right, and for
the moves without progress, in hundreds. Games with a setup phase, passes or counted checks have further
planes."""

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ...engine.game.description import FILE_LETTERS
from ...engine.position import Position
from ...engine.representation.position_record import position_dtype
from ...engine.variant import Variant
from ..self_play.array_types import unpacked

SIDES = ("White", "Black")
CLOCK = 100.0  # moves without progress that give the value 1


class Planes:
    """The planes of a game: their `shape` and `names`. Raises VariantError for an unknown game."""

    def __init__(self, variant: str) -> None:
        game, rules = Variant(variant).description, Variant(variant).rules
        self._kinds, self._squares = len(game.pieces), game.squares
        self._hands = len(game.hand_pieces)
        self._rights = 2 * len(game.castling) if game.castling_rights else 0
        self._choices, self._passes = bool(game.setup_swaps), bool(game.passing)
        self._checks = "checks" in (position_dtype(rules).names or ())
        self.names = [f"{side} {piece.name}" for side in SIDES for piece in game.pieces]
        self.names += [f"{side}'s hand: {piece.name}" for side in SIDES for piece in game.hand_pieces]
        self.names += ["Black to move", "captures in passing"]
        wings = [wing.letter for wing in game.castling] if self._rights else []
        if game.castling_mirrored:
            kings = [FILE_LETTERS[wing.king] for wing in game.castling]
            wings = [f"{letter} from {king}" for letter, king in zip(wings, kings, strict=True)]
        self.names += [f"castling {letter}" for letter in (*wings, *map(str.lower, wings))]
        self.names += [f"{side} may still choose" for side in SIDES if self._choices]
        self.names += ["the other side has passed"] * self._passes
        self.names += [f"checks that {side} needs" for side in SIDES if self._checks]
        self.names.append("moves without progress")
        self.shape = (len(self.names), game.ranks, game.files)

    def of(self, position: Position) -> npt.NDArray[np.float32]:
        """The planes of a position."""
        found: npt.NDArray[np.float32] = self.of_records(np.array([position.state]))[0]
        return found

    def of_records(self, records: npt.NDArray[np.void]) -> npt.NDArray[np.float32]:
        """The planes of several positions, given as records of `Position.state`. The first axis is the
        position."""
        white = unpacked(records["colours"][:, 0], self._squares)
        kinds = np.arange(self._kinds)[:, None]
        stands = records["board"][:, None, :] == kinds
        parts = [stands & white[:, None, :], stands & ~white[:, None, :]]
        if self._hands:
            parts += [_everywhere(records["hands"][:, side, : self._hands]) for side in (0, 1)]
        crossed = unpacked(records["crossed"], self._squares)
        parts += [_everywhere(records["side"][:, None]), crossed[:, None, :]]
        parts.append(_everywhere(_bits(records["rights"], self._rights)))
        if self._choices:
            parts.append(_everywhere(_bits(records["choices"], 2)))
        if self._passes:
            parts.append(_everywhere(records["passed"][:, None]))
        if self._checks:
            parts.append(_everywhere(records["checks"]))
        parts.append(_everywhere(records["halfmoves"][:, None] / CLOCK))
        count = len(records)
        spread = [np.broadcast_to(part, (count, part.shape[1], self._squares)) for part in parts]
        return np.concatenate(spread, axis=1, dtype=np.float32).reshape(count, *self.shape)


def _bits(numbers: npt.NDArray[Any], count: int) -> npt.NDArray[Any]:
    return numbers[:, None] >> np.arange(count) & 1


def _everywhere(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """One row of values for each position as planes of one square, for `broadcast_to`."""
    return values[:, :, None]


@cache
def planes_for(variant: str) -> Planes:
    """The `Planes` of a game (cached)."""
    return Planes(variant)
