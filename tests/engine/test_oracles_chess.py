"""The engine's chess and crazyhouse against published perft counts and python-chess."""

import random
import re
from collections import Counter

import chess
import chess.variant
import pytest
import surajang
from surajang.engine.movegen.perft import perft
from surajang.tests.support.games import texts

pytestmark = [pytest.mark.compiled, pytest.mark.quick]

# Leaves after 1, 2, 3, ... plies, as https://www.chessprogramming.org/Perft_Results has them.
COUNTS = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": [
        *(20, 400, 8_902, 197_281, 4_865_609, 119_060_324)
    ],
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": [
        *(48, 2_039, 97_862, 4_085_603, 193_690_690)
    ],
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": [14, 191, 2_812, 43_238, 674_624, 11_030_083],
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": [
        *(6, 264, 9_467, 422_333, 15_833_292)
    ],
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": [44, 1_486, 62_379, 2_103_487, 89_941_194],
}

# Where random games start: the start, and fights with castling, promotion and passing pawns at hand.
STARTS = {
    "chess": [
        *COUNTS,
        "r3k2r/pPp2p2/8/3pP1Pp/3Pp1pP/8/PpP2P2/R3K2R w KQkq d6 0 1",
        "2b1k2r/P1P3P1/5n2/2Q5/q7/2N5/p1p3p1/R3K1B1 b Qk - 7 20",
        "4k3/p1p1p1p1/8/1P1P1P1P/p1p1p1p1/8/1P1P1P1P/4K3 w - - 0 1",
    ],
    "crazyhouse": [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
        "r3k2r/pPp2p2/8/3pP1Pp/3Pp1pP/8/PpP2P2/R3K2R[QNBBqnnb] w KQkq d6 0 1",
        "2b1k2r/P1P3P1/5n2/2Q~5/q~7/2N5/p1p3p1/R3K1B1[RNPPrbpp] b Qk - 7 20",
        "4k3/p1p1p1p1/8/1P1P1P1P/p1p1p1p1/8/1P1P1P1P/4K3[] w - - 0 1",
    ],
}
# Few men, so that these games come to an end, in every way that they can.
ENDINGS = {
    "chess": [
        "8/8/4k3/8/8/4K3/3Q4/8 w - - 0 1",
        "8/8/4k3/8/2b5/4K3/3N4/8 w - - 60 80",
        "8/3b4/4k3/8/2N5/4K3/8/8 b - - 84 90",
        "8/8/8/1r6/8/2k5/8/K6R w - - 92 80",
        "7k/5Q2/8/6K1/8/p7/8/8 w - - 90 99",
        "7k/1b5p/8/6K1/2B5/8/8/8 w - - 0 1",
    ],
    "crazyhouse": [
        "7k/8/8/8/8/8/8/K7[Rr] w - - 80 90",
        "6k1/5ppp/8/8/8/8/5PPP/6K1[QQqq] w - - 0 1",
        "8/8/4k3/8/8/4K3/3Q~4/8[] w - - 90 99",
        "7k/5Q2/8/6K1/8/8/8/8[] w - - 0 1",
    ],
}
ENDS = ("mate", "stalemate", "fifty moves", "repetition")


class Crazyhouse(chess.variant.CrazyhouseBoard):
    """Crazyhouse of python-chess, but a dropped pawn does not reset the count of fifty moves."""

    def is_zeroing(self, move):
        return not move.drop and super().is_zeroing(move)


BOARDS = {"chess": chess.Board, "crazyhouse": Crazyhouse}
KINDS = {
    "chess": ("castling", "promotion", "en passant", "long step", "capture", "quiet"),
    "crazyhouse": ("castling", "promotion", "en passant", "long step", "capture", "quiet", "drop"),
}
LEAST_OF_A_KIND = 10


def kind_of(board, move):
    """The kind of a move, so that rare kinds can be preferred."""
    if move.drop:
        return "drop"
    if move.promotion:
        return "promotion"
    if board.is_castling(move):
        return "castling"
    if board.is_en_passant(move):
        return "en passant"
    if board.is_capture(move):
        return "capture"
    if board.piece_type_at(move.from_square) == chess.PAWN and abs(move.to_square - move.from_square) == 16:
        return "long step"
    return "quiet"


def sorted_hands(fen):
    """The same FEN with the pieces in hand in the order of the alphabet."""
    return re.sub(r"(?<=\[)\w+(?=\])", lambda hands: "".join(sorted(hands[0])), fen)


def end_of(board):
    """(score, kind of end) by the rules of python-chess, or None."""
    if not any(board.legal_moves):
        if not board.is_check():
            return "1/2-1/2", "stalemate"
        return "0-1" if board.turn == chess.WHITE else "1-0", "mate"
    if board.halfmove_clock >= 100:
        return "1/2-1/2", "fifty moves"
    if type(board) is chess.Board and board.is_insufficient_material():
        return "1/2-1/2", "dead position"
    if board.is_repetition(3):
        return "1/2-1/2", "repetition"
    return None


