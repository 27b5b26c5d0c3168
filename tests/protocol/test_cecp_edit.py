"""Positions set up piece by piece, and the side to move, from programs without FEN."""

import re

import pytest
from surajang.engine.definition import catalogue
from surajang.protocol.cecp.notation import Notation
from surajang.protocol.cecp.setting_up import Editor
from surajang.protocol.session.game import with_side_to_move
from surajang.protocol.wire.arguments import RefusedError
from surajang.tests.support.gui import READY, Gui, shared_engine

pytestmark = pytest.mark.process


def editor(variant, fen=None):
    game = catalogue.load(variant)
    return Editor(fen or game.start_fen, game, Notation(game))


def edited(variant, *lines, fen=None):
    """The FEN after those lines of edit mode."""
    editing = editor(variant, fen)
    for line in lines:
        editing.edit(line)
    return editing.fen()


@pytest.mark.parametrize(
    ("variant", "lines", "fen"),
    [
        ("chess", "", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        ("chess", "#", "8/8/8/8/8/8/8/8 w - - 0 1"),
        ("chess", "# Ke1 Ra1 c Kd8 Ra8", "r2k4/8/8/8/8/8/8/R3K3 w Q - 0 1"),
        ("chess", "c Qe2 c Qe7 xa1 xe5", "rnbqkbnr/ppppQppp/8/8/8/8/PPPPqPPP/1NBQKBNR w Kkq - 0 1"),
        ("crazyhouse", "# Ke1 Qa4+ P@2 N@1 c Ke8 Rh8 P@3 P@1", "4k2r/8/8/8/Q~7/8/8/4K3[NPPp] w k - 0 1"),
        ("crazyhouse", "# Ke1 P@2 c Ke8 # Ke1", "8/8/8/8/8/8/8/4k3[] w - - 0 1"),
        ("pandemonium", "# Ke0 Ra5+ c Ke9", "4k5/10/10/10/D9/10/10/10/10/4K5[] w - - 0 1"),
        ("minishogi", "# Ka1 Pb4+ c Ke5", "4k/1T3/5/5/K4[] w - - 0 1"),
        ("sittuyin", "# Pa3 K@1 R@2 c Ph6 Ke7", "8/4k3/7p/8/8/P7/8/8[RRK] w - - 0 1"),
    ],
)
def test_pieces_are_put_down(variant, lines, fen):
    assert edited(variant, *lines.split()) == fen


def test_side_to_move_stays_and_nothing_can_be_captured_in_passing():
    fen = "4k3/8/8/8/3pP3/8/8/4K2R b K e3 7 9"
    assert edited("chess", "Qa8", fen=fen) == "Q3k3/8/8/8/3pP3/8/8/4K2R b K - 0 1"
    assert edited("chess", "#", fen=fen).split()[1] == "b"


@pytest.mark.parametrize("line", ["Za4", "Pa9", "Pi1", "xj1", "Ra4+", "P@2", "Pa0"])
def test_what_the_game_does_not_have_is_refused_and_changes_nothing(line):
    editing = editor("chess")
    before = editing.fen()
    with pytest.raises(RefusedError):
        editing.edit(line)
    assert editing.fen() == before


@pytest.mark.parametrize("line", ["", "e2e4", "cc", "##", "pa4", "Pa4++", "Pa", "P@", "P@123", "x", "new"])
def test_other_lines_are_no_edit_commands(line):
    with pytest.raises(RefusedError):
        editor("crazyhouse").edit(line)


def test_turned_position_has_no_capture_in_passing():
    assert with_side_to_move("4k3/8/8/8/3pP3/8/8/4K2R b K e3 7 9", 0) == "4k3/8/8/8/3pP3/8/8/4K2R w K - 7 9"


# Over the pipe


def test_program_of_the_first_version_plays():
    """Only commands of such a program: no `protover`, no `ping`, no `usermove`."""
    gui = Gui()
    gui.send("xboard", "new", "random", "level 40 5 0", "hard", "easy", "sd 1", "e2e4")
    assert re.fullmatch("move [a-h][78][a-h][56]|move [bg]8[acfh]6", gui.expect("move .*", READY)[-1])
    gui.send(
        "force", "new", "force", "a2a3", "edit", "#", "Kg6", "c", "Kh8", "Ra1", ".", "sd 3", "black", "white"
    )
    gui.send("black", "go")
    assert gui.expect("move .*")[-1][5:7] in ("a1", "h8")
    gui.close()


shared = shared_engine("crazyhouse")


@pytest.fixture
def gui(shared):
    shared.begin(
        "exit", "force", "new", "variant crazyhouse", "force", "nopost", "st 60", "level 40 5 0", "sd 2"
    )
    yield shared
    shared.ask(".", "exit", "force")


MATE_IN_ONE = ("edit", "#", "Kg6", "Ra1", "c", "Kh8", ".")


def test_edited_position_is_played(gui):
    assert gui.ask(*MATE_IN_ONE) == []
    gui.send("go")
    assert gui.expect(r".*\}")[-2:] == ["move a1a8", "1-0 {White mates}"]


def test_black_is_on_move_after_a_move_of_white(gui):
    assert gui.ask("a2a3", "edit", "#", "Ke1", "c", "Ke8", "Pa7", ".", "a7a5") == []


def test_castling_is_there_for_king_and_rook_at_home(gui):
    assert gui.ask("edit", "#", "Ke1", "Rh1", "c", "Ke8", ".", "e1g1") == []


def test_hands_are_edited(gui):
    assert gui.ask("edit", "#", "Ke1", "N@1", "c", "Ke8", ".", "N@c3") == []


def test_impossible_position_is_refused_and_the_game_stays(gui):
    gui.ask("e2e4")
    (line,) = gui.ask("edit", "#", "Ke1", ".")
    assert line.startswith("tellusererror Illegal position: board: Black has no kings instead of one; 8/")
    assert gui.ask("e7e5", "undo", "undo") == []


def test_bad_line_of_edit_mode_is_refused_and_the_others_count(gui):
    assert gui.ask("edit", "#", "Ke1", "e2e4", "Zb3", "usermove e2e4", "c", "Ke8", "Pi7", ".") == [
        "Error (no edit command; a dot ends edit mode): e2e4",
        "Error (the game has no piece Z): Zb3",
        "Error (no edit command; a dot ends edit mode): usermove e2e4",
        "Error (the board has no square i7): Pi7",
    ]
    assert gui.ask("e1d1", "e8d8") == []


def test_new_game_ends_edit_mode(gui):
    assert gui.ask("edit", "#", "new", "variant crazyhouse", "force", "e2e4") == []


def test_thinking_ends_where_editing_begins(gui):
    gui.ask("sd 60")
    gui.send("go", "edit")
    assert not [line for line in gui.ask(*MATE_IN_ONE[1:]) if line.startswith("move")]
    assert gui.ask("a1a7") == []


def test_edited_position_is_analysed(gui):
    gui.ask("post", "analyze", *MATE_IN_ONE)
    assert gui.expect(r"1 100001 \d+ \d+ a1a8")


def test_white_and_black_say_who_is_on_move(gui):
    assert gui.ask("black", "force", "e2e4")[0].startswith("Illegal move")
    assert gui.ask("d7d5", "e2e4") == []


def test_engine_plays_the_other_side(gui):
    gui.send("black", "e7e5")
    assert gui.expect("move .*")[-1][6] in "12"
    gui.ask("force")


def test_turn_that_comes_back_keeps_the_game(gui):
    """Programs of protocol version 1 report the time in this way: `black`, time, `white`, `go`."""
    gui.ask("e2e4", "e7e5")
    assert gui.ask("black", "time 500", "otim 500", "white", "force", "undo", "undo") == []
    assert gui.ask("undo") == ["Error (no moves to take back): undo"]


def test_turn_that_comes_back_after_a_move_keeps_nothing(gui):
    gui.ask("e2e4", "black", "force", "e7e5", "undo")  # as if White had not moved: Black was on move already
    gui.ask("white", "force", "d2d4", "undo", "black", "force")
    assert gui.ask("undo") == ["Error (no moves to take back): undo"]


def test_turn_is_not_given_away_in_check(gui):
    gui.ask("setboard 4k3/8/8/8/8/8/4r3/4K3[] w - - 0 1")
    (line,) = gui.ask("black")
    assert line.startswith("Error (board: White is in check")
    assert gui.ask("force", "e1e2") == []
