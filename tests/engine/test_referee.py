"""Checks the referees with positions whose moves other programs have counted. XXL Chess has no such
positions: its referee is checked with lists and counts made by hand."""

import random
import re

import pytest
from surajang.tests.support.games import stored_positions
from surajang.tests.support.referee import Referee
from surajang.tests.support.referee_chaotic import ChaoticReferee
from surajang.tests.support.referee_vchess import VchessReferee
from surajang.tests.support.referee_xxl import START_FEN as XXL_START
from surajang.tests.support.referee_xxl import XxlReferee

pytestmark = pytest.mark.pure

REFEREES = {"pandemonium": Referee, "pandemonium-vchess": VchessReferee, "chaotic": ChaoticReferee}
VECTORS = [vector for variant in REFEREES for vector in stored_positions(variant)]
# Leaves that the slow models still count in a second or two.
COUNTABLE = 5000


def name(vector):
    return f"{vector['variant']} {vector['fen']}"


def referee(vector):
    return REFEREES[vector["variant"]](vector["fen"])


@pytest.mark.parametrize("vector", VECTORS, ids=name)
def test_referee_knows_every_legal_move(vector):
    assert referee(vector).legal_moves() == vector["moves"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "vector", [vector for vector in VECTORS if vector["perft2"] and vector["perft2"] < COUNTABLE], ids=name
)
def test_referee_counts_two_plies(vector):
    assert referee(vector).perft(2) == vector["perft2"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "variant, counts",
    [
        ("pandemonium", [38, 1_444, 60_537]),
        ("pandemonium-vchess", [4, 16, 608]),
        ("chaotic", [30, 892, 32_351]),
    ],
)
def test_referee_counts_from_the_start(variant, counts):
    assert [REFEREES[variant]().perft(depth) for depth in (1, 2, 3)] == counts


@pytest.mark.parametrize("vector", stored_positions("pandemonium"), ids=name)
def test_referee_writes_the_squares_it_reads(vector):
    board, turn, *_ = referee(vector).fen().split()
    expected, side, *_ = vector["fen"].split()
    assert [board.split("[")[0], turn] == [expected.split("[")[0], side]
    assert sorted(board.split("[")[1]) == sorted(expected.split("[")[1])


@pytest.mark.parametrize("vector", stored_positions("pandemonium-vchess"), ids=name)
def test_vchess_referee_writes_the_squares_and_rights_it_reads(vector):
    board, turn, rights, _, *counters = referee(vector).fen().split()
    expected, side, expected_rights, _, *expected_counters = vector["fen"].split()
    assert board.split("[")[0] == expected.split("[")[0]
    assert [turn, rights, *counters] == [side, expected_rights, *expected_counters]
    assert sorted(board.split("[")[1]) == sorted(expected.split("[")[1])


@pytest.mark.parametrize("vector", stored_positions("chaotic"), ids=name)
def test_chaotic_referee_writes_what_it_reads(vector):
    assert referee(vector).fen() == vector["fen"]


def score_after(game, *moves):
    for text in moves:
        assert game.result() is None
        game.push(text)
    return game.result()


@pytest.mark.parametrize(
    "fen, crossed",
    [
        ("4k5/10/10/10/10/P9/1p8/10/10/4K5[] b - a3a4 0 1", "a3"),
        ("4k5/10/10/10/10/Pp8/10/10/10/4K5[] b - a4 0 1", "a4"),
        ("4k5/10/10/10/10/Pp8/1p8/10/10/4K5[] b - a3a4 0 1", "a3a4"),
        ("10/10/10/10/10/R1Pp3k2/10/10/10/4K5[] b - c3c4 0 1", "-"),
    ],
)
def test_referee_writes_the_crossed_squares_where_a_pawn_may_capture(fen, crossed):
    assert Referee(fen).fen().split()[3] == crossed


# Pandemonium, vchess edition


