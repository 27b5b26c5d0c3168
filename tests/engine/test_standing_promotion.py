"""Promotion by a move of its own, as in sittuyin, against Fairy-Stockfish."""

import pyffish
import pytest
from surajang import Engine, Limit, Position
from surajang.bench.speed.coverage_command import PyffishReferee, compare
from surajang.engine.definition import catalogue
from surajang.engine.definition.catalogue import parse
from surajang.engine.fairy_ini.exporting import export
from surajang.engine.fairy_ini.importing import import_text
from surajang.engine.game.description import VariantError
from surajang.learn.reinforcement.actions import Actions
from surajang.tests.support.games import texts

pytestmark = pytest.mark.compiled

GAMES = 3
SECTIONS = """
[settled:sittuyin]
startFen = 4k3/8/4pppp/pppp4/4PPPP/PPPP4/8/4K3[FRRSSNNfrrssnn] w - - 0 1
promotionLimit = -
[sittuyin-house:sittuyin]
startFen = 4k3/8/4pppp/pppp4/4PPPP/PPPP4/8/4K3[FRRSSNNfrrssnn] w - - 0 1
capturesToHand = true
mustDrop = false
[leapers:sittuyin]
customPiece1 = d:D
promotionPieceTypes = d
promotionLimit = d:2
startFen = 3rk3/8/4pppp/pppp4/4PPPP/PPPP4/8/3RK3 w - - 0 1
"""
# What the pawn on e5 may do besides e5e6, by the squares that the new piece goes to
PLACES = {
    "every way": ("4k3/8/8/4P3/8/P7/8/4K3", {"d4", "d6", "e5", "f4", "f6"}),
    "there is a general": ("4k3/8/8/4P3/8/P7/8/4K2F", set()),
    "an enemy is beside the pawn": ("4k3/8/8/4P3/5n2/P7/8/4K3", {"d4", "d6", "f6"}),
    "an enemy is beside the target": ("4k3/2n5/8/4P3/8/P7/8/4K3", {"d4", "e5", "f4", "f6"}),
    "a step would check": ("8/4k3/8/4P3/8/P7/8/4K3", {"d4", "e5", "f4"}),
    "a step would uncover a check": ("4k3/8/8/4P3/8/P7/8/K3R3", {"e5"}),
    "an attack on a piece is uncovered": ("4n2k/8/8/4P3/8/P7/8/K3R3", {"d4", "d6", "e5", "f4", "f6"}),
    "the pawn is pinned": ("k3r3/8/8/4P3/8/P7/8/4K3", {"e5"}),
    "the king is in check": ("3r3k/8/8/4P3/8/P7/8/3K4", {"d4", "d6"}),
}


def promotions(position, source):
    """The targets of the promotions of the piece on a square."""
    return {str(move)[2:4] for move in position.legal_moves if move.is_promotion and str(move)[:2] == source}


@pytest.mark.parametrize("case", PLACES)
def test_pawn_promotes_where_it_stands_or_by_a_step(case):
    board, targets = PLACES[case]
    fen = f"{board}[] w - - 0 1"
    position = Position("sittuyin", fen)
    assert promotions(position, "e5") == targets
    assert texts(position) == sorted(pyffish.legal_moves("sittuyin", fen, []))


@pytest.mark.parametrize(
    ("board", "squares"), [("4k3/8/8/8/8/P7/8/4K3", {"a3"}), ("4k3/8/8/8/8/P6P/8/4K3", set())]
)
def test_last_pawn_promotes_from_any_square(board, squares):
    position = Position("sittuyin", f"{board}[] w - - 0 1")
    assert {str(move)[:2] for move in position.legal_moves if move.is_promotion} == squares


def test_pieces_in_hand_come_first():
    position = Position("sittuyin", "4k3/8/8/4P3/8/P7/8/4K3[N] w - - 0 1")
    assert all(move.is_drop for move in position.legal_moves)


