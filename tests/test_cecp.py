"""The engine as XBoard meets it: a process, lines in, lines out."""

import os
import queue
import re
import signal
import subprocess
import sys

import pytest
from surajang import Clock, Info, Position, Score
from surajang.protocol.cecp.dialect import Cecp
from surajang.protocol.session.loading import Loaded
from surajang.protocol.session.session import Session
from surajang.protocol.session.thinking import Thought
from surajang.protocol.wire.stdio import LONGEST_LINE, InputLine
from surajang.tests.engines import Indifferent, Puppet
from surajang.tests.gui import COMMAND, READY, SOON, Gui, shared_engine

pytestmark = pytest.mark.process

# Squares are XBoard's: on ten ranks it counts from 0.
MATE_IN_ONE = "9k/10/8K1/10/10/10/10/10/10/R9[] w - - 0 1"
UNEVEN = "4k5/pppppppppp/10/10/10/10/10/10/PPPPPPPPPP/RNBQKMCBNR[]"
STALEMATE_IN_ONE = "k9/10/2K7/10/10/10/10/10/10/1Q8[] w - - 0 1"
PROMOTION = "10/P1R7/10/10/10/4k5/10/10/10/4K5[P] w - - 0 1"
CASTLING = "r3k4r/10/10/10/10/10/10/10/10/R3K4R[] w - - 0 1"


@pytest.fixture
def fresh():
    """A new engine that is ready to play."""
    gui = Gui()
    gui.start("pandemonium")
    yield gui
    gui.close()


shared = shared_engine("pandemonium")


@pytest.fixture
def gui(shared):
    """An engine at the start of a game, playing neither side and with a minute for every move."""
    shared.begin("force", "new", "variant pandemonium", "force", "nopost", "level 40 5 0", "st 60")
    return shared


# Starting


