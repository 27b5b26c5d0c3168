"""Plots of learning with matplotlib (extra `plot`): the statistics of a file of self-play games, the errors
of a training run, piece values, and the course of SPSA."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..eval.terms.weights import NORMAL_SCALE
from ..match.results.plots import MaxNLocator, sheet
from .self_play.statistics import PHASES, SCORE_STEP, Statistics

if TYPE_CHECKING:
    from ..engine.game.description import Description
    from .networks.piece_values import Values
    from .training.recipe import Epoch
    from .tuning.spsa import Spsa

STATISTICS_SIZE, TRAINING_SIZE = (10.0, 7.0), (8.0, 6.0)  # inches
BAR = 0.38  # width as a share of the room of a piece
COLUMNS, WIDTH, HEIGHT, DPI = 4, 3.2, 2.2, 110  # columns of the grid of courses; inches of one


def plot_statistics(found: Statistics, path: str | Path, title: str) -> None:
    """Draws `Statistics`: lengths of games, scores, points by score beside the logistic curve, and pieces.
    Raises ValueError for an unknown picture format."""
    with sheet(path, STATISTICS_SIZE, title) as figure:
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


def plot_training(history: "Sequence[Epoch]", path: str | Path, title: str) -> None:
    """Draws the `Epoch`s of a run. Raises ValueError for an unknown picture format."""
    epochs = [epoch.epoch for epoch in history]
    with sheet(path, TRAINING_SIZE, title) as figure:
        errors, rates = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
        errors.plot(epochs, [epoch.loss for epoch in history], "o-", label="training")
        errors.plot(epochs, [epoch.held_out for epoch in history], "o-", label="held out")
        errors.set(ylabel="mean error")
        errors.legend()
        rates.plot(epochs, [epoch.rate for epoch in history], "o-", color="grey")
        rates.set(xlabel="epoch", ylabel="Adam's rate", yscale="log")
        rates.xaxis.set_major_locator(MaxNLocator(integer=True))


def plot_values(found: "Values", description: "Description", path: str | Path, title: str) -> None:
    """Draws `Values`: bars for the values on the board and in hand, with two standard errors, the most
    valuable piece first. Raises ValueError for an unknown picture format."""
    pieces = sorted(found.pieces, key=lambda value: -np.nan_to_num(value.board, nan=value.hand))
    pieces = [value for value in pieces if not (np.isnan(value.board) and np.isnan(value.hand))]
    with sheet(path, (max(6.0, 0.7 * len(pieces)), 4.5)) as figure:
        axes = figure.subplots()
        places = np.arange(len(pieces))
        hands = not all(np.isnan(value.hand) for value in pieces)
        bars = [("on the board", -BAR / 2 * hands, [(v.board, v.board_error) for v in pieces])]
        if hands:
            bars.append(("in hand", BAR / 2, [(v.hand, v.hand_error) for v in pieces]))
        for label, shift, values in bars:
            worth, errors = np.array(values).T
            axes.bar(places + shift, worth, BAR, yerr=2 * errors, capsize=2, label=label)
        axes.plot(places, [value.file for value in pieces], "k_", markersize=14, label="in the game's file")
        names = [f"{value.piece}\n{description.piece(value.piece).name}" for value in pieces]
        axes.set_xticks(places, names, fontsize=7, rotation=45 if len(pieces) > 8 else 0)
        axes.set_ylabel("centipawns")
        axes.set_title(title, fontsize=9)
        axes.grid(axis="y", alpha=0.3)
        axes.legend()


def plot_course(spsa: "Spsa", path: str | Path, title: str) -> None:
    """Draws the course of each number over the iterations, with its start dashed. Raises ValueError for an
    unknown picture format."""
    names, course = spsa.plan.names, np.array(spsa.course)
    rows = -(-len(names) // COLUMNS)
    with sheet(path, (COLUMNS * WIDTH, rows * HEIGHT + 0.4), title, DPI) as figure:
        panels = figure.subplots(rows, COLUMNS, squeeze=False).flat
        for panel, name, values in zip(panels, names, course.T, strict=False):
            panel.plot(values, linewidth=1)
            panel.axhline(values[0], linestyle="--", linewidth=0.8, color="grey")
            panel.set_title(name, fontsize=9)
            panel.tick_params(labelsize=7)
        for panel in list(figure.axes)[len(names) :]:
            panel.set_axis_off()
