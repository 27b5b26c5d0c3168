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


PAGES = ["cookbook.md", "from-python-chess.md", "rl.md"]


@pytest.fixture(scope="module")
def reports(tmp_path_factory, pytestconfig):
    """What mypy says about SCRIPT and the code of PAGES, by file. Its cache is pytest's, for the next run."""
    folder = tmp_path_factory.mktemp("typed")
    (folder / "script.py").write_text(SCRIPT)
    for page in PAGES:
        name = page.removesuffix(".md").replace("-", "_")
        (folder / f"{name}.py").write_text(code_of(ROOT / "docs" / "python" / page))
    cache = pytestconfig.cache.mkdir("mypy")
    files = sorted(path.name for path in folder.glob("*.py"))
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(cache), *files]
    said = subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout
    assert said.endswith("(checked 4 source files)\n"), said
    lines = said.splitlines()[:-1]
    return {file: "\n".join(line for line in lines if line.startswith(f"{file}:")) for file in files} | {
        "elsewhere": [line for line in lines if line.partition(":")[0] not in files]
    }


def test_checker_follows_the_installed_package(reports):
    said = reports["script.py"]
    assert "import-untyped" not in said and "import-not-found" not in said, said
    assert 'Revealed type is "surajang.engine.game.moves.Move"' in said, said
    assert 'Revealed type is "surajang.engine.game.moves.Move | None"' in said, said
    assert 'Argument 1 to "push" of "Position" has incompatible type "int"' in said, said
    assert '"Description" has no attribute "gaol"' in said, said
    assert not reports["elsewhere"]


@pytest.mark.parametrize("page", PAGES)
def test_pages_on_python_are_strictly_typed(reports, page):
    assert not reports[f"{page.removesuffix('.md').replace('-', '_')}.py"]
