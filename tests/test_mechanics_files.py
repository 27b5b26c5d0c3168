"""What a game's file says beyond plain pieces and drops, what it inherits, and where games are found."""

import os
import re

import pytest
from surajang.engine.game import catalogue
from surajang.engine.game.catalogue import available, folders, load, parse, register
from surajang.engine.game.description import (
    Bumping,
    DeadPositions,
    FacingKings,
    Merchants,
    Palace,
    VariantError,
)
from surajang.tests.test_description import GAME

pytestmark = pytest.mark.pure

# The same game without promotion, drops and castling, which merchants do not go with
BARE = re.sub(r"\[promotion\].*\[end\]", "[end]", GAME, flags=re.DOTALL)
BARE = re.sub(r', promotes = "\w+"', "", BARE).replace("[] w", " w")


@pytest.fixture(autouse=True)
def no_memory(monkeypatch):
    """Each test reads its files anew and registers for itself alone."""
    monkeypatch.setattr(catalogue, "_registered", {})
    catalogue._load.cache_clear()
    yield
    catalogue._load.cache_clear()


def game_with(old, new, text=GAME):
    assert text.count(old) >= 1, "the case does not fit the file"
    return parse(text.replace(old, new, 1), "folder/small.toml")


def with_part(heading, lines, text=GAME):
    return parse(f"{text}\n[{heading}]\n{lines}\n", "folder/small.toml")


def refusal(read, *arguments):
    with pytest.raises(VariantError) as refused:
        read(*arguments)
    message = str(refused.value)
    assert "\n" not in message
    return message


# Keys of pieces


def test_piece_may_have_other_letters_in_a_fen():
    assert game_with("hand = 350", 'also = "HS"').piece("N").also == "HS"
    assert game_with("hand = 350", "hand = 350").piece("N").also == ""


def test_piece_may_be_shielded():
    assert game_with("hand = 350", 'shielded = "slides"').piece("N").shielded == "slides"
    assert game_with("hand = 350", 'shielded = "hops"').piece("N").shielded == "hops"
    assert parse(GAME, "small.toml").piece("N").shielded == ""


def test_no_letter_is_another_name_of_two_pieces():
    text = GAME.replace("hand = 350", 'also = "H"')
    with pytest.raises(VariantError, match=r"^small\.toml: pieces\.[ND]\.also: 'H'"):
        parse(text.replace("value = 800", 'also = "H"'), "small.toml")


# Promotion, drops, castling


def test_promotion_may_be_forced_on_some_ranks_alone():
    game = game_with('mandatory = "P"', "mandatory = { P = [6], R = [5, 6] }")
    assert game.piece("P").must_promote == (6,)
    assert game.piece("R").must_promote == (5, 6)
    assert parse(GAME, "small.toml").piece("P").must_promote == (5, 6)
    assert parse(GAME, "small.toml").piece("R").must_promote == ()


def test_promotion_may_be_limited_to_what_the_start_has():
    text = BARE.replace('moves = "R"', 'moves = "R", promotes = "N"').replace("rk3/p4", "rk1n1/p4")
    game = with_part("promotion", 'zone = [6]\nlimit = "captured"', text)
    assert game.promotion_limit == {"R": 1, "K": 1, "P": 1}
    assert parse(GAME, "small.toml").promotion_limit == {}


def test_one_of_a_kind_on_a_file():
    game = game_with('no_mate = "P"', 'one_per_file = "PN"')
    assert [piece.letter for piece in game.pieces if piece.most_per_file] == ["N", "P"]
    assert not any(piece.most_per_file for piece in parse(GAME, "small.toml").pieces)


def test_promoted_piece_that_reverts_is_a_kind_of_its_own():
    game = game_with('no_mate = "P"', "reverts = true")
    assert [piece.letter for piece in game.pieces] == [*"KRNPDG", "N~"]
    assert game.piece("P").promotes_to == ("G", "N~")
    knight, promoted = game.piece("N"), game.piece("N~")
    assert (promoted.moves, promoted.value) == (knight.moves, knight.value)
    assert (promoted.base, promoted.promoted, promoted.droppable) == ("P", True, False)
    assert (knight.base, knight.promoted, knight.droppable) == ("N", False, True)


