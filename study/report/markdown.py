"""A study as Markdown, with its figures in SVG files beside it."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

from ...engine.game.description import Description
from ..figures.study import Study
from . import sentences
from .charts import SQUARE, curve_chart, percentage, plain, result_bars, score_chart
from .style import FIGURE_STYLE
from .tables import ReportTable, sections

COLUMNS, GAP, LABEL = 4, 16, 22  # of heat maps: maps in a row, and units of space
FAINT = 0.02  # of the darkest square, below which a square is left empty


class Picture(NamedTuple):
    """A figure: the name of its section, its own name, what it shows, and the SVG."""

    section: str
    name: str
    caption: str
    svg: str


def pictures(study: Study, description: Description) -> Iterator[Picture]:
    """Yields the figures of a study that have something to show."""
    if study.balance.rows:
        yield Picture(
            "balance",
            "score",
            "White's score by strength, with 95 % intervals",
            _whole(score_chart(study.balance.rows)),
        )
        yield Picture("balance", "results", "Results of each series", _whole(result_bars(study.balance.rows)))
    if study.character is not None:
        for name, points, caption, text in (
            ("legal", study.character.legal, "Legal moves by ply", plain),
            ("material", study.character.material, "Value of all pieces by ply", percentage),
        ):
            if chart := curve_chart(points, caption, text):
                yield Picture("character", name, f"{caption}, with 95 % intervals", _whole(chart))
    if study.pieces is not None and study.pieces.rows:
        yield Picture(
            "pieces",
            "pieces",
            "Where pieces stand, are dropped and kings are mated: the more colour, the more often. Black's "
            "are reflected, so that its first rank is below",
            _heat_maps(study, description),
        )


def _whole(chart: str) -> str:
    """A chart as a file of its own, with its colours and a background."""
    box = re.search(r'viewBox="([^"]+)"', chart)
    assert box is not None
    x, y, width, height = box[1].split()
    back = f'<rect class="back" x="{x}" y="{y}" width="{width}" height="{height}"/>'
    start = chart.index(">") + 1
    opened = chart[: start - 1].replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    return f"{opened}><style>{FIGURE_STYLE}</style>{back}{chart[start:]}\n"


def _heat_maps(study: Study, description: Description) -> str:
    """All heat maps on one sheet, each with its name above."""
    assert study.pieces is not None
    maps = [(row.name, row.stands) for row in study.pieces.rows]
    maps += [(f"{row.name} is dropped", row.drops) for row in study.pieces.rows if any(row.drops)]
    if study.pieces.mates:
        maps.append(("mated kings", study.pieces.mated))
    wide = max(description.files * SQUARE, 120) + GAP
    high = description.ranks * SQUARE + LABEL + GAP
    parts = []
    for number, (name, heat) in enumerate(maps):
        x, y = GAP + number % COLUMNS * wide, GAP + number // COLUMNS * high
        parts.append(f'<text x="{x}" y="{y + 14}">{escape(name)}</text>')
        parts.append(_board(heat, x, y + LABEL, description.files, description.ranks))
    rows = -(-len(maps) // COLUMNS)
    box = f"0 0 {GAP + min(COLUMNS, len(maps)) * wide} {GAP + rows * high}"
    return _whole(
        f'<svg class="maps" viewBox="{box}" role="img" aria-label="Heat maps">{"".join(parts)}</svg>'
    )


def _board(heat: Sequence[float], x: int, y: int, files: int, ranks: int) -> str:
    """A heat map with few elements: the board, its lines, and the squares that matter."""
    most, width, height = max(heat) or 1, files * SQUARE, ranks * SQUARE
    lines = "".join(f"M{x + file * SQUARE} {y}v{height}" for file in range(files + 1))
    lines += "".join(f"M{x} {y + rank * SQUARE}h{width}" for rank in range(ranks + 1))
    parts = [f'<rect class="square" x="{x}" y="{y}" width="{width}" height="{height}"/>']
    parts.append(f'<path class="grid" d="{lines}"/>')
    for square, part in enumerate(heat):
        if part / most >= FAINT:
            rank, file = divmod(square, files)
            place = f'x="{x + file * SQUARE}" y="{y + (ranks - 1 - rank) * SQUARE}"'
            size = f'width="{SQUARE}" height="{SQUARE}"'
            parts.append(f'<rect class="heat" {place} {size} fill-opacity="{part / most:.2f}"/>')
    return "".join(parts)


def write_markdown(path: Path, study: Study, description: Description) -> None:
    """Writes the report of a study in Markdown, and its figures beside it, which have the name of the file
    before their own. Raises OSError."""
    found = list(pictures(study, description))
    for picture in found:
        path.with_name(_file(path, picture)).write_text(picture.svg, encoding="utf-8")
    path.write_text(markdown(study, found, path), encoding="utf-8")


def _file(path: Path, picture: Picture) -> str:
    return f"{path.stem}-{picture.name}.svg"


def markdown(study: Study, figures: Sequence[Picture] = (), path: Path = Path("report.md")) -> str:
    """The report of a study in Markdown, with links to the files of its figures."""
    parts = [f"# {study.source.title}: a study", *sentences.about(study)]
    parts += [f"**Note.** {note}" for note in study.notes]
    for section in sections(study):
        parts += [f"## {section.heading}", *section.sentences]
        for picture in figures:
            if picture.section == section.name:
                parts += [f"![{picture.caption}]({_file(path, picture)})", f"{picture.caption}."]
        parts += map(markdown_table, section.tables)
    parts.append(f"Made by {study.source.program}; rules {study.source.rules}.")
    return "\n\n".join(filter(None, parts)) + "\n"


def markdown_table(table: ReportTable) -> str:
    """A table in Markdown; "" for one without rows."""
    if not table.rows:
        return ""
    lines = [table.headings, ("---",) * len(table.headings), *table.rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)
