"""The notebooks of the pages show the output of their code."""

import json

import pytest
from surajang.tests.support.notebooks import notebooks, run

pytestmark = pytest.mark.process


@pytest.mark.usefixtures("interpreted_positions")
@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_notebook_shows_what_its_code_gives(path):
    shown = json.loads(path.read_text(encoding="utf-8"))
    for cell, again in zip(shown["cells"], run(path)["cells"], strict=True):
        assert cell == again, "".join(cell["source"])


def test_there_are_notebooks_with_pictures():
    outputs = [
        output.get("data", {})
        for path in notebooks()
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
        for output in cell.get("outputs", [])
    ]
    assert len(notebooks()) == 2
    assert sum("image/svg+xml" in data for data in outputs) >= 5
