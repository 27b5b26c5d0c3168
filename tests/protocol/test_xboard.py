"""Games in XBoard itself, the engine on both sides."""

import re
import time

import pytest
from surajang.engine.definition.catalogue import load
from surajang.engine.mechanics.outcomes import outcomes, reason
from surajang.tests.support import xboard
from surajang.tests.support.gui import COMPILING

BASE, INCREMENT = 1, 0.01  # seconds
MOVES = 40  # of both sides, in a game that is not played to its end
SIDE = "(White|Black)"
SPECIAL = "|".join(reason(number, load("janggi"), SIDE, SIDE) for number in outcomes())
BY_RULE = re.compile(
    rf"{SIDE} (mates|has no move|checks perpetually)|Stalemate|Draw by repetition|Draw: .*|{SPECIAL}"
    r"|Xboard adjudication: (Checkmate|Stalemate|repetition draw|Insufficient mating material|Trivial draw)"
)
COMPLAINT = re.compile(r"Illegal|Error|tell|#")

pytestmark = [
    pytest.mark.gui,
    pytest.mark.skipif(bool(xboard.MISSING), reason=f"not installed: {', '.join(xboard.MISSING)}"),
]


def test_engine_is_used_again_for_the_next_game(tmp_path):
    play_to_the_end(tmp_path, "pandemonium", games=2)


@pytest.mark.parametrize("variant", ["pandemonium-vchess", "crazyhouse", "normal", "chess"])
def test_match_ends_by_rule(variant, tmp_path):
    play_to_the_end(tmp_path, variant, "-testClaims", "true")


# XBoard calls every result that chess does not know a false claim: Janggi has such. It also stops at 1,000
# plies, which a game of equals may last, so Black is a beginner here.
def test_game_of_janggi_against_a_beginner_ends_by_rule(tmp_path):
    beginner = "UCI_LimitStrength=1,UCI_Elo=200"
    play_to_the_end(tmp_path, "janggi", "-testClaims", "false", "-secondOptions", beginner)
    assert xboard.read_log(tmp_path).count("option UCI_Elo=200") == 1


def play_to_the_end(folder, variant, *options, games=1):
    """Makes XBoard play a match to its end and checks its record."""
    pgn = folder / "games.pgn"
    options = [*xboard.match(variant, games, BASE, INCREMENT, pgn), *options]
    deadline = time.monotonic() + xboard.PATIENCE
    with xboard.screen() as display, xboard.xboard(folder, display, *options) as process:
        while process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.1)
            if not (folder / "game.png").exists() and xboard.read_log(folder).count(": move ") > 20:
                xboard.screenshot(display, folder / "game.png")
        assert process.poll() == 0, xboard.read_log(folder)[-2000:]
    played = xboard.read_pgn(pgn)
    assert len(played) == games
    for game in played:
        assert BY_RULE.fullmatch(game.reason), f"{game.reason}\n{game.moves}"
        assert game.tags["Result"] in ("1-0", "0-1", "1/2-1/2")
        assert game.tags.get("Variant", "normal") == variant
    lines = xboard.engine_lines(folder)
    assert len([line for line in lines if line.startswith("move ")]) > 5 * games
    assert not complaints(lines)


def complaints(lines):
    """The engine's complaints, except those about its first start."""
    return [line for line in lines if COMPLAINT.match(line) and not COMPILING.match(line)]


@pytest.mark.parametrize("variant", ["capahouse", "janggi", "xxl"])
def test_xboard_refuses_no_move(variant, tmp_path):
    pgn, picture = tmp_path / "game.pgn", tmp_path / "game.png"
    options = [*xboard.match(variant, 1, BASE, INCREMENT, pgn), "-testClaims", "false"]
    deadline, moves = time.monotonic() + xboard.PATIENCE, 0
    with xboard.screen() as display, xboard.xboard(tmp_path, display, *options) as process:
        while process.poll() is None and time.monotonic() < deadline and moves < MOVES:
            time.sleep(0.2)
            moves = sum(line.startswith("move ") for line in xboard.engine_lines(tmp_path))
            if moves > 30 and not picture.exists():
                xboard.screenshot(display, picture)
        assert moves >= MOVES or process.poll() == 0, xboard.read_log(tmp_path)[-2000:]
    assert not complaints(xboard.engine_lines(tmp_path))
    assert "orfeit" not in xboard.read_log(tmp_path)
