"""Games that begin with drops: pieces that must be dropped, including the king, and the rules until then."""

import itertools
import pickle
import random

import pyffish
import pytest
from surajang import Engine, Position
from surajang.bench.speed.coverage_command import PyffishReferee, compare, leaves
from surajang.engine.definition.catalogue import load
from surajang.engine.fairy_ini.exporting import export
from surajang.engine.fairy_ini.importing import import_text
from surajang.engine.position import FenError, IllegalMoveError
from surajang.search.tree.tunable import TUNABLES, tuned_values

pytestmark = pytest.mark.compiled

PAWNS = "8/pppppppp/8/8/8/8/PPPPPPPP"
# A cannon in place of the queen: moves are tried one by one. Crazyhouse whose knights come back at once, and
# with castling by rooks that are dropped.
GAMES = """
[cannons:placement]
queen = -
customPiece1 = c:mRcpR
startFen = 8/pppppppp/8/8/8/8/PPPPPPPP/8[KCRRBBNNkcrrbbnn] w - - 0 1
promotionPieceTypes = rnb

[knightsfirst:crazyhouse]
mustDrop = true
mustDropType = n
castlingDroppedPiece = true

[open:placement]
pawn = -
dropRegionWhite = *1 *2 *3
dropRegionBlack = *8 *7 *6
startFen = 8/8/8/8/8/8/8/8[KQRBBNNkqrbbnn] w - - 0 1

[bishops:placement]
capturesToHand = true

[kinds:extinction]
pieceDrops = true
capturesToHand = true
"""


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    """Name -> file of each game in GAMES, which Fairy-Stockfish knows as well."""
    pyffish.load_variant_config(GAMES)
    folder = tmp_path_factory.mktemp("games")
    paths = {}
    for name, game in import_text(GAMES, "games.ini").items():
        paths[name] = folder / f"{name}.toml"
        paths[name].write_text(game.toml)
    return paths


def texts(position):
    return {str(move) for move in position.legal_moves()}


# A slow model of the rules of placement on the first rank


def completions(empty, hand, own):
    """Whether two bishops in total can end on squares of both colours, and the rest on the remaining ones."""
    bishops = [file for file, letter in own.items() if letter == "B"]
    for more in itertools.combinations(sorted(empty), hand.count("B")):
        if len({file % 2 for file in (*bishops, *more)}) == len(bishops) + len(more):
            return True
    return False


def drops_by_model(own, hand):
    """The drops, as letters and files, of a side with `own` pieces by file and a `hand` of letters."""
    empty = set(range(8)) - set(own)
    found = set()
    for letter in set(hand):
        rest = hand.replace(letter, "", 1)
        for file in empty:
            if completions(empty - {file}, rest, {**own, file: letter}):
                found.add(f"{letter}@{'abcdefgh'[file]}")
    return found


def test_drops_of_the_placement_are_those_of_a_slow_model():
    chance, refused = random.Random(11), 0
    for _ in range(40):
        position, sides = Position("placement"), ({}, {})
        while position.ply < 16:
            own, side = sides[position.turn], position.turn
            hand = "".join(letter * count for letter, count in position.hand(side).items())
            rank = "18"[side]
            legal = texts(position)
            assert legal == {f"{drop}{rank}" for drop in drops_by_model(own, hand)}, position.fen()
            refused += len(set(hand)) * (8 - len(own)) - len(legal)
            move = chance.choice(sorted(legal))
            own["abcdefgh".index(move[2])] = move[0]
            position.push(move)
        assert not any(move.is_drop for move in position.legal_moves())
    assert refused > 300  # for the bishops' sake


# Fairy-Stockfish


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("name, games", [("cannons", 4), ("knightsfirst", 4), ("open", 8)])
def test_imported_game_with_drops_that_must_be_made_is_fairy_stockfishs(imported, name, games):
    difference, compared = compare(imported[name], PyffishReferee(pyffish, name), games, depth=2)
    assert difference is None
    assert compared > 250


