"""The command `surajang` as people and scripts call it."""

import re
import subprocess
import sys

import pytest
from surajang.tests.support.referee import Referee

pytestmark = pytest.mark.process

START_MOVES = 38


def surajang(*arguments, cwd=None):
    """Runs the command to its end."""
    command = [sys.executable, "-m", "surajang", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=cwd)


def test_perft_prints_the_total_alone_on_the_last_line():
    run = surajang("perft", "--variant", "pandemonium", "--depth", "3")
    assert run.returncode == 0
    assert run.stdout.splitlines() == ["60537"]


def test_divide_lists_each_move_once_and_its_counts_add_up():
    run = surajang("perft", "--depth", "2", "--divide")
    *lines, total = run.stdout.splitlines()
    counts = dict(re.fullmatch(r"(\S+): (\d+)", line).groups() for line in lines)
    assert sorted(counts) == sorted(Referee().legal_moves())
    assert len(counts) == START_MOVES
    assert sum(map(int, counts.values())) == int(total) == START_MOVES**2


def test_perft_takes_a_position():
    fen = "k9/10/10/10/10/10/10/10/10/K9[P] w - - 0 1"
    run = surajang("perft", "--depth", "1", "--fen", fen)
    assert run.stdout.split() == [str(len(Referee(fen).legal_moves()))]


@pytest.mark.parametrize(
    "arguments, quoted",
    [
        (("perft", "--depth", "1", "--fen", "4k5/10 w"), "2 ranks"),
        (("perft", "--depth", "1", "--variant", "draughts"), "draughts"),
        (("perft", "--depth", "1", "--variant", "pandemonum"), "did you mean 'pandemonium'?"),
        (("perft", "--depth", "x"), "x"),
        (("perft",), "--depth"),
        (("bench", "perft", "--runs", "0"), "0"),
        (("bench", "perft", "--variant", "draughts"), "draughts"),
        (("bench", "perft", "--fen", "nonsense"), "1 rank"),
        (("bench", "nps", "--fen", "x"), "--fen"),
        (("show", "--variant", "draughts"), "draughts"),
        (("frobnicate",), "frobnicate"),
    ],
)
def test_wrong_input_gets_a_sentence_that_quotes_it_and_exit_code_2(arguments, quoted):
    run = surajang(*arguments)
    assert run.returncode == 2
    assert quoted in run.stderr
    assert "Traceback" not in run.stderr
    assert run.stdout == ""


def test_bench_perft_reports_each_position_and_the_leaves_that_it_counted():
    run = surajang("bench", "perft", "--depth", "3", "--runs", "2")
    assert run.returncode == 0, run.stderr
    (start,) = [line for line in run.stdout.splitlines() if line.startswith("│ start ")]
    leaves, *speeds = re.findall(r"[\d,.]+", start)
    assert leaves == "60,537"
    figures = [float(figure.replace(",", "")) for figure in speeds]
    assert figures == sorted(figures)
    assert figures[0] > 0


def test_bench_nps_reports_speed_and_depth_of_each_position():
    run = surajang("bench", "nps", "--seconds", "0.1", "--runs", "1")
    assert run.returncode == 0, run.stderr
    for position in ("start", "middle game, full hands", "sharp attack", "quiet end"):
        assert run.stdout.count(position) == 2


def test_shown_game_ends_by_rule_and_its_pgn_replays(tmp_path):
    """Two processes play; without a terminal there is a line a move."""
    pgn = tmp_path / "game.pgn"
    run = surajang("show", "--base", "1", "--increment", "0.02", "--pgn", str(pgn), cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    *moves, result, where = run.stdout.splitlines()
    assert str(pgn) in where
    text = pgn.read_text()
    body = re.sub(r"\{[^}]*\}", " ", text.split("\n\n", 1)[1])
    written = [word for word in body.split() if not re.fullmatch(r"\d+\.+|1-0|0-1|1/2-1/2", word)]
    assert written == [line.split()[1] for line in moves]
    referee = Referee()
    for move in written:
        assert referee.result() is None
        referee.push(move)
    assert referee.result()[0] == result.split()[0]
    assert f'[Result "{referee.result()[0]}"]' in text
    assert '[Variant "pandemonium"]' in text
