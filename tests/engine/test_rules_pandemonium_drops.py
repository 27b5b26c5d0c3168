"""Captures, drops and the mate by a dropped pawn in Pandemonium, of the engine and of the referee alike."""

import pytest
from surajang.tests.engine.test_rules_pandemonium import FILES, drops_of, hands_of, play
from surajang.tests.support.games import GAMES, setup

pytestmark = [pytest.mark.compiled, pytest.mark.quick]


SQUARES = {f"{file}{rank}" for rank in range(1, 11) for file in FILES}


@pytest.fixture(params=GAMES.values(), ids=GAMES)
def game(request):
    """A class of games: called with a FEN, it gives a game that plays from there."""
    return request.param


# Captures and drops


@pytest.mark.parametrize(
    "captured, base",
    ["qQ", "rR", "bB", "nN", "mM", "cC", "pP", "dR", "hB", "sN", "aM", "wC", "gP"],
)
def test_captured_piece_goes_to_the_hand_in_base_form(game, captured, base):
    position = game(setup(f"Kj1 kj9 Rb4 {captured}b6"))
    play(position, "b4b6")
    assert hands_of(position) == base
    play(position, "j9j8")
    assert drops_of(position, base)


@pytest.mark.parametrize("letter", "QMCRBN")
def test_piece_drops_on_any_empty_square(game, letter):
    position = game(setup("Ke1 ke10 Pc4 nj9", letter))
    assert drops_of(position, letter) == SQUARES - {"e1", "e10", "c4", "j9"}


def test_pawn_drops_on_neither_the_first_nor_the_last_rank(game):
    position = game(setup("Ke1 ke10 Pc4 nj9", "P"))
    ends = {square for square in SQUARES if square[1:] in ("1", "10")}
    assert drops_of(position, "P") == SQUARES - ends - {"c4", "j9"}


def test_two_pawns_may_stand_on_one_file(game):
    assert "c6" in drops_of(game(setup("Ke1 ke10 Pc4", "P")), "P")


def test_drop_takes_one_piece_from_the_hand_and_is_the_whole_move(game):
    position = game(setup("Ke1 ke10", "RRPn"))
    play(position, "R@c4")
    assert position.fen().startswith("4k5/10/10/10/10/10/2R7/10/10/4K5[RPn] b - - ")


def test_nothing_drops_from_the_enemys_hand(game):
    position = game(setup("Ke1 ke10", "rp"))
    assert not [move for move in position.legal_moves() if "@" in move]


def test_drop_may_block_a_check_and_nothing_else(game):
    position = game(setup("Ke1 kj10 re5", "NP"))
    assert drops_of(position, "N") == drops_of(position, "P") == {"e2", "e3", "e4"}


def test_drop_does_not_answer_the_check_of_a_knight_or_a_neighbour(game):
    assert not drops_of(game(setup("Ke1 kj10 nd3", "N")), "N")
    assert not drops_of(game(setup("Ke1 kj10 re2 re9", "N")), "N")


def test_drop_of_a_piece_may_mate(game):
    position = game(setup("Kb8 ka10", "R"))
    play(position, "R@h10")
    assert position.result() == ("1-0", "White mates")


# Pawn drop mate. The king in the corner has its own bishop beside it; Pb9 gives check.


def test_pawn_drop_may_not_mate(game):
    position = game(setup("Ke1 ka10 bb10 Nb7 Pc8", "P"))
    assert "b9" not in drops_of(position, "P")
    assert "b8" in drops_of(position, "P")


def test_pawn_drop_may_not_mate_whatever_the_enemy_holds(game):
    position = game(setup("Ke1 ka10 bb10 Nb7 Pc8", "Pqn"))
    assert "b9" not in drops_of(position, "P")


def test_pawn_drop_may_give_check(game):
    position = game(setup("Ke1 ka10 bb10 Pc8", "P"))
    assert "b9" in drops_of(position, "P")
    play(position, "P@b9")
    assert position.is_check()
    assert position.result() is None


def test_pawn_drop_is_no_mate_when_the_king_can_take_the_pawn(game):
    assert "b9" in drops_of(game(setup("Ke1 ka10 bb10 Nb7", "P")), "P")


def test_pawn_drop_is_no_mate_when_the_pawn_can_be_captured(game):
    assert "b9" in drops_of(game(setup("Ke1 ka10 bb10 Nb7 Pc8 rj9", "P")), "P")


def test_pawn_drop_mates_when_its_only_captor_is_pinned(game):
    # The rook on a9 could take without the rook on a2.
    free = setup("Ke1 ka10 bb10 ra9 Nd8", "P")
    pinned = setup("Ke1 ka10 bb10 ra9 Nd8 Ra2", "P")
    assert "b9" in drops_of(game(free), "P")
    assert "b9" not in drops_of(game(pinned), "P")


def test_pawn_drop_may_stalemate(game):
    position = game(setup("Kc8 ka10 Bc7", "P"))
    assert "a9" in drops_of(position, "P")
    play(position, "P@a9")
    assert not position.is_check()
    assert position.legal_moves() == []
    assert position.result() == ("1/2-1/2", "Stalemate")


def test_pawn_move_may_mate(game):
    position = game(setup("Ke1 ka10 bb10 Nb7 Pc8 Pb8"))
    play(position, "b8b9")
    assert position.is_check()
    assert position.legal_moves() == []
