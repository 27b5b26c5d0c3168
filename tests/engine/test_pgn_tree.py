"""The tree of a game: changed as in python-chess, and written so that it is read back."""

import copy
import io
import os
import pickle
import random
import re

import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from surajang import Position, Score, pgn
from surajang.tests.support.games import PLAYED_GAMES
from surajang.tests.support.pgn_texts import (
    BARE,
    check_pgn,
    grown,
    moves_of,
    mutated_pgn,
    read,
    read_well,
    tree_of,
)
from surajang.tests.support.san_referees import random_positions

pytestmark = pytest.mark.compiled


# Writing


@pytest.mark.parametrize("variant", PLAYED_GAMES)
def test_written_game_reads_back_as_the_same_tree(variant):
    for seed in range(2):
        game = grown(variant, seed)
        text = str(game)
        again = read_well(text)
        assert again.variant == variant
        assert tree_of(again) == tree_of(game)
        assert str(again) == text
        assert max(map(len, text.splitlines())) < 80


@pytest.mark.parametrize("variant", ["chess", "crazyhouse", "kingofthehill"])
def test_python_chess_reads_the_same_tree(variant):
    for seed in range(3):
        game = grown(variant, seed)
        theirs = chess.pgn.read_game(io.StringIO(str(game)))
        assert theirs.errors == []
        assert type(theirs.board()).__name__.lower().startswith({"chess": "board"}.get(variant, variant))

        def san(node):
            return node.san().replace("@", "P@", 1) if node.san().startswith("@") else node.san()

        assert tree_of(theirs, san) == tree_of(game)
        for ours, node in zip(game.mainline(), theirs.mainline(), strict=True):
            score = node.eval()
            assert (ours.eval() is None) == (score is None)
            assert score is None or score.white().score() == ours.eval().centipawns
            assert ours.clock() == node.clock()


def test_exporter_omits_unwanted_parts():
    game = read_well('[White "A"]\n\n{before} 1. e4 $1 {said} e5 (1... c5 2. Nf3) 2. d4 1-0')

    def written(**options):
        return game.accept(pgn.StringExporter(**options))

    assert written(headers=False, comments=False) == "1. e4 $1 e5 ( 1... c5 2. Nf3 ) 2. d4 1-0"
    assert written(headers=False, variations=False) == "{before} 1. e4 $1 {said} 1... e5 2. d4 1-0"
    assert written(headers=False, columns=12).splitlines()[:2] == ["{before}", "1. e4 $1"]
    assert written().splitlines()[4] == '[White "A"]'
    handle = io.StringIO()
    assert game.accept(pgn.FileExporter(handle)) == handle.getvalue() == f"{game}\n\n"


@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=100))
@settings(deadline=None)
def test_any_comment_and_tag_leaves_the_game_readable(text):
    game = pgn.Game()
    game.headers["White"] = text
    node = game.add_line(["e4", "e5"], comment=text)
    node.parent.comment = text
    again = read_well(str(game))
    assert moves_of(again) == ["e2e4", "e7e5"]
    assert again.headers["White"] == (" ".join(text.split()) or "?")
    assert again.end().comment == " ".join(text.replace("{", "(").replace("}", ")").split())


@pytest.mark.parametrize(
    "text",
    [
        '[White "' + " " * 100_000 + "x\n\n1. e4 *",
        "1. e4 {" + "[%a " * 100_000 + "} *",
        "1. e4 " + "1" * 100_000 + " *",
        "1. e4 " + "1 " * 100_000 + " *",
        "1. e4 " + "} " * 100_000 + " *",
        "1. e4 " + ") " * 100_000 + " *",
        "1. e4 " + "e5" * 100_000 + " *",
        "1. e4 {[%clk " + "1" * 100_000 + "]} *",
        "[a b]\n" * 30_000 + "\n1. e4 *",
    ],
    ids=["spaces", "commands", "digits", "numbers", "braces", "brackets", "word", "clock", "tags"],
)
def test_text_of_any_length_is_read_in_time_that_grows_with_it(text):
    game = read(text)
    assert moves_of(game) == ["e2e4"]
    assert len(game.errors) <= 20
    assert moves_of(read_well(str(game))) == ["e2e4"]


def test_only_so_many_moves_are_read_as_are_wanted():
    (text,) = pgn.scan_games(io.StringIO("1. e4 = e5 (1... c5 2. Nf3) 2. Nf3 {said} Nc6 3. Ke4 *"))
    game = pgn.parse_game(text, plies=3)
    assert game.accept(BARE) == "1. e4 $10 e5 2. Nf3 {said} *"
    assert game.errors == []


