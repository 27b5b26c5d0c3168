"""The lanes: every module has a marker for its needs, `make quick` covers every layer, and no test measures
time."""

import ast
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
from surajang.engine.definition import catalogue
from surajang.tests.conftest import NEEDS, pytest_xdist_auto_num_workers
from surajang.tests.support.games import SEED_GAMES

pytestmark = [pytest.mark.process, pytest.mark.quick]

TESTS = Path(__file__).parents[1]
MODULES = sorted(TESTS.rglob("test_*.py"))
VARIANTS = catalogue.FOLDER
OTHERS = set(catalogue.shipped()) - set(SEED_GAMES)
FLOORS = ("engine", "eval", "search", "protocol", "match", "bench")
COVERED = {  # a test that the lane takes, by what the lane is for
    "perft": "engine/test_vectors.py::test_engine_counts_from_the_start",
    "perft of chess": "engine/test_oracles_chess.py::test_chess_counts_the_published_leaves",
    "rules": "engine/test_rules_pandemonium_drops.py::test_pawn_drop_may_stalemate",
    "evaluation": "eval/test_merchant_evaluation.py::test_merchants_score_for_whom_they_hold",
    "search": "search/test_search.py::test_shortest_mate_is_found_and_announced",
    "stop": "search/test_search.py::test_search_that_was_told_to_stop_looks_at_few_more_nodes",
    "UCI": "protocol/test_uci_walks.py::test_position_is_the_models_after_every_command",
    "CECP": "protocol/test_cecp_walks.py::test_position_is_the_models_after_every_command",
    "a process of UCI": "protocol/test_uci_concurrency.py::test_stop_and_go_without_waiting_are_two_searches",
    "a process of CECP": "protocol/test_cecp_thinking.py::test_mate_is_announced_with_its_length",
    "a match": "match/test_match_command.py::test_surajang_plays_itself_from_openings_of_its_own",
    "a benchmark": "bench/test_bench.py::test_ttd_reports_the_last_depths_of_the_ladder",
}
STOPWATCHES = {"monotonic", "perf_counter", "process_time"}


