"""Two games of Pandemonium in XBoard itself, the engine on both sides."""

import re
import time

import pytest
from surajang.tests import xboard

GAMES = 2
BASE, INCREMENT = 2, 0.05  # seconds
PATIENCE = 600  # seconds for both games, the first compilation included
BY_RULE = re.compile(
    r"(White|Black) mates|Xboard adjudication: (Checkmate|Stalemate|repetition draw)"
    r"|Stalemate|Draw by repetition|(White|Black) checks perpetually"
)


@pytest.mark.skipif(bool(xboard.MISSING), reason=f"not installed: {', '.join(xboard.MISSING)}")
def test_two_games_in_xboard_end_by_rule(tmp_path):
    pgn, log = tmp_path / "games.pgn", tmp_path / "debug"
    options = xboard.match(GAMES, BASE, INCREMENT, pgn)
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
    engine_lines = re.findall(r"^\d+ <(?:first|second) ?: (.*)", log.read_text(), re.M)
    assert len([line for line in engine_lines if line.startswith("move ")]) > 10 * GAMES
    assert not [line for line in engine_lines if re.match(r"Illegal|Error|tell|#", line)]
