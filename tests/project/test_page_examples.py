"""The Python on the pages runs, and prints the output in its comments."""

import contextlib
import io
import re

import pytest
from surajang.tests.support.pages import ROOT, pages

pytestmark = pytest.mark.process  # recipes play matches

BLOCK = re.compile(r"(<!-- not run[^\n]*-->\n)?^```python\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)


def printed(code):
    """The output of a piece of Python."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code, "page", "exec"), {"__name__": "page"})
    return output.getvalue().rstrip("\n")


def shown(code):
    """The output in comments after a call of `print`, or on the lines below it."""
    lines, below = [], False
    for line in code.splitlines():
        if below and line.startswith("#"):
            lines.append(line.removeprefix("#").removeprefix(" "))
            continue
        below = bool(re.match(r"\s*print\(", line))
        lines += re.findall(r"^\s*print\(.*\)  # (.*)$", line)
    return "\n".join(lines)


def code_of(page):
    """The Python of a page in one piece, except blocks that need files or results from elsewhere."""
    return "\n".join(
        code for excluded, code in BLOCK.findall(page.read_text(encoding="utf-8")) if not excluded
    )


CONTRIBUTING = ROOT / "CONTRIBUTING.md"  # `test_contributing` applies its examples
EXAMPLES = [page for page in pages() if page != CONTRIBUTING and code_of(page)]


@pytest.mark.parametrize("page", EXAMPLES, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_on_the_page_runs_and_prints_what_the_page_shows(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = code_of(page)
    output = printed(code)
    if shown(code):  # a report on a search is not the same in every version of it
        lines = [line for line in output.splitlines() if not re.match(r"\d+ [-+]\d", line)]
        assert "\n".join(lines) == shown(code)


def test_output_is_compared_on_the_pages_that_show_it():
    compared = {page.name for page in EXAMPLES if shown(code_of(page))}
    assert {"README.md", "tutorial.md"} <= compared


def test_example_of_pgn_reads_every_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    texts = ['[Variant "Gess"]\n\n1. e4 *', '[FEN "8/8 w"]\n\n1. e4 *', "1. e4 e5 2. Ke3 *"]
    (tmp_path / "games.pgn").write_text("\n\n".join(texts), encoding="utf-8")
    page = (ROOT / "docs/python/pgn.md").read_text(encoding="utf-8")
    lines = printed(BLOCK.findall(page)[0][1]).splitlines()
    assert lines[0].startswith("Gess [] [") and lines[1].startswith("None [] [")
    assert lines[2].startswith("None ['e4', 'e5'] [")
