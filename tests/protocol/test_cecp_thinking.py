"""Thinking with the clocks of XBoard, and its reports: time, depth, lines, draws."""

import re

import pytest
from surajang import Clock, Info, Limit, Position, Score
from surajang.engine.variant import Variant
from surajang.protocol.cecp.protocol import Cecp
from surajang.protocol.session.loading import Loaded
from surajang.protocol.session.search_thread import InfoReported, SearchRequest
from surajang.protocol.wire.stdio import InputLine
from surajang.tests.support.engines import Puppet
from surajang.tests.support.gui import at_the_start, shared_engine

pytestmark = pytest.mark.process


# Squares are XBoard's: on ten ranks it counts from 0.
MATE_IN_ONE = "9k/10/8K1/10/10/10/10/10/10/R9[] w - - 0 1"

UNEVEN = "4k5/pppppppppp/10/10/10/10/10/10/PPPPPPPPPP/RNBQKMCBNR[]"

shared, gui = shared_engine("pandemonium"), at_the_start


# Time and depth


@pytest.mark.parametrize(
    "command",
    [
        *(
            "level 40 5 0",
            "level 0 0:01 0",
            "level 0 2 12",
            "level 0 5 0.5",
            "level 5 0:30 0.05",
            "level 0 1 .5",
        ),
        *("level 40 25+5 0", "level 0 2:30 12", "st 0.5", "st 1:30"),
    ],
)
def test_time_controls_are_understood(gui, command):
    assert gui.ask(command) == []


TIMES = [
    (["st 0.3"], Limit(time=0.27)),
    (["st 0", "time 30"], Limit(time=0.27)),
    (["level 0 0:02 0"], Limit(clock=Clock(2.0))),
    (["level 20 0:02 0"], Limit(clock=Clock(2.0, 0.0, 20))),
    (["level 0 5 0", "time 100", "otim 9"], Limit(clock=Clock(1.0))),
]


@pytest.mark.parametrize("commands", [commands for commands, _ in TIMES])
def test_engine_keeps_the_time(gui, commands):
    """With the earlier ten hours it would think for minutes."""
    gui.ask("level 0 600 0", *commands)
    gui.send("go")
    gui.expect("move .*")


@pytest.mark.quick
@pytest.mark.parametrize(("commands", "asked"), TIMES)
def test_engine_is_given_the_time(commands, asked):
    puppet, talk = Puppet(), Cecp([].append, [].append)
    talk.handle(Loaded(Variant("pandemonium"), puppet, Position("pandemonium")))
    for line in ("level 0 600 0", *commands, "go"):
        talk.handle(InputLine(line))
    talk._session.abandon()
    assert puppet.calls == [(False, SearchRequest(asked))]


def test_depth_is_a_limit_beside_the_time(gui):
    gui.ask("st 30", "sd 2", "post")
    gui.send("go")
    *thoughts, _ = gui.expect("move .*")
    assert {int(thought.split()[0]) for thought in thoughts} <= {1, 2}


def test_new_game_has_no_depth_limit(gui):
    gui.ask("sd 1", "new", "variant pandemonium", "st 0.5", "post")
    gui.send("go")
    *thoughts, _ = gui.expect("move .*")
    assert max(int(thought.split()[0]) for thought in thoughts) > 1


# Thinking aloud


def test_thoughts_have_five_parts(gui):
    gui.ask("post", "sd 4")
    gui.send("go")
    *thoughts, move = gui.expect("move .*")
    assert thoughts
    for thought in thoughts:
        depth, score, centiseconds, nodes, *line = thought.split()
        assert 1 <= int(depth) <= 4 and abs(int(score)) < 1000
        assert int(centiseconds) >= 0 and int(nodes) > 0
        assert line and all(re.fullmatch(r"([a-j]\d|[A-Z]@)[a-j]\d\+?", text) for text in line)
    assert line[0] == move.split()[1]


@pytest.mark.quick
def test_time_is_reported_in_hundredths_of_a_second():
    lines, thought = [], Info(7, 9, Score(15), 1000, 2.5, 400, 5, (Position("pandemonium").legal_moves()[0],))
    talk = Cecp(lines.append, [].append)
    talk.handle(Loaded(Variant("pandemonium"), Puppet(), Position("pandemonium")))
    for line in ("post", "st 60", "go"):
        talk.handle(InputLine(line))
    talk.handle(InfoReported(talk._session.search, thought))
    talk._session.abandon()
    assert lines[-1].split()[:4] == ["7", "15", "250", "1000"]


def test_thoughts_are_kept_to_itself_after_nopost(gui):
    gui.ask("post", "nopost", "sd 3")
    gui.send("go")
    assert len(gui.expect("move .*")) == 1


@pytest.mark.quick
def test_mate_is_announced_with_its_length(gui):
    gui.ask(f"setboard {MATE_IN_ONE}", "post", "sd 4")
    gui.send("go")
    *thoughts, _ = gui.expect("move .*")
    assert thoughts[-1].split()[1] == "100001"


# Draws


@pytest.mark.parametrize(("turn", "accepted"), [("w", False), ("b", True)])
def test_draw_is_accepted_by_the_side_that_is_worse(gui, turn, accepted):
    gui.ask(f"setboard {UNEVEN} {turn}", "post")
    gui.send("go")
    gui.expect(r"(8|9|\d\d) .*", 60)
    gui.send("draw", "?")
    lines = gui.expect("move .*")
    assert ("offer draw" in lines) == accepted


def test_draw_is_declined_in_silence_before_anything_was_thought(gui):
    assert gui.ask("draw") == []
    gui.ask("new", "variant pandemonium")
    assert gui.ask("draw") == []
