"""Fairy-Stockfish's files of games: reading, refusals, and writing."""

import random
import tomllib
from contextlib import suppress

import pyffish
import pytest
from click.testing import CliRunner
from surajang.cli import main
from surajang.engine.definition import catalogue
from surajang.engine.definition.catalogue import load, parse
from surajang.engine.definition.fen import parse as parse_fen
from surajang.engine.fairy_ini import conversion, fairy_betza, toml_writer
from surajang.engine.fairy_ini.conversion import import_file
from surajang.engine.fairy_ini.exporting import export
from surajang.engine.fairy_ini.importing import Imported, import_game, import_text
from surajang.engine.fairy_ini.ini import MAX_BYTES, IniFile, read, read_file, templates
from surajang.engine.game import betza
from surajang.engine.game.description import Description, VariantError
from surajang.protocol.session.user_games import register_path

pytestmark = pytest.mark.pure

ROOKS = """
# Comments and empty lines say nothing
[rooks:chess]
bishop = -
knight = -
queen = -
promotionPieceTypes = r
startFen = r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1
pieceToCharTable = P..R..K
countingRule = makruk

[camels:rooks]
customPiece1 = c:C
startFen = r2ck2r/pppppppp/8/8/8/8/PPPPPPPP/R2CK2R w KQkq - 0 1
"""


