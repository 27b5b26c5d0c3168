"""Finding games, and inheritance from a parent."""

import json
import os
import pickle
import re
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest
from surajang.engine.definition import catalogue
from surajang.engine.definition.catalogue import (
    FAMILIES,
    FOLDER,
    available,
    folders,
    known_as,
    load,
    parse,
    register,
    shipped,
)
from surajang.engine.game.description import VariantError
from surajang.engine.rules import rules_for
from surajang.engine.variant import Variant
from surajang.tests.engine.test_description import GAME
from surajang.tests.engine.test_mechanics_files import refusal

pytestmark = pytest.mark.pure


@pytest.fixture(autouse=True)
def no_memory(monkeypatch):
    """Each test reads its files again and has its own registry."""
    catalogue._load.cache_clear()
    yield
    catalogue._load.cache_clear()


@pytest.fixture
def user_folder(tmp_path, monkeypatch):
    """An empty folder of games, the only one beside those that come with the engine."""
    folder = tmp_path / "games"
    folder.mkdir()
    monkeypatch.setenv("SURAJANG_VARIANT_PATH", str(folder))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nothing"))
    return folder


def heir(lines, parent="chess"):
    return parse(f'extends = "{parent}"\nname = "heir"\n{lines}', "heir.toml")


# Inheritance


def test_child_differs_from_its_parent_only_in_its_own_keys():
    chess, game = load("chess"), heir('title = "Heir"')
    assert (game.name, game.title) == ("heir", "Heir")
    assert game.pieces == chess.pieces
    assert game.castling == chess.castling
    assert game.start_fen == chess.start_fen
    assert game.path.name == "heir.toml"


def test_tables_merge_key_by_key():
    game = heir('[end]\nstalemate = "loss"\n[castling.K]\nking_to = "f"\nrook_to = "e"')
    assert (game.stalemate, game.quiet_moves) == ("loss", 50)
    assert [(wing.king, wing.king_to, wing.rook_to) for wing in game.castling] == [(4, 5, 4), (4, 2, 3)]


def test_pieces_are_overridden_one_key_at_a_time():
    chess, game = load("chess"), heir('[pieces]\nN = { value = 333 }\nC = { name = "Camel", moves = "C" }')
    assert game.piece("N").value == 333
    assert game.piece("N").moves == chess.piece("N").moves
    assert [piece.letter for piece in game.pieces] == [*(piece.letter for piece in chess.pieces), "C"]


def test_lists_and_texts_are_replaced_as_a_whole():
    game = heir("[end.repetition]\ncompares = []\n[promotion]\nzone = [7, 8]")
    assert game.repetition_compares == frozenset()
    assert game.promotion_zone == (7, 8)


def test_false_takes_a_key_away():
    game = heir("castling = false\n[end]\nquiet_moves = false\ndead_positions = false")
    assert (game.castling, game.quiet_moves, game.dead_positions) == ((), 0, None)
    start = load("chess").start_fen.replace("KQkq", "Kk")
    game = heir(f'start = "{start}"\n[castling]\nQ = false\n[pieces.P.steps]\n2 = false\n3 = 2')
    assert [wing.letter for wing in game.castling] == ["K"]
    assert game.piece("P").steps == {3: 2}


def test_false_takes_a_piece_away():
    start = "rnbbkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBBKBNR w KQkq - 0 1"
    game = heir(f'start = "{start}"\n[pieces]\nQ = false\nP = {{ promotes = "RBN" }}')
    assert [piece.letter for piece in game.pieces] == list("KRBNP")


def test_false_stays_where_a_key_is_true_or_false():
    assert heir("[drops]\nreverts = false", "crazyhouse").piece("P").promotes_to == tuple("QRBN")


def test_grandchild_inherits_from_both():
    game = load("capahouse")
    assert (game.files, game.ranks) == (10, 8)
    assert game.has_drops
    assert game.piece("P").steps == {2: 2}


