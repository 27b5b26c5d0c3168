"""Moves that end the game as a draw at once; a search of a game with passes treats them separately."""

from __future__ import annotations

from collections.abc import Sequence

from ..engine.game.moves import Move
from ..engine.mechanics.facing_kings import DRAW_BY_FACING
from ..engine.mechanics.passing import DRAW_BY_PASSES
from ..engine.position import Position

DRAWS = (DRAW_BY_PASSES, DRAW_BY_FACING)
# Centipawns; a side that is worse by less plays on, because the evaluation is no more accurate
DRAW_MARGIN = 30


def offered_draws(position: Position, moves: Sequence[Move]) -> list[Move]:
    """Those of the legal `moves` that draw by the second pass, or by kings that still face each other; none
    if a pass would not draw, or if all moves draw. A search would accept such a draw too readily: its score
    is exactly 0, and the moves after it are searched with less depth."""
    after = position.copy()
    passing = next((move for move in moves if move.is_pass), None)
    if passing is None or not _draws(after, passing):
        return []
    found = [move for move in moves if _draws(after, move)]
    return found if len(found) < len(moves) else []


def _draws(position: Position, move: Move) -> bool:
    """Whether the game is drawn with the move, which is taken back."""
    position.push(move)
    outcome = int(position.state["outcome"])
    position.pop()
    return outcome in DRAWS
