"""The engine with XBoard's commands: a process, lines in, lines out."""

import os
import re
import signal
import subprocess
import sys

import pytest
from surajang.tests.support.gui import COMMAND, READY, SOON, Gui, at_the_start, shared_engine

pytestmark = pytest.mark.process


PROMOTION = "10/P1R7/10/10/10/4k5/10/10/10/4K5[P] w - - 0 1"

CASTLING = "r3k4r/10/10/10/10/10/10/10/10/R3K4R[] w - - 0 1"


@pytest.fixture
def fresh():
    """A new engine that is ready to play."""
    gui = Gui()
    gui.start("pandemonium")
    yield gui
    gui.close()


shared, gui = shared_engine("pandemonium"), at_the_start


# Starting


def test_protocol_imports_nothing_compiled():
    code = (
        "import sys, surajang.cli, surajang.protocol.conversation, surajang.protocol.cecp.protocol\n"
        "sys.exit(bool({'numpy', 'numba', 'llvmlite'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.fixture
def held_up(tmp_path):
    """An engine whose compiler waits until the file `go` exists, and then fails."""
    (tmp_path / "numba.py").write_text(
        "import pathlib, time\n"
        f"while not pathlib.Path({str(tmp_path / 'go')!r}).exists(): time.sleep(0.01)\n"
        "raise ImportError('there is no compiler')\n"
    )
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    gui = Gui(env={"PYTHONPATH": path})
    yield gui
    gui.close()


def test_features_are_reported_before_the_compiler_is_there(held_up):
    held_up.send("xboard", "protover 2", "ping 1")
    assert held_up.expect("pong 1")[-2].endswith("done=1")


def test_ping_waits_for_the_compiler_once_a_game_is_to_be_played(held_up, tmp_path):
    held_up.send("xboard", "protover 2", "new", "ping 1")
    held_up.expect(".* done=1")
    (tmp_path / "go").touch()
    assert "pong 1" not in held_up.expect("tellusererror .*")


def test_input_may_end_during_compilation(held_up):
    held_up.send("xboard", "protover 2", "new", "ping 1")
    held_up.expect(".* done=1")
    held_up.process.stdin.close()
    assert held_up.end() == 0


def test_quit_works_during_compilation(held_up):
    """A program that has accepted a feature is not a script, whose commands would be carried out first."""
    held_up.send("xboard", "protover 2", "accepted setboard", "go", "ping 1", "quit")
    assert held_up.expect("pong .*")[-1] == "pong 1"
    assert held_up.end() == 0


@pytest.mark.quick
def test_broken_compiler_is_reported_and_ends_the_engine(held_up, tmp_path):
    held_up.send("xboard", "protover 2", "new", "ping 1")
    held_up.expect(".* done=1")
    (tmp_path / "go").touch()
    assert held_up.expect("tellusererror .*")[-1].endswith("there is no compiler")
    assert held_up.end() == 1


def test_features_end_with_done_1():
    gui = Gui()
    words = " ".join(gui.start())
    gui.close()
    options = re.findall(r'option="([^"]*)"', words)
    assert [option.partition(" -")[0] for option in options] == [
        *("MultiPV", "Move Overhead", "Clear Hash", "Use NNUE", "EvalFile", "Native Code"),
        *("UCI_LimitStrength", "UCI_Elo"),
        *("Setup phase", "White's arrangement", "Black's arrangement"),
        *("Resign", "Offer draws", "VariantPath"),
    ]
    features = dict(re.findall(r'(\w+)=("[^"]*"|\d+)', words))
    assert features.pop("myname").startswith('"Surajang ') and features.pop("option")
    variants = features.pop("variants").strip('"').split(",")
    assert variants[:2] == ["normal", "chess"]  # XBoard takes the names of this list alone
    assert {"pandemonium", "crazyhouse", "janggi", "chaotic"} <= set(variants)
    wanted = (
        "ping=1 setboard=1 playother=1 usermove=1 time=1 draw=1 reuse=1 analyze=1 exclude=1 colors=0 sigint=0"
        " sigterm=0 memory=1 smp=1 name=1 debug=1 nps=1 ics=0 pause=1 highlight=1 setscore=1 done=1"
    )
    assert features == dict(pair.split("=") for pair in wanted.split())


def test_commands_before_the_engine_is_ready_are_carried_out_in_order():
    gui = Gui()
    gui.send("xboard", "protover 2", "new", "variant pandemonium", "force", "usermove e1e4", "nonsense")
    lines = gui.ask("undo", "undo", within=READY)
    gui.close()
    assert [line for line in lines if not re.match("feature|setup|piece|# compiling", line)] == [
        "Error (unknown command): nonsense",
        "Error (no moves to take back): undo",
    ]


def test_variant_is_answered_with_setup_and_pieces(gui):
    assert gui.ask("variant pandemonium") == [
        "setup (PNBRQ..CM...+++..^P.+^CKpnbrq..cm...+++..^p.+^ck) 10x10+7_crazyhouse"
        " rnbqkmcbnr/pppppppppp/10/10/10/10/10/10/PPPPPPPPPP/RNBQKMCBNR[] w KQkq - 0 1",
        *("piece K& KsO3", "piece Q& Q", "piece R& R", "piece B& B", "piece N& N", "piece M& RN"),
        *("piece C& BN", "piece P& fmWfcFifmW3iifmW2feF", "piece +R& RK", "piece +B& BK"),
        *("piece +N& NK", "piece +M& Q", "piece +C& Q", "piece +P& Q"),
    ]


def test_engine_plays_several_games(gui):
    for _ in range(2):
        gui.ask("new", "variant pandemonium", "sd 1")
        gui.send("usermove e1e4")
        gui.expect("move .*")
        assert gui.ask("result 1-0 {White resigns}", "force") == []


def test_silent_commands_are_silent(gui):
    assert not gui.ask(
        *("random", "hard", "easy", "computer", "name Daphne", "rating 2000 1500", "ics -", "nopost"),
        *("accepted ping", "rejected highlight", "memory 32", "memory 64", "cores 1", "hover a0", ""),
        *("accepted", "rejected", "egtpath nalimov /tmp", "partner", "partner mann", "ptell hello", "resume"),
    )


# Moves


def test_engine_answers_a_move(gui):
    gui.ask("new", "variant pandemonium", "sd 2")
    gui.send("usermove e1e4")
    reply = gui.expect("move .*")[-1].split()[1]
    gui.ask("force")
    assert gui.ask("undo", f"usermove {reply}") == []


def test_engine_plays_for_the_side_to_move_after_go(gui):
    gui.ask("usermove e1e4", "sd 1")
    gui.send("go")
    gui.expect("move [a-j][789].*")


def test_playother_waits_for_the_next_move(gui):
    assert gui.ask("usermove e1e4", "sd 1", "playother") == []
    gui.send("usermove e8e5")
    gui.expect("move [a-j][012].*")


def test_force_checks_moves_and_makes_none(gui):
    assert gui.ask("usermove e1e4", "usermove e8e5") == []
    assert gui.ask("usermove e4e5") == [
        "Illegal move (the Pawn on e4 cannot go to e5): e4e5",
    ]


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        (None, ["e1e4", "d8d7", "e4e5", "d7d5", "e5d6"]),  # en passant
        (None, ["a1a4", "c8c5", "a4a5", "b8b5", "a5b6"]),  # ... behind a triple step
        (PROMOTION, ["a8a9+"]),
        (PROMOTION, ["c8c9+"]),
        (PROMOTION, ["c8c9"]),
        (PROMOTION, ["c8c9="]),
        (PROMOTION, ["P@d4"]),
        (CASTLING, ["e0b0", "e9h9"]),
        (CASTLING, ["e0h0", "e9b9"]),
    ],
)
def test_moves_are_read_in_xboards_spelling(gui, fen, moves):
    setup = [f"setboard {fen}"] if fen else []
    assert gui.ask(*setup, *(f"usermove {move}" for move in moves)) == []