@pytest.fixture(autouse=True)
def alone(monkeypatch, tmp_path):
    """Only the engine's own games, and separate user folders."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("SURAJANG_CACHE_DIR", str(tmp_path / "cache"))


def refusal(text, name="game"):
    """The reason why the game of that name is refused."""
    try:
        found = import_text(text, "x.ini")[name]
    except VariantError as error:
        found = error
    assert isinstance(found, VariantError), found
    assert "\n" not in str(found)
    return str(found)


def described(text, name):
    game = import_text(text, "x.ini")[name]
    return parse(game.toml, f"{name}.toml")


def test_game_is_its_template_with_the_keys_changed():
    game = described(ROOKS, "rooks")
    assert [piece.letter for piece in game.pieces] == ["P", "R", "K"]
    assert game.piece("P").promotes_to == ("R",)
    assert game.piece("P").steps == {2: 2}
    assert [wing.letter for wing in game.castling] == ["K", "Q"]


def test_game_may_inherit_from_another_of_the_file():
    game = described(ROOKS, "camels")
    assert game.piece("C").betza == "C"
    assert game.piece("P").promotes_to == ("R",)


def test_ignored_keys_are_reported():
    game = import_text(ROOKS, "x.ini")["rooks"]
    assert game.without_effect == ["pieceToCharTable = P..R..K"]
    assert game.left_out == ["countingRule = makruk"]


def test_shogi_of_the_templates_is_the_shogi_that_is_shipped():
    game, ours = (parse(import_game("shogi", IniFile("x")).toml, "shogi.toml"), load("shogi"))
    assert (game.promotion_zone, game.promotion_on) == (ours.promotion_zone, ours.promotion_on)
    for piece in ours.pieces:
        if piece.droppable:
            same = game.piece(piece.letter)
            assert (same.moves, same.drop_forbidden) == (piece.moves, piece.drop_forbidden)
            assert (same.must_promote, same.no_drop_mate) == (piece.must_promote, piece.no_drop_mate)
            assert same.most_per_file == piece.most_per_file
            assert [game.piece(x).moves for x in same.promotes_to] == [
                ours.piece(x).moves for x in piece.promotes_to
            ]


def test_placement_is_imported_and_exported_as_it_is_shipped():
    ours = load("placement")
    exported = export(ours).replace("[surajang-placement:", "[again:")
    for text, name in (("[again:placement]\n", "again"), (exported, "again")):
        game = described(text, name)
        assert (game.castling, game.castling_dropped) == (ours.castling, True)
        assert not game.captures_to_hand
        for piece in ours.pieces:
            same = game.piece(piece.letter)
            assert (same.must_drop, same.both_colours) == (piece.must_drop, piece.both_colours)
            assert (same.droppable, same.drop_forbidden) == (piece.droppable, piece.drop_forbidden)


def test_castling_by_dropped_rooks_is_imported():
    game = described("[game:crazyhouse]\ncastlingDroppedPiece = true\n", "game")
    assert game.castling_dropped and len(game.castling) == 2
    assert not described("[game:chess]\ncastlingDroppedPiece = true\n", "game").castling_dropped
    moved = "startFen = rkbqnbnr/pppppppp/8/8/8/8/PPPPPPPP/RKBQNBNR[] w KQkq - 0 1"
    text = refusal(f"[game:crazyhouse]\ncastlingDroppedPiece = true\n{moved}\n")
    assert "castlingDroppedPiece = 'true': with castling from other squares" in text


def test_some_pieces_in_hand_that_must_be_dropped_cannot_be_exported():
    text = catalogue.load("placement").path.read_text()
    game = parse(text.replace('must = "KQRBN"', 'must = "KQ"'), "game.toml")
    with pytest.raises(VariantError, match=r"drops\.must: some of the pieces"):
        export(game)
    game = parse(text.replace("R = [2, 3,", "R = [3,"), "game.toml")
    with pytest.raises(VariantError, match=r"drops\.forbidden: '.' has other ranks"):
        export(game)


def test_regions_and_soldiers_of_xiangqi_are_those_that_are_shipped():
    game, ours = (parse(import_game("xiangqi", IniFile("x")).toml, "xiangqi.toml"), load("xiangqi"))
    for piece in ours.pieces:
        same = game.piece(piece.letter)
        assert (same.moves, same.advanced) == (piece.moves, piece.advanced)
        assert set(same.region) >= set(piece.region)  # theirs has squares that no advisor reaches
    assert game.facing_kings.result == "illegal"


@pytest.mark.parametrize(
    "key, reason",
    [
        ("blastOnCapture = true", "[game] blastOnCapture = 'true': is supported only if"),
        ("mustCapture = true\npassWhite = true\npassBlack = true", "mustCapture"),
        ("king = -", "startFen: 'k' is not a piece of this game (pnbrq)"),
        ("king = -\ncommoner = k\ncastlingKingPiece = k", "no kind is royal, so the game needs [extinction]"),
        ("castlingKingPiece = q", "castling by another piece than the king"),
        ("king = p", "startFen: 'k' is not a piece of this game (nbrqp)"),
        ("maxFile = 17", "maxFile = '17': should be a whole number from 2 to 16"),
        ("maxRank = x", "maxRank = 'x'"),
        ("knight = 4", "knight = '4': should be a letter"),
        ("customPiece1 = a:X\nstartFen = a3k3/8/8/8/8/8/8/4K3 w", "customPiece1 = 'a:X': is not supported"),
        ("customPiece1 = p", "has no moves"),
        ("customPiece1 = p:DD", "no moves of riders by 'D'"),
        ("customPiece1 = p:fW  # steps", "Fairy-Stockfish does not read '  # steps'"),
        ("castling = maybe", "castling = 'maybe': should be true or false"),
        ("promotionRegionWhite = 9*", "promotionRegionWhite = '9*'"),
        ("promotionRegionWhite = *7", "mirror image"),
        ("startFen = 8/8 w - - 0 1", "start: board"),
        ("startFen = rnbqkbnx/8/8/8/8/8/8/RNBQKBNR w", "'x' is not a piece"),
        ("startFen = rnbqk+bnr/8/8/8/8/8/8/RNBQKBNR w", "'+b', but that piece has no promoted form"),
        (
            "pieceDrops = true\nmustDrop = true\nmustDropType = q\nstartFen = 8/8/8/8/8/8/8/8[KQkq] w",
            "has a king",
        ),
        ("mustDrop = true\nmustDropType = z", "mustDropType = 'z': 'z' is not a piece"),
        ("flagPiece = z", "flagPiece = 'z': 'z' is not a piece"),
        ("somethingNew = 1", "somethingNew = '1': is not a known key"),
        ("promotionPieceType = q", "did you mean 'promotionPieceTypes'?"),
        ("maxfile = 10", "did you mean 'maxFile'?"),
        ("maxFile = 10", "maxFile = '10': needs a startFen of that size"),
        ("maxRank = 5", "maxRank = '5': needs a startFen of that size"),
        (
            "maxRank = 9\nstartFen = 4k3/pppppppp/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
            "doubleStepRegionBlack: is not given, and the default on this board is not the mirror image",
        ),
        (
            "extinctionPieceTypes = q\nextinctionValue = win\nextinctionClaim = true",
            "extinctionClaim = 'true'",
        ),
        (
            "flagPiece = q\nflagRegion = *8\nflagMove = true",
            "flagMove = 'true': is supported only for the king",
        ),
        ("stalemateValue = perhaps", "stalemateValue = 'perhaps': should be draw or loss or win"),
        ("castling = true ", "ends with a blank"),
        ("promotedPieceType = p", "pairs like"),
        ("pieceToCharTable = " + "x" * 3000, "pieceToCharTable"),
    ],
)
def test_unsupported_key_is_named_with_file_section_and_value(key, reason):
    text = refusal(f"[game:chess]\n{key}\n")
    assert text.startswith("x.ini: [game]")
    assert reason in text


@pytest.mark.parametrize(
    "text, reason",
    [
        ("[a:b]\n[b:a]", "[b:a]: inherits from itself"),
        ("[game:game]", "[game:game]"),
        (
            "[game:zzz]",
            "'zzz' is neither a game of the file nor a known template, such as 3check, 5check, ai-wok, ",
        ),
        ("[game:ches]", "'ches' is neither a game of the file nor a known template; did you mean 'chess'"),
        ("[game:chess960]", "nor a known template; did you mean 'fischerandom'?"),
        ("".join(f"[g{i}:chess]\n" for i in range(1001)), "[g1000:chess]': a file has at most 1000 games"),
        (
            "[game:g0]\n" + "".join(f"[g{i}:g{i + 1}]\n" for i in range(60)) + "[g60:chess]\n",
            "[g49:g50]: inherits from more than 50 games",
        ),
    ],
)
def test_games_without_a_parent_that_can_be_read_are_refused(text, reason):
    assert reason in refusal(text, "a" if text.startswith("[a") else "game")


def test_binary_file_is_refused(tmp_path):
    path = tmp_path / "x.ini"
    path.write_bytes(b"[a]\0")
    with pytest.raises(VariantError, match="zero byte"):
        read_file(path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_file_is_read_in_any_encoding(tmp_path, encoding, line_end):
    path = tmp_path / "x.ini"
    lines = ["# by Jürgen Müller", "[game:chess]", "maxRank = 7", "startFen = k6/7/7/7/7/7/6K w - - 0 1"]
    path.write_bytes(line_end.join([*lines, "maxFile = 7", ""]).encode(encoding))
    game = parse(import_game("game", read_file(path)).toml, "game.toml")
    assert (game.files, game.ranks) == (7, 7)


def test_huge_file_is_refused(tmp_path):
    path = tmp_path / "x.ini"
    path.write_bytes(b"#" * (MAX_BYTES + 1))
    with pytest.raises(VariantError, match="at most"):
        read_file(path)


@pytest.mark.slow
def test_damaged_files_give_one_clear_line_and_no_game():
    """Texts that are cut, doubled and shuffled at random: a valid game, or one line of error."""
    generator = random.Random(5)
    sections = [f"[{s.name}{i}:{s.name}]" for i, s in enumerate(templates().values())]
    refused = 0
    for turn in range(50):
        text = list(ROOKS + "\n".join(sections[turn % 10 :: 10]))
        for _ in range(generator.randint(1, 6)):
            place = generator.randrange(len(text))
            text[place : place + generator.randrange(4)] = generator.choices(
                "[]:=*-k \n9é", k=generator.randrange(3)
            )
        try:
            found = import_text("".join(text[: generator.randrange(len(text))]), "x.ini")
        except VariantError as error:
            assert str(error).startswith("x.ini: ") and "\n" not in str(error)
            continue
        for game in found.values():
            refused += isinstance(game, VariantError)
            assert isinstance(game, VariantError) or tomllib.loads(game.toml)
    assert refused > 10


def test_tables_are_read_back_as_they_were_written():
    table = {"name": 'a "b"', "start": "é\\", "end": {"times": 3, "list": ["x", 1], "inner": {"a": True}}}
    assert tomllib.loads(toml_writer.write(table)) == table


@pytest.mark.parametrize(
    "theirs, ours",
    [
        ("fK", "fWfF"),
        ("fKbR", "fWfFbR"),
        ("sQ2", "sR2sB2"),
        ("frflK", "rlWfrFflF"),
        ("fbmK", "fbmWfbmF"),
        ("KfN", "KfN"),
        ("fFfR", "fFfR"),
    ],
)
def test_directions_of_kings_and_queens_are_read_as_they_are_there(theirs, ours):
    game = described(f"[game:chess]\nqueen = -\ncustomPiece1 = q:{theirs}\n", "game")
    assert set(game.piece("Q").moves) == set(betza.parse(ours))
    (again,) = import_text(export(game), "again.ini").values()
    assert set(parse(again.toml, "game.toml").piece("Q").moves) == set(betza.parse(ours))


def test_directions_of_our_kings_are_written_as_they_are_there():
    assert [fairy_betza.write(text) for text in ("fK", "frfK", "bsQ3", "K", "fN")] == [
        "fW",
        "fWfrF",
        "bsB3",
        "K",
        "fN",
    ]


def test_interrupt_leaves_no_part_of_a_game(tmp_path, monkeypatch):
    game = import_text(ROOKS, "x.ini")["rooks"]

    def interrupted(old, new):
        raise KeyboardInterrupt

    monkeypatch.setattr(conversion.os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        conversion.write(game, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_old_names_of_keys_are_read_and_told():
    game = described("[game:crazyhouse]\nwhiteDropRegion = *1 *2\nblackDropRegion = *8 *7\n", "game")
    assert game.piece("N").drop_forbidden == (3, 4, 5, 6, 7, 8)
    assert "[game] whiteDropRegion = '*9'" in refusal("[game:crazyhouse]\nwhiteDropRegion = *9\n")


@pytest.mark.parametrize(
    "key, told",
    [
        (
            "customPiece1 = g:gN\nstartFen = g3k3/8/8/8/8/8/8/4K2G w",
            "customPiece1 = 'g:gN': is not supported",
        ),
    ],
)
def test_unsupported_rule_is_reported_by_its_key(key, told):
    assert f"[game] {told}" in refusal(f"[game:chess]\n{key}\n")


# Commands


def surajang(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_import_writes_expressible_games_and_names_the_others(tmp_path):
    path = tmp_path / "variants.ini"
    path.write_text(ROOKS + "[bang:chess]\nblastOnCapture = true\n")
    run = surajang("variants", "import", path, "--folder", tmp_path / "games")
    assert run.exit_code == 1
    assert sorted(file.name for file in (tmp_path / "games").iterdir()) == ["camels.toml", "rooks.toml"]
    assert run.stderr.count("\n") == 1
    assert "[bang] blastOnCapture = 'true'" in run.stderr
    assert "left out: countingRule = makruk" in run.stdout


def test_import_takes_the_games_that_are_named(tmp_path):
    path = tmp_path / "variants.ini"
    path.write_text(ROOKS)
    assert surajang("variants", "import", path, "camels", "--folder", tmp_path).exit_code == 0
    assert [file.name for file in tmp_path.glob("*.toml")] == ["camels.toml"]
    run = surajang("variants", "import", path, "dogs")
    assert (run.exit_code, run.stdout) == (1, "")
    assert "[dogs]: the file has no such game (rooks, camels)" in run.stderr


def test_import_leaves_games_that_are_not_its_own(tmp_path):
    path, own = tmp_path / "variants.ini", tmp_path / "camels.toml"
    path.write_text(ROOKS)
    for text in ('extends = "chess"\nname = "camels"\ntitle = "My camels"\n', "no TOML ="):
        own.write_text(text)
        run = surajang("variants", "import", path, "--folder", tmp_path)
        assert run.exit_code == 1 and own.read_text() == text and (tmp_path / "rooks.toml").exists()
        assert f"camels: {own} was not imported from variants.ini; --force replaces it" in run.stderr
    for words in (("--force",), ()):  # then it is an import
        assert surajang("variants", "import", path, "--folder", tmp_path, *words).exit_code == 0
    assert 'source = "variants.ini"' in own.read_text()


def test_import_warns_of_a_game_whose_name_is_taken(tmp_path):
    path = tmp_path / "variants.ini"
    path.write_text(ROOKS + "[rifle:chess]\n")
    run = surajang("variants", "import", path, "--folder", tmp_path)
    assert run.stderr.count("\n") == 1
    assert f"rifle: {tmp_path / 'rifle.toml'} cannot be played: " in run.stderr
    assert "rifle.toml is the game of that name" in run.stderr


def test_second_game_with_the_same_name_is_refused(tmp_path):
    path = tmp_path / "variants.ini"
    path.write_text("[a-b:chess]\n[a_b:chess]\n")
    games = import_file(path)
    assert list(games.found) == ["a-b"]
    assert "is called 'a-b' here, as a-b is" in str(games.refused["a_b"])


def test_path_of_such_a_file_makes_its_games_known(tmp_path):
    path = tmp_path / "variants.ini"
    path.write_text(ROOKS + "[bang:chess]\nblastOnCapture = true\n[xiangqi:chess]\n")
    names, refused, _ = register_path(str(path))
    assert names == ["rooks", "camels"]
    assert load("camels").piece("C").betza == "C"
    assert ["bang" in refused[0], "name of another game" in refused[1]] == [True, True]


def test_path_of_a_file_without_a_game_that_can_be_played_is_refused(tmp_path):
    path = tmp_path / "variants.ini"
    path.write_text("[bang:chess]\nblastOnCapture = true\n")
    with pytest.raises(VariantError, match=r"\[bang\] blastOnCapture"):
        register_path(str(path))


@pytest.mark.parametrize("name", ["shogi", "xiangqi", "makruk", "crazyhouse", "capablanca", "minishogi"])
def test_game_that_is_exported_and_imported_is_the_same(name):
    text = surajang("variants", "export", name).stdout.replace(f"[surajang-{name}:", "[copy:")
    game, ours = described(text, "copy"), load(name)
    assert {piece.letter for piece in game.pieces} == {piece.letter for piece in ours.pieces}
    for piece in ours.pieces:
        same = game.piece(piece.letter)
        assert (same.moves, same.region, same.advanced) == (piece.moves, piece.region, piece.advanced)
        assert (same.droppable, same.drop_forbidden) == (piece.droppable, piece.drop_forbidden)
        assert (set(same.promotes_to), same.must_promote) == (set(piece.promotes_to), piece.must_promote)
    assert (game.castling, game.stalemate) == (ours.castling, ours.stalemate)
    assert game.start_fen == ours.start_fen


@pytest.mark.parametrize(
    "name, key",
    [
        *(("janggi", "setup"), ("chaotic", "merchants"), ("pandemonium", "castling"), ("grid", "cells")),
        *(("rifle", "rifle_captures"), ("andernach", "colour_change"), ("cambodian", "first_moves")),
    ],
)
def test_game_that_such_files_cannot_say_is_not_exported(name, key):
    run = surajang("variants", "export", name)
    assert (run.exit_code, run.stdout) == (1, "")
    assert run.stderr.startswith(f"{name}.toml: {key}")


UNCOMPARED = {"dead_positions", "first_moves_aim"}  # decides when a game is drawn; a part of first_moves


def test_export_looks_at_every_mechanic(monkeypatch):
    """A mechanic that it does not know would be left out without a word."""
    seen, of, games = set(), Description.__getattr__, {name: load(name) for name in catalogue.shipped()}
    for exported in games.values():

        def watched(game, name, exported=exported):
            if game is exported:
                seen.add(name)
            return of(game, name)

        monkeypatch.setattr(Description, "__getattr__", watched)
        with suppress(VariantError):
            export(exported)
    assert games["chess"].mechanics.keys() - UNCOMPARED - seen == set()


def test_no_template_inherits_from_what_is_not_there():
    sections = templates()
    assert all(section.parent is None or section.parent in sections for section in sections.values())
    assert read("", "x.ini").sections == {}


@pytest.mark.slow
def test_start_and_promotions_of_each_template_are_fairy_stockfishs():
    """Facts that random games seldom reach: start squares, castling, and promotions, by side."""
    compared = 0
    for name in templates():
        game = import_text(f"[{name}:{name}]\n", "x.ini")[name]
        if isinstance(game, VariantError) or name not in pyffish.variants():
            continue
        ours = parse(game.toml, f"{name}.toml")
        theirs = parse_fen(pyffish.start_fen(name), ours)
        start = parse_fen(ours.start_fen, ours)
        assert (theirs.board, theirs.hands, theirs.side) == (start.board, start.hands, start.side), name
        assert set(theirs.castling) >= set(start.castling), name
        assert bool(theirs.castling) == bool(start.castling), name
        compared += 1
        if (
            (ours.files, ours.ranks, {"P", "p"} <= {*ours.start_fen.split()[0]}) != (8, 8, True)
            or ours.has_drops
            or ours.bare_king == ""
            or ours.extinction  # the positions below may be over
        ):
            continue
        if set(ours.piece("P").must_promote) == {8}:
            to = ("b8", "b1") if ours.crosses_diagonally else ("a8", "a1")
            few = max(1, ours.start_fen.split()[0].count("K"))  # where several kings stand, all have to
            black, white = f"{8 - few}{'k' * few}", "K" * few
            for side, (fen, square) in enumerate(
                (
                    (f"{black}/P7/8/8/8/8/8/{white}{8 - few} w", "a7" + to[0]),
                    (f"{black}/8/8/8/8/8/p7/{8 - few}{white} b", "a2" + to[1]),
                )
            ):
                found = pyffish.legal_moves(name, f"{fen} - - 0 1", [])
                made = {move[4:].upper() for move in found if move.startswith(square)}
                wanted = set(ours.piece("P").promotes_to)
                if ours.side_promotions:
                    wanted &= set(ours.side_promotions[side])
                assert made == wanted, name
    assert compared >= 60


# Keys that were refused before


def imported(text):
    """The game of a file's only section, as its file is read here."""
    (game,) = import_text(text, "v.ini").values()
    assert isinstance(game, Imported), game
    return parse(game.toml, f"{game.name}.toml"), game


