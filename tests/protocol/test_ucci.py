"""UCCI: the engine driven by cchess, an independent client and board of xiangqi, and by hand."""

import random
import stat
import sys
import time

import cchess
import pytest
from surajang.engine.position import Position
from surajang.engine.variant import Variant
from surajang.protocol.ucci.notation import UcciNotation
from surajang.protocol.ucci.protocol import Ucci
from surajang.protocol.wire.stdio import InputLine
from surajang.tests.support.gui import READY, UciGui

pytestmark = pytest.mark.process

NOTATION = UcciNotation(Variant("xiangqi").description)
MATE = "3k5/9/4R4/9/9/9/9/9/9/3RK4 b - - 0 1"
ROOK = "3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1"
STALEMATE = "3k5/4P4/3R5/9/9/9/9/9/9/5K3 b - - 0 1"


def moves_of(fen):
    """The legal moves by cchess, of a position in which it also knows the side to move."""
    board = cchess.ChessBoard(fen)
    found = {cchess.pos2iccs(*move) for move in board.create_moves()}
    return {move for move in found if not board.is_checked_move(*cchess.iccs2pos(move))}


@pytest.mark.parametrize("seed", range(4))
def test_moves_are_those_of_cchess(seed):
    chance, position = random.Random(seed), Position("xiangqi")
    while position.ply < 80 and position.result() is None:
        written = {NOTATION.write_move(move): move for move in position.legal_moves}
        assert set(written) == moves_of(position.fen())
        assert all(position.parse_move(NOTATION.read_move(text)) == move for text, move in written.items())
        position.push(chance.choice(position.legal_moves()))
    assert position.ply > 20


def test_moves_may_have_capitals_and_a_dash():
    assert NOTATION.read_move("H2-E2") == NOTATION.read_move("h2e2") == "h3e3"
    assert NOTATION.read_move("h3e") == "h3e"


@pytest.mark.parametrize("turn", ["r", "w", ""])
def test_red_is_r_or_w(turn):
    board = Position("xiangqi").fen().split()[0]
    assert Position("xiangqi", NOTATION.read_fen([board, *filter(None, [turn])])) == Position("xiangqi")


# cchess as the client


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    path = tmp_path_factory.mktemp("ucci") / "engine"
    path.write_text(f"#!/bin/sh\nexec {sys.executable} -m surajang\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    client = cchess.UcciEngine()
    assert client.load(str(path)) and client.wait_for_ready(READY)
    yield client
    client.quit()
    client.running = False  # or its thread would read the end of the engine's output again and again


def answer(client):
    """What the client makes of the engine's answer."""
    deadline = time.monotonic() + READY
    while time.monotonic() < deadline:
        found = client.get_action()
        if found and found["action"] in ("bestmove", "dead", "draw"):
            return found
        time.sleep(0.005)
    pytest.fail("no answer")


def test_client_knows_the_name_and_the_options(client):
    assert client.ids["name"].startswith("Surajang ")
    assert {line.split()[1] for line in client.options} >= {"usemillisec", "hashsize", "threads", "newgame"}


def test_game_has_legal_moves_only(client):
    client.set_option("usemillisec", "true")
    fen = Position("xiangqi").fen()
    for _ in range(16):
        client.go_from(fen, {"depth": 3})
        found = answer(client)
        assert found["move"] in moves_of(fen) and isinstance(found["score"], int)
        position = Position("xiangqi", fen)
        position.push(NOTATION.read_move(found["move"]))
        fen = position.fen()


@pytest.mark.parametrize("fen", [MATE, STALEMATE])
def test_side_without_a_move_has_no_best_move(client, fen):
    client.go_from(fen, {"depth": 3})
    assert answer(client)["action"] == "dead"


# By hand


@pytest.fixture(scope="module")
def gui():
    gui = UciGui()
    gui.send("ucci")
    gui.expect("ucciok")
    gui.send("isready")
    gui.expect("readyok", READY)
    gui.send("position startpos", "go depth 3")
    gui.expect("bestmove .*", READY)
    yield gui
    gui.close()


def test_isready_prepares_the_game_before_a_position_is_sent():
    """Programs for xiangqi send no other before the clock of the first move runs."""
    written = []
    talk = Ucci(written.append, lambda event: None)
    for line in ("ucci", "isready"):
        talk.handle(InputLine(line))
    assert talk._session.loading == "xiangqi" and "readyok" not in written


def asked(gui, *lines):
    gui.send(*lines, "isready")
    return gui.expect("readyok")[:-1]


@pytest.mark.parametrize(
    "milliseconds, limits",
    [("true", "clock 900 ms + 10 ms a move"), ("false", "clock 900000 ms + 10000 ms a move")],
)
def test_clock_is_in_seconds_unless_milliseconds_are_asked_for(gui, milliseconds, limits):
    asked(gui, f"setoption usemillisec {milliseconds}", "debug on", "position startpos")
    gui.send("go depth 1 time 900 increment 10 opptime 100")
    (said,) = [line for line in gui.expect("bestmove .*") if "limits: " in line]
    assert limits in said and "depth 1" in said
    asked(gui, "debug off")


def test_banned_moves_are_left_out(gui):
    gui.send("setoption newgame", "position startpos", "go depth 4")
    best = gui.expect("bestmove .*")[-1].split()[1]
    gui.send("position startpos", f"banmoves {best}", "go depth 4")
    assert gui.expect("bestmove .*")[-1].split()[1] != best
    gui.send("setoption newgame", "position startpos", "go depth 4")
    assert gui.expect("bestmove .*")[-1].split()[1] == best
    gui.send(f"position fen {ROOK}")
    position = Position("xiangqi", ROOK)
    every = " ".join(map(NOTATION.write_move, position.legal_moves))
    gui.send(f"banmoves {every}", "go depth 2")
    assert gui.expect("nobestmove|bestmove .*")[-1] == "nobestmove"


def test_mate_is_a_high_score(gui):
    gui.send("position fen 3k5/9/9/4R4/9/9/9/9/9/R3K4 w - - 0 1", "go depth 6")
    *_, line, _ = gui.expect("bestmove .*")
    assert int(line.split(" score ")[1].split()[0]) > 29_000


def test_quit_says_bye():
    gui = UciGui()
    gui.send("ucci", "quit")
    assert gui.expect("bye")
    assert gui.end() == 0
    gui.close()


@pytest.mark.parametrize(
    "line, reason",
    [
        ("go time soon", "time needs a whole number, not 'soon'"),
        ("go slowly 3", "go does not know 'slowly'; it knows"),
        ("setoption hashsiez 3", "unknown option"),
        ("setoption hashsize many", "info message"),
        ("position fen 9/9 w", "board: '9/9' has 2 ranks"),
        ("banmoves a0a0", "'a0a0': the Chariot on a0 cannot go to a0"),
        ("banmoves h9g7", "'h9g7': the piece on h9 is not White's"),
        ("banmoves zz", "'zz': is not a move; moves look like 'h2e2': banmoves"),
        ("position startpos moves h2e9", "'h2e9': the Cannon on h2 cannot go to e9;"),
        ("castle", "unknown command"),
    ],
)
def test_wrong_lines_are_quoted(gui, line, reason):
    asked(gui, "position startpos")
    (said,) = asked(gui, line)
    assert said.startswith("info message ") and reason in said and line.split()[-1] in said
