"""The card with the rules: its words, and drawings of the moves of each piece. The drawings are compared with
moves that are derived here independently from the Betza notation of the files."""

import json
import re
from functools import cache
from xml.etree import ElementTree

import pytest
from surajang.board import move_words
from surajang.board.rules_card import rules_card
from surajang.engine.definition.catalogue import SHIPPED, load, parse
from surajang.engine.game import betza
from surajang.engine.rulebook.rules import sections

pytestmark = pytest.mark.pure

GAMES = sorted(path.stem for folder in SHIPPED for path in folder.glob("*.toml"))
LEAPS = {"W": [(0, 1)], "F": [(1, 1)], "N": [(1, 2)], "A": [(2, 2)], "C": [(1, 3)], "Z": [(2, 3)]}
LEAPS |= {"K": [(0, 1), (1, 1)], "R": [(0, 1)], "B": [(1, 1)], "Q": [(0, 1), (1, 1)]}
LEAPS |= {"D": [(0, 2)], "H": [(0, 3)]}
SVG = "{http://www.w3.org/2000/svg}"


@cache
def card_of(game):
    return rules_card(load(game))


def piece_of(game, letter):
    return next(piece for piece in card_of(game)["pieces"] if piece["letter"] == letter)


def signs(markup):
    """Square -> the kind of sign there; radius of the drawing."""
    tree = ElementTree.fromstring(markup)
    side = int(tree.get("viewBox").split()[2])
    marks = [group for group in tree.iter(f"{SVG}g") if group.get("data-at")]
    found = {tuple(map(int, group.get("data-at").split(","))): group.get("class") for group in marks}
    assert len(found) == len(marks)
    return found, side // 20 // 2


def goes(step, modifiers):
    """Whether a step is among the directions before an atom."""
    x, y = step
    across, along = "r" if x > 0 else "l", "f" if y > 0 else "b"
    if abs(x) == abs(y) and set(modifiers) & set("fb") and set(modifiers) & set("lr"):
        return {across, along} <= set(modifiers)
    if not set(modifiers) & set("fbvslr"):
        return True
    if x and not y and set(modifiers) & set("s" + ("r" if x > 0 else "l")):
        return True
    narrow = "ff" in modifiers and y < 2  # the narrow leaps forward alone
    return not narrow and bool(y and set(modifiers) & set("v" + ("f" if y > 0 else "b")))


def walked(text, radius):
    """Square -> "both", "move" or "capture" of a piece with this Betza notation on an empty board."""
    found = {}
    for modifiers, atom, doubled, most in re.findall(r"([a-z]*)([A-Z])(\2?)(\d*)", text):
        assert set(modifiers) <= set("fsblrvmcpgn") and modifiers.count("f") <= 1 + (atom == "N")
        wanted = set(modifiers) & {"m", "c"} or {"m", "c"}
        for a, b in LEAPS[atom]:
            steps = {(x * i, y * j) for x, y in ((a, b), (b, a)) for i in (-1, 1) for j in (-1, 1)}
            steps = {step for step in steps if goes(step, modifiers)}
            far = radius // max(max(leap) for leap in LEAPS[atom])
            most = int(most or (far if atom in "RBQ" or doubled else 1))
            for x, y in steps:
                first = max(2, far) if "g" in modifiers else 2 if "p" in modifiers else 1
                for distance in range(first, most + 1):
                    found.setdefault((x * distance, y * distance), set()).update(wanted)
    words = {"m": "move", "c": "capture"}
    return {cell: "both" if len(modes) == 2 else words[modes.pop()] for cell, modes in found.items()}


@pytest.mark.parametrize("game", GAMES)
def test_drawings_show_the_moves_of_the_file(game):
    description = load(game)
    for piece in card_of(game)["pieces"]:
        found, radius = signs(piece["diagram"])
        wanted = walked(piece["betza"], radius)
        if description.palace and (piece["letter"] in "KARCP"):
            found = {cell: kind for cell, kind in found.items() if cell in wanted}
        longer = {cell for cell, kind in found.items() if kind == "longer"}
        assert {cell: found[cell] for cell in found if cell not in longer} == wanted, piece["letter"]
        steps = max(description.piece(piece["letter"]).steps.values(), default=1)
        way = description.piece(piece["letter"]).long_steps
        assert longer == {(files * ranks, ranks) for files in way for ranks in range(2, steps + 1)}


def test_walk_reads_a_pawn_a_cannon_and_a_soldier():
    assert walked("fmWfcF", 2) == {(0, 1): "move", (-1, 1): "capture", (1, 1): "capture"}
    assert walked("mRcpR", 2)[0, 1] == "move"
    assert walked("mRcpR", 2)[0, 2] == "both"
    assert walked("fsW", 2) == {(0, 1): "both", (-1, 0): "both", (1, 0): "both"}