def test_castling_by_rights_once_on_another_rank_and_with_another_piece():
    game = game_with('by = "position"', 'by = "rights"\nrank = 2\nrook = "N"')
    assert (game.castling_by, game.castling_once, game.castling_rights) == ("rights", False, True)
    assert (game.castling_rank, game.castling_rook) == (2, "N")
    game = game_with('by = "position"', 'by = "position"\nonce = true')
    assert (game.castling_by, game.castling_once, game.castling_rights) == ("position", True, True)
    game = parse(GAME, "small.toml")
    assert (game.castling_by, game.castling_once, game.castling_rights) == ("position", False, False)
    assert (game.castling_rank, game.castling_rook) == (1, "R")


def test_castling_with_another_piece_needs_no_rook():
    text = (
        GAME.replace("R = {", "T = {").replace('"RNP"', '"TNP"').replace("rk3", "tk3").replace("RK3", "TK3")
    )
    assert game_with('by = "position"', 'by = "position"\nrook = "T"', text).castling_rook == "T"


# Ends


def test_ends_of_a_game():
    game = game_with('stalemate = "loss"', 'stalemate = "win"\nquiet_moves = 40')
    assert (game.stalemate, game.quiet_moves) == ("win", 40)
    game = game_with('stalemate = "loss"', 'stalemate = "loss"\ndead_positions = { single = "N" }')
    assert game.dead_positions == DeadPositions("N", "")
    game = game_with('result = "draw"', 'compares = ["castling"]')
    assert game.repetition_compares == {"castling"}
    game = parse(GAME, "small.toml")
    assert (game.quiet_moves, game.dead_positions, game.repetition_compares) == (0, None, frozenset())


# Mechanics that few games have


def test_palace():
    lines = 'files = "bcd"\nranks = [1, 2, 3]\nconfined = "N"\ndiagonals = { R = "B", N = "F" }'
    game = with_part("palace", lines)
    assert game.palace == Palace((1, 2, 3), (1, 2, 3))
    assert [piece.letter for piece in game.pieces if piece.confined] == ["N"]
    assert {piece.letter for piece in game.pieces if piece.palace_moves} == set("RN")
    assert game.can_stand(game.piece("N"), 3, 3)
    assert not game.can_stand(game.piece("N"), 4, 3)
    assert not game.can_stand(game.piece("N"), 3, 4)


def test_setup_names_pairs_of_files():
    assert with_part("setup", 'swaps = ["bc", "ed"]').setup_swaps == ((1, 2), (4, 3))


def test_facing_kings():
    game = with_part("facing_kings", 'result = "draw"\nlasting = true\nlines = ["rank", "file"]')
    assert game.facing_kings == FacingKings(frozenset({"rank", "file"}), True, "draw")
    game = with_part("facing_kings", 'result = "loss"')
    assert game.facing_kings == FacingKings(frozenset({"file"}), False, "loss")


def test_passing():
    assert with_part("passing", 'twice = "draw"').passing is True


def test_merchants_and_bumping():
    lines = 'piece = "N"\nimmune = "NP"\nspared = "P"\n[bumping]\npiece = "P"\nimmune = "N"'
    game = with_part("merchants", lines, BARE)
    assert game.merchants == Merchants("N", "NP", "P")
    assert game.bumping == Bumping("P", "N")
    assert with_part("merchants", 'piece = "N"', BARE).merchants == Merchants("N", "", "")


def test_bare_king():
    assert with_part("bare_king", 'result = "loss"\nspared = "P"').bare_king == "P"
    assert with_part("bare_king", 'result = "loss"').bare_king == ""


def test_game_has_none_of_the_mechanics_that_its_file_does_not_name():
    game = parse(GAME, "small.toml")
    mechanics = (game.palace, game.facing_kings, game.merchants, game.bumping, game.bare_king)
    assert mechanics == (None,) * 5
    assert (game.setup_swaps, game.passing) == ((), False)