@pytest.mark.usefixtures("interpreted")
def test_promoted_bishop_counts_for_the_colour_of_the_next_one(imported):
    fen = "nnk2bnB/rb2prn1/P1p1pRPp/2ppp3/2Q1N1Pb/RN3b{}2/P5QP/5RKB[b] b - - 0 57"
    for mark in ("~", ""):
        position = Position(str(imported["bishops"]), fen.format(mark))
        theirs = PyffishReferee(pyffish, "bishops").moves(fen.format(mark))
        assert {move for move in texts(position) if "@" in move} == {x for x in theirs if "@" in x}


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(("queen", "over"), [("Q~", False), ("Q", False), ("R", True)])
def test_promoted_queen_keeps_the_queens_from_extinction(imported, queen, over):
    fen = f"r1b2{queen}1r/1ppk1p2/1p1PpnP1/pP2p3/q5np/4pR1P/P2BN3/1R1Bb1K1[Nqp] w - - 0 25"
    position = Position(str(imported["kinds"]), fen)
    assert (position.result() is not None, not texts(position)) == (over, over)
    assert texts(position) == set(PyffishReferee(pyffish, "kinds").moves(fen))


# Sittuyin in the middle of the placement and at its end, with the leaves of three plies
SITTUYIN = {
    "3skn2/1n1sf3/4pppp/pppp4/4PPPP/PPPPN3/4S3/R2SKF1N[Rrr] b - - 0 7": 60,
    "8/8/4pppp/pppp4/4PPPP/PPPP4/8/7K[Rkr] b - - 0 8": 2_128,
    "r3s3/2n1n2k/3spppp/pppp4/4PPPP/PPPP4/1NFK4/NR5R[SSrf] w - - 0 7": 3_640,
    "rs3f2/2s3n1/n1k1pppp/pppp4/4PPPP/PPPP1F1S/4KN1N/R5S1[Rr] w - - 0 8": 790,
}


@pytest.mark.slow
@pytest.mark.parametrize("fen", SITTUYIN)
def test_leaves_of_a_placement_of_sittuyin_are_fairy_stockfishs(fen):
    found = leaves(Position("sittuyin", fen), 3)
    assert found == SITTUYIN[fen] == PyffishReferee(pyffish, "sittuyin").leaves(fen, 3)


def test_exported_placement_is_the_shipped_game():
    pyffish.load_variant_config(export(load("placement")).replace("[surajang-placement:", "[exported:"))
    difference, compared = compare(load("placement").path, PyffishReferee(pyffish, "exported"), 3, depth=2)
    assert difference is None
    assert compared > 250


# Rules, one by one


def test_nothing_but_a_drop_is_legal_with_pieces_in_hand():
    assert all(move.is_drop for move in Position("placement", f"{PAWNS}/R7[QKk] w - - 0 1").legal_moves())
    with pytest.raises(IllegalMoveError, match="White must first drop one of QK"):
        Position("placement", f"{PAWNS}/R7[QKk] w - - 0 1").push("e2e4")


def test_side_that_has_placed_all_moves_while_the_other_still_drops():
    position = Position("placement", "k7/1ppppppp/8/8/8/8/PPPPPPPP/R7[K] b - - 0 1")
    assert "b7b5" in texts(position) and not position.is_check()
    position.push("b7b5")
    assert texts(position) == {f"K@{file}1" for file in "bcdefgh"}


def test_side_moves_where_it_can_drop_nothing():
    position = Position("placement", f"{PAWNS}/RNBQKBNR[Nk] w KQ - 0 1")
    assert "e2e4" in texts(position) and not any(move.is_drop for move in position.legal_moves())


def test_king_in_hand_is_in_no_check_and_is_not_dropped_where_it_would_be():
    position = Position("placement", "8/8/8/8/3r4/8/8/8[Kk] w - - 0 1")
    assert not position.is_check()
    assert texts(position) == {f"K@{file}1" for file in "abcefgh"}
    with pytest.raises(IllegalMoveError, match="d1 is attacked"):
        position.push("K@d1")


@pytest.mark.usefixtures("interpreted")
def test_kings_are_not_dropped_side_by_side(imported):
    legal = texts(Position(str(imported["open"]), "8/8/8/8/2k5/8/8/8[K] w - - 0 1"))
    assert not legal & {"K@b3", "K@c3", "K@d3"} and "K@e3" in legal


@pytest.mark.usefixtures("interpreted")
def test_drop_that_must_be_made_has_to_meet_a_check(imported):
    position = Position(str(imported["open"]), "8/8/8/8/8/8/8/K6r[NNk] w - - 0 1")
    assert position.is_check()
    assert texts(position) == {f"N@{file}1" for file in "bcdefg"}