def test_rule_that_a_checked_king_may_only_capture_is_described():
    game, _ = imported("[k:makpong]\n")
    assert game.checked_king == "captures"
    assert imported("[k:makruk]\n")[0].checked_king == ""


def test_single_check_wins_where_one_is_counted():
    assert imported("[k:checkshogi]\n")[0].check_limit == 1


def test_start_may_need_fewer_checks_of_one_side():
    odds = "r1bqkbnr/pppppppp/2n5/8/8/2N5/PPPPPPPP/R1BQKBNR w KQkq - 2+3 0 1"
    game = imported(f"[k:3check]\nstartFen = {odds}\n")[0]
    assert (game.check_limit, game.start_fen) == (3, odds)
    assert "counts of checks '0+3' should be like '3+3'" in refusal(
        f"[game:3check]\nstartFen = {odds.replace('2+3', '0+3')}\n"
    )


def test_first_steps_that_would_leave_the_board_are_passed_over():
    game, _ = imported("[k:torpedo]\n")
    assert game.piece("P").steps == dict.fromkeys(range(1, 7), 2)


def test_only_pieces_in_hand_at_the_start_are_dropped_without_captured_hands():
    game, _ = imported("[k:dragon]\n")
    assert [piece.letter for piece in game.hand_pieces] == ["D"]
    assert not game.captures_to_hand


