"""Compiled code on disk: the second process compiles nothing, and no process runs code of another build.

All of this happens in separate processes. One process that is killed and one that finishes fill an empty
folder, which all tests share."""

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
import surajang
from surajang.engine.definition import catalogue
from surajang.engine.kernel.fingerprint import reached
from surajang.engine.rules import rules_for
from surajang.engine.variant import Variant
from surajang.eval.network.file import load_network
from surajang.eval.network.installing import default_network_path
from surajang.eval.network.vectors import shape_of
from surajang.search.compile_plan import plan, team
from surajang.search.tree.correction import corrected
from surajang.tests.support.compiling import pieces, run, start, until, versions

pytestmark = pytest.mark.process

GAME = "crazyhouse"  # compiled sooner than games on larger boards
PERFT_3 = 8_902  # from the start, as Fairy-Stockfish counts it
KILLED_AT = 40  # files

PLAY = """
import surajang
from surajang import Engine, Position
from surajang.engine.movegen.perft import perft
start = Position('crazyhouse')
leaves = perft(start, 3)
result = Engine('crazyhouse', hash_mb=1).play(start, depth=3)
start.push(result.move)
tell(
    leaves=leaves, move=str(result.move), nodes=result.nodes, fen=start.fen(), check=start.is_check(),
    home=surajang.__path__[0],
)
"""
ANSWERS = ("leaves", "move", "nodes", "fen", "check")
COMPILE = "from surajang import Engine\nEngine(sys.argv[1]).compile()\n"


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def begun(cache):
    """The files that a process had written when it was killed."""
    process = start(COMPILE, cache, GAME)
    until(lambda: len(pieces(cache)) >= KILLED_AT)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return versions(cache)


@pytest.fixture(scope="module")
def cold(begun, cache):
    """The report of the next process, which had one helper."""
    return run(COMPILE + PLAY, cache, GAME, SURAJANG_COMPILERS="2")


def test_what_a_killed_process_has_compiled_is_not_compiled_again(begun, cold, cache):
    """The next process gives right answers, and has written only the rest."""
    assert cold["leaves"] == PERFT_3
    now = versions(cache)
    assert KILLED_AT <= len(begun) < len(now)
    assert {path: now[path] for path in begun} == begun
    assert Path(cold["folder"]).is_relative_to(cache)