def test_vchess_setup_choices_lead_into_play_proper():
    game = VchessReferee()
    game.push("b1c1,i1h1")
    assert game.legal_moves() == ["b10c10", "b10c10,i10h10", "e10e1", "i10h10"]
    game.push("e10e1")
    start = "rnbqkmcbnr/pppppppppp/10/10/10/10/10/10/PPPPPPPPPP/RBNQKMCNBR[] w KQkq - 2 2"
    assert game.fen() == start


def test_vchess_king_that_faces_the_enemy_king_has_lost():
    game = VchessReferee("4k5/10/10/10/10/10/10/10/4B5/4K5[] w - - 0 1")
    assert score_after(game, "e2d3") == "0-1"
    assert game.legal_moves() == []


def test_vchess_castling_uses_up_both_letters_and_nothing_else_does():
    game = VchessReferee("r3k4r/4p5/10/10/10/10/10/10/4P5/R3K4R[] w KQkq - 0 1")
    for text, rights in [("a1b1", "KQkq"), ("e10d10", "KQkq"), ("b1a1", "KQkq"), ("d10e10", "KQkq")]:
        game.push(text)
        assert game.fen().split()[2] == rights
    game.push("e1h1")
    assert game.fen() == "r3k4r/4p5/10/10/10/10/10/10/4P5/R5RK2[] b kq - 5 3"
    # The rook on g1 guards g10, so only one side is open to Black.
    assert "e10b10" in game.legal_moves()
    assert "e10h10" not in game.legal_moves()


def test_vchess_rook_on_the_far_rank_is_no_castling_king():
    for text in ["e10h10", "e10b10", "e10h10d"]:
        game = VchessReferee("4R5/10/k9/10/10/10/10/10/10/4K4R[] w KQ - 0 1")
        game.push(text)
        assert game.fen().split()[2] == "KQ"


def test_vchess_setup_phase_counts_for_no_repetition():
    dance = ["b1c3", "b10c8", "c3b1", "c8b10"]
    assert score_after(VchessReferee(), "e1e10", "e10e1", *dance) is None
    assert score_after(VchessReferee(), "e1e10", "e10e1", *dance, *dance) == "1/2-1/2"


# Chaotic Chess


def test_chaotic_pawn_bumps_a_pawn_to_the_edge():
    game = ChaoticReferee("k5n1/8/8/3p4/8/8/3P4/K5N1 w - - 0 1")
    game.push("d2d4")
    assert game.fen() == "k2p2n1/8/8/8/3P4/8/8/K5N1 b - - 1 1"


def test_chaotic_merchants_win_by_backstabbing():
    game = ChaoticReferee("7n/8/8/2Mk4/5M2/8/8/K7 w - - 0 1")
    assert not game.is_check()
    assert score_after(game, "f4e5") == "1-0"
    assert game.legal_moves() == []


def test_chaotic_side_left_with_king_and_pawns_has_lost():
    game = ChaoticReferee("k7/8/3m4/3rM3/8/8/P7/K7 b - - 7 1")
    assert score_after(game, "d5e5") == "0-1"
    assert game.fen() == "k7/8/3m4/4r3/8/8/P7/K7 w - - 0 2"
    assert game.legal_moves() == []


def test_chaotic_two_bare_sides_play_on():
    game = ChaoticReferee("k7/7p/8/8/8/8/P7/K7 w - - 0 1")
    assert score_after(game, "a2a4", "h7h5") is None


def test_chaotic_pawn_moves_do_not_reset_the_fifty_moves():
    assert score_after(ChaoticReferee("k5n1/8/8/8/8/8/3P4/K5N1 w - - 99 80"), "d2d3") == "1/2-1/2"


# XXL Chess


def xxl(men, turn="w", castling="-", halfmove=0):
    """The FEN of men written as "Kh1 Ra1 kh14"."""
    where = {man[1:]: man[0] for man in men.split()}
    ranks = [
        "".join(where.get(f"{file}{rank}", " ") for file in "abcdefghijklmn") for rank in range(14, 0, -1)
    ]
    placement = re.sub(" +", lambda gap: str(len(gap[0])), "/".join(ranks))
    return f"{placement} {turn} {castling} - {halfmove} 1"