def test_king_and_rook_that_are_dropped_on_their_squares_may_castle():
    position = Position("placement", f"{PAWNS}/8[KRRk] w - - 0 1")
    for move, rights in (("R@h1", "-"), ("K@a8", "-"), ("K@e1", "K")):
        position.push(move)
        assert position.fen().split()[2] == rights
    position = Position("placement", "k7/pppppppp/8/8/8/8/PPPPPPPP/4K2R[RNn] w K - 0 1")
    position.push("R@a1")
    assert position.fen().split()[2] == "KQ" and position.key == position.fresh_key()
    other = Position("placement", f"{PAWNS}/4K3[Rk] w - - 0 1")
    other.push("R@g1")
    assert other.fen().split()[2] == "-"


def test_drop_that_must_be_made_counts_as_progress():
    position = Position("placement", f"{PAWNS}/8[KRk] w - - 7 9")
    position.push("R@h1")
    assert position.fen().split()[4] == "0"


def test_kings_with_pieces_in_hand_are_no_dead_position():
    position = Position("placement", "k7/8/8/8/8/8/8/K7[Bb] w - - 0 1")
    assert position.result() is None
    for move in ("B@c1", "B@e8"):
        assert position.result() is None
        position.push(move)
    assert position.result() is None  # bishops on both colours
    position = Position("placement", "k7/8/8/8/8/8/8/K7[B] w - - 0 1")
    position.push("B@c1")
    assert position.result().score == "1/2-1/2"


@pytest.mark.parametrize(
    "fen",
    [
        f"{PAWNS}/8[QRRBBNNKqrrbbnnk] w - - 0 1",
        f"{PAWNS}/R3K3[QRBBNNqrrbbnnk] b Q - 0 1",
        "7k/pppppppp/8/8/8/8/PPPPPPPP/8[K] w - - 0 8",
    ],
)
def test_fen_with_kings_in_hand_is_read_and_written(fen):
    assert Position("placement", fen).fen() == fen


@pytest.mark.usefixtures("interpreted")
def test_placement_of_sittuyin_is_written_and_read_back():
    position, chance = Position("sittuyin"), random.Random(3)
    while position.ply < 20:
        again = Position("sittuyin", position.fen())
        assert (again.fen(), again.key) == (position.fen(), position.key)
        assert (pickle.loads(pickle.dumps(position)).fen()) == position.fen()
        position.push(chance.choice(sorted(texts(position))))


@pytest.mark.parametrize(
    "fen, reason",
    [
        (f"{PAWNS}/4K3[K] w - - 0 1", "White has 2 kings instead of one"),
        (f"{PAWNS}/8[KKk] w - - 0 1", "White has 2 kings instead of one"),
        (f"{PAWNS}/4K3[Qq] w - - 0 1", "Black has no kings instead of one"),
        (f"{PAWNS}/KK6[k] w - - 0 1", "White has 2 kings instead of one"),
    ],
)
def test_fen_needs_one_king_of_each_side_on_the_board_or_in_hand(fen, reason):
    with pytest.raises(FenError, match=reason):
        Position("placement", fen)


def test_piece_that_is_dropped_on_its_first_rank_alone_may_stand_anywhere():
    assert Position("placement", "k7/8/8/3N4/8/8/8/K6B[] w - - 0 1").letter_at(35) == "N"


# The search


@pytest.fixture(scope="module")
def engine():
    return Engine("placement", hash_mb=8)


def test_engine_places_all_and_plays_on_to_the_end(engine):
    position = Position("placement")
    while position.result() is None and position.ply < 400:
        result = engine.play(position, depth=3 if position.ply % 2 else 1)
        assert str(result.move) in texts(position), position.fen()
        position.push(result.move)
        assert position.key == position.fresh_key()
        if position.ply == 16:
            assert not position.hand(0) and not position.hand(1)
            assert abs(result.score.centipawns) < 300
    assert position.result() is not None


def test_engine_does_not_drop_its_king_into_a_mate(engine):
    """On a1, b1 and c1 the rook mates at h1; on d1, f1 and g1 the king takes one of the rooks."""
    position = Position("placement", "k6r/8/8/8/8/8/4r3/8[K] w - - 0 1")
    assert texts(position) == {f"K@{file}1" for file in "abcdfg"}
    assert str(engine.play(position, depth=4).move)[2] in "dfg"


def test_placement_is_searched_with_the_numbers_of_chess():
    rules = Position("placement").rules
    assert tuned_values(rules) == {name: each.value for name, each in TUNABLES.items()}
