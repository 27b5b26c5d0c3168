"""How a game of Pandemonium ends, by the engine and by the referee alike."""

import pytest
from surajang.tests.engine.test_rules_pandemonium import board_of, crossed_of, play
from surajang.tests.support.games import GAMES, setup

pytestmark = [pytest.mark.compiled, pytest.mark.quick]


@pytest.fixture(params=GAMES.values(), ids=GAMES)
def game(request):
    """A class of games: called with a FEN, it gives a game that plays from there."""
    return request.param


# The end of the game


def test_checkmate_wins(game):
    position = game(setup("Kb8 ka10 Rh1"))
    play(position, "h1h10")
    assert position.is_check()
    assert position.legal_moves() == []
    assert position.result() == ("1-0", "White mates")


def test_a_piece_in_hand_may_save_from_mate(game):
    position = game(setup("Kb8 ka10 Rh1", "n"))
    play(position, "h1h10")
    assert position.result() is None
    assert set(position.legal_moves()) == {f"N@{file}10" for file in "bcdefg"}


def test_stalemate_is_a_draw(game):
    position = game(setup("Ke1 ka10 Qh8"))
    play(position, "h8b8")
    assert not position.is_check()
    assert position.legal_moves() == []
    assert position.result() == ("1/2-1/2", "Stalemate")


def test_a_piece_in_hand_saves_from_stalemate(game):
    position = game(setup("Ke1 ka10 Qh8", "p"))
    play(position, "h8b8")
    assert position.result() is None
    assert {move[:2] for move in position.legal_moves()} == {"P@"}


def test_there_is_no_fifty_move_rule(game):
    assert game(setup("Ke1 ke10").replace(" 0 1", " 400 300")).result() is None


ROUND = "e1d1 e10d10 d1e1 d10e10"


# Repetition


def test_third_occurrence_is_a_draw(game):
    position = game(setup("Ke1 ke10 Pc4"))
    play(position, ROUND)
    assert position.result() is None
    play(position, ROUND)
    assert position.result() == ("1/2-1/2", "Draw by repetition")


def test_no_draw_before_the_third_occurrence(game):
    position = game(setup("Ke1 ke10 Pc4"))
    play(position, ROUND)
    for move in ROUND.split()[:-1]:
        play(position, move)
        # What the round passes through has stood here but twice.
        assert position.result() is None


def test_occurrences_need_not_follow_each_other(game):
    position = game(setup("Ke1 ke10 Pc4"))
    play(position, "e1f1 e10f10 f1f2 f10e9 f2e1 e9e10")
    assert position.result() is None
    play(position, ROUND)
    assert position.result() == ("1/2-1/2", "Draw by repetition")


def test_taking_moves_back_takes_their_occurrences_back(game):
    position = game(setup("Ke1 ke10 Pc4"))
    play(position, ROUND, ROUND)
    for _ in range(4):
        position.pop()
    assert position.result() is None
    play(position, ROUND)
    assert position.result() == ("1/2-1/2", "Draw by repetition")


def test_en_passant_is_no_part_of_repetition(game):
    position = game(setup("Ke1 ke10 Pc2 pd4"))
    play(position, "c2c4")
    assert crossed_of(position) == "c3"
    play(position, "e10d10 e1d1 d10e10 d1e1")
    assert crossed_of(position) == "-"
    play(position, "e10d10 e1d1 d10e10 d1e1")
    assert position.result() == ("1/2-1/2", "Draw by repetition")


def test_hands_are_part_of_repetition(game):
    # Each round Black gives up a pawn, and the squares are as they were.
    position = game(setup("Ke1 ke10 Ra1", "pp"))
    board = board_of(position)
    feeding = "e1d1 P@a5 a1a5 e10d10 a5a1 d10d9 d1e1 d9e10"
    play(position, feeding, feeding)
    assert board_of(position) == board
    assert position.result() is None


def test_side_to_move_is_part_of_repetition(game):
    position = game(setup("Ke1 ke10 Pc4"))
    board = board_of(position)
    play(position, "e1d1 e10d10 d1d2 d10e10 d2e1")
    assert board_of(position) == board
    play(position, "e10d10 e1d1 d10d9 d1e1 d9e10")
    assert board_of(position) == board
    assert position.result() is None


def test_promoted_piece_is_another_piece_to_repetition(game):
    position = game(setup("Ke1 ke9 Rb10"))
    play(position, "b10b8 e9f9 b8b10 f9e9")
    play(position, "b10b8 e9f9 b8b10d f9e9")
    assert position.result() is None


CHECKS = "e10d10 e5d5 d10e10 d5e5"

QUIET = "e10d10 e5f5 d10e10 f5e5"


def test_perpetual_check_loses(game):
    position = game(setup("Kj1 ke10 Ra5"))
    play(position, "a5e5", CHECKS)
    assert position.result() is None
    play(position, CHECKS)
    assert position.result() == ("0-1", "White checks perpetually")


def test_checks_count_from_the_previous_occurrence_only(game):
    position = game(setup("Kj1 ke10 Ra5"))
    play(position, "a5e5", QUIET, CHECKS)
    assert position.result() == ("0-1", "White checks perpetually")


def test_one_quiet_move_makes_perpetual_check_a_draw(game):
    position = game(setup("Kj1 ke10 Ra5"))
    play(position, "a5e5", CHECKS, QUIET)
    assert position.result() == ("1/2-1/2", "Draw by repetition")


def test_perpetual_check_loses_when_the_checker_is_to_move(game):
    # The position that recurs is the one after the king's move.
    position = game(setup("Kj1 kd10 Re5"))
    around = "e5d5 d10e10 d5e5 e10d10"
    play(position, around, around)
    assert position.result() == ("0-1", "White checks perpetually")
