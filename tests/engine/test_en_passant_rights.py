"""A right to capture en passant is part of a position only if a legal move uses it: in its keys, for
repetition, and in its FEN. The referees are python-chess and Fairy-Stockfish."""

import random
import re

import chess
import chess.variant
import pyffish
import pytest
from surajang import Engine, Position
from surajang.engine.game.moves import ACTION_SHIFT, ACTIONS, EN_PASSANT, square_name

pytestmark = [pytest.mark.compiled, pytest.mark.usefixtures("interpreted_positions")]

# The capture e5f6 would open the rank to the rook: the right in this FEN is of no use.
REPEATED = "5kbq/3Q2n1/6p1/r3PpKn/2n5/8/8/q7 w - f6 7 4"
SHUTTLE = ["d7c8", "f8f7", "c8d7", "f7f8", "d7d8", "f8f7", "d8d7", "f7f8"]

# Why no legal move captures -> a position with White to play the double step, and that step
UNUSABLE = {
    "no pawn stands beside": ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4"),
    "a piece that is no pawn stands beside": ("4k3/8/8/8/3n4/8/4P3/4K3 w - - 0 1", "e2e4"),
    "the capturer is pinned along the file": ("3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1", "e2e4"),
    "the capturer is pinned along a diagonal": ("8/6k1/8/8/3p4/8/1B2P3/4K3 w - - 0 1", "e2e4"),
    "both pawns leave the rank of king and rook": ("8/8/8/8/R2p3k/8/4P3/4K3 w - - 0 1", "e2e4"),
    "both pawns leave the rank of king and queen": ("8/8/8/8/k2p2Q1/8/4P3/4K3 w - - 0 1", "e2e4"),
    "the step opens the rank of a rook that checks": ("8/8/8/8/3p4/8/R1P4k/4K3 w - - 0 1", "c2c4"),
    "the step opens the diagonal of a bishop that checks": ("8/8/8/7k/3p4/8/4P3/3BK3 w - - 0 1", "e2e4"),
}
# Why one does -> the same
USABLE = {
    "a pawn stands beside": ("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4"),
    "the capturer is pinned along its way": ("8/6k1/8/8/3p4/8/1P2P3/B3K3 w - - 0 1", "e2e4"),
    "of two capturers one is pinned": ("3k4/8/8/8/3p1p2/8/4P3/3RK3 w - - 0 1", "e2e4"),
    "the pawn itself checks": ("8/8/8/3k4/3p4/8/4P3/4K3 w - - 0 1", "e2e4"),
}

# Chaotic Chess with the pawns of chess, which merchants hold
PASSING_TRADE = """
extends = "chaotic"
name = "passing-trade"
title = "Passing trade"
bumping = false
start = "knarm3/pppppppp/8/8/8/8/PPPPPPPP/3MRANK w - - 0 1"
pieces.P = { moves = "fmWfcF", steps = { 2 = 2 }, en_passant = true, shielded = false }
merchants.immune = "M"
"""


def played(variant, fen, *moves):
    position = Position(variant, fen)
    for move in moves:
        position.push(move)
    return position


def crossed_of(position):
    return position.fen().split()[3]


def squares_of_captures(position):
    """The squares where a legal move captures en passant, by the engine's list."""
    captures = {
        move.to_square for move in position.legal_moves() if move.code >> ACTION_SHIFT & ACTIONS == EN_PASSANT
    }
    return "".join(square_name(square, position.description.files) for square in sorted(captures)) or "-"


def without_right(fen):
    board, turn, rights, _, *counters = fen.split()
    return " ".join([board, turn, rights, "-", *counters])


def with_right(fen, square):
    board, turn, rights, _, *counters = fen.split()
    return " ".join([board, turn, rights, square, *counters])


@pytest.mark.parametrize("variant", ["chess", "crazyhouse"])
@pytest.mark.parametrize("why", UNUSABLE)
def test_right_that_no_legal_move_uses_is_no_part_of_the_position(variant, why):
    fen, step = UNUSABLE[why]
    position = played(variant, fen, step)
    board = chess.Board(fen)
    board.push_uci(step)
    assert board.ep_square is not None and not board.has_legal_en_passant()
    assert crossed_of(position) == "-"
    for text in (without_right(position.fen()), with_right(position.fen(), f"{step[0]}3")):
        given = Position(variant, text)
        assert given.fen() == position.fen()
        assert (given.key, given.repetition_key) == (position.key, position.repetition_key)


