"""The commands about time, and the engine's limits for its move."""

import pytest
from surajang import Clock, Limit, Position
from surajang.engine.variant import Variant
from surajang.protocol.cecp.limits import LimitCommands
from surajang.protocol.session.loading import Loaded
from surajang.protocol.session.session import Session
from surajang.tests.support.engines import Puppet

pytestmark = [pytest.mark.compiled, pytest.mark.quick]


@pytest.fixture
def session():
    session = Session(lambda event: None)
    session.loaded(Loaded(Variant("crazyhouse"), Puppet(), Position("crazyhouse")))
    session.clock.overhead = 0.0
    return session


def movetime(session, st, *times):
    """The search time of a move, after `st` and each `time`."""
    LimitCommands(session).st(st)
    for text in times:
        LimitCommands(session).time(text)
    return session.clock.limit(session.position).time


@pytest.mark.parametrize("text, seconds", [("5", 5), ("0.5", 0.5), ("1:30", 90), ("0:07", 7)])
def test_so_long_for_every_move(session, text, seconds):
    """Whatever the clock says, because some GUIs keep sending it."""
    assert movetime(session, text) == movetime(session, text, "3") == seconds


@pytest.mark.parametrize("text", ["0", "0.0", "0:00"])
def test_fraction_of_a_second_is_on_the_clock(session, text):
    """A GUI that writes whole seconds rounds it down to none."""
    LimitCommands(session).level("40 5 0")
    assert movetime(session, text) == 0.1
    assert movetime(session, text, "30") == 0.3
    assert movetime(session, text, "30", "75") == 0.75
    assert movetime(session, text, "0") == movetime(session, text, "-3") == 0.05
    assert movetime(session, text, "30000") == 1.0


def test_nodes_of_a_fraction_of_a_second(session):
    LimitCommands(session).nps("1000")
    LimitCommands(session).st("0")
    LimitCommands(session).time("25")
    assert session.clock.limit(session.position) == Limit(nodes=250)


def test_level_ends_it(session):
    movetime(session, "0", "30")
    LimitCommands(session).level("0 2:00 1")
    assert session.clock.limit(session.position) == Limit(clock=Clock(120.0, 1.0))