def test_card_becomes_json_and_its_drawings_are_well_formed():
    for game in GAMES:
        card = json.loads(json.dumps(card_of(game)))
        markups = [piece["diagram"] for piece in card["pieces"]] + [row["sign"] for row in card["legend"]]
        for markup in markups:
            try:
                tag = ElementTree.fromstring(markup).tag
            except ElementTree.ParseError as error:
                pytest.fail(f"{game}: {error} in {markup}")
            assert tag == f"{SVG}svg", game


def test_paragraphs_are_those_of_the_rulebook():
    for game in GAMES:
        paragraphs = {part["heading"]: part["sentences"] for part in card_of(game)["paragraphs"]}
        assert paragraphs == sections(load(game)), game


def test_every_kind_stands_once_on_the_card():
    for game in GAMES:
        letters = [piece["letter"] for piece in card_of(game)["pieces"]]
        assert letters == [piece.letter for piece in load(game).pieces if "~" not in piece.letter], game


@pytest.mark.parametrize(
    ("game", "letter", "moves"),
    [
        ("chess", "Q", ["Slides any number of squares in any direction."]),
        ("chess", "N", ["Leaps two squares straight and one to the side."]),
        (
            "chess",
            "P",
            [
                "Steps one square straight forward, without capturing.",
                "Steps one square diagonally forward, only to capture.",
            ],
        ),
        ("minishogi", "G", ["Steps one square along ranks and files or diagonally forward."]),
        ("minishogi", "S", ["Steps one square straight forward or diagonally."]),
        ("janggi", "N", ["Leaps two squares straight and one to the side; a piece on the way blocks it."]),
        (
            "janggi",
            "P",
            [
                "Steps one square straight forward or sideways.",
                "Along the diagonals of either palace: steps one square diagonally forward.",
            ],
        ),
        ("shako", "E", ["Leaps exactly two squares diagonally.", "Steps one square diagonally."]),
    ],
)
def test_moves_in_words(game, letter, moves):
    assert sorted(piece_of(game, letter)["moves"]) == sorted(moves)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("fR", "slides any number of squares straight forward"),
        ("W3", "slides up to 3 squares along ranks and files"),
        ("NN", "rides by leaps of two squares straight and one to the side"),
        ("DD", "rides by leaps of exactly two squares along ranks and files"),
        ("N2", "rides up to 2 times by leaps of two squares straight and one to the side"),
        (
            "ffN",
            (
                "leaps two squares straight and one to the side"
                " (one left and two forward or one right and two forward)"
            ),
        ),
        ("flF", "steps one square diagonally forward to the left"),
        ("lbW", "steps one square straight backward or left"),
    ],
)
def test_odd_moves_in_words(text, words):
    (phrase,) = move_words._phrases(betza.parse(text))
    assert phrase == words


def test_notes_say_what_the_rules_say_of_the_piece():
    merchant = " ".join(piece_of("chaotic", "M")["notes"])
    assert merchant.startswith("Immobilises the enemies beside it")
    assert "Its step captures what it puts between itself and another Merchant" in merchant
    assert piece_of("pandemonium", "R")["notes"] == ["Promotes to Dragon."]


def test_confined_king_is_described():
    assert "Never leaves its own palace." in piece_of("janggi", "K")["moves"]


def test_cannon_is_drawn_with_what_it_hops_over():
    tree = ElementTree.fromstring(piece_of("shako", "C")["diagram"])
    assert len([group for group in tree.iter() if group.get("class") == "hop"]) == 4
    assert "any piece, which it hops over" in [row["meaning"] for row in card_of("shako")["legend"]]


def test_grasshopper_is_drawn_right_behind_what_it_hops_over():
    tree = ElementTree.fromstring(piece_of("grasshopper", "G")["diagram"])
    assert len([group for group in tree.iter() if group.get("class") == "hop"]) == 8
    assert signs(piece_of("grasshopper", "G")["diagram"])[0].keys() == {
        (files, ranks) for files in (-3, 0, 3) for ranks in (-3, 0, 3) if files or ranks
    }


def test_slides_have_arrows():
    tree = ElementTree.fromstring(piece_of("chess", "Q")["diagram"])
    assert len([group for group in tree.iter() if group.get("class") == "slide"]) == 8


def test_squares_that_block_a_horse_are_crossed():
    tree = ElementTree.fromstring(piece_of("janggi", "N")["diagram"])
    assert len([path for path in tree.iter() if path.get("class") == "blocker"]) == 4


def test_name_with_signs_of_markup_is_shown_as_it_is():
    game = parse(
        'extends = "chess"\nname = "odd"\ntitle = "Odd"\n[pieces]\nN = { name = "<b>Bat & Ball</b>" }',
        "odd.toml",
    )
    knight = next(piece for piece in rules_card(game)["pieces"] if piece["letter"] == "N")
    title = ElementTree.fromstring(knight["diagram"]).find(f"{SVG}title").text
    assert title.startswith("<b>Bat & Ball</b>: Leaps")
