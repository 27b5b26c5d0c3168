"""Checks that the search expects of moves, against the positions that the moves lead to."""

from functools import cache

import numpy as np
import pytest
from surajang.engine.moving.movegen import check
from surajang.tests.games import setup
from surajang.tests.inside import Inside, codes, walked

pytestmark = pytest.mark.compiled

# Games of plain pieces: leapers and sliders on whole lines.
BEGINNINGS = {
    "pandemonium": (None, setup("Ke3 kf8 Pd3 Rb9 Bc9 Nh8 pd8 pj2", "QMCRBNP" * 2 + "qmcrbnp" * 2)),
    "crazyhouse": (None, "r1bqk2r/p4p1p/2n2n2/8/8/2N2N2/P4P1P/R1BQK2R[QRBNPqrbnp] w KQkq - 0 1"),
    "chess": (None, "r3k2r/P1pp4/8/2Pp4/8/8/p1PP4/R3K2R w KQkq - 0 1", "4k3/3p4/8/8/4N3/8/8/K3R3 w - - 0 1"),
    "capahouse": (
        "r4k3r/P1pp1ppp2/10/10/10/10/p1PP1PPP2/R4K3R[QCANqcan] w KQkq - 0 1",
        "4k5/3p6/10/10/4N5/10/10/K3R5[QCANqcan] w - - 0 1",
    ),
    "minishogi": ("2k2/P4/5/4p/2K2[RBGSrbgs] w - - 0 1", "2k2/5/2S2/2R2/2K2[RBGSrbgs] w - - 0 1"),
}
every_game = pytest.mark.parametrize("variant", BEGINNINGS)
with_drops = pytest.mark.parametrize("variant", [game for game in BEGINNINGS if game != "chess"])


@cache
def inside(variant):
    return Inside(variant)


@cache
def positions(variant):
    return walked(variant, BEGINNINGS[variant], 120, seed=11)


def is_behind(position, move):
    """Whether a move starts between its target and the enemy king, on one line."""
    files = position.rules.files
    king = int(position.state["kings"][1 - position.turn])
    source, target = move.from_square, move.to_square
    (x, y), (u, v) = (
        (square % files - source % files, square // files - source // files) for square in (king, target)
    )
    return x * v == y * u and x * u + y * v < 0


@every_game
def test_move_checks_directly_when_it_is_said_to(variant):
    """All but checks through the square that a promoting piece has just left."""
    inner, met, backwards = inside(variant), 0, 0
    for position in positions(variant):
        moves = position.legal_moves()
        inner.show(position)
        _, _, direct = inner.judged(codes(moves))
        for move, said in zip(moves, direct, strict=True):
            checkers = inner.checkers(inner.after(position, move.code))
            checks = move.to_square in checkers and not move.is_castling
            if checks and not said and move.is_promotion and is_behind(position, move):
                backwards += 1
                continue
            assert said == checks, (position.fen(), str(move))
            met += checks
    assert met > 100
    assert backwards < met // 20


@every_game
def test_discovered_checks_are_no_direct_ones(variant):
    """They occur in the positions of the test above, so that it would see them counted."""
    inner, discovered = inside(variant), 0
    for position in positions(variant):
        for move in position.legal_moves():
            checkers = inner.checkers(inner.after(position, move.code))
            discovered += bool(checkers) and move.to_square not in checkers
    assert discovered > 0


@with_drops
def test_listed_checking_drops_are_all_that_there_are(variant):
    """All but those of a piece that may not mate."""
    inner, met = inside(variant), 0
    for position in positions(variant):
        if position.is_check():
            continue
        spared = {piece.letter for piece in position.description.pieces if piece.no_drop_mate}
        checking = []
        for move in position.legal_moves():
            if not move.is_drop or str(move)[0] in spared:
                continue
            if check(inner.rules, inner.after(position, move.code)):
                checking.append(move)
        inner.show(position)
        listed = inner.checking_drops()
        assert np.array_equal(np.sort(listed), np.sort(codes(checking))), position.fen()
        met += len(listed)
    assert met > 100
