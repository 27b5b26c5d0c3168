"""The referee itself is checked against positions whose moves were counted by other programs."""

import pytest
from surajang.tests.games import stored_positions
from surajang.tests.referee import Referee

VECTORS = stored_positions("pandemonium")
# Leaves that the slow model still counts in a second or two.
COUNTABLE = 5000


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["fen"])
def test_referee_knows_every_legal_move(vector):
    assert Referee(vector["fen"]).legal_moves() == vector["moves"]


@pytest.mark.parametrize(
    "vector",
    [vector for vector in VECTORS if vector["perft2"] and vector["perft2"] < COUNTABLE],
    ids=lambda vector: vector["fen"],
)
def test_referee_counts_two_plies(vector):
    assert Referee(vector["fen"]).perft(2) == vector["perft2"]


@pytest.mark.parametrize("depth, count", [(1, 38), (2, 1_444), (3, 60_537)])
def test_referee_counts_from_the_start(depth, count):
    assert Referee().perft(depth) == count


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["fen"])
def test_referee_writes_the_squares_it_reads(vector):
    board, turn, _, crossed, *_ = Referee(vector["fen"]).fen().split()
    expected, side, _, expected_crossed, *_ = vector["fen"].split()
    assert [board.split("[")[0], turn, crossed] == [expected.split("[")[0], side, expected_crossed]
    assert sorted(board.split("[")[1]) == sorted(expected.split("[")[1])
