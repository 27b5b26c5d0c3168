"""The report on several games: the same figures beside each other, in HTML, Markdown and JSON."""

import json
import math
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Any

from ..figures.comparison import SHARE, ComparedFigure, Comparison
from ..figures.intervals import Interval
from .charts import interval_chart, percentage, plain
from .markdown import markdown_table
from .numbers import nodes, number, percent, points, without_nan
from .page import html_page, html_paragraph, html_table
from .tables import ReportTable

HTML, MARKDOWN, JSON = "comparison.html", "comparison.md", "comparison.json"


def write_comparison(folder: Path, comparison: Comparison) -> None:
    """Writes a comparison into a folder, as HTML, Markdown and JSON. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (
        (HTML, page_of(comparison)),
        (MARKDOWN, markdown_of(comparison)),
        (JSON, json_of(comparison)),
    ):
        (folder / name).write_text(text, encoding="utf-8")


def sentences_of(comparison: Comparison) -> list[str]:
    """A sentence on each figure: what differs from the first game, with its interval."""
    first = comparison.titles[0]
    evaluations = dict.fromkeys(study.source.evaluation for study in comparison.studies)
    found = [
        f"Games from the start at {nodes(comparison.nodes)} nodes a move by {' and '.join(evaluations)}; "
        "figures from legal moves on are those of the strongest games of each study, values of pieces those "
        "of all games, in centipawns: the pieces at the start are worth as much as in the game's file. Every "
        f"figure has its 95 % interval in brackets, and each game is compared with {first}. One of twenty "
        "differences without a cause lies outside its interval."
        if comparison.nodes
        else "The studies have no strength in common."
    ]
    for figure in comparison.figures:
        found += [
            _sentence(figure, title, difference, first)
            for title, difference in zip(comparison.titles[1:], figure.differences, strict=True)
            if difference.is_known
        ]
    return found


def _sentence(figure: ComparedFigure, title: str, difference: Interval, first: str) -> str:
    size = points(difference) if figure.unit == SHARE else number(difference, 1)
    if not difference.excludes(0) or math.isnan(difference.low):
        return f"{figure.name}: the games do not show a difference between {title} and {first}, {size}."
    more = "more" if difference.value > 0 else "less"
    return f"{figure.name}: {more} in {title} than in {first}, {size}."


def table_of(comparison: Comparison) -> ReportTable:
    """The figures of all games, a row for each figure."""
    rows = [
        (figure.name, *(shown(figure, value) for value in figure.values)) for figure in comparison.figures
    ]
    games = ("Games", *(f"{study.games:,}" for study in comparison.studies))
    return ReportTable(("figure", *comparison.titles), (games, *rows))


def shown(figure: ComparedFigure, value: Interval) -> str:
    """A value of a figure with its interval, as text."""
    return percent(value) if figure.unit == SHARE else number(value, 1)


def markdown_of(comparison: Comparison) -> str:
    """The comparison as Markdown."""
    parts = [f"# {', '.join(comparison.titles)}: a comparison", markdown_table(table_of(comparison))]
    return "\n\n".join([*parts, *sentences_of(comparison)]) + "\n"


def page_of(comparison: Comparison) -> str:
    """The comparison as one HTML page that needs no other file."""
    title = f"{', '.join(comparison.titles)}: a comparison"
    lines = sentences_of(comparison)
    parts = [f"<h1>{escape(title)}</h1>", html_paragraph(lines[0]), html_table(table_of(comparison))]
    for figure in comparison.figures:
        parts.append(f"<h2>{escape(figure.name)}</h2>")
        written = percentage if figure.unit == SHARE else plain
        chart = interval_chart(comparison.titles, figure.values, figure.name, written)
        parts.append(f"<figure>{chart}</figure>")
        parts += [html_paragraph(line) for line in lines if line.startswith(f"{figure.name}: ")]
    return html_page(title, parts)


def json_of(comparison: Comparison) -> str:
    """The figures as JSON; what is unknown is null."""
    facts: dict[str, Any] = {
        "games": [study.source.game for study in comparison.studies],
        "nodes": comparison.nodes,
        "figures": [
            {**asdict(figure), "differences": [asdict(each) for each in figure.differences]}
            for figure in comparison.figures
        ],
    }
    return json.dumps(without_nan(facts), indent=1) + "\n"
