"""The package as a library: its tour runs, and its names are visible to people and type checkers."""

import ast
import doctest
import pickle
import pydoc
import subprocess
import sys
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest
import surajang
from surajang.engine.definition import catalogue
from surajang.engine.definition.catalogue import UNPLAYED
from surajang.engine.lazy_names import homes_by_name
from surajang.learn.generations.learning import PlanError
from surajang.learn.training.decoding import UnplayableError
from surajang.match.match_setup import EngineTextError
from surajang.tests.project.test_floors import FLOORS

pytestmark = pytest.mark.process

ROOT = Path(surajang.__file__).parent
PATHS = [*ROOT.glob("*.py"), *(path for floor in FLOORS for path in (ROOT / floor).rglob("*.py"))]
SOURCE = Path(surajang.__file__).read_text(encoding="utf-8")


# Modules whose docstrings have examples
WITH_EXAMPLES = sorted(
    ".".join(("surajang", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
    for path in PATHS
    if ">>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_in_docstrings_run(name):
    found = doctest.testmod(import_module(name), optionflags=doctest.ELLIPSIS)
    assert found.attempted >= 3
    assert not found.failed


def test_public_modules_have_examples():
    assert {"surajang", *(f"surajang.{name}" for name in ("pgn", "rl", "svg"))} <= {*WITH_EXAMPLES}


def test_type_checkers_are_told_of_every_name():
    (block,) = (node for node in ast.parse(SOURCE).body if isinstance(node, ast.If))
    told = {alias.name for node in block.body for alias in node.names}
    assert {*told, "__version__", "variants"} == set(surajang.__all__)
    assert told == {*homes_by_name(surajang._HOMES), *surajang._MODULES}


def test_every_name_is_there_and_has_help():
    for name in homes_by_name(surajang._HOMES):
        assert getattr(surajang, name).__doc__, name
    text = pydoc.plain(pydoc.render_doc(surajang))
    assert "class Position" in text
    assert "class Engine" in text


@pytest.mark.quick
def test_import_loads_neither_the_compiler_nor_numpy():
    code = (
        "import sys, surajang; print(*(name for name in ('numba', 'numpy', 'chess') if name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "\n"


def test_names_of_modules_and_games_are_there():
    assert surajang.match.play.__doc__ and surajang.learn.run.__doc__
    assert {"chess", "janggi", "pandemonium"} <= set(surajang.variants())
    for module in (surajang, surajang.match, surajang.learn, surajang.rl):
        assert set(dir(module)) >= set(module.__all__)
        with pytest.raises(AttributeError, match="has no attribute 'plya'"):
            _ = module.plya


def test_package_is_marked_as_typed():
    assert Path(surajang.__file__).with_name("py.typed").exists()


@pytest.mark.parametrize("use", [surajang.Position, surajang.Engine, surajang.pgn.Game])
@pytest.mark.parametrize(
    ("name", "meant"),
    [("jangi", "janggi"), ("Chesss", "chess"), ("fisherandom", "fischerandom"), ("atomc960", "atomic960")],
)
def test_unknown_game_is_reported_with_the_one_that_was_meant(use, name, meant):
    with pytest.raises(surajang.VariantError, match=f"{name}'; did you mean '{meant}'\\?$"):
        use(name)


@pytest.mark.usefixtures("interpreted_positions")
@pytest.mark.parametrize(
    "use", [surajang.Position, partial(surajang.Engine, hash_mb=1, compile_now=False), surajang.pgn.Game]
)
@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("fischerandom", "chess960"),
        ("normal", "chess"),
        ("Three-check", "3check"),
        ("zh 960", "crazyhouse960"),
    ],
)
def test_a_game_has_in_python_all_names_that_it_has_in_gui_programs(use, name, own):
    assert use(name).variant == own


@pytest.mark.parametrize("name", ["petrified", "Bughouse", "shatar"])
def test_game_of_other_programs_is_refused_with_the_reason(name):
    with pytest.raises(surajang.VariantError, match=f"unknown variant '{name}': .* not played$"):
        surajang.Position(name)


def test_no_game_is_both_shipped_and_refused():
    assert not UNPLAYED.keys() & set(map(catalogue.plain_name, catalogue.shipped()))


def test_unknown_game_without_a_similar_name_gets_the_command_that_lists_all():
    with pytest.raises(
        surajang.VariantError, match=r"unknown variant 'zzz'; 'surajang variants' lists all games$"
    ):
        surajang.Position("zzz")


@pytest.mark.parametrize(
    "error",
    [
        surajang.MoveSyntaxError("e9", "is not a move"),
        UnplayableError(3, 5),
        PlanError("hours", "0 should be positive"),
        EngineTextError("cmd=x", ValueError("no such program"), "engine"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_errors_cross_processes(error):
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error) and str(again) == str(error)
    assert {*vars(again)} == {*vars(error)}