def test_parent_of_the_users_own(user_folder):
    (user_folder / "small-game-2.toml").write_text(GAME)
    (user_folder / "child.toml").write_text('extends = "small-game-2"\nname = "child"')
    assert load("child").pieces == load("small-game-2").pieces


@pytest.mark.parametrize("parent", ['"ches"', "3", '""', '["chess"]', '"chess.toml"'])
def test_unknown_parent_is_refused_with_advice(parent):
    message = refusal(parse, f"extends = {parent}", "heir.toml")
    assert message.startswith("heir.toml: extends: ")
    assert parent.strip('"') in message.replace("'", '"')
    assert re.search(r"(did you mean '\w+'\?|'surajang variants' lists all games)$", message)


@pytest.mark.parametrize("circle", [["one"], ["one", "two"], ["one", "two", "three"]])
def test_game_that_inherits_from_itself_is_refused(circle, user_folder):
    for child, parent in zip(circle, circle[1:] + circle[:1], strict=True):
        (user_folder / f"{child}.toml").write_text(f'extends = "{parent}"\nname = "{child}"')
    assert re.search(r"^\w+\.toml: extends: '\w+' inherits from itself$", refusal(load, "one"))


def test_error_in_a_child_names_its_file():
    assert refusal(heir, "[board]\nfiles = 9").startswith("heir.toml: start: board: ")
    assert refusal(heir, "[pieces]\nQ = false").startswith("heir.toml: pieces.P.promotes: 'Q'")
    assert refusal(heir, "[pieces]\nC = { value = 300 }").startswith("heir.toml: pieces.C.")


def test_broken_parent_is_reported_by_its_own_file(user_folder):
    (user_folder / "parent.toml").write_text("name = ")
    (user_folder / "child.toml").write_text('extends = "parent"')
    assert refusal(load, "child").startswith("parent.toml: not TOML")


# Folders of games


def test_games_of_the_users_folders_are_known(user_folder):
    (user_folder / "small-game-2.toml").write_text(GAME)
    (user_folder / "notes.txt").write_text("no game")
    assert "small-game-2" in available()
    assert "notes" not in available()
    assert load("small-game-2").title == "Small game"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_games_saved_by_editors_of_windows_are_read(user_folder, encoding, line_end):
    text = GAME.replace("Small game", "Schäch").replace("\n", line_end)
    (user_folder / "small-game-2.toml").write_bytes(text.encode(encoding))
    assert load("small-game-2").title == "Schäch"


def test_several_folders_are_listed_with_separators(tmp_path, monkeypatch):
    parts = [tmp_path / "one", tmp_path / "two", tmp_path / "absent"]
    for part in parts[:2]:
        part.mkdir()
        (part / "small-game-2.toml").write_text(GAME.replace("Small game", part.name))
    monkeypatch.setenv("SURAJANG_VARIANT_PATH", os.pathsep.join(["", *map(str, parts)]))
    assert folders()[-3:] == tuple(parts)
    assert load("small-game-2").title == "one"  # the first counts


