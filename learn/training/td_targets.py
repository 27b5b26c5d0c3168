"""The outlook: what the rest of a game tells about its positions.

A search's own score is what the network knows already, a few plies deeper. The result knows all, but it is
one noisy number for a whole game. Between them lie the scores of the moves that follow. The outlook of a
position is their average, where each ply further on counts `decay` times as much as the one before it, and
the result takes what is left at the end. This is the target of TD(lambda) (R. Sutton, "Learning to predict
by the methods of temporal differences", 1988)."""

import numpy as np

from ...engine.kernel.compiler import entry_point
from ..self_play.compiled_games import NO_SCORE


@entry_point
def write_outlooks(ends, scores, results, decay, scale, found):
    """Writes White's outlook of each ply, from 0 for lost to 1 for won, to `found` (float32).

    `ends` are the indices behind the last ply of each game, `scores` White's centipawns by ply (NO_SCORE says
    nothing), `results` 1, 0 or -1 for White by game. Scores become chances by a logistic curve of `scale`
    centipawns. With a decay of 1 the outlook is the result."""
    first = np.int64(0)
    for game in range(len(ends)):
        outlook = (np.float64(results[game]) + 1.0) / 2.0
        index = np.int64(ends[game]) - 1
        while index >= first:
            score = np.int64(scores[index])
            if score != NO_SCORE:
                chance = 1.0 / (1.0 + np.exp(-np.float64(score) / scale))
                outlook = decay * outlook + (1.0 - decay) * chance
            found[index] = np.float32(outlook)
            index -= 1
        first = np.int64(ends[game])
