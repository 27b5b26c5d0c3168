"""Pushes and captures between merchants in XBoard, by additional plies and legs."""

import pytest
from surajang.tests.support.gui import READY, Gui, shared_engine

pytestmark = pytest.mark.process

ENEMY = "6k1/8/8/1r6/8/8/1P6/K6R w - - 0 1"  # b2b4 pushes the rook to b8
OWN = "6k1/8/8/1R6/8/8/1P5r/K7 w - - 0 1"  # b2b4 pushes the rook to b8
KING = "7k/1r6/8/8/P2K4/8/8/R7 w - - 0 1"  # a4c4 pushes the king along its rank to h4
BETWEEN = "7k/7r/4M3/4n3/8/4M3/8/K6R w - - 0 1"  # e3e4 kills the knight

shared = shared_engine("chaotic")


@pytest.fixture
def play(shared):
    """Sets a position in which nobody plays yet; searches are shallow."""

    def begin(fen):
        shared.begin("accepted highlight", "force", "new", "variant chaotic", "force", "nopost", "sd 1")
        assert shared.ask(f"setboard {fen}") == []
        return shared

    return begin


def moves(gui, *lines):
    """The engine's moves until it has processed all commands."""
    return [line for line in gui.ask(*lines) if line.startswith("move ")]


def only(gui, move):
    """Makes the engine play a move."""
    return gui.ask("exclude all", f"include {move}", "go")


@pytest.mark.parametrize(
    ("fen", "told", "clicked", "reply"),
    [
        (ENEMY, "move b5b8", ["a1", "8/8/8/8/8/8/8/Y7", "a1"], "usermove a1a1"),
        (OWN, "move @@@@", ["b5", "1Y6/8/8/8/8/8/8/8", "b8"], "usermove b5b8"),
    ],
)
def test_engine_completes_a_push_of_the_user_before_it_thinks(play, fen, told, clicked, reply):
    gui = play(fen)
    gui.ask("lift b2", "usermove b2b3", "undo", "playother")  # the advice has been given then
    click, highlight, again = clicked
    expected = [told, f"click {click}", f"highlight {highlight}", f"click {again}"]
    assert gui.ask("usermove b2b4") == expected
    (answer,) = moves(gui, reply)
    assert answer not in ("move @@@@", "move b5b8")


@pytest.mark.parametrize(
    ("fen", "click", "reply", "last"),
    [(ENEMY, "b5", "usermove b5b8", "move @@@@"), (OWN, "g8", "usermove @@@@", "move b5b8")],
)
def test_user_and_engine_complete_a_push_of_the_engine(play, fen, click, reply, last):
    gui = play(fen)
    assert only(gui, "b2b4")[:2] == ["move b2b4", f"click {click}"]
    assert gui.ask(reply) == [last]
    (answer,) = moves(gui, "usermove g8g7")
    assert answer != last


def test_nothing_is_clicked_against_an_engine(play):
    gui = play(ENEMY)
    gui.ask("computer")
    assert only(gui, "b2b4") == ["move b2b4"]


def test_king_is_pushed_along_its_rank_step_by_step(play):
    """XBoard would take a longer king's step for castling."""
    gui = play(KING)
    gui.ask("computer")
    assert only(gui, "a4c4") == ["move a4c4"]
    steps = ["d4e4", "e4f4", "f4g4", "g4h4"]
    assert [gui.ask("usermove @@@@") for _ in steps] == [[f"move {step}"] for step in steps]
    assert moves(gui, "usermove b7b1") != []


def test_other_moves_wait_for_a_push(play):
    gui = play(ENEMY)
    gui.ask("playother", "usermove b2b4")
    complaint = "Illegal move (the push wants a1a1 first): h1h2"
    assert gui.ask("usermove h1h2") == [complaint]
    assert moves(gui, "usermove a1a1") != []


def test_loaded_game_may_leave_out_what_a_push_does(play):
    gui = play(ENEMY)
    assert gui.ask("usermove b2b4", "usermove b8b7", "usermove h1h2") == []


def test_loaded_game_may_show_what_a_push_does(play):
    gui = play(ENEMY)
    assert gui.ask("usermove b2b4", "usermove b5b8", "usermove a1a1", "usermove b8b7", "usermove h1h2") == []
    assert gui.ask("usermove h2h3") == ["Illegal move (the piece on h2 is not Black's): h2h3"]


