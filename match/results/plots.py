"""Plots of a match with matplotlib (extra `plot`)."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..records.model import GameResult
from .standings import Standings, movers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..records.model import MoveRecord, Record
    from .sprt import Sprt
    from .statistics import Estimate

    Panel = Callable[[Axes], None]


try:
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator
except ImportError as error:
    raise ImportError("plots need matplotlib: pip install matplotlib") from error

__all__ = ["SUFFIXES", "MaxNLocator", "check_plot", "plot_match", "save_panels", "sheet"]
SUFFIXES = (".png", ".svg", ".pdf")
COLOURS = ("#1f6fb4", "#d1603d", "#3a923a", "#8a5fb0", "#7f6a3f", "#c45a9c", "#4f9da6", "#6b6b6b")
WIDTH, HEIGHT, DPI = 9.0, 3.1, 130  # inches, inches for each panel
POINTS = 400  # of a path over the games
RATING_POINTS = 60  # of a path of ratings, which take longer to calculate
MOST_FAINT = 100  # games drawn individually behind the median
LEAST = 0.1  # share of the games that must be in progress for the median to be drawn
EDGE = 10.0  # pawns; greater scores and mates are drawn there
FAR = 3000.0  # Elo; where an infinite error is drawn, beyond every axis


def check_plot(path: str | Path) -> Path:
    """The path as a Path. Raises ValueError for a suffix that is not in SUFFIXES."""
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise ValueError(f"plots are written as {', '.join(SUFFIXES)}, not as {path.name!r}")
    return path


@contextmanager
def sheet(path: str | Path, size: tuple[float, float], title: str = "", dpi: int = 120) -> Iterator[Figure]:
    """A figure of this size in inches, which is written to `path` at the end of the context. Raises
    ValueError for a suffix that is not in SUFFIXES."""
    path = check_plot(path)
    figure = Figure(figsize=size, layout="constrained")
    if title:
        figure.suptitle(title, wrap=True)
    yield figure
    figure.savefig(path, dpi=dpi)


def plot_match(
    records: "Iterable[Record]",
    names: Sequence[str],
    path: str | Path,
    sprt: "Sprt | None" = None,
    title: str = "",
    first: "Sequence[Panel]" = (),
) -> None:
    """Draws a match: the `first` panels, Elo over the games with 95 % band, the path of an SPRT, scores and
    times by move.

    `records` in the order in which they came. Raises ValueError for a suffix that is not in SUFFIXES.
    """
    records = [record for record in records if record.score != GameResult.UNKNOWN]
    places, elos, ratios = _paths(records, names, sprt)
    panels: list[Panel] = [*first, partial(_draw_elo, names=names, places=places, elos=elos)]
    if sprt:
        panels.append(partial(_draw_llr, sprt=sprt, places=places, ratios=ratios))
    panels += [partial(draw, records=records, names=names) for draw in (_draw_scores, _draw_times)]
    many = "" if len(records) == 1 else "s"
    save_panels(panels, title or f"{' - '.join(names)}, {len(records)} game{many}", path)


def save_panels(panels: "Sequence[Panel]", title: str, path: str | Path) -> None:
    """Writes a `sheet` with the panels below each other. Raises ValueError as that does."""
    with sheet(path, (WIDTH, HEIGHT * len(panels) + 0.4), title, DPI) as figure:
        for axes, panel in zip(figure.subplots(len(panels), squeeze=False)[:, 0], panels, strict=True):
            panel(axes)
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
            axes.grid(alpha=0.25)
            labels = len(axes.get_legend_handles_labels()[1])
            if labels:  # above the panel, where the legend covers nothing
                place: dict[str, Any] = {"loc": "lower left", "bbox_to_anchor": (0, 1), "borderaxespad": 0.1}
                axes.legend(ncols=3 if labels == 3 else 2, fontsize="small", frameon=False, **place)


def colour(engine: int) -> str:
    """The colour of an engine in every panel."""
    return COLOURS[engine % len(COLOURS)]


def _paths(
    records: "Sequence[Record]", names: Sequence[str], sprt: "Sprt | None"
) -> "tuple[list[int], list[list[Estimate]], list[float]]":
    """(games, Elo estimates, log-likelihood ratio) at POINTS or RATING_POINTS places at most, and the end."""
    two = len(names) == 2
    step = max(1, math.ceil(len(records) / (POINTS if two else RATING_POINTS)))
    standings = Standings(names)
    places: list[int] = []
    elos: list[list[Estimate]] = []
    ratios: list[float] = []
    for record in records:
        standings.add(record)
        if standings.played % step == 0 or record is records[-1]:
            places.append(standings.played)
            elos.append([standings.elo(0)] if two else standings.ratings())
            if sprt:
                ratios.append(sprt.llr(standings.between(0, 1)))
    return places, elos, ratios


def _path_style(places: Sequence[int]) -> dict[str, Any]:
    """The style of a path: with markers where it has one or two points, which a line would not show."""
    return {"marker": "o"} if len(places) < 3 else {}


def _draw_elo(
    axes: "Axes", names: Sequence[str], places: Sequence[int], elos: "Sequence[Sequence[Estimate]]"
) -> None:
    two = len(names) == 2
    for engine in range(1 if two else len(names)):
        path = [estimates[engine] for estimates in elos]
        values = [estimate.value if math.isfinite(estimate.value) else math.nan for estimate in path]
        label = f"{names[engine]}: {path[-1]}" if path else names[engine]
        axes.plot(places, values, color=colour(engine), label=label, **_path_style(places))
        if two and path:
            low, high = zip(*map(_band, path), strict=True)
            shade: dict[str, Any] = {"alpha": 0.2, "linewidth": 0, "label": "95 %"}
            axes.fill_between(places, low, high, color=colour(engine), **shade)
    axes.axhline(0, color="black", linewidth=0.8)
    if not any(math.isfinite(estimate.value) for estimates in elos for estimate in estimates):
        why = "all points went to one side: Elo has no bound" if elos else "no games"
        axes.text(0.5, 0.6, why, transform=axes.transAxes, ha="center")
    axes.set_ylim(*_elo_limits(places, elos, two))
    axes.set_xlim(0, 1.02 * max(places, default=1))
    axes.set_xlabel("games")
    axes.set_ylabel(f"Elo over {names[1]}" if two else "rating (Elo, average 0)")


def _band(estimate: "Estimate") -> tuple[float, float]:
    """The ends of the 95 % band; nan where there is none."""
    if not math.isfinite(estimate.value) or math.isnan(estimate.error):
        return math.nan, math.nan
    error = min(estimate.error, FAR)
    return estimate.value - error, estimate.value + error


def _elo_limits(
    places: Sequence[int], elos: "Sequence[Sequence[Estimate]]", bands: bool
) -> tuple[float, float]:
    """Limits that fit all but the first eighth of the games, where the band is very wide."""
    late = [
        estimate
        for place, estimates in zip(places, elos, strict=True)
        for estimate in estimates
        if place >= places[-1] / 8
    ]
    ends = [end for estimate in late for end in (estimate.value, *(_band(estimate) if bands else ()))]
    ends = [end for end in ends if math.isfinite(end) and abs(end) < FAR / 2]
    low, high = min(ends, default=0.0), max(ends, default=0.0)
    margin = max(0.1 * (high - low), 20)
    return min(low, 0) - margin, max(high, 0) + margin


def _draw_llr(axes: "Axes", sprt: "Sprt", places: Sequence[int], ratios: Sequence[float]) -> None:
    axes.plot(places, ratios, color=colour(0), label="log-likelihood ratio", **_path_style(places))
    for bound, name, shade in ((sprt.upper, "H1", "#3a923a"), (sprt.lower, "H0", "#b03030")):
        axes.axhline(bound, color=shade, linestyle="--", label=f"{name} accepted at {bound:+.2f}")
    axes.axhline(0, color="black", linewidth=0.8)
    margin = 0.12 * (sprt.upper - sprt.lower)
    axes.set_ylim(min([sprt.lower, *ratios]) - margin, max([sprt.upper, *ratios]) + margin)
    axes.set_xlim(0, 1.02 * max(places, default=1))
    axes.set_xlabel("games")
    axes.set_ylabel(f"LLR of the SPRT, {sprt}")


def _draw_scores(axes: "Axes", records: "Sequence[Record]", names: Sequence[str]) -> None:
    def look(ply: "MoveRecord") -> float:
        if ply.mate is not None:
            return math.copysign(EDGE, ply.mate)
        return math.nan if ply.score is None else max(-EDGE, min(EDGE, ply.score / 100))

    drawn = _draw_by_move(axes, records, names, look)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_ylabel(f"own score (pawns, cut at ±{EDGE:g})")
    reach = 1.06 * max(1.0, max(map(abs, drawn), default=0.0))
    axes.set_ylim(-reach, reach)


def _draw_times(axes: "Axes", records: "Sequence[Record]", names: Sequence[str]) -> None:
    drawn = _draw_by_move(axes, records, names, lambda ply: ply.seconds)
    axes.set_ylabel("time for the move (seconds)")
    # A few moves that took very long must not set the scale for all others.
    top = float(np.quantile(drawn, 0.998)) if drawn else 0.0
    axes.set_ylim(0, 1.1 * top if top > 0 else 1)


def _draw_by_move(
    axes: "Axes", records: "Sequence[Record]", names: Sequence[str], look: "Callable[[MoveRecord], float]"
) -> list[float]:
    """Draws the median of `look(ply)` by engine and move, the quartiles, and the individual games.

    Moves are each engine's own, counted from the end of the opening. The median ends where less than LEAST of
    the games are in progress; more games than MOST_FAINT are not drawn individually. Returns all values
    drawn."""
    by_move: list[defaultdict[int, list[float]]] = [defaultdict(list) for _ in names]
    alone, faint = len(records) == 1, 1 < len(records) <= MOST_FAINT
    drawn: list[float] = []
    for record in records:
        for engine, values in _by_engine(record, look).items():
            for move, value in enumerate(values, 1):
                if not math.isnan(value):
                    by_move[engine][move].append(value)
            if faint:
                line: dict[str, Any] = {"color": colour(engine), "alpha": 0.12, "linewidth": 0.7}
                axes.plot(range(1, len(values) + 1), values, **line)
                drawn += [value for value in values if not math.isnan(value)]
    for engine, moves in enumerate(by_move):
        if moves:
            drawn += _draw_median(axes, engine, moves, names[engine], alone)
    axes.set_xlabel("own moves since the opening")
    axes.set_xlim(left=0)
    return drawn


def _draw_median(
    axes: "Axes", engine: int, values: Mapping[int, list[float]], name: str, alone: bool
) -> list[float]:
    """Draws {move: values} of an engine. Returns the quartiles that are drawn."""
    least = LEAST * max(map(len, values.values()))
    moves = sorted(move for move in values if len(values[move]) >= least)
    low, middle, high = np.array([np.quantile(values[move], (0.25, 0.5, 0.75)) for move in moves]).T
    label = name if alone else f"{name}: median and quartiles"
    axes.plot(moves, middle, color=colour(engine), label=label, marker="." if alone else None)
    axes.fill_between(moves, low, high, color=colour(engine), alpha=0.2, linewidth=0)
    return [*low.tolist(), *high.tolist()]


def _by_engine(record: "Record", look: "Callable[[MoveRecord], float]") -> dict[int, list[float]]:
    """{engine: [look(ply) of its moves]} of a game."""
    values: dict[int, list[float]] = {record.game.white: [], record.game.black: []}
    for engine, ply in zip(movers(record), record.plies, strict=False):
        values[engine].append(look(ply))
    return values