# Refusals: a fragment, what stands there instead, the key that is named, a part of the reason

PIECE, BY, MATE, TIMES, LOSS = (
    "hand = 350",
    'by = "position"',
    'no_mate = "P"',
    "times = 4",
    'stalemate = "loss"',
)
MUST = 'mandatory = "P"'
WRONG = [
    (PIECE, 'also = "h"', "pieces.N.also", "'h'"),
    (PIECE, 'also = "R"', "pieces.N.also", "'R'"),
    (PIECE, 'also = "HH"', "pieces.N.also", "'H'"),
    (PIECE, "also = 3", "pieces.N.also", "text"),
    (PIECE, 'shielded = "hop"', "pieces.N.shielded", "slides, hops"),
    (PIECE, "shielded = true", "pieces.N.shielded", "text"),
    (MUST, "mandatory = { P = [4] }", "promotion.mandatory", "'P' must promote outside of the zone"),
    (MUST, "mandatory = { X = [6] }", "promotion.mandatory.X", "unknown"),
    (MUST, "mandatory = { P = 6 }", "promotion.mandatory.P", "list"),
    (MUST, "mandatory = { P = [7] }", "promotion.mandatory.P", "rank from 1 to 6"),
    (MUST, "mandatory = { N = [6] }", "promotion.mandatory", "'N' has no 'promotes'"),
    (MUST, 'limit = "taken"', "promotion.limit", "captured"),
    (MUST, "limit = 2", "promotion.limit", "text"),
    ('on = ["enter"]', 'on = ["leave"]', "promotion.on", "'enter'"),
    ('on = ["enter"]\nmandatory = "P"', "on = []", "promotion.on", "'enter'"),
    (MATE, 'one_per_file = "D"', "drops.one_per_file", "'D' cannot be dropped"),
    (MATE, 'one_per_file = "X"', "drops.one_per_file", "'X'"),
    (MATE, "one_per_file = true", "drops.one_per_file", "text"),
    (MATE, 'reverts = "P"', "drops.reverts", "true or false"),
    (MATE, "revert = true", "drops.revert", "unknown key"),
    (BY, 'by = "rights"\nonce = true', "castling.once", "position"),
    (BY, 'by = "position"\nonce = 1', "castling.once", "true or false"),
    (BY, 'by = "position"\nrank = 7', "castling.rank", "from 1 to 6"),
    (BY, 'by = "position"\nrank = "1"', "castling.rank", "whole number"),
    (BY, 'by = "position"\nrook = "X"', "castling.rook", "'X'"),
    (BY, 'by = "position"\nrook = "RN"', "castling.rook", "one letter"),
    (BY, 'by = "position"\nrook = ""', "castling.rook", "one letter"),
    (BY, 'by = "position"\nrook = "K"', "castling.rook", "'K'"),
    ('Q = { king = "c"', 'Q = { king = "a"', "castling.Q.rook", "'a'"),
    ('rook_to = "b" }', 'rook_to = "a" }', "castling.Q.rook_to", "'a'"),
    ('Q = { king = "c", rook = "a", king_to = "a", rook_to = "b" }', "", "castling", "'Q'"),
    (LOSS, f"{LOSS}\nquiet_moves = 0", "end.quiet_moves", "from 1"),
    (LOSS, f"{LOSS}\nquiet_moves = true", "end.quiet_moves", "whole number"),
    (LOSS, f"{LOSS}\nquiet_moves = 5000", "end.quiet_moves", "1000"),
    (LOSS, f"{LOSS}\ndead_positions = true", "end.dead_positions", "table"),
    (LOSS, f'{LOSS}\ndead_positions = {{ single = "X" }}', "end.dead_positions.single", "'X'"),
    (LOSS, f'{LOSS}\ndead_positions = {{ sngle = "N" }}', "end.dead_positions.sngle", "colourbound"),
    (TIMES, 'compares = ["hands"]', "end.repetition.compares", "'castling' or 'en_passant'"),
    (TIMES, 'compares = "castling"', "end.repetition.compares", "list"),
]
PALACE = 'files = "bcd"\nranks = [1, 2, 3]\n'
WRONG_PARTS = [
    ("palace", "ranks = [1, 2, 3]", "palace.files", "missing"),
    ("palace", 'files = "bcd"', "palace.ranks", "missing"),
    ("palace", 'files = "bc"\nranks = [1, 2, 3]', "palace.files", "three neighbours"),
    ("palace", 'files = "bdc"\nranks = [1, 2, 3]', "palace.files", "three neighbours"),
    ("palace", 'files = "def"\nranks = [1, 2, 3]', "palace.files", "'f'"),
    ("palace", 'files = "bcd"\nranks = [1, 2]', "palace.ranks", "three neighbours"),
    ("palace", 'files = "bcd"\nranks = [5, 6, 7]', "palace.ranks", "7"),
    ("palace", 'files = "bcd"\nranks = "123"', "palace.ranks", "list"),
    ("palace", PALACE + 'confined = "X"', "palace.confined", "'X'"),
    ("palace", PALACE + 'confined = "R"', "start", "a rook cannot stand on a"),
    ("palace", PALACE + 'diagonals = "F"', "palace.diagonals", "table"),
    ("palace", PALACE + 'diagonals = { X = "F" }', "palace.diagonals.X", "unknown"),
    ("palace", PALACE + 'diagonals = { R = "W" }', "palace.diagonals.R", "'W' is no diagonal move"),
    ("palace", PALACE + 'diagonals = { R = "iF" }', "palace.diagonals.R", "'iF' is no diagonal move"),
    ("palace", PALACE + 'diagonals = { R = "feF" }', "palace.diagonals.R", "'feF' is no diagonal move"),
    ("palace", PALACE + 'diagonals = { P = "F" }', "pieces.P.", "longer steps"),
    ("palace", PALACE + "corners = 4", "palace.corners", "unknown key"),
    ("setup", "", "setup.swaps", "missing"),
    ("setup", 'swaps = "bc"', "setup.swaps", "list"),
    ("setup", 'swaps = ["bf"]', "setup.swaps", "'bf'"),
    ("setup", 'swaps = ["b"]', "setup.swaps", "'b'"),
    ("setup", "swaps = [12]", "setup.swaps", "12"),
    ("setup", "swaps = []", "setup.swaps", "1 to 4"),
    ("setup", 'swaps = ["bc", "cd"]', "setup.swaps", "separate"),
    ("setup", 'swaps = ["bb"]', "setup.swaps", "separate"),
    ("facing_kings", "", "facing_kings.result", "missing"),
    ("facing_kings", 'result = "win"', "facing_kings.result", "'win'"),
    ("facing_kings", 'result = "loss"\nlines = "file"', "facing_kings.lines", "list"),
    ("facing_kings", 'result = "loss"\nlines = ["diagonal"]', "facing_kings.lines", "'diagonal'"),
    ("facing_kings", 'result = "loss"\nlines = []', "facing_kings.lines", "'file'"),
    ("facing_kings", 'result = "loss"\nlasting = 1', "facing_kings.lasting", "true or false"),
    ("passing", "", "passing.twice", "missing"),
    ("passing", 'twice = "loss"', "passing.twice", "draw"),
    ("passing", 'thrice = "draw"', "passing.thrice", "unknown key"),
    ("bare_king", "", "bare_king.result", "missing"),
    ("bare_king", 'result = "draw"', "bare_king.result", "loss"),
    ("bare_king", 'result = "loss"\nspared = "X"', "bare_king.spared", "'X'"),
    ("merchants", 'piece = "N"', "merchants", "drops, castling or promotion"),
]
WRONG_MERCHANTS = [
    ('immune = "N"', "merchants.piece", "missing"),
    ('piece = "X"', "merchants.piece", "'X'"),
    ('piece = "NR"', "merchants.piece", "one letter"),
    ('piece = "N"\nimmune = "X"', "merchants.immune", "'X'"),
    ('piece = "N"\nspared = ["P"]', "merchants.spared", "text"),
    ('piece = "N"\nsparred = "P"', "merchants.sparred", "unknown key"),
    ('piece = "N"\n[bumping]', "bumping.piece", "missing"),
    ('piece = "N"\n[bumping]\npiece = "X"', "bumping.piece", "'X'"),
    ('piece = "N"\n[bumping]\npiece = "P"\nspared = "P"', "bumping.spared", "unknown key"),
]


