"""Exchanges on one square, compared with a slow model on boards of python-chess and with positions by hand.

In the model, too, each side takes with its least valuable piece or stops, whichever is better, and pins are
ignored."""

import random
from functools import cache

import chess
import chess.variant
import numpy as np
import pytest
from surajang import Position
from surajang.tests.support.games import mirror_fen, mirror_move, setup, stored_positions
from surajang.tests.support.inside import Inside, walked

pytestmark = pytest.mark.compiled

ROYAL = 1_000_000
BOARDS = {"chess": chess.Board, "crazyhouse": chess.variant.CrazyhouseBoard}
CHECKED = 700  # captures and drops of each game


@cache
def inside(variant):
    return Inside(variant)


# The model


def letter_at(board, square):
    piece = board.piece_at(square)
    promoted = isinstance(board, chess.variant.CrazyhouseBoard) and board.promoted >> square & 1
    return piece.symbol().upper() + "~" * bool(promoted)


class Model:
    """Exchanges with the values of captures by letter; `first` decides between pieces that cost the same."""

    def __init__(self, values, first):
        self.values, self.first = values, first

    def cost(self, board, square):
        letter = letter_at(board, square)
        return ROYAL if letter == "K" else self.values[letter]

    def reply(self, board, square, standing):
        """The gain of the side to move on a square where a piece worth `standing` can be taken."""
        takers = list(board.attackers(board.turn, square))
        if not takers:
            return 0
        least = min(self.cost(board, taker) for taker in takers)
        if least == ROYAL and board.attackers(not board.turn, square):
            return 0
        taker = self.first(taker for taker in takers if self.cost(board, taker) == least)
        board = board.copy(stack=False)
        board.remove_piece_at(taker)
        board.turn = not board.turn
        return max(0, standing - self.reply(board, square, least))

    def worth(self, board, move):
        """The gain of a legal move for its side."""
        gain = 0
        if board.is_en_passant(move):
            gain = self.values["P"]
        elif board.piece_at(move.to_square):
            gain = self.values[letter_at(board, move.to_square)]
        after = board.copy(stack=False)
        after.push(move)
        standing = self.cost(after, move.to_square)
        after.remove_piece_at(move.to_square)
        return gain - self.reply(after, move.to_square, standing)


def capture_values(inner):
    letters = [piece.letter for piece in inner.description.pieces]
    return {letter: int(value) for letter, value in zip(letters, inner.weights["capture"], strict=False)}


def board_of(position):
    fen = position.fen()
    return BOARDS[position.variant](fen)


def checked_moves(position, board, source):
    """The captures and a few drops that end where no pawn promotes."""
    moves = [move for move in position.legal_moves() if 0 < move.to_square // 8 < 7]
    drops = [move for move in moves if move.is_drop]
    captures = []
    for move in moves:
        if not move.is_drop and board.is_capture(chess.Move.from_uci(str(move))):
            captures.append(move)
    return captures + source.sample(drops, min(len(drops), 2))


@pytest.mark.parametrize("variant", BOARDS)
def test_exchange_is_worth_what_the_model_says(variant):
    inner, source = inside(variant), random.Random(17)
    lower, upper = (Model(capture_values(inner), first) for first in (min, max))
    found = {}
    for position in walked(variant, (None,), 700, seed=5, plies=90):
        board = board_of(position)
        inner.show(position)
        for move in checked_moves(position, board, source):
            uci = chess.Move.from_uci(str(move))
            worth = lower.worth(board, uci)
            if worth != upper.worth(board, uci):
                continue  # it hangs on which of two equals takes first
            assert inner.see_ge(move.code, worth), (position.fen(), str(move), worth)
            assert not inner.see_ge(move.code, worth + 1), (position.fen(), str(move), worth)
            found[position.fen(), str(move)] = worth
        if len(found) >= CHECKED:
            break
    assert len(found) >= CHECKED
    assert sum(worth < 0 for worth in found.values()) > CHECKED // 20
    assert sum(worth > 0 for worth in found.values()) > CHECKED // 20
    assert len(set(found.values())) > 12


def test_model_sees_through_a_slider():
    """The model itself is checked with known results."""
    values = {"P": 1, "N": 3, "B": 3, "R": 5, "Q": 9}
    for fen, move, worth in (
        ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 1),
        ("3rk3/8/8/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", -4),
        ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", -4),
        ("4k3/8/3k4/3p4/8/8/3R4/3RK3 w - - 0 1".replace("4k3", "8"), "d2d5", 1),
        ("8/8/3k4/3p4/8/8/3R4/4K3 w - - 0 1", "d2d5", -4),
        ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", 1),
    ):
        assert Model(values, min).worth(chess.Board(fen), chess.Move.from_uci(move)) == worth, fen


