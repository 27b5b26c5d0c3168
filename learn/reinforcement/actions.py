"""Moves of a game as action numbers from 0 to `count` - 1, and masks of the legal ones.

A number means the same in all positions. The blocks are, in this order: moves from a square to another
(`source * squares + target`; castling as in its text, a pass from the king's square to itself), one such
block for each piece that a promotion makes and for each that enters at a gate (on the rook's square as the
rook's step onto the king), drops (`piece * squares + target`), and the choices of a setup phase.
Where walls are chosen, the action is this number times the squares, plus the square of the wall."""

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ...engine.game.moves import (
    ACTION_SHIFT,
    ACTIONS,
    CASTLING,
    DROP,
    KIND_SHIFT,
    NORMAL,
    PROMOTION,
    ROOK_GATE,
    SETUP,
    WALL_SHIFT,
    IllegalMoveError,
    Move,
)
from ...engine.variant import Variant

if TYPE_CHECKING:
    import numpy.typing as npt

    from ...engine.position import Position

KINDS = 64  # limit of the encoding of moves


class Actions:
    """The actions of a game: `count` numbers. Raises VariantError for an unknown game."""

    def __init__(self, variant: str) -> None:
        game = self._game = Variant(variant).description
        kinds = {piece.letter: kind for kind, piece in enumerate(game.pieces)}
        promoted = sorted({kinds[form] for piece in game.pieces for form in piece.promotes_to})
        self._squares = game.squares
        self._layers = np.zeros(KINDS, np.int64)  # by the kind of the promoted piece
        self._layers[promoted] = np.arange(1, len(promoted) + 1)
        self._entries = 1 + len(promoted)  # the first block of entries
        self._rooks = np.zeros(game.files, np.int64)  # the file of the rook by that to which the king castles
        for wing in game.castling:
            self._rooks[wing.king_to] = wing.rook
        self._drops = (self._entries + (len(game.hand_pieces) if game.gates else 0)) * game.squares**2
        self._choices = self._drops + (len(kinds) * game.squares if game.has_drops else 0)
        self._walls = game.squares if game.walls and game.walls.chosen else 1
        self.count = (self._choices + (KINDS if game.setup_swaps else 0)) * self._walls

    def of_codes(self, codes: "npt.ArrayLike") -> "npt.NDArray[np.int64]":
        """The actions of moves, which are given as `Move.code`."""
        codes, files = np.asarray(codes, np.int64), self._game.files
        action, kind = codes >> ACTION_SHIFT & ACTIONS, codes >> KIND_SHIFT & KINDS - 1
        source, target = codes >> 8 & 255, codes & 255
        for (king, last), rook in self._game.castling_by_rook.items():
            onto = (action == CASTLING) & (source % files == king) & (target % files == last)
            target = np.where(onto, target - last + rook, target)
        layer = np.where(action == PROMOTION, self._layers[kind], 0)
        enters = ((action == NORMAL) | (action == CASTLING)) & (kind > 0)
        layer = np.where(enters, self._entries + kind % ROOK_GATE - 1, layer)
        rook = source - source % files + self._rooks[target % files]
        on_rook = enters & (kind >= ROOK_GATE)
        source, target = np.where(on_rook, rook, source), np.where(on_rook, source, target)
        found = layer * self._squares**2 + source * self._squares + target
        found = np.where(action == DROP, self._drops + kind * self._squares + target, found)
        found = np.where(action == SETUP, self._choices + kind, found)
        return found * self._walls + (codes >> WALL_SHIFT if self._walls > 1 else 0)

    def of(self, move: Move) -> int:
        """The action of a move of a `Position`."""
        if not move.code:
            raise TypeError(f"{move!r} does not belong to a position; use `position.parse_move`")
        return int(self.of_codes(move.code))

    def move(self, position: "Position", action: int) -> Move:
        """The legal move of an action. Raises IllegalMoveError."""
        codes = position.legal_codes()
        found = np.flatnonzero(self.of_codes(codes) == action)
        if not len(found):
            raise IllegalMoveError(
                str(action), "is not the action of a legal move; the action mask lists the legal ones"
            )
        return next(move for move in position.legal_moves if move.code == codes[found[0]])

    def mask(self, position: "Position") -> "npt.NDArray[np.int8]":
        """1 for each action that is a legal move, else 0."""
        mask = np.zeros(self.count, np.int8)
        mask[self.of_codes(position.legal_codes())] = 1
        return mask


@cache
def actions_for(variant: str) -> Actions:
    """The `Actions` of a game (cached)."""
    return Actions(variant)