def test_protocol_imports_nothing_compiled():
    code = (
        "import sys, surajang.protocol.cli, surajang.protocol.conversation, surajang.protocol.cecp.dialect\n"
        "sys.exit(bool({'numpy', 'numba', 'llvmlite'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.fixture
def held_up(tmp_path):
    """An engine whose compiler takes until the file `go` exists, and then proves to be broken."""
    (tmp_path / "numba.py").write_text(
        "import pathlib, time\n"
        f"while not pathlib.Path({str(tmp_path / 'go')!r}).exists(): time.sleep(0.01)\n"
        "raise ImportError('there is no compiler')\n"
    )
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    gui = Gui(env={"PYTHONPATH": path})
    yield gui
    gui.close()


def test_features_are_told_before_the_compiler_is_there(held_up):
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


def test_quit_is_heard_during_compilation(held_up):
    held_up.send("xboard", "protover 2", "go", "quit")
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
        *("MultiPV", "Move Overhead", "Clear Hash", "Use NNUE", "EvalFile", "UCI_LimitStrength", "UCI_Elo"),
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
        "setup (PNBRQ..CM...+++^P...+^CKpnbrq..cm...+++^p...+^ck) 10x10+7_crazyhouse"
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


@pytest.mark.parametrize("thinking", [False, True])
def test_end_of_input_ends_the_process(fresh, thinking):
    fresh.send("st 3600", "post", *["go"] * thinking)
    if thinking:
        fresh.expect(r"\d+ .*")
    fresh.process.stdin.close()
    assert fresh.end() == 0


def test_quit_ends_the_process_while_thinking(fresh):
    fresh.send("st 3600", "post", "go")
    fresh.expect(r"\d+ .*")
    fresh.send("quit")
    assert fresh.end() == 0


def test_engine_that_nobody_hears_ends():
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


# Taking back


def test_undo_takes_back_one_move(gui):
    assert gui.ask("usermove e1e4", "undo", "usermove d1d4", "usermove e8e5") == []


def test_remove_takes_back_two_moves_and_the_engine_goes_on(gui):
    gui.ask("new", "variant pandemonium", "sd 1")
    gui.send("usermove e1e4")
    gui.expect("move .*")
    assert gui.ask("remove") == []
    gui.send("usermove e1e4")
    gui.expect("move .*")


def test_undo_while_thinking_gives_the_move_back_to_the_user(gui):
    gui.ask("new", "variant pandemonium")
    gui.send("usermove e1e4", "undo")
    assert gui.ask("sd 1") == []
    gui.send("usermove d1d4")
    gui.expect("move .*")


def test_undo_of_the_engines_own_move_does_not_make_it_move_again(gui):
    gui.ask("new", "variant pandemonium", "sd 1")
    gui.send("usermove e1e4")
    gui.expect("move .*")
    assert gui.ask("undo") == []


@pytest.mark.parametrize(("moves", "command"), [(0, "undo"), (0, "remove"), (1, "remove")])
def test_too_few_moves_to_take_back(gui, moves, command):
    lines = gui.ask(*["usermove e1e4"] * moves, command)
    assert len(lines) == 1 and re.fullmatch(rf"Error \(.*\): {command}", lines[0])
    assert gui.ask("usermove e8e5" if moves else "usermove e1e4") == []


def test_undo_opens_a_finished_game_again(gui):
    assert gui.ask(f"setboard {MATE_IN_ONE}", "usermove a0a9") == ["1-0 {White mates}"]
    assert gui.ask("undo", "usermove a0b0") == []


# Results


def test_engine_claims_its_own_mate(gui):
    gui.ask(f"setboard {MATE_IN_ONE}", "sd 3")
    gui.send("go")
    assert gui.expect(r".*\}")[-2:] == [gui_move("a0a9", "a0a9+"), "1-0 {White mates}"]


def gui_move(*spellings):
    """Equal to a `move` line with any of these moves."""

    class Either:
        def __eq__(self, line):
            return line in [f"move {spelling}" for spelling in spellings]

    return Either()


def test_engine_admits_to_be_mated(gui):
    gui.ask(f"setboard {MATE_IN_ONE}", "playother")
    assert gui.ask("usermove a0a9") == ["1-0 {White mates}"]


def test_stalemate_is_a_draw(gui):
    assert gui.ask(f"setboard {STALEMATE_IN_ONE}", "usermove b0b7") == ["1/2-1/2 {Stalemate}"]


def test_third_repetition_is_a_draw(gui):
    there_and_back = [f"usermove {move}" for move in ("b0c2", "b9c7", "c2b0", "c7b9")]
    assert gui.ask(*there_and_back, *there_and_back[:3]) == []
    assert gui.ask(there_and_back[3]) == ["1/2-1/2 {Draw by repetition}"]


def test_perpetual_check_loses(gui):
    checks = [f"usermove {move}" for move in ("a9a8", "j8j9", "a8a9", "j9j8")]
    first = ["usermove a0a9", "usermove j9j8"]
    gui.ask("setboard 9k/10/10/10/10/10/10/10/10/R3K5[] w - - 0 1", *first, *checks, *checks[:2])
    assert gui.ask(checks[2]) == ["0-1 {White checks perpetually}"]


def test_finished_game_is_claimed_again_and_not_played_on(gui):
    gui.ask(f"setboard {STALEMATE_IN_ONE}", "usermove b0b7")
    assert gui.ask("go") == ["1/2-1/2 {Stalemate}"]
    assert gui.ask("usermove a9a8") == ["Illegal move (game over: Stalemate): a9a8"]


def test_engine_is_silent_after_the_guis_result(gui):
    gui.ask("new", "variant pandemonium", "sd 1")
    assert gui.ask("result 1/2-1/2 {agreed}", "usermove e1e4") == []


# Time and depth


@pytest.mark.parametrize(
    "command",
    [
        *(
            "level 40 5 0",
            "level 0 0:01 0",
            "level 0 2 12",
            "level 0 5 0.5",
            "level 5 0:30 0.05",
            "level 0 1 .5",
        ),
        *("level 40 25+5 0", "level 0 2:30 12", "st 0.5", "st 1:30"),
    ],
)
def test_time_controls_are_understood(gui, command):
    assert gui.ask(command) == []


TIMES = [
    (["st 0.3"], {"movetime": 0.27}),
    (["st 0", "time 30"], {"movetime": 0.27}),
    (["level 0 0:02 0"], {"clock": Clock(2.0)}),
    (["level 20 0:02 0"], {"clock": Clock(2.0, 0.0, 20)}),
    (["level 0 5 0", "time 100", "otim 9"], {"clock": Clock(1.0)}),
]


@pytest.mark.parametrize("commands", [commands for commands, _ in TIMES])
def test_engine_keeps_the_time(gui, commands):
    """By the ten hours before it would think for minutes."""
    gui.ask("level 0 600 0", *commands)
    gui.send("go")
    gui.expect("move .*")


@pytest.mark.quick
@pytest.mark.parametrize(("commands", "asked"), TIMES)
def test_engine_is_given_the_time(commands, asked):
    puppet, talk = Puppet(), Cecp([].append, [].append)
    talk.handle(Loaded("pandemonium", puppet, Position("pandemonium")))
    for line in ("level 0 600 0", *commands, "go"):
        talk.handle(InputLine(line))
    talk._session.abandon()
    assert puppet.calls == [(False, {"multipv": 1, "depth": None, **asked})]


def test_depth_is_a_limit_beside_the_time(gui):
    gui.ask("st 30", "sd 2", "post")
    gui.send("go")
    *thoughts, _ = gui.expect("move .*")
    assert {int(thought.split()[0]) for thought in thoughts} <= {1, 2}


def test_new_game_has_no_depth_limit(gui):
    gui.ask("sd 1", "new", "variant pandemonium", "st 0.5", "post")
    gui.send("go")
    *thoughts, _ = gui.expect("move .*")
    assert max(int(thought.split()[0]) for thought in thoughts) > 1


# Thinking aloud


def test_thoughts_have_five_parts(gui):
    gui.ask("post", "sd 4")
    gui.send("go")
    *thoughts, move = gui.expect("move .*")
    assert thoughts
    for thought in thoughts:
        depth, score, centiseconds, nodes, *line = thought.split()
        assert 1 <= int(depth) <= 4 and abs(int(score)) < 1000
        assert int(centiseconds) >= 0 and int(nodes) > 0
        assert line and all(re.fullmatch(r"([a-j]\d|[A-Z]@)[a-j]\d\+?", text) for text in line)
    assert line[0] == move.split()[1]


@pytest.mark.quick
def test_time_is_told_in_hundredths_of_a_second():
    lines, thought = [], Info(7, 9, Score(15), 1000, 2.5, 400, 5, (Position("pandemonium").legal_moves()[0],))
    talk = Cecp(lines.append, [].append)
    talk.handle(Loaded("pandemonium", Puppet(), Position("pandemonium")))
    for line in ("post", "st 60", "go"):
        talk.handle(InputLine(line))
    talk.handle(Thought(talk._session.search, thought))
    talk._session.abandon()
    assert lines[-1].split()[:4] == ["7", "15", "250", "1000"]


def test_thoughts_are_kept_to_itself_after_nopost(gui):
    gui.ask("post", "nopost", "sd 3")
    gui.send("go")
    assert len(gui.expect("move .*")) == 1


@pytest.mark.quick
def test_mate_is_announced_with_its_length(gui):
    gui.ask(f"setboard {MATE_IN_ONE}", "post", "sd 4")
    gui.send("go")
    *thoughts, _ = gui.expect("move .*")
    assert thoughts[-1].split()[1] == "100001"


# Draws


@pytest.mark.parametrize(("turn", "accepted"), [("w", False), ("b", True)])
def test_draw_is_accepted_by_the_side_that_is_worse(gui, turn, accepted):
    gui.ask(f"setboard {UNEVEN} {turn}", "post")
    gui.send("go")
    gui.expect(r"(8|9|\d\d) .*", 60)
    gui.send("draw", "?")
    lines = gui.expect("move .*")
    assert ("offer draw" in lines) == accepted


def test_draw_is_declined_in_silence_before_anything_was_thought(gui):
    assert gui.ask("draw") == []
    gui.ask("new", "variant pandemonium")
    assert gui.ask("draw") == []


# Promotions, as the user is asked about them


def test_lifted_piece_shows_where_it_may_go(gui):
    assert gui.ask("lift b0") == ["highlight 10/10/10/10/10/10/10/Y1Y7/10/10"]
    assert gui.ask("lift e5") == []
    assert gui.ask("lift e9") == []


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
    assert gui.ask("lift l1") == []


# Bad input


@pytest.mark.parametrize(
    "line",
    [
        *("nonsense", "setscores 10 3", "protover2", "NEW", "do_quit", "_do_quit", "__init__", "?!"),
        *("ping", "ping x", "level", "level 40", "level 40 5", "level a b c", "level 40 5 0 0"),
        *(
            "level -1 5 0",
            "level 40 nan 0",
            "level 40 +5 0",
            "level 40 5:1:2 0",
            "level 40 5.0.1 0",
            "level 40 5 inf",
            "level 40 5:99999999999 0",
            "level 1 : 0",
        ),
        *("st", "st -1", "st x", "st 1e9", "sd", "sd 0", "sd -3", "sd x", "sd 1.5"),
        *("time", "time x", "otim x", "memory", "memory 0", "memory x", "memory 999999999", "memory 1000000"),
        *("cores", "cores 0", "cores -1", "variant", "variant ../x", "variant /"),
        *("piñata", "\u202e", "new\x00", "a" * 5000),
    ],
)
def test_bad_line_gets_an_error_and_changes_nothing(gui, line):
    gui.ask("usermove e1e4")
    answers = gui.ask(line)
    assert len(answers) == 1
    assert re.fullmatch(r"Error \([^()]+\): .+", answers[0]) and len(answers[0]) < 150
    assert gui.ask("usermove e8e5") == []


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe\x80\n",
        b"usermove \xc3\x28\n",
        b"\0\0\0\0\n",
        b"usermove e1\0e4\n",
        b"x" * (LONGEST_LINE - 1) + b"\n",
        b"x" * (LONGEST_LINE + 1) + b"\n",
        b"usermove " + b"e1e4" * 500_000 + b"\n",
        b"setboard " + b"9k/" * 1_000_000 + b"\n",
    ],
    ids=["no-utf8", "no-utf8-move", "nul", "nul-move", "long", "longer", "2-MB-move", "3-MB-fen"],
)
def test_bytes_that_are_no_text_get_an_error(gui, line):
    gui.ask("usermove e1e4")
    gui.send(line)
    answers = gui.ask()
    assert len(answers) == 1 and re.match(r"(Error|Illegal move) \([^()]+\): ", answers[0])
    assert answers[0].isprintable() and len(answers[0]) < 150
    assert gui.ask("usermove e8e5") == []


