"""Walls beside Fairy-Stockfish: moves, FENs and SAN of its games with walls, and their ends. Positions are
interpreted, so that nothing has to be compiled."""

import random
import re

import pyffish
import pytest
from surajang import Move, Position
from surajang.engine.definition.catalogue import parse
from surajang.engine.fairy_ini.exporting import export
from surajang.engine.fairy_ini.importing import import_game, import_text
from surajang.engine.fairy_ini.ini import IniFile
from surajang.engine.game.description import VariantError
from surajang.engine.game.fen_error import FenError
from surajang.engine.game.moves import IllegalMoveError, MoveSyntaxError
from surajang.engine.rulebook.rules import RULES

pytestmark = pytest.mark.compiled

GAMES = ("isolation", "isolation7x7", "snailtrail", "joust", "duck", "amazons")
# The number of legal moves in Fairy-Stockfish
POSITIONS = {
    "isolation": {
        "3p2/6/6/6/6/6/6/2P3 w - - 0 1": 225,  # no wall on the first squares
        "******/***p**/******/******/******/******/******/**1P** w - - 0 1": 1,  # on the square just left
        "******/***p**/******/******/6/6/6/*2P2 w - - 0 1": 106,
        "6/6/6/6/6/6/3p2/2P3 w - - 0 1": 176,  # nothing is captured
        "***p2/***1**/6/6/6/6/****2/*P**2 w - - 0 1": 0,
    },
    "snailtrail": {"***p3/***1**1/7/7/7/****3/*P**3 w - - 0 1": 0, "6p/7/7/7/7/*6/P6 w - - 0 1": 2},
    "joust": {"8/8/8/8/4n3/8/3N4/8 w - - 0 1": 5, "N7/2*5/1*6/8/8/8/8/7n w - - 0 1": 0},
    "duck": {
        "4k3/P7/8/8/8/8/8/4K3 w - - 0 1": 549,  # promotions
        "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1": 1560,  # castling
        "4k3/8/8/8/8/8/8/R3K*1R w KQ - 0 1": 1357,
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1": 421,  # in passing: a wall may be where the victim was
        "4k3/8/3*4/3pP3/8/8/8/4K3 w - d6 0 1": 354,  # not onto a wall
        "4k3/8/8/8/8/4*3/4P3/4K3 w - - 0 1": 240,  # no step over a wall
        "4k3/8/8/4*3/8/8/8/4RK2 w - - 0 1": 660,
        "kb6/p*p5/P1P5/8/8/8/8/7K b - - 0 1": 0,
    },
    "amazons": {
        "3q6/10/10/10/10/10/10/10/10/3Q6 w - - 0 1": 752,
        "Q*8/**8/10/10/10/10/10/10/10/9q w - - 0 1": 0,
        "Q1*7/**8/10/10/10/10/10/10/10/9q w - - 0 1": 9,
    },
}


@pytest.fixture
def game(interpreted, tmp_path):
    """Makes positions, by name and FEN, of imported games."""

    def position(name, fen=None):
        path = tmp_path / f"{name}.toml"
        if not path.exists():
            path.write_text(import_game(name, IniFile("templates")).toml, encoding="utf-8")
        return Position(str(path), fen)

    return position


def theirs(name, position):
    return set(pyffish.legal_moves(name, position.fen(), []))


@pytest.mark.parametrize("name", POSITIONS)
def test_legal_moves_with_walls_are_fairy_stockfishs(game, name):
    for fen, count in POSITIONS[name].items():
        position = game(name, fen)
        assert {str(move) for move in position.legal_moves} == theirs(name, position), fen
        assert len(position.legal_moves) == len(position.legal_codes()) == position.perft(1) == count, fen


@pytest.mark.parametrize("name", GAMES)
def test_games_with_walls_are_fairy_stockfishs(game, name):
    chance, position = random.Random(name), game(name)
    start = pyffish.start_fen(name)
    while position.ply < 12 and position.result() is None:
        moves = [str(move) for move in position.moves]
        assert position.fen() == pyffish.get_fen(name, start, moves)
        assert {str(move) for move in position.legal_moves} == theirs(name, position)
        for move in chance.sample(list(position.legal_moves), min(4, len(position.legal_moves))):
            text = position.san(move)
            if name != "amazons":  # there Fairy-Stockfish sometimes does not tell which queen moves
                assert text.rstrip("+#") == pyffish.get_san(name, position.fen(), str(move)).rstrip("+#")
            for spelling in (text, position.lan(move), str(move)):
                assert position.parse_san(spelling) == move
        position.push(chance.choice(list(position.legal_moves)))
        again = game(name, position.fen())
        keys = again.key, again.fresh_key(), position.fresh_key()
        assert set(keys) == {position.key}
        assert again.repetition_key == position.repetition_key == position.fresh_repetition_key()
        assert again.mirror().mirror().fen() == position.fen()


