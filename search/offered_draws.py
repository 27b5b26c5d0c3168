"""Moves that end the game as a draw at once, which a search of a game with passes keeps apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..engine.mechanics.facing_kings import DRAW_BY_FACING
from ..engine.mechanics.passing import DRAW_BY_PASSES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.game.moves import Move
    from ..engine.position import Position

DRAWS = (DRAW_BY_PASSES, DRAW_BY_FACING)
DRAW_MARGIN = 30  # centipawns; who stands worse by less plays on, for an evaluation errs by as much


def offered_draws(position: Position, moves: Sequence[Move]) -> list[Move]:
    """Those of the legal `moves` that draw by the second pass, or by kings that go on facing each other; none
    where a pass would not draw, and none where all do.

    A search would take such a draw too readily: it is worth exactly 0, and the moves after it are searched
    with less depth.
    """
    after = position.copy()
    passing = next((move for move in moves if move.is_pass), None)
    if passing is None or not _draws(after, passing):
        return []
    found = [move for move in moves if _draws(after, move)]
    return found if len(found) < len(moves) else []


def _draws(position: Position, move: Move) -> bool:
    """Whether the game is drawn with the move, which is taken back again."""
    position.push(move)
    outcome = int(position.state["outcome"])
    position.pop()
    return outcome in DRAWS
