"""Games that Fairy-Stockfish knows, shipped and imported ones, compared with it: perft and random games."""

import random
import re
from collections import Counter

import pyffish
import pytest
from surajang.bench.speed.coverage_command import PyffishReferee, compare, leaves
from surajang.board.tree import Tree
from surajang.engine.definition.catalogue import load
from surajang.engine.fairy_ini.importing import import_text
from surajang.engine.position import Position
from surajang.engine.variant import Variant
from surajang.protocol.uci.notation import UciNotation
from surajang.tests.support.soak_judges import configure

pytestmark = pytest.mark.compiled

PERFT = {
    "shogi": (30, 900, 25_470),
    "xiangqi": (44, 1_920, 79_666),
    "makruk": (23, 529, 12_012),
    "kingofthehill": (20, 400, 8_902),
    "knightmate": (18, 324, 6_765),
    "minixiangqi": (19, 331, 6_664),
    "euroshogi": (25, 625, 15_424),
    "cannonshogi": (48, 2_183, 118_459),
    "placement": (40, 1_600, 50_560),
}
GAMES, PLIES = 6, 80
# Hoppers, drops, a drop that must not mate, checks that count and a goal, all together
MIXTURE = """
[mixture:minishogi]
silver = -
gold = -
customPiece1 = c:mRcpR
customPiece2 = g:WfF
customPiece3 = l:fR
promotedPieceType = p:g l:g b:h r:d
checkCounting = true
flagPiece = k
flagRegionWhite = *5
flagRegionBlack = *1
startFen = rbcgk/3lp/5/PL3/KGCBR[-] w - - 5+5 0 1
"""


# Games whose rules are mechanics of their own, changed a little
HEIRS = """
[antichess-heir:antichess]
customPiece1 = a:BN
startFen = rabqkbar/pppppppp/8/8/8/8/PPPPPPPP/RABQKBAR w - - 0 1
[atomic-heir:atomic]
startFen = r3k2r/p1pp1pp1/8/1P4P1/1p4p1/8/P1PP1PP1/R3K2R w KQkq - 0 1
[horde-heir:horde]
startFen = 4k3/pp3ppp/8/1PP2PP1/8/PPPPPPPP/PPPPPPPP/PPPPPPPP w - - 0 1
[racingkings-heir:racingkings]
startFen = 8/8/8/8/K6k/1r4R1/1b4B1/1n4N1 w - - 0 1
[threekings-heir:threekings]
startFen = k2k3k/pppppppp/2q5/8/8/5Q2/PPPPPPPP/K3K2K w - - 0 1
[queens-heir:chess]
mustCapture = true
extinctionValue = loss
extinctionPieceTypes = qr
"""


@pytest.fixture(scope="module")
def heirs(tmp_path_factory):
    """Name -> the file of a game of HEIRS."""
    pyffish.load_variant_config(HEIRS)
    folder = tmp_path_factory.mktemp("heirs")
    found = import_text(HEIRS, "heirs.ini")
    for name, game in found.items():
        (folder / f"{name}.toml").write_text(game.toml)
    return {name: folder / f"{name}.toml" for name in found}


@pytest.mark.slow
@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("name", re.findall(r"\[(\S+):", HEIRS))
def test_heir_of_a_game_with_mechanics_is_fairy_stockfishs(name, heirs):
    difference, compared = compare(heirs[name], PyffishReferee(pyffish, name), GAMES, depth=2, longest=PLIES)
    assert difference is None
    assert compared > 50


@pytest.fixture(scope="module")
def mixture(tmp_path_factory):
    """The file of the game made of MIXTURE."""
    pyffish.load_variant_config(MIXTURE)
    path = tmp_path_factory.mktemp("games") / "mixture.toml"
    path.write_text(import_text(MIXTURE, "mixture.ini")["mixture"].toml)
    return path


@pytest.mark.parametrize("variant", PERFT)
def test_game_that_is_shipped_is_fairy_stockfishs(variant, seldom_compiled):
    configure()
    position = Position(variant)
    assert tuple(leaves(position, depth) for depth in (1, 2, 3)) == PERFT[variant]
    referee = PyffishReferee(pyffish, variant)
    difference, compared = compare(load(variant).path, referee, GAMES, depth=1, longest=PLIES)
    assert difference is None
    assert compared > 200


def test_game_that_is_imported_is_fairy_stockfishs(mixture):
    difference, compared = compare(mixture, PyffishReferee(pyffish, "mixture"), 14, depth=2)
    assert difference is None
    assert compared > 500


@pytest.mark.usefixtures("interpreted")
def test_checked_king_that_may_only_capture_is_fairy_stockfishs(tmp_path):
    path = tmp_path / "makpong-here.toml"
    path.write_text(import_text("[makpong-here:makpong]\n", "v.ini")["makpong-here"].toml)
    difference, compared = compare(path, PyffishReferee(pyffish, "makpong"), 8, depth=2)
    assert difference is None
    assert compared > 500


def test_game_that_is_imported_ends_by_checks_goals_and_mates(mixture):
    ends, chance = Counter(), random.Random(3)
    for _ in range(150):
        position = Position(str(mixture))
        while position.result() is None and position.ply < 200:
            position.push(chance.choice(sorted(map(str, position.legal_moves()))))
        ends[position.result().reason.split(" ", 1)[1] if position.result() else "none"] += 1
    assert ends["has given enough checks"] and ends["reaches the goal"] and ends["mates"], ends


def test_position_in_which_all_checks_were_given_is_over(mixture):
    position = Position(str(mixture), "4k/5/5/5/KR3[] w - - 1+5 3 9")
    position.push("b1b5")
    assert position.result() == ("1-0", "White has given enough checks")
    again = Position(str(mixture), position.fen())
    assert (again.fen(), again.result(), again.key) == (position.fen(), position.result(), position.key)
    assert again.legal_moves() == []


def test_game_on_the_board_is_numbered_behind_a_count_of_checks(mixture):
    tree = Tree(Variant(mixture), "4k/5/5/5/KR3[] w - - 1+5 3 9")
    assert tree.as_json()["firstNumber"] == 9


@pytest.mark.parametrize(
    "fen, legal",
    [
        ("4k/3r1/3CG/5/K4[P] w - - 5+5 0 1", True),  # the king escapes
        ("k4/2B2/1G3/5/4K[P] w - - 5+5 0 1", False),  # nobody takes the pawn, the gold guards it
        ("k4/5/1G3/5/4K[P] w - - 5+5 0 1", True),
    ],
)
def test_pawn_drop_must_not_mate_where_moves_are_tried(mixture, fen, legal):
    position = Position(str(mixture), fen)
    assert not position.rules.by_pins
    king = fen.split("/")[0]
    drop = "P@e4" if king.endswith("k") else "P@a4"
    assert (drop in map(str, position.legal_moves())) == legal
    theirs = PyffishReferee(pyffish, "mixture")
    written = UciNotation(position.description).write_fen(position.fen())
    assert drop in theirs.moves(written)
    assert theirs.mates_by_drop(written, drop) != legal