@pytest.mark.parametrize("variant", ["chess", "crazyhouse"])
@pytest.mark.parametrize("why", USABLE)
def test_right_that_a_legal_move_uses_is_part_of_the_position(variant, why):
    fen, step = USABLE[why]
    position = played(variant, fen, step)
    board = chess.Board(fen)
    board.push_uci(step)
    assert board.has_legal_en_passant()
    assert crossed_of(position) == f"{step[0]}3" == squares_of_captures(position)
    assert Position(variant, position.fen()).key == position.key
    without = Position(variant, without_right(position.fen()))
    assert without.key != position.key
    assert without.repetition_key != position.repetition_key


def test_position_repeats_though_its_first_occurrence_had_a_right_of_no_use():
    position = played("chess", REPEATED, *SHUTTLE)
    board = chess.Board(REPEATED)
    for move in SHUTTLE:
        board.push_uci(move)
    assert board.is_repetition(3)
    assert position.result() == ("1/2-1/2", "Draw by repetition")


def test_search_sees_the_draw_by_that_repetition():
    engine = Engine("chess", hash_mb=8)
    answer = engine.play(played("chess", REPEATED, *SHUTTLE[:-1]), depth=14)
    engine.close()
    assert str(answer.move) == SHUTTLE[-1]
    assert (answer.score.centipawns, answer.score.mate) == (0, None)


def test_position_with_a_right_of_use_comes_a_third_time_only_after_that_right_is_gone():
    start = "4k1n1/8/8/8/3p4/8/4P3/4K1N1 w - - 0 1"
    shuttle = ["e2e4", *["g8f6", "g1f3", "f6g8", "f3g1"] * 2]
    position, board = Position("chess", start), chess.Board(start)
    for move in shuttle:
        position.push(move)
        board.push_uci(move)
        assert (position.result() is not None) == board.is_repetition(3)
    assert position.result() is None
    for move in shuttle[1:5]:
        position.push(move)
    assert position.result() == ("1/2-1/2", "Draw by repetition")


@pytest.mark.parametrize(
    "fen, step, crossed",
    [
        ("4k5/10/10/10/10/1p8/1p8/10/P9/4K5[] w - - 0 1", "a2a5", "a3a4"),
        ("4k5/10/10/10/10/1p8/10/10/P9/4K5[] w - - 0 1", "a2a5", "a4"),
        ("4k5/10/10/10/10/10/1p8/10/P9/4K5[] w - - 0 1", "a2a5", "a3"),
        ("4k5/10/10/10/10/1p8/10/P9/10/4K5[] w - - 0 1", "a3a5", "a4"),
        ("1k8/10/10/10/10/1p8/10/10/P9/1R2K5[] w - - 0 1", "a2a5", "-"),
        ("10/10/10/10/10/1p7k/1p8/10/P9/4K5[] w - - 0 1", "a2a5", "a3a4"),
        ("5k4/10/10/10/10/1p8/1pP7/10/P9/B3K5[] w - - 0 1", "a2a5", "a3a4"),
        ("10/10/10/10/10/Rp7k/10/10/P9/4K5[] w - - 0 1", "a2a4", "-"),
    ],
)
def test_pawn_of_pandemonium_may_be_captured_on_each_square_by_itself(fen, step, crossed):
    position = played("pandemonium", fen, step)
    assert crossed_of(position) == crossed == squares_of_captures(position)
    again = Position("pandemonium", position.fen())
    assert again.fen() == position.fen()
    assert (again.key, squares_of_captures(again)) == (position.key, crossed)


def test_game_that_is_over_has_no_right():
    position = played("pandemonium-vchess", "10/10/10/10/10/3p6/10/K1P6k/10/10[] w - - 0 1", "c3c5")
    assert position.result() == ("0-1", "White exposed the kings to each other")
    assert crossed_of(position) == "-"


