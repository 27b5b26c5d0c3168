"""Gates: pieces that enter from the hand where a piece leaves its first square."""

import random

import numpy as np
import pyffish
import pytest
from surajang import Engine, Position
from surajang.engine.game.moves import IllegalMoveError
from surajang.learn.reinforcement.actions import actions_for

pytestmark = pytest.mark.compiled

CASTLING = "r3k2r/pppqbppp/2n1bn2/3pp3/3PP3/2N1BN2/PPPQBPPP/R3K2R[HEhe] w KQkq - 0 8"
GAMES = ("seirawan", "shouse")


def moves(position):
    return {str(move) for move in position.legal_moves}


def theirs(name, fen):
    return set(pyffish.legal_moves(name, fen, []))


def test_piece_enters_where_another_leaves_its_first_square():
    position = Position("seirawan")
    position.push("b1c3h")
    assert position.fen() == "rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/RHBQKBNR[Eeh] b KQCDFGkqbcdfg - 1 1"


def test_piece_that_has_moved_opens_no_gate():
    position = Position("seirawan")
    for text in ("b1c3", "b8c6", "c3b1", "c6b8"):
        position.push(text)
    assert "b1c3h" not in moves(position) and "g1f3h" in moves(position)


def test_piece_that_entered_opens_no_gate():
    position = Position("seirawan")
    for text in ("b1c3h", "a7a6"):
        position.push(text)
    assert {"b1d2", "b1a3"} & moves(position) == {"b1a3"} and "b1a3e" not in moves(position)


