"""A plot of a training run with matplotlib (extra `plot`): its errors and its rate by epoch."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...match.results.plots import MaxNLocator, sheet

if TYPE_CHECKING:
    from .training import Epoch

SIZE = (8.0, 6.0)  # inches


def plot_training(history: "Sequence[Epoch]", path: str | Path, title: str) -> None:
    """Draws the `Epoch`s of a run. Raises ValueError for an unknown picture format."""
    epochs = [epoch.epoch for epoch in history]
    with sheet(path, SIZE, title) as figure:
        errors, rates = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
        errors.plot(epochs, [epoch.loss for epoch in history], "o-", label="training")
        errors.plot(epochs, [epoch.held_out for epoch in history], "o-", label="held out")
        errors.set(ylabel="mean error")
        errors.legend()
        rates.plot(epochs, [epoch.rate for epoch in history], "o-", color="grey")
        rates.set(xlabel="epoch", ylabel="Adam's rate", yscale="log")
        rates.xaxis.set_major_locator(MaxNLocator(integer=True))