def test_deep_variations_are_read_and_written():
    game = read_well("1. Nf3 " + "(1. Nc3 " * 3000 + ")" * 3000 + "*")
    assert len(game.variations) == 3001
    deep = "1. Nf3 " + "Nf6 (1... Nc6 2. Ng1 (2. Nc3 " * 2000 + "))" * 2000 + "*"
    game = read(deep)
    assert str(read(str(game))) == str(game)


# The tree


def test_tree_is_changed_as_in_python_chess():
    game = pgn.Game()
    game.headers["Result"] = "1-0"
    e4 = game.add_variation("e4", comment="best", nags=[1])
    d4 = game.add_main_variation("d4")
    c4 = game.add_variation("c4", starting_comment="English")
    assert [node.san() for node in game.variations] == ["d4", "e4", "c4"]
    game.promote(c4)
    game.demote(0)
    assert [node.san() for node in game.variations] == ["c4", "d4", "e4"]
    game.promote_to_main(e4.move)
    game.remove_variation(d4)
    assert game.variations == [e4, c4]
    assert (e4.is_main_variation(), c4.starts_variation(), c4.is_mainline()) == (True, True, False)
    e5 = e4.add_line(["e5", "Nf3"]).parent
    assert (e5.parent, game.end().parent, e5.game(), e5.next().is_end()) == (e4, e5, game, True)
    assert game.has_variation(c4.move) and not game.has_variation(7)
    assert game.variation("c4") is c4 and game.variation("c2c4") is c4
    assert not game.has_variation("d4") and not game.has_variation("Qh5")
    assert game.accept(BARE) == "1. e4 $1 {best} ( {English} 1. c4 ) 1... e5 2. Nf3 1-0"
    with pytest.raises(KeyError):
        game.variation(7)
    with pytest.raises(ValueError, match="'Ke3'"):
        e5.add_variation("Ke3")
    with pytest.raises(ValueError, match="beginning"):
        game.san()


@pytest.mark.parametrize(
    ("nags", "error", "text"),
    [
        (["!"], TypeError, "^a nag '!' should be a whole number$"),
        ([1, 2.5], TypeError, "^a nag 2.5 should be a whole number$"),
        ([-1], ValueError, "^a nag -1 should be at least 0$"),
        ([1, 256], ValueError, "^a nag 256 should be at most 255$"),
    ],
)
def test_glyph_that_is_no_number_is_refused(nags, error, text):
    game = pgn.Game()
    with pytest.raises(error, match=text):
        game.add_variation("e4", nags=nags)
    with pytest.raises(error, match=text):
        game.add_main_variation("e4", nags=nags)
    assert not game.variations
    game.add_variation("e4").nags.update(nags)
    with pytest.raises(error, match=text):
        str(game)


def test_position_of_a_node_is_its_own_and_has_its_moves():
    game = read_well("1. e4 e5 2. Nf3 (2. d4 exd4) Nc6 *")
    position = game.end().position()
    assert [str(move) for move in position.moves] == ["e2e4", "e7e5", "g1f3", "b8c6"]
    position.push("f1b5")
    assert game.end().position().ply == 4
    assert (
        game.end().parent.parent.variation(1).end().position().fen().startswith("rnbqkbnr/pppp1ppp/8/8/3pP3")
    )


def test_game_begins_in_the_position_that_is_set_up():
    position = Position("crazyhouse", "4k3/8/8/8/8/8/8/4K3[Q] w - - 0 9")
    game = pgn.Game("crazyhouse")
    game.add_variation("e4")
    game.setup(position)
    assert game.is_end() and game.position().fen() == position.fen()
    game.add_variation("Q@e7")
    assert '[SetUp "1"]' in str(game) and "9. Q@e7+ *" in str(game)
    assert moves_of(read_well(str(game))) == ["Q@e7"]
    game.setup(Position("crazyhouse"))
    assert "FEN" not in game.headers


def test_game_does_not_begin_in_a_position_of_another_game():
    game = pgn.Game("chess")
    game.add_variation("e4")
    with pytest.raises(ValueError, match=r"^a position of 'crazyhouse', but the game is 'chess'$"):
        game.setup(Position("crazyhouse"))
    assert game.fen is None and len(game.variations) == 1


def test_node_is_shown_whatever_the_tags_of_its_game_say():
    node = pgn.Game("chess").add_line(["e4", "e5"])
    assert repr(node) == "<GameNode at ply 2, e7e5>"
    for name, value in (("FEN", "8/8"), ("Variant", "nothing")):
        node.game().headers[name] = value
        assert repr(node) == "<GameNode at move 2, e7e5>"