@pytest.mark.parametrize(
    ("fen", "before", "position"),
    [
        (OWN, (), "6k1/8/8/1R6/1P6/8/7r/K7 w - - 0 2"),
        (ENEMY, ("usermove b5b8",), "1r4k1/8/8/8/1P6/8/8/K6R b - - 0 2"),
    ],
)
def test_pass_may_be_given_as_a_position(play, fen, before, position):
    """XBoard reports another engine's pass in this way."""
    gui = play(fen)
    gui.ask("usermove b2b4", *before, f"setboard {position}")
    assert gui.ask("undo", "undo", *["undo"] * len(before)) == []
    assert gui.ask("undo") == ["Error (no moves to take back): undo"]


def test_undo_takes_back_ply_by_ply(play):
    gui = play(ENEMY)
    gui.ask("usermove b2b4", "usermove b5b8", "usermove a1a1", "undo", "undo", "undo")
    assert gui.ask("usermove b2b4", "undo", "usermove h1h5") == []


def test_user_takes_back_a_push_and_the_engine_plays_on(play):
    gui = play(OWN)
    gui.ask("playother", "usermove b2b4", "usermove b5b8")
    assert gui.ask("remove") == []  # the engine's move and the user's part of the push
    (answer,) = moves(gui, "usermove b5b8")
    assert answer != "move @@@@"
    assert gui.ask("remove", "remove") == []
    assert len(moves(gui, "usermove a1b1")) == 1


def test_only_the_pushed_piece_may_be_picked_up(play):
    gui = play(OWN)
    gui.ask("playother", "usermove b2b4")
    assert gui.ask("lift a1", "hover a2") == ["highlight 8/8/8/8/8/8/8/8"]
    assert gui.ask("lift b5") == ["highlight 1Y6/8/8/8/8/8/8/8"]


def test_side_that_completes_the_push_may_change(play):
    gui = play(OWN)
    gui.ask("usermove b2b4", "usermove @@@@")
    assert gui.ask("go") == ["move b5b8"]
    assert len(moves(gui, "usermove g8g7")) == 1


def test_engine_captures_between_merchants_in_two_legs(play):
    assert only(play(BETWEEN), "e3e4") == ["move e3e5,", "move e5e4"]


def test_user_captures_between_merchants_by_way_of_the_victim(play):
    gui = play(BETWEEN)
    assert gui.ask("lift e3") == ["highlight 8/8/8/4C3/3YrY2/3Y1Y2/3YYY2/8"]
    assert gui.ask("put e5", "lift e5") == ["highlight 8/8/8/8/4R3/8/8/8"]
    assert gui.ask("put e4", "usermove e3e5,e5e4") == []
    assert gui.ask("lift h7") != []  # Black is on move, and its knight is no more:
    assert gui.ask("usermove e5d7") == ["Illegal move (there is no piece on e5): e5d7"]


@pytest.mark.parametrize("move", ["e3e5,e5d4", "e3e5,e6e4", "e3f5,f5e4"])
def test_legs_that_kill_nobody_are_illegal(play, move):
    (line,) = play(BETWEEN).ask(f"usermove {move}")
    assert line.startswith("Illegal move") and line.endswith(move)


@pytest.mark.parametrize(
    ("lines", "times"),
    [
        (["usermove f3f4"], 1),
        (["force", "lift f3", "usermove f3f4", "usermove f6f5"], 1),
        (["force", "usermove f3f4"], 0),  # of a game from a file
        (["computer", "usermove f3f4"], 0),
        ([], 0),
    ],
)
def test_person_who_moves_is_advised_once(lines, times):
    gui = Gui()
    gui.start()
    game = ["new", "variant chaotic", "sd 1", *lines]
    told = gui.ask("accepted highlight", *game, *game, within=READY)
    advice = [line for line in told if line.startswith("telluser")]
    assert [line[:28] for line in advice] == [r"telluser \\A pawn that pushe"] * times
    gui.close()


def test_programs_without_highlight_get_only_moves():
    gui = Gui()
    gui.start()
    told = gui.ask("rejected highlight", "new", "variant chaotic", within=READY)
    assert not [line for line in told if line.startswith("telluser")]
    gui.ask("force", "nopost", "sd 1", f"setboard {ENEMY}")
    assert only(gui, "b2b4") == ["move b2b4"]
    gui.ask("force", f"setboard {BETWEEN}")
    assert only(gui, "e3e4") == ["move e3e4"]
    gui.close()
