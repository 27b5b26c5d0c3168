"""Mechanics as facts: a game has those in its file, and no compiled code of others."""

import pkgutil

import pytest
from surajang.engine import mechanics
from surajang.engine.definition import catalogue
from surajang.engine.definition.reader import DROP_KEYS, TOP_KEYS
from surajang.engine.game.description import GameMechanics, PieceMechanics
from surajang.engine.mechanics.outcomes import outcomes, reason, score_sign
from surajang.engine.representation.piece_plan import bitboard_width
from surajang.engine.rules import build, rules_for

pytestmark = pytest.mark.pure

# Name in the rules -> whether a description has the mechanic.
MECHANICS = {
    "bare": lambda game: game.bare_king is not None,
    "check_count": lambda game: bool(game.check_limit),
    "bumping": lambda game: game.bumping is not None,
    "dead": lambda game: game.dead_positions is not None,
    "facing": lambda game: game.facing_kings is not None and game.facing_kings.result != "illegal",
    "stares": lambda game: game.facing_kings is not None and game.facing_kings.result == "illegal",
    "file_drops": lambda game: any(piece.most_per_file for piece in game.pieces),
    "goal": lambda game: game.goal is not None,
    "merchants": lambda game: game.merchants is not None,
    "passing": lambda game: game.passing,
    "setup": lambda game: bool(game.setup_swaps),
    "dropping": lambda game: game.has_drops,
    "placing": lambda game: any(piece.must_drop for piece in game.pieces),
    "royal_drops": lambda game: any(piece.royal and piece.droppable for piece in game.pieces),
    "colour_drops": lambda game: any(piece.both_colours for piece in game.pieces),
    "castling_drops": lambda game: game.castling_dropped,
    "rifle_captures": lambda game: game.rifle_captures,
    "colour_change": lambda game: bool(game.colour_change),
    "cells": lambda game: game.cells is not None,
    "first_moves": lambda game: bool(game.first_moves),
    "mates_allowed": lambda game: game.mates_allowed,
    "free_castling": lambda game: game.castling_free,
    "common_castling": lambda game: bool(game.castling) and not any(piece.royal for piece in game.pieces),
    "absent_kings": lambda game: (
        any(piece.royal and piece.droppable for piece in game.pieces)
        or game.explosion is not None
        or not any(piece.royal for piece in game.pieces)
        or bool(game.kings)
    ),
    "extinction": lambda game: game.extinction is not None,
    "must_capture": lambda game: game.must_capture,
    "checks_forbidden": lambda game: game.checks_forbidden,
    "explosion": lambda game: game.explosion is not None,
    "self_capture": lambda game: game.self_capture,
    "castling_delay": lambda game: bool(game.castling_after),
    "walls": lambda game: game.walls is not None,
    "truce": lambda game: bool(game.truce),
    "last_royal": lambda game: game.last_royal is not None,
    "square_moves": lambda game: bool(game.square_moves),
    "standing_promotion": lambda game: any("stay" in game.promotes_on(piece) for piece in game.pieces),
    "parting": lambda game: game.facing_kings is not None and game.facing_kings.part,
    "goal_replies": lambda game: game.goal is not None and game.goal.reply,
}
HOPPING_OR_LAME = {
    "cannonshogi",
    "grasshopper",
    "janggi",
    "manchu",
    "minixiangqi",
    "paradigm",
    "shako",
    "xiangqi",
}
ONE_WAY_SLIDERS = {"checkshogi", "kyotoshogi", "micro", "shogi", "torishogi", "yarishogi"}  # lances
BY_TRIAL = {
    *HOPPING_OR_LAME,
    *("atomic", "chaotic"),  # what a move takes off the board besides
    *(
        "chaturanga",
        "courier",
        "great",
        "nightrider",
        "omicron",
        "opulent",
        "shatranj",
        "tencubed",
    ),  # jumps over squares
    "torishogi",
    *("cambodian", "karouk"),  # first moves
    *("coregal", "spartan", "twokings", "twokingssymmetric"),  # several royal pieces
    *(
        "rifle",
        "shoot",
        "andernach",
        "antiandernach",
        "superandernach",
    ),  # where or whose the piece is afterwards
    *("grid", "displacedgrid", "slippedgrid", "gridolina"),  # attacks from the same cell
}
ENDINGS = ("bare", "check_count", "explosion", "extinction", "facing", "goal", "merchants", "passing")


@pytest.mark.parametrize("variant", catalogue.available())
def test_game_has_the_mechanics_that_its_file_names_and_no_other(variant):
    game, rules = catalogue.load(variant), rules_for(variant)
    for name, has in MECHANICS.items():
        assert bool(getattr(rules, name)) == has(game), name
    assert rules.can_end == any(getattr(rules, name) for name in ENDINGS)
    assert bool(rules.odd_attackers) == (variant in HOPPING_OR_LAME | ONE_WAY_SLIDERS)


@pytest.mark.parametrize("variant", catalogue.available())
def test_game_has_exactly_one_generator(variant):
    rules = rules_for(variant)
    assert (len(rules.by_pins), len(rules.by_trial)) == ((0, 1) if variant in BY_TRIAL else (1, 0))


def test_pandemonium_carries_nothing_of_special_endings():
    rules = rules_for("pandemonium")
    assert not rules.can_end
    assert not rules.stands_still
    assert not rules.quiet_limit
    assert not rules.castling_rights


