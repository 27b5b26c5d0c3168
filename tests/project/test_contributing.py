"""The examples in CONTRIBUTING.md work on a copy of the sources.

An example is a block of Python with its file name, a change of files by lines before and after, a file of a
game, or a command. Changes have no line numbers: the lines that they remove or keep must occur in the file
once."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import surajang

pytestmark = pytest.mark.process

ROOT = Path(surajang.__file__).parent
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", flags=re.MULTILINE | re.DOTALL)
PACKAGES = ("bench", "board", "engine", "eval", "learn", "match", "protocol", "search", "study")
# Python runs the code of the copy: its machine code would have to be compiled for these scripts alone.
EVALUATION = '''
from surajang import Position
from surajang.engine.kernel.interpreter import plain
from surajang.engine.movegen.entry_points import INTERPRETER, entry_points_of
from surajang.engine.rules import rules_for
from surajang.eval.terms.evaluate import evaluate
from surajang.eval.terms.weights import build_weights, default_parameters

entry_points_of(rules_for("capahouse")).interpret()
run = INTERPRETER.function(evaluate)

def gain(hand):
    """What 30 centipawns for each kind in the hand change."""
    position = Position("capahouse", f"4k5/10/10/10/10/10/10/5K4[{hand}] w - - 0 1")
    parameters = default_parameters(position.rules, position.description)
    values = []
    for parameters.variety in (0.0, 30.0):
        weights = build_weights(position.rules, position.description, parameters)
        values.append(int(run(plain(position.rules), plain(weights), plain(position.state))))
    return values[1] - values[0]

print(*map(gain, ["", "NNN", "QNNPP", "QNnn"]))
'''


def changed(text, change):
    """`text` after one change: lines that begin with a blank stay, those with a minus are removed, those with
    a plus are added."""
    before = "".join(line[1:] + "\n" for line in change if line[:1] in " -")
    after = "".join(line[1:] + "\n" for line in change if line[:1] in " +")
    (place,) = re.finditer(f"^{re.escape(before)}", text, flags=re.MULTILINE)
    return text[: place.start()] + after + text[place.end() :]


def apply(diff, root):
    """Carries out the changes of a block to the files below `root`."""
    for part in diff.split("--- ")[1:]:
        name, *changes = part.split("\n@@\n")
        path = root / name
        text = path.read_text(encoding="utf-8")
        for change in changes:
            text = changed(text, change.splitlines())
        path.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A folder with a copy of the package that all examples have been applied to."""
    folder = tmp_path_factory.mktemp("copy")
    root = folder / "surajang"
    for package in PACKAGES:
        shutil.copytree(ROOT / package, root / package, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("__init__.py", "__main__.py", "cli.py"):
        shutil.copy(ROOT / name, root)
    for kind, block in BLOCK.findall((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")):
        if kind == "diff":
            apply(block, root)
        elif kind == "python":
            name, _, text = block.removeprefix("# ").partition("\n")
            (root / name).write_text(text, encoding="utf-8")
        elif kind == "toml":
            (folder / "vital.toml").write_text(block, encoding="utf-8")
        elif kind == "sh":
            subprocess.run(block, shell=True, check=True, cwd=root)
    return folder


def run(folder, *arguments, text=""):
    """The output of Python with these arguments, where `surajang` is the copy in `folder`."""
    env = {**os.environ, "PYTHONPATH": str(folder), "SURAJANG_CACHE_DIR": str(folder / "cache")}
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(
        command, input=text, capture_output=True, text=True, timeout=600, cwd=folder, env=env
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_copy_is_what_runs(copy):
    assert run(copy, "-c", "import surajang; print(surajang.__file__)").startswith(str(copy))


def test_change_that_no_longer_fits_is_refused():
    assert changed("a\nb\nc\n", [" b", "+d"]) == "a\nb\nd\nc\n"
    with pytest.raises(ValueError):
        changed("a\nb\nc\n", ["-x", "+d"])
    with pytest.raises(ValueError):
        changed("a\nb\nb\n", [" b"])


def test_mechanic_is_one_new_file_and_one_line_in_a_list():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    example = text.partition("## Example: add a mechanic")[2].partition("\n## ")[0]
    blocks = [(kind, block) for kind, block in BLOCK.findall(example) if kind != "toml"]
    assert [kind for kind, _ in blocks] == ["python", "diff"]
    diff = blocks[1][1]
    assert diff.count("--- ") == 1
    assert [line[1:].strip() for line in diff.splitlines() if line[:1] in "+-" and line[:3] != "---"] == [
        '"vital",'
    ]


@pytest.mark.slow
def test_mechanic_ends_the_game_and_is_reported(copy):
    play = """
from pathlib import Path
from surajang import Position
from surajang.engine.movegen.entry_points import entry_points_of
from surajang.engine.rules import rules_for
from surajang.protocol.session.user_games import register_file
game = register_file(Path("vital.toml"))
entry_points_of(rules_for(game)).interpret()
position = Position(game, "4k3/8/8/8/8/3q4/4P3/2Q1K3 w - - 0 1")
position.push("e2d3")
print(*position.result(), len(position.legal_moves()), sep="; ")
"""
    assert run(copy, "-c", play).strip() == "1-0; White takes the last vital piece; 0"
    sheet = run(copy, "-m", "surajang", "--variant-file", "vital.toml", "variants", "vital")
    assert "A side that loses its last Queen has lost." in sheet


def test_games_without_the_mechanic_carry_nothing_of_it(copy):
    code = "from surajang.engine.rules import rules_for; print(rules_for('chess').vital)"
    assert run(copy, "-c", code).strip() == "()"


@pytest.mark.slow
def test_term_counts_the_kinds_in_hand_once_each(copy):
    assert run(copy, "-c", EVALUATION).split() == ["0", "30", "90", "30"]


def test_term_is_in_every_file_of_tuned_numbers(copy):
    files = list((copy / "surajang" / "engine" / "variants").rglob("weights/*.toml"))
    assert files
    assert all("\nvariety = 0.0\n" in path.read_text(encoding="utf-8") for path in files)


@pytest.mark.slow
def test_command_lists_the_legal_moves(copy):
    lines = ("uci", "position startpos", "moves", "quit")
    script = (
        "import subprocess, sys\n"
        "engine = subprocess.Popen([sys.executable, '-m', 'surajang'], stdin=-1, stdout=-1, text=True)\n"
        f"engine.stdin.write({chr(10).join(lines[:-1])!r} + chr(10)); engine.stdin.flush()\n"
        "print(next(line for line in engine.stdout if line.startswith(('a', 'b', 'e2'))), end='')\n"
        "engine.stdin.write('quit\\n'); engine.stdin.flush(); engine.wait()\n"
    )
    assert len(run(copy, "-c", script).split()) == 20
