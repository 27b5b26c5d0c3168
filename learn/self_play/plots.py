"""A plot of the statistics of a file of self-play games, with matplotlib (extra `plot`)."""

from pathlib import Path

import numpy as np

from ...eval.terms.weights import NORMAL_SCALE
from ...match.results.plots import sheet
from .statistics import PHASES, SCORE_STEP, Statistics

SIZE = (10.0, 7.0)  # inches


def plot_statistics(found: Statistics, path: str | Path, title: str) -> None:
    """Draws `Statistics`: lengths of games, scores, points by score beside the logistic curve, and pieces.
    Raises ValueError for an unknown picture format."""
    with sheet(path, SIZE, title) as figure:
        lengths, scores, points, pieces = figure.subplots(2, 2).flat
        lengths.hist(found.plies, bins=50)
        lengths.set(xlabel="plies", ylabel="games", title="Lengths")
        middles, counts, means = found.by_score()
        scores.bar(middles, counts, SCORE_STEP * 0.9)
        scores.set(xlabel="centipawns, White's", ylabel="positions", title="Scores")
        points.plot(middles, means, "o", label="games")
        points.plot(middles, 1 / (1 + np.exp(-np.array(middles) / NORMAL_SCALE)), label="scale of scores")
        points.set(xlabel="centipawns, White's", ylabel="White's points", title="Points by score")
        points.legend()
        phases = found.by_phase()
        pieces.bar(range(len(phases)), [count for *_, count in phases])
        pieces.set_xticks(range(len(phases)), [f"{least}-{most}" for least, most, _ in phases], fontsize=6)
        pieces.set(xlabel="pieces on the board", ylabel="positions", title=f"Phases, {PHASES} at most")
