"""The Python on the pages runs, and prints what the comment behind it shows."""

import contextlib
import io
import re
from pathlib import Path

import pytest
import surajang

pytestmark = pytest.mark.compiled

ROOT = Path(surajang.__file__).parent
BLOCK = re.compile(r"^```python\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)


def printed(code):
    """What a piece of Python prints."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code, "page", "exec"), {"__name__": "page"})
    return output.getvalue()


def test_python_in_the_readme_prints_what_the_readme_shows():
    (code,) = BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    shown = re.findall(r"^print\(.*\)  # (.*)$", code, flags=re.MULTILINE)
    assert printed(code).splitlines() == shown
    assert shown
