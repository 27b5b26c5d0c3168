"""The types of the library for mypy and editors outside the package."""

import subprocess
import sys

import pytest
from surajang.tests.project.test_page_examples import code_of
from surajang.tests.support.pages import ROOT

pytestmark = [pytest.mark.process, pytest.mark.slow]

SCRIPT = """
import surajang

position = surajang.Position("chess")
engine = surajang.Engine("chess", hash_mb=16)
reveal_type(position.push("e2e4"))
reveal_type(engine.play(position, surajang.Limit(depth=2)).move)
position.push(4)
position.description.gaol
"""


def test_checker_follows_the_installed_package(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "script.py"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True).stdout
    assert "import-untyped" not in said and "import-not-found" not in said, said
    assert 'Revealed type is "surajang.engine.game.moves.Move"' in said, said
    assert 'Revealed type is "surajang.engine.game.moves.Move | None"' in said, said
    assert 'Argument 1 to "push" of "Position" has incompatible type "int"' in said, said
    assert '"Description" has no attribute "gaol"' in said, said


@pytest.mark.parametrize("page", ["cookbook.md", "from-python-chess.md", "rl.md"])
def test_pages_on_python_are_strictly_typed(tmp_path, page):
    (tmp_path / "page.py").write_text(code_of(ROOT / "docs" / "python" / page))
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), "page.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
