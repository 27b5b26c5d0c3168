"""`surajang bench coverage`: games of Fairy-Stockfish's files, compared with Fairy-Stockfish."""

import pyffish
import pytest
from click.testing import CliRunner
from surajang.bench.speed import coverage_command
from surajang.bench.speed.coverage_command import main

pytestmark = pytest.mark.process

FILE = """[swift:minishogi]
startFen = k4/5/5/4P/4K[Gp] w 0 1

[mined:crazyhouse]
blastOnCapture = true
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "own.ini"
    path.write_text(FILE)
    return str(path)


def lines_of(*options):
    result = CliRunner().invoke(main, [*options, "--games", "3", "--depth", "2"])
    return result.exit_code, result.output.splitlines()


@pytest.mark.parametrize("concurrency", ["1", "2"])
def test_each_game_of_a_file_is_exact_or_refused_with_its_reason(file, concurrency):
    code, lines = lines_of(file, "--concurrency", concurrency)
    assert code == 0
    found = {line.split()[0]: line for line in lines[:-1]}
    assert found["swift"].split()[1] == "exact"
    assert int(found["swift"].split()[2]) > 10
    assert "refused" in found["mined"] and "blastOnCapture = 'true'" in found["mined"]
    assert lines[-1] == "1 exact, 0 different, 1 refused"


def test_same_games_are_compared_in_every_run(file):
    assert lines_of(file, "swift") == lines_of(file, "swift")


def test_difference_is_shown_and_fails(file, monkeypatch):
    """Fairy-Stockfish's pawn seems unable to move in the first position that has one."""
    legal = pyffish.legal_moves
    monkeypatch.setattr(
        coverage_command.PyffishReferee,
        "moves",
        lambda self, fen, played=(): [move for move in legal("swift", fen, list(played)) if move != "e2e3"],
    )
    code, lines = lines_of(file, "swift")
    assert code == 1
    assert lines[0].split()[:2] == ["swift", "different"] and "perft 1 of the start" in lines[0]
    assert lines[-1] == "0 exact, 1 different, 0 refused"


def test_move_of_only_one_side_is_named(file, monkeypatch):
    legal = pyffish.legal_moves
    monkeypatch.setattr(
        coverage_command.PyffishReferee,
        "moves",
        lambda self, fen, played=(): [
            move for move in legal("swift", fen, list(played)) if played or "@" not in move
        ],
    )
    monkeypatch.setattr(coverage_command.PyffishReferee, "leaves", lambda self, fen, depth: 30)
    monkeypatch.setattr(coverage_command, "leaves", lambda position, depth: 30)
    code, lines = lines_of(file, "swift")
    assert code == 1 and "here alone G@" in lines[0] and "there alone" not in lines[0]


def test_unknown_name_and_unreadable_file_are_refused(file, tmp_path):
    assert lines_of(file, "slow")[0] == 2 and "'slow' is not one of swift, mined" in " ".join(
        lines_of(file, "slow")[1]
    )
    code, lines = lines_of(str(tmp_path / "missing.ini"))
    assert code == 2 and "missing.ini" in " ".join(lines)


def test_game_that_two_passes_have_ended_is_not_compared_any_further(tmp_path, monkeypatch):
    """The position alone does not tell the referee that the game is over."""
    path = tmp_path / "passing.ini"
    path.write_text("[passing:janggicasual]\nstartFen = 4k4/9/9/9/9/9/9/9/4K4/R8 w - - 0 1\n")
    monkeypatch.setitem(coverage_command.CHANCES, "pass", 100)
    code, lines = lines_of(str(path))
    assert (code, lines[0].split()[1]) == (0, "exact")
