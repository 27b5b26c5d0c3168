"""Openings of a study from the start of a game: good moves drawn at random, so that games differ.

A search of fixed nodes plays the same game each time. So the first moves of a game are drawn among those that
a short search finds about as good as the best one, with a chance that falls with what they lose (a softmax of
the scores). The study of N. Tomašev, U. Paquet, D. Hassabis and V. Kramnik, "Assessing Game Balance with
AlphaZero" (2020), draws the first moves of its games as well.
"""

import math
from collections.abc import Callable

import numpy as np

from ...engine.position import Position
from ...engine.variant import Variant
from ...search.engine import Engine, Limit
from ...search.tree.parameters import MATE_BOUND

PLIES = 6  # that are drawn at first
MOST_PLIES = 16  # that are drawn where shorter lines give no new opening
NODES = 1_000  # of the search of each position
LINES = 8  # best moves of each position
TEMPERATURE = 20  # centipawns by which a move is worse that is drawn 1 / e times as often
MOST_LOSS = 60  # centipawns that a move may be worse than the best
PATIENCE = 50  # lines in a row without a new one, after which openings become a ply longer
HASH_MB = 1

Choice = tuple[tuple[str, ...], tuple[float, ...]]  # moves and their chances


class StartOpenings:
    """Draws different openings of a game. The openings of a seed are always the same, and a greater number
    begins with those of a smaller one. They begin with the game's start, or with a FEN."""

    def __init__(
        self, variant: Variant, seed: int, engine: Engine | None = None, fen: str | None = None
    ) -> None:
        self._position = Position(variant, fen)
        self._engine = engine or Engine(variant, hash_mb=HASH_MB)
        self._random = np.random.default_rng(seed)
        self._choices: dict[int, Choice] = {}  # by the key of the position
        self.plies = PLIES

    def draw(
        self,
        count: int,
        progress: Callable[[int], object] = lambda done: None,
        stop: Callable[[], bool] = lambda: False,
    ) -> list[tuple[int, ...]]:
        """Up to `count` openings as codes of moves, fewer where the game has no more. An opening ends early
        where the game does. No two end in the same position. After the first one `stop` may end the draw."""
        found: list[tuple[int, ...]] = []
        known: set[int] = set()
        failures = 0
        while len(found) < count and self.plies <= MOST_PLIES and not (found and stop()):
            codes, key = self._line()
            if key in known:
                failures += 1
                if failures == PATIENCE:
                    failures, self.plies = 0, self.plies + 1
                continue
            known.add(key)
            failures = 0
            found.append(codes)
            progress(len(found))
        return found

    def _line(self) -> tuple[tuple[int, ...], int]:
        """(codes, key of the last position) of one line, drawn at random."""
        position = self._position
        while position.ply < self.plies and position.result() is None:
            moves, chances = self._choice()
            position.push(moves[self._random.choice(len(moves), p=chances)])
        found = tuple(move.code for move in position.moves), position.key
        while position.ply:
            position.pop()
        return found

    def _choice(self) -> Choice:
        """The moves of the position that may be drawn, with their chances."""
        position = self._position
        if position.key not in self._choices:
            self._choices[position.key] = self._searched()
        return self._choices[position.key]

    def _searched(self) -> Choice:
        legal = [move.text for move in self._position.legal_moves]
        if len(legal) == 1:
            return (legal[0],), (1.0,)
        self._engine.clear()  # so that the scores depend on the position alone
        lines = min(LINES, len(legal))
        found = self._engine.analyse(self._position, Limit(nodes=NODES * lines), multipv=lines)
        return chances_of({info.pv[0].text: info.score.centipawns for info in found if info.pv})


def chances_of(scores: dict[str, int]) -> Choice:
    """The moves within MOST_LOSS of the best by their scores in centipawns, and the chance of each. Where the
    best one mates, only the shortest mates."""
    best = max(scores.values())
    most_loss = MOST_LOSS if best < MATE_BOUND else 0  # of mates the shortest
    weights = {
        move: math.exp((score - best) / TEMPERATURE)
        for move, score in scores.items()
        if best - score <= most_loss
    }
    total = sum(weights.values())
    return tuple(weights), tuple(weight / total for weight in weights.values())
