"""Rifle captures, changes of colour, cells and checks that must mate, beside a model on python-chess and the
leaves that the boards of Cute Chess 1.5.1 count."""

import random

import pytest
from surajang import Position
from surajang.bench.speed.coverage_command import leaves
from surajang.engine.movegen.perft import perft
from surajang.tests.support.chess_relatives import RELATIVES, ChessRelative
from surajang.tests.support.games import COMPILED_GAMES

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

# Leaves after three plies from the start, by the boards of Cute Chess 1.5.1
LEAVES = {
    **{"rifle": 8_902, "shoot": 8_067, "andernach": 8_902, "antiandernach": 9_336, "superandernach": 9_425},
    **{"grid": 8_342, "displacedgrid": 2_118, "slippedgrid": 8_422, "checkless": 8_890},
    **{"berolina": 28_328, "gridolina": 26_948},
}
# After four plies, from the start and an ending, as Cute Chess's own tests have them
TWO_KINGS_ENDING = "8/8/p1k5/1p1r1K1p/1P5P/P1K5/8/8 b - - 0 121"
FOUR_PLIES = [
    ("twokings", None, 192_312),
    ("twokings", TWO_KINGS_ENDING, 36_828),
    ("twokingssymmetric", None, 192_332),
]
COMPILED = COMPILED_GAMES.union({"twokings"})
GAMES, LONGEST = 3, 120  # random games, one where they are interpreted


@pytest.fixture(autouse=True)
def _seldom_compiled(request):
    if "name" in request.fixturenames and request.getfixturevalue("name") not in COMPILED:
        request.getfixturevalue("interpreted")


@pytest.mark.parametrize("name", LEAVES)
def test_start_has_the_leaves_of_cute_chess(name):
    count = leaves if name in COMPILED else perft
    assert count(Position(name), 3) == LEAVES[name]


@pytest.mark.parametrize(("name", "fen", "count"), FOUR_PLIES)
def test_two_kings_have_the_leaves_of_cute_chess(name, fen, count):
    assert leaves(Position(name, fen), 4) == count


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/4k3/8/8/8/8/4r3/R3K2R w KQ - 0 1",  # one king is left
        "4k3/4k3/8/8/4r3/8/8/1K2K2R w K - 0 1",  # a king that is not royal does not castle out of an attack
        "4k3/4k3/8/8/6r1/8/8/1K2K2R w K - 0 1",  # but into one
        "4k3/4k3/8/8/1r6/8/8/1K2K2R w K - 0 1",  # the royal king is in check
        "8/8/8/3r4/3k4/3k4/8/1K6 b - - 0 1",  # on one file
        "8/8/8/3R4/3k4/3k4/8/1K6 b - - 0 1",
        "8/8/8/3k4/3k4/3R4/8/1K6 b - - 0 1",
        "8/8/8/8/2k5/3k4/3K4/1K5r w - - 0 1",  # kings take kings
    ],
)
@pytest.mark.parametrize("name", ["twokings", "twokingssymmetric"])
def test_one_of_two_kings_is_royal(interpreted, name, fen):
    position, model = Position(name, fen), ChessRelative(name, fen)
    assert {str(move) for move in position.legal_moves()} == set(model.replies())


@pytest.mark.parametrize("name", ["twokings", "twokingssymmetric"])
def test_move_of_the_other_king_ends_castling(interpreted, name):
    """As on Cute Chess's boards, where a tournament found it."""
    fen = "1k2k2r/7p/8/8/8/8/7P/1K2K2R w Kk - 0 1"
    for moves, legal in ((("h2h3",), True), (("h2h3", "b8a8", "h3h4"), False), (("b1a1", "h7h6"), False)):
        position = Position(name, fen)
        for move in moves:
            position.push(move)
        castling = "e1g1" if position.turn == 0 else "e8g8"
        assert (castling in {str(move) for move in position.legal_moves()}) == legal, moves


@pytest.mark.parametrize("name", RELATIVES)
def test_random_games_are_those_of_the_model(name):
    chance, compared = random.Random(name), 0
    for _ in range(GAMES if name in COMPILED else 1):
        position, model = Position(name), ChessRelative(name)
        while position.ply < LONGEST:
            result = position.result()
            assert (result and result.score) == model.result(), position.fen()
            if result:
                break
            assert {str(move) for move in position.legal_moves()} == set(model.replies()), position.fen()
            captures = [move for move in position.legal_moves() if position.is_capture(move)]
            text = str(
                chance.choice(captures if captures and chance.random() < 0.3 else position.legal_moves())
            )
            position.push(text)
            model.push(text)
            compared += 1
    assert compared > 50


@pytest.mark.parametrize(
    ("name", "fen", "illegal"),
    [
        ("checkless", "8/4K3/8/1k4p1/3b4/1b6/4p3/8 b - - 13 80", "e2e1q"),  # checks along the pawn's file
        ("rifle", "1r5k/P7/8/8/8/8/8/K7 w - - 0 1", "a7b8q"),  # no promotion by a capture
        ("andernach", "4k3/8/8/2KpP3/8/8/8/8 w - d6 0 1", "e5d6"),  # the captor would check its own king
        ("grid", "4k3/8/8/8/8/8/2r5/2K5 w - - 0 1", "c1d2"),  # within the cell
    ],
)
def test_move_that_random_games_seldom_meet_is_illegal(interpreted, name, fen, illegal):
    position = Position(name, fen)
    moves = {str(move) for move in position.legal_moves()}
    assert moves == set(ChessRelative(name, fen).replies())
    assert perft(position, 1) == len(moves)  # none of them twice
    assert moves and illegal not in moves