@pytest.mark.parametrize("fen", [None, PROMOTION, CASTLING])
def test_moves_are_written_in_xboards_spelling(gui, fen):
    setup = [f"setboard {fen}"] if fen else []
    gui.ask(*setup, "sd 1")
    gui.send("go")
    move = gui.expect("move .*")[-1].split()[1]
    assert re.fullmatch(r"([a-j]\d|[A-Z]@)[a-j]\d\+?", move)
    assert gui.ask("force", "undo", f"usermove {move}") == []


def test_bare_move_is_a_move(gui):
    assert gui.ask("e1e4", "e8e5") == []


@pytest.mark.parametrize(
    ("move", "answer"),
    [
        ("e1e5", r"Illegal move \(.*\): e1e5"),
        ("e8e7", r"Illegal move \(.*\): e8e7"),
        ("e4e5", r"Illegal move \(there is no piece on e4\): e4e5"),
        ("P@d4", r"Illegal move \(.*\): P@d4"),
        ("e1e4+", r"Illegal move \(.*\): e1e4\+"),
        ("z9z8", r"Illegal move \(.*\): z9z8"),
        ("e9e10", r"Illegal move \(.*\): e9e10"),
        ("k0k1", r"Illegal move \(.*\): k0k1"),
        ("", r"Illegal move \(not a move\): "),
        ("castles", r"Illegal move \(not a move\): castles"),
        ("e1 e4", r"Illegal move \(not a move\): e1 e4"),
    ],
)
def test_illegal_move_is_refused_with_a_reason(gui, move, answer):
    (line,) = gui.ask(f"usermove {move}")
    assert re.fullmatch(answer, line)
    assert gui.ask("usermove e1e4") == []