def test_wall_belongs_to_the_repetition(game):
    position = game("duck")
    keys = {position.repetition_key}
    for wall in ("a3", "a4", "a5"):
        position.push(f"g1f3,f3{wall}" if position.letter_at(6) else f"f3g1,g1{wall}")
        position.push(f"b8c6,c6b{wall[1]}" if position.letter_at(57) else f"c6b8,b8b{wall[1]}")
        keys.add(position.repetition_key)
    assert len(keys) == 4
    assert [str(square) for square in sorted(position.walls())] == ["33"]


def test_taken_king_of_duck_chess_loses_and_stalemate_wins(game):
    taken = game("duck", "4k3/8/3*4/8/8/8/4R3/4K3 w - - 0 1")
    taken.push("e2e8,e8a1")
    assert taken.result().score == "1-0"
    assert pyffish.is_immediate_game_end("duck", "4k3/8/3*4/8/8/8/4R3/4K3 w - - 0 1", ["e2e8,e8a1"])[0]
    stuck = game("duck", "kb6/p*p5/P1P5/8/8/8/8/7K b - - 0 1")
    assert stuck.result().score == "0-1"
    assert pyffish.game_result("duck", stuck.fen(), []) > 0


@pytest.mark.parametrize("name", ["isolation", "snailtrail", "joust", "amazons"])
def test_side_without_a_move_between_walls_loses(game, name):
    (fen,) = [fen for fen, count in POSITIONS[name].items() if count == 0]
    assert game(name, fen).result().score == "0-1"
    assert pyffish.game_result(name, fen, []) < 0


