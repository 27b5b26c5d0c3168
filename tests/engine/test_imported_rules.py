"""Rules of imported games: forbidden ranks, limits on promotion, other kinds of castling, repetition that one
colour wins. Fairy-Stockfish is the referee of the moves."""

import pyffish
import pytest
from surajang import Position
from surajang.bench.speed.coverage_command import PyffishReferee, compare
from surajang.engine.fairy_ini.importing import import_text
from surajang.engine.movegen.perft import perft
from surajang.protocol.uci.notation import UciNotation
from surajang.tests.support.games import texts

pytestmark = pytest.mark.compiled
interpreted = pytest.mark.usefixtures("interpreted")

# Pawns and silvers promote a rank before the last, which they reach by that alone; at most three golds
NARROW = """
[narrow:minishogi]
promotionRegionWhite = *4
promotionRegionBlack = *2
promotionLimit = g:3
"""
# Castling by one step, with a rook that may stand between the king and an attacker, and with a queen
TWISTED = """
[twisted:chess]
castlingRookPieces = rq
castlingKingsideFile = f
castlingQueensideFile = c
castlingRookKingsideFile = g
startFen = 1q2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1Q2K1R1 w KQkq - 0 1
"""
# Who can capture must, but not with check
COFFEE = """
[coffee:racingkings]
mustCapture = true
"""


@pytest.fixture(scope="module")
def file_of(tmp_path_factory):
    """Writes the file of the only game in a text, and registers it with Fairy-Stockfish."""
    folder = tmp_path_factory.mktemp("games")

    def written(text):
        pyffish.load_variant_config(text)
        ((name, game),) = import_text(text, "v.ini").items()
        path = folder / f"{name}.toml"
        path.write_text(game.toml)
        return path

    return written


@pytest.fixture(scope="module")
def narrow(file_of):
    return file_of(NARROW)


@pytest.fixture(scope="module")
def twisted(file_of):
    return file_of(TWISTED)


@pytest.fixture(scope="module")
def coffee(file_of):
    return file_of(COFFEE)


def compared(position, name):
    """Asserts that the moves of a position are Fairy-Stockfish's, listed and counted, and returns them."""
    notation = UciNotation(position.description)
    written = {notation.write_move(move) for move in position.legal_moves}
    assert written == set(pyffish.legal_moves(name, notation.write_fen(position.fen()), []))
    assert perft(position, 1) == len(written)
    return written


@interpreted
@pytest.mark.parametrize("name", ["narrow", "twisted", "coffee"])
def test_random_games_are_fairy_stockfishs(name, request):
    path = request.getfixturevalue(name)
    difference, count = compare(path, PyffishReferee(pyffish, name), 6, depth=2, longest=80)
    assert difference is None
    assert count > 200


@interpreted
def test_piece_that_cannot_promote_does_not_reach_a_barred_rank(narrow):
    position = Position(str(narrow), "2k2/P4/5/5/2K2[] w - - 0 1")
    assert {move for move in compared(position, "narrow") if move[0] == "a"} == {"a4a5+"}
    position = Position(str(narrow), "2k2/5/P4/5/2K2[] w - - 0 1")
    assert {move for move in compared(position, "narrow") if move[0] == "a"} == {"a3a4", "a3a4+"}


@interpreted
def test_piece_attacks_a_rank_that_is_barred_to_it(narrow):
    """The king does not step before the pawn."""
    position = Position(str(narrow), "3k1/P4/5/5/2K2[] b - - 0 1")
    assert "b5a5" not in texts(Position(str(narrow), "1k3/P4/5/5/2K2[] b - - 0 1"))
    assert not position.is_check()


@interpreted
def test_limit_counts_promoted_pieces_of_the_kind(narrow):
    third = Position(str(narrow), "2k2/5/PGG2/5/2K2[] w - - 0 1")
    assert "a3a4+" in compared(third, "narrow")
    fourth = Position(str(narrow), "2k2/5/PGGG1/5/2K2[] w - - 0 1")
    assert {move for move in compared(fourth, "narrow") if move[:2] == "a3"} == {"a3a4"}


@interpreted
def test_castling_by_one_step_is_written_as_taking_the_rook(twisted):
    position = Position(str(twisted), "4k3/8/8/8/8/8/8/4K1R1 w K - 0 1")
    assert {"e1f1", "e1g1"} <= compared(position, "twisted")
    castled = position.push("e1g1")
    assert castled.is_castling and position.fen().split("/")[-1].split()[0] == "4RK2"


@interpreted
def test_castling_does_not_open_the_king_to_an_attack(twisted):
    """The castling queen leaves the line free for the rook behind it."""
    assert "e1c1" in compared(Position(str(twisted), "4k3/8/8/8/8/8/8/1Q2K3 w Q - 0 1"), "twisted")
    assert "e1c1" not in compared(Position(str(twisted), "4k3/8/8/8/8/8/8/rQ2K3 w Q - 0 1"), "twisted")


@interpreted
def test_each_wing_castles_with_the_piece_that_has_the_right(twisted):
    position = Position(str(twisted), "4k3/8/8/8/8/8/8/1R2K1Q1 w - - 0 1")
    assert not any(move.is_castling for move in position.legal_moves)
    with_rights = Position(str(twisted), "4k3/8/8/8/8/8/8/1Q2K1R1 w KQ - 0 1")
    assert sum(move.is_castling for move in with_rights.legal_moves) == 2


@interpreted
def test_king_onto_a_piece_of_either_wing_is_read_as_castling(twisted):
    position = Position(str(twisted), "4k3/8/8/8/8/8/8/1Q2K1R1 w KQ - 0 1")
    assert position.parse_san("Ke1xg1").is_castling
    assert position.parse_san("Ke1xb1").is_castling


@interpreted
def test_repetition_is_lost_by_white_whoever_moves(narrow):
    """As in minishogi: White loses at the fourth occurrence, unless Black checks all the time."""
    for side, moves in (("w", ("a1b1", "a5b5", "b1a1", "b5a5")), ("b", ("a5b5", "a1b1", "b5a5", "b1a1"))):
        position = Position(str(narrow), f"k4/5/5/5/K4[] {side} - - 0 1")
        for move in moves * 3:
            assert position.result() is None
            position.push(move)
        assert position.result().score == "0-1"


@interpreted
def test_capture_with_a_forbidden_check_is_no_duty(coffee):
    position = Position(str(coffee), "8/8/8/8/k7/8/2n5/4N2K w - - 0 1")
    assert compared(position, "coffee") == {"e1c2"}
    position = Position(str(coffee), "8/8/8/8/8/k7/2n5/4N2K w - - 0 1")
    assert len(compared(position, "coffee")) > 3
