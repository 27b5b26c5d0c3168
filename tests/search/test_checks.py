"""The search's prediction of checks, compared with the positions after the moves."""

from functools import cache

import numpy as np
import pytest
from surajang.engine.game.moves import ACTION_SHIFT, ACTIONS, EN_PASSANT
from surajang.search.tree.tunable import tuned_values
from surajang.tests.support.games import setup
from surajang.tests.support.inside import Inside, codes, walked

pytestmark = pytest.mark.compiled

ODD = ("janggi", "xiangqi", "cannonshogi", "chaotic", "grasshopper")  # lame leapers, hoppers, pawns that push
# Pushes of others; what sliders uncover where there are drops; a hop over the king to a screen for another
LOOSE = ("chaotic", "cannonshogi", "grasshopper")
BEGINNINGS = {
    "pandemonium": (None, setup("Ke3 kf8 Pd3 Rb9 Bc9 Nh8 pd8 pj2", "QMCRBNP" * 2 + "qmcrbnp" * 2)),
    "crazyhouse": (None, "r1bqk2r/p4p1p/2n2n2/8/8/2N2N2/P4P1P/R1BQK2R[QRBNPqrbnp] w KQkq - 0 1"),
    "chess": (None, "r3k2r/P1pp4/8/2Pp4/8/8/p1PP4/R3K2R w KQkq - 0 1", "4k3/3p4/8/8/4N3/8/8/K3R3 w - - 0 1"),
    "minishogi": ("2k2/P4/5/4p/2K2[RBGSrbgs] w - - 0 1", "2k2/5/2S2/2R2/2K2[RBGSrbgs] w - - 0 1"),
    "shogi": (None, "4k4/9/9/4N4/4L4/9/9/9/4K4[RBGSNLPrbgsnlp] w - - 0 1"),
    "grasshopper": (
        "g2gk2g/5G2/2p2g2/2G1n3/3G4/2N1gP2/1G6/4K2R w - - 0 1",
        "7k/8/5Gn1/8/3G4/G7/8/K7 w - - 0 1",
        "8/2G1k1G1/3b1n2/1Q1r1N2/2G1B1G1/4R3/1G6/K6G b - - 0 1",
    ),
    "janggi": (
        None,
        "3k5/R8/9/4c4/2p1P4/9/4C4/9/4A4/4K3R w - - 0 1",
        "4k4/3R5/3N5/9/9/9/9/9/3K5/9 w - - 0 1",  # the chariot in the horse's way
    ),
    "xiangqi": (None, "3ak4/9/4N4/4c4/4C4/9/9/9/9/3K4R w - - 0 1"),
    "cannonshogi": (None,),
    "chaotic": (None, "2k2P2/8/2AP4/3N4/1PPp4/P7/3P4/2r1P2K w - - 34 69"),
}
every_game = pytest.mark.parametrize("variant", BEGINNINGS)
with_drops = pytest.mark.parametrize(
    "variant", ["pandemonium", "crazyhouse", "minishogi", "shogi", "cannonshogi"]
)


@cache
def inside(variant):
    return Inside(variant)


@cache
def positions(variant):
    return walked(variant, BEGINNINGS[variant], 120, seed=11)


def towards_king(position, square):
    """Files and ranks from a square to the enemy king."""
    files = position.rules.files
    king = int(position.state["kings"][1 - position.turn])
    return king % files - square % files, king // files - square // files


def is_in_line(position, square):
    """Whether a square and the enemy king share a rank, a file or a diagonal."""
    x, y = towards_king(position, square)
    return x == 0 or y == 0 or abs(x) == abs(y)


@every_game
def test_move_is_said_to_check_when_it_does(variant):
    """All but checks through the square that the piece has just left, by a castling rook, past a pawn taken
    in passing, of what a merchant sets free; in games with drops all that a piece uncovers. Some are said
    to check that leave a line along it."""
    inner, met, missed, wrong = inside(variant), 0, 0, 0
    uncovering = tuned_values(inner.rules)["uncovering"]
    for position in positions(variant):
        moves = position.legal_moves()
        inner.show(position)
        _, _, expected = inner.judged(codes(moves))
        for move, said in zip(moves, expected, strict=True):
            checkers = inner.checkers(inner.after(position, move.code))
            checks = bool(checkers) and bool(uncovering or move.to_square in checkers or variant in ODD)
            if checks and not said:
                special = (
                    move.is_promotion or move.is_castling or move.code >> ACTION_SHIFT & ACTIONS == EN_PASSANT
                )
                back = move.to_square in checkers and is_in_line(position, move.from_square)
                assert special or back or variant in LOOSE, (position.fen(), str(move))
                missed += 1
            elif said and not checks:
                along = not move.is_drop and is_in_line(position, move.from_square)
                assert along or variant in ODD, (position.fen(), str(move))
                wrong += 1
            met += checks
    assert met > 60
    assert missed <= met // (10 if variant in ODD else 20) and wrong <= met // 4, (met, missed, wrong)


@every_game
def test_checks_are_met_that_no_piece_gives_from_its_target(variant):
    """They occur in the positions of the test above, which would notice if they were missed."""
    inner, uncovered = inside(variant), 0
    for position in positions(variant):
        for move in position.legal_moves():
            checkers = inner.checkers(inner.after(position, move.code))
            uncovered += bool(checkers) and move.to_square not in checkers
    assert uncovered > 0


@with_drops
def test_listed_checking_drops_are_all_that_there_are(variant):
    """All except those of a piece that may not mate."""
    inner, met = inside(variant), 0
    for position in positions(variant):
        if position.is_check():
            continue
        spared = {piece.letter for piece in position.description.pieces if piece.no_drop_mate}
        checking = []
        for move in position.legal_moves():
            if not move.is_drop or str(move)[0] in spared:
                continue
            if position.gives_check(move):
                checking.append(move)
        inner.show(position)
        listed = inner.checking_drops()
        assert np.array_equal(np.sort(listed), np.sort(codes(checking))), position.fen()
        met += len(listed)
    assert met > 100