# Positions of Pandemonium by hand. Values grow in this order: pawn, knight, rook, queen.

EXCHANGES = {
    "nobody takes back": ("Ke1 ke10 Rd1 pd7", "", "-", "d1d7", "P"),
    "a pawn takes back": ("Ke1 ke10 Rd1 pd7 pc8", "", "-", "d1d7", "P - R"),
    "a rook behind the rook": ("Ke1 ke10 Rd3 Rd1 pd7 rd9", "", "-", "d3d7", "P"),
    "rooks behind rooks of both": ("Ke1 ke10 Rd3 Rd1 pd7 rd9 rd10", "", "-", "d3d7", "P - R"),
    "a queen behind a pawn": ("Ka1 ka10 Pd5 Qb3 ne6 pf7", "", "-", "d5e6", "N"),
    "a bishop behind a queen counts": ("Ka1 ka10 Qd4 Bb2 nf6 rf10", "", "-", "d4f6", "N - Q + R"),
    "a piece of another line does not": ("Ka1 ka10 Qd4 Bb3 nf6 rf10", "", "-", "d4f6", "N - Q"),
    "the king takes what nobody guards": ("Ka1 ke8 Rd1 pd7", "", "-", "d1d7", "P - R"),
    "the king does not take what is guarded": ("Ka1 ke8 Rd3 Rd1 pd7", "", "-", "d3d7", "P"),
    "the cheapest takes first": ("Ka1 ka10 Rd1 Qh3 nd7 pc8 qh7", "", "-", "d1d7", "N - R"),
    "a quiet move to a safe square": ("Ke1 ke10 Rd1", "", "-", "d1d7", "0"),
    "a quiet move to a guarded square": ("Ke1 ke10 Rd1 pc8", "", "-", "d1d7", "-R"),
    "a drop on a safe square": ("Ke1 ke10 pc8", "N", "-", "N@e7", "0"),
    "a drop on a guarded square": ("Ke1 ke10 pc8", "N", "-", "N@d7", "-N"),
    "a drop that is defended": ("Ke1 ke10 pc8 Pe6", "N", "-", "N@d7", "P - N"),
    "a drop that only a queen attacks": ("Ke1 ke10 qd10 Pe6", "N", "-", "N@d7", "0"),
    "a promotion": ("Ke1 kf8 Rd9", "", "-", "d9d10d", "D9"),
    "a promotion with capture": ("Ke1 kf8 Pd9 rc10", "", "-", "d9c10g", "R + G9"),
    "a promotion that is taken": ("Ke1 kf8 Pd9 rj10", "", "-", "d9d10g", "G9 - G"),
    "a move without its promotion": ("Ke1 kf8 Rd9", "", "-", "d9d10", "0"),
    "en passant": ("Ke1 ke10 Pe7 pd6", "", "d7d8", "e7d8", "P"),
    "en passant that is taken": ("Ke1 ke10 Pe6 pd6 qd10", "", "d7d8", "e6d7", "0"),
    "en passant opens the file": ("Ke1 ke10 Pe6 pd6 qd10 Rd1", "", "d7d8", "e6d7", "P"),
}