def test_empty_lines_are_nothing(gui):
    gui.send(b"\n\r\n   \n\t\n")
    assert gui.ask() == []


def test_lines_may_end_as_in_windows(gui):
    gui.send(b"usermove e1e4\r\n")
    assert gui.ask("usermove e8e5") == []


@pytest.mark.parametrize(
    "fen",
    [
        "",
        "x",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "/" * 9,
        "10/10/10/10/10/10/10/10/10/10[] w - - 0 1",
        "4k5/10/10/10/10/10/10/10/10/4K5[K] w - - 0 1",
        "4k5/4R5/10/10/10/10/10/10/10/4K5[] w - - 0 1",
        "4k5/10/10/10/10/10/10/10/10/4K5[] x - - 0 1",
        "4k5/10/10/10/10/10/10/10/10/4K5[] w - zz 0 1",
        "PPPPPPPPPP/PPPPPPPPPP/6PPPP/6PPPP/6PPPP/6PPPP/6PPPP/6PPPP/6PPPP/6PPPP[-] w - - 0 1",
        "k" * 3000,
    ],
)
def test_bad_position_is_refused_and_the_game_stays(gui, fen):
    gui.ask("usermove e1e4")
    (line,) = gui.ask(f"setboard {fen}")
    assert line.startswith("tellusererror Illegal position: ") and len(line) < 350
    assert fen[:20] in line
    assert gui.ask("usermove e8e5") == []


