"""Games as files: Pandemonium's content, and errors of wrong files. The numbers of Pandemonium are those of
the inventor's page, https://www.chessvariants.com/rules/pandemonium."""

import re

import pytest
from surajang.engine.definition import catalogue
from surajang.engine.definition.catalogue import load, parse
from surajang.engine.fairy_ini.ini import read_file
from surajang.engine.game import betza
from surajang.engine.game.description import VariantError

pytestmark = pytest.mark.pure

PANDEMONIUM = load("pandemonium")


# Pandemonium

PIECES = {
    "K": ("King", "K", ""),
    "Q": ("Queen", "Q", ""),
    "R": ("Rook", "R", "D"),
    "B": ("Bishop", "B", "H"),
    "N": ("Knight", "N", "S"),
    "M": ("Marshal", "RN", "A"),
    "C": ("Cardinal", "BN", "W"),
    "P": ("Pawn", "fmWfcF", "G"),
    "D": ("Dragon", "RK", ""),
    "H": ("Horse", "BK", ""),
    "S": ("Scepter", "NK", ""),
    "A": ("Apricot", "Q", ""),
    "W": ("Whole", "Q", ""),
    "G": ("Gilding", "Q", ""),
}
PROMOTED = {"D": "R", "H": "B", "S": "N", "A": "M", "W": "C", "G": "P"}


def test_pandemonium_is_available():
    assert "pandemonium" in catalogue.available()
    assert list(catalogue.available()) == sorted(catalogue.available())


def test_pandemonium_has_ten_by_ten_squares_and_its_start():
    assert (PANDEMONIUM.name, PANDEMONIUM.title) == ("pandemonium", "Pandemonium")
    assert (PANDEMONIUM.files, PANDEMONIUM.ranks, PANDEMONIUM.squares) == (10, 10, 100)
    assert PANDEMONIUM.start_fen == (
        "rnbqkmcbnr/pppppppppp/10/10/10/10/10/10/PPPPPPPPPP/RNBQKMCBNR[] w KQkq - 0 1"
    )


def test_pandemonium_has_its_pieces():
    assert {piece.letter for piece in PANDEMONIUM.pieces} == set(PIECES)
    for letter, (name, moves, promotes_to) in PIECES.items():
        piece = PANDEMONIUM.piece(letter)
        assert piece.name == name
        assert piece.moves == betza.parse(moves)
        assert piece.promotes_to == tuple(promotes_to)
        assert piece.royal == (letter == "K")


def test_only_pawns_must_promote_on_the_last_rank():
    assert {p.letter: p.must_promote for p in PANDEMONIUM.pieces if p.must_promote} == {"P": (10,)}
    assert PANDEMONIUM.promotion_zone == (10,)
    assert PANDEMONIUM.promotion_on == {"enter", "leave"}


def test_promoted_pieces_revert_when_captured_and_others_stay():
    for piece in PANDEMONIUM.pieces:
        assert piece.promoted == (piece.letter in PROMOTED)
        assert piece.base == PROMOTED.get(piece.letter, piece.letter)


def test_all_unpromoted_pieces_but_the_king_can_be_dropped():
    assert {piece.letter for piece in PANDEMONIUM.pieces if piece.droppable} == set("QRBNMCP")
    assert PANDEMONIUM.has_drops


def test_pawns_are_dropped_neither_on_the_first_nor_on_the_last_rank_nor_to_mate():
    for piece in PANDEMONIUM.pieces:
        assert piece.drop_forbidden == ((1, 10) if piece.letter == "P" else ())
        assert piece.no_drop_mate == (piece.letter == "P")


def test_pawns_step_three_from_the_second_rank_and_two_from_the_third():
    for piece in PANDEMONIUM.pieces:
        assert piece.steps == ({2: 3, 3: 2} if piece.letter == "P" else {})
        assert piece.en_passant == (tuple(range(1, 11)) if piece.letter == "P" else ())


def test_hand_is_written_most_valuable_first():
    pieces = PANDEMONIUM.hand_pieces
    assert [piece.letter for piece in pieces] == list("QMCRBNP")
    values = [piece.hand_value for piece in pieces]
    assert values == sorted(values, reverse=True)
    assert values[-1] > 0


