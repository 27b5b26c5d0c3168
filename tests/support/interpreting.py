"""Rules without compiled code, for tests that look at a few thousand positions of a game: Python runs them in
less time than they take to compile. `conftest` exports the fixture."""

import pytest
from numba.core.dispatcher import Dispatcher
from surajang.engine.kernel.interpreter import plain
from surajang.engine.movegen import perft
from surajang.engine.movegen.entry_points import INTERPRETER, EntryPoints


def _refuse(*arguments):
    pytest.fail("a function was compiled")


@pytest.fixture
def interpreted(monkeypatch):
    """Positions, attacks and perft are interpreted; nothing may be compiled."""
    made = {}

    def points_of(rules):
        if rules not in made:
            made[rules] = EntryPoints(rules)
            made[rules].interpret()
        return made[rules]

    count = INTERPRETER.function(perft.count_leaves)
    monkeypatch.setattr(perft, "count_leaves", lambda *arguments: count(*map(plain, arguments)))
    for module in ("position", "board_methods"):
        monkeypatch.setattr(f"surajang.engine.{module}.entry_points_of", points_of)
    monkeypatch.setattr(Dispatcher, "compile", _refuse)