def test_score_or_time_of_another_type_is_quoted():
    node = pgn.Game("chess").add_variation("e4")
    with pytest.raises(TypeError, match=r"^Score\(.*\) is not a WhiteScore, as Score.white gives it$"):
        node.set_eval(Score(5))
    with pytest.raises(TypeError, match=r"^seconds '1' should be a number$"):
        node.set_clock("1")
    assert node.comment == ""


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 10**13, 1e308, 10**400])
def test_number_that_no_command_holds_is_quoted(value):
    node = pgn.Game("chess").add_variation("e4")
    for write in (node.set_clock, node.set_emt):
        with pytest.raises(ValueError, match=f"^seconds {re.escape(repr(value))} should be a number between"):
            write(value)
    for name in ("centipawns", "mate", "depth"):
        is_wrong_type = name != "centipawns" and isinstance(value, float)
        with pytest.raises(TypeError if is_wrong_type else ValueError, match=re.escape(f"{name} {value!r}")):
            node.set_eval(pgn.WhiteScore(**{"centipawns": None, name: value}))
    with pytest.raises(ValueError, match="depth -1 should be at least 0"):
        node.set_eval(pgn.WhiteScore(5, None, -1))
    assert node.comment == ""


@pytest.mark.parametrize(
    "text", ["[%clk 999999999:59:59]", "[%eval 999999999.98]", "[%eval #-999999999,999999999]"]
)
def test_every_command_that_is_read_can_be_written(text):
    node = pgn.Game("chess").add_variation("e4", comment=text)
    node.set_clock(node.clock())
    node.set_eval(node.eval())
    assert node.comment == text
    for longer in ("[%clk 999999999:60:00]", "[%eval 999999999.999]"):
        node.comment = longer
        assert (node.clock(), node.eval()) == (None, None)


def test_scores_and_clocks_of_comments():
    text = (
        "1. e4 { [%eval 0.3] [%clk 0:01:02] } e5 {[%eval #-3,12]} 2. d4 {[%eval -12.345] so [%emt 1:00:00.5]}"
    )
    first, second, third = read_well(text).mainline()
    assert (first.eval(), first.clock(), first.emt()) == (pgn.WhiteScore(30), 62.0, None)
    assert (second.eval(), second.clock()) == (pgn.WhiteScore(None, -3, 12), None)
    assert (third.eval().centipawns, third.emt()) == (-1234, 3600.5)
    first.set_eval(pgn.WhiteScore(-5, None, 9))
    first.set_clock(None)
    first.set_emt(0.25)
    assert first.comment == "[%eval -0.05,9] [%emt 0:00:00.25]"
    first.set_eval(None)
    assert first.comment == "[%emt 0:00:00.25]"


@pytest.mark.parametrize(
    "text", ["[%eval x]", "[%eval ]", "[%clk 1:2:3:4]", "[%eval 9999999999999]", "[%clk]"]
)
def test_command_that_makes_no_sense_is_no_score(text):
    node = read_well(f"1. e4 {{{text}}} *").next()
    assert (node.eval(), node.clock(), node.comment) == (None, None, text)


def test_library_is_found_under_the_package():
    import surajang

    assert surajang.pgn.read_game is pgn.read_game
    assert "pgn" in dir(surajang)
    for name in pgn.__all__:
        assert getattr(pgn, name).__doc__, name


def test_positions_of_random_games_are_reached_again_through_pgn():
    for position in random_positions("pandemonium", 30, 9):
        game = pgn.Game("pandemonium")
        game.add_line(position.moves)
        assert read_well(str(game)).end().position().fen() == position.fen()


TEXTS = int(os.environ.get("SURAJANG_WALKS", "40"))


@pytest.mark.parametrize("variant", ["chess", "crazyhouse", "janggi"])
def test_any_text_gives_games_that_are_legal_and_come_back(variant):
    texts = [f"{grown(variant, seed, 12)}\n\n" for seed in range(5)]
    for seed in range(TEXTS):
        check_pgn(mutated_pgn(random.Random(seed), texts), variant)


def test_move_that_is_not_legal_here_is_not_added():
    game = pgn.Game()
    with pytest.raises(ValueError, match="'e7e5'"):
        game.add_variation(Position("chess").parse_move("e2e4").__class__(0, "e7e5"))
    drop = Position("crazyhouse", "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1").parse_move("N@e4")
    with pytest.raises(ValueError, match="'N@e4'"):
        game.add_line(["e4", drop])


def test_position_follows_the_fen_tag():
    game = pgn.Game()
    assert game.position().turn == 0
    game.headers["FEN"] = "4k3/8/8/8/8/8/8/4K3 b - - 0 3"
    assert (game.position().turn, game.ply()) == (1, 5)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))])
def test_long_game_is_copied_with_all_that_it_has(copied):
    moves = "Nf3 Nf6 Ng1 Ng8 " * 500
    game = read(f'[White "A"]\n\n{moves} {{said}} (Nc6) Ke5')
    other = copied(game)
    assert str(other) == str(game)
    assert list(map(str, other.errors)) == list(map(str, game.errors)) != []
    other.headers["White"] = "B"
    assert game.headers["White"] == "A"
