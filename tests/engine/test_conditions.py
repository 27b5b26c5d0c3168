"""Conditions of drops, promotion and the end of a game: their keys, and play with them."""

import random
from itertools import islice

import pyffish
import pytest
from surajang import Engine, Position
from surajang.bench.speed.coverage_command import PyffishReferee, compare
from surajang.engine.definition.catalogue import parse
from surajang.engine.fairy_ini.exporting import export
from surajang.engine.fairy_ini.importing import import_game, import_text
from surajang.engine.fairy_ini.ini import IniFile
from surajang.engine.game.description import VariantError
from surajang.engine.movegen.perft import perft
from surajang.engine.position import IllegalMoveError
from surajang.engine.rulebook.rules import RULES
from surajang.protocol.uci.notation import UciNotation

pytestmark = pytest.mark.compiled
interpreted = pytest.mark.usefixtures("interpreted")

# Fairy-Stockfish knows each of these as well
GAMES = """
[regions:crazyhouse]
whiteDropRegion = a* b3 c4 d5 e1 f2 h*
blackDropRegion = a* b6 c5 d4 e8 f7 h*

[calm:crazyhouse]
dropChecks = false

[captures:minishogi]
dropChecks = false
piecePromotionOnCapture = true
immobilityIllegal = false

[flip:minishogi]
promotionRegionWhite = *3 *4 *5
promotionRegionBlack = *3 *2 *1
shogiPawnDropMateIllegal = false
dropPromoted = true
immobilityIllegal = false

[spots:chess]
promotionRegionWhite = a8 b8 c7 d7 e6 f6 g8 h8
promotionRegionBlack = a1 b1 c2 d2 e3 f3 g1 h1
mandatoryPawnPromotion = false
promotionPieceTypes = nq

[mixed:chess]
knight = -
silver = s
gold = g
promotedPieceType = s:g
promotionRegionWhite = *6 *7 *8
promotionRegionBlack = *3 *2 *1
mandatoryPawnPromotion = false
promotionPieceTypes = qrb
startFen = rsbqkbsr/pppppppp/8/8/8/8/PPPPPPPP/RSBQKBSR w KQkq - 0 1

[race:chess]
flagPiece = k
flagRegionWhite = a3 h3
flagRegionBlack = a4 b5 c6
"""
MINI = 'extends = "minishogi"\nname = "{}"\ntitle = "Own"\n[drops]\nno_mate = false\n{}\n'
LOUD = 'checks = "always"\npromoted = true\n[end]\nrepetition = { times = 4, result = "black" }'
QUIET = 'checks = "never"\npromoted = true\n[end]\nmoves = 60'


@pytest.fixture(scope="module", autouse=True)
def known():
    pyffish.load_variant_config(GAMES)


def saved(folder, name, text):
    path = folder / f"{name}.toml"
    path.write_text(text)
    return path


def texts(position):
    return {str(move) for move in position.legal_moves()}


def random_positions(path, games=20, plies=80):
    """Positions of random games."""
    for seed in range(games):
        chance, position = random.Random(seed), Position(str(path))
        while position.ply < plies and position.result() is None:
            yield position
            position.push(chance.choice(sorted(texts(position))))


@interpreted
@pytest.mark.parametrize("name", ["regions", "calm", "captures", "flip", "spots", "mixed", "race"])
def test_imported_game_is_fairy_stockfishs_and_comes_back_from_an_export(name, tmp_path):
    game = import_text(GAMES, "games.ini")[name]
    difference, compared = compare(
        saved(tmp_path, name, game.toml), PyffishReferee(pyffish, name), 6, depth=2, longest=80
    )
    assert difference is None
    assert compared > 300
    ours = parse(game.toml, f"{name}.toml")
    (again,) = import_text(export(ours), "again.ini").values()
    back = parse(again.toml, f"{name}.toml")
    for piece in ours.pieces:
        same = back.piece(piece.letter)
        assert (same.droppable, same.drop_squares) == (piece.droppable, piece.drop_squares)
        assert same.captures_promote == piece.captures_promote
        assert back.promotion_area(same) == ours.promotion_area(piece)
    assert (back.drop_checks, back.drops_promoted, back.goal) == (
        ours.drop_checks,
        ours.drops_promoted,
        ours.goal,
    )


