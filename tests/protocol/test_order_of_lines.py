"""Lines are carried out in their order: lines that wait for a search or for the compiler are not lost, and
`quit` and the end of input take effect in their turn."""

import queue
import re

import pytest
from surajang import Position
from surajang.engine.variant import Variant
from surajang.protocol.cecp.protocol import Cecp
from surajang.protocol.conversation import UCI_WORDS
from surajang.protocol.session.base_protocol import PATIENCE, EndlessSearch
from surajang.protocol.session.loading import Loaded, Loader
from surajang.protocol.uci.protocol import COMMANDS, Uci
from surajang.protocol.wire.stdio import EndOfInput, InputLine
from surajang.tests.support.engines import Puppet
from surajang.tests.support.gui import SOON

pytestmark = pytest.mark.compiled


class Talk:
    """A conversation about chess in this process with an engine that thinks until it is released."""

    def __init__(self, dialect, monkeypatch, loaded=True):
        monkeypatch.setattr(Loader, "_load", lambda loader, *work: None)
        self.delayed = []  # events that are posted after some seconds
        monkeypatch.setattr(dialect, "_post_later", lambda talk, event: self.delayed.append(event))
        self.lines, self._events = [], queue.SimpleQueue()
        self._talk = dialect(self.lines.append, self._events.put)
        self.engine = Puppet()
        self.engine.may_end.clear()
        if loaded:
            self.load()

    def load(self):
        return self._written(
            lambda: self._talk.handle(Loaded(Variant("chess"), self.engine, Position("chess")))
        )

    def say(self, *lines):
        """The output of the lines that can be carried out now."""
        return self._written(lambda: [self._talk.handle(InputLine(line)) for line in lines])

    def end_input(self):
        return self._written(lambda: self._talk.handle(EndOfInput()))

    def wait(self):
        """The output until nothing has come for a while."""
        return self._written(lambda: [self._talk.handle(event) for event in list(self.delayed)])

    def release(self):
        """Lets searches end until none is running; returns the output."""
        self.engine.may_end.set()
        written = self._written(self._take_events)
        self.engine.may_end.clear()
        return written

    def _take_events(self):
        while self._talk._is_at_work():
            self._talk.handle(self._events.get(timeout=SOON))

    def _written(self, act):
        self.lines.clear()
        act()
        reports = ("info depth", "option ", "info string compiling", "# compiling")
        return [line for line in self.lines if not line.startswith(reports)]

    @property
    def ended(self):
        return self._talk.ended

    @property
    def moves(self):
        return [str(move) for move in self._talk._session.position.moves]

    @property
    def searches(self):
        """The requests of the searches that have begun."""
        return [request for _, request in self.engine.calls]


@pytest.fixture
def uci(monkeypatch):
    return Talk(Uci, monkeypatch)


@pytest.fixture
def cecp(monkeypatch):
    talk = Talk(Cecp, monkeypatch)
    talk.say("new")
    return talk


@pytest.fixture
def loading(monkeypatch):
    """A conversation in UCI whose game is not loaded yet."""
    return Talk(Uci, monkeypatch, loaded=False)


@pytest.fixture
def loading_cecp(monkeypatch):
    return Talk(Cecp, monkeypatch, loaded=False)


def answers(lines):
    return [line.split()[0] for line in lines if line]


# A search with limits


@pytest.mark.parametrize("limit", ["depth 3", "nodes 9", "movetime 50", "wtime 9 btime 9", "mate 2"])
def test_position_and_go_wait_for_the_end_of_a_search(uci, limit):
    assert uci.say(f"go {limit}", "position startpos moves e2e4", "go depth 1") == []
    assert uci.moves == [] and len(uci.searches) == 1
    assert answers(uci.release()) == ["bestmove", "bestmove"]
    assert uci.moves == ["e2e4"] and len(uci.searches) == 2


def test_option_waits_for_the_end_of_a_search(uci):
    assert uci.say("go depth 3", "setoption name MultiPV value 3", "go depth 1") == []
    uci.release()
    assert [request.multipv for request in uci.searches] == [1, 3]


def test_ready_and_a_drawing_do_not_wait_for_a_search(uci):
    uci.say("go depth 3")
    assert uci.say("isready") == ["readyok"]
    assert uci.say("d")[-1].startswith("Key: ")


def test_line_behind_one_that_waits_waits_as_well(uci):
    assert uci.say("go depth 3", "position startpos moves e2e4", "d", "isready", "nonsense") == []
    lines = uci.release()
    assert lines[0].startswith("bestmove ") and "Black to move" in lines
    assert lines[-2:] == ["readyok", "info string unknown command: nonsense"]


def test_time_that_a_line_waits_for_a_search_is_not_taken_off_its_own(uci):
    uci.say("go depth 3", "position startpos", "go movetime 500")
    uci.release()
    assert uci.searches[1].limit.time == pytest.approx(0.47)


