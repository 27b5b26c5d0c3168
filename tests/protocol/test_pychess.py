"""PyChess without its window: it finds the engine after `install-gui`, lets it play against itself, and
analyses. python-chess checks its results."""

import json
import os
import subprocess
from pathlib import Path

import chess
import chess.variant
import platformdirs
import pytest
from surajang.tests.support import xboard
from surajang.tests.support.gui import COMMAND, READY

PYTHON = "/usr/bin/python3"  # of the system, which has PyChess
PYCHESS = Path("/usr/lib/python3/dist-packages/pychess/Players/engineNest.py")  # where Debian puts it
CLIENT = Path(__file__).parents[1] / "support" / "pychess_client.py"
BOARDS = {"normal": chess.Board, "crazyhouse": chess.variant.CrazyhouseBoard}
PLIES, SECONDS = 8, 2  # of a game
MISSING = [*xboard.MISSING, *(["pychess"] if not PYCHESS.exists() else [])]

pytestmark = [
    pytest.mark.gui,
    pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}"),
]


@pytest.fixture
def home(tmp_path):
    """The environment of a user who has never run PyChess, but has compiled games."""
    for folder in ("share/pychess", "cache/pychess"):
        (tmp_path / folder).mkdir(parents=True)
    folders = {"CONFIG": tmp_path / "config", "DATA": tmp_path / "share", "CACHE": tmp_path / "cache"}
    return {
        **os.environ,
        **{f"XDG_{name}_HOME": str(folder) for name, folder in folders.items()},
        "HOME": str(tmp_path),
        "PATH": "/usr/bin:/bin",  # without the engines of Debian, which PyChess would ask as well
        "SURAJANG_CACHE_DIR": os.environ.get("SURAJANG_CACHE_DIR") or platformdirs.user_cache_dir("surajang"),
    }


def install(home, *arguments):
    """The output of `install-gui` for PyChess."""
    command = [*COMMAND, "install-gui", "--gui", "pychess", "--no-compile", *arguments]
    return subprocess.run(command, env=home, check=True, capture_output=True, text=True).stdout


def ask_pychess(home):
    """The results of PyChess: found, played and analysed."""
    with xboard.screen() as display:
        done = subprocess.run(
            [PYTHON, CLIENT, str(PLIES), str(SECONDS)],
            env={**home, "DISPLAY": display},
            capture_output=True,
            text=True,
            timeout=READY,
        )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def entries(home):
    """PyChess's list of engines, and its path."""
    path = Path(home["XDG_CONFIG_HOME"], "pychess", "engines.json")
    return json.loads(path.read_text()), path


def check_game(name, found, lines):
    board = BOARDS[name]()
    assert len(found["moves"]) >= PLIES and all("Surajang" in player for player in found["players"])
    for move in found["moves"]:
        board.push_uci(move)  # raises for an illegal move
    for analysis, count in zip(found["analyses"], lines, strict=True):
        wanted = min(count, board.legal_moves.count())
        assert len({line["moves"][0] for line in analysis}) == len(analysis) == wanted
        assert analysis == sorted(analysis, key=lambda line: -line["score"])
        for line in analysis:
            after = board.copy()
            for move in line["moves"]:
                after.push_uci(move)
    assert found["dialogs"] == []


@pytest.mark.parametrize(("protocol", "lines"), [("uci", (3, 2)), ("xboard", (1, 1))])
def test_pychess_finds_the_engine_plays_and_analyses(home, protocol, lines):
    install(home)
    (entry,), path = entries(home)
    path.write_text(json.dumps([entry | {"protocol": protocol}]))
    found = ask_pychess(home)
    assert {"normal", "crazyhouse"} <= set(found["variants"])
    assert {"MultiPV", "UCI_Elo"} <= {option["name"] for option in found["engine"]["options"]}
    assert list(found["games"]) == list(BOARDS)
    for name, game in found["games"].items():
        check_game(name, game, lines)


def test_list_that_pychess_has_written_is_understood(home):
    """It sorts the keys, adds the engine's options, and adds an engine of its own."""
    install(home)
    (entry,), path = entries(home)
    learnt = {"md5": "b05867c9fffab2fc5081dfe9cb929edc", "options": [{"name": "Hash", "value": 16}]}
    other = {"command": "/usr/lib/PyChess.py", "name": "PyChess.py", "protocol": "xboard"}
    path.write_text(json.dumps([other, entry | learnt | {"recheck": False}], indent=1, sort_keys=True))
    before = path.read_text()
    assert "is not changed" in install(home) and path.read_text() == before
    install(home, "--remove")
    assert entries(home)[0] == [other]
