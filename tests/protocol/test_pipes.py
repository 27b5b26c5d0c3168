"""Commands piped in by a shell: every one is answered, as by Stockfish, whether `quit` or the end of input
comes last."""

import re
import signal
import subprocess
import sys
import time

import pytest
from surajang import Position
from surajang.engine.movegen.perft import divide, perft
from surajang.tests.protocol.test_process_life import heed_interrupts
from surajang.tests.support.gui import COMMAND, READY

pytestmark = pytest.mark.process

LIMIT = 30  # seconds in which an interrupt has to be heard; a tenth of one is usual
STARTED = 0.2  # seconds after which a count that has begun is in compiled code
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
ONE_MOVE = "rnb1kbnr/pppp1ppp/8/4p3/7q/P4P2/1PPPP1PP/RNBQKBNR w KQkq - 1 3"  # and many after it


def piped(text, command="exec {}", **options):
    """The standard output when a shell pipes the text into the engine, line by line."""
    shell = command.format(" ".join(COMMAND))
    run = subprocess.run(
        ["sh", "-c", shell], input=text.encode(), capture_output=True, timeout=READY, check=True, **options
    )
    assert run.stderr == b""
    return [line for line in run.stdout.decode().splitlines() if not line.startswith("option ")]


# The engine, in which pings are answered after all that came before them, however long that takes.
PATIENT = f"""exec {sys.executable} -c '
from surajang.__main__ import main
from surajang.protocol.session import base_protocol

base_protocol.PATIENCE = {READY}
main()
'"""


def told(lines):
    """The lines without reports of searches."""
    return [line for line in lines if not line.startswith(("info depth", "info string compiling"))]


@pytest.mark.parametrize("end", ["quit\n", ""])
def test_stockfish_s_first_example_is_answered_in_full(end):
    lines = told(piped(f"uci\nisready\nposition startpos moves e2e4\nd\ngo perft 2\n{end}"))
    position = Position("chess")
    position.push("e2e4")
    counts = [f"{move}: {leaves}" for move, leaves in divide(position, 2)]
    assert lines[2:4] == ["uciok", "readyok"]
    assert lines[4:14] == str(position).splitlines()
    assert lines[14].startswith("Fen: ") and lines[15].startswith("Key: ")
    assert lines[16:] == [*counts, "", f"Nodes searched: {perft(position, 2)}"]


@pytest.mark.parametrize("text", ["{}\n", "{}", "{}\r\n", "\n\n{}\n", "\ufeff{}\n", "\ufeff{}"])
def test_line_needs_no_uci_before_it_and_no_end(text):
    assert told(piped(text.format("go depth 2")))[-1].startswith("bestmove ")


def test_here_document_of_several_positions_is_searched_to_its_end():
    script = (
        "{} <<'END'\nposition startpos\ngo depth 3\nposition startpos moves e2e4\ngo nodes 500\neval\nEND\n"
    )
    lines = told(piped("", script))
    first, second = (line for line in lines if line.startswith("bestmove "))
    assert first.split()[1][1] in "12" and second.split()[1][1] in "78"
    assert lines[-1].startswith("In use: ")


@pytest.mark.parametrize(
    "command", ["bench 1 1 2 current", "go perft 1", "eval", "d", "go movetime 20", "go mate 1"]
)
def test_each_command_is_answered_separately(command):
    """The search for a mate finds one: a rook on the first rank."""
    lines = told(piped(f"position fen 7k/8/6K1/8/8/8/8/R7 w - - 0 1\n{command}\n"))
    assert re.match(r"Nodes/second|Nodes searched: 20|In use: |Key: |bestmove a1a8", lines[-1])


def test_count_of_every_game_is_that_of_the_library():
    games = ("crazyhouse", "chess")
    text = "".join(
        f"setoption name UCI_Variant value {game}\nposition startpos\ngo perft 3\n" for game in games
    )
    sums = [line for line in piped(text) if line.startswith("Nodes searched")]
    assert sums == [f"Nodes searched: {perft(Position(game), 3)}" for game in games]


def test_script_in_cecp_is_answered_in_full():
    lines = piped(
        "new\nsd 3\nforce\nusermove e2e4\nperft 1\nd\ngo\nping 1\nusermove a2a5\neval\nquit\n", PATIENT
    )
    lines = [line for line in lines if not line.startswith("#")]
    assert lines[0] == "a7a5: 1" and lines[21] == "Nodes searched: 20"
    assert "Black to move" in lines
    move, pong, illegal = (lines.index(line) for line in lines if re.match("move |pong 1|Illegal move", line))
    assert move < pong < illegal and lines[-1].startswith("In use: ")


def test_xboards_engine_moves_after_the_end_of_input():
    lines = piped("xboard\nprotover 2\nnew\nsd 2\nusermove e2e4\nping 3\n", PATIENT)
    assert re.fullmatch("move [a-h][78][a-h][56]", lines[-2]) and lines[-1] == "pong 3"


def test_output_may_be_read_in_part():
    """For example by `head`, which ends after it has read enough."""
    lines = piped("uci\ngo perft 9\n", "{} | head -n 1")
    assert len(lines) == 1 and lines[0].startswith("id name ")


# Interrupts of long counts

COUNTING = """
import sys
from surajang.__main__ import main
from surajang.engine.movegen.perft import LegalMoveTree

count = LegalMoveTree._count
LegalMoveTree._count = lambda *rest: (print("counting", flush=True), count(*rest))[1]
main()
"""


@pytest.mark.parametrize("fen", [START, ONE_MOVE], ids=["start", "one-move"])
def test_interrupt_ends_a_count_on_the_command_line(fen):
    """Also below a single move: compiled code that counts there for hours does not notice an interrupt."""
    command = [sys.executable, "-c", COUNTING, "perft", "--variant", "chess", "--depth", "12", "--fen", fen]
    count = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=heed_interrupts
    )
    while count.stdout.readline() != b"counting\n":
        assert count.poll() is None
    time.sleep(STARTED)
    assert count.poll() is None
    count.send_signal(signal.SIGINT)
    assert count.wait(LIMIT) == 130  # as shells have it for an interrupt
    assert b"Traceback" not in count.stderr.read()
    count.stdout.close()
    count.stderr.close()


def test_interrupt_ends_a_count_in_python():
    code = (
        "from surajang import Position\nfrom surajang.engine.movegen.perft import perft\n"
        f"position = Position('chess', {ONE_MOVE!r})\nperft(position, 2)\n"
        "try: print('ready', flush=True), perft(position, 12)\n"
        "except KeyboardInterrupt: print(perft(position, 2))"
    )
    count = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, preexec_fn=heed_interrupts)
    assert count.stdout.readline() == b"ready\n"
    time.sleep(STARTED)
    count.send_signal(signal.SIGINT)
    assert count.wait(LIMIT) == 0
    assert int(count.stdout.read()) == perft(Position("chess", ONE_MOVE), 2)
    count.stdout.close()
