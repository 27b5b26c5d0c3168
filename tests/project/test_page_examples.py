"""The Python on the pages runs, and prints what the comments below it show."""

import contextlib
import io
import re
from pathlib import Path

import pytest
import surajang

pytestmark = pytest.mark.compiled

ROOT = Path(surajang.__file__).parent
BLOCK = re.compile(r"(<!-- not run[^\n]*-->\n)?^```python\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)


def printed(code):
    """What a piece of Python prints."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code, "page", "exec"), {"__name__": "page"})
    return output.getvalue().rstrip("\n")


def shown(code):
    """What comments behind a call of `print`, or on the lines below it, say that it prints."""
    lines, below = [], False
    for line in code.splitlines():
        if below and line.startswith("#"):
            lines.append(line.removeprefix("#").removeprefix(" "))
            continue
        below = bool(re.match(r"\s*print\(", line))
        lines += re.findall(r"^\s*print\(.*\)  # (.*)$", line)
    return "\n".join(lines)


def code_of(page):
    """The Python of a page in one piece, but for blocks that need what the page does not make."""
    return "\n".join(
        code for excluded, code in BLOCK.findall(page.read_text(encoding="utf-8")) if not excluded
    )


@pytest.mark.parametrize("page", ["README.md", "docs/python/tutorial.md"])
def test_python_on_the_page_prints_what_the_page_shows(page):
    code = code_of(ROOT / page)
    # a report on a search is not the same in every version of it
    output = "\n".join(line for line in printed(code).splitlines() if not re.match(r"\d+ [-+]\d", line))
    assert output == shown(code)
    assert output