def test_pawns_open_no_gate():
    assert not any(move.entry for move in Position("seirawan").legal_moves if move.from_square // 8 == 1)


@pytest.mark.parametrize(
    "text, board",
    [
        ("e1g1", "R4RK1[EHeh]"),
        ("e1g1h", "R3HRK1[Eeh]"),
        ("h1e1h", "R4RKH[Eeh]"),
        ("e1c1e", "2KRE2R[Heh]"),
        ("a1e1e", "E1KR3R[Heh]"),
    ],
)
def test_castling_opens_the_gates_of_king_and_rook(text, board):
    position = Position("seirawan", CASTLING)
    position.push(text)
    assert position.fen().split()[0].endswith(board)
    kept = position.fen().split()[2]
    assert "K" not in kept and "Q" not in kept


@pytest.mark.parametrize("name", GAMES)
def test_castling_has_the_gates_of_fairy_stockfish(name):
    assert moves(Position(name, CASTLING)) == theirs(name, CASTLING)


def test_taken_piece_leaves_no_gate():
    fen = "r3k2r/8/8/8/8/8/6b1/R3K2R[HEhe] b KQkq - 0 1"
    position = Position("seirawan", fen)
    position.push("g2h1")
    assert position.fen().split()[2] == "Qkq"


def test_king_in_check_may_leave_while_a_piece_enters():
    fen = "4k3/8/8/8/8/8/4r3/R3KB1R[HEhe] w KQF - 0 1"
    assert moves(Position("seirawan", fen)) == theirs("seirawan", fen)
    assert "e1e2h" in moves(Position("seirawan", fen))


def test_entry_does_not_replace_a_pinned_piece():
    fen = "4k3/4r3/8/8/8/8/4B3/3QK3[HEhe] w DE - 0 1"
    assert moves(Position("seirawan", fen)) == theirs("seirawan", fen)


def test_gates_close_when_the_hand_is_empty():
    position = Position("seirawan", CASTLING.replace("[HEhe]", "[He]"))
    position.push("h1e1h")
    assert position.fen().split()[2] == "kq"


def test_gates_stay_open_where_captured_pieces_return():
    position = Position("shouse", CASTLING.replace("[HEhe]", "[]").replace("KQkq", "AEHkq"))
    assert position.fen().split()[2] == "KQkq"
    position.push("e1g1")
    assert position.fen().split()[2] == "Akq"


def test_pieces_are_dropped_in_s_house_alone():
    assert not any(move.is_drop for move in Position("seirawan").legal_moves)
    assert "H@e4" in moves(Position("shouse"))
    with pytest.raises(IllegalMoveError, match="H only enters at a gate, as in 'b1c3h'"):
        Position("seirawan").push("H@e4")


def test_captured_piece_may_enter_at_a_gate_but_no_pawn():
    fen = "rnbqkbnr/pppp1ppp/8/8/8/8/PPPP1PPP/RNBQKBNR[BPbp] w KQBCDFGkqbcdfg - 0 1"
    found = moves(Position("shouse", fen))
    assert found == theirs("shouse", fen)
    assert "b1c3b" in found and "b1c3p" not in found


# FEN, SAN and numbers


@pytest.mark.parametrize(
    "field, kept",
    [
        ("KQBCDFGkqbcdfg", "KQBCDFGkqbcdfg"),
        ("BCDFGKQbcdfgkq", "KQBCDFGkqbcdfg"),  # as Cute Chess writes it
        ("ABCDEFGHabcdefgh", "KQBCDFGkqbcdfg"),
        ("AHah", "AHah"),
        ("KBkb", "KBkb"),
        ("-", "-"),
    ],
)
def test_files_of_gates_are_among_the_castling_rights(field, kept):
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[EHeh] w {} - 0 1"
    position = Position("seirawan", start.format(field))
    assert position.fen() == start.format(kept)
    assert moves(position) == theirs("seirawan", start.format(field))


def test_gate_without_a_piece_is_dropped_with_a_note():
    position = Position("seirawan", "4k3/8/8/8/8/8/8/4K3[Hh] w BEb - 0 1")
    assert position.fen().split()[2] == "E"
    assert len(position.notes) == 2 and "'B' cannot be used" in position.notes[0]


@pytest.mark.parametrize("name", GAMES)
def test_keys_fens_sans_and_actions_of_random_games(name):
    chance, entered = random.Random(name), 0
    for _ in range(3):
        position = Position(name)
        while not position.is_game_over() and position.ply < 60:
            legal = list(position.legal_moves)
            codes = actions_for(name).of_codes(position.legal_codes())
            assert len(np.unique(codes)) == len(legal) and codes.max() < actions_for(name).count
            for move in chance.sample(legal, min(3, len(legal))):
                san = position.san(move)
                assert position.parse_san(san) == move
                assert san.rstrip("+#") == pyffish.get_san(name, position.fen(), str(move)).rstrip("+#")
            entries = [move for move in legal if move.entry]
            move = chance.choice(entries if entries and chance.random() < 0.2 else legal)
            entered += bool(move.entry)
            position.push(move)
            assert position.key == position.fresh_key()
            assert position.repetition_key == position.fresh_repetition_key()
            again = Position(name, position.fen())
            assert (again.key, moves(again)) == (position.key, moves(position))
            assert position.mirror().mirror().fen() == position.fen()
    assert entered > 4


def test_castling_with_an_entry_is_written_with_its_square():
    position = Position("seirawan", CASTLING)
    assert position.san("e1g1h") == "O-O/He1" and position.san("h1e1h") == "O-O/Hh1"
    assert str(position.parse_san("O-O/H")) == "e1g1h" and str(position.parse_san("O-O-O/Ea")) == "a1e1e"
    assert str(position.parse_san("Rd1/H")) == "a1d1h"


def test_piece_that_cannot_enter_is_refused_with_the_others():
    with pytest.raises(IllegalMoveError, match="the piece that enters does not fit; possible: b1c3, "):
        Position("seirawan").push("b1c3q")
    with pytest.raises(IllegalMoveError, match="the piece that enters does not fit; possible: Nc3, Nc3/E, "):
        Position("seirawan").push_san("Nc3/Q")
    promoting = Position("seirawan", "4k3/P7/8/8/8/8/8/4K3[] w - - 0 1")
    for read in (promoting.parse_move, promoting.parse_san):
        with pytest.raises(IllegalMoveError, match="'a7a8k': the promotion does not fit; possible: a"):
            read("a7a8k")


# Search and evaluation


def test_search_mates_by_an_entry():
    position = Position("seirawan", "4k3/3ppp2/8/8/8/8/8/R2QK3[E] w ADE - 0 1")
    with Engine("seirawan") as engine:
        result = engine.play(position, depth=6)
    assert result.score.mate is not None


@pytest.mark.parametrize(("eval_file", "least"), [(None, 100), (False, 400)])
def test_piece_in_hand_without_a_gate_is_worth_nothing(eval_file, least):
    with Engine("seirawan", eval_file=eval_file, compile_now=False) as engine:
        board = "4k3/8/8/8/8/8/8/4KB2[E] w {} - 0 1"
        opened, closed = (engine.evaluate(Position("seirawan", board.format(field))) for field in "F-")
        nothing = engine.evaluate(Position("seirawan", board.format("-").replace("E", "", 1)))
    assert closed.centipawns == nothing.centipawns < opened.centipawns - least
