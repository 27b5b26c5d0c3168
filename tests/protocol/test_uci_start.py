"""The first words of a conversation in UCI."""

import os
import pty
import re
import subprocess

import pytest
from surajang.engine.definition import catalogue
from surajang.tests.support.gui import COMMAND, SOON, UciGui
from surajang.tests.support.uci import engine_at_the_start, new_engine, shared_engine

pytestmark = pytest.mark.process

shared, gui, fresh = shared_engine, engine_at_the_start, new_engine


def test_uci_is_answered_before_the_compiler_is_imported(tmp_path):
    (tmp_path / "numba.py").write_text("import time\ntime.sleep(60)\n")
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    gui = UciGui(env={"PYTHONPATH": path})
    try:
        gui.start()
        gui.send("setoption name UCI_Variant value crazyhouse", "isready", "uci")
        assert "readyok" not in gui.expect("uciok")
        gui.send("quit")
        assert gui.end() == 0
    finally:
        gui.close()


def test_broken_compiler_is_reported_and_ends_the_engine(tmp_path):
    (tmp_path / "numba.py").write_text("raise ImportError('there is no compiler')\n")
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    gui = UciGui(env={"PYTHONPATH": path})
    gui.send("uci", "ucinewgame")
    assert gui.expect("info string .*")[-1].endswith("there is no compiler")
    assert gui.end() == 1
    gui.close()


def test_every_option_is_announced_in_full(fresh):
    words = fresh.start()
    assert words[0].startswith("id name Surajang ") and words[1].startswith("id author ")
    options = dict(re.fullmatch(r"option name (.+?) type (.+)", line).groups() for line in words[2:-1])
    games = options.pop("UCI_Variant").split(" var ")
    assert games[0] == "combo default chess" and sorted(games[1:]) == sorted(catalogue.available())
    assert options == {
        "Hash": "spin default 64 min 1 max 1048576",
        "Threads": "spin default 1 min 1 max 1024",
        "MultiPV": "spin default 1 min 1 max 500",
        "Move Overhead": "spin default 30 min 0 max 5000",
        "Clear Hash": "button",
        "Use NNUE": "check default true",
        "EvalFile": "string default <empty>",
        "Native Code": "check default true",
        "UCI_LimitStrength": "check default false",
        "UCI_Elo": "spin default 1400 min 200 max 3200",
        "Skill Level": "spin default 20 min 0 max 20",
        "Ponder": "check default false",
        "UCI_AnalyseMode": "check default false",
        "UCI_Chess960": "check default false",
        "UCI_ShowWDL": "check default false",
        "VariantPath": "string default <empty>",
        "Debug Log File": "string default <empty>",
        "SyzygyPath": "string default <empty>",
        "SyzygyProbeDepth": "spin default 1 min 1 max 100",
        "Syzygy50MoveRule": "check default true",
        "SyzygyProbeLimit": "spin default 7 min 0 max 7",
    }


def test_empty_lines_before_uci_change_nothing(fresh):
    fresh.send(b"\n \r\n", "  uci  ")
    fresh.expect("uciok")


def test_first_line_that_is_not_uci_begins_the_other_protocol(fresh):
    fresh.send("protover 2", "uci")
    assert fresh.expect("Error .*")[-1] == "Error (unknown command): uci"


def test_terminal_user_gets_three_lines_of_help():
    main, terminal = pty.openpty()
    process = subprocess.Popen(COMMAND, stdin=terminal, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        greeting = [process.stderr.readline().decode() for _ in range(3)]
        assert (
            "UCI, USI or UCCI" in greeting[0] and "quit" in greeting[1] and "surajang --help" in greeting[2]
        )
        os.write(main, b"quit\n")
        assert process.wait(SOON) == 0
        assert process.stderr.read() == b""
    finally:
        process.kill()
        process.wait()
        os.close(main)
        os.close(terminal)


def test_nobody_is_greeted_through_a_pipe():
    run = subprocess.run(COMMAND, input=b"uci\nquit\n", capture_output=True, timeout=SOON)
    assert run.stderr == b"" and run.stdout.startswith(b"id name")
