"""A pause stops thinking and clocks until the engine continues."""

import re
import time

import pytest
from surajang import Position
from surajang.engine.variant import Variant
from surajang.protocol.session.clock import ClockSettings
from surajang.protocol.session.loading import Loaded
from surajang.protocol.session.session import Session
from surajang.tests.support.clocks import session_clock
from surajang.tests.support.engines import Puppet
from surajang.tests.support.gui import shared_engine

pytestmark = pytest.mark.process

THOUGHT = r"\d+ -?\d+ \d+ \d+ \S.*"


shared = shared_engine("crazyhouse")


@pytest.fixture
def gui(shared):
    shared.begin(
        "exit", "easy", "force", "new", "variant crazyhouse", "force", "post", "level 40 5 0", "st 60"
    )
    yield shared
    if shared.process.poll() is None:
        shared.ask("exit", "easy", "force")


def paused(gui):
    """The answer to a pause during thinking, after it is clear that nothing more follows."""
    gui.expect(THOUGHT)
    gui.ask("pause")
    time.sleep(0.3)
    return gui.ask()


def test_thinking_is_interrupted_and_continues(gui):
    gui.send("go")
    assert paused(gui) == []
    gui.send("resume")
    gui.expect(THOUGHT)
    gui.send("?")
    assert gui.expect("move .*")[-1].startswith("move ")


def test_time_of_the_pause_does_not_count(gui):
    gui.ask("st 1")
    gui.send("go")
    gui.expect(THOUGHT)
    assert not [line for line in gui.ask("pause") if line.startswith("move")]
    time.sleep(1.2)
    assert gui.ask() == []
    gui.send("resume")
    gui.expect("move .*")


def test_paused_move_is_still_the_engines(gui):
    gui.send("go")
    paused(gui)
    assert gui.ask("usermove e2e4", "?", "exclude e2e4", ".") == [
        "Illegal move (not your turn): e2e4",
        "Error (not while thinking): exclude e2e4",
    ]


@pytest.mark.parametrize("command", ["force", "new", "undo", "result * {stopped}", "edit"])
def test_what_ends_the_thinking_ends_the_pause(gui, command):
    gui.ask("usermove e2e4")
    gui.send("go")
    paused(gui)
    gui.ask(command, ".", "variant crazyhouse" if command == "new" else "post", "resume")
    time.sleep(0.2)
    assert gui.ask() == []


def test_analysis_is_interrupted_and_continues(gui):
    gui.send("analyze")
    assert paused(gui) == []
    gui.send("resume")
    gui.expect(THOUGHT)


def test_move_resumes_a_paused_analysis(gui):
    gui.send("analyze")
    paused(gui)
    gui.send("usermove e2e4")
    assert re.match(r"1 \S+ \d+ \d+ [a-h][78]", gui.expect(THOUGHT)[-1])


def test_pondering_is_interrupted_and_continues(gui):
    gui.send("hard", "st 0.1", "go")
    gui.expect("Hint: .*")
    assert paused(gui) == []
    gui.send("resume")
    gui.expect(THOUGHT)


def test_pause_of_an_idle_engine_is_no_pause(gui):
    assert gui.ask("pause", "usermove e2e4", "usermove e7e5", "resume", "undo", "undo") == []


def test_cores_are_obeyed_after_the_move(gui):
    gui.send("go")
    gui.expect(THOUGHT)
    gui.send("cores 2", "?")
    said = gui.expect("move .*")
    assert not [line for line in said if line.startswith("Error")]
    assert gui.ask("cores 1") == []


# The clock, exactly


@pytest.fixture
def clock(monkeypatch):
    return session_clock(monkeypatch)


@pytest.fixture
def session(clock):
    session = Session(lambda event: None)
    puppet = Puppet()
    puppet.may_end.clear()
    session.loaded(Loaded(Variant("crazyhouse"), puppet, Position("crazyhouse")))
    session.game.engine_side = 0
    session.clock.control.base = session.clock.remaining = 60.0
    yield session
    session.abandon()


@pytest.mark.quick
def test_clock_stands_still_in_a_pause(session, clock):
    session.search_control.think()
    clock.advance(1.0)
    session.search_control.pause()
    assert session.clock.remaining == 59.0
    clock.advance(8.0)
    session.search_control.resume()
    assert session.search is not None and session.search.request.limit.clock.remaining == 59.0
    clock.advance(2.0)
    session.search_control.finish()
    assert session.clock.remaining == 57.0


@pytest.mark.quick
def test_rest_of_the_time_for_a_move_is_left_after_a_pause(session, clock):
    session.clock.control.per_move = 5.0
    session.search_control.think()
    clock.advance(2.0)
    session.search_control.pause()
    clock.advance(8.0)
    session.search_control.resume()
    assert session.search.request.limit.time == session.clock.movetime(3.0)
    session.search_control.finish()
    session.search_control.think()
    assert session.search.request.limit.time == session.clock.movetime(5.0)


def test_pause_ends_with_the_thinking(session):
    session.search_control.think()
    session.search_control.pause()
    assert session.search_control.interrupted == "move"
    session.force()
    assert session.search_control.interrupted is None
    session.search_control.resume()
    assert session.search is None


@pytest.mark.quick
@pytest.mark.parametrize(
    ("moves", "since", "ply", "left"),
    [
        (40, 0, 0, 40),
        (40, 0, 2, 39),
        (40, 0, 79, 1),
        (40, 0, 80, 40),
        (20, 80, 80, 20),  # `level 20 22 0` before White's 41st move
        (20, 80, 81, 20),
        (20, 80, 83, 19),
        (20, 81, 81, 20),
        (20, 81, 83, 19),
        (20, 80, 10, 20),  # after moves were taken back
        (0, 0, 30, None),
    ],
)
def test_moves_count_from_where_they_were_told(moves, since, ply, left):
    assert ClockSettings(moves=moves, since=since).moves_to_go(ply) == left