@interpreted
@pytest.mark.parametrize("name", ["kyotoshogi", "micro"])
def test_pieces_turn_over_with_every_move_or_capture(name, tmp_path):
    game = import_game(name, IniFile("templates"))
    path = saved(tmp_path, f"{name}-here", game.toml)
    difference, compared = compare(path, PyffishReferee(pyffish, name), 6, depth=2, longest=80)
    assert difference is None
    assert compared > 300
    notation = UciNotation(Position(str(path)).description)
    seen = set()
    for position in random_positions(path, games=6):
        for move in position.legal_moves():
            text = notation.write_move(move)
            seen.add(text[:1] if text.startswith("+") else text[-1:])
            assert position.parse_move(notation.read_move(text, position)) == move
    assert {"+", "-"} <= seen


# Drops


@interpreted
def test_drops_that_must_check_are_those_that_check(tmp_path):
    free = saved(tmp_path, "free", MINI.format("free", ""))
    bound = saved(tmp_path, "bound", MINI.format("bound", 'checks = "always"'))
    seen = 0
    for position in random_positions(free, games=6):
        checking = set()
        for move in position.legal_moves():
            position.push(move)
            if not move.is_drop or position.is_check():
                checking.add(str(move))
            position.pop()
        other = Position(str(bound), position.fen())
        assert texts(other) == checking
        assert perft(other, 1) == len(checking)
        seen += len(checking) < len(position.legal_moves())
    assert seen > 50


def test_search_drops_as_the_rules_want(interpreted_search, tmp_path):
    for name, rules in (("quiet-here", QUIET), ("loud-here", LOUD)):
        path = saved(tmp_path, name, MINI.format(name, rules))
        engine = Engine(str(path), hash_mb=1)
        for position in islice(random_positions(path, games=3, plies=40), 0, None, 6):
            assert str(engine.play(position, depth=2).move) in texts(position)


@interpreted
def test_promoted_piece_is_dropped_where_its_base_is(tmp_path):
    path = saved(tmp_path, "both", MINI.format("both", "promoted = true"))
    position = Position(str(path), "4k/5/5/5/K4[RG] w - - 0 1")
    found = texts(position)
    for square in ("b2", "c3", "d5"):
        assert {f"R@{square}", f"D@{square}", f"G@{square}"} <= found
    position.push("D@c3")
    position.push(sorted(texts(position))[0])
    assert position.hand(0) == {"G": 1}


@interpreted
def test_illegal_drop_is_refused_with_a_reason(tmp_path):
    path = saved(tmp_path, "told", MINI.format("told", 'checks = "never"\nsquares = ["a1-e3"]'))
    position = Position(str(path), "4k/5/5/5/K4[RG] w - - 0 1")
    with pytest.raises(IllegalMoveError, match="a drop may not check"):
        position.push("R@e2")
    with pytest.raises(IllegalMoveError, match="no gold may be dropped there"):
        position.push("G@b4")


# Promotion


@interpreted
def test_pieces_have_zones_and_ways_of_their_own(tmp_path):
    text = """
extends = "minishogi"
name = "zones"
title = "Zones"
[promotion]
zone = [5]
squares = { R = ["a3", "c4"] }
on = { R = ["leave"], B = ["enter"] }
captures = "B"
"""
    path = saved(tmp_path, "zones", text)
    position = Position(str(path), "2p1k/5/B4/5/R3K[] w - - 0 1")
    found = texts(position)
    assert "a3c5h" in found and "a3b4h" not in found and "a1a2d" not in found
    position = Position(str(path), "2p1k/5/R4/B4/4K[] w - - 0 1")
    assert {"a3b3", "a3b3d", "a3a5d"} <= texts(position)


# The end


@interpreted
def test_game_is_drawn_when_its_moves_are_up_unless_the_last_mates(tmp_path):
    path = saved(tmp_path, "short", MINI.format("short", "") + "[end]\nmoves = 3\n")
    position = Position(str(path), "k4/5/1G3/5/K4[G] w - - 0 3")
    position.push("a1b1")
    position.push("a5b5")
    assert position.result() == ("1/2-1/2", "Draw: 3 moves of each side")
    position = Position(str(path), "4k/5/g4/5/K4[g] b - - 0 3")
    position.push("G@a2")
    assert position.result().score == "0-1"