@pytest.mark.parametrize("endless", ["go infinite", "go", "go ponder wtime 9 btime 9"])
def test_nothing_waits_for_a_search_that_only_stop_ends(uci, endless):
    uci.say(endless)
    (line,) = uci.say("position startpos moves e2e4")
    assert line == "info string not while searching; 'stop' comes first: position startpos moves e2e4"


def test_stop_ends_the_search_and_those_that_wait_before_it(uci):
    lines = uci.say("go depth 3", "position startpos moves e2e4", "go infinite", "d", "stop")
    assert answers(lines)[:1] + answers(lines)[-1:] == ["bestmove", "bestmove"]
    assert len(uci.searches) == 2 and uci.moves == ["e2e4"]


# Quit


@pytest.mark.parametrize("go", ["go depth 9", "go infinite", "go ponder wtime 9 btime 9", "go mate 3"])
def test_quit_stops_the_search_with_its_answer(uci, go):
    assert answers(uci.say(go, "quit")) == ["bestmove"]
    assert uci.ended


def test_quit_waits_for_the_searches_that_lines_before_it_begin_and_stops_the_last(uci):
    assert uci.say("go depth 9", "position startpos moves e2e4", "go depth 9", "quit") == []
    assert not uci.ended
    lines = uci.release()
    assert answers(lines) == ["bestmove", "bestmove"] and uci.ended


def test_quit_waits_for_no_line_that_begins_nothing(uci):
    lines = uci.say("go depth 9", "position startpos moves e2e4", "setoption name Hash value 0", "quit")
    assert answers(lines) == ["bestmove", "info"] and uci.ended


def test_quit_waits_for_a_count(uci):
    uci.say("position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1", "go perft 2", "d", "quit")
    lines = uci.release()
    assert lines[0] == "e1d1: 5" and uci.ended
    assert lines.index("Nodes searched: 25") < lines.index("White to move")


def test_stop_ends_a_count_that_quit_waits_for(uci):
    uci.say("go perft 12", "quit")
    assert uci.say("stop") == ["", "Nodes searched: 0"] and uci.ended


def test_lines_after_quit_are_ignored(uci):
    assert answers(uci.say("go depth 9", "go depth 9", "quit", "isready")) == []
    lines = uci.release()
    assert answers(lines) == ["bestmove", "bestmove"] and uci.ended


# The end of input


@pytest.mark.parametrize("limit", ["depth 3", "nodes 9", "movetime 50", "wtime 9 btime 9"])
def test_search_with_a_limit_is_finished_after_the_end_of_input(uci, limit):
    uci.say(f"go {limit}")
    assert uci.end_input() == [] and not uci.ended
    assert answers(uci.release()) == ["bestmove"] and uci.ended


@pytest.mark.parametrize("endless", ["go infinite", "go", "go ponder wtime 9 btime 9"])
def test_endless_search_is_answered_at_the_end_of_input(uci, endless):
    uci.say(endless)
    assert answers(uci.end_input()) == ["bestmove"] and uci.ended


def test_all_that_waits_is_carried_out_after_the_end_of_input(uci):
    uci.say("go depth 3", "position startpos moves e2e4", "go infinite")
    assert uci.end_input() == []
    assert answers(uci.release()) == ["bestmove", "bestmove"] and uci.ended


def test_search_for_a_mate_has_some_seconds_after_the_end_of_input(uci):
    """It might never end, because there may be no mate."""
    uci.say("go mate 3", "position startpos moves e2e4", "go mate 3")
    assert uci.end_input() == [] and not uci.ended and PATIENCE >= 5
    assert [type(event) for event in uci.delayed] == [EndlessSearch]
    assert answers(uci.wait()) == ["bestmove"] and uci.moves == ["e2e4"] and not uci.ended
    assert len(uci.delayed) == 2  # the second search has seconds of its own
    assert answers(uci.wait()) == ["bestmove"] and uci.ended


def test_idle_program_ends_at_the_end_of_input(uci):
    assert uci.end_input() == [] and uci.ended


# While a game is loaded


PIPED = ("uci", "isready", "position startpos moves e2e4", "d", "go depth 3")


def test_lines_wait_for_the_game_also_after_the_end_of_input(loading):
    assert loading.say(*PIPED)[-1] == "readyok"
    assert loading.end_input() == [] and not loading.ended
    assert "Black to move" in loading.load()
    assert answers(loading.release()) == ["bestmove"] and loading.ended


def test_lines_wait_for_the_game_also_before_quit(loading):
    loading.say(*PIPED)
    assert loading.say("quit") == [] and not loading.ended
    lines = loading.load()
    assert "Black to move" in lines and answers(lines)[-1] == "bestmove" and loading.ended