def test_positions_as_xboard_writes_them(gui):
    assert gui.ask("setboard +P9/2R7/10/10/10/4k5/10/10/p1r7/4K5[PRp] b - - 0 1") == []
    assert gui.ask("usermove c1c0+", "usermove e0e1") == []
    gui.ask("setboard 4k5/10/10/10/10/3p6/1pP7/10/10/4K5[-] b - c3 0 1")
    assert gui.ask("usermove b3c2") == []


# Failures inside


class BrokenEngine(Indifferent):
    """An engine whose searches fail."""

    def play(self, position, **limits):
        raise ArithmeticError("a bug")


@pytest.mark.quick
def test_failing_search_is_logged_and_some_move_made():
    lines, events = [], queue.SimpleQueue()
    talk = Cecp(lines.append, events.put)
    talk.handle(Loaded("pandemonium", BrokenEngine(), Position("pandemonium")))
    talk.handle(InputLine("go"))
    talk.handle(events.get(timeout=SOON))
    assert lines[-1].startswith("move ")
    assert any(line.endswith("ArithmeticError: a bug") for line in lines)
    assert all(line.startswith(("# ", "telluser ", "move ")) for line in lines)
    assert not talk.ended


def test_comments_are_kept_back_where_the_gui_rejects_them(monkeypatch):
    monkeypatch.setattr(Session, "force", lambda self: 1 / 0)
    lines = []
    talk = Cecp(lines.append, print)
    talk.handle(Loaded("pandemonium", BrokenEngine(), Position("pandemonium")))
    talk.handle(InputLine("rejected debug"))
    talk.handle(InputLine("force"))
    assert lines == ["telluser An internal error was met; the log tells where."]


def test_failing_command_is_logged_and_survived(monkeypatch):
    monkeypatch.setattr(Session, "force", lambda self: 1 / 0)
    lines = []
    talk = Cecp(lines.append, print)
    talk.handle(Loaded("pandemonium", BrokenEngine(), Position("pandemonium")))
    talk.handle(InputLine("force"))
    assert lines[-2:] == [
        "# ZeroDivisionError: division by zero",
        "telluser An internal error was met; the log tells where.",
    ]
    assert not talk.ended
