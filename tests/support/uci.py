"""Support for tests of UCI: searches, complaints and positions of an engine behind a pipe."""

import re

import pytest
from surajang.tests.support.gui import UciGui

INFO = re.compile(
    r"info depth (?P<depth>\d+) seldepth \d+ multipv (?P<multipv>\d+) score (?P<score>cp -?\d+|mate -?\d+)"
    r" nodes (?P<nodes>\d+) nps \d+ hashfull \d+ time (?P<time>\d+) pv (?P<pv>.+)"
)
WAITING = ("position", "go", "setoption", "ucinewgame", "flip", "eval", "bench")  # for the end of a search
DEFAULTS = {
    "MultiPV": 1,
    "Move Overhead": 30,
    "UCI_LimitStrength": "false",
    "UCI_AnalyseMode": "false",
    "Skill Level": 20,
}


def at_the_start(gui):
    """An engine at the start of a game of crazyhouse, with the options as they are at first."""
    if gui.process.poll() is not None:
        pytest.fail("an earlier test has ended the shared engine")
    options = [f"setoption name {name} value {value}" for name, value in DEFAULTS.items()]
    gui.ask("stop", "debug off", "setoption name UCI_Variant value crazyhouse", *options, "ucinewgame")
    return gui


@pytest.fixture(scope="module")
def shared_engine():
    """An engine that is ready for crazyhouse, the same one for all tests of a module."""
    gui = UciGui()
    gui.start("crazyhouse")
    yield gui
    gui.close()


@pytest.fixture
def engine_at_the_start(shared):
    """That engine at the start of a game."""
    return at_the_start(shared)


@pytest.fixture
def new_engine():
    """A new engine without any input."""
    gui = UciGui()
    yield gui
    gui.close()


def search(gui, go, *before):
    """The reports and the answer of a search: ([match of INFO], [words of bestmove])."""
    gui.send(*before, go)
    *lines, answer = gui.expect("bestmove .*")
    return [match for match in map(INFO.fullmatch, lines) if match], answer.split()


def complaints(lines):
    assert all(line.startswith("info string ") for line in lines), lines
    return [line.removeprefix("info string ") for line in lines]


def fen_of(gui):
    return next(line for line in gui.ask("d") if line.startswith("Fen: ")).removeprefix("Fen: ")
