"""Charts as SVG, without a library. Colours are variables of the page, for light, dark and paper."""

import math
from collections.abc import Callable, Iterable, Sequence
from xml.sax.saxutils import escape

from ..figures.balance import BalanceRow
from ..figures.character import CurvePoint
from ..figures.intervals import Interval
from ..games.plan import SOURCES
from .numbers import nodes

WIDTH, HEIGHT = 640, 260
LEFT, RIGHT, TOP, BOTTOM = 52, 16, 16, 44  # margins
BAR, GAP = 22, 8  # heights
SQUARE = 18  # of a heat map
SERIES = ("first", "second")  # classes of colours


def score_chart(rows: Sequence[BalanceRow]) -> str:
    """White's score with its interval by strength, a series for each source of openings."""
    strengths = sorted({row.nodes for row in rows})
    lows = [row.score.low for row in rows] + [0.4]
    highs = [row.score.high for row in rows] + [0.6]
    least, most = math.floor(min(lows) * 10) / 10, math.ceil(max(highs) * 10) / 10
    y = _scale(least, most, HEIGHT - BOTTOM, TOP)
    step = (WIDTH - LEFT - RIGHT) / len(strengths)
    parts = [_grid(y, [least + 0.1 * n for n in range(round((most - least) * 10) + 1)], percentage)]
    parts.append(_line(LEFT, y(0.5), WIDTH - RIGHT, y(0.5), "even"))
    for index, strength in enumerate(strengths):
        x = LEFT + step * (index + 0.5)
        parts.append(_label(x, HEIGHT - BOTTOM + 18, nodes(strength)))
        for row in (row for row in rows if row.nodes == strength):
            number = SOURCES.index(row.source)
            place, colour = x + 14 * (number - 0.5), SERIES[number]
            parts.append(_line(place, y(row.score.low), place, y(row.score.high), f"error {colour}"))
            parts.append(f'<circle class="{colour}" cx="{place:.1f}" cy="{y(row.score.value):.1f}" r="4.5"/>')
    sources = [source for source in SOURCES if any(row.source == source for row in rows)]
    parts.append(_label(WIDTH / 2, HEIGHT - 6, "nodes a move"))
    parts += _legend({f"from the {source}": SERIES[SOURCES.index(source)] for source in sources})
    return _svg(parts, "White's score by strength, with 95 % intervals")


def result_bars(rows: Sequence[BalanceRow]) -> str:
    """The shares of wins, draws and losses of each series as bars."""
    width, left = WIDTH - RIGHT - 150, 150
    parts = []
    for number, row in enumerate(rows):
        y, x = TOP + 16 + number * (BAR + GAP), float(left)
        parts.append(_label(left - 8, y + BAR * 0.7, f"{nodes(row.nodes)}, {row.source}", "end"))
        counts = row.white_wins, row.draws, row.black_wins, row.unfinished
        for name, count in zip(("white", "draw", "black", "open"), counts, strict=True):
            long = width * count / row.games
            parts.append(
                f'<rect class="{name}" x="{x:.1f}" y="{y}" width="{long:.1f}" height="{BAR}">'
                f"<title>{count} of {row.games}</title></rect>"
            )
            if long > 36:
                parts.append(
                    f'<text class="on-{name}" x="{x + long / 2:.1f}" y="{y + BAR * 0.7:.1f}" '
                    f'text-anchor="middle">{100 * count / row.games:.0f} %</text>'
                )
            x += long
    parts += _legend({"White wins": "white", "draw": "draw", "Black wins": "black", "no result": "open"})
    return _svg(parts, "Results of each series", TOP + 24 + len(rows) * (BAR + GAP))


def curve_chart(points: Sequence[CurvePoint], title: str, text: Callable[[float], str]) -> str:
    """A mean by ply with its interval as a band."""
    known = [point for point in points if point.mean.is_known]
    if len(known) < 2:
        return ""
    ends = [
        (_or(point.mean.low, point.mean.value), _or(point.mean.high, point.mean.value)) for point in known
    ]
    step = _nice(max(high for _, high in ends) / 5)
    most = step * math.ceil(max(high for _, high in ends) / step)
    y = _scale(0, most, HEIGHT - BOTTOM, TOP)
    x = _scale(known[0].ply, known[-1].ply, LEFT, WIDTH - RIGHT)
    band = [(x(point.ply), y(max(0.0, low))) for point, (low, _) in zip(known, ends, strict=True)]
    band += [(x(point.ply), y(high)) for point, (_, high) in reversed([*zip(known, ends, strict=True)])]
    line = [(x(point.ply), y(point.mean.value)) for point in known]
    parts = [_grid(y, [step * n for n in range(round(most / step) + 1)], text)]
    parts.append(f'<polygon class="band" points="{_points(band)}"/>')
    parts.append(f'<polyline class="curve" points="{_points(line)}"/>')
    ticks = _nice(max(1, known[-1].ply / 8))
    for ply in range(0, known[-1].ply + 1, max(1, round(ticks))):
        if ply >= known[0].ply:
            parts.append(_label(x(ply), HEIGHT - BOTTOM + 18, str(ply)))
    parts.append(_label(WIDTH / 2, HEIGHT - 6, "ply"))
    return _svg(parts, title)


