"""Native code is compiled only while no clock runs."""

import pytest
from surajang import Position
from surajang.protocol.cecp.protocol import Cecp
from surajang.protocol.session import native_code
from surajang.protocol.session.loading import Loaded, Loader
from surajang.protocol.session.native_code import QUIET_S
from surajang.protocol.session.search_thread import Finished
from surajang.protocol.uci.protocol import Uci
from surajang.protocol.wire.stdio import InputLine
from surajang.search import native_code as compiler
from surajang.tests.support.engines import Puppet

pytestmark = pytest.mark.compiled

NOW = 1000.0
MATE_IN_ONE = "position fen 7k/5Q2/6K1/8/8/8/8/8 w - - 0 1"


class Compiler:
    """Records the time from which it may compile; None while it may not."""

    moment = None

    def allow(self, engine, moment):
        self.moment = moment

    def forbid(self):
        self.moment = None


class Mating(Puppet):
    """Plays a move that ends the game."""

    def play(self, position, *arguments, **options):
        result = super().play(position, *arguments, **options)
        return result._replace(move=position.parse_move("f7g7"), pv=(position.parse_move("f7g7"),))


class Talk:
    """A conversation in this process about a game that is loaded."""

    def __init__(self, kind, *lines, engine=None):
        self.events, self.engine = [], engine or Puppet()
        self.talk = kind(lambda line: None, self.events.append)
        self.say(*lines)
        loader = self.talk._session.loader
        self.talk.handle(Loaded(loader.variant, self.engine, Position(loader.variant), loader._loads))

    def say(self, *lines):
        for line in lines:
            self.talk.handle(InputLine(line))

    def finish(self):
        """The search ends by itself."""
        self.talk._session.search._thread.join()
        (event,) = [event for event in self.events if isinstance(event, Finished)]
        self.events.clear()
        self.talk.handle(event)

    @property
    def seconds(self):
        """The seconds after which native code may be compiled; None if it is forbidden."""
        found = self.talk._session.native_code._compiler
        return None if found is None or found.moment is None else found.moment - NOW


@pytest.fixture(autouse=True)
def held_still(monkeypatch):
    """No game is loaded, no time passes, nothing is compiled."""
    monkeypatch.setattr(Loader, "_load", lambda loader, *work: None)
    monkeypatch.setattr(native_code.time, "monotonic", lambda: NOW)
    monkeypatch.setattr(compiler, "NativeCompiler", Compiler)


@pytest.fixture
def uci():
    return Talk(Uci, "uci", "ucinewgame")


@pytest.fixture
def cecp():
    return Talk(Cecp, "xboard", "protover 2", "new", "variant crazyhouse")


def test_nothing_is_compiled_before_the_first_search(uci, cecp):
    assert (uci.seconds, cecp.seconds) == (None, None)


def test_native_code_is_compiled_in_an_analysis_and_after_it(uci):
    uci.say("position startpos", "go infinite")
    assert uci.seconds == QUIET_S
    uci.say("stop", "position startpos moves e2e4", "isready")
    assert uci.seconds == QUIET_S


def test_native_code_is_compiled_in_an_analysis_of_xboard_and_after_it(cecp):
    cecp.say("analyze")
    assert cecp.seconds == QUIET_S
    cecp.say("e2e4")
    assert cecp.seconds == QUIET_S
    cecp.say("exit")
    assert cecp.seconds == QUIET_S


CLOCKS = ["go wtime 1000 btime 1000", "go movetime 100", "go depth 4", "go ponder wtime 1000 btime 1000"]


@pytest.mark.parametrize("go", CLOCKS)
def test_a_search_that_ends_by_itself_forbids_it(uci, go):
    uci.say("position startpos", "go infinite", "stop")
    uci.engine.may_end.clear()
    uci.say(go)
    assert uci.seconds is None
    uci.say("stop")


@pytest.mark.parametrize("line", ["ucinewgame", "setoption name UCI_Variant value crazyhouse"])
def test_a_new_game_forbids_it(uci, line):
    uci.say("position startpos", "go infinite", "stop", line)
    assert uci.seconds is None


def test_after_a_move_the_other_sides_clock_has_to_run_out_first(uci):
    uci.say("position startpos", "go wtime 90000 btime 60000")
    uci.finish()
    assert uci.seconds == 60 + QUIET_S
    uci.say("position startpos moves e2e4 e7e5", "go wtime 90000 btime 60000")
    assert uci.seconds is None


def test_after_a_move_without_a_clock_nothing_is_compiled(uci):
    uci.say("position startpos", "go movetime 10")
    uci.finish()
    assert uci.seconds is None


def test_native_code_is_compiled_after_the_move_that_ends_the_game():
    uci = Talk(Uci, "uci", "ucinewgame", engine=Mating())
    uci.say(MATE_IN_ONE, "go movetime 10")
    uci.finish()
    assert uci.seconds == QUIET_S


def test_native_code_is_compiled_after_the_result_of_a_game_until_the_next_one(cecp):
    cecp.say("usermove e2e4")
    cecp.finish()
    assert cecp.seconds is None
    cecp.say("result 1-0 {White resigns}")
    assert cecp.seconds == QUIET_S
    cecp.say("new")
    assert cecp.seconds is None


def test_pondering_forbids_it(cecp):
    cecp.say("hard", "usermove e2e4")
    cecp.finish()
    assert cecp.talk._session.search_control.pondering and cecp.seconds is None
    cecp.say("easy")


def test_option_turns_it_off(uci):
    uci.say("setoption name Native Code value false", "position startpos", "go infinite")
    assert uci.seconds is None
    uci.say("setoption name Native Code value true")
    assert uci.seconds == QUIET_S
    uci.say("setoption name Native Code value false")
    assert uci.seconds is None


def test_quit_ends_it(uci):
    uci.say("position startpos", "go infinite", "quit")
    assert uci.seconds is None and uci.talk.ended
