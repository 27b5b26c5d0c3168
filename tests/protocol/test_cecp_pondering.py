"""Pondering in CECP: over a pipe, with ranks counted from 0."""

import re
import time
from types import SimpleNamespace

import pytest
from surajang import Position
from surajang.engine.variant import Variant
from surajang.protocol.cecp.thoughts import Thoughts
from surajang.protocol.session.game import BLACK
from surajang.protocol.session.loading import Loaded
from surajang.protocol.session.searches import CLOCK_SLACK
from surajang.protocol.session.session import Session
from surajang.search.engine import Score
from surajang.tests.support.clocks import session_clock
from surajang.tests.support.engines import Puppet
from surajang.tests.support.gui import Gui, shared_engine

pytestmark = pytest.mark.process

UNEVEN = "4k5/pppppppppp/10/10/10/10/10/10/PPPPPPPPPP/RNBQKMCBNR[] b - - 0 1"
THOUGHT = r"(\d+) -?\d+ (\d+) \d+ (\S+)(.*)"
DEEP = 6


shared = shared_engine("pandemonium")


@pytest.fixture
def gui(shared):
    """An engine at the start of a game, playing neither side, its thoughts posted, pondering."""
    shared.begin("force", "new", "variant pandemonium", "force", "hard", "post", "level 0 60:00 0")
    yield shared
    if shared.process.poll() is None:
        shared.ask("force", "easy")


def pondering(gui, depth=4, limit="st 0.2"):
    """Makes the engine move, and waits until it ponders; returns the expected move."""
    gui.send(limit, "go")
    gui.expect("move .*")
    (hint,) = gui.expect("Hint: .*")
    expected = wait_for_thoughts(gui, depth)
    assert hint == f"Hint: {expected}"
    return expected


def wait_for_thoughts(gui, depth):
    """The first move of a report of that depth or more."""
    while True:
        match = re.fullmatch(THOUGHT, gui.expect(THOUGHT)[-1])
        if int(match[1]) >= depth:
            return match[3]


def is_silent(gui, seconds=0.3):
    """Whether nothing is written for a while, apart from earlier output."""
    gui.ask()
    time.sleep(seconds)
    return gui.ask() == []


def other_move(gui, expected):
    """A move of Black's that is not the expected one."""
    return next(move for move in ("a8a7", "j8j7") if move != expected)


def test_engine_ponders_only_when_asked_to(gui):
    gui.send("easy", "sd 2", "go")
    gui.expect("move .*")
    assert is_silent(gui)


def test_pondering_begins_after_the_move_and_shows_the_expected_reply_first(gui):
    expected = pondering(gui)
    assert gui.ask("hint")[-1] == f"Hint: {expected}"
    gui.ask("easy")
    assert gui.ask("force", f"usermove {expected}") == []


def test_easy_ends_pondering(gui):
    pondering(gui)
    gui.ask("easy")
    assert is_silent(gui)


def test_ping_is_answered_while_pondering(gui):
    pondering(gui)
    gui.ask()


def test_expected_move_is_answered_by_the_search_that_continues(gui):
    expected = pondering(gui, DEEP, limit="st 1.5")
    gui.send(f"usermove {expected}")
    *thoughts, move = gui.expect("move .*")
    begun = [thought for thought in thoughts if int(thought.split()[0]) < DEEP]
    assert begun == []
    gui.ask("force", "undo")
    assert gui.ask(f"usermove {move.split()[1]}") == []


def test_clock_told_before_the_expected_move_counts(gui):
    """An hour when pondering began, less than half a second now: with the hour it would continue for
    minutes."""
    gui.send("go")
    wait_for_thoughts(gui, 4)
    gui.send("?")
    gui.expect("move .*")
    expected = wait_for_thoughts(gui, 4)
    gui.send("time 40", "otim 360000", f"usermove {expected}")
    gui.expect("move .*")


def test_another_move_is_answered_by_a_search_of_its_own(gui):
    expected = pondering(gui)
    gui.send(f"usermove {other_move(gui, expected)}")
    *thoughts, move = gui.expect("move .*")
    assert len([thought for thought in thoughts if thought.startswith("1 ")]) == 1
    gui.ask("force", "undo")
    assert gui.ask(f"usermove {move.split()[1]}") == []


def test_move_now_is_no_matter_of_pondering(gui):
    pondering(gui)
    assert not [line for line in gui.ask("?") if line.startswith("move")]
    wait_for_thoughts(gui, 5)


@pytest.mark.parametrize(
    "command",
    ["force", "undo", "remove", "new", "result 1-0 {White resigns}", "memory 64", "setboard " + UNEVEN],
)
def test_pondering_ends_with(gui, command):
    if command == "remove":
        gui.ask("usermove e1e4")
    pondering(gui)
    assert not [line for line in gui.ask(command) if line.startswith(("move", "Error"))]
    assert is_silent(gui)


def test_undo_while_pondering_takes_the_engines_move_back(gui):
    pondering(gui)
    gui.ask("force", "undo")
    assert gui.ask("undo")[-1] == "Error (no moves to take back): undo"


