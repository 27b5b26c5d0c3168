"""Compiled code on disk: the second process compiles nothing, and none runs what others were built for.

Everything here happens in processes of its own; one of them, for all tests, compiles into an empty folder.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from surajang.engine import compiler, description

DAY = 24 * 3600
PERFT_3 = 60_537  # from the start, as Fairy-Stockfish counts it

# Counts the functions that this process compiles, and prints what it finds out as JSON.
PRELUDE = """
import json
import numba.core.event as event

class Listener(event.Listener):
    count = 0
    def on_start(self, event):
        self.count += 1
    def on_end(self, event):
        pass

listener = Listener()
event.register("numba:compile", listener)

def tell(**facts):
    from surajang.engine import compiler
    print(json.dumps(facts | {"compiled": listener.count, "folder": str(compiler.CACHE_FOLDER)}))

"""

PLAY = """
from surajang import Engine, Position
from surajang.engine.perft import perft
start = Position()
leaves = perft(start, 3)
result = Engine(hash_mb=1).play(start, depth=3)
start.push(result.move)
tell(leaves=leaves, move=str(result.move), nodes=result.nodes, fen=start.fen(), check=start.is_check())
"""


def run(script, cache, *arguments):
    """What a fresh process tells that keeps its compiled code in `cache`."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + script, *map(str, arguments)],
        env=environment | {"SURAJANG_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def cold(cache):
    """What the first process told, which found the folder empty."""
    return run(PLAY, cache)


def test_first_process_compiles_and_counts_right(cold, cache):
    assert cold["leaves"] == PERFT_3
    assert cold["compiled"] > 0
    assert Path(cold["folder"]).is_relative_to(cache)
    assert list(Path(cold["folder"]).rglob("*.nbc"))


def test_second_process_compiles_nothing_and_plays_the_same(cold, cache):
    """Functions that call themselves, as perft and the search do, are loaded whole."""
    warm = run(PLAY, cache)
    assert warm["compiled"] == 0
    assert warm == cold | {"compiled": 0}


CHECK = """
import sys
from surajang import Position
tell(check=Position(sys.argv[1], sys.argv[2]).is_check())
"""


def test_edited_game_is_not_played_by_the_code_of_the_old_one(cold, cache, tmp_path):
    """The file keeps its name; its knights now step like kings."""
    text = (description.FOLDER / "pandemonium.toml").read_text(encoding="utf-8")
    edited = text.replace('name = "Knight", moves = "N"', 'name = "Knight", moves = "K"')
    assert edited != text
    path = tmp_path / "pandemonium.toml"
    path.write_text(edited, encoding="utf-8")
    fen = "10/10/10/10/10/5n4/10/4K5/10/9k[] w - - 0 1"
    old, new = run(CHECK, cache, "pandemonium", fen), run(CHECK, cache, path, fen)
    assert (old["check"], old["compiled"]) == (True, 0)
    assert new["check"] is False
    assert new["compiled"] > 0


def test_compiling_another_game_leaves_the_code_of_the_first_in_place(cold, cache):
    script = """
import sys
from surajang.engine.position import Position
position = Position(sys.argv[1])
tell(moves=len(position.legal_moves()))
"""
    assert run(script, cache, "chess")["moves"] == 20
    again = run(script, cache, "pandemonium")
    assert (again["moves"], again["compiled"]) == (38, 0)
    assert run(script, cache, "chess")["compiled"] == 0


def test_without_a_writable_folder_it_still_works(tmp_path):
    """Below a plain file no folder can be made, whoever tries."""
    blocker = tmp_path / "file"
    blocker.write_text("")
    fen = "10/10/10/10/10/5n4/10/4K5/10/9k[] w - - 0 1"
    told = run(CHECK, blocker / "cache", "pandemonium", fen)
    assert told["folder"] == "None"
    assert told["check"] is True
    assert told["compiled"] > 0


WHERE = "tell()"


def test_builds_that_nobody_used_for_a_month_are_removed(tmp_path):
    builds = tmp_path / "compiled"
    for name, days in (("forgotten", 40), ("recent", 20)):
        folder = builds / name
        folder.mkdir(parents=True)
        (folder / "code.nbc").write_bytes(b"code")
        then = time.time() - days * DAY
        os.utime(folder, (then, then))
    folder = Path(run(WHERE, tmp_path)["folder"])
    assert sorted(path.name for path in builds.iterdir()) == sorted([folder.name, "recent"])
    assert (builds / "recent" / "code.nbc").read_bytes() == b"code"


def test_use_keeps_a_build_from_being_forgotten(tmp_path):
    folder = Path(run(WHERE, tmp_path)["folder"])
    then = time.time() - 40 * DAY
    os.utime(folder, (then, then))
    assert Path(run(WHERE, tmp_path)["folder"]) == folder
    assert folder.stat().st_mtime > time.time() - DAY


# The name of the folder


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """A copy of the package's sources that the fingerprint is taken of."""
    package = tmp_path / "surajang"
    for floor in ("engine", "eval", "search", "protocol", "tests"):
        shutil.copytree(
            compiler.PACKAGE / floor, package / floor, ignore=shutil.ignore_patterns("__pycache__", "data")
        )
    monkeypatch.setattr(compiler, "PACKAGE", package)
    return package


def test_same_sources_have_the_same_fingerprint(sources, monkeypatch):
    copied = compiler._fingerprint()
    assert copied == compiler._fingerprint()
    monkeypatch.undo()
    assert copied == compiler._fingerprint()


@pytest.mark.parametrize("source", ["engine/attacks.py", "eval/evaluate.py", "search/tree.py"])
def test_fingerprint_changes_with_every_compiled_source(sources, source):
    before = compiler._fingerprint()
    path = sources / source
    path.write_text(path.read_text(encoding="utf-8") + "# more\n", encoding="utf-8")
    assert compiler._fingerprint() != before


def test_fingerprint_changes_when_sources_come_go_or_change_names(sources):
    seen = {compiler._fingerprint()}
    (sources / "engine" / "more.py").write_text("")
    seen.add(compiler._fingerprint())
    (sources / "engine" / "more.py").rename(sources / "engine" / "other.py")
    seen.add(compiler._fingerprint())
    (sources / "eval" / "weights.py").unlink()
    seen.add(compiler._fingerprint())
    assert len(seen) == 4


def test_fingerprint_does_not_change_with_what_is_not_compiled(sources):
    before = compiler._fingerprint()
    (sources / "protocol" / "more.py").write_text("")
    (sources / "engine" / "notes.txt").write_text("")
    assert compiler._fingerprint() == before


@pytest.mark.parametrize(
    "attribute, value", [("numba.__version__", "0.0.1"), ("numba.config.BOUNDSCHECK", 1)]
)
def test_fingerprint_changes_with_numba_and_its_settings(monkeypatch, attribute, value):
    before = compiler._fingerprint()
    monkeypatch.setattr(attribute, value)
    assert compiler._fingerprint() != before


def test_fingerprint_changes_with_the_processor(monkeypatch):
    before = compiler._fingerprint()
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_name", lambda: "z80")
    assert compiler._fingerprint() != before


# Functions for compiled code alone

INNER = """
from surajang.engine.compiler import inner

@inner
def double(x):
    return 2 * x

import numba

@numba.njit
def double_more(x):
    return double(x) + 1

answer = double_more(20)
try:
    double(20)
    refused = False
except TypeError:
    refused = True
tell(answer=answer, refused=refused)
"""


def test_inner_function_is_called_from_compiled_code_and_refuses_python(tmp_path):
    told = run(INNER, tmp_path)
    assert (told["answer"], told["refused"]) == (41, True)
