"""The files of a report."""

import json
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ...engine.game.description import Description
from ..figures.study import Study
from .markdown import markdown
from .page import page

HTML, MARKDOWN, JSON = "report.html", "report.md", "report.json"


def write_report(folder: Path, study: Study, description: Description) -> None:
    """Writes a study into a folder, as HTML, Markdown and JSON. Raises OSError."""
    for name, text in (
        (HTML, page(study, description)),
        (MARKDOWN, markdown(study)),
        (JSON, as_json(study)),
    ):
        (folder / name).write_text(text, encoding="utf-8")


def as_json(study: Study) -> str:
    """All figures of a study as JSON; what is unknown is null."""
    return json.dumps(without_nan(asdict(study)), indent=1) + "\n"


def without_nan(value: Any) -> Any:
    """A structure of plain data with None in place of NaN, which JSON does not have."""
    if isinstance(value, dict):
        return {key: without_nan(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_nan(each) for each in value]
    return None if isinstance(value, float) and math.isnan(value) else value
