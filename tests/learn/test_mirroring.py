"""The features of a position seen by the other side, and of the mirrored position."""

import random
from functools import cache

import numpy as np
import pytest
from surajang import Position
from surajang.engine.definition import fen as fens
from surajang.engine.definition.catalogue import load
from surajang.engine.game.description import FILE_LETTERS
from surajang.engine.variant import Variant
from surajang.eval.network.features import features_for, write_active_features
from surajang.learn.training.mirroring import anchors, is_mirror_symmetric, mirrored, other_side

pytestmark = pytest.mark.compiled

SYMMETRIC = ("crazyhouse", "pandemonium", "janggi", "minishogi", "xxl")


def features_of(position, perspective):
    features = features_for(position.variant)
    found = np.zeros(features.most, np.uint16)
    count = write_active_features(features, np.array([position.state]), perspective, found)
    return found[:count]


CASTLED = "r1bq1rk1/pppppppp/2n2n2/8/8/2N2N2/PPPPPPPP/R1BQ1RK1[BPbp] w - - 0 1"  # the start of crazyhouse
GATES = "r1bq1rk1/pppppppp/2n2n2/8/8/2N2N2/PPPPPPPP/R1BQ1RK1[HEhe] w ACDacd - 0 1"
WALL = "r1bq1rk1/pppppppp/2n2n2/8/8/2N2N2/PPPPPPPP/R1BQ1RK1 w - - 0 1"


@cache
def walk(variant, moves=60, start=None):
    """Positions of a random game."""
    rng, position, found = random.Random(variant), Position(variant, start), []
    while len(found) < moves and not position.result():
        found.append(position.fen())
        position.push(rng.choice(sorted(position.legal_moves(), key=str)))
    return [Position(variant, fen) for fen in found]


def mirrored_fen(position):
    """The position with its files mirrored, without castling rights, but with its gates."""
    board, turn, gates, *_ = position.fen().split()
    board, _, hands = board.partition("[")
    description = position.description
    files = FILE_LETTERS[: description.files] + FILE_LETTERS[: description.files].upper()
    turned = str.maketrans(files, files[::-1].swapcase())
    gates = gates.translate(turned) if description.gates else "-"
    setup = fens.parse(position.fen(), description)
    squares = {**setup.board, **dict.fromkeys(setup.walls, (0, "*"))}
    squares = {
        square - square % description.files + description.files - 1 - square % description.files: piece
        for square, piece in squares.items()
    }
    rows = []
    for rank in reversed(range(description.ranks)):
        row, gap = "", 0
        for file in range(description.files):
            piece = squares.get(rank * description.files + file)
            if piece is None:
                gap += 1
                continue
            side, letter = piece
            row += (str(gap) if gap else "") + (letter if side == 0 else letter.lower())
            gap = 0
        rows.append(row + (str(gap) if gap else ""))
    return "/".join(rows) + ("[" + hands if hands else "") + f" {turn} {gates} - 0 1"


@pytest.mark.parametrize(
    "variant", ["crazyhouse", "pandemonium", "janggi", "chess", "minishogi", "seirawan", "3check", "duck"]
)
def test_other_side_s_features_follow_from_the_mover_s(variant):
    table = other_side(Variant(variant))
    for position in walk(variant):
        assert sorted(table[features_of(position, 0)]) == sorted(features_of(position, 1))
    assert np.array_equal(table[table], np.arange(len(table)))


@pytest.mark.parametrize(
    ("variant", "start"),
    [("crazyhouse", CASTLED), ("janggi", None), ("minishogi", None), ("seirawan", GATES), ("duck", WALL)],
)
def test_mirrored_features_are_those_of_the_mirrored_position(variant, start):
    table, fixed, tried = mirrored(Variant(variant)), anchors(Variant(variant)), 0
    for position in walk(variant, start=start):
        found = features_of(position, 0)
        if not fixed[found].any():
            other = Position(variant, mirrored_fen(position))
            assert sorted(table[found]) == sorted(features_of(other, 0))
            tried += 1
    assert tried > 20


def test_position_is_not_mirrored_while_a_king_may_stand_where_it_castles_from():
    fixed = anchors(Variant("crazyhouse"))

    def may_be_mirrored(fen):
        position = Position("crazyhouse", fen)
        return not any(fixed[features_of(position, side)].any() for side in range(2))

    assert may_be_mirrored("2k5/8/8/8/8/8/8/6K1[] w - - 0 1")
    assert not may_be_mirrored("2k5/8/8/8/8/8/8/4K3[] w - - 0 1")
    assert not may_be_mirrored("2k5/8/8/8/8/8/8/3K4[] w - - 0 1")
    assert not may_be_mirrored("4k3/8/8/8/8/8/8/6K1[] w - - 0 1")
    assert not may_be_mirrored("r3k2r/8/8/8/8/8/8/R5K1[] w kq - 0 1")


def test_positions_with_checks_given_may_be_mirrored():
    position = Position("3check", "2k5/8/8/8/8/8/8/6K1 w - - 1+2 0 1")
    assert len(features_of(position, 0)) > 2
    assert not anchors(Variant("3check"))[features_of(position, 0)].any()


def test_games_that_distinguish_left_and_right_are_never_mirrored(tmp_path):
    path = tmp_path / "lefty.toml"
    path.write_text(
        'extends = "minishogi"\nname = "lefty"\ntitle = "Lefty"\n[pieces]\nG = { moves = "fWlW" }\n'
    )
    assert not is_mirror_symmetric(load(str(path)))
    assert anchors(Variant(path)).all()
    assert all(is_mirror_symmetric(load(variant)) for variant in SYMMETRIC)
