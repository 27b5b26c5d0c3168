"""The files of a report."""

import json
from dataclasses import asdict
from pathlib import Path

from ...engine.game.description import Description
from ..figures.study import Study
from .markdown import write_markdown
from .numbers import without_nan
from .page import page

HTML, MARKDOWN, JSON = "report.html", "report.md", "report.json"


def write_report(folder: Path, study: Study, description: Description) -> None:
    """Writes a study into a folder, as HTML, Markdown and JSON. Raises OSError."""
    (folder / HTML).write_text(page(study, description), encoding="utf-8")
    write_markdown(folder / MARKDOWN, study, description)
    (folder / JSON).write_text(as_json(study), encoding="utf-8")


def as_json(study: Study) -> str:
    """All figures of a study as JSON; what is unknown is null."""
    return json.dumps(without_nan(asdict(study)), indent=1) + "\n"