def test_odds_of_a_draw_are_left_out_and_other_counts_of_material_refused():
    _, told = imported("[k:armageddon]\n")
    assert told.left_out == ["materialCounting = blackdrawodds"]
    (error,) = import_text("[k:chess]\nmaterialCounting = janggi\n", "v.ini").values()
    assert "materialCounting = 'janggi'" in str(error)


def test_castling_right_without_a_rook_is_passed_over():
    game, _ = imported("[k:chess]\nstartFen = 4k2r/8/8/8/8/8/8/4K2R w KQkq - 0 1\n")
    assert game.start_fen.split()[2] == "Kk"
    assert [side.letter for side in game.castling] == ["K"]


def test_limited_hoppers_come_through():
    game, _ = imported("[k:chess]\nknight = -\ncustomPiece1 = n:mFpB2\n")
    assert game.piece("N").betza == "mFpB2"


def test_grasshoppers_come_through():
    game, _ = imported("[k:chess]\nknight = -\ncustomPiece1 = n:gQ\n")
    assert game.piece("N").betza == "gQ"


def test_mates_that_only_some_pieces_may_give_are_refused():
    (error,) = import_text("[k:shatar]\nextinctionValue = none\n", "v.ini").values()
    assert "shatarMateRule = 'true' (from [shatar])" in str(error)
