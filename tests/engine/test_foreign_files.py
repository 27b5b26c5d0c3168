"""Fairy-Stockfish's files: inheriting sections, unusual lines, and refusals."""

import pyffish
import pytest
from click.testing import CliRunner
from surajang.cli import main
from surajang.engine.definition.catalogue import parse
from surajang.engine.fairy_ini.importing import Imported, import_text
from surajang.engine.fairy_ini.ini import read
from surajang.engine.game.description import VariantError
from surajang.protocol.uci.notation import UciNotation
from surajang.tests.support.slow_rules import SlowRules

pytestmark = pytest.mark.pure


@pytest.fixture(autouse=True)
def alone(monkeypatch, tmp_path):
    """Only the engine's own games, and separate user folders."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("SURAJANG_CACHE_DIR", str(tmp_path / "cache"))


def described(text, name="game"):
    """The game of that name in a text."""
    found = import_text(text, "x.ini")[name]
    assert isinstance(found, Imported), found
    return parse(found.toml, f"{name}.toml")


def warnings(text, name="game"):
    return import_text(text, "x.ini")[name].warnings


def refusal(text, name="game"):
    found = import_text(text, "x.ini")[name]
    assert isinstance(found, VariantError), found
    return str(found)


# Odd lines


def test_of_a_key_that_stands_twice_the_last_value_counts():
    text = "[game:chess]\nstalemateValue = loss\ncastling = false\nstalemateValue = win\n"
    assert described(text).stalemate == "win"
    (warning,) = warnings(text)
    assert warning.startswith("line 4: 'stalemateValue = win'") and "twice" in warning


def test_keys_before_the_first_section_are_passed_over():
    text = "maxRank = 5\nnote\n[game:chess]\n"
    assert described(text).ranks == 8
    (warning,) = read(text, "x.ini").warnings
    assert warning.startswith("x.ini: line 1: 'maxRank = 5' is before the first game")


@pytest.mark.parametrize(
    "line", ["nonsense", " stalemateValue = loss", "stalemateValue =", "stalemate value = loss"]
)
def test_lines_that_fairy_stockfish_does_not_read_are_passed_over(line):
    text = f"[game:chess]\n{line}\n"
    assert described(text).stalemate == "draw"
    assert len(warnings(text)) == 1 and "line 2" in warnings(text)[0]


def test_blank_before_a_key_is_told_of():
    (warning,) = warnings("[game:chess]\n castling = false\n")
    assert warning.startswith("line 2: ' castling = false' begins with a blank")


def test_game_without_pieces_is_told_how_to_inherit_them():
    assert refusal("[game]\ncastling = false\n").endswith("or inherits them: '[name:chess]'")


def test_piece_that_never_comes_to_the_board_is_without_effect():
    text = "[game:chess]\ncustomPiece1 = a:N\n[heir:game]\npromotionPieceTypes = qa\n[other:chess]\n"
    found = import_text(text, "x.ini")
    assert [found[name].without_effect for name in ("game", "heir", "other")] == [
        ["customPiece1 = a:N"],
        [],
        [],
    ]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("maxRank = 8 # ranks", {"ranks": 8}),
        ("maxFile = 8x", {"files": 8}),
        ("nMoveRule = 40 ; plies", {"quiet_moves": 40}),
        ("promotionRegionWhite = *8 *7 # here\npromotionRegionBlack = *1 *2 ; there", {"ranks": 8}),
        ("promotionRank = 6 # rank", {"ranks": 8}),
        ("castling = false # none", {"castling": ()}),
        ("doubleStep = false ; none", {"ranks": 8}),
    ],
)
def test_comment_behind_a_value_is_read_as_fairy_stockfish_reads_it(line, found):
    name = f"comment-{line.split()[0]}"
    game = described(f"[game:chess]\n{line}\n")
    assert {key: getattr(game, key) for key in found} == found
    pyffish.load_variant_config(f"[{name}:chess]\n{line}\n")
    rules, notation = SlowRules(game), UciNotation(game)
    before_zone = {"promotionRegionWhite": "8/7P/8", "promotionRank": "8/8/7P"}.get(line.split()[0], "7P/8/8")
    fen = f"r3k2r/{before_zone}/8/8/PP6/R3K2R w KQkq - 0 1"
    written = {notation.write_move(move) for move, _ in rules.legal(rules.read(fen)).values()}
    assert written == set(pyffish.legal_moves(name, fen, []))


@pytest.mark.parametrize(
    "line", ["castling = true # yes", "stalemateValue = loss ; so", "nFoldValue = win # x"]
)
def test_comment_that_would_change_the_value_is_refused(line):
    word = line.split()[2]
    assert f"has a comment: Fairy-Stockfish does not read that as {word!r}" in refusal(
        f"[game:chess]\n{line}\n"
    )


def test_second_section_of_a_name_is_passed_over():
    text = "[game:chess]\nstalemateValue = loss\n[game:chess]\nstalemateValue = win\n[other:game]\n"
    assert described(text).stalemate == described(text, "other").stalemate == "loss"
    assert "line 3" in read(text, "x.ini").warnings[0]


def test_section_with_the_name_of_a_built_in_game_does_not_change_it():
    text = "[gothic:chess]\n[game:gothic]\n"
    assert described(text, "gothic").files == described(text).files == 10
    assert "Fairy-Stockfish has a built-in game of that name" in warnings(text, "gothic")[0]


def test_only_the_bad_section_is_refused():
    text = "[good:chess]\n[bad game:chess]\nmaxRank = 5\n[worse\n[mined:chess]\nblastOnCapture = true\n"
    text += "[last:good]\n"
    found = import_text(text, "x.ini")
    assert [name for name, game in found.items() if isinstance(game, Imported)] == ["good", "last"]
    assert "line 2: '[bad game:chess]' should be '[name]' or '[name:template]'" in str(
        found["bad_game:chess"]
    )
    assert "line 4: '[worse'" in str(found["worse"])
    assert described(text, "last").ranks == 8


def test_game_beside_a_bad_section_is_imported_without_a_complaint(tmp_path):
    path = tmp_path / "x.ini"
    path.write_text("[mined:chess]\nblastOnCapture = true\nblastOnCapture = true\n[good:chess]\n")
    run = CliRunner().invoke(main, ["variants", "import", str(path), "good", "--folder", str(tmp_path)])
    assert (run.exit_code, run.stderr) == (0, "")
    assert [file.name for file in tmp_path.glob("*.toml")] == ["good.toml"]


def test_warnings_on_a_game_are_shown_with_it(tmp_path):
    path = tmp_path / "x.ini"
    path.write_text("[good:chess]\nmaxRank = 8\nmaxRank = 8\n[heir:good]\n")
    run = CliRunner().invoke(main, ["variants", "import", str(path), "heir", "--folder", str(tmp_path)])
    assert run.exit_code == 0
    assert "x.ini: [heir] [good] line 3: 'maxRank = 8': maxRank is there twice" in run.stderr


def test_refusal_names_the_game_and_the_section_that_has_the_key():
    text = "[mine:shatar]\n[yours:mine]\n"
    reason = "shatarMateRule = 'true' (from [shatar]): is not supported"
    assert refusal(text, "yours").startswith(f"x.ini: [yours] {reason}")
    assert refusal(text, "mine").startswith(f"x.ini: [mine] {reason}")


@pytest.mark.parametrize("parent", ["fischerandom", "caparandom"])
def test_castling_of_chess960_is_from_any_files(parent):
    assert described(f"[game:{parent}]\n").castling_free
    assert not described(f"[game:{parent}]\nchess960 = false\n").castling_free
    start = "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1"
    assert described(f"[game:chess]\nchess960 = true\nstartFen = {start}\n").start_fen.endswith(
        "w KQkq - 0 1"
    )
    assert not described(f"[game:{parent}]\ncastling = false\n").castling


# What a section changes of its parent


def test_pairs_of_promotions_are_added_to_those_of_the_parent():
    keys = "customPiece1 = c:fFfWbW\npromotedPieceType = c:g\nimmobilityIllegal = false\n"
    game = described(f"[game:minishogi]\n{keys}startFen = rbsgk/4p/2c2/P4/KGSBR[-] w 0 1\n")
    assert {piece.letter for piece in game.pieces if piece.promotes_to} == set("PSBRC")
    game = described("[game:minishogi]\npromotedPieceType = b:-\n")
    assert {piece.letter for piece in game.pieces if piece.promotes_to} == set("PSR")


def test_piece_that_takes_an_inherited_letter_replaces_its_owner():
    game = described("[game:chess]\ncustomPiece1 = n:NN\n")
    assert game.piece("N").betza == "NN"
    assert set(game.piece("P").promotes_to) == set("BRQ")  # its letter stood for the knight that is gone
    game = described("[game:chess]\ncustomPiece1 = n:NN\npromotionPieceTypes = nq\n")
    assert set(game.piece("P").promotes_to) == set("NQ")


@pytest.mark.parametrize("key", ["a:NB", "a NB", "aNB", "a: NB"])
def test_moves_of_a_piece_begin_with_the_third_character(key):
    name = f"third-{key.encode().hex()}"
    text = f"[{name}:chess]\ncustomPiece1 = {key}\nstartFen = 4k3/8/8/8/3A4/8/8/4K3 w - - 0 1\n"
    pyffish.load_variant_config(text)
    rules = SlowRules(described(text, name))
    assert set(rules.legal(rules.start())) == set(pyffish.legal_moves(name, pyffish.start_fen(name), []))


@pytest.mark.parametrize("key, value", [("customPiece1", "b:"), ("king", "k:"), ("king", "k: ")])
def test_piece_without_a_move_behind_its_colon_is_refused(key, value):
    text = refusal(f"[game:chess]\n{key} = {value}\n")
    assert f"[game] {key} = " in text and "no move" in text


@pytest.mark.parametrize("value", ["x", "horse:x", "a:b:c"])
def test_key_of_the_templates_alone_is_unknown_in_a_file(value):
    assert "synonyms" in refusal(f"[game:chess]\nsynonyms = {value}\n")


def test_piece_that_is_named_again_leaves_the_promotions():
    """Fairy-Stockfish removes the owner of a letter even if it is the same piece."""
    text = "[game:chess]\nqueen = q\n"
    assert set(described(text).piece("P").promotes_to) == set("NBR")
    pyffish.load_variant_config(text.replace("game", "queen-again"))
    assert "a7a8q" not in pyffish.legal_moves("queen-again", "7k/P7/8/8/8/8/8/K7 w - - 0 1", [])


def test_sets_of_pieces_keep_them_when_letters_change():
    start = "startFen = rnxbqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNXBQKBCNR w KQkq - 0 1\n"
    game = described(f"[game:capablanca]\narchbishop = x\n{start}")
    assert game.piece("X").betza == "BN"
    assert set(game.piece("P").promotes_to) == set("NBRQXC")


def test_double_step_that_a_parent_lacks_needs_its_ranks():
    assert not described("[game:makruk]\ndoubleStep = true\n").piece("P").steps
    regions = "doubleStepRegionWhite = *3\ndoubleStepRegionBlack = *6\n"
    assert described(f"[game:makruk]\ndoubleStep = true\n{regions}").piece("P").steps == {3: 2}


def test_zone_of_the_parent_stays_with_another_start():
    start = "startFen = rnsmksnr/pppppppp/8/8/8/8/PPPPPPPP/RNSMKSNR w - - 0 1\n"
    assert described(f"[game:makruk]\n{start}").promotion_zone == (6, 7, 8)


def test_limit_of_one_piece_leaves_the_others_free():
    game = described("[game:chess]\npromotionLimit = q:1\n")
    assert dict(game.promotion_limit) == {"Q": 1}
    game = described("[game:crazyhouse]\npromotionLimit = q:1\n")
    assert dict(game.promotion_limit) == {"Q": 1}


def test_limit_counts_promoted_forms_of_other_letters():
    game = described("[game:shogi]\npromotionLimit = g:3\n")
    ((letters, most),) = game.promotion_limit.items()
    assert (letters[0], most, len(letters)) == ("G", 3, 5)  # the gold and four promoted pieces


def test_pawn_that_must_promote_to_nothing_never_reaches_the_zone():
    game = described("[game:chess]\npromotionPieceTypes = -\n")
    assert (game.piece("P").promotes_to, game.piece("P").barred) == ((), (8,))
    free = "promotionPieceTypes = -\nmandatoryPawnPromotion = false\n"
    assert described(f"[game:chess]\n{free}").piece("P").barred == ()


def test_piece_that_cannot_promote_where_it_is_stuck_is_barred():
    zones = "promotionRegionWhite = *7\npromotionRegionBlack = *3\n"
    game = described(f"[game:shogi]\n{zones}")
    assert [game.piece(letter).barred for letter in "PLNS"] == [(9,), (9,), (8, 9), ()]


def test_pawn_types_and_ranks_of_promotion_are_read():
    game = described("[game:chess]\ncustomPiece1 = p:mWfceFifmnD\npawnTypes = p\n")
    pawn = game.piece("P")
    assert (set(pawn.promotes_to), pawn.steps, bool(pawn.en_passant)) == (set("NBRQ"), {2: 2}, True)
    assert described("[game:crazyhouse]\npromotionRank = 6\n").promotion_zone == (6, 7, 8)
    assert described("[game:chess]\ndoubleStepRank = 3\n").piece("P").steps == {2: 2, 3: 2}


@pytest.mark.parametrize("key, passing", [("enPassantRegion = -", False), ("enPassantTypes = -", True)])
def test_region_forbids_captures_in_passing_and_types_do_not(key, passing):
    game = described(f"[game:chess]\n{key}\n")
    assert bool(game.piece("P").en_passant) == passing
    assert game.piece("P").steps == {2: 2}


@pytest.mark.parametrize("value, result", [("loss", "black"), ("win", "white"), ("draw", "draw")])
def test_value_of_repetition_may_be_whites(value, result):
    keys = f"nFoldValue = {value}\nnFoldValueAbsolute = true\n"
    assert described(f"[game:chess]\n{keys}").repetition_result == result


@pytest.mark.parametrize("rights", ["KQ", "kq", "Kq", "HA", "Qh"])
def test_castling_of_one_side_is_read(rights):
    start = f"startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w {rights} - 0 1\n"
    game = described(f"[game:chess]\n{start}")
    wanted = {"HA": "KQ", "Qh": "Qk"}.get(rights, rights)
    assert game.start_fen.split()[2] == wanted
    assert {wing.letter for wing in game.castling} == set(wanted.upper())


def test_castling_of_the_side_that_has_pieces_for_it_is_read():
    start = "startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/NNNNKNNN w kq - 0 1\n"
    game = described(f"[game:chess]\n{start}")
    assert [(wing.king, wing.rook) for wing in game.castling] == [(4, 7), (4, 0)]


def test_castling_with_different_pieces_on_both_sides_of_the_king():
    game = described("[game:perfect]\n")
    assert [(wing.letter, wing.rook, wing.piece) for wing in game.castling] == [("K", 7, "R"), ("Q", 0, "C")]


@pytest.mark.parametrize(
    "parent, start, letters",
    [
        (
            "xiangqi",
            "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1",
            {"N": "H", "B": "E"},
        ),
        (
            "janggicasual",
            "rhea1aehr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RHEA1AEHR w",
            {"N": "H", "B": "E"},
        ),
    ],
)
def test_other_letters_of_horse_and_elephant_are_read(parent, start, letters):
    game = described(f"[game:{parent}]\nstartFen = {start}\n")
    assert {letter: game.piece(letter).also for letter in letters} == letters
    pyffish.load_variant_config(f"[{parent}-letters:{parent}]\nstartFen = {start}\n")
    rules, notation = SlowRules(game), UciNotation(game)
    fen = notation.write_fen(game.start_fen)
    moves = {str(move) for move, _ in rules.legal(rules.start()).values() if not move.is_pass}
    theirs = {move for move in pyffish.legal_moves(f"{parent}-letters", fen, []) if move[:2] != move[2:]}
    assert moves == theirs


def test_promoted_pieces_of_the_start_are_written_with_a_plus():
    game = described("[game:kyotoshogi]\n")
    notation = UciNotation(game)
    fen = notation.write_fen(game.start_fen)
    assert fen.startswith("p+nks+l/5/5/5/+LSK+NP[]")
    rules = SlowRules(game)
    written = {
        notation.write_move(move) for move, _ in rules.legal(rules.start()).values() if not move.is_pass
    }
    assert written == set(pyffish.legal_moves("kyotoshogi", fen, []))
    assert {move[-1] for move in written} == {"+", "-", "2"}


def test_promotion_to_one_kind_of_chess_is_written_by_its_letter():
    """A single choice is not a promoted form."""
    text = "[one-choice:chess]\nchancellor = c\npromotionPieceTypes = c\n"
    pyffish.load_variant_config(text)
    game = described(text, "one-choice")
    rules, fen = SlowRules(game), "7k/P7/8/8/8/8/8/K7 w - - 0 1"
    written = {UciNotation(game).write_move(move) for move, _ in rules.legal(rules.read(fen)).values()}
    assert written == set(pyffish.legal_moves("one-choice", fen, []))
    assert "a7a8c" in written


def test_cannons_of_janggi_never_jump_each_other():
    game = described("[game:chess]\njanggiCannon = c\nstartFen = rcbqkbcr/8/8/8/8/8/8/RCBQKBCR w\n")
    assert game.piece("C").shielded == "hops"


def test_sides_with_pieces_of_their_own_may_differ():
    keys = "silver = s\npromotionPawnTypesBlack = s\npromotionPieceTypesBlack = r\n"
    start = "startFen = rnbqkbnr/ssssssss/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
    game = described(f"[game:chess]\n{keys}{start}")
    assert set(game.piece("P").promotes_to) == set("NBRQ")
    assert game.piece("S").promotes_to == ("R",)


def test_sides_may_promote_to_different_pieces():
    game = described("[game:chess]\npromotionPieceTypesBlack = r\n")
    assert set(game.piece("P").promotes_to) == set("NBRQ")
    assert tuple(map(set, game.side_promotions)) == (set("QRBN"), set("R"))
    assert "differs between the sides" in refusal("[game:chess]\npromotionPieceTypesBlack = -\n")


@pytest.mark.parametrize(
    "text, key",
    [
        ("[game:shatranj]\npieceDrops = true\ncapturesToHand = true\n", "extinctionPieceCount"),
        ("[game:shogi]\ndropLoop = true\n", "dropLoop"),
        ("[game:shogi]\npromotedPieceType = g:r\n", "promotedPieceType"),
        ("[game:shogi]\ngold = -\nstartFen = 4k4/9/9/9/9/9/9/P8/4K4[] w\n", "promotedPieceType"),
        (
            "[game:crazyhouse]\ndoubleStepRegionWhite = a2 b2\ndoubleStepRegionBlack = a7 b7\n",
            "doubleStepRegionWhite",
        ),
        ("[game:chess]\ncustomPiece1 = p:fmWfceFimA\n", "customPiece1"),
        ("[game:chess]\ncastlingKingsideFile = e\n", "castlingKingsideFile"),
        ("[game:capablanca]\ncastlingQueensideFile = j\n", "castlingQueensideFile"),
    ],
)
def test_section_that_would_be_another_game_is_refused(text, key):
    assert f"[game] {key}" in refusal(text)


@pytest.mark.parametrize("moves", ["k7" + "/8" * 2000, "W" * 2000 + "x", "x" * 3000])
def test_long_moves_of_a_piece_are_shortened_in_the_reason(moves):
    (reason,) = map(str, import_text(f"[odd:chess]\ncustomPiece1 = n:{moves}\n", "x.ini").values())
    assert reason.startswith("x.ini: [odd] customPiece1 = ") and len(reason) < 400
