"""The first start of a game, which compiles it: no GUI gives up the engine, and its clock accounts for the
time."""

import os

import chess
import pytest
from surajang import PlayResult, Position, Score
from surajang.engine.variant import Variant
from surajang.protocol.cecp.protocol import Cecp
from surajang.protocol.session import base_protocol
from surajang.protocol.session.base_protocol import Overdue
from surajang.protocol.session.loading import Compiling, Completed, Loaded, Loader, LoadFailed
from surajang.protocol.uci.protocol import Uci
from surajang.protocol.wire.stdio import InputLine
from surajang.tests.support.cutechess import LIMIT, PLAYERS
from surajang.tests.support.engines import Indifferent
from surajang.tests.support.gui import Gui

pytestmark = pytest.mark.process
OPTIONS = {"uci": {"Hash": 16}, "xboard": {"memory": 16}}


def share_a_core():
    """In a child: it and all processes that it starts share a core, where the system can tell them to."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


@pytest.mark.parametrize("protocol", PLAYERS)
def test_cute_chess_does_not_give_it_up_on_an_empty_cache(protocol, tmp_path):
    environment = {"SURAJANG_CACHE_DIR": str(tmp_path), "SURAJANG_COMPILERS": "2"}
    player = PLAYERS[protocol](gui=Gui(env=environment, preexec_fn=share_a_core))
    player.patience = LIMIT
    try:
        player.start(OPTIONS[protocol])
        player.begin("crazyhouse", chess.WHITE)
        player.play(2)
        assert len(player.board.move_stack) == 3
        assert player.quit() == 0
    finally:
        player.gui.close()


class Recorder(Indifferent):
    """An engine that plays the first legal move, and records its limits."""

    is_provisional = False

    def __init__(self):
        self.limits = []

    def play(self, position, limit, **options):
        self.limits.append(limit)
        move = position.legal_moves()[0]
        return PlayResult(move, Score(0), 1, 1, (move,), 0.0, is_provisional=self.is_provisional)


class Loading:
    """A dialect in this process whose games are loaded on the test's command, with a clock that the test
    moves."""

    def __init__(self, kind, monkeypatch):
        self.now, self.lines, self.events, self.loads = 1000.0, [], [], []
        monkeypatch.setattr(Loader, "_load", lambda loader, *work: self.loads.append(work))
        monkeypatch.setattr(base_protocol.time, "monotonic", lambda: self.now)
        monkeypatch.setattr(base_protocol.threading, "Timer", self._timer)
        self.timers = []
        self.talk = kind(self.lines.append, self.events.append)

    def _timer(self, seconds, post, arguments):
        loading = self

        class Timer:
            def start(self):
                loading.timers.append((loading.now + seconds, *arguments))

        return Timer()

    def say(self, *lines):
        """The output of those lines."""
        self.lines.clear()
        for line in lines:
            self.talk.handle(InputLine(line))
        return list(self.lines)

    def wait(self, seconds):
        """The output while that time passes."""
        self.lines.clear()
        self.now += seconds
        for due, event in list(self.timers):
            if due <= self.now:
                self.timers.remove((due, event))
                self.talk.handle(event)
        return list(self.lines)

    def load_without_search(self):
        """The move generator of the game is compiled, and the search is not; returns the output."""
        self.lines.clear()
        variant, fen, _, count = self.loads[-1]
        self.engine = Recorder()
        self.talk.handle(
            Loaded(Variant(variant), self.engine, Position(variant, fen), count, lacks_search=True)
        )
        return list(self.lines)

    def complete(self):
        """The search is compiled; returns the output."""
        self.lines.clear()
        variant, _, _, count = self.loads[-1]
        self.talk.handle(Completed(Variant(variant), count))
        return list(self.lines)

    def load(self, number=-1):
        """The game of load `number` is compiled; returns the output."""
        self.lines.clear()
        variant, fen, _, count = self.loads[number]
        self.engine = Recorder()
        self.talk.handle(Loaded(Variant(variant), self.engine, Position(variant, fen), count))
        return list(self.lines)

    def limit(self):
        """The limits of the engine's move."""
        search = self.talk._session.search
        search._thread.join()
        return self.engine.limits[-1]


@pytest.fixture
def uci(monkeypatch):
    return Loading(Uci, monkeypatch)


@pytest.fixture
def cecp(monkeypatch):
    return Loading(Cecp, monkeypatch)


def test_before_any_sign_of_a_game_there_is_nothing_to_wait_for(uci):
    uci.say("uci")
    assert uci.say("isready") == ["readyok"]
    assert uci.loads == []


@pytest.mark.parametrize(
    "sign", ["ucinewgame", "position startpos", "setoption name UCI_Variant value chess"]
)
def test_isready_waits_for_the_game_once_there_is_a_sign_of_it(uci, sign):
    uci.say("uci", sign)
    assert uci.say("isready") == []
    assert [variant for variant, *_ in uci.loads] == ["chess"]
    assert "readyok" in uci.load()


