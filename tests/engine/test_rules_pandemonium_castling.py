"""Castling in Pandemonium, of the engine and of the referee alike."""

import pytest
from surajang.tests.engine.test_rules_pandemonium import (
    DIAGONAL,
    ORTHOGONAL,
    board_of,
    moves_of,
    play,
    squares_on_lines,
)
from surajang.tests.support.games import GAMES, setup

pytestmark = [pytest.mark.compiled, pytest.mark.quick]


@pytest.fixture(params=GAMES.values(), ids=GAMES)
def game(request):
    """A class of games: called with a FEN, it gives a game that plays from there."""
    return request.param


CASTLINGS = {"e1b1", "e1h1"}


def castlings_of(position):
    return CASTLINGS & set(position.legal_moves())


def test_king_castles_to_both_sides(game):
    assert castlings_of(game(setup("Ke1 Ra1 Rj1 ke10"))) == CASTLINGS


@pytest.mark.parametrize("castling, after", [("e1b1", "Kb1 Rc1 Rj1"), ("e1h1", "Kh1 Rg1 Ra1")])
def test_rook_lands_on_the_inner_side_of_the_king(game, castling, after):
    position = game(setup("Ke1 Ra1 Rj1 ke10"))
    play(position, castling)
    assert board_of(position) == board_of(game(setup(f"{after} ke10")))


@pytest.mark.parametrize("king", ["d1", "f1", "e2"])
def test_king_castles_from_the_e_file_of_its_first_rank_only(game, king):
    position = game(setup(f"K{king} Ra1 Rj1 Ra2 Rj2 ke10"))
    assert moves_of(position, king) <= squares_on_lines(king, ORTHOGONAL + DIAGONAL, 1)


@pytest.mark.parametrize("rooks", ["Rb1 Ri1", "Ra2 Rj2", "Ra10 Rj10"])
def test_rook_castles_from_the_corner_only(game, rooks):
    assert castlings_of(game(setup(f"Ke1 {rooks} kf5"))) == set()


@pytest.mark.parametrize("letter", "DMQAGN")
def test_only_an_unpromoted_rook_castles(game, letter):
    assert castlings_of(game(setup(f"Ke1 {letter}a1 {letter}j1 kf10"))) == set()


@pytest.mark.parametrize("blocker", "Nn")
@pytest.mark.parametrize("file", "bcdfghi")
def test_all_squares_between_king_and_rook_must_be_empty(game, file, blocker):
    # A knight on the first rank attacks no square of that rank.
    position = game(setup(f"Ke1 Ra1 Rj1 {blocker}{file}1 ke10"))
    assert castlings_of(position) == CASTLINGS - {"e1b1" if file < "e" else "e1h1"}


def test_king_that_has_moved_may_castle(game):
    position = game(setup("Ke1 Ra1 Rj1 ke10"))
    play(position, "e1f2 e10f10 f2e1 f10e10")
    assert castlings_of(position) == CASTLINGS


def test_rook_that_has_moved_may_castle(game):
    position = game(setup("Ke1 Ra1 Rj1 ke10"))
    play(position, "a1a5 e10f10 a5a1 f10e10")
    assert castlings_of(position) == CASTLINGS


def test_rook_that_has_come_to_the_corner_may_castle(game):
    position = game(setup("Ke1 Rb1 Rj1 ke10"))
    play(position, "b1a1 e10f10")
    assert castlings_of(position) == CASTLINGS


def test_dropped_rook_may_castle(game):
    position = game(setup("Ke1 ke10", "RR"))
    play(position, "R@a1 e10f10")
    assert castlings_of(position) == {"e1b1"}
    play(position, "R@j1 f10e10")
    assert castlings_of(position) == CASTLINGS


def test_king_that_has_castled_may_castle_again(game):
    position = game(setup("Ke1 Ra1 Rj1 ke10"))
    play(position, "e1b1 e10f10 c1c5 f10e10 b1c1 e10f10 c1d1 f10e10 d1e1 e10f10")
    assert castlings_of(position) == {"e1h1"}


def test_castling_field_is_ignored_on_input(game):
    fen = setup("Ke1 Ra1 Rj1 ke10")
    assert " - - " in fen
    both, none = game(fen.replace(" - - ", " KQkq - ")), game(fen)
    assert castlings_of(both) == castlings_of(none) == CASTLINGS
    assert both.fen() == none.fen()


@pytest.mark.parametrize(
    "men, letters",
    [
        ("Ke1 Ra1 Rj1 ke10 ra10 rj10", "KQkq"),
        ("Ke1 Rj1 ke10 ra10", "Kq"),
        ("Ke1 Ra1 Nb1 kf10 ra10 rj10", "Q"),
        ("Kf1 Ra1 Rj1 ke10 da10 rj10", "k"),
        ("Ke1 Da1 ke9 ra10", "-"),
    ],
)
def test_castling_letters_follow_from_the_squares(game, men, letters):
    assert game(setup(men)).fen().split()[2] == letters


@pytest.mark.parametrize("attacker", ["re5", "nd3", "pd2", "bh4", "me9"])
def test_king_in_check_does_not_castle(game, attacker):
    position = game(setup(f"Ke1 Ra1 Rj1 kf10 {attacker}"))
    assert position.is_check()
    assert castlings_of(position) == set()


@pytest.mark.parametrize("attacker", "rmdqagw")
@pytest.mark.parametrize("file", "bcdfgh")
def test_no_square_the_king_crosses_or_lands_on_may_be_attacked(game, file, attacker):
    position = game(setup(f"Ke1 Ra1 Rj1 ke9 {attacker}{file}10"))
    assert castlings_of(position) == CASTLINGS - {"e1b1" if file < "e" else "e1h1"}


@pytest.mark.parametrize("file", "aij")
def test_squares_that_only_the_rook_leaves_or_crosses_may_be_attacked(game, file):
    assert castlings_of(game(setup(f"Ke1 Ra1 Rj1 ke10 r{file}5"))) == CASTLINGS


@pytest.mark.parametrize(
    "attacker, forbidden",
    [
        ("pa2", {"e1b1"}),
        ("pc2", {"e1b1"}),
        ("pi2", {"e1h1"}),
        ("nb3", {"e1b1"}),
        ("sh3", {"e1h1"}),
        ("ba2", {"e1b1"}),
        ("bd3", {"e1b1", "e1h1"}),
        ("cg4", {"e1b1"}),
        ("mg3", {"e1h1"}),
        ("kb2", {"e1b1"}),
        ("kh2", {"e1h1"}),
        ("pa3", set()),
        ("pj2", set()),
    ],
)
def test_every_kind_of_attack_forbids_castling(game, attacker, forbidden):
    king = "" if attacker[0] == "k" else "kf10"
    assert castlings_of(game(setup(f"Ke1 Ra1 Rj1 {king} {attacker}"))) == CASTLINGS - forbidden


def test_pinned_piece_still_forbids_castling(game):
    # The bishop on h5 shields its king from the rook on h2 and attacks d1.
    assert castlings_of(game(setup("Ke1 Ra1 Rj1 Rh2 kh10 bh5"))) == {"e1h1"}


def test_castling_may_give_check(game):
    position = game(setup("Ke1 Ra1 kc10"))
    play(position, "e1b1")
    assert position.is_check()
