"""A study as Markdown, with its figures in SVG files beside it."""

from collections.abc import Sequence
from pathlib import Path

from ...engine.game.description import Description
from ..figures.study import Study
from . import sentences
from .pictures import Picture, pictures
from .tables import ReportTable, sections


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
