"""XBoard plays the games of other engines, under its own names if it knows them."""

import re
import time

import pytest
from surajang.tests.protocol.test_xboard import complaints
from surajang.tests.support import xboard

BASE, INCREMENT = 1, 0.01  # seconds
MOVES = 24  # of both sides, and more until a piece has promoted in the games of PROMOTING
# XBoard draws these as its own games: with hands, or with a river and palaces
KNOWN = ("shogi", "xiangqi", "makruk", "knightmate", "wildcastle")
# The engine teaches it the moves of these.
TAUGHT = ("kingofthehill", "minixiangqi", "euroshogi", "cannonshogi")
PROMOTING = ("shogi", "euroshogi", "cannonshogi")

pytestmark = [
    pytest.mark.gui,
    pytest.mark.skipif(bool(xboard.MISSING), reason=f"not installed: {', '.join(xboard.MISSING)}"),
]


def enough(variant, moves):
    """Whether these moves show that XBoard accepts the game's; moves after a promotion, that it accepts
    that."""
    return len(moves) >= MOVES and (
        variant not in PROMOTING or any(move.endswith("+") for move in moves[:-2])
    )


@pytest.mark.parametrize("variant", [*KNOWN, *TAUGHT])
def test_xboard_takes_every_move(variant, tmp_path):
    pgn = tmp_path / "game.pgn"
    options = [*xboard.match(variant, 1, BASE, INCREMENT, pgn), "-testClaims", "false"]
    deadline, moves = time.monotonic() + xboard.PATIENCE, []
    with xboard.screen() as display, xboard.xboard(tmp_path, display, *options) as process:
        while process.poll() is None and time.monotonic() < deadline and not enough(variant, moves):
            time.sleep(0.2)
            moves = [line for line in xboard.engine_lines(tmp_path) if line.startswith("move ")]
        xboard.screenshot(display, tmp_path / "game.png")
        assert enough(variant, moves) or process.poll() == 0, xboard.read_log(tmp_path)[-2000:]
    log = xboard.read_log(tmp_path)
    assert re.search(rf"^\d+ >first : variant (\d+x\d+\+\d+_)?{variant}$", log, re.M)
    assert not complaints(xboard.engine_lines(tmp_path))
    assert "orfeit" not in log