def test_move_while_the_engine_thinks_is_refused(gui):
    gui.send("go")
    gui.send("usermove e1e4")
    assert gui.expect("Illegal move .*") == ["Illegal move (not your turn): e1e4"]
    assert gui.ask("force", "usermove e1e4") == []


# Stopping


def test_move_now(gui):
    gui.send("go", "?")
    assert len(gui.expect("move .*")) == 1


def test_ping_is_answered_after_the_move(gui):
    gui.send("go", "ping 77", "?")
    assert re.fullmatch("move .*", gui.expect("pong 77")[-2])


def test_move_now_is_ignored_when_nothing_is_thought(gui):
    assert gui.ask("?") == []


@pytest.mark.parametrize(
    "command",
    ["force", "result * {stopped}", f"setboard {PROMOTION}", "undo", "variant pandemonium"],
)
def test_thought_is_broken_off_without_a_move(gui, command):
    gui.ask("usermove e1e4")
    gui.send("go", command)
    assert not [line for line in gui.ask() if line.startswith("move")]


def test_going_again_leaves_one_search(gui):
    gui.send("go", "go", "?", "ping 5")
    assert [line.split()[0] for line in gui.expect("pong 5")] == ["move", "pong"]


def test_all_cores_stop_too(gui):
    assert gui.ask("cores 64", "memory 8") == []
    gui.send("go", "?")
    assert len(gui.expect("move .*")) == 1
    assert gui.ask("cores 1", "memory 64") == []


def test_memory_is_not_changed_while_thinking(gui):
    gui.send("go", "memory 32")
    assert gui.expect("Error .*") == ["Error (not while thinking): memory 32"]


def test_search_ends_long_before_its_time_when_it_should(gui):
    gui.ask("post", "st 3600")
    gui.send("go")
    gui.expect(r"\d+ .*")
    gui.ask("force")


@pytest.mark.parametrize("analysing", [False, True])
def test_end_of_input_ends_the_process(fresh, analysing):
    fresh.send("post", *["analyze"] * analysing)
    if analysing:
        fresh.expect(r"\d+ .*")
    fresh.process.stdin.close()
    assert fresh.end() == 0


def test_move_is_found_after_the_end_of_input(fresh):
    fresh.send("st 1", "go")
    fresh.process.stdin.close()
    fresh.expect("move .*")
    assert fresh.end() == 0


def test_quit_ends_the_process_while_thinking(fresh):
    fresh.send("st 3600", "post", "go")
    fresh.expect(r"\d+ .*")
    fresh.send("quit")
    assert fresh.end() == 0


def test_engine_without_a_reader_ends():
    reader, writer = os.pipe()
    process = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=writer)
    os.close(writer)
    os.close(reader)
    process.stdin.write(b"xboard\nprotover 2\n")
    process.stdin.flush()
    assert process.wait(SOON) == 0


def test_last_line_may_lack_its_end(fresh):
    fresh.send(b"quit")
    fresh.process.stdin.close()
    assert fresh.end() == 0


def test_interrupts_are_ignored(fresh):
    fresh.process.send_signal(signal.SIGINT)
    assert fresh.ask() == []


# Promotions, as the user is asked about them


NOWHERE = [f"highlight {'/'.join(['10'] * 10)}"]  # in Pandemonium


def test_lifted_piece_shows_where_it_may_go(gui):
    assert gui.ask("lift b0") == ["highlight 10/10/10/10/10/10/10/Y1Y7/10/10"]


@pytest.mark.parametrize("square", ["a0", "e5", "e9"])
def test_piece_that_may_go_nowhere_is_shown_to_go_nowhere(gui, square):
    """Without an answer XBoard marks squares by its own rules. Here a rook behind its pawn, an empty square,
    and a piece of the other side."""
    assert gui.ask(f"lift {square}") == NOWHERE


def test_choice_of_a_promotion_is_marked_and_offered(gui):
    gui.ask(f"setboard {PROMOTION}")
    (line,) = gui.ask("lift c8")
    assert line.startswith("highlight 2M7/1Y1YYYYYYY/")
    assert gui.ask("put c9") == ["choice +R"]
    assert gui.ask("put c7") == []


def test_mandatory_promotion_is_no_choice(gui):
    gui.ask(f"setboard {PROMOTION}")
    assert gui.ask("lift a8") == ["highlight Y9/10/10/10/10/10/10/10/10/10"]
    assert gui.ask("put a9") == []


def test_lifted_hand_piece_shows_where_it_may_be_dropped(gui):
    gui.ask(f"setboard {PROMOTION}")
    (line,) = gui.ask("lift l0")
    rows = line.split()[1].split("/")
    assert rows[0] == rows[-1] == "10" and rows[1] == "1Y1YYYYYYY"
    assert gui.ask("lift l1") == NOWHERE