def test_game_is_compiled_from_the_moment_that_it_is_named(uci):
    uci.say("uci", "setoption name UCI_Variant value janggi")
    assert [variant for variant, *_ in uci.loads] == ["janggi"]


def test_game_that_is_named_last_counts(uci):
    uci.say("uci", "setoption name UCI_Variant value chess", "setoption name UCI_Variant value crazyhouse")
    assert uci.say("setoption name Hash value 8", "isready") == []
    assert uci.load(0) == []
    assert uci.load(1) == ["readyok"]
    assert uci.talk._session.variant == "crazyhouse"


def test_failure_of_a_game_that_is_not_wanted_any_more_changes_nothing(uci):
    uci.say("uci", "setoption name UCI_Variant value chess", "setoption name UCI_Variant value crazyhouse")
    variant, _, _, number = uci.loads[0]
    uci.talk.handle(LoadFailed(Variant(variant), MemoryError("no memory"), number))
    assert not uci.talk.ended and uci.talk._session.loading == "crazyhouse"


def test_readyok_comes_before_the_gui_loses_patience_and_the_user_is_told_once(uci):
    uci.say("uci", "setoption name UCI_Variant value crazyhouse")
    uci.say("isready")
    assert uci.wait(base_protocol.PATIENCE - 1) == []
    told, ready = uci.wait(1)
    assert ready == "readyok" and "crazyhouse is still being compiled" in told
    uci.say("ucinewgame", "isready")
    assert uci.wait(base_protocol.PATIENCE) == ["readyok"]
    assert "readyok" not in uci.load()
    assert base_protocol.PATIENCE <= LIMIT - 3


def test_answer_that_came_in_time_is_not_given_twice(uci):
    uci.say("uci", "ucinewgame", "isready")
    assert uci.load() == ["readyok"]
    assert uci.wait(base_protocol.PATIENCE) == []


def test_pong_comes_before_the_gui_loses_patience(cecp):
    cecp.say("xboard", "protover 2", "new", "variant crazyhouse")
    assert cecp.say("ping 7") == []
    told, pong = cecp.wait(base_protocol.PATIENCE)
    assert pong == "pong 7" and told.startswith("# crazyhouse is still being compiled")
    assert cecp.load() == []


def test_pongs_come_in_the_order_of_the_pings_whatever_order_their_timers_have(cecp):
    """XBoard uses the last one, and begins no match until it answers the last ping."""
    cecp.say("xboard", "protover 2", "new", "variant crazyhouse", "ping 1", "ping 2", "force", "ping 3")
    overdue = [event for _, event in cecp.timers]
    cecp.lines.clear()
    for event in (overdue[1], overdue[0], overdue[2]):
        cecp.talk.handle(event)
    assert [line for line in cecp.lines if line.startswith("pong")] == ["pong 1", "pong 2", "pong 3"]
    assert cecp.load() == []


def test_compiling_is_reported_with_its_progress(uci):
    uci.say("uci", "ucinewgame")
    uci.lines.clear()
    for done in (10, 160):
        uci.talk.handle(Compiling(Variant("chess"), done, 320))
    first, second = uci.lines
    assert first.startswith("info string compiling chess") and second == "info string compiling chess: 50 %"


def test_compiling_that_is_over_is_not_told(uci):
    uci.say("uci", "ucinewgame")
    uci.load()
    uci.talk.handle(Compiling(Variant("chess"), 10, 320))
    assert not any("compiling" in line for line in uci.lines)


@pytest.mark.parametrize("seconds, left", [(0, 4.97), (3, 1.97), (60, 0.0)])
def test_time_of_a_move_runs_while_the_game_is_compiled_for_a_gui_that_may_begin(uci, seconds, left):
    uci.say("uci", "ucinewgame", "isready")
    assert uci.wait(base_protocol.PATIENCE)[-1] == "readyok"
    uci.say("position startpos", "go movetime 5000")
    uci.wait(seconds)
    uci.load()
    assert uci.limit().time == pytest.approx(left)


def test_script_has_all_the_time_of_a_move_although_the_game_is_compiled(uci):
    uci.say("uci", "ucinewgame", "position startpos", "go movetime 5000")
    uci.wait(60)
    uci.load()
    assert uci.limit().time == pytest.approx(4.97)


def test_script_for_xboard_has_all_the_time_of_a_move_although_the_game_is_compiled(cecp):
    cecp.say("new", "st 5", "go")
    cecp.wait(60)
    cecp.load()
    assert cecp.limit().time == pytest.approx(4.97)


