"""When an `Engine` and a `Position` compile: in the constructor, and never within the limits of a search."""

import pytest
from surajang import Engine, Position
from surajang.engine.movegen import entry_points
from surajang.engine.movegen.entry_points import EntryPoints
from surajang.search import compiled_search
from surajang.search import engine as engine_module

pytestmark = pytest.mark.compiled


@pytest.fixture
def compiled(monkeypatch):
    """The numbers of entry points that searches had compiled, call by call."""
    calls, real = [], compiled_search.compile_ahead

    def note(points, *rest):
        calls.append(len(points))
        return real(points, *rest)

    monkeypatch.setattr(compiled_search, "compile_ahead", note)
    return calls


def test_constructor_compiles_all_that_a_search_needs(compiled):
    with Engine("chess", hash_mb=1) as engine:
        assert len(compiled) == 1 and engine.is_ready and engine.is_compiled
        engine.play(Position("chess"), depth=1)
        assert len(compiled) == 1


def test_constructor_reports_the_progress():
    told = []
    Engine("chess", hash_mb=1, progress=lambda *facts: told.append(facts)).close()
    done, total, what = told[-1]
    assert done == total > 0 and what


def test_engine_that_is_not_compiled_now_compiles_before_its_first_search(compiled):
    with Engine("chess", hash_mb=1, compile_now=False) as engine:
        assert not compiled and not engine.is_ready
        engine.play(Position("chess"), depth=1)
        engine.play(Position("chess"), depth=1)
        assert len(compiled) == 1


def test_clock_of_a_search_starts_after_the_compiler(monkeypatch):
    order, real = [], engine_module.Search
    monkeypatch.setattr(compiled_search, "compile_ahead", lambda *_: order.append("compile"))
    monkeypatch.setattr(engine_module, "Search", lambda *rest: order.append("search") or real(*rest))
    with Engine("chess", hash_mb=1, compile_now=False) as engine:
        engine.play(Position("chess"), movetime=0.01)
    assert order == ["compile", "search"]


def test_another_evaluation_is_compiled_when_it_is_chosen(compiled):
    with Engine("chess", hash_mb=1) as engine:
        engine.set_eval_file(False)
        assert len(compiled) == 2
        engine.play(Position("chess"), depth=1)
        assert len(compiled) == 2


def test_first_position_of_a_game_compiles_what_its_moves_need(monkeypatch):
    calls, told, rules = [], [], Position("chess").rules

    def note(points, progress):
        calls.append([point.function.py_func.__name__ for point in points])
        progress(1, 1, "ready")

    monkeypatch.setattr(entry_points, "compile_ahead", note)
    fresh = EntryPoints(rules)
    monkeypatch.setattr("surajang.engine.position.entry_points_of", lambda rules: fresh)
    for _ in range(2):
        Position("chess", progress=lambda *facts: told.append(facts))
    assert calls == [[point.function.py_func.__name__ for point in entry_points.move_points(rules)]]
    assert {"check", "advance", "list_moves"} <= set(calls[0])
    assert told == [(1, 1, "ready")]
