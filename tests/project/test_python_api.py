"""The package as a library: its tour runs, and its names are there for people and for type checkers."""

import ast
import doctest
import pydoc
import subprocess
import sys
from pathlib import Path

import pytest
import surajang

pytestmark = pytest.mark.process

SOURCE = Path(surajang.__file__).read_text(encoding="utf-8")


def test_tour_of_the_package_runs():
    found = doctest.testmod(surajang, optionflags=doctest.ELLIPSIS)
    assert found.attempted >= 10
    assert not found.failed


def test_type_checkers_are_told_of_every_name():
    (block,) = (node for node in ast.parse(SOURCE).body if isinstance(node, ast.If))
    told = {alias.name for node in block.body for alias in node.names}
    assert {*told, "__version__"} == set(surajang.__all__)
    assert told == {*surajang._HOMES, *surajang._MODULES}


def test_every_name_is_there_and_has_help():
    for name in surajang._HOMES:
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


def test_package_is_marked_as_typed():
    assert Path(surajang.__file__).with_name("py.typed").exists()


@pytest.mark.parametrize("use", [surajang.Position, surajang.Engine, surajang.pgn.Game])
@pytest.mark.parametrize(
    ("name", "meant"), [("jangi", "janggi"), ("Chess", "chess"), ("crazy-house", "crazyhouse")]
)
def test_unknown_game_is_told_with_the_one_that_was_meant(use, name, meant):
    with pytest.raises(
        surajang.VariantError, match=f"{name}'; did you mean '{meant}'\\? \\(known: cannonshogi, "
    ):
        use(name)


def test_unknown_game_that_is_like_none_gets_the_list_alone():
    with pytest.raises(surajang.VariantError, match=r"unknown variant 'zzz' \(known: cannonshogi, "):
        surajang.Position("zzz")
