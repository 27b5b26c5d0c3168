"""Games in XBoard itself, the engine on both sides."""

import re
import time

import pytest
from surajang.tests import xboard

GAMES = 2
BASE, INCREMENT = 2, 0.05  # seconds
MOVES = 60  # of both sides, in a game that is not played to its end
PATIENCE = 600  # seconds for a match, the first compilation included
BY_RULE = re.compile(
    r"(White|Black) mates|Xboard adjudication: (Checkmate|Stalemate|repetition draw)"
    r"|Stalemate|Draw by repetition|(White|Black) checks perpetually"
)
COMPLAINT = re.compile(r"Illegal|Error|tell|#")

pytestmark = pytest.mark.skipif(bool(xboard.MISSING), reason=f"not installed: {', '.join(xboard.MISSING)}")


def test_two_games_in_xboard_end_by_rule(tmp_path):
    pgn, log = tmp_path / "games.pgn", tmp_path / "debug"
    options = xboard.match("pandemonium", GAMES, BASE, INCREMENT, pgn)
    deadline = time.monotonic() + PATIENCE
    with xboard.screen() as display, xboard.xboard(tmp_path, display, *options) as process:
        while process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.2)
            if not (tmp_path / "game.png").exists() and log.read_text().count(": move ") > 20:
                xboard.screenshot(display, tmp_path / "game.png")
        assert process.poll() == 0, log.read_text()[-2000:]
    games = xboard.read_pgn(pgn)
    assert len(games) == GAMES
    for game in games:
        assert BY_RULE.fullmatch(game.reason), f"{game.reason}\n{game.moves}"
        assert game.tags["Result"] in ("1-0", "0-1", "1/2-1/2")
        assert game.tags["Variant"] == "pandemonium"
    lines = xboard.engine_lines(log)
    assert len([line for line in lines if line.startswith("move ")]) > 10 * GAMES
    assert not [line for line in lines if COMPLAINT.match(line)]


@pytest.mark.parametrize("variant", ["normal", "crazyhouse", "janggi", "capahouse", "xxl"])
def test_xboard_refuses_no_move(variant, tmp_path):
    pgn, log, picture = tmp_path / "game.pgn", tmp_path / "debug", tmp_path / "game.png"
    # XBoard calls every result that chess does not know a false claim.
    options = [*xboard.match(variant, 1, BASE, INCREMENT, pgn), "-testClaims", "false"]
    deadline, moves = time.monotonic() + PATIENCE, 0
    with xboard.screen() as display, xboard.xboard(tmp_path, display, *options) as process:
        while process.poll() is None and time.monotonic() < deadline and moves < MOVES:
            time.sleep(0.2)
            moves = sum(line.startswith("move ") for line in xboard.engine_lines(log))
            if moves > 30 and not picture.exists():
                xboard.screenshot(display, picture)
        assert moves >= MOVES or process.poll() == 0, log.read_text()[-2000:]
    assert not [line for line in xboard.engine_lines(log) if COMPLAINT.match(line)]
    assert "orfeit" not in log.read_text(errors="replace")
