"""A study as Markdown."""

from ..figures.study import Study
from . import sentences
from .tables import ReportTable, sections


def markdown(study: Study) -> str:
    """The report of a study in Markdown, without its charts."""
    parts = [f"# {study.source.title}: a study", *sentences.about(study)]
    parts += [f"**Note.** {note}" for note in study.notes]
    for section in sections(study):
        parts += [f"## {section.heading}", *section.sentences, *map(markdown_table, section.tables)]
    parts.append(f"Made by {study.source.program}; rules {study.source.rules}.")
    return "\n\n".join(filter(None, parts)) + "\n"


def markdown_table(table: ReportTable) -> str:
    """A table in Markdown; "" for one without rows."""
    if not table.rows:
        return ""
    lines = [table.headings, ("---",) * len(table.headings), *table.rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)