def check_refusal(message, key, reason):
    assert message.startswith("small.toml: ")
    assert key in message
    assert reason in message.split(key, 1)[1]


@pytest.mark.parametrize("old, new, key, reason", WRONG, ids=[f"{case[2]} {case[1]}" for case in WRONG])
def test_wrong_key_is_refused_by_file_key_and_reason(old, new, key, reason):
    check_refusal(refusal(game_with, old, new), key, reason)


@pytest.mark.parametrize(
    "heading, lines, key, reason", WRONG_PARTS, ids=[f"{c[2]} {c[1]}" for c in WRONG_PARTS]
)
def test_wrong_mechanic_is_refused_by_file_key_and_reason(heading, lines, key, reason):
    check_refusal(refusal(with_part, heading, lines), key, reason)


@pytest.mark.parametrize("lines, key, reason", WRONG_MERCHANTS, ids=[case[0] for case in WRONG_MERCHANTS])
def test_wrong_merchants_are_refused_by_file_key_and_reason(lines, key, reason):
    check_refusal(refusal(with_part, "merchants", lines, BARE), key, reason)


def test_bumping_needs_merchants():
    check_refusal(refusal(with_part, "bumping", 'piece = "P"', BARE), "bumping", "merchants")


def test_limited_promotion_does_not_go_with_drops():
    check_refusal(refusal(game_with, MUST, f'{MUST}\nlimit = "captured"'), "promotion.limit", "drops")