def expected(inner, formula):
    """The centipawns of a formula of letters; D9 is what a rook gains as a dragon, G9 a pawn as a gilding."""
    values, letters = capture_values(inner), [piece.letter for piece in inner.description.pieces]
    board = dict(zip(letters, map(int, inner.weights["board"]), strict=False))
    if {"D", "G"} <= {*board}:
        values["D9"], values["G9"] = board["D"] - board["R"], board["G"] - board["P"]
    terms = formula.replace(" ", "").replace("-", "+-").split("+")
    total = 0
    for term in filter(None, terms):
        sign, name = (-1, term[1:]) if term[0] == "-" else (1, term)
        total += sign * (0 if name == "0" else values[name])
    return total


@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("name", EXCHANGES)
def test_exchange_by_hand(name, mirrored):
    men, hand, crossed, text, formula = EXCHANGES[name]
    inner, fen = inside("pandemonium"), setup(men, hand, crossed=crossed)
    if mirrored:
        fen, text = mirror_fen(fen), mirror_move(text)
    position = Position("pandemonium", fen)
    inner.show(position)
    assert inner.worth(position.parse_move(text).code) == expected(inner, formula)


@pytest.mark.parametrize(
    ("fen", "text", "formula"),
    [
        ("4k3/8/8/8/8/8/3N4/3RK3 w - - 0 1", "d1d2", "-N"),
        ("3rk3/8/8/8/8/8/3N4/3R3K w - - 0 1", "d1d2", "-N - R"),
        ("4k3/8/8/8/8/8/3n4/3RK3 w - - 0 1", "d1d2", "N"),
        ("3rk3/8/8/8/8/8/3p4/3R3K w - - 0 1", "d1d2", "P - R"),
        ("3r3k/3n4/8/8/8/8/8/3RK3 b - - 0 1", "d8d7", "-N - R"),
    ],
)
def test_own_piece_that_is_captured_counts_as_lost(fen, text, formula):
    inner, position = inside("selfcapture"), Position("selfcapture", fen)
    inner.show(position)
    assert inner.worth(position.parse_move(text).code) == expected(inner, formula)


def test_values_grow_as_the_positions_by_hand_assume():
    values = capture_values(inside("pandemonium"))
    assert 0 < values["P"] < values["N"] < values["R"] < values["Q"]


def test_castling_and_passing_exchange_nothing():
    for variant, fen, text in (
        ("pandemonium", "4k5/10/10/10/10/10/10/10/10/R3K4R[] w KQ - 0 1", "e1h1"),
        ("janggi", "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1", "e1e1"),
    ):
        position, inner = Position(variant, fen), inside(variant)
        inner.show(position)
        assert inner.worth(position.parse_move(text).code) == 0


def test_exchanges_are_the_same_for_both_colours():
    inner, met = inside("pandemonium"), set()
    for stored in stored_positions("pandemonium")[:60]:
        position = Position("pandemonium", stored["fen"])
        mirrored = Position("pandemonium", mirror_fen(stored["fen"]))
        moves = [move for move in position.legal_moves() if not move.is_castling]
        inner.show(position)
        worths = [inner.worth(move.code) for move in moves[:: 1 + len(moves) // 40]]
        inner.show(mirrored)
        for move, worth in zip(moves[:: 1 + len(moves) // 40], worths, strict=True):
            assert inner.worth(mirrored.parse_move(mirror_move(str(move))).code) == worth, (
                stored["fen"],
                move,
            )
            met.add(worth)
    assert len(met) > 30


def test_higher_threshold_is_never_easier():
    inner, thresholds = inside("crazyhouse"), np.arange(-1_500, 1_500, 25)
    for position in walked("crazyhouse", (None,), 12, seed=2):
        for move in inner.show(position)[::4]:
            reached = [inner.see_ge(move, threshold) for threshold in thresholds]
            assert reached == sorted(reached, reverse=True)
            assert reached[0] or inner.worth(move) < -1_500