@pytest.mark.parametrize(
    "variant, width",
    [
        ("minishogi", 64),
        ("chess", 64),
        ("capablanca", 128),
        ("janggi", 128),
        ("pandemonium", 128),
        ("xxl", 256),
    ],
)
def test_width_of_bitboards_follows_from_the_board(variant, width):
    assert rules_for(variant).empty.width == width


@pytest.mark.parametrize("squares, width", [(4, 64), (64, 64), (65, 128), (128, 128), (129, 256), (256, 256)])
def test_narrowest_bitboard_that_holds_the_board(squares, width):
    assert bitboard_width(squares) == width


# What a mechanic says of itself

LOOKALIKES = """
name = "lookalikes"
title = "Two kinds of knights"
start = "nhk3/6/6/6/6/NHK3 w - - 0 1"
board = { files = 6, ranks = 6 }

[pieces]
K = { name = "King", moves = "K", royal = true }
N = { name = "Knight", moves = "N", value = 300 }
H = { name = "Horse", moves = "N", value = 300 }

[end]
checkmate = "loss"
stalemate = "draw"
"""
GOAL = '\n[goal]\npieces = "N"\nsquares = ["c3"]\n'


def test_every_module_with_a_mechanic_is_in_the_list():
    names = {module.name for module in pkgutil.iter_modules(mechanics.__path__)}
    assert names == {*mechanics.MODULES, "mechanic", "outcomes", "unmoved_files"}


def test_keys_of_mechanics_are_keys_of_a_file_and_belong_to_one_mechanic():
    keys = [key for mechanic in mechanics.MECHANICS for key in mechanic.file_keys]
    assert len(keys) == len(set(keys))
    assert set(mechanics.keys_in("")) < set(TOP_KEYS) and set(mechanics.keys_in("drops")) < set(DROP_KEYS)
    assert {key.rpartition(".")[0] for key in keys} == {"", "drops", "castling", "end", "promotion"}


def test_each_outcome_has_a_number_of_its_kind_and_a_sentence():
    game = catalogue.load("chaotic")
    told = {(reason(number, game, "White", "Black"), score_sign.py_func(number)) for number in outcomes()}
    assert told == {
        ("Both sides passed", 0),
        ("Both sides reach the goal", 0),
        ("Bikjang: the kings kept facing each other", 0),
        ("Black backstabs the king", -1),
        ("White has nothing but king and pawns", -1),
        ("White has no pieces left", -1),
        ("Black has no pieces left", -1),
        ("White's King explodes", -1),
        ("Black reaches the goal", -1),
        ("Black has given enough checks", -1),
        ("White has no pieces left", 1),
        ("Black has no pieces left", 1),
        ("White reaches the goal, and Black does not follow", 1),
        ("White holds the goal", 1),
        ("White has no pieces left", 0),
        ("Black has no pieces left", 0),
        ("Black has nothing but its king", 1),
        ("Black exposed the kings to each other", 1),
    }


def test_piece_named_by_a_mechanic_is_distinguished_from_one_with_the_same_moves():
    alike = build(catalogue.parse(LOOKALIKES, "lookalikes.toml"))
    apart = build(catalogue.parse(LOOKALIKES + GOAL, "lookalikes.toml"))
    assert (alike.mover_count, apart.mover_count) == (2, 3)
    (goal,) = apart.goal
    assert [int(apart.kind_mover[1])] == [int(mover) for mover in goal.members]


def test_attribute_that_nothing_has_read_is_an_error():
    game = catalogue.load("chess")
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        game.nonsense  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        game.pieces[0].nonsense  # noqa: B018


@pytest.mark.parametrize(
    "declared, found",
    [
        (GameMechanics, lambda game: game.mechanics),
        (PieceMechanics, lambda game: game.pieces[0].mechanics),
    ],
)
def test_attributes_that_type_checkers_know_are_read_by_mechanics(declared, found):
    assert declared.__annotations__.keys() <= found(catalogue.load("chess")).keys()


MIRRORED = {
    "": True,
    '[goal]\npieces = "K"\nsquares = ["d4", "d5"]': True,
    '[goal]\npieces = "K"\nsquares = ["a8-h8"]': True,  # Black's are a1 to h1
    '[goal]\npieces = "K"\nsquares = ["a8-h8"]\nreply = true': False,  # Black's alone
    '[goal]\npieces = "K"\nsquares = ["a8-h8"]\nblack = ["a1-h1"]': True,
    '[goal]\npieces = "K"\nsquares = ["a8-h8"]\nblack = ["a1-g1"]': False,
    '[last_royal]\npieces = "K"\nleftmost = "own"': True,
    '[last_royal]\npieces = "K"\nleftmost = "white"': False,
    '[promotion]\nwhite = "QR"\nblack = "RQ"': True,
    '[promotion]\nwhite = "QR"\nblack = "Q"': False,
    '[promotion]\nsquares = { P = ["a8"] }': True,
    '[promotion]\nsquares = { P = ["a8"] }\nturned = true': False,
}


@pytest.mark.parametrize("rule", MIRRORED)
def test_rules_have_a_mirror_image_if_they_are_the_same_for_both_sides(rule):
    parent = "twokings" if "last_royal" in rule else "chess"
    game = catalogue.parse(f'extends = "{parent}"\nname = "mine"\ntitle = "Mine"\n{rule}\n', "mine.toml")
    assert mechanics.has_mirror_images(game) == MIRRORED[rule]
