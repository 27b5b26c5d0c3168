"""Failures of the engine, for a UCI program, and the engine's first imports."""

import re
import subprocess
import sys

import pytest
from surajang.protocol.wire.stdio import InputLine
from surajang.tests.protocol.test_uci import next_event, talker
from surajang.tests.support.gui import SOON

pytestmark = pytest.mark.process


HEAVY = {"numpy", "numba", "llvmlite", "chess", "rich", "asyncio", "distributed", "matplotlib"}


@pytest.mark.quick
def test_failing_search_is_logged_and_some_move_answered():
    talk, lines = talker()
    talk.handle(InputLine("go depth 3"))
    talk.handle(next_event(talk))
    assert re.fullmatch(r"bestmove [a-h][1-8][a-h][1-8]", lines[-1])
    assert any(line.endswith("ArithmeticError: a bug") for line in lines)
    assert all(line.startswith(("info string ", "bestmove ")) for line in lines)


def test_failing_command_is_logged_and_survived():
    talk, lines = talker()
    talk.handle(InputLine("ucinewgame"))
    assert "info string ArithmeticError: another bug" in lines
    assert not talk.ended
    lines.clear()
    talk.handle(InputLine("isready"))
    assert lines == ["readyok"]


@pytest.mark.quick
def test_first_words_need_few_modules_and_no_heavy_one():
    """The imports are the cost of a start, for which a GUI waits."""
    program = "from runpy import run_module; from surajang.protocol import conversation; "
    program += "conversation._import_compiler = str; "  # it runs beside the first words
    program += "run_module('surajang', run_name='__main__')"
    command = [sys.executable, "-X", "importtime", "-c", program]
    run = subprocess.run(command, input=b"uci\nquit\n", capture_output=True, timeout=SOON)
    assert b"uciok" in run.stdout
    imported = {line.split("|")[-1].strip().split(".")[0] for line in run.stderr.decode().splitlines()}
    assert "surajang" in imported
    assert not imported & HEAVY
    assert b"surajang.engine.mechanics" not in run.stderr  # no game's file is read
    assert len(run.stderr.splitlines()) < 300


def test_protocol_imports_nothing_compiled():
    code = (
        "import sys, surajang.cli, surajang.protocol.conversation, surajang.protocol.uci.protocol\n"
        "sys.exit(bool({'numpy', 'numba', 'llvmlite'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
