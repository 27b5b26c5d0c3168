"""The wheel: built from a copy of the sources and installed into an environment of its own, it plays.

Nothing is fetched: the build uses the setuptools that is there, and the new environment sees the libraries of
this one, but not this checkout.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest
import surajang
from surajang.engine.definition.catalogue import FOLDER, SHIPPED

pytestmark = [pytest.mark.process, pytest.mark.slow]

ROOT = Path(surajang.__file__).parent
NO_SOURCES = shutil.ignore_patterns(
    *(
        ".git",
        ".venv",
        "build",
        "dist",
        "*.egg-info",
        "__pycache__",
        ".*_cache",
        ".hypothesis",
        "docs",
        "tests",
    )
)
MINUTES = 10 * 60  # seconds that a step may take on a busy machine


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The path of the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    shutil.copytree(ROOT, folder / "sources", ignore=NO_SOURCES)
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), "."]
    done = subprocess.run(command, cwd=folder / "sources", capture_output=True, text=True, timeout=MINUTES)
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def clean(wheel, tmp_path_factory):
    """The scripts' folder of an environment with the wheel and the libraries that it needs."""
    folder = tmp_path_factory.mktemp("clean")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    command = [sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=MINUTES)
    assert done.returncode == 0, done.stdout + done.stderr
    (packages,) = folder.glob("lib/python*/site-packages")
    # Python searches a folder that a .pth file names, but reads no .pth files there, such as this checkout's.
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder / "bin"


def run(folder, *command, text=None):
    """What a program prints that runs away from the sources."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [str(folder / command[0]), *command[1:]],
        **{
            "input": text,
            "capture_output": True,
            "text": True,
            "cwd": folder,
            "env": env,
            "timeout": MINUTES,
        },
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_wheel_has_every_module_game_and_data_file(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    wanted = {path.relative_to(ROOT) for path in FOLDER.rglob("*.toml")}
    for floor in ("engine", "eval", "search", "protocol", "bench"):
        for kind in ("*.py", "*.epd", "*.epd.gz", "*.network"):
            wanted |= {path.relative_to(ROOT) for path in (ROOT / floor).rglob(kind)}
    assert not {f"surajang/{path.as_posix()}" for path in wanted} - names
    assert "surajang/py.typed" in names
    assert not {name for name in names if name.startswith("surajang/tests/")}


def test_installed_wheel_is_what_runs(clean):
    code = "import surajang; print(surajang.__file__, surajang.__version__)"
    path, version = run(clean, "python", "-c", code).split()
    assert path.startswith(str(clean.parent))
    assert run(clean, "surajang", "--version").split() == ["surajang", version]


def test_installed_wheel_knows_all_games(clean):
    listed = run(clean, "surajang", "variants")
    for folder in SHIPPED:
        assert all(path.stem in listed for path in folder.glob("*.toml"))


def test_installed_wheel_plays_a_game_over_uci(clean):
    """A whole game of minishogi against itself, a position and a `go` for each move."""
    code = """
import sys
import chess.engine, subprocess
from surajang import Position
engine = subprocess.Popen([sys.argv[1]], stdin=-1, stdout=-1, text=True)
def say(text):
    engine.stdin.write(text + "\\n")
    engine.stdin.flush()
say("uci")
say("setoption name UCI_Variant value minishogi")
position, moves = Position("minishogi"), []
while position.result() is None and position.ply < 200:
    say("position startpos" + (" moves " + " ".join(moves) if moves else ""))
    say("go nodes 300")
    move = next(line for line in engine.stdout if line.startswith("bestmove")).split()[1]
    moves.append(move)
    position.push(move)
say("quit")
print(position.ply, position.result() is not None, engine.wait())
"""
    plies, over, code = run(clean, "python", "-c", code, str(clean / "surajang")).split()
    assert int(plies) >= 10
    assert (over, code) == ("True", "0")