def test_king_castles_three_squares_to_either_side():
    sides = {side.letter: side for side in PANDEMONIUM.castling}
    assert set(sides) == {"K", "Q"}
    files = {
        letter: "".join("abcdefghij"[file] for file in (side.king, side.king_to, side.rook, side.rook_to))
        for letter, side in sides.items()
    }
    assert files == {"K": "ehjg", "Q": "ebac"}


def test_stalemate_draws_and_the_third_repetition_ends_the_game():
    assert PANDEMONIUM.stalemate == "draw"
    assert PANDEMONIUM.repetition_times == 3
    assert PANDEMONIUM.repetition_perpetual_check == "loss"


def test_unknown_letter_is_a_key_error():
    with pytest.raises(KeyError):
        PANDEMONIUM.piece("X")


def test_game_is_frozen():
    with pytest.raises(AttributeError):
        PANDEMONIUM.files = 9
    with pytest.raises(AttributeError):
        PANDEMONIUM.pieces[0].value = 9
    with pytest.raises(TypeError):
        PANDEMONIUM.piece("P").steps[2] = 9


# Any file

GAME = """
name = "small-game-2"
title = "Small game"
source = "https://example.org/small"
start = "rk3/p4/5/5/P4/RK3[] w - - 0 1"

[board]
files = 5
ranks = 6

[pieces]
K = { name = "King", moves = "K", royal = true }
R = { name = "Rook", moves = "R", value = 500, promotes = "D" }
N = { name = "Knight", moves = "N", value = 300, hand = 350 }
P = { name = "Pawn", moves = "fmWfcF", value = 100, promotes = "GN", steps = { 2 = 2 }, en_passant = true }
D = { name = "Dragon", moves = "RK", value = 800 }
G = { name = "Gilding", moves = "Q", value = 900 }

[promotion]
zone = [5, 6]
on = ["enter"]
mandatory = "P"

[drops]
pieces = "RNP"
forbidden = { P = [1, 5, 6] }
no_mate = "P"

[castling]
by = "position"
Q = { king = "c", rook = "a", king_to = "a", rook_to = "b" }

[end]
checkmate = "loss"
stalemate = "loss"
repetition = { times = 4, result = "draw" }
"""


def without(*keys):
    """The small game without the lines that begin with these keys or headings."""
    return "\n".join(line for line in GAME.splitlines() if not line.startswith(keys))


def test_small_game_is_read():
    game = parse(GAME, "folder/small.toml")
    assert (game.name, game.files, game.ranks, game.squares) == ("small-game-2", 5, 6, 30)
    assert [piece.letter for piece in game.pieces] == list("KRNPDG")
    assert game.piece("P").promotes_to == ("G", "N")
    assert game.piece("N").promoted is False
    assert game.piece("N").base == "N"
    assert game.piece("D").promoted is True
    assert [piece.hand_value for piece in game.hand_pieces] == [500, 350, 100]
    assert game.promotion_zone == (5, 6)
    assert game.promotion_on == {"enter"}
    assert [(side.letter, side.king, side.king_to) for side in game.castling] == [("Q", 2, 0)]
    assert (game.stalemate, game.repetition_times) == ("loss", 4)
    assert game.repetition_perpetual_check == "draw"


@pytest.mark.parametrize(
    "moves",
    [
        *["nN", "nA", "nD", "nZ"],  # lame leapers
        *["mRcpR", "pR", "pB", "mBpB2", "mQpR3", "gQ", "mRcgB", "gNN"],  # hoppers
        *["NN", "AA", "DD", "HH"],  # riders
        *["W2", "B3", "R4", "NN2"],  # of limited range
        *["fR", "rB", "bQ"],  # one way
        *["mR", "cQ", "mRcB", "mNcB", "mWcFR", "FfW"],  # capturing otherwise
    ],
)
def test_any_piece_of_leaps_slides_and_hops_can_be_played(moves):
    game = parse(GAME.replace('moves = "N"', f'moves = "{moves}"'), "small.toml")
    assert game.piece("N").moves == betza.parse(moves)
    assert game.piece("N").betza == moves


