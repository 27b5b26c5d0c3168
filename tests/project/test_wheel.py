"""The wheel: built from a copy of the sources and installed into a new environment, it plays.

It contains the code of one small game, which it plays without compiling. Nothing is downloaded: the build
uses the installed setuptools, and the new environment uses this one's libraries, but not this checkout."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import time
import venv
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from importlib.metadata import version
from pathlib import Path

import pytest
import surajang
from surajang.engine.definition.catalogue import FOLDER, SHIPPED
from surajang.engine.kernel.prebuilt import OFF, VARIABLE
from surajang.engine.variant import Variant
from surajang.match.games.adjudication import AdjudicationRules
from surajang.match.games.engine_pool import local_description
from surajang.match.games.game import play_game
from surajang.match.players.spec import parse_engine
from surajang.match.players.start import start_player
from surajang.match.records.model import MatchGame, Opening, Termination

pytestmark = [pytest.mark.process, pytest.mark.slow]

ROOT = Path(surajang.__file__).parent
NO_SOURCES = shutil.ignore_patterns(
    *(
        "pytest-cache-files-*",  # another pytest may be making its cache
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


PREBUILT = "minishogi"


def build(folder, games):
    """The path of a wheel with the code of some games, or none."""
    shutil.copytree(ROOT, folder / "sources", ignore=NO_SOURCES)
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), "."]
    done = subprocess.run(
        command,
        cwd=folder / "sources",
        capture_output=True,
        text=True,
        timeout=MINUTES,
        env={**os.environ, "SURAJANG_PREBUILD": games},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The path of a wheel with the code of PREBUILT."""
    return build(tmp_path_factory.mktemp("wheel"), PREBUILT)


@pytest.fixture(scope="module")
def clean(wheel, tmp_path_factory):
    """The scripts' folder of an environment with the wheel and its libraries."""
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


