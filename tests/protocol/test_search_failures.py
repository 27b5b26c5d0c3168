"""A search that fails inside: a legal move is played anyway, the error is reported, and play continues."""

import subprocess
import sys

import pytest
from surajang import Position
from surajang.tests.support.compiling import until
from surajang.tests.support.gui import Gui, UciGui

pytestmark = pytest.mark.process

# Starts the engine so that the search fails where FAULT says, as long as the file FLAG exists.
LAUNCHER = """
import os, sys, threading
from surajang.search import iterative_deepening
from surajang.protocol.session import search_thread
from surajang.cli import main

fault, flag = sys.argv[1:3]

def sabotage(owner, name, spoils):
    original = getattr(owner, name)
    def replacement(self, *arguments):
        if os.path.exists(flag) and spoils(self, *arguments):
            open(flag + ".struck", "w").close()
            raise ArithmeticError("sabotage")
        return original(self, *arguments)
    setattr(owner, name, replacement)

if fault == "at once":
    sabotage(iterative_deepening.Search, "deepen", lambda search: True)
elif fault == "later":
    sabotage(iterative_deepening.Search, "iterate", lambda search, depth: depth > 3)
elif fault == "helper":
    sabotage(iterative_deepening.Search, "help", lambda search, root, number: True)
elif fault == "no thread":
    start = threading.Thread.start
    def refuse(thread):
        if os.path.exists(flag) and thread.name == "search":
            raise RuntimeError("sabotage")
        start(thread)
    threading.Thread.start = refuse
sys.argv[1:] = sys.argv[3:]
main()
"""
FAULTS = ["at once", "later", "no thread"]


@pytest.fixture
def sabotaged(tmp_path):
    """Starts an engine of a protocol with a fault, which is active from `strike()` until `relent()`."""
    guis = []

    def start(gui_class, fault):
        (tmp_path / "launcher.py").write_text(LAUNCHER)
        command = [sys.executable, str(tmp_path / "launcher.py"), fault, str(tmp_path / "flag")]
        gui = gui_class(command=[*command, "--log", str(tmp_path / "log")], stderr=subprocess.PIPE)
        guis.append(gui)
        gui.strike, gui.relent = (tmp_path / "flag").touch, (tmp_path / "flag").unlink
        gui.has_struck = (tmp_path / "flag.struck").exists
        gui.log = tmp_path / "log"
        gui.start("normal" if gui_class is Gui else "chess")
        return gui

    yield start
    for gui in guis:
        gui.close()
        gui.process.stderr.close()


def is_told(gui, lines, mark):
    """Whether the GUI, the log and standard error got the error and where it came from."""
    gui.process.kill()
    errors, log = gui.process.stderr.read().decode(), gui.log.read_text()
    return all(
        f"{before}Traceback" in text and "Error: sabotage" in text
        for text, before in (("\n".join(lines), mark), (log, f"< {mark}"), (errors, ""))
    )


@pytest.mark.parametrize("fault", FAULTS)
def test_uci_engine_answers_a_failed_search_and_searches_on(sabotaged, fault):
    gui = sabotaged(UciGui, fault)
    gui.strike()
    gui.send("position startpos moves e2e4", "go movetime 500")
    lines = gui.expect("bestmove .*")
    after = Position("chess")
    after.push("e2e4")
    assert lines[-1].split()[1] in map(str, after.legal_moves())
    known = [line.split(" pv ")[1] for line in lines if line.startswith("info depth")]
    assert len(known) == (3 if fault == "later" else 0)
    if known:
        assert lines[-1].split()[1] == known[-1].split()[0]
    gui.relent()
    gui.send("ucinewgame", "position startpos", "go depth 4")
    again = gui.expect("bestmove .*")
    assert any(line.startswith("info depth 4 ") for line in again)
    assert not any("Error" in line for line in again)
    assert is_told(gui, lines, "info string ")


@pytest.mark.parametrize("fault", FAULTS)
def test_xboard_s_engine_plays_on_after_a_failed_search(sabotaged, fault):
    gui = sabotaged(Gui, fault)
    gui.strike()
    gui.send("post", "st 1", "usermove e2e4")
    lines = gui.expect("move .*")
    position = Position("chess")
    position.push("e2e4")
    known = [line.split()[4] for line in lines if line[0].isdigit()]
    assert len(known) == (3 if fault == "later" else 0)
    if known:
        assert lines[-1] == f"move {known[-1]}"
    position.push(lines[-1].removeprefix("move "))
    gui.relent()
    reply = str(position.legal_moves()[0])
    gui.send("sd 4", f"usermove {reply}")
    position.push(reply)
    again = gui.expect("move .*")
    assert again[-1].removeprefix("move ") in map(str, position.legal_moves())
    assert any(line.startswith("4 ") for line in again) and not any("Error" in line for line in again)
    assert gui.ask("new", "variant normal", "force", "usermove e2e4") == []
    assert is_told(gui, lines, "# ")


def test_xboard_s_engine_survives_failures_while_it_ponders_and_analyses(sabotaged):
    gui = sabotaged(Gui, "later")
    gui.send("hard", "st 1", "sd 3", "usermove e2e4")
    gui.expect("Hint: .*")
    gui.strike()
    gui.send("force", "sd 8", "new", "variant normal", "analyze", "usermove e2e4")
    gui.expect("# ArithmeticError: sabotage")
    gui.relent()
    gui.send("exit", "new", "variant normal", "sd 4", "usermove d2d4")
    gui.expect("move .*")


def test_uci_engine_answers_a_failed_endless_search_when_it_is_stopped(sabotaged):
    gui = sabotaged(UciGui, "later")
    gui.strike()
    gui.send("position startpos", "go infinite")
    told = gui.expect("info depth 3 .*")[-1].split(" pv ")[1]
    until(gui.has_struck)  # the failure is kept back as a result would be
    gui.send("stop")
    lines = gui.expect("bestmove .*")
    assert lines[-1].split()[1] == told.split()[0]
    assert any("ArithmeticError: sabotage" in line for line in lines)


def test_uci_engine_plays_a_move_that_was_asked_for_when_the_search_fails(sabotaged):
    gui = sabotaged(UciGui, "at once")
    gui.strike()
    gui.send("position startpos", "go movetime 500 searchmoves h2h3")
    assert gui.expect("bestmove .*")[-1] == "bestmove h2h3"


def test_failed_helper_thread_is_reported_and_the_search_continues(sabotaged):
    gui = sabotaged(UciGui, "helper")
    gui.ask("setoption name Threads value 2")
    gui.strike()
    gui.send("position startpos", "go depth 6")
    lines = gui.expect("bestmove .*")
    assert any(line.startswith("info depth 6 ") for line in lines)
    assert is_told(gui, lines, "info string ")


def test_unread_standard_error_changes_nothing(sabotaged):
    gui = sabotaged(UciGui, "at once")
    gui.process.stderr.close()
    gui.strike()
    gui.send("position startpos", "go movetime 500")
    assert gui.expect("bestmove .*")[-1] != "bestmove (none)"
    assert gui.ask() == []