@interpreted
@pytest.mark.parametrize("end, fen, plies", [("moves = 3", "0 2", 2), ("quiet_moves = 10", "12 9", 8)])
def test_counts_of_moves_are_seen_to_run_out(end, fen, plies, tmp_path):
    path = saved(tmp_path, "count", MINI.format("count", "") + f"[end]\n{end}\n")
    position = Position(path, f"rbsgk/4p/5/P4/KGSBR[] w - - {fen}")
    assert position.may_run_out(plies) and not position.may_run_out(plies - 1)


def test_search_knows_that_moves_are_up(interpreted_search, tmp_path):
    path = saved(tmp_path, "up", MINI.format("up", QUIET))
    lost = Position(str(path), "k4/5/5/5/KRR2[RR] b - - 0 60")
    assert Engine(str(path), hash_mb=1).play(lost, depth=3).score.centipawns == 0


def test_search_knows_who_loses_by_repetition(interpreted_search, tmp_path):
    """Two bare kings: Black makes the last move, after which a position comes for the fourth time, and White
    avoids it."""
    path = saved(tmp_path, "bare", MINI.format("bare", LOUD))
    for side, moves in (("w", "a1b1 a5b5 b1a1 b5a5"), ("b", "a5b5 a1b1 b5a5 b1a1")):
        position, (*before, last) = Position(str(path), f"k4/5/5/5/K4[] {side} - - 0 1"), moves.split() * 3
        for move in before:
            position.push(move)
        result = Engine(str(path), hash_mb=1).play(position, depth=2)
        assert (str(result.move) == last) == (side == "w"), result


@interpreted
@pytest.mark.parametrize("result, score", [("loss", "0-1"), ("win", "1-0"), ("draw", "1/2-1/2")])
def test_repetition_is_worth_what_the_file_says_to_the_side_to_move(result, score, tmp_path):
    end = f'[end]\nrepetition = {{ times = 2, result = "{result}" }}\n'
    path = saved(tmp_path, f"again-{result}", MINI.format(f"again-{result}", "") + end)
    position = Position(str(path))
    for move in ("e1d2", "a5b4", "d2e1", "b4a5"):
        if move not in texts(position):
            move = sorted(texts(position))[0]
        position.push(move)
    position = Position(str(path), "k4/5/5/5/K4[] w - - 0 1")
    for move in ("a1b1", "a5b5", "b1a1", "b5a5"):
        assert position.result() is None
        position.push(move)
    assert position.result().score == score


@interpreted
def test_positions_may_come_as_often_as_they_like(tmp_path):
    path = saved(tmp_path, "ever", MINI.format("ever", "") + "[end]\nrepetition = { times = 0 }\n")
    position = Position(str(path), "k4/5/5/5/K4[] w - - 0 1")
    for move in ("a1b1", "a5b5", "b1a1", "b5a5") * 5:
        position.push(move)
    assert position.result() is None
    game = import_text("[ever:chess]\nnFoldRule = 0\nnFoldValue = loss\n", "x.ini")["ever"]
    assert parse(game.toml, "ever.toml").repetition_times == 0


# What files say


@pytest.mark.parametrize(
    "part, reason",
    [
        ('[drops]\nchecks = "often"', "drops.checks: 'often' should be one of never, always"),
        ('[drops]\nchecks = "never"', "drops.checks: cannot be combined with drops.no_mate"),
        ("[drops]\npromoted = true", "drops.promoted: cannot be combined with drops.no_mate"),
        ('[drops]\nsquares = { K = ["a1"] }', "drops.squares: 'K' is not among drops.pieces"),
        ('[drops]\nsquares = { P = ["a5"] }', "drops.squares: 'P' could be dropped nowhere"),
        ('[drops]\nsquares = ["z9"]', "drops.squares: 'z9' should be a square"),
        ('[promotion]\nsquares = { G = ["a1"] }', "promotion.squares: 'G' has no 'promotes'"),
        ('[promotion]\ncaptures = "G"', "promotion.captures: 'G' has no 'promotes'"),
        ('[promotion]\non = { R = ["often"] }', "promotion.on.R: 'often' should be 'enter' or 'leave'"),
        ("[end]\nmoves = 0", "end.moves: 0 should be from 1 to 10000"),
        ("[end]\nrepetition = { times = 1 }", "end.repetition.times: 1 should be from 2 to 9, or 0"),
        ('[end]\nrepetition = { result = "tie" }', "end.repetition.result: 'tie' should be one of"),
        ('[goal]\npieces = "K"\nsquares = ["a1"]\nblack = []', "goal.black: [] should hold squares"),
    ],
)
def test_wrong_condition_is_refused_by_key_and_reason(part, reason):
    with pytest.raises(VariantError) as refused:
        parse(f'extends = "minishogi"\nname = "own"\ntitle = "Own"\n{part}\n', "own.toml")
    assert str(refused.value).startswith(f"own.toml: {reason}")