def run(folder, *command, text=None, **variables):
    """The output of a program that runs outside the sources."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | variables
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


def test_wheel_with_code_is_for_this_platform_and_python(wheel):
    assert re.fullmatch(r"surajang-[^-]+-cp3\d+-cp3\d+-\w*linux\w*", wheel.stem)
    with zipfile.ZipFile(wheel) as archive:
        manifest = json.loads(archive.read("surajang/engine/prebuilt/manifest.json"))
    assert manifest["games"] == [PREBUILT]


def requirements(path):
    """The requirements of a wheel on Numba and llvmlite."""
    with zipfile.ZipFile(path) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        lines = archive.read(name).decode().splitlines()
    return sorted(line for line in lines if re.match(r"Requires-Dist: (numba|llvmlite)\b", line))


def test_wheel_with_code_requires_the_numba_and_llvmlite_that_compiled_it(wheel):
    exact = [f"Requires-Dist: {name}=={version(name)}" for name in ("llvmlite", "numba")]
    assert requirements(wheel) == exact


def test_wheel_without_code_is_for_all_platforms(tmp_path):
    path = build(tmp_path, "")
    assert path.stem.endswith("-py3-none-any")
    with zipfile.ZipFile(path) as archive:
        assert not [name for name in archive.namelist() if "prebuilt/" in name or name.endswith("/setup.py")]
    assert not [line for line in requirements(path) if "==" in line]


BEGIN = f"uci\nsetoption name UCI_Variant value {PREBUILT}\nposition startpos\n"
SAYS_ONE_MOVE, COUNTS_MOVES = BEGIN + "go depth 4\n", BEGIN + "go perft 1\n"  # to count needs no search


def code_in(cache):
    """The names of the files of code in a folder of compiled code."""
    return [path.name for path in cache.rglob("*.code")]


def test_prebuilt_game_is_played_without_compiling(clean, tmp_path):
    said = run(clean, "surajang", text=SAYS_ONE_MOVE, SURAJANG_CACHE_DIR=str(tmp_path))
    assert re.search(r"^info depth 4 .*\nbestmove \w+", said, re.MULTILINE)
    assert "compiling" not in said and not code_in(tmp_path)


@pytest.fixture(scope="module")
def compiled_again(clean, tmp_path_factory):
    """(what the program said, its cache) where the code in the wheel is of another Numba."""
    folder = tmp_path_factory.mktemp("other")
    (own,) = clean.parent.glob("lib/python*/site-packages/surajang/engine/prebuilt")
    other, cache = shutil.copytree(own, folder / "prebuilt") / "manifest.json", folder / "cache"
    other.write_text(re.sub('"Numba": "[^"]*"', '"Numba": "0.1"', other.read_text()))
    variables = {"SURAJANG_CACHE_DIR": str(cache), "SURAJANG_PREBUILT": str(other.parent)}
    return run(clean, "surajang", text=COUNTS_MOVES, **variables), cache


def test_code_that_does_not_fit_is_compiled_again_with_a_reported_reason(compiled_again):
    said, cache = compiled_again
    assert "Nodes searched: 14" in said and "compiling minishogi" in said and code_in(cache)


def test_truncated_code_is_compiled_again_and_that_is_reported(clean, tmp_path):
    (folder,) = clean.parent.glob("lib/python*/site-packages/surajang/engine/prebuilt")
    other = shutil.copytree(folder, tmp_path / "prebuilt")
    for path in other.glob("machine_code-*"):
        path.write_bytes(path.read_bytes()[:1000])
    cache = tmp_path / "cache"
    variables = {"SURAJANG_CACHE_DIR": str(cache), "SURAJANG_PREBUILT": str(other)}
    said = run(clean, "surajang", text=COUNTS_MOVES, **variables)
    assert "Nodes searched: 14" in said and "compiling minishogi" in said and code_in(cache)


def test_nothing_is_written_into_a_read_only_installation(clean, tmp_path):
    (package,) = clean.parent.glob("lib/python*/site-packages/surajang")
    folders = [package, *(path for path in package.rglob("*") if path.is_dir())]
    before = sorted(path for path in package.rglob("*") if "__pycache__" not in path.parts)
    for folder in folders:
        folder.chmod(0o555)
    try:
        said = run(clean, "surajang", text=SAYS_ONE_MOVE, SURAJANG_CACHE_DIR=str(tmp_path))
    finally:
        for folder in folders:
            folder.chmod(0o755)
    assert "bestmove" in said and "compiling" not in said
    assert sorted(path for path in package.rglob("*") if "__pycache__" not in path.parts) == before


def test_native_code_is_kept_and_used_from_the_next_start(clean, compiled_again, tmp_path):
    """By the process that the engine starts, at a priority that does not wait for idle processors. The native
    code of the moves is there, and not enough."""
    _, moves = compiled_again
    before = set(code_in(shutil.copytree(moves, tmp_path, dirs_exist_ok=True)))
    native = f"from surajang import Engine; print(Engine('{PREBUILT}').is_native)"
    shape = "from surajang import Engine; from surajang.search.compile_plan import arguments\n"
    shape += f"engine = Engine('{PREBUILT}'); print(*arguments(engine.variant, engine.shape))"
    cache = {"SURAJANG_CACHE_DIR": str(tmp_path)}
    assert run(clean, "python", "-c", native, **cache).strip() == "False"
    game, *numbers = run(clean, "python", "-c", shape, **cache).split()
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with subprocess.Popen(
        [str(clean / "python"), "-m", "surajang.search.native_code", game, *numbers],
        stdin=subprocess.PIPE,
        cwd=tmp_path,
        env={**env, **cache, VARIABLE: OFF},
    ) as compiler:
        assert compiler.wait(MINUTES) == 0
    assert set(code_in(tmp_path)) > before
    assert run(clean, "python", "-c", native, **cache).strip() == "True"


def test_analysis_compiles_native_code_until_a_clock_runs(clean, tmp_path):
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    engine = subprocess.Popen(
        [str(clean / "surajang")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=env | {"SURAJANG_CACHE_DIR": str(tmp_path)},
    )

    def say(*lines):
        engine.stdin.write("".join(f"{line}\n" for line in lines))
        engine.stdin.flush()

    def compilers():
        """The processes that compile for the engine."""
        listed = subprocess.run(
            ["ps", "-ww", "-o", "args=", "--ppid", str(engine.pid)], capture_output=True, text=True
        )
        return [line for line in listed.stdout.splitlines() if "surajang.search.native_code" in line]

    def until(is_so):
        deadline = time.monotonic() + MINUTES
        while not is_so():
            assert time.monotonic() < deadline
            time.sleep(0.1)

    try:
        say("uci", f"setoption name UCI_Variant value {PREBUILT}", "position startpos", "go infinite")
        until(compilers)
        say("stop", "go wtime 1000 btime 1000")
        until(lambda: not compilers())
        say("quit")
        assert engine.wait(MINUTES) == 0
    finally:
        engine.kill()
        engine.wait()


# Games by the clock, with an empty cache

MOST_MOVES = 3  # of each side: the first ones wait for the compiler, if any do
PLAYED = (Termination.NORMAL, Termination.ADJUDICATION)


@pytest.fixture
def busy_cores():
    """Jobs that keep all cores busy."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    yield
    for loop in loops:
        loop.kill()
        loop.wait()


def termination_of(clean, variant, toml, settings, cache):
    """The end of a game between two engines of the wheel, each with its `settings`, after at most MOST_MOVES,
    and the reason; `toml` is the text of a user's own game. The engines start together."""
    description = local_description(Variant(variant), toml)
    specs = [parse_engine(f"cmd='{clean / 'surajang'}' {each} name=wheel") for each in settings]
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    env["SURAJANG_CACHE_DIR"] = str(cache)
    with ThreadPoolExecutor() as threads:
        starts = [threads.submit(start_player, each, description, environment=env) for each in specs]
    with ExitStack() as open_players:
        players = [open_players.enter_context(closing(start.result())) for start in starts]
        game = MatchGame(0, 0, 0, 1, Opening(description.start_fen))
        controls = [spec.control for spec in specs]
        rules = AdjudicationRules(max_moves=MOST_MOVES)
        record = play_game(game, players, controls, description, rules)
    return record.termination, record.reason


def test_game_with_prebuilt_code_is_not_lost_on_time(clean, tmp_path, busy_cores):
    settings = [f"proto={protocol} tc=3+0.03" for protocol in ("uci", "cecp")]
    termination, reason = termination_of(clean, PREBUILT, None, settings, tmp_path)
    assert termination in PLAYED, reason


def test_game_of_the_users_own_is_not_lost_on_time(clean, tmp_path, interpreted_positions):
    """Both engines compile it for longer than they let a match wait."""
    toml = (ROOT / "docs" / "own-game" / "silverhouse.toml").read_text()
    termination, reason = termination_of(clean, "silverhouse", toml, ["proto=cecp tc=10+0.1"] * 2, tmp_path)
    assert termination in PLAYED, reason


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