# Inheritance


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


def test_heir_is_its_parent_but_for_what_it_says():
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
def test_unknown_parent_is_refused_with_those_that_are_known(parent):
    message = refusal(parse, f"extends = {parent}", "heir.toml")
    assert message.startswith("heir.toml: extends: ")
    assert parent.strip('"') in message.replace("'", '"')
    assert "pandemonium" in message


@pytest.mark.parametrize("circle", [["one"], ["one", "two"], ["one", "two", "three"]])
def test_game_that_inherits_from_itself_is_refused(circle, user_folder):
    for child, parent in zip(circle, circle[1:] + circle[:1], strict=True):
        (user_folder / f"{child}.toml").write_text(f'extends = "{parent}"\nname = "{child}"')
    assert re.search(r"^\w+\.toml: extends: '\w+' inherits from itself$", refusal(load, "one"))


def test_mistake_of_an_heir_is_told_by_its_file():
    assert refusal(heir, "[board]\nfiles = 9").startswith("heir.toml: start: board: ")
    assert refusal(heir, "[pieces]\nQ = false").startswith("heir.toml: pieces.P.promotes: 'Q'")
    assert refusal(heir, "[pieces]\nC = { value = 300 }").startswith("heir.toml: pieces.C.")


def test_broken_parent_is_told_by_its_own_file(user_folder):
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


def test_all_shipped_games_and_examples_are_known(user_folder):
    shipped = {"chaotic", "chess", "crazyhouse", "janggi", "pandemonium", "pandemonium-vchess"}
    examples = {"capablanca", "capahouse", "grand", "makruk", "minishogi", "shako", "shogi", "xiangqi", "xxl"}
    assert set(available()) == shipped | examples
    for name in available():
        assert load(name).name == name


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


def test_broken_file_is_not_registered(tmp_path, user_folder):
    path = tmp_path / "broken.toml"
    path.write_text("name = 3")
    assert refusal(register, path).startswith("broken.toml: ")
    assert "broken" not in available()