def test_quit_works_while_pondering():
    gui = Gui()
    gui.start("pandemonium")
    gui.ask("force", "hard", "post")
    pondering(gui)
    gui.send("quit")
    assert gui.end() == 0


def test_input_may_end_while_pondering():
    gui = Gui()
    gui.start("pandemonium")
    gui.ask("force", "hard", "post")
    pondering(gui)
    gui.process.stdin.close()
    assert gui.end() == 0


def test_game_that_is_over_is_not_pondered(gui):
    gui.ask("setboard 9k/10/8K1/10/10/10/10/10/10/R9[] w - - 0 1", "sd 3")
    gui.send("go")
    assert gui.expect(r".*\}")[-1] == "1-0 {White mates}"
    assert is_silent(gui)


def thoughts_of(search, pondering):
    """The lines that are written for reports of a search 0.1 and 0.3 s after its start."""
    lines = []
    control = SimpleNamespace(pondering=pondering, expected="e7e5")
    thoughts = Thoughts(SimpleNamespace(search_control=control), None, lines.append)
    thoughts.post("")
    for seconds in (0.1, 0.3):
        info = SimpleNamespace(bound="", score=Score(20, None), pv=("g1f3",), depth=4, time=seconds, nodes=90)
        thoughts.tell(search, info, SimpleNamespace(write_move=str))
    return lines


@pytest.mark.quick
def test_thoughts_of_pondering_wait_until_the_gui_has_dealt_with_the_move():
    """python-chess would take them for thoughts about the move before."""
    search = object()
    assert thoughts_of(search, search) == ["4 20 30 90 e7e5 g1f3"]
    assert thoughts_of(search, None) == ["4 20 10 90 g1f3", "4 20 30 90 g1f3"]


# The clock, exactly: an engine that does as it is told


@pytest.fixture
def clock(monkeypatch):
    return session_clock(monkeypatch)


@pytest.fixture
def session(clock):
    session = Session(lambda event: None)
    session.loaded(Loaded(Variant("crazyhouse"), Puppet(), Position("crazyhouse")))
    session.game.engine_side = 0
    session.search_control.set_pondering(True)
    session.clock.control.base = session.clock.remaining = 60.0
    session.clock.control.moves = 0
    session.search_control.think()
    session.search_control.finish()
    session.search_control.ponder()
    yield session
    session.abandon()


@pytest.mark.quick
def test_time_of_pondering_is_not_charged(session, clock):
    assert session.clock.remaining == 60.0
    clock.advance(8.0)
    session.game.push(session.search_control.expected)
    session.search_control.think()
    clock.advance(0.5)
    session.search_control.finish()
    assert session.clock.remaining == 59.5


@pytest.mark.quick
def test_expected_move_keeps_the_search(session):
    pondered = session.search_control.pondering
    session.game.push(session.search_control.expected)
    session.search_control.think()
    assert session.search is pondered and session.search_control.pondering is None
    assert not pondered.held and len(session.search_control.engine.calls) == 2


@pytest.mark.quick
@pytest.mark.parametrize("change", ["clock", "per_move", "depth", "increment", "other move"])
def test_search_under_other_limits_or_of_another_move_is_begun_again(session, change):
    pondered = session.search_control.pondering
    reply = session.search_control.expected
    match change:
        case "clock":
            session.clock.remaining /= 2 * CLOCK_SLACK
        case "per_move" | "depth" | "increment":
            setattr(session.clock.control, change, 7)
        case "other move":
            reply = next(move for move in session.position.legal_moves() if move != reply)
    session.game.push(reply)
    session.search_control.think()
    assert session.search is not pondered and pondered.done
    assert [held for held, _ in session.search_control.engine.calls] == [False, True, False]
    assert session.search_control.engine.calls[-1][1] == session.search.request


@pytest.mark.parametrize("change", [-0.04, 0.0, 30.0])
def test_clock_a_little_off_does_no_harm(session, change):
    pondered = session.search_control.pondering
    session.clock.remaining += change
    session.game.push(session.search_control.expected)
    session.search_control.think()
    assert session.search is pondered


def test_reply_that_ends_the_game_is_not_pondered():
    session = Session(lambda event: None)
    fen = "7k/8/6K1/8/8/8/8/R7[] w - - 0 1"
    session.loaded(Loaded(Variant("crazyhouse"), Puppet(), Position("crazyhouse", fen)))
    session.game.engine_side = BLACK
    session.search_control.set_pondering(True)
    session.search_control.expected = session.position.parse_move("a1a8")
    session.search_control.ponder()
    assert session.search_control.pondering is None
    session.search_control.expected = session.position.parse_move("a1a7")
    session.search_control.ponder()
    assert session.search_control.pondering is not None
    session.abandon()


def test_no_reply_is_expected_where_the_line_has_none(session):
    session.abandon()
    session.search_control.expected = None
    session.search_control.ponder()
    assert session.search_control.pondering is None