@pytest.mark.parametrize("moves", ["K", "W", "KN", "KAD", "Q", "WB", "C", "fFbW"])
def test_king_may_step_leap_and_slide(moves):
    assert parse(GAME.replace('moves = "K"', f'moves = "{moves}"'), "small.toml").piece("K").royal


def test_optional_keys_of_a_file():
    text = without("source", "[castling]", "by", "Q =", "repetition", "on", "[drops]", "forbidden", "no_mate")
    game = parse(text.replace('pieces = "RNP"', ""), "small.toml")
    assert (game.source, game.castling, game.has_drops) == ("", (), False)
    assert game.promotion_on == {"enter"}
    assert game.repetition_times == 3
    assert parse(GAME.replace("value = 300, ", ""), "small.toml").piece("N").value > 0


def test_file_is_read_by_its_path(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(GAME, encoding="utf-8")
    for name in (path, str(path)):
        game = load(name)
        assert game == parse(GAME, path)
        assert game.path == path


# Broken files: the small game with one fragment replaced, the key that is named, and a part of the reason

BROKEN = {
    "top": [
        ('name = "small-game-2"\n', "", "name", "missing"),
        ('"small-game-2"', '"Small"', "name", "'Small'"),
        ('"small-game-2"', '"-small"', "name", "'-small'"),
        ('"small-game-2"', '""', "name", "''"),
        ('"small-game-2"', "7", "name", "text"),
        ('title = "Small game"\n', "", "title", "missing"),
        ('"Small game"', "[]", "title", "text"),
        ('source = "https://example.org/small"', "source = 3", "source", "text"),
        ("[board]", "[extra]\n[board]", "extra", "unknown key"),
        ("title =", "tittle = 1\ntitle =", "tittle", "unknown key"),
    ],
    "board": [
        ("files = 5\n", "", "board.files", "missing"),
        ("ranks = 6\n", "", "board.ranks", "missing"),
        ("files = 5", 'files = "5"', "board.files", "whole number"),
        ("files = 5", "files = true", "board.files", "whole number"),
        ("files = 5", "files = 5.0", "board.files", "whole number"),
        ("files = 5", "files = 1", "board.files", "from 2"),
        ("files = 5", "files = 17", "board.files", "16"),
        ("ranks = 6", "ranks = 0", "board.ranks", "from 2"),
        ("ranks = 6", "ranks = 17", "board.ranks", "16"),
        ("ranks = 6", "ranks = 6\nlevels = 2", "board.levels", "unknown key"),
        ("[board]\nfiles = 5\nranks = 6", 'board = "5x6"', "board", "table"),
    ],
    "pieces": [
        ("K = {", "k = {", "pieces.k", "capital"),
        ("N = {", "NN = {", "pieces.NN", "capital"),
        ("N = {", '"É" = {', 'pieces."É"', "capital"),
        ("N = {", '"2" = {', "pieces.2", "capital"),
        ('D = { name = "Dragon", moves = "RK", value = 800 }', "D = 800", "pieces.D", "table"),
        ('name = "Knight", ', "", "pieces.N.name", "missing"),
        ('"Knight"', "3", "pieces.N.name", "text"),
        ('moves = "N", ', "", "pieces.N.moves", "missing"),
        ('moves = "N"', "moves = 3", "pieces.N.moves", "text"),
        ('moves = "N"', 'moves = ""', "pieces.N.moves", "''"),
        ('moves = "N"', 'moves = "NX"', "pieces.N.moves", "'X'"),
        ('moves = "N"', 'moves = "n"', "pieces.N.moves", "'n'"),
        ('moves = "N"', 'moves = "zN"', "pieces.N.moves", "'z'"),
        ("value = 300", 'value = "300"', "pieces.N.value", "whole number"),
        ("value = 300", "value = true", "pieces.N.value", "whole number"),
        ("value = 300", "value = 3.5", "pieces.N.value", "whole number"),
        ("value = 300", "value = -1", "pieces.N.value", "-1"),
        ("value = 300", "value = 99999", "pieces.N.value", "99999"),
        ("hand = 350", "hand = -350", "pieces.N.hand", "-350"),
        ("hand = 350", "hands = 350", "pieces.N.hands", "unknown key"),
        ("royal = true", 'royal = "yes"', "pieces.K.royal", "true or false"),
        ("royal = true", "royal = 1", "pieces.K.royal", "true or false"),
        ("royal = true", "value = 1", "pieces", "royal"),
        ("value = 800", "value = 800, royal = true", "pieces", "royal"),
        ("en_passant = true", "en_passant = 1", "pieces.P.en_passant", "true or false"),
        ("steps = { 2 = 2 }", "steps = 2", "pieces.P.steps", "table"),
        ("steps = { 2 = 2 }", "steps = { two = 2 }", "pieces.P.steps.two", "rank"),
        ("steps = { 2 = 2 }", "steps = { 0 = 2 }", "pieces.P.steps.0", "rank"),
        ("steps = { 2 = 2 }", "steps = { 7 = 2 }", "pieces.P.steps.7", "rank"),
        ("steps = { 2 = 2 }", 'steps = { "²" = 2 }', 'pieces.P.steps."²"', "rank"),
        ("steps = { 2 = 2 }", 'steps = { ":" = 2 }', 'pieces.P.steps.":"', "rank"),
        ("steps = { 2 = 2 }", r'steps = { "\n\"" = 2 }', r'pieces.P.steps."\n\""', "rank"),
        ("steps = { 2 = 2 }", 'steps = { "" = 2 }', 'pieces.P.steps.""', "rank"),
        ("steps = { 2 = 2 }", "steps = { 2 = 1 }", "pieces.P.steps.2", "from 2"),
        ("steps = { 2 = 2 }", "steps = { 2 = 5 }", "pieces.P.steps.2", "to 4"),
        ("steps = { 2 = 2 }", "steps = { 2 = true }", "pieces.P.steps.2", "whole number"),
        ("hand = 350", "steps = { 2 = 2 }", "pieces.N.steps", "fmW"),
        ("hand = 350", "en_passant = true", "pieces.N.", "fmW"),
    ],
    "moves that cannot be played": [
        ('moves = "N"', 'moves = "jD"', "pieces.N.moves", "cannot be played"),
        ('moves = "N"', 'moves = "gW"', "pieces.N.moves", "cannot be played"),
        ('moves = "N"', 'moves = "nNN"', "pieces.N.moves", "cannot be played"),
        ('moves = "N"', 'moves = "nR"', "pieces.N.moves", "cannot be played"),
        ('moves = "N"', 'moves = "nW2"', "pieces.N.moves", "cannot be played"),
        ('moves = "N"', 'moves = "pW"', "pieces.N.moves", "cannot be played"),
        ('moves = "N"', 'moves = "pN"', "pieces.N.moves", "cannot be played"),
        ('moves = "N"', 'moves = "mRcpW"', "pieces.N.moves", "cannot be played"),
        ('moves = "N"', 'moves = "iN"', "pieces.N.moves", "steps"),
        ('moves = "N"', 'moves = "fceF"', "pieces.N.moves", "en_passant"),
        ('moves = "K"', 'moves = "nNK"', "pieces.K.moves", "royal"),
        ('moves = "K"', 'moves = "pR"', "pieces.K.moves", "royal"),
        ('moves = "K"', 'moves = "mKcW"', "pieces.K.moves", "royal"),
    ],
    "promotion": [
        ('promotes = "D"', 'promotes = "X"', "pieces.R.promotes", "'X'"),
        ('promotes = "D"', 'promotes = "d"', "pieces.R.promotes", "'d'"),
        ('promotes = "D"', 'promotes = ["D"]', "pieces.R.promotes", "text"),
        ('promotes = "D"', 'promotes = "K"', "pieces.R.promotes", "royal"),
        ("zone = [5, 6]\n", "", "promotion.zone", "missing"),
        ("zone = [5, 6]", "zone = 6", "promotion.zone", "list"),
        ("zone = [5, 6]", "zone = [0]", "promotion.zone", "0"),
        ("zone = [5, 6]", "zone = [7]", "promotion.zone", "7"),
        ("zone = [5, 6]", 'zone = ["6"]', "promotion.zone", "'6'"),
        ("zone = [5, 6]", "zone = [true]", "promotion.zone", "True"),
        ('on = ["enter"]', 'on = "enter"', "promotion.on", "list"),
        ('on = ["enter"]', 'on = ["stop"]', "promotion.on", "'stop'"),
        ('mandatory = "P"', 'mandatory = "X"', "promotion.mandatory", "'X'"),
        ('mandatory = "P"', 'mandatory = "N"', "promotion.mandatory", "'N'"),
        ('mandatory = "P"', 'optional = "P"', "promotion.optional", "unknown key"),
    ],
    "drops": [
        ('pieces = "RNP"', 'pieces = "RNX"', "drops.pieces", "'X'"),
        ('pieces = "RNP"', 'pieces = "RNK"', "drops.pieces", "'K'"),
        ('pieces = "RNP"', 'pieces = ["R"]', "drops.pieces", "text"),
        ("{ P = [1, 5, 6] }", "{ X = [1] }", "drops.forbidden.X", "unknown key"),
        ("{ P = [1, 5, 6] }", "{ P = [0] }", "drops.forbidden.P", "0"),
        ("{ P = [1, 5, 6] }", "{ P = [7] }", "drops.forbidden.P", "7"),
        ("{ P = [1, 5, 6] }", "{ P = 1 }", "drops.forbidden.P", "list"),
        ("{ P = [1, 5, 6] }", "[1, 6]", "drops.forbidden", "table"),
        ('no_mate = "P"', 'no_mate = "X"', "drops.no_mate", "'X'"),
        ('no_mate = "P"', 'no_mate = "R"', "drops.no_mate", "'R'"),
        ('no_mate = "P"', 'no_mate = "NP"', "drops.no_mate", "one"),
        ('no_mate = "P"', 'mate = "P"', "drops.mate", "unknown key"),
    ],
    "castling": [
        ('king = "c"', 'king = "f"', "castling.Q.king", "'f'"),
        ('rook = "a"', 'rook = "1"', "castling.Q.rook", "'1'"),
        ('king_to = "a"', 'king_to = ""', "castling.Q.king_to", "''"),
        ('rook_to = "b"', 'rook_to = "bc"', "castling.Q.rook_to", "'bc'"),
        ('king = "c"', "king = 3", "castling.Q.king", "text"),
        (', rook_to = "b"', "", "castling.Q.rook_to", "missing"),
        ('rook_to = "b"', 'rook_to = "b", pawn = "a"', "castling.Q.pawn", "unknown key"),
        ("Q = { king", "X = { king", "castling.X", "unknown key"),
        ('by = "position"', 'by = "right"', "castling.by", "'right'"),
        ('by = "position"\n', "", "castling.by", "missing"),
        ('Q = { king = "c", rook = "a", king_to = "a", rook_to = "b" }', "Q = 1", "castling.Q", "table"),
    ],
    "end": [
        ('checkmate = "loss"\n', "", "end.checkmate", "missing"),
        ('checkmate = "loss"', 'checkmate = "win"', "end.checkmate", "'win'"),
        ('stalemate = "loss"', 'stalemate = "tie"', "end.stalemate", "'tie'"),
        ('stalemate = "loss"\n', "", "end.stalemate", "missing"),
        ("times = 4", "times = 1", "end.repetition.times", "1"),
        ("times = 4", "times = 10", "end.repetition.times", "10"),
        ('result = "draw"', 'result = "tie"', "end.repetition.result", "'tie'"),
        ('result = "draw"', 'perpetual_check = "win"', "end.repetition.perpetual_check", "'win'"),
        ('result = "draw"', 'perpetual = "loss"', "end.repetition.perpetual", "unknown key"),
        ('repetition = { times = 4, result = "draw" }', "repetition = 4", "end.repetition", "table"),
        ('stalemate = "loss"', 'stalemate = "loss"\nplies = 50', "end.plies", "unknown key"),
    ],
    "start": [
        ("rk3/p4/5/5/P4/RK3", "rk3/p4/5/P4/RK3", "start", "5 ranks"),
        ("rk3/p4/5/5/P4/RK3[] w - - 0 1", "", "start", "rank"),
        ("rk3/p4", "rk3/p5", "start", "p5"),
        ("rk3/p4", "rk3/x4", "start", "x"),
        ("rk3/p4", "r4/p4", "start", "king"),
        ("rk3/p4", "rkk2/p4", "start", "king"),
        ("[] w", "[K] w", "start", "K"),
        ("[] w", "[] x", "start", "x"),
    ],
}
CASES = [case for cases in BROKEN.values() for case in cases]


@pytest.mark.parametrize("old, new, key, reason", CASES, ids=[f"{case[2]} {case[1]}" for case in CASES])
def test_wrong_file_is_refused_by_file_key_and_reason(old, new, key, reason):
    assert GAME.count(old) >= 1, "the case does not fit the file"
    with pytest.raises(VariantError) as refusal:
        parse(GAME.replace(old, new, 1), "folder/small.toml")
    message = str(refusal.value)
    assert message.startswith("small.toml: ")
    assert key in message
    assert reason in message.split(key, 1)[1]
    assert "\n" not in message


@pytest.mark.parametrize("heading", ["board", "pieces", "end"])
def test_part_that_every_game_needs_is_missed(heading):
    parts = GAME.split("\n[")
    kept = [part for part in parts if not part.startswith(f"{heading}]")]
    assert len(kept) == len(parts) - 1
    with pytest.raises(VariantError, match=rf"^small\.toml: {heading}(\.\w+)?: is missing"):
        parse("\n[".join(kept), "small.toml")


def test_castling_needs_a_rook():
    text = GAME.replace("R = {", "T = {").replace('"RNP"', '"TNP"')
    with pytest.raises(VariantError, match=r"^small\.toml: castling: .*'R'"):
        parse(text, "small.toml")


def test_every_letter_may_name_a_piece():
    others = sorted(set("ABCDEFGHIJKLMNOPQRSTUVWXYZ") - set("KRNPDG"))
    kinds = [f'{letter} = {{ name = "{letter}", moves = "W", value = 1 }}' for letter in others]
    game = parse(GAME.replace("D = {", "\n".join(kinds) + "\nD = {"), "small.toml")
    assert len(game.pieces) == 26


@pytest.mark.parametrize(
    "text", ["[board", "name = small", 'name = "a"\nname = "b"', "{", "\x00", 'name = "a\nb"']
)
def test_text_that_is_no_toml_is_refused_by_file_and_place(text):
    with pytest.raises(VariantError, match=r"^small\.toml: not TOML: .*\(at (line \d+|end)"):
        parse(text, "folder/small.toml")


def test_empty_file_is_refused():
    with pytest.raises(VariantError, match=r"^small\.toml: .* is missing"):
        parse("", "small.toml")


# Files that cannot be read, and names that nobody knows


def test_missing_file_is_refused_by_its_path(tmp_path):
    path = tmp_path / "absent.toml"
    with pytest.raises(VariantError) as refusal:
        load(str(path))
    assert str(refusal.value) == f"{path}: cannot be read: No such file or directory"


def test_folder_is_no_game(tmp_path):
    path = tmp_path / "folder.toml"
    path.mkdir()
    for read in (load, read_file):
        with pytest.raises(VariantError) as refusal:
            read(path)
        assert str(refusal.value) == f"{path}: cannot be read: Is a directory"


def test_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "binary.toml"
    path.write_bytes(b"\xff\xfe\x00name")
    with pytest.raises(VariantError, match=r"binary\.toml"):
        load(path)


def test_broken_file_is_refused_by_its_path(tmp_path):
    path = tmp_path / "broken.toml"
    path.write_text(GAME.replace("files = 5", "files = 99"), encoding="utf-8")
    with pytest.raises(VariantError, match=r"broken\.toml: board\.files: 99"):
        load(path)


@pytest.mark.parametrize("name", ["nosuchgame", "", "Pandemoniums", "../variants/pandemonium", None, 7])
def test_unknown_game_is_refused_with_advice(name):
    with pytest.raises(VariantError) as refusal:
        load(name)
    assert repr(name) in str(refusal.value)
    assert re.search(r"(did you mean '\w+'\?|'surajang variants' lists all games)$", str(refusal.value))


def test_path_that_no_system_can_hold_is_refused():
    with pytest.raises(VariantError):
        load("a\0b.toml")


def test_errors_are_value_errors():
    assert issubclass(VariantError, ValueError)