def moves_of(game, square):
    return [text.removeprefix(square) for text in game.legal_moves() if re.match(square + r"\D", text)]


def turned_over(text):
    """The move or the squares on the board turned over: rank 1 becomes rank 14."""
    return re.sub(r"\d+", lambda rank: str(15 - int(rank[0])), text)


def turned_over_fen(fen):
    placement, turn, castling, crossed, *counters = fen.split()
    placement = "/".join(reversed(placement.swapcase().split("/")))
    castling = "".join(sorted(castling.swapcase(), key="KQkq-".index))
    return " ".join([placement, "b" if turn == "w" else "w", castling, turned_over(crossed), *counters])


def test_xxl_start_has_46_moves_and_the_first_move_never_hinders_the_reply():
    pawns, knights, hawk, elephant, camels, generals, amazon = 28, 4, 2, 2, 4, 4, 2
    moves = pawns + knights + hawk + elephant + camels + generals + amazon
    assert moves == 46
    assert XxlReferee().perft(1) == moves
    assert XxlReferee().perft(2) == moves * moves


# Both kings stand clear of every line through g7; White's has three moves in its corner.
@pytest.mark.parametrize(
    "letter, count",
    [("N", 8), ("B", 25), ("R", 26), ("Q", 51), ("H", 33), ("E", 34), ("A", 59), ("M", 16), ("C", 8)],
)
def test_xxl_piece_in_the_middle_of_an_empty_board(letter, count):
    game = XxlReferee(xxl(f"Kn1 {letter}g7 ka14"))
    assert len(moves_of(game, "g7")) == count
    assert len(game.legal_moves()) == count + 3


def test_xxl_camel_leaps_one_and_three():
    game = XxlReferee(xxl("Kn1 Cg7 ka14 pf7 ph8 pg8 ph4"))
    assert moves_of(game, "g7") == ["d6", "d8", "f10", "f4", "h10", "h4", "j6", "j8"]
    assert XxlReferee(xxl("Kn1 Ca1 ka14")).legal_moves() == ["a1b4", "a1d2", "n1m1", "n1m2", "n1n2"]


STEPS = {"g1", "g2", "h2", "i1", "i2"}


@pytest.mark.parametrize(
    "others, rights, castlings",
    [
        ("", "KQ", {"c1", "m1"}),
        ("", "K", {"m1"}),
        ("", "-", set()),
        ("Nb1", "KQ", {"m1"}),
        ("nk1", "KQ", {"c1"}),
        ("rb14", "KQ", {"c1", "m1"}),
        ("ra14", "KQ", {"c1", "m1"}),
        ("rc14", "KQ", {"m1"}),
        ("rm14", "KQ", {"c1"}),
        ("rj14", "KQ", {"c1"}),
        ("pd2", "KQ", {"m1"}),
        ("ce4", "KQ", {"m1"}),
    ],
)
def test_xxl_castling(others, rights, castlings):
    game = XxlReferee(xxl(f"Kh1 Ra1 Rn1 kh14 {others}", castling=rights))
    assert set(moves_of(game, "h1")) - STEPS == castlings


def test_xxl_king_in_check_may_not_castle():
    game = XxlReferee(xxl("Kh1 Ra1 Rn1 kh14 cg4", castling="KQ"))
    assert game.is_check()
    assert set(moves_of(game, "h1")) == STEPS


def test_xxl_castling_puts_the_rook_inside():
    start = xxl("Kh1 Ra1 Rn1 kh14", castling="KQ")
    for text, row in [("h1m1", "R10RK1"), ("h1c1", "2KR9R")]:
        game = XxlReferee(start)
        game.push(text)
        assert game.fen() == "7k6" + "/14" * 12 + f"/{row} b - - 1 1"


