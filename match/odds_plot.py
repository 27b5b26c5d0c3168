"""The picture of time odds: Elo by odds, the fitted line, and the interval of the odds at which two engines
are level."""

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from .results.plots import colour

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .odds import OddsFit, OddsPoint
    from .results.plots import Panel


def odds_panel(points: "Sequence[OddsPoint]", names: tuple[str, str], fit: "OddsFit | None") -> "Panel":
    """A panel with the Elo of the first engine by time odds, and the fitted line if there is one."""
    return partial(_draw_odds, points=points, names=names, fit=fit)


def _draw_odds(
    axes: "Axes", points: "Sequence[OddsPoint]", names: tuple[str, str], fit: "OddsFit | None"
) -> None:
    """Draws Elo by the binary logarithm of the odds, so that a doubling is one unit. Where all points went to
    one side, a triangle is at the bound."""
    played = [point for point in points if point.tally.played]
    places = [math.log2(point.odds) for point in played]
    for place, point in zip(places, played, strict=True):
        elo = point.tally.elo
        value, mark = elo.value, "o"
        if math.isinf(value):
            value, mark = elo.bound, "^" if value > 0 else "v"
        error = elo.error if math.isfinite(elo.error) else None
        axes.errorbar(
            [place], [value], None if error is None else [error], fmt=mark, color=colour(0), capsize=4
        )
    if fit is not None:
        ends = np.array([*places, *([fit.level] if math.isfinite(fit.error) else [])])
        ends = np.array([ends.min(), ends.max()])
        label = f"{fit.doubling} Elo for each doubling"
        axes.plot(ends, fit.doubling.value * (fit.level - ends), color=colour(1), label=label)
    if fit is not None and math.isfinite(fit.error):
        odds, low, high = fit.odds
        label = f"level at {odds:.3g} ({low:.3g} to {high:.3g})"
        shade: dict[str, Any] = {"color": colour(1), "alpha": 0.2, "linewidth": 0, "label": label}
        axes.axvspan(fit.level - fit.error, fit.level + fit.error, **shade)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.xaxis.set_major_formatter(lambda place, _: f"{2.0**place:g}")
    axes.set_xlabel(f"odds: the time of {names[1]} as a multiple of that of {names[0]}")
    axes.set_ylabel(f"Elo of {names[0]}")
