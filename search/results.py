"""Scores, reports on the lines of a search, and its result."""

from __future__ import annotations

import math
from typing import NamedTuple

from ..engine.game.moves import Move
from ..engine.notation.comments import WhiteScore
from ..eval.terms.weights import NORMAL_SCALE
from .tree.parameters import DECISIVE, MATE, MATE_BOUND


class Line(NamedTuple):
    """A line and its score as a search value."""

    value: int
    moves: tuple[Move, ...]


class Score(NamedTuple):
    """A score for the side to move: `centipawns`, and moves to `mate`, negative for the side that is mated.
    Centipawns have the same meaning in every game: +250 wins 73 of 100 games."""

    centipawns: int
    mate: int | None = None

    @classmethod
    def of(cls, value: int, scale: float = NORMAL_SCALE) -> Score:
        """Convert a search value (internal units, mates counted in plies) to centipawns or moves to mate.

        `scale` is the search value at which the evaluation expects to win 73 of 100 games."""
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

    def white(self, turn: int, depth: int = 0) -> WhiteScore:
        """The score for White if the colour `turn` is to move, as `GameNode.set_eval` takes it; `depth` is
        that of the search in plies."""
        sign = -1 if turn else 1
        if self.mate is not None:
            return WhiteScore(None, sign * self.mate, depth)
        return WhiteScore(sign * self.centipawns, None, depth)

    def __str__(self) -> str:
        return f"{self.centipawns / 100:+.2f}" if self.mate is None else f"mate {self.mate}"


class Info(NamedTuple):
    """A report on a line of an iteration; the best line has `multipv` 1.

    `depth` and `seldepth` are in plies, `time` in seconds, `nps` is nodes per second, `hashfull` the used
    part of the table in permille. `bound` is empty, or, in an unfinished iteration, "lower" or "upper": the
    score is at least or at most that.
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
    """The root move that is searched at `depth` plies, number `number` of `total`."""

    depth: int
    move: Move
    number: int
    total: int


class PlayResult(NamedTuple):
    """The result of a search: the best `move`, None if there is no legal one, its `score` and its line `pv`.

    `depth` and `seldepth`, the longest line, are in plies, `time` in seconds, `hashfull` is the used part of
    the table in permille. `is_provisional`: the search was not compiled yet, or was stopped while it waited
    for another one, and the move comes from a search of one ply. A search that was limited by time alone
    gives at least two moves in `pv` unless the game ends."""

    move: Move | None
    score: Score
    depth: int
    nodes: int
    pv: tuple[Move, ...]
    time: float
    seldepth: int = 0
    hashfull: int = 0
    is_provisional: bool = False
