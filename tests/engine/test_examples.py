"""The example games against Fairy-Stockfish: legal moves, checks and perft.

Fairy-Stockfish marks a promoted piece of minishogi by a plus sign, and it lets a pawn drop mate, which the
rules of minishogi forbid: exactly those drops, by its own judgement, must be missing here.
"""

import itertools
import random
import re
from collections import Counter

import pyffish
import pytest
from surajang.bench.speed.coverage_command import leaves
from surajang.engine.position import Position

pytestmark = pytest.mark.compiled

POSITIONS = 400
LONGEST = 60
PROMOTED = {"minishogi": {"D": "+R", "H": "+B", "N": "+S", "T": "+P"}}
PERFT = {
    "capablanca": (28, 784, 25_228),
    "capahouse": (28, 784, 25_228),
    "grand": (65, 4_225, 259_514),
    "shako": (58, 3_364, 185_938),
    "minishogi": (14, 181, 2_512),
}
# Random games begin at the start and, by turns, where castling is open and pawns may promote
OPEN = {
    "capablanca": "r4k3r/P1pp1ppp2/10/10/10/10/p1PP1PPP2/R4K3R w KQkq - 0 1",
    "capahouse": "r4k3r/P1pp1ppp2/10/10/10/10/p1PP1PPP2/R4K3R[QCANqcan] w KQkq - 0 1",
    "grand": "r8r/4k3P1/2pp2pp2/10/10/10/10/2PP2PP2/1p3K4/R8R w - - 0 1",
    "shako": "c2n5c/1r3k2rP/2pp2pp2/10/10/10/10/2PP2PP2/1R3K2Rp/C2N5C w KQkq - 0 1",
    "minishogi": "2k2/P4/5/4p/2K2[RBGSrbgs] w - - 0 1",
}
# What these games must have met besides: of these kinds of moves so many at least
MET = {
    "capablanca": {"castling": 5},
    "capahouse": {"castling": 5, "drop": 100},
    "grand": {},
    "shako": {"castling": 5},
    "minishogi": {"drop": 100, "mating pawn drop": 1},
}
ALWAYS = {"capture": 100, "promotion": 20, "check": 20}


def fairy_fen(game, fen):
    board, _, rest = fen.partition(" ")
    for letter, marked in PROMOTED.get(game, {}).items():
        board = re.sub(rf"(?<!\+){letter}", marked, board)
        board = re.sub(rf"(?<!\+){letter.lower()}", marked.lower(), board)
    return f"{board} {rest}"


def fairy_move(game, move):
    return re.sub("[a-z]$", "+", str(move)) if game in PROMOTED and move.is_promotion else str(move)


def kind_of(position, move):
    if move.is_drop:
        return "drop"
    if move.is_promotion:
        return "promotion"
    if move.is_castling:
        return "castling"
    return "quiet" if position.piece_at(move.to_square) is None else "capture"


def positions(game):
    """The positions of random games, each before its move; all kinds of moves have equal chances."""
    generator, found = random.Random(7), 0
    for fen in itertools.cycle([None, OPEN[game]]):
        position = Position(game, fen)
        while position.ply < LONGEST and position.result() is None:
            moves = sorted(position.legal_moves(), key=str)
            yield position, moves
            found += 1
            if found == POSITIONS:
                return
            kinds = {}
            for move in moves:
                kinds.setdefault(kind_of(position, move), []).append(move)
            kind = generator.choice(sorted(kinds)) if generator.random() < 0.6 else None
            position.push(generator.choice(kinds.get(kind, moves)))


def pawn_drop_that_checks(position):
    """The drop of a pawn before the enemy king, or None where that is off the board."""
    (king,) = position.pieces("K", 1 - position.turn)
    square = king + position.description.files * (2 * position.turn - 1)
    on_board = 0 <= square < position.description.squares
    return f"P@{position.square_name(square)}" if on_board else None


def mates(game, fen, move):
    """Whether Fairy-Stockfish sees that a move gives check and leaves no reply."""
    return pyffish.gives_check(game, fen, [move]) and not pyffish.legal_moves(game, fen, [move])


@pytest.mark.parametrize("game", PERFT)
def test_engine_and_fairy_stockfish_agree_in_random_games(game):
    met = Counter()
    for position, moves in positions(game):
        fen = fairy_fen(game, position.fen())
        theirs = set(pyffish.legal_moves(game, fen, []))
        if game == "minishogi":
            mating = {move for move in theirs & {pawn_drop_that_checks(position)} if mates(game, fen, move)}
            met["mating pawn drop"] += len(mating)
            theirs -= mating
        ours = {fairy_move(game, move) for move in moves}
        assert len(ours) == len(moves), position.fen()
        assert ours == theirs, position.fen()
        assert position.is_check() == pyffish.gives_check(game, fen, []), position.fen()
        met["check"] += position.is_check()
        met.update(kind_of(position, move) for move in moves)
    assert all(met[kind] >= least for kind, least in (ALWAYS | MET[game]).items()), met


@pytest.mark.parametrize("game", PERFT)
def test_engine_counts_from_the_start(game):
    position = Position(game)
    assert tuple(leaves(position, depth) for depth in (1, 2, 3)) == PERFT[game]


@pytest.mark.parametrize(
    "men, drops",
    [
        ("k4/5/1s3/2g2/K4", "a3 a4 b2 b4 b5 c3 c4 c5 d2 d3 d4 d5 e2 e3 e4 e5"),  # a2 would mate
        ("k4/5/1s3/2g2/KG3", "a2 a3 a4 b2 b4 b5 c3 c4 c5 d2 d3 d4 d5 e2 e3 e4 e5"),  # the gold takes it
        ("k4/5/5/2g2/K4", "a2 a3 a4 b2 b3 b4 b5 c3 c4 c5 d2 d3 d4 d5 e2 e3 e4 e5"),  # the king takes it
    ],
)
def test_pawn_drop_must_not_mate_in_minishogi(men, drops):
    moves = Position("minishogi", f"{men}[p] b - - 0 1").legal_moves()
    found = {str(move)[2:] for move in moves if move.is_drop}
    assert found == set(drops.split())


def test_no_second_pawn_on_a_file_in_minishogi():
    moves = Position("minishogi", "4k/5/P4/1Tp2/K4[P] w - - 0 1").legal_moves()
    assert {str(move)[2] for move in moves if move.is_drop} == set("bcde")
