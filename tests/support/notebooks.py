"""The notebooks of the pages: executed without Jupyter, so that tests compare what they show.

`python -m surajang.tests.support.notebooks` executes all of them and writes their outputs."""

import ast
import contextlib
import io
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from surajang.tests.support.pages import DOCS

FOLDER = DOCS / "python" / "notebooks"


def notebooks() -> list[Path]:
    """The files of all notebooks."""
    return sorted(FOLDER.glob("*.ipynb"))


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with the outputs of its cells: their output, and the value of a last expression as Jupyter
    shows it."""
    space: dict[str, Any] = {"__name__": "notebook"}
    cells = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            number = 1 + sum(each["cell_type"] == "code" for each in cells)
            cell = cell | {
                "execution_count": number,
                "outputs": _outputs("".join(cell["source"]), space, number),
            }
        cells.append(cell)
    return notebook | {"cells": cells}


def _outputs(code: str, space: dict[str, Any], number: int) -> list[dict[str, Any]]:
    tree, shown = ast.parse(code), None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        shown = ast.Expression(tree.body.pop().value)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), space)
        value = eval(compile(shown, "cell", "eval"), space) if shown else None
    found: list[dict[str, Any]] = []
    if text := printed.getvalue():
        found.append({"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)})
    if value is not None:
        svg = hasattr(value, "_repr_svg_")
        kind, text = ("image/svg+xml", value._repr_svg_()) if svg else ("text/plain", repr(value))
        data = {kind: text.splitlines(keepends=True)}
        found.append(
            {"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"}
        )
    return found


def run(path: Path) -> dict[str, Any]:
    """A notebook of the pages, executed in an empty folder."""
    notebook, before = json.loads(path.read_text(encoding="utf-8")), Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            return executed(notebook)
        finally:
            os.chdir(before)


def write(path: Path) -> None:
    """Executes a notebook and writes its outputs into its file."""
    text = json.dumps(run(path), indent=1, ensure_ascii=False)
    path.write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    for each in notebooks():
        write(each)
