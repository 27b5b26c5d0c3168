"""A plot of piece values with matplotlib (extra `plot`)."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...match.results.plots import sheet

if TYPE_CHECKING:
    from ...engine.game.description import Description
    from .piece_values import Values

BAR = 0.38  # width as a share of the room of a piece


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
