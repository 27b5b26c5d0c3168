"""What a search tells: scores, reports on its lines, and its result."""

from __future__ import annotations

import math
from typing import NamedTuple

from ..engine.game.moves import Move
from ..eval.terms.weights import NORMAL_SCALE
from .tree.parameters import DECISIVE, MATE, MATE_BOUND


class Line(NamedTuple):
    """A first move with what follows, and its score as the search counts."""

    value: int
    moves: tuple[Move, ...]


class Score(NamedTuple):
    """A score for the side to move: `centipawns`, and moves to `mate`, negative when being mated.

    Centipawns are the same in every game: NORMAL_SCALE of them stand for a win in 73 of 100 games."""

    centipawns: int
    mate: int | None = None

    @classmethod
    def of(cls, value: int, scale: float = NORMAL_SCALE) -> Score:
        """Convert a search value (internal units, mates counted in plies) to centipawns or moves to mate.

        `scale` is that of the evaluation: what it counts for a win in 73 of 100 games."""
        if abs(value) < DECISIVE:
            return cls(round(value * NORMAL_SCALE / scale))
        if abs(value) < MATE_BOUND:
            return cls(value)
        plies = MATE - abs(value)
        moves = (plies + 1) // 2
        return cls(value, moves if value > 0 else -moves)

    def value(self, scale: float = NORMAL_SCALE) -> int:
        """Convert this score to a search value, for an evaluation of that `scale`; the inverse of `of`."""
        if self.mate is None:
            return max(1 - DECISIVE, min(DECISIVE - 1, round(self.centipawns * scale / NORMAL_SCALE)))
        plies = 2 * abs(self.mate) - (self.mate > 0)
        return int(math.copysign(max(MATE_BOUND, MATE - plies), self.mate))

    def __str__(self) -> str:
        return f"{self.centipawns / 100:+.2f}" if self.mate is None else f"mate {self.mate}"


class Info(NamedTuple):
    """A report on a line of a finished iteration, the best one with `multipv` 1; `time` in seconds,
    `hashfull` in permille.

    With `bound` the iteration is not finished, and the score is at least ("lower") or at most ("upper") that.
    """

    depth: int
    seldepth: int
    score: Score
    nodes: int
    time: float
    nps: int
    hashfull: int
    pv: tuple[Move, ...]
    multipv: int = 1
    bound: str = ""


class Current(NamedTuple):
    """The root move that a search looks at, the `number`th of `total`, `depth` plies deep."""

    depth: int
    move: Move
    number: int
    total: int


class PlayResult(NamedTuple):
    """The result of a search. `move` is None when there was no legal move; `time` in seconds.

    `seldepth` is the longest line in plies, `hashfull` how full the table is, in permille. Where a search was
    limited by time alone and the game goes on, `pv` has an expected reply."""

    move: Move | None
    score: Score
    depth: int
    nodes: int
    pv: tuple[Move, ...]
    time: float
    seldepth: int = 0
    hashfull: int = 0
