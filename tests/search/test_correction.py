"""Corrections that the search learns for the static evaluation, and which positions share them."""

import numpy as np
import pytest
from surajang import Position
from surajang.search.tree.correction import ENEMY_PIECES, HANDS, OWN_PIECES
from surajang.tests.support.inside import Inside, walked

pytestmark = pytest.mark.compiled

BEFORE = "4k3/p7/8/8/6r1/8/1P6/4K2N w - - 0 1"
PAWNS_ELSEWHERE = "4k3/8/p7/8/2P3r1/8/8/4K2N w - - 0 1"
KNIGHT_ELSEWHERE = "4k3/p7/8/8/N5r1/8/1P6/4K3 w - - 0 1"
ROOK_ELSEWHERE = "4k3/p7/8/8/2r5/8/1P6/4K2N w - - 0 1"


def rows(inside, position):
    """The rows by the pieces of the side to move and of the other one."""
    inside.show(position)
    inside.corrected(0)
    keys = inside.worker["correction_keys"][0]
    return int(keys[OWN_PIECES]), int(keys[ENEMY_PIECES])


@pytest.fixture
def chess():
    return Inside("chess")


def test_other_placements_of_pieces_are_distinguished_but_not_of_pawns(chess):
    own, enemy = rows(chess, Position("chess", BEFORE))
    assert rows(chess, Position("chess", PAWNS_ELSEWHERE)) == (own, enemy)
    moved, same = rows(chess, Position("chess", KNIGHT_ELSEWHERE))
    assert moved != own and same == enemy
    same, moved = rows(chess, Position("chess", ROOK_ELSEWHERE))
    assert same == own and moved != enemy


def test_every_square_of_a_piece_and_every_piece_of_a_square_has_a_row_of_its_own(chess):
    found = set()
    for kind in "NBRQ":
        for rank in range(1, 7):
            for file in range(8):
                board = ["4k3", *["8"] * 6, "4K3"]
                board[rank] = f"{file or ''}{kind}{7 - file or ''}"
                found.add(rows(chess, Position("chess", f"{'/'.join(board)} b - - 0 1"))[1])
    assert len(found) >= 4 * 48 - 6  # two, by chance


def test_correction_is_larger_for_the_same_pieces(chess):
    chess.show(Position("chess", BEFORE))
    assert chess.corrected(50) == 50
    for _ in range(20):
        chess.learn(8, 200)
    same = chess.corrected(50)
    chess.show(Position("chess", PAWNS_ELSEWHERE))
    assert chess.corrected(50) == same > 60
    for fen in (KNIGHT_ELSEWHERE, ROOK_ELSEWHERE):
        chess.show(Position("chess", fen))
        assert 50 < chess.corrected(50) < same


def placed(position, spared):
    """The pieces of the side to move with their squares, except the spared letters."""
    found = ((square, position.letter_at(square)) for square in range(position.rules.squares))
    mine = str.islower if position.turn else str.isupper
    return tuple(
        (s, letter) for s, letter in found if letter and mine(letter) and letter.upper() not in spared
    )


@pytest.mark.parametrize("variant, spared", [("capablanca", "P"), ("janggi", "")])
def test_rows_distinguish_the_places_of_pieces(variant, spared):
    """Two of that many placements share one of 8192 rows by chance in `likely` cases."""
    inside, row_of = Inside(variant), {}
    for position in walked(variant, [None], 400, seed=3):
        key = position.turn, placed(position, spared)
        assert row_of.setdefault(key, rows(inside, position)[0]) == rows(inside, position)[0]
    likely = len(row_of) ** 2 / 2 / 8192
    assert len(row_of) > 200
    assert len(row_of) - len(set(row_of.values())) < 2.5 * likely


@pytest.mark.parametrize(
    "variant, unused",
    [
        ("chess", [HANDS]),
        ("crazyhouse", [OWN_PIECES, ENEMY_PIECES]),
        ("chaotic", [HANDS, OWN_PIECES, ENEMY_PIECES]),
    ],
)
def test_a_game_learns_in_the_tables_that_it_reads(variant, unused):
    inside = Inside(variant)
    inside.show(Position(variant))
    inside.corrected(0)
    inside.learn(8, 200)
    learnt = np.abs(inside.worker["correction"].astype(int)).sum(axis=(0, 2))
    assert [table for table, total in enumerate(learnt) if total == 0] == unused
