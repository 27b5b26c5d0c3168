"""Figures as text: percentages and numbers with their 95 % intervals; and as plain data for JSON."""

import math
from typing import Any

from ..figures.intervals import Interval

DIGITS = 5  # of numbers in JSON behind the point


def percent(figure: Interval, digits: int = 0) -> str:
    """A share in percent with its interval: "52 % (48 to 56)"."""
    return _text(figure, 100, digits, " %")


def points(figure: Interval) -> str:
    """A difference of shares in percentage points with a sign: "+3 points (-1 to +7)"."""
    if not figure.is_known:
        return "-"
    ends = "" if math.isnan(figure.low) else f" ({100 * figure.low:+.0f} to {100 * figure.high:+.0f})"
    return f"{100 * figure.value:+.0f} points{ends}"


def number(figure: Interval, digits: int = 0) -> str:
    """A number with its interval: "83 (80 to 86)"."""
    return _text(figure, 1, digits, "")


def pawns(centipawns: int) -> str:
    """A score in pawns with a sign: "+0.31"."""
    return f"{centipawns / 100:+.2f}"


def nodes(count: int) -> str:
    """Nodes a move: "10,000"."""
    return f"{count:,}"


def _text(figure: Interval, factor: float, digits: int, unit: str) -> str:
    if not figure.is_known:
        return "-"
    value = f"{factor * figure.value:.{digits}f}{unit}"
    if math.isnan(figure.low):
        return value
    return f"{value} ({factor * figure.low:.{digits}f} to {factor * figure.high:.{digits}f})"


def without_nan(value: Any) -> Any:
    """A structure of plain data with None in place of NaN, which JSON does not have, and numbers with DIGITS
    behind the point."""
    if isinstance(value, dict):
        return {key: without_nan(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_nan(each) for each in value]
    if isinstance(value, float):
        return None if math.isnan(value) else round(value, DIGITS)
    return value