def interval_chart(
    names: Sequence[str], values: Sequence[Interval], title: str, text: Callable[[float], str]
) -> str:
    """A figure with its interval for each of several names, below each other."""
    known = [(name, value) for name, value in zip(names, values, strict=True) if value.is_known]
    if not known:
        return ""
    ends = [(_or(value.low, value.value), _or(value.high, value.value)) for _, value in known]
    step = _nice(max(max(high for _, high in ends), 1e-9) / 5)
    most = step * math.ceil(max(high for _, high in ends) / step)
    left = LEFT + 7 * max(len(name) for name, _ in known)
    x = _scale(0, most, left, WIDTH - RIGHT)
    height = TOP + len(known) * (BAR + GAP)
    parts = []
    for tick in (step * n for n in range(round(most / step) + 1)):
        parts.append(_line(x(tick), TOP, x(tick), height, "grid"))
        parts.append(_label(x(tick), height + 16, text(tick)))
    for row, ((name, value), (low, high)) in enumerate(zip(known, ends, strict=True)):
        y = TOP + row * (BAR + GAP) + BAR / 2
        parts.append(_label(left - 10, y + 4, name, "end"))
        parts.append(_line(x(max(0.0, low)), y, x(high), y, "error first"))
        parts.append(f'<circle class="first" cx="{x(value.value):.1f}" cy="{y:.1f}" r="4.5"/>')
    return _svg(parts, title, height + 24)


def heat_map(heat: Sequence[float], files: int, ranks: int, title: str) -> str:
    """A board with squares as dark as their share; White's first rank is below."""
    most = max(heat) or 1
    parts = []
    for square, part in enumerate(heat):
        rank, file = divmod(square, files)
        x, y = file * SQUARE, (ranks - 1 - rank) * SQUARE
        parts.append(
            f'<rect class="square" x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}"/>'
            f'<rect class="heat" x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" '
            f'fill-opacity="{part / most:.2f}"><title>{100 * part:.1f} %</title></rect>'
        )
    width, height = files * SQUARE, ranks * SQUARE
    return (
        f'<svg class="board" viewBox="-1 -1 {width + 2} {height + 2}" width="{width}" role="img" '
        f'aria-label="{escape(title)}">{"".join(parts)}</svg>'
    )


def percentage(value: float) -> str:
    """A part as a label of an axis."""
    return f"{100 * value:.0f} %"


def plain(value: float) -> str:
    """A number as a label of an axis."""
    return f"{value:g}"


def _scale(first: float, last: float, start: float, end: float) -> Callable[[float], float]:
    span = (last - first) or 1
    return lambda value: start + (value - first) / span * (end - start)


def _nice(step: float) -> float:
    """A round step of an axis, at least as large."""
    if step <= 0:
        return 1
    unit: float = 10.0 ** math.floor(math.log10(step))
    return next((factor * unit for factor in (1, 2, 5) if factor * unit >= step), 10 * unit)


def _or(value: float, other: float) -> float:
    return other if math.isnan(value) else value


def _grid(y: Callable[[float], float], values: Iterable[float], text: Callable[[float], str]) -> str:
    return "".join(
        _line(LEFT, y(value), WIDTH - RIGHT, y(value), "grid")
        + _label(LEFT - 8, y(value) + 4, text(value), "end")
        for value in values
    )


def _legend(names: dict[str, str]) -> list[str]:
    parts, x = [], float(LEFT)
    for name, colour in names.items():
        parts.append(f'<rect class="{colour}" x="{x:.1f}" y="2" width="11" height="11"/>')
        parts.append(_label(x + 16, 12, name, "start"))
        x += 32 + 7 * len(name)
    return parts


def _line(x1: float, y1: float, x2: float, y2: float, name: str) -> str:
    return f'<line class="{name}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _label(x: float, y: float, text: str, anchor: str = "middle") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _points(places: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


def _svg(parts: Iterable[str], title: str, height: float = HEIGHT) -> str:
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(title)}">'
        f"{''.join(parts)}</svg>"
    )
