"""Texts that once caused faults: a line that took seconds or raised an internal error; files of games that
were neither refused nor playable."""

from string import ascii_uppercase

import pytest
from surajang import Position, VariantError
from surajang.engine.definition.catalogue import parse
from surajang.protocol.cecp.protocol import Cecp
from surajang.protocol.uci.protocol import Uci
from surajang.protocol.wire.pieces import slots
from surajang.tests.support.conversations import PATIENCE, conversation
from surajang.tests.support.surfaces import FILE, check_fen, check_sheet, check_teaching, check_toml

pytestmark = [pytest.mark.compiled, pytest.mark.quick]

HEAD = 'extends = "{}"\nname = "own"\ntitle = "Own"\n'
ROWS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
DIGITS = "9" * 5000  # more than Python makes a number of
STEPPERS = "".join(f'{letter} = {{ name = "{letter}", moves = "W" }}\n' for letter in "ACDEFGHIJLMOSTUVWXYZ")


@pytest.mark.parametrize(
    ("dialect", "line"),
    [
        (Uci, "setoption name a" + " " * 60_000 + "x"),
        (Cecp, "setboard " + "[" * 65_000 + " w -"),
        (Cecp, "lift a" + DIGITS),
        (Uci, "setoption name VariantPath value ~nobody-of-that-name/x.toml"),
        (Cecp, "option VariantPath=" + "x" * 5000),
    ],
    ids=["blanks", "brackets", "lift", "no-user", "long-name"],
)
def test_long_line_is_handled_quickly(dialect, line):
    with conversation(dialect, patience=PATIENCE / 5) as talk:
        talk.say("new" if dialect is Cecp else "uci")
        answers = [*talk.say(line), *talk.finish_loading()]
        assert len(answers) == 1
        assert not talk.confessed
        talk.check_alive()


@pytest.mark.parametrize("field", range(7))
@pytest.mark.parametrize("long", [DIGITS, "x" * 5000, "K" * 5000, "[" * 5000, "/" * 5000])
@pytest.mark.parametrize("variant", ["crazyhouse", "pandemonium-vchess"])
def test_refusal_of_a_position_is_short_however_long_a_field_is(variant, field, long):
    fields = [*Position(variant).fen().split(), "0"]
    fields[field : field + 1] = [long]
    check_fen(variant, " ".join(fields))


def test_error_leaves_an_interrupted_analysis_interrupted():
    with conversation(Cecp) as talk:
        talk.say("new", "analyze")
        talk.finish_loading()
        talk.say("pause", "memory 1048576")
        assert talk.session.search is None


def test_value_of_an_option_keeps_its_blanks_and_a_name_with_the_word_in_it_is_read():
    with conversation(Uci) as talk:
        (answer,) = talk.say("setoption name  VariantPath   value a  value b.toml")
        assert "there is no such file" in answer
        assert talk.say("setoption name   Move   Overhead  value  55 ") == []
        assert talk.session.clock.overhead == 0.055


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("a = " + "[" * 5000, "not TOML"),
        ("a = " + DIGITS, "not TOML"),
        (HEAD.format("chess") + f"[pieces.P.steps]\n{DIGITS} = 2", "pieces.P.steps"),
        (HEAD.format("chess") + f'[pieces]\nR = {{ moves = "W{DIGITS}" }}', "pieces.R.moves"),
        (HEAD.format("chess") + '[pieces]\nR = { name = "" }', "pieces.R.name"),
        (HEAD.format("chess").replace("Own", "O\\nwn"), "title"),
    ],
    ids=["nested", "digits", "rank", "range", "no-name", "two-lines"],
)
def test_file_is_refused_by_key(text, key):
    with pytest.raises(VariantError) as refusal:
        parse(text, FILE)
    assert str(refusal.value).startswith(f"{FILE}: {key}")
    check_toml(text)


def test_arrangement_that_cannot_be_is_refused_by_key():
    text = HEAD.format("janggi") + '[setup]\nswaps = ["ad"]\n'
    with pytest.raises(VariantError, match=r"fuzzed.toml: setup.swaps: board: an advisor cannot stand on a1"):
        parse(text, FILE)


@pytest.mark.parametrize(
    ("parent", "start", "whole"),
    [
        ("chess", ROWS, f"{ROWS} w - - 0 1"),
        ("chess", f"  {ROWS}\\tb  KQkq", f"{ROWS} b KQkq - 0 1"),
        ("crazyhouse", f"{ROWS}/pP w KQkq", f"{ROWS}[Pp] w KQkq - 0 1"),
        (
            "janggi",
            "rhba1abhr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RHBA1ABHR",
            "rnea1aenr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNEA1AENR w - - 0 1",
        ),
    ],
    ids=["board", "blanks", "hands", "aliases"],
)
def test_start_may_be_written_in_more_than_one_way(parent, start, whole):
    game = parse(HEAD.format(parent) + f'start = "{start}"', FILE)
    assert game.start_fen == whole
    check_teaching(game)
    check_sheet(game)


def test_arrangements_go_by_squares_and_not_by_letters():
    rows = "rnbqkmcbnr/pppppppppp/10/10/10/10/10/10/PPPPPPPPPK/10[]"
    game = parse(HEAD.format("pandemonium-vchess") + f'start = "{rows} w - -"\ncastling = false', FILE)
    for choices in ((0, 0), (1, 2), (3, 3)):
        check_teaching(game, choices)
        check_teaching(game, choices, phase=True)


def test_source_that_is_no_address_is_shown_as_it_is():
    check_sheet(parse(HEAD.format("chess") + 'source = "http://["', FILE))


def test_game_of_as_many_kinds_as_there_are_letters_has_a_picture_for_each():
    game = parse(HEAD.format("chess") + f"[pieces]\n{STEPPERS}", FILE)
    check_teaching(game)
    table = slots(game)
    assert len(table) == 44 and {letter for letter in table if letter.isalpha()} == set(ascii_uppercase)