def test_only_the_move_that_a_gui_waits_for_pays_for_compiling(uci):
    """A second search of lines that arrived meanwhile belongs to a script."""
    uci.say("uci", "ucinewgame", "isready")
    uci.wait(base_protocol.PATIENCE)
    uci.say("position startpos", "go movetime 5000", "position startpos", "go movetime 5000")
    uci.wait(3)
    uci.load()
    assert uci.limit().time == pytest.approx(1.97)
    uci.talk.handle(uci.events.pop())
    assert uci.limit().time == pytest.approx(4.97)


@pytest.mark.parametrize("seconds, left", [(0, 9.0), (4, 5.0), (60, 0.05)])
def test_clock_runs_while_the_game_is_compiled(uci, seconds, left):
    uci.say("uci", "ucinewgame", "position startpos", "go wtime 9000 btime 1000")
    uci.wait(seconds)
    uci.load()
    assert uci.limit().clock.remaining == pytest.approx(left)


def test_next_move_has_its_whole_time(uci):
    uci.say("uci", "ucinewgame", "isready")
    uci.wait(base_protocol.PATIENCE)
    uci.say("position startpos", "go movetime 5000")
    uci.wait(3)
    uci.load()
    uci.limit()
    uci.talk.handle(uci.events.pop())
    uci.say("go movetime 5000")
    assert uci.limit().time == pytest.approx(4.97)


@pytest.mark.parametrize("seconds, left", [(0, 9.0), (4, 5.0)])
def test_xboards_clock_runs_while_the_game_is_compiled(cecp, seconds, left):
    cecp.say("xboard", "protover 2", "new", "variant crazyhouse", "level 0 1 0", "time 900", "otim 900", "go")
    cecp.wait(seconds)
    cecp.load()
    assert cecp.limit().clock.remaining == pytest.approx(left)


def test_line_that_is_answered_already_is_forgotten(uci):
    """Its timer may still be running."""
    uci.say("uci", "ucinewgame", "isready")
    (_, event), *_ = uci.timers
    uci.load()
    uci.lines.clear()
    uci.talk.handle(event)
    assert isinstance(event, Overdue) and uci.lines == []


# A game whose move generator is compiled, and its search not yet


def finish(loading):
    """The output after the end of the current search."""
    loading.talk._session.search._thread.join()
    loading.lines.clear()
    while loading.events:
        loading.talk.handle(loading.events.pop(0))
    return list(loading.lines)


def test_isready_waits_for_the_search_while_nothing_else_is_to_be_done(uci):
    uci.say("uci", "ucinewgame", "isready")
    assert uci.load_without_search() == []
    assert uci.complete() == ["readyok"]


def test_pong_waits_for_the_search_while_nothing_else_is_to_be_done(cecp):
    cecp.say("xboard", "protover 2", "new", "variant crazyhouse", "ping 3")
    assert "pong 3" not in cecp.load_without_search()
    assert "pong 3" in cecp.complete()


def test_isready_does_not_wait_for_the_search_longer_than_a_gui_does(uci):
    uci.say("uci", "ucinewgame", "isready")
    uci.load_without_search()
    assert uci.wait(base_protocol.PATIENCE)[-1] == "readyok"
    assert "readyok" not in uci.complete()


def test_line_behind_a_waiting_isready_is_carried_out_at_once(uci):
    uci.say("uci", "ucinewgame", "isready")
    uci.load_without_search()
    uci.engine.is_provisional = True
    assert uci.say("position startpos", "go wtime 1000 btime 1000")[0] == "readyok"
    said = finish(uci)
    assert said[0].startswith("info string the search of chess is still being compiled")
    assert said[-1].startswith("bestmove")


def test_reason_for_moves_without_a_search_is_reported_once(uci):
    uci.say("uci", "ucinewgame", "position startpos")
    uci.load_without_search()
    uci.engine.is_provisional = True
    uci.say("go movetime 10")
    assert "still being compiled" in "".join(finish(uci))
    uci.say("go movetime 10")
    assert "still being compiled" not in "".join(finish(uci))


def test_xboard_gets_a_move_and_the_reason_while_the_search_is_compiled(cecp):
    cecp.say("xboard", "protover 2", "new", "variant crazyhouse", "time 100", "otim 100")
    cecp.load_without_search()
    cecp.engine.is_provisional = True
    cecp.say("go")
    said = finish(cecp)
    assert any(line.startswith("move ") for line in said)
    assert any(line.startswith("# the search of crazyhouse is still being compiled") for line in said)


@pytest.mark.parametrize("command", ["eval", "bench"])
def test_what_needs_the_search_waits_for_it_whatever_follows(uci, command, monkeypatch):
    uci.say("uci", "ucinewgame")
    uci.load_without_search()
    done = []
    monkeypatch.setattr(Uci, "_execute", lambda self, text: done.append(text))
    uci.say(command, "stop")
    assert done == []
    uci.complete()
    assert done == [command, "stop"]
