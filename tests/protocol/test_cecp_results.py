"""Moves that are taken back, and how games end over CECP."""

import re

import pytest
from surajang.tests.protocol.test_cecp_thinking import MATE_IN_ONE
from surajang.tests.support.gui import at_the_start, shared_engine

pytestmark = pytest.mark.process


STALEMATE_IN_ONE = "k9/10/2K7/10/10/10/10/10/10/1Q8[] w - - 0 1"

shared, gui = shared_engine("pandemonium"), at_the_start


# Taking back


def test_undo_takes_back_one_move(gui):
    assert gui.ask("usermove e1e4", "undo", "usermove d1d4", "usermove e8e5") == []


def test_remove_takes_back_two_moves_and_the_engine_continues(gui):
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