def test_piece_that_a_merchant_holds_captures_nobody(interpreted, tmp_path):
    path = tmp_path / "passing-trade.toml"
    path.write_text(PASSING_TRADE)
    for merchant, crossed in (("2", "d6"), ("m1", "-")):
        position = played(str(path), f"k6r/3p4/8/4P{merchant}1/8/8/8/K6R b - - 0 1", "d7d5")
        assert crossed_of(position) == crossed == squares_of_captures(position)


def test_no_right_while_a_piece_has_to_be_dropped():
    settled = "4k3/8/8/8/3p4/8/4P3/4K3[{}] w - - 0 1"
    assert crossed_of(played("placement", settled.format(""), "e2e4")) == "e3"
    owing = played("placement", settled.format("r"), "e2e4")
    assert crossed_of(owing) == "-" == squares_of_captures(owing)


# Random games whose pawns like long steps, with kings that the captures expose

EXPOSED = {
    "chess": "8/1p1p1p1p/8/K1P1P2r/R2p1p1k/8/1P2P1P1/8 w - - 0 1",
    "crazyhouse": "8/1p1p1p1p/8/K1P1P2r/R2p1p1k/8/1P2P1P1/8[Nn] w - - 0 1",
    "capablanca": "10/1p1p1p1p2/10/K1P6r/R2p5k/10/P1P1P1P1P1/10 w - - 0 1",
    "grand": "10/10/1p1p1p1p2/10/K1P6r/R2p5k/10/P1P1P1P1P1/10/10 w - - 0 1",
    "shako": "10/10/1p1p1p1p2/10/K1P6r/R2p5k/10/P1P1P1P1P1/10/10 w - - 0 1",
}


class PythonChess:
    """A game in which python-chess follows the moves."""

    def __init__(self, variant, fen):
        self.board = chess.Board(fen) if variant == "chess" else chess.variant.CrazyhouseBoard(fen)

    def push(self, move):
        self.board.push_uci(move)

    def crossed(self):
        """(the field of the FEN, whether a pawn has crossed a square whatever may capture there)"""
        return self.board.fen(en_passant="legal").split()[3], self.board.ep_square is not None


class FairyStockfish:
    """Fairy-Stockfish's version. It writes every square that a pawn attacks; its legal moves show which of
    them matter."""

    def __init__(self, variant, fen):
        self.variant, self.fen, self.moves = variant, fen, []

    def push(self, move):
        self.moves.append(move)

    def crossed(self):
        fen = pyffish.get_fen(self.variant, self.fen, self.moves)
        if fen.split()[3] == "-":
            return "-", False
        others = pyffish.legal_moves(self.variant, without_right(fen), [])
        captures = set(pyffish.legal_moves(self.variant, fen, [])).difference(others)
        found = {re.findall(r"[a-p]\d+", move)[1] for move in captures}
        return "".join(sorted(found)) or "-", True


REFEREES = {"chess": PythonChess, "crazyhouse": PythonChess}


def step_or_other(position, chance):
    """A legal move, often a step of a pawn over a square."""
    moves = sorted(map(str, position.legal_moves()))
    ends = {move: re.findall(r"[a-p]\d+", move) for move in moves if "@" not in move}
    steps = [
        move
        for move, (source, target) in ends.items()
        if source[0] == target[0] and abs(int(source[1:]) - int(target[1:])) > 1
    ]
    return chance.choice(steps if steps and chance.random() < 0.6 else moves)


@pytest.mark.parametrize("variant", EXPOSED)
def test_field_of_the_fen_is_the_referees_in_random_games(variant):
    chance, met = random.Random(2), {"used": 0, "unusable": 0}
    for _ in range(30):
        position = Position(variant, EXPOSED[variant])
        referee = REFEREES.get(variant, FairyStockfish)(variant, EXPOSED[variant])
        while position.ply < 12 and position.result() is None:
            move = step_or_other(position, chance)
            position.push(move)
            referee.push(move)
            expected, crossed = referee.crossed()
            assert crossed_of(position) == expected == squares_of_captures(position), position.fen()
            met["used"] += expected != "-"
            met["unusable"] += crossed and expected == "-"
    assert min(met.values()) >= 10, met
