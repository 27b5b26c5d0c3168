"""A plot of the course of SPSA with matplotlib (extra `plot`)."""

from pathlib import Path

import numpy as np

from ...match.results.plots import sheet
from .spsa import Spsa

COLUMNS, WIDTH, HEIGHT, DPI = 4, 3.2, 2.2, 110  # columns of the grid; inches of a curve


def plot_course(spsa: Spsa, path: str | Path, title: str) -> None:
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
