"""Commands of UCI that come while the engine searches or compiles."""

import time

import pytest
from surajang import Limit
from surajang.protocol.session.search_thread import SearchRequest
from surajang.protocol.wire.stdio import InputLine
from surajang.tests.protocol.test_uci import MATE_IN_ONE, next_event, talker
from surajang.tests.support.engines import Puppet
from surajang.tests.support.gui import READY
from surajang.tests.support.uci import INFO, complaints, engine_at_the_start, new_engine, shared_engine

pytestmark = pytest.mark.process

shared, gui, fresh = shared_engine, engine_at_the_start, new_engine


def test_endless_search_continues_until_it_is_stopped(gui):
    gui.ask("position startpos")
    gui.send("go infinite")
    gui.expect("info depth 8 .*")
    gui.send("stop")
    gui.expect("bestmove .*")
    assert gui.ask("stop", "stop") == []


def test_search_without_a_limit_is_endless(gui):
    gui.ask(f"position fen {MATE_IN_ONE}")
    gui.send("go")
    time.sleep(0.5)
    assert not [line for line in gui.ask() if line.startswith("bestmove")]
    gui.send("stop")
    gui.expect("bestmove a1a8")


def test_ready_is_answered_during_a_search(gui):
    gui.ask("position startpos")
    gui.send("go infinite")
    for _ in range(3):
        assert not [line for line in gui.ask() if line.startswith("bestmove")]
    gui.send("stop")
    gui.expect("bestmove .*")


@pytest.mark.quick
def test_stop_and_go_without_waiting_are_two_searches(gui):
    gui.send(
        "position startpos", "go infinite", "stop", "position startpos moves e2e4", "go depth 2", "isready"
    )
    lines = gui.expect("readyok")
    lines += gui.expect("bestmove .*") * (sum(line.startswith("bestmove") for line in lines) < 2)
    answers = [line.split()[1] for line in lines if line.startswith("bestmove")]
    assert len(answers) == 2 and answers[0][1] in "12" and answers[1][1] in "78"


@pytest.mark.parametrize(
    "command",
    [
        *("position startpos", "go depth 1", "ucinewgame", "setoption name Hash value 8"),
        *("setoption name Threads value 2", "setoption name Clear Hash"),
        "setoption name UCI_Variant value chess",
    ],
)
def test_search_is_not_disturbed(gui, command):
    gui.ask("position startpos")
    gui.send("go infinite")
    gui.expect("info depth 4 .*")
    said = [line for line in gui.ask(command) if not INFO.fullmatch(line)]
    assert len(said) == 1 and "not while" in said[0]
    gui.send("stop")
    gui.expect("bestmove .*")


def test_pondering_waits_for_the_hit_and_then_keeps_the_time(gui):
    gui.ask("position startpos moves e2e4 e7e5")
    gui.send("go ponder wtime 100 btime 100")
    time.sleep(0.4)
    assert not [line for line in gui.ask() if line.startswith("bestmove")]
    gui.send("ponderhit")
    gui.expect("bestmove .*")


@pytest.mark.quick
def test_time_of_a_ponder_search_begins_at_the_hit():
    """The whole of it is asked for, of a search that counts from the hit."""
    puppet = Puppet()
    talk, lines = talker(puppet)
    talk.handle(InputLine("go ponder movetime 500"))
    thought = talk._session.search
    assert thought.held
    talk.handle(InputLine("ponderhit"))
    assert not thought.held and lines == []
    talk.handle(next_event(talk))
    assert lines[-1].startswith("bestmove ")
    assert puppet.calls == [(True, SearchRequest(Limit(time=0.47)))]


def test_finished_ponder_search_answers_the_hit_at_once(gui):
    gui.ask("position startpos")
    gui.send("go ponder depth 2")
    time.sleep(0.3)
    gui.send("ponderhit")
    gui.expect("bestmove .*")


def test_ponder_search_is_stopped(gui):
    gui.ask("position startpos")
    gui.send("go ponder wtime 60000 btime 60000", "stop")
    gui.expect("bestmove .*")
    assert "no search is pondering" in complaints(gui.ask("ponderhit"))[0]


def test_endless_search_takes_no_hit(gui):
    gui.send("position startpos", "go infinite", "ponderhit")
    gui.expect("info string no search is pondering: ponderhit")
    gui.send("stop")
    gui.expect("bestmove .*")


@pytest.mark.parametrize("searching", [False, True])
@pytest.mark.parametrize("quits", [False, True])
def test_quit_and_end_of_input_end_the_process(fresh, searching, quits):
    fresh.start("crazyhouse")
    if searching:
        fresh.send("position startpos", "go infinite")
        fresh.expect("info depth 5 .*")
    if quits:
        fresh.send("quit")
    else:
        fresh.process.stdin.close()
    assert fresh.end() == 0


def test_commands_during_compilation_are_carried_out_in_order(fresh):
    fresh.send(
        "uci", "setoption name UCI_Variant value crazyhouse", "position startpos moves e2e4", "go depth 1"
    )
    fresh.send("stop")
    answer = fresh.expect("bestmove .*", READY)[-1]
    assert answer.split()[1][1] in "78"
