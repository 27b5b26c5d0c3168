"""Rules without compiled code, for tests that look at a few thousand positions of a game: Python runs them in
less time than they take to compile. `conftest` exports the fixtures."""

from functools import cache

import pytest
from numba.core.dispatcher import Dispatcher
from surajang.engine.kernel.interpreter import plain
from surajang.engine.movegen import perft
from surajang.engine.movegen.entry_points import INTERPRETER, EntryPoints
from surajang.tests.support.games import COMPILED_GAMES, PLAYED_GAMES


def _refuse(*arguments):
    pytest.fail("a function was compiled")


def interpreted_points():
    """What takes the place of `entry_points_of`: the same rules get the same entry points."""

    @cache
    def points_of(rules):
        points = EntryPoints(rules)
        points.interpret()
        return points

    return points_of


@pytest.fixture
def interpreted_positions(monkeypatch):
    """Positions are interpreted; other functions are compiled."""
    points_of = interpreted_points()
    for module in ("position", "board_methods"):
        monkeypatch.setattr(f"surajang.engine.{module}.entry_points_of", points_of)


@pytest.fixture
def interpreted(interpreted_positions, monkeypatch):
    """Positions, attacks and perft are interpreted; nothing may be compiled."""
    count = INTERPRETER.function(perft.count_leaves)
    monkeypatch.setattr(perft, "count_leaves", lambda *arguments: count(*map(plain, arguments)))
    monkeypatch.setattr(Dispatcher, "compile", _refuse)


@pytest.fixture
def seldom_compiled(request):
    """`interpreted`, for a test over all games: it compiles those whose search is compiled and those whose
    rules take a branch that others do not. The test's parameter `variant` is the name of the game."""
    if request.getfixturevalue("variant") not in COMPILED_GAMES.union(PLAYED_GAMES):
        request.getfixturevalue("interpreted")