@cache
def tree_of(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def marks_in(nodes):
    """The names after `mark.` in expressions."""
    parts = [part for node in nodes for part in ast.walk(node) if isinstance(part, ast.Attribute)]
    return {part.attr for part in parts if getattr(part.value, "attr", "") == "mark"}


def markers_of(path):
    """The markers of a whole module."""
    statements = [node for node in tree_of(path).body if isinstance(node, ast.Assign)]
    return marks_in(node.value for node in statements if ast.unparse(node.targets) == "pytestmark")


@cache
def quick_tests(path):
    """The tests of a module that the quick lane takes, as trees by their names."""
    found = {}

    def look(node, markers):
        for child in node.body:
            if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
                own = markers | marks_in(child.decorator_list)
                if isinstance(child, ast.ClassDef):
                    look(child, own)
                elif child.name.startswith("test_") and own & {"pure", "quick"} and "slow" not in own:
                    found[child.name] = child

    look(tree_of(path), markers_of(path))
    return found


def pytest_run(folder, *arguments):
    """The output of pytest for the tests in a folder."""
    command = [sys.executable, "-m", "pytest", "-p", "no:xdist", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout


# What a module needs


def test_every_module_has_one_marker():
    assert [path for path in MODULES if len(markers_of(path) & set(NEEDS)) != 1] == []


PLAYS, STARTS = "surajang.Position('chess')", "subprocess.run(['true'])"
MADE = {  # markers of a module, and what its test does
    "tells_nothing": ("[]", "pass"),
    "tells_two_things": ("[pytest.mark.pure, pytest.mark.gui]", "pass"),
    "pure": ("pytest.mark.pure", "pass"),
    "pure_that_plays": ("pytest.mark.pure", PLAYS),
    "pure_that_starts": ("pytest.mark.pure", STARTS),
    "compiled_that_plays": ("pytest.mark.compiled", PLAYS),
    "compiled_that_starts": ("pytest.mark.compiled", STARTS),
    "process_that_starts": ("pytest.mark.process", STARTS),
}
REFUSED = {"tells_nothing", "tells_two_things", "pure_that_plays", "pure_that_starts", "compiled_that_starts"}


@pytest.mark.slow
def test_module_without_the_right_marker_fails(tmp_path):
    shutil.copy(TESTS / "conftest.py", tmp_path)
    for name, (markers, does) in MADE.items():
        head = f"import subprocess\n\nimport pytest\nimport surajang\n\npytestmark = {markers}\n"
        (tmp_path / f"test_{name}.py").write_text(f"{head}\ndef test_one():\n    {does}\n")
    said = pytest_run(tmp_path, "-rA", "--continue-on-collection-errors")
    found = re.findall(r"^(PASSED|FAILED|ERROR) test_(\w+)\.py", said, re.MULTILINE)
    outcomes = {name: word for word, name in found}
    assert outcomes.keys() == MADE.keys()
    assert {name for name, word in outcomes.items() if word != "PASSED"} == REFUSED


@pytest.mark.slow
def test_modules_that_take_long_begin_and_other_needs_take_turns(tmp_path):
    shutil.copy(TESTS / "conftest.py", tmp_path)
    markers = {f"{need}_{number}": f"pytest.mark.{need}" for need in NEEDS for number in (1, 2)}
    markers["compiled_slow"] = "[pytest.mark.compiled, pytest.mark.slow]"
    for name, marker in markers.items():
        head = f"import pytest\n\npytestmark = {marker}\n"
        (tmp_path / f"test_{name}.py").write_text(f"{head}\ndef test_one():\n    pass\n")
    said = pytest_run(tmp_path, "--collect-only", "-q")
    turns = [f"{need}_{number}" for number in (1, 2) for need in ("gui", "process", "compiled")]
    found = re.findall(r"^test_(\w+)\.py::", said, re.MULTILINE)
    assert found == ["compiled_slow", *turns, "pure_1", "pure_2"]


@pytest.mark.parametrize(("quick", "workers"), [(False, 6), (True, 4)])
def test_tests_that_wait_leave_cores_for_more_workers(monkeypatch, quick, workers):
    monkeypatch.setattr("os.sched_getaffinity", lambda process: range(4))
    assert pytest_xdist_auto_num_workers(SimpleNamespace(getoption={"quick": quick}.get)) == workers


# The quick lane


CHOSEN = """
@pytest.mark.quick
def test_quick():
    pass

@pytest.mark.quick
@pytest.mark.slow
def test_slow():
    pass

def test_other():
    pass
"""


@pytest.mark.slow
def test_lane_takes_what_is_pure_or_quick_and_not_slow(tmp_path):
    shutil.copy(TESTS / "conftest.py", tmp_path)
    for need in NEEDS:
        head = f"import pytest\n\npytestmark = pytest.mark.{need}\n"
        (tmp_path / f"test_{need}.py").write_text(head + CHOSEN)
    unread = (
        "import pytest\n\npytestmark = [pytest.mark.pure, pytest.mark.slow]\nraise RuntimeError('imported')\n"
    )
    (tmp_path / "test_unread.py").write_text(unread)
    said = pytest_run(tmp_path, "--quick", "--collect-only", "-q")
    assert "imported" not in said
    for need in NEEDS:
        taken = set(re.findall(rf"^test_{need}\.py::(\w+)", said, re.MULTILINE))
        assert taken == {"test_quick", *["test_other"] * (need == "pure")}
        assert taken == set(quick_tests(tmp_path / f"test_{need}.py"))


def test_make_quick_takes_the_lane():
    recipe = (TESTS.parent / "Makefile").read_text(encoding="utf-8").split("\nquick:")[1].split("\n")[1]
    assert recipe.endswith(" --quick") and " -n auto " in recipe


@pytest.mark.parametrize("lane", ["test", "quick"])
def test_make_keeps_the_order_of_the_modules(lane):
    recipe = (TESTS.parent / "Makefile").read_text(encoding="utf-8").split(f"\n{lane}:")[1].split("\n")[1]
    assert " --no-loadscope-reorder" in recipe


def test_quick_lane_plays_every_seed_game():
    assert sorted(SEED_GAMES) == sorted(path.stem for path in VARIANTS.glob("*.toml"))
    (test,) = quick_tests(TESTS / "search" / "test_seed_games.py").values()
    assert [ast.unparse(node) for node in test.decorator_list] == [
        "pytest.mark.parametrize('variant', SEED_GAMES)"
    ]


@pytest.mark.parametrize("what", COVERED)
def test_quick_lane_covers(what):
    module, _, wanted = COVERED[what].partition("::")
    assert wanted in quick_tests(TESTS / module)


@pytest.mark.parametrize("floor", FLOORS)
def test_quick_lane_runs_every_floor(floor):
    """Not only tests that are pure."""
    running = [path for path in MODULES if quick_tests(path) and "pure" not in markers_of(path)]
    nodes = [node for path in running for node in ast.walk(tree_of(path))]
    imported = [node.module for node in nodes if isinstance(node, ast.ImportFrom)]
    assert [module for module in imported if module.split(".")[:2] == ["surajang", floor]]


def test_quick_lane_compiles_no_game_but_the_seed_games():
    """Each costs seconds after an edit of the search. Pure tests compile nothing."""
    for path in MODULES:
        tests = {} if "pure" in markers_of(path) else quick_tests(path)
        nodes = [node for test in tests.values() for node in ast.walk(test)]
        assert not OTHERS & {node.value for node in nodes if isinstance(node, ast.Constant)}, path
        assert "available" not in {node.attr for node in nodes if isinstance(node, ast.Attribute)}, path


# Time


def is_duration(expression, names):
    """Whether an expression is a duration: a difference of a clock, or one of the names."""
    for node in ast.walk(expression):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
            calls = [part.func for part in ast.walk(node.left) if isinstance(part, ast.Call)]
            if STOPWATCHES & {ast.unparse(called).split(".")[-1] for called in calls}:
                return True
        if isinstance(node, ast.Name) and node.id in names:
            return True
    return False


def timed_assertions(tree):
    """The lines that assert a duration, or give it a few seconds `within` which to happen."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    given = [(node, word) for node in calls for word in node.keywords if word.arg == "within"]
    found = [node.lineno for node, word in given if isinstance(word.value, ast.Constant)]
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        names = set()
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and is_duration(node.value, names):
                names |= {ast.unparse(target) for target in node.targets}
        asserted = [node for node in ast.walk(function) if isinstance(node, ast.Assert)]
        found += [node.lineno for node in asserted if is_duration(node.test, names)]
    return found


def test_no_test_asserts_how_long_something_took():
    """A fake clock of `clocks` replaces time; `bench` measures speed."""
    found = {path: timed_assertions(tree_of(path)) for path in MODULES}
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("assert time.monotonic() - start < 2", [2]),
        ("assert 0.4 < perf_counter() - start < 2", [2]),
        ("seconds = time.perf_counter() - began\n    assert seconds < 0.4", [3]),
        ('gui.expect("bestmove .*", within=0.5)', [2]),
        ('gui.expect("bestmove .*", within=SOON)', []),
        ("assert time.monotonic() < deadline", []),
        ("assert lines.get(timeout=deadline - time.monotonic())", []),
    ],
)
def test_assertion_of_a_duration_is_found(lines, found):
    assert timed_assertions(ast.parse(f"def test_it():\n    {lines}\n")) == found