def test_program_that_helps_has_the_same_plan_and_finds_what_is_kept(cold, cache):
    """It receives numbers of parts, and ends with its input."""
    network = load_network(default_network_path(Variant(GAME)), GAME)
    rules, shape = rules_for(GAME), shape_of(network)
    helpers = team(rules, Variant(GAME), shape)
    environment = os.environ | {"SURAJANG_CACHE_DIR": str(cache)}
    numbers = "".join(f"{number}\n" for number in range(len(helpers.parts)))
    before = versions(cache)
    process = subprocess.Popen(
        helpers.command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    process.stdin.write(numbers)
    process.stdin.flush()
    words = [process.stdout.readline().strip()]
    while words.count("done") < len(helpers.parts) and words[-1]:
        words.append(process.stdout.readline().strip())
    process.stdin.close()
    assert process.wait(20) == 0
    assert words[0] == "ready"
    assert words.count("done") == len(helpers.parts)
    assert versions(cache) == before


def test_second_process_compiles_nothing_and_plays_the_same(cold, cache):
    """Recursive functions, as in perft and the search, are loaded completely."""
    warm = run(PLAY, cache)
    assert warm["compiled"] == []
    assert {name: warm[name] for name in ANSWERS} == {name: cold[name] for name in ANSWERS}


CHECK = """
from surajang import Position
position = Position(sys.argv[1], sys.argv[2])
tell(check=position.is_check())
"""
KNIGHT = "7k/8/8/8/8/5n2/8/4K3[] w - - 0 1"
SMALL = """
name = "small"
title = "Small"
start = "k1n1/4/4/1N1K w - - 0 1"
[board]
files = 4
ranks = 4
[pieces]
K = { name = "King", moves = "K", royal = true }
N = { name = "Knight", moves = "N" }
[end]
checkmate = "loss"
stalemate = "loss"
"""
CHECKED = "k3/1n2/4/2K1 w - - 0 1"


@pytest.fixture
def small(tmp_path):
    """The file of another game, which is compiled soon."""
    path = tmp_path / "small.toml"
    path.write_text(SMALL, encoding="utf-8")
    return path


def test_edited_game_is_not_played_by_the_code_of_the_old_one(cold, cache, tmp_path):
    """The file keeps its name; its knights now step like kings."""
    text = (catalogue.FOLDER / f"{GAME}.toml").read_text(encoding="utf-8")
    edited = text.replace("\nN = {", '\nN = { moves = "K",')
    assert edited != text
    path = tmp_path / f"{GAME}.toml"
    path.write_text(edited, encoding="utf-8")
    old, new = run(CHECK, cache, GAME, KNIGHT), run(CHECK, cache, path, KNIGHT)
    assert (old["check"], old["compiled"]) == (True, [])
    assert new["check"] is False
    assert "check" in new["compiled"]


def test_game_of_the_same_rules_by_another_name_is_played_by_the_code_of_the_first(cold, cache, tmp_path):
    path = tmp_path / "other.toml"
    path.write_text(f'extends = "{GAME}"\nname = "other"\ntitle = "Other"\n', encoding="utf-8")
    assert run(CHECK, cache, path, KNIGHT)["compiled"] == []


def test_compiling_another_game_leaves_the_code_of_the_first_in_place(cold, cache, small):
    before = versions(cache)
    told = run(CHECK, cache, small, CHECKED)
    assert told["check"] is True
    assert "check" in told["compiled"]
    assert before.items() < versions(cache).items()


def test_without_a_writable_folder_it_still_works(tmp_path, small):
    """No folder can be made below a plain file by any user; helpers would have no effect."""
    blocker = tmp_path / "file"
    blocker.write_text("")
    told = run(CHECK, blocker / "cache", small, CHECKED, warnings=1, SURAJANG_COMPILERS="2")
    assert (told["folder"], told["check"]) == ("None", True)
    assert "check" in told["compiled"]


# Edits of the sources


@pytest.fixture
def package(tmp_path):
    """A copy of the package, for processes that import it in place of this one."""
    copied, own = tmp_path / "copy" / "surajang", Path(surajang.__file__).parent
    for folder in ("bench", "engine", "eval", "protocol", "search"):
        shutil.copytree(own / folder, copied / folder, ignore=shutil.ignore_patterns("data"))
    for name in ("__init__.py", "cli.py"):
        shutil.copy2(own / name, copied)
    return copied


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1
    path.write_text(text.replace(old, new), encoding="utf-8")


def run_copy(package, script, cache, *arguments):
    return run(script, cache, *arguments, PYTHONPATH=str(package.parent))


def callers(function):
    """The names of all functions of the game's plan that reach the function, itself included."""
    nodes = {node for part in plan(rules_for(GAME)) for node in reached(part.function.py_func)}
    found = {node for node in nodes if not isinstance(node, str) and function.py_func in reached(node)}
    return {node.__qualname__ for node in found}


def test_edit_that_compiled_code_does_not_see_compiles_nothing(cold, cache, package):
    edit(
        package / "search" / "tree" / "search.py",
        "\n@entry_point\ndef search_root",
        "\n# Why.\n@entry_point\ndef search_root",
    )
    edit(
        package / "engine" / "movegen" / "attacks.py", "Whether the side to move is in check.", "Is it check?"
    )
    edit(package / "cli.py", "\nimport click\n", "\nimport click\n\nMORE = 1\n")
    edit(package / "engine" / "variants" / f"{GAME}.toml", '\ntitle = "', '\ntitle = "The game of ')
    edit(package / "engine" / "variants" / "weights" / f"{GAME}.toml", "\ncrowd = 0.5", "\ncrowd = 0.25")
    told = run_copy(package, PLAY, cache)
    assert told["home"] == str(package)
    assert told["compiled"] == []
    assert told["leaves"] == PERFT_3


def test_changed_setting_of_the_search_changes_keys_of_the_search_only(cold, cache, package):
    edit(package / "search" / "tree" / "parameters.py", "\nCORRECTION_UNIT = 1024", "\nCORRECTION_UNIT = 1")
    told = run_copy(package, PLAY, cache)
    entry_point = "search_root"  # which no other function calls
    assert set(told["compiled"]) == {*callers(corrected), entry_point}
    assert {"quiescence", "search"} <= set(told["compiled"])
    assert told["nodes"] != cold["nodes"]


def test_changed_attacks_are_never_missed_and_compile_their_callers(cold, cache, package):
    """Leaps no longer attack."""
    edit(
        package / "engine" / "movegen" / "attacks.py",
        "found | (origins & members_of(group, rules, position))",
        "found",
    )
    told = run_copy(package, CHECK, cache, GAME, KNIGHT)
    assert told["check"] is False
    assert {"leapers_to", "attackers", "checkers_of", "in_check", "check"} <= set(told["compiled"])
    assert not {"line_attacks", "_sliders_to"} & set(told["compiled"])