def assert_same(position, board):
    """Asserts that the engine and python-chess agree on a position."""
    fen = board.fen(en_passant="legal")
    assert sorted_hands(position.fen()) == sorted_hands(fen)
    assert texts(position) == sorted(move.uci() for move in board.legal_moves), fen
    assert position.is_check() == board.is_check(), fen
    result, end = position.result(), end_of(board)
    assert (result and result.score) == (end and end[0]), (fen, result, end)


@pytest.mark.parametrize("fen", COUNTS)
def test_chess_counts_the_published_leaves(fen):
    position = surajang.Position("chess", fen)
    assert [perft(position, depth) for depth in range(1, len(COUNTS[fen]) + 1)] == COUNTS[fen]


def test_crazyhouse_counts_the_published_leaves():
    position = surajang.Position("crazyhouse")
    counts = [20, 400, 8_902, 197_281, 4_888_832]
    assert [perft(position, depth) for depth in range(1, 6)] == counts


@pytest.mark.parametrize("variant", ["chess", pytest.param("crazyhouse", marks=pytest.mark.slow)])
def test_engine_and_python_chess_agree_in_random_games(variant):
    generator = random.Random(1)
    met = Counter()
    while met.total() < 2000:
        fen = generator.choice(STARTS[variant])
        position, board = surajang.Position(variant, fen), BOARDS[variant](fen)
        assert_same(position, board)
        while position.ply < 50 and position.result() is None:
            kinds = {}
            for move in sorted(board.legal_moves, key=str):
                kinds.setdefault(kind_of(board, move), []).append(move)
            kind = generator.choice(sorted(kinds))
            move = generator.choice(kinds[kind])
            position.push(move.uci())
            board.push(move)
            assert_same(position, board)
            met[kind] += 1
    assert all(met[kind] >= LEAST_OF_A_KIND for kind in KINDS[variant]), met


def moves_with(board, wanted):
    """The legal moves after which `wanted(board)` holds."""
    found = []
    for move in sorted(board.legal_moves, key=str):
        board.push(move)
        if wanted():
            found.append(move)
        board.pop()
    return found


def move_back(board):
    """The legal move that undoes the last one of the same side, in a list; an empty list if none."""
    last = board.move_stack[-2] if len(board.move_stack) > 1 else None
    return [move for move in board.legal_moves if last and move.uci() == last.uci()[2:4] + last.uci()[:2]]


@pytest.mark.slow
@pytest.mark.parametrize("variant", BOARDS)
def test_engine_and_python_chess_agree_on_how_games_end(variant):
    """Pieces that move back and forth, and sometimes a move that ends the game at once."""
    generator = random.Random(2)
    ends = Counter()
    for number in range(120):
        fen = ENDINGS[variant][number % len(ENDINGS[variant])]
        position, board = surajang.Position(variant, fen), BOARDS[variant](fen)
        habit = generator.random()
        while position.ply < 60 and end_of(board) is None:
            chance = generator.random()
            if chance < habit:
                favourites = move_back(board)
            elif chance < 0.9:
                favourites = moves_with(board, lambda: not any(board.legal_moves))  # noqa: B023
            else:
                favourites = [move for move in board.legal_moves if board.is_capture(move)]
            move = generator.choice(favourites or sorted(board.legal_moves, key=str))
            position.push(move.uci())
            board.push(move)
            assert_same(position, board)
        end = end_of(board)
        ends[end and end[1]] += 1
    assert all(ends[end] >= 3 for end in ENDS), ends
    assert variant != "chess" or ends["dead position"] >= 3, ends


@pytest.mark.parametrize(
    "men, is_dead",
    [
        ("4k3/8/8/8/8/8/8/4K3", True),
        ("4k3/8/8/8/8/8/8/4KN2", True),
        ("4kb2/8/8/8/8/8/8/4K3", True),
        ("2b1k3/8/8/8/8/8/8/4KB2", True),
        ("4kb2/8/8/8/8/8/8/4KB2", False),
        ("4k3/8/8/8/8/8/8/3NKN2", False),
        ("4kn2/8/8/8/8/8/8/4KN2", False),
        ("4kn2/8/8/8/8/8/8/4KB2", False),
        ("4k3/8/8/8/8/8/8/B1B1K3", True),
        ("4k3/8/8/8/8/8/4P3/4K3", False),
        ("4k3/8/8/8/8/8/8/4K2R", False),
    ],
)
def test_game_is_over_when_nobody_can_mate(men, is_dead):
    board = chess.Board(f"{men} w - - 0 1")
    assert board.is_insufficient_material() == is_dead
    result = surajang.Position("chess", board.fen()).result()
    assert (result is not None and result.score == "1/2-1/2") == is_dead
    assert surajang.Position("crazyhouse", f"{men}[] w - - 0 1").result() is None
