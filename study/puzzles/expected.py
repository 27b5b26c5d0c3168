"""The expected score of a game by the score of a search."""

import math

from ...search.results import Score

CURVE = 250 / math.log(73 / 27)  # centipawns: +250 wins 73 of 100 games, see `Score`
MOST = 10_000  # centipawns: greater scores count as so many


def expected(score: Score) -> float:
    """The expected score, 0 to 1, of a score for the side to move."""
    if score.mate is not None:
        return 1.0 if score.mate > 0 else 0.0
    return 1 / (1 + math.exp(-max(-MOST, min(MOST, score.centipawns)) / CURVE))