def test_conditions_are_reported_in_words(tmp_path):
    text = MINI.format("words", 'checks = "never"\npromoted = true\nsquares = { P = ["a1-e3"] }')
    text += '[promotion]\nsquares = { R = ["a3", "c4"] }\ncaptures = "B"\n'
    text += '[end]\nmoves = 40\nrepetition = { times = 2, result = "loss" }\n'
    text += '[goal]\npieces = "K"\nsquares = ["a5"]\nblack = ["c1"]\n'
    game = parse(text, "words.toml")
    told = " ".join(sentence for rule in RULES for sentence in rule.sentences(game))
    for words in (
        "A drop may not give check.",
        "Rook as a Dragon",
        "Pawn: dropped on the squares from a1 to e3 alone.",
        "A capture that ends on or starts from the last rank",
        "ends on or starts from a3 or c4",
        "The game is drawn when each side has made 40 moves, unless the last mates.",
        "loses for the side to move",
        "White wins at once when it brings a King to a5, Black when it brings a King to c1.",
    ):
        assert words in told


@interpreted
@pytest.mark.parametrize("name, crosses", [("georgian", False), ("amazon", True)])
def test_en_passant_of_a_template_is_fairy_stockfishs(name, crosses, tmp_path):
    """Random games reach it too seldom."""
    path = saved(tmp_path, f"{name}-here", import_game(name, IniFile("templates")).toml)
    fen = "4k3/5p2/8/6P1/8/8/8/4K3 b - - 0 1"
    position = Position(str(path), fen)
    position.push("f7f5")
    assert ("g5f6" in texts(position)) == ("g5f6" in pyffish.legal_moves(name, fen, ["f7f5"])) == crosses


@interpreted
@pytest.mark.parametrize(
    ("name", "fen"),
    [
        ("tencubed", "4k5/10/10/10/10/10/10/10/p9/4K5 b - - 0 1"),  # promotions
        ("grand", "4k5/10/10/10/10/10/10/p9/10/4K5 b - - 0 1"),
        ("okisakishogi", "4k5/10/10/10/P9/L9/10/10/10/4K5[] w - - 0 1"),  # lances that go back
        ("shatranj", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1"),  # a king that is left alone
        ("chaturanga", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1"),
        ("courier", "6k5/12/12/12/12/12/P11/6K5 w - - 0 1"),
        ("courier", "6k5/p11/12/12/12/12/12/6K5 w - - 0 1"),
    ],
)
def test_rare_moves_of_a_template_are_fairy_stockfishs(name, fen, tmp_path):
    path = saved(tmp_path, f"{name}-here", import_game(name, IniFile("templates")).toml)
    assert texts(Position(str(path), fen)) == set(pyffish.legal_moves(name, fen, []))


@interpreted
@pytest.mark.parametrize(
    ("name", "loser"), [("chess", 0), ("shatranj", -1), ("chaturanga", -1), ("courier", -1)]
)
def test_stalemate_of_a_template_is_worth_what_fairy_stockfish_says(name, loser, tmp_path):
    path = saved(tmp_path, f"{name}-here", import_game(name, IniFile("templates")).toml)
    files = Position(str(path)).description.files
    rows = (
        f"k{files - 1}",
        f"2K{files - 3}",
        f"1P{files - 2}",
        files,
        files,
        f"{files - 1}p",
        f"{files - 1}P",
        files,
    )
    fen = "/".join(map(str, rows)) + " b - - 0 1"
    assert pyffish.game_result(name, fen, []) == 32000 * loser
    assert Position(str(path), fen).result().score == {0: "1/2-1/2", -1: "1-0"}[loser]