@pytest.mark.parametrize("ends", [lambda talk: talk.say("quit"), lambda talk: talk.end_input()])
def test_nobody_waits_for_the_compiler_where_nothing_is_left_to_do(loading, ends):
    loading.say("uci", "setoption name UCI_Variant value chess", "isready", "ucinewgame", "isready")
    assert ends(loading) == ["readyok", "readyok"] and loading.ended


@pytest.mark.parametrize("ends", [lambda talk: talk.say("quit"), lambda talk: talk.end_input()])
def test_nobody_waits_for_the_compiler_where_xboard_only_waits_for_a_sign_of_life(loading_cecp, ends):
    loading_cecp.say("xboard", "protover 2", "new", "variant normal", "level 40 5 0", "post", "ping 1")
    loading_cecp.say("hard", "lift e2", "ping 2")
    assert ends(loading_cecp) == ["pong 1", "pong 2"] and loading_cecp.ended


@pytest.mark.parametrize("ends", [lambda talk: talk.say("quit"), lambda talk: talk.end_input()])
def test_program_that_quits_gets_no_move(loading_cecp, ends):
    loading_cecp.say("xboard", "protover 2", "accepted ping", "new", "go", "ping 1")
    assert ends(loading_cecp) == ["pong 1"] and loading_cecp.ended


def test_moves_of_a_script_for_xboard_wait_for_the_compiler_before_quit(loading_cecp):
    loading_cecp.say("xboard", "new", "force", "usermove e2e4", "usermove e2e4", "quit")
    assert not loading_cecp.ended
    assert loading_cecp.load()[-1].startswith("Illegal move (") and loading_cecp.ended


# CECP


def test_quit_ends_a_game_at_once_with_the_move_and_the_pong(cecp):
    assert cecp.say("go", "ping 1") == []
    move, pong = cecp.say("quit")
    assert re.fullmatch("move [a-h]2[a-h][34]", move) and pong == "pong 1" and cecp.ended


def test_move_is_found_after_the_end_of_input(cecp):
    cecp.say("go", "ping 1")
    assert cecp.end_input() == [] and not cecp.ended
    assert answers(cecp.release()) == ["move", "pong"] and cecp.ended


@pytest.mark.parametrize("ends", [lambda talk: talk.say("quit"), lambda talk: talk.end_input()])
def test_analysis_ends_without_a_word(cecp, ends):
    cecp.say("analyze")
    assert ends(cecp) == [] and cecp.ended


def test_count_waits_for_the_move(cecp):
    cecp.say("setboard 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "go", "perft 1", "ping 1", "quit")
    assert not cecp.ended
    lines = cecp.release()
    assert answers(lines)[:6] == ["move", "e8d7:", "e8d8:", "e8e7:", "e8f7:", "e8f8:"]
    assert lines[6:] == ["", "Nodes searched: 5", "pong 1"] and cecp.ended


def test_lines_behind_a_ping_come_after_the_move_that_it_waits_for(cecp):
    """A script plays a whole game in this way: without the ping it would not be the user's turn."""
    assert cecp.say("usermove e2e4", "usermove d2d4") == ["Illegal move (not your turn): d2d4"]
    assert cecp.say("ping 1", "usermove d2d4", "ping 2", "d", "quit") == [] and not cecp.ended
    lines = cecp.release()
    assert answers(lines)[:4] == ["move", "pong", "move", "pong"] and cecp.ended
    assert lines[-2].startswith("Fen: ") and "/3PP3/" in lines[-2]


@pytest.mark.parametrize("line", ["force", "new", "result * {x}"])
def test_move_is_taken_away_at_once_although_a_ping_waits_for_it(cecp, line):
    assert cecp.say("go", "ping 1", line) == ["pong 1"]


def test_move_now_works_while_a_ping_waits(cecp):
    lines = cecp.say("go", "ping 1", "usermove a7a6", "?")
    assert answers(lines)[:2] == ["move", "pong"]


def test_move_now_ends_a_count(cecp):
    cecp.say("force", "perft 12", "ping 1")
    assert cecp.say("?") == ["", "Nodes searched: 0", "pong 1"]


def test_people_see_the_position_with_the_ranks_that_moves_name(monkeypatch):
    talk = Talk(Cecp, monkeypatch, loaded=False)
    talk._talk.handle(InputLine("variant pandemonium"))
    talk._talk.handle(Loaded(Variant("pandemonium"), talk.engine, Position("pandemonium")))
    lines = talk.say("force", "d")
    ranks = [line.split()[0] for line in lines if re.match(r" \d  ", line)]
    assert ranks == list("9876543210") and lines[-2].startswith("Fen: ")


# The first line


def test_first_words_of_uci_are_no_words_of_cecp(cecp):
    """A CECP program is not taken for a UCI program; people may begin with either."""
    words = set(cecp._talk._commands)
    assert set(UCI_WORDS) <= set(COMMANDS)
    assert set(UCI_WORDS) & words <= {"d", "eval"} and set(COMMANDS) - set(UCI_WORDS) <= words
