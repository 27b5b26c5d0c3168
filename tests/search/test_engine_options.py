"""Levels and options of an engine, and arguments that it refuses."""

import random

import chess
import chess.engine
import pytest
import surajang
from surajang import Engine, Limit, Position

pytestmark = [pytest.mark.compiled, pytest.mark.quick]

FORK = "4k3/8/8/3q4/8/4N3/8/4K3 w - - 0 1"
SHORT = Limit(depth=4)


@pytest.fixture(scope="module")
def shared():
    with Engine("chess", hash_mb=1) as engine:
        yield engine


@pytest.fixture
def engine(shared):
    """One engine for all tests, at full strength and cleared."""
    shared.clear()
    yield shared
    shared.configure(elo=None, skill=20, move_overhead=0.03)


def test_weak_engine_searches_few_nodes_and_varies_its_moves(engine):
    random.seed(1)
    engine.configure(elo=200)
    results = [engine.play(Position("chess"), Limit(depth=12)) for _ in range(20)]
    assert max(result.nodes for result in results) < 2_000
    assert len({result.move for result in results}) > 1
    assert all(result.pv[0] == result.move for result in results)
    engine.configure(elo=None, skill=0)
    assert engine.play(Position("chess"), Limit(depth=12)).nodes < 2_000


def test_analysis_is_at_full_strength(engine):
    engine.configure(skill=0)
    assert engine.analyse(Position("chess", FORK), Limit(depth=7)).depth == 7


def test_options_are_reported_and_changed(engine):
    assert engine.options == {
        "hash_mb": 1,
        "threads": 1,
        "eval_file": engine.options["eval_file"],
        "elo": None,
        "skill": 20,
        "move_overhead": 0.03,
    }
    engine.configure(elo=1500, move_overhead=0.1)
    assert (engine.options["elo"], engine.options["move_overhead"]) == (1500, 0.1)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"hash": 5}, "'hash' is not an option of the engine \\(hash_mb, "),
        ({"elo": 100}, "elo 100 should be from 200 to 3200, or None"),
        ({"skill": 21}, "skill 21 should be from 0 to 20"),
        ({"threads": 0}, "0 threads: the number should be from 1"),
        ({"move_overhead": -1}, "move_overhead -1 should be seconds from 0"),
        ({"move_overhead": float("nan")}, "move_overhead nan should be seconds from 0"),
        ({"move_overhead": 10**400}, "move_overhead 10+ should be seconds from 0"),
        ({"hash_mb": float("nan")}, "a table of nan MB is not possible; it needs at least 1"),
    ],
)
def test_option_that_makes_no_sense_is_quoted(engine, options, text):
    before = engine.options
    with pytest.raises(ValueError, match=text):
        engine.configure(**options)
    assert engine.options == before


@pytest.mark.parametrize("name", ["hash_mb", "threads", "elo", "skill", "move_overhead"])
@pytest.mark.parametrize("value", ["8", True])
def test_option_of_another_type_is_quoted(engine, name, value):
    before = engine.options
    with pytest.raises(TypeError, match=f"^{name} {value!r} should be a (whole )?number$"):
        engine.configure(**{name: value})
    assert engine.options == before


@pytest.mark.parametrize(
    ("limits", "text"),
    [
        ({"depth": 2.5}, "depth 2.5 should be a whole number"),
        ({"depth": "3"}, "depth '3' should be a whole number"),
        ({"mate": True}, "mate True should be a whole number"),
        ({"nodes": "many"}, "nodes 'many' should be a number"),
        ({"movetime": "1"}, "movetime '1' should be a number"),
        ({"depth": 1, "multipv": "3"}, "multipv '3' should be a whole number"),
        ({"clock": 60.0}, r"clock 60.0 should be a Clock, as in Clock\(remaining=60.0\)"),
        ({"clock": surajang.Clock("60")}, "clock '60' should be a number"),
        ({"clock": surajang.Clock(None)}, "clock None should be a number"),
        ({"clock": surajang.Clock(60.0, None)}, "increment None should be a number"),
        ({"clock": surajang.Clock(60.0, "1")}, "increment '1' should be a number"),
        ({"clock": surajang.Clock(60.0, 1.0, 2.5)}, "moves_to_go 2.5 should be a whole number"),
        ({"limit": 3}, "3 is not a surajang.Limit"),
        ({"limit": chess.engine.Limit(depth=1)}, r"Limit\(depth=1\) is not a surajang.Limit"),
    ],
)
def test_limit_of_another_type_is_quoted(engine, limits, text):
    with pytest.raises(TypeError, match=text):
        engine.play(Position("chess"), **limits)
    engine.configure(skill=5)
    with pytest.raises(TypeError, match=text):
        engine.play(Position("chess"), **limits)
    engine.configure(skill=20)
    assert engine.play(Position("chess"), depth=1, nodes=1e6).move


@pytest.mark.parametrize(
    ("limits", "text"),
    [
        ({"movetime": float("nan")}, "^movetime nan should be a number of seconds$"),
        ({"movetime": 10**400}, r"^movetime of more than 10\*\*300 should be a number of seconds$"),
        ({"clock": surajang.Clock(10**400)}, r"^clock of more than 10\*\*300 should be a number of seconds$"),
        ({"clock": surajang.Clock(1.0, float("nan"))}, "^increment nan should be a number of seconds$"),
        ({"clock": surajang.Clock(1.0, 0.0, 0)}, "^moves_to_go 0 should be at least 1$"),
    ],
)
def test_time_that_no_clock_shows_is_refused(engine, limits, text):
    with pytest.raises(ValueError, match=text):
        engine.play(Position("chess"), **limits)


def test_lines_below_one_are_refused(engine):
    with pytest.raises(ValueError, match="multipv 0 should be at least 1"):
        engine.analyse(Position("chess"), SHORT, multipv=0)


@pytest.mark.parametrize(
    ("thing", "text"),
    [
        ("startpos", "searches a surajang.Position, not a str$"),
        (None, "not a NoneType$"),
        (chess.Board(), "not a chess.Board; Position.from_chess takes boards of python-chess$"),
    ],
)
def test_something_else_is_not_searched(engine, thing, text):
    for use in (engine.play, engine.analyse, engine.analysis, engine.evaluate):
        with pytest.raises(TypeError, match=text):
            use(thing)