@pytest.mark.parametrize(
    ("move", "board"), [("e5e5f", "4k3/8/8/4F3/8/P7/8/4K3"), ("e5d6f", "4k3/8/3F4/8/8/P7/8/4K3")]
)
def test_promotion_replaces_the_pawn_and_counts_as_progress(move, board):
    position = Position("sittuyin", "4k3/8/8/4P3/8/P7/8/4K3[] w - - 9 20")
    position.push(move)
    assert position.fen() == f"{board}[] b - - 0 20"
    assert position.key == Position("sittuyin", position.fen()).key


def test_notation_tells_promotions_apart():
    position = Position("sittuyin", "4k3/8/8/4P3/8/P7/8/4K3[] w - - 0 1")
    names = {position.san(move): str(move) for move in position.legal_moves}
    assert len(names) == len(position.legal_moves)
    assert (names["e5=F"], names["ed6=F"], names["e6"]) == ("e5e5f", "e5d6f", "e5e6")
    assert all(position.parse_san(name).text == text for name, text in names.items())
    assert not position.is_capture("e5e5f")


def test_start_has_the_leaves_of_fairy_stockfish_and_so_have_random_games():
    path = catalogue.load("sittuyin").path
    assert compare(path, PyffishReferee(pyffish, "sittuyin"), games=GAMES, depth=2)[0] is None


@pytest.mark.parametrize("name", ["settled", "sittuyin-house", "leapers"])
def test_children_are_those_of_fairy_stockfish(interpreted, name, tmp_path):
    pyffish.load_variant_config(SECTIONS)
    path = tmp_path / f"{name}.toml"
    path.write_text(import_text(SECTIONS, "x.ini")[name].toml)
    assert compare(path, PyffishReferee(pyffish, name), games=GAMES, depth=2)[0] is None


def test_search_sees_which_promotions_lose_the_new_piece(interpreted_search):
    position = Position("sittuyin", "8/8/8/3kP3/8/8/8/4K2R[] w - - 0 1")
    with Engine("sittuyin", hash_mb=1) as engine:
        lines = engine.analyse(position, Limit(depth=2), multipv=99)
    scores = {line.pv[0].text: line.score.centipawns for line in lines}
    assert scores["e5f6f"] > max(scores["e5e5f"], scores["e5d6f"])


def test_actions_of_learning_are_distinct():
    position, actions = Position("sittuyin", "4k3/8/8/4P3/8/P7/8/4K3[] w - - 0 1"), Actions("sittuyin")
    numbers = {actions.of(move) for move in position.legal_moves}
    assert len(numbers) == len(position.legal_moves)
    assert actions.move(position, actions.of(position.parse_move("e5e5f"))).text == "e5e5f"


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ('on = ["stay", "enter"]', "promotion.on: 'P' promotes by 'stay' alone or without it"),
        ("captures = 'P'", "promotion.on: 'stay' cannot be combined with promotion.captures of 'P'"),
        ('on = ["enter"]', "promotion.last: 'P' does not promote by 'stay'"),
        ('[pieces.P]\npromotes = "FS"', "promotion.on: 'P' promotes by 'stay' to a single piece"),
        ('[pieces.P]\npromotes = "R"', "promotion.on: 'stay' makes only pieces that leap; 'R' does not"),
    ],
)
def test_files_that_contradict_themselves_are_refused(lines, reason):
    text = f'extends = "sittuyin"\nname = "x"\ntitle = "X"\n[promotion]\n{lines}\n'
    with pytest.raises(VariantError, match=reason):
        parse(text, "x.toml")


def test_import_refuses_a_choice_of_promotions_and_export_names_the_key():
    text = "[x:sittuyin]\npromotionPieceTypes = fs\n"
    assert "sittuyinPromotion" in str(import_text(text, "x.ini")["x"])
    game = parse(import_text("[x:sittuyin]\nsittuyinRookDrop = false\n", "x.ini")["x"].toml, "x.toml")
    assert "sittuyinPromotion = true" in export(game)