def test_games_of_the_configuration_folder_are_known(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("SURAJANG_VARIANT_PATH", raising=False)
    folder = tmp_path / "surajang" / "variants"
    folder.mkdir(parents=True)
    (folder / "small-game-2.toml").write_text(GAME)
    assert folders()[-1] == folder
    assert load("small-game-2").path == folder / "small-game-2.toml"


def test_no_game_of_a_user_hides_one_that_comes_with_the_engine(user_folder):
    (user_folder / "chess.toml").write_text(GAME)
    assert load("chess").title == "Chess"


def test_broken_game_is_known_and_refused_when_it_is_loaded(user_folder):
    (user_folder / "broken.toml").write_text("name = 3")
    assert "broken" in available()
    assert refusal(load, "broken").startswith("broken.toml: ")
    assert load("chess").title == "Chess"


@pytest.mark.slow
def test_all_shipped_games_are_known_by_their_files_names(user_folder):
    assert set(available()) == set(shipped()) > {"chess", "xxl", "antichess", "losalamos"}
    for name in available():
        assert load(name).name == name


@pytest.mark.parametrize("name", shipped())
def test_no_title_or_alias_of_a_game_names_another_one(name):
    game = load(name)
    assert {known_as(other) for other in (name, name.upper(), game.title, *game.aliases)} == {name}


def test_game_is_known_by_title_and_alias_in_any_spelling():
    assert known_as("King of the Hill") == known_as("KOTH") == known_as("king-of-the-hill") == "kingofthehill"
    assert known_as("threeCheck") == known_as("Three-check") == known_as("3check") == "3check"
    assert known_as("four check") is None


def test_aliases_are_not_inherited(user_folder):
    assert heir('title = "Heir"', "chess").aliases == ()
    assert heir('title = "Heir"\naliases = ["mine"]', "chess").aliases == ("mine",)


@pytest.mark.parametrize("wrong", ['"x"', "[3]", '["X"]', '["a b"]'])
def test_wrong_aliases_are_quoted(wrong):
    with pytest.raises(VariantError, match="aliases: "):
        heir(f'title = "Heir"\naliases = {wrong}', "chess")


def test_every_folder_of_games_has_a_family():
    assert {path.parent for path in FOLDER.rglob("*.toml") if path.parent.name != "weights"} == set(FAMILIES)


def test_registered_file_is_known_by_its_name(tmp_path, user_folder):
    path = tmp_path / "any file.toml"
    path.write_text(GAME)
    assert register(path) == "small-game-2"
    assert "small-game-2" in available()
    assert load("small-game-2").path == path
    assert register(str(path)) == "small-game-2"  # again


def test_registered_file_may_be_a_parent(tmp_path, user_folder):
    path = tmp_path / "any file.toml"
    path.write_text(GAME)
    register(path)
    assert heir('title = "Heir"', "small-game-2").piece("N").hand_value == 350


def test_file_is_not_registered_under_the_name_of_another_game(tmp_path, user_folder):
    path = tmp_path / "mine.toml"
    path.write_text(GAME.replace("small-game-2", "chess"))
    message = refusal(register, path)
    assert message.startswith(f"{path}: name: 'chess'")
    assert "chess.toml" in message
    assert load("chess").title == "Chess"


def test_copy_of_a_file_in_the_users_folder_is_the_same_game(tmp_path, user_folder):
    """People keep a game in their folder and also name the file that they edit."""
    (user_folder / "small-game-2.toml").write_text(GAME)
    path = tmp_path / "small-game-2.toml"
    path.write_text(GAME + "# changed\n")
    assert "is the name of another game" in refusal(register, path)
    path.write_text(GAME)
    assert register(path) == "small-game-2"
    assert load("small-game-2").path == path


def test_broken_file_is_not_registered(tmp_path, user_folder):
    path = tmp_path / "broken.toml"
    path.write_text("name = 3")
    assert refusal(register, path).startswith("broken.toml: ")
    assert "broken" not in available()


TEXT = 'extends = "chess"\nname = "mine"\ntitle = "Mine"\n'


@pytest.fixture
def texts_folder(tmp_path, monkeypatch):
    """A folder of its own for games that are given as texts, which takes a while to make."""

    def make():
        time.sleep(0.05)
        return Path(tempfile.mkdtemp(dir=tmp_path))

    monkeypatch.setattr(catalogue, "_made_folder", cache(make))


def test_threads_keep_texts_in_one_folder(texts_folder):
    with ThreadPoolExecutor(2) as threads:
        paths = list(threads.map(catalogue.keep_text, [TEXT, TEXT]))
    assert paths[0] == paths[1] and catalogue.kept_text(paths[0]) == TEXT


def test_kept_text_is_whole_as_soon_as_it_is_there(texts_folder):
    folder, seen = catalogue._texts_folder(), []

    def look(frame, event, _):
        seen.extend(path.read_text() for path in folder.glob("*/mine.toml"))
        return look

    sys.settrace(look)
    try:
        catalogue.keep_text(TEXT)
    finally:
        sys.settrace(None)
    assert seen and {*seen} == {TEXT}


def test_kept_texts_outlive_a_fork(tmp_path):
    for maker, is_left in ((os.getpid() + 1, True), (os.getpid(), False)):
        catalogue._delete(str(tmp_path), maker)
        assert tmp_path.exists() is is_left


def test_variant_is_its_name_and_has_what_follows_from_it():
    variant = Variant("crazyhouse")
    assert (
        variant == "crazyhouse"
        and f"{variant}" == "crazyhouse"
        and json.loads(json.dumps(variant)) == variant
    )
    assert variant.description is catalogue.load("crazyhouse")
    assert variant.rules is rules_for("crazyhouse") and variant.rules.drops


def test_variant_crosses_processes_as_its_name():
    variant = Variant("chess")
    assert variant.description
    again = pickle.loads(pickle.dumps(variant))
    assert type(again) is Variant and again == "chess" and "description" not in vars(again)


@pytest.mark.parametrize(
    ("name", "own"),
    [
        *[("fischerandom", "chess960"), ("normal", "chess"), ("standard", "chess"), ("threecheck", "3check")],
        *[("koth960", "kingofthehill960"), ("capablanca960", "caparandom"), ("Capablanca 960", "caparandom")],
        *[("crazyhouse960", "crazyhouse960"), ("chess", "chess"), ("small.toml", "small.toml"), ("x", "x")],
    ],
)
def test_variant_has_its_own_name_by_whatever_name_it_is_known(name, own):
    assert Variant(name) == own == catalogue.own_name(name) and catalogue.own_name(own) == own
    if own not in ("small.toml", "x"):
        assert load(name) is load(own)


def test_parent_by_another_name_of_it():
    assert heir('title = "Heir"', "fischerandom") == heir('title = "Heir"', "chess960")


def test_own_file_comes_before_an_alias_of_another_game(user_folder):
    (user_folder / "koth.toml").write_text(GAME.replace("small-game-2", "koth"))
    assert load("koth").title == "Small game" and Variant("koth") == "koth"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("fisherandom", "'fisherandom'; did you mean 'fischerandom'?"),
        ("king of hill", "'king of hill'; did you mean 'kingofthehill'?"),
        ("shogy", "'shogy'; did you mean 'shogi'?"),
        ("no-castlng", "'no-castlng'; did you mean 'no-castling' or 'no-castling-10'?"),
        ("crazyhose960", "'crazyhose960'; did you mean 'crazyhouse960'?"),
        ("xiangqi960", "'xiangqi960': xiangqi has no castling rights, so none from any files"),
        ("x" * 100, f"'{'x' * 57}...'; 'surajang variants' lists all games"),
    ],
)
def test_unknown_name_is_reported_with_those_like_it(name, said):
    assert refusal(load, name) == f"unknown variant {said}"


def test_variant_without_a_game_is_an_error_at_its_first_use():
    variant = Variant("jangi")
    for use in (variant.check, lambda: variant.description, lambda: variant.rules):
        with pytest.raises(VariantError, match="did you mean 'janggi'"):
            use()


@pytest.mark.parametrize("wrong", [None, 5, ["chess"]])
def test_game_is_named_by_a_text_or_a_path(wrong):
    with pytest.raises(TypeError, match=re.escape(f"{wrong!r} should be the name of a game")):
        Variant(wrong)


@pytest.mark.parametrize("key, text", [("castling", "castling = false"), ("pieces.Z", "[pieces]\nZ = false")])
def test_false_for_a_key_that_the_parent_lacks_is_explained(key, text):
    with pytest.raises(
        VariantError, match=f"{key}: false should be a table; false removes a key of the game"
    ):
        parse(f'extends = "makruk"\nname = "x"\ntitle = "X"\n{text}\n', "x.toml")