@pytest.mark.parametrize(
    "text, rights", [("n1n2", "Qkq"), ("a1a2", "Kkq"), ("h1h2", "kq"), ("n1n14", "Qq"), ("a1a14", "Kk")]
)
def test_xxl_right_goes_with_the_king_the_rook_or_its_capture(text, rights):
    game = XxlReferee(xxl("Kh1 Ra1 Rn1 kh14 ra14 rn14", castling="KQkq"))
    game.push(text)
    assert game.fen().split()[2] == rights


def test_xxl_pawn_must_become_a_queen_on_its_eighth_rank():
    white = XxlReferee(xxl("Kh1 kh14 Pc7 Pf6 rb8 bd8"))
    assert moves_of(white, "c7") == ["b8q", "c8q", "d8q"]
    assert moves_of(white, "f6") == ["f7"]
    white.push("c7b8q")
    assert white.fen() == xxl("Kh1 kh14 Qb8 Pf6 bd8", turn="b")
    black = XxlReferee(xxl("Kh1 kh14 pc8 pf9 Rb7", turn="b"))
    assert moves_of(black, "c8") == ["b7q", "c7q"]
    assert moves_of(black, "f9") == ["f8"]


def test_xxl_pawn_steps_two_squares_from_its_second_rank_only():
    game = XxlReferee(xxl("Kh1 kh14 Pa2 Pc3 Pe2 ne4 Pj2 nj3 nk3"))
    assert moves_of(game, "a2") == ["a3", "a4"]
    assert moves_of(game, "c3") == ["c4"]
    assert moves_of(game, "e2") == ["e3"]
    assert moves_of(game, "j2") == ["k3"]


def test_xxl_capture_in_passing():
    # Play cannot lead here, since a black pawn promotes long before rank 4.
    game = XxlReferee(xxl("Kh1 kh14 Pc2 Pi2 pb4 pd4"))
    game.push("c2c4")
    assert game.fen().split()[3] == "c3"
    assert XxlReferee(game.fen()).legal_moves() == game.legal_moves()
    assert moves_of(game, "b4") == ["b3", "c3"]
    assert moves_of(game, "d4") == ["c3", "d3"]
    game.push("b4c3")
    assert game.fen() == xxl("Kh1 kh14 Pi2 pc3 pd4").replace(" 0 1", " 0 2")
    game.push("i2i4")
    assert game.fen().split()[3] == "-"


@pytest.mark.slow
def test_xxl_is_the_same_game_for_both_colours():
    choice = random.Random(14)
    game = XxlReferee()
    for _ in range(120):
        fen, moves = game.fen(), game.legal_moves()
        assert XxlReferee(fen).fen() == fen
        other = XxlReferee(turned_over_fen(fen))
        assert other.fen() == turned_over_fen(fen)
        assert other.legal_moves() == sorted(map(turned_over, moves))
        if not moves:
            break
        game.push(choice.choice(moves))
    other = XxlReferee(turned_over_fen(game.fen()))
    assert other.perft(2) == game.perft(2) > 0


@pytest.mark.parametrize(
    "men, score", [("Kh1 kh14 Rb14 Ra13", "1-0"), ("Kh1 ka14 Qb12", "1/2-1/2"), ("Kh1 kh14 Rb14", None)]
)
def test_xxl_mate_and_stalemate(men, score):
    assert XxlReferee(xxl(men, turn="b")).result() == score


def test_xxl_draws_by_repetition_and_by_fifty_moves():
    dance = ["b1a3", "b14a12", "a3b1", "a12b14"]
    assert score_after(XxlReferee(XXL_START), *dance) is None
    assert score_after(XxlReferee(XXL_START), *dance, *dance) == "1/2-1/2"
    assert score_after(XxlReferee(xxl("Kh1 kh14 Pa2", halfmove=99)), "h1h2") == "1/2-1/2"
    assert score_after(XxlReferee(xxl("Kh1 kh14 Pa2", halfmove=99)), "a2a3") is None