def test_texts_of_moves_with_walls(game):
    position = game("duck")
    for text in ("e2e4,e4e5", "e2e4,e5", "e4,e5", "e2-e4,e4e5", "e4,e5+"):
        move = position.parse_san(text)
        assert (str(move), move.squares, move.wall) == ("e2e4,e4e5", ("e2", "e4"), "e5")
    promotion = game("duck", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1").parse_san("a8=R,a7")
    assert (str(promotion), promotion.promotion, promotion.wall) == ("a7a8r,a8a7", "R", "a7")
    assert Move.parse("A7A8Q,a8b1".lower()).wall == "b1"
    assert Move.parse("b1c1,g1f1").wall is None  # a choice of a setup phase
    joust = game("joust")
    for text in ("Nb3", "Nb3,d4", "d4b3", "d4b3,b3d4"):
        assert str(joust.parse_san(text)) == "d4b3,b3d4"
    assert str(joust.parse_move("d4b3")) == "d4b3,b3d4"


def test_text_that_is_no_move_is_refused_with_moves_that_put_walls(game):
    with pytest.raises(MoveSyntaxError, match=r"is not a move; moves look like 'e2e4,e4e5'$"):
        game("duck").parse_move("e2e4@e5")
    with pytest.raises(MoveSyntaxError, match=r"moves look like 'Nf3,g1', 'exd6,e5' or 'e2e4,e4e5'$"):
        game("duck").parse_san("e2e4@e5")
    with pytest.raises(IllegalMoveError, match=r"^'e2e4,e4e5': chess has no walls; possible: e2e4$"):
        Position("chess").parse_move("e2e4,e4e5")


@pytest.mark.parametrize(
    "text, reason",
    [
        ("e4", "names no square for the wall, as in 'e4,e2'"),
        ("e2e4", "names no square for the wall, as in 'e4,e2'"),
        ("e4,e7", "no wall can be put on e7 then"),
        ("e2e4,e4e4", "no wall can be put on e4 then"),
        ("e2e5,e5e4", "the Pawn on e2 cannot go to e5"),
    ],
)
def test_refused_wall_has_a_reason(game, text, reason):
    with pytest.raises(IllegalMoveError) as error:
        game("duck").parse_san(text)
    assert error.value.reason == reason
    with pytest.raises(IllegalMoveError):
        game("duck").parse_move(text if len(text) > 3 and text[2] != "," else "e2e4")
    with pytest.raises(MoveSyntaxError):
        game("duck").parse_move("e2e4,e4e9")


def test_wall_is_shown_on_boards(game):
    position = game("duck", "4k3/8/3*4/8/8/8/4R3/4K3 w - - 0 1")
    assert " 6  . . . * . . . ." in str(position)
    assert (
        position._repr_svg_().count("<rect")
        == game("duck", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1")._repr_svg_().count("<rect") + 1
    )
    assert position.walls() == {43}
    assert Position().walls() == set()


def test_duck_is_alone(game):
    with pytest.raises(FenError, match="2 walls, on d6, e6, but duck has only one"):
        game("duck", "4k3/8/3**3/8/8/8/8/4K3 w - - 0 1")
    with pytest.raises(FenError, match=r"8 walls, on a6, b6, c6, d6, \.\.\., but duck has only one"):
        game("duck", "4k3/8/********/8/8/8/8/4K3 w - - 0 1")
    with pytest.raises(FenError, match=r"rank 6, '\*8', has 9 squares instead of 8"):
        game("duck", "4k3/8/*8/8/8/8/8/4K3 w - - 0 1")
    assert len(game("isolation", "3p2/**4/6/6/6/6/6/2P3 w - - 0 1").walls()) == 2


@pytest.mark.parametrize("name", ["duck", "amazons", "isolation"])
def test_list_has_room_for_crowded_positions(game, name):
    queens = {
        "duck": [
            "QQQQQQQQ/8/QQQQQQQQ/8/8/8/7K/k7 w - - 0 1",
            "QQQQQQQQ/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQk w - - 0 1",
        ],
        "amazons": [
            "QQQQQQQQQQ/10/10/10/10/10/10/10/10/9q w - - 0 1",
            "Q9/1Q8/2Q7/3Q6/4Q5/5Q4/6Q3/7Q2/8Q1/9q w - - 0 1",
        ],
        "isolation": ["3p2/P4P/6/2P3/6/P4P/6/2P3 w - - 0 1"],
    }
    for fen in queens[name]:
        position = game(name, fen)
        assert 200 < len(position.legal_moves) == position.perft(1) < position.rules.max_moves


@pytest.mark.parametrize("name", [name for name in GAMES if name != "duck"])  # extinction is not exported
def test_exported_walls_are_imported_again(name):
    imported = import_game(name, IniFile("templates"))
    described = parse(imported.toml, f"{name}.toml")
    (again,) = import_text(export(described), "again.ini").values()
    assert parse(again.toml, "again.toml").walls == described.walls


@pytest.mark.parametrize(
    "section, reason",
    [
        ("[x:chess]\nwallingRule = duck\n", "'K' is royal: a wall could not end a check"),
        ("[x:isolation]\nwallingRegionBlack = *3\n", "differs between the sides"),
        ("[x:isolation]\nwallingRegion = -\n", "has no square for a wall"),
        ("[x:isolation]\nwallOrMove = true\n", "is not supported"),
        ("[x:isolation]\nwallingRule = edge\n", "should be none or static or past or duck or arrow"),
        ("[x:joust]\nwallingRegion = *5\n", "cannot be combined with rule = 'past'"),
    ],
)
def test_walls_that_are_not_played_are_refused(section, reason):
    (found,) = import_text(section, "mine.ini").values()
    assert isinstance(found, VariantError)
    assert reason in str(found)


@pytest.mark.parametrize(
    "squares, words",
    [
        ('"a1-b2"', "Walls stand on the squares from a1 to b2 alone."),
        ('"a1-f7", "a8", "b8"', "No wall can stand on the squares from c8 to f8."),
    ],
)
def test_region_of_walls_is_in_the_rules(squares, words):
    imported = import_game("isolation", IniFile("templates")).toml
    game = parse(re.sub(r"squares = .*", f"squares = [{squares}]", imported), "isolation.toml")
    assert words in " ".join(sentence for rule in RULES for sentence in rule.sentences(game))


def test_region_of_walls_is_fairy_stockfishs(game, tmp_path):
    section = "[walled-rows:isolation]\nwallingRegion = *3 *4\n"
    pyffish.load_variant_config(section)
    (found,) = import_text(section, "mine.ini").values()
    path = tmp_path / "rows.toml"
    path.write_text(found.toml, encoding="utf-8")
    position = Position(str(path))
    assert {str(move) for move in position.legal_moves} == theirs("walled-rows", position)
