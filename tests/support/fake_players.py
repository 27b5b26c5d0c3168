"""Players of fake engines, for tests."""

import sys
import time
from pathlib import Path

import pytest
from surajang import Position
from surajang.engine.definition import catalogue
from surajang.match.players.control import TimeControl
from surajang.match.players.spec import EngineSpec
from surajang.match.players.start import start_player

FAKE = (sys.executable, str(Path(__file__).with_name("fake_engine.py")))
NODES = TimeControl(nodes=1000)
CLOCK = TimeControl(base=60.0)
BOTH = pytest.mark.parametrize("dialect", ["cecp", "uci"])
CRAZYHOUSE = catalogue.load("crazyhouse")


def starter():
    """A fixture: starts a fake engine, by words of its command line and what differs in its spec."""
    players = []

    def start(*arguments, dialect="cecp", log=None, variant="crazyhouse", **fields):
        command = (*FAKE, *["--uci"] * (dialect == "uci"), *arguments)
        spec = EngineSpec(
            **{"name": "Fake", "command": command, "protocol": dialect, "control": NODES, **fields}
        )
        players.append(start_player(spec, catalogue.load(variant), log))
        return players[-1]

    yield start
    for player in players:
        player.close()


def begin(player, *moves, control=NODES, variant="crazyhouse", fen=None):
    """A new game after those moves, with the engine to move."""
    position = Position(variant, fen)
    for move in moves:
        position.push(move)
    player.new_game(position, control, control, position.turn)
    return position


def alive(pid):
    """Whether a process still runs; a zombie does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_for(condition):
    """Waits until `condition()`; the test fails when that is long in coming."""
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)
