"""The command `surajang` for people and scripts."""

import io
import re
import signal
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner
from surajang import cli, pgn
from surajang.learn.networks import values_command
from surajang.match import match_command
from surajang.match.players.player import Thinking
from surajang.match.workers.options import interruptible_workers, workers
from surajang.protocol.terminal.interrupts import ending_at_once
from surajang.tests.support.referee import Referee

pytestmark = pytest.mark.process

START_MOVES = 38


def surajang(*arguments, cwd=None):
    """Runs the command to its end."""
    command = [sys.executable, "-m", "surajang", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=cwd)


def refused(*arguments):
    """The message on stderr of a command that is refused, which runs in this process."""
    run = CliRunner().invoke(cli.main, arguments)
    assert run.exit_code == 2 and run.stdout == ""
    assert "Traceback" not in run.stderr
    return run.stderr


def test_process_of_a_refused_command_ends_with_exit_code_2():
    run = surajang("perft", "--depth", "x")
    assert (run.returncode, run.stdout) == (2, "") and "'x'" in run.stderr


def test_eval_with_and_without_a_network_is_refused():
    assert "give one of them" in refused("eval", "--eval-file", "mine.network", "--no-network")


def test_last_line_of_perft_is_the_total():
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
    assert quoted in refused(*arguments)


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
    """Two processes play; without a terminal there is one line per move."""
    path = tmp_path / "game.pgn"
    run = surajang("show", "--base", "0.5", "--increment", "0.01", "--pgn", str(path), cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    *moves, result, where = run.stdout.splitlines()
    assert str(path) in where
    game = read_pgn(path)
    assert [str(move) for move in game.mainline_moves()] == [line.split()[1] for line in moves]
    for node, line in zip(game.mainline(), moves, strict=True):
        told, score = line.partition("score for White")[2].split()[0], node.eval()
        mate = score.mate is not None
        wanted = (
            f"{'-' if score.mate < 0 else '+'}M{abs(score.mate)}"
            if mate
            else f"{score.centipawns / 100:+.2f}"
        )
        assert told == wanted
    referee = Referee()
    for move in game.mainline_moves():
        assert referee.result() is None
        referee.push(str(move))
    assert referee.result()[0] == result.split()[0] == game.headers["Result"]
    assert game.variant == "pandemonium"


def read_pgn(path):
    """The only game of a file, without errors."""
    with pgn.open(path) as file:
        (game,) = pgn.read_games(file)
    assert game.errors == []
    return game


def interrupted(arguments, begun, cwd):
    """(exit code, output, errors) of a command that gets Ctrl-C after a line that `begun` accepts."""
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "surajang", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=cwd,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    lines = []
    for line in process.stdout:
        lines.append(line)
        if begun(lines):
            process.send_signal(signal.SIGINT)
            break
    output, errors = process.communicate(timeout=60)
    return process.returncode, "".join(lines) + output, errors


def test_game_that_is_interrupted_is_saved_as_far_as_it_came(tmp_path):
    path = tmp_path / "game.pgn"
    arguments = ("show", "--base", "5", "--pgn", str(path))
    code, output, errors = interrupted(arguments, lambda lines: len(lines) == 3, tmp_path)
    told = [line for line in errors.splitlines() if not line.startswith("compiling ")]  # which may take long
    assert (code, told) == (130, ["Interrupted."])
    game = read_pgn(path)
    assert len(list(game.mainline())) >= 3
    assert (game.headers["Result"], game.headers["Termination"]) == ("*", "unterminated")
    assert "* {interrupted} after" in output and str(path) in output


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "--pgn"),
        ("match", "--engine", "cmd=surajang", "--engine", "cmd=surajang name=b", "--plot"),
        ("bench", "nps", "--json"),
        ("bench", "hunt", "--out"),
        ("bench", "find-moves", "--out"),
        ("bench", "openings", "--out"),
        ("bench", "data", "play", "--out"),
        ("bench", "train", "--out"),
        ("bench", "rescale", "--out"),
        ("bench", "average", __file__, "--out"),
        ("bench", "spsa", "--out"),
        ("bench", "duel", "--log"),
        ("bench", "values", "--plot"),
    ],
)
def test_file_that_cannot_be_written_is_refused_before_the_work(arguments, tmp_path, monkeypatch):
    folder = tmp_path / "none"
    monkeypatch.chdir(tmp_path)
    assert f"there is no folder '{folder}'" in refused(*arguments, str(folder / "x.png"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", [("learn", "--out"), ("match", "--out"), ("match", "--log")])
def test_folder_that_cannot_be_made_is_refused_before_the_work(arguments, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("x")
    monkeypatch.chdir(tmp_path)
    assert f"'{tmp_path / 'file'}' is not a folder" in refused(*arguments, str(tmp_path / "file" / "x"))


BLOCKED = """
import ctypes
from surajang.protocol.terminal.interrupts import ending_at_once
with ending_at_once():
    print("begun", flush=True)
    while True:  # a signal ends the sleep
        ctypes.CDLL(None).sleep(30)
"""


def test_interrupt_ends_compiled_code_at_once():
    process = subprocess.Popen(
        [sys.executable, "-c", BLOCKED],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdout.readline() == "begun\n"
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=20) == ("", "Interrupted.\n")
    assert process.returncode == 130


@pytest.mark.parametrize("arguments", [("perft", "--depth", "1"), ("bench", "values"), ("match",)])
def test_interrupt_between_the_parts_of_a_command_is_told_like_any_other(arguments, monkeypatch):
    def interrupt(*args, **options):
        raise KeyboardInterrupt

    for command in (cli.perft, values_command.main, match_command.main):
        monkeypatch.setattr(command, "callback", interrupt)
    run = CliRunner().invoke(cli.main, arguments)
    assert (run.exit_code, run.stdout, run.stderr) == (130, "", "Interrupted.\n")


WARNING = """
import warnings
from surajang import cli
cli.perft.callback = lambda **options: warnings.warn("the code is not kept", RuntimeWarning)
cli.main(["perft", "--depth", "1"])
"""


def test_warning_is_shown_without_the_line_of_code_that_gives_it():
    run = subprocess.run([sys.executable, "-c", WARNING], capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == ("", "Note: the code is not kept\n")


def test_work_of_several_processes_that_is_interrupted_says_so(capsys):
    with pytest.raises(click.exceptions.Exit) as ended, interruptible_workers(workers(None, 1), "lost"):
        signal.raise_signal(signal.SIGTERM)
    assert ended.value.exit_code == 130
    assert capsys.readouterr().err == "Interrupted.\n"


@pytest.fixture
def pythons_interrupt():
    """Restores Python's own handler of SIGINT, even if the tests run in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_interrupt_ends_the_import_of_a_command_at_once(pythons_interrupt, monkeypatch):
    handlers = []

    def imported(name):
        handlers.append(signal.getsignal(signal.SIGINT))
        raise click.ClickException(name)

    monkeypatch.setattr(cli, "import_module", imported)
    done = CliRunner().invoke(cli.main, ["show"])
    assert done.output.strip() == "Error: surajang.match.show_command"
    assert len(handlers) == 1 and handlers[0] is not signal.default_int_handler
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_interrupt_is_pythons_again_afterwards():
    before = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with ending_at_once():
            assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(
    ("thinking", "turn", "told"),
    [
        (Thinking(score=31), 0, "+0.31"),
        (Thinking(score=31), 1, "-0.31"),
        (Thinking(mate=3), 1, "-M3"),
        (Thinking(mate=-2), 1, "+M2"),
    ],
)
def test_score_is_shown_in_whites_view(thinking, turn, told):
    assert thinking.for_white(turn).verdict == told


@pytest.mark.parametrize("arguments", [["variants"], ["variants", "chess"], ["--help"], []], ids=" ".join)
def test_output_to_a_full_disk_is_an_error(arguments):
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "surajang", *arguments]
        run = subprocess.run(
            command, input=b"uci\nquit\n", stdout=full, stderr=subprocess.PIPE, timeout=300, check=False
        )
    assert run.returncode == 1
    assert run.stderr == b"Error: the output cannot be written: No space left on device\n"


def test_game_that_cannot_be_written_in_the_end_is_printed():
    run = surajang("show", "--base", "0.1", "--increment", "0", "--pgn", "/dev/full")
    assert run.returncode == 1
    assert "'/dev/full' cannot be written: No space left on device" in run.stderr
    (game,) = pgn.read_games(io.StringIO(run.stdout[run.stdout.index("[Event") :]))
    assert game.errors == [] and len(list(game.mainline())) > 3
