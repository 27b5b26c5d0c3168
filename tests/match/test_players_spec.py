"""The description of engines, and its errors."""

import math
import re
import sys

import pytest
from surajang import Position
from surajang.engine.definition import catalogue
from surajang.match.players.cecp import read_post
from surajang.match.players.control import TimeControl
from surajang.match.players.notations import CecpSpelling, UciSpelling
from surajang.match.players.player import StartError, Thinking
from surajang.match.players.spec import EngineSpec, check_settings, parse_engine
from surajang.match.players.start import start_player
from surajang.match.players.uci import read_info
from surajang.tests.support.fake_players import CRAZYHOUSE

pytestmark = [pytest.mark.compiled, pytest.mark.quick]


def test_engine_is_parsed():
    spec = parse_engine(
        "cmd='fairy-stockfish bench' arg=1 tc=40/60+0.5 nodes=5000 option.Hash=16 'option.Setup phase=1'"
        " name='A B' dir=/tmp restart=on ponder=on",
    )
    assert spec == EngineSpec(
        name="A B",
        command=("fairy-stockfish", "bench", "1"),
        protocol="uci",
        control=TimeControl(base=60.0, increment=0.5, moves=40, nodes=5000),
        options=(("Hash", "16"), ("Setup phase", "1")),
        directory="/tmp",
        restart=True,
        ponder=True,
    )
    assert EngineSpec.from_json(spec.as_json()) == spec


def test_specs_written_before_pondering_was_known_are_read():
    spec = parse_engine("cmd=surajang depth=1")
    assert (
        EngineSpec.from_json({key: value for key, value in spec.as_json().items() if key != "ponder"}) == spec
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tc=fast", "'fast' is not a clock"),
        ("tc=1+1 st=1", "not both"),
        ("depth=0", "depth 0"),
        ("st=0", "st=0 should be more than 0 seconds"),
        ("st=nan", "st=nan should be more than 0 seconds"),
        ("st=inf", "st=inf should be more than 0 seconds, and finite"),
        ("restart=perhaps", "restart=perhaps"),
        ("ponder=perhaps", "ponder=perhaps"),
        ("proto=usi", "proto=usi"),
        ("nods=1", "did you mean 'nodes'"),
    ],
)
def test_settings_for_all_engines_are_checked_by_themselves(text, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        check_settings(text)


@pytest.mark.parametrize("field", ["base", "movetime"])
@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_limit_that_is_no_time_is_quoted(field, number):
    with pytest.raises(ValueError, match=f"^{field} {number} should be a finite number$"):
        TimeControl(**{field: number})


def test_settings_may_leave_everything_to_the_engines():
    for text in ("", "option.Hash=1", "tc=inf", "name=x arg=y"):
        check_settings(text)


def test_each_fills_in_what_an_engine_leaves_out():
    each = "tc=5+0.05 option.Hash=16 option.Threads=2 restart=on"
    one = parse_engine("cmd=surajang st=0.5 option.Hash=8", each)
    assert one.control == TimeControl(movetime=0.5)
    assert dict(one.options) == {"Hash": "8", "Threads": "2"} and one.restart
    assert parse_engine("cmd=surajang nodes=9", each).control == TimeControl(5.0, 0.05, nodes=9)


@pytest.mark.parametrize(
    ("text", "name", "protocol"),
    [
        ("cmd=surajang", "surajang", "cecp"),
        ("cmd=/opt/x/stockfish-16", "stockfish-16", "uci"),
        ("cmd='python3 -m surajang'", "python3", "cecp"),
        ("cmd=sjaakii proto=uci", "sjaakii", "uci"),
        ("cmd=other proto=xboard name=O", "O", "cecp"),
    ],
)
def test_protocol_of_known_engines_need_not_be_named(text, name, protocol):
    spec = parse_engine(text, "depth=1")
    assert (spec.name, spec.protocol) == (name, protocol)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "cmd=... is missing"),
        ("cmd= depth=1", "cmd=... is missing"),
        ("cmd=sh depth=1", "cmd=sh: proto=... should say whether it speaks cecp or uci"),
        ("cmd=fariy-stockfish depth=1", "'fariy-stockfish' is not installed; if it runs elsewhere, proto="),
        ("cmd=./missing depth=1 dir=/tmp", "cmd=./missing: '/tmp/missing' is not a program"),
        ("cmd=surajang proto=usi depth=1", "proto=usi should be one of cecp, uci"),
        ("cmd=surajang", "tc=, st=, nodes= or depth= is missing"),
        ("cmd=surajang tc=fast", "'fast' is not a clock"),
        ("cmd=surajang nodes=many", "nodes=many is not a number"),
        ("cmd=surajang depth=0", "depth 0 should be at least 1"),
        ("cmd=surajang tc=1+1 st=1", "a clock or a time for each move, not both"),
        ("cmd=surajang dept=1", "did you mean 'depth'"),
        ("cmd=surajang Hash=1 depth=1", "'Hash' of 'Hash=1' is not a key"),
        ("cmd=surajang depth", "'depth' should be KEY=VALUE"),
        ("cmd=surajang 'depth=1", "No closing quotation"),
        ("cmd=surajang depth=1 restart=perhaps", "restart=perhaps should be on or off"),
        ("cmd=surajang depth=1 ponder=maybe", "ponder=maybe should be on or off"),
    ],
)
def test_bad_engine_is_refused_with_what_is_wrong(text, message):
    with pytest.raises(ValueError) as refusal:
        parse_engine(text)
    assert message in str(refusal.value)


def test_command_is_looked_up_where_it_is_started(tmp_path, monkeypatch):
    engine = tmp_path / "engine"
    engine.write_text("#!/bin/sh\n")
    engine.chmod(0o755)
    each = "proto=uci depth=1"
    assert parse_engine("cmd=surajang arg=x depth=1").resolved() == [sys.executable, "-m", "surajang", "x"]
    assert parse_engine(f"cmd=./engine dir={tmp_path}", each).resolved() == [str(engine)]
    monkeypatch.setenv("PATH", str(tmp_path))
    assert parse_engine("cmd='engine -x'", each).resolved() == [str(engine), "-x"]
    with pytest.raises(FileNotFoundError, match="'motor' is not installed"):
        parse_engine("cmd=motor", each).resolved()
    with pytest.raises(StartError, match="motor does not start"):
        start_player(parse_engine("cmd=./motor", each), CRAZYHOUSE)


# Words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("9 156 1084 48000 e2e4 e7e5", Thinking(9, 0, 156, None, 10.84, 48000, "e2e4 e7e5")),
        ("  3.   -20      0    810 1. Na3", Thinking(3, 0, -20, None, 0.0, 810, "1. Na3")),
        ("5& 100003 12 77 e2e4", Thinking(5, 0, 0, 3, 0.12, 77, "e2e4")),
        ("5 -100002 12 77 e2e4", Thinking(5, 0, 0, -2, 0.12, 77, "e2e4")),
        ("8 10 100 999 17 450 0\tp@e4 O-O", Thinking(8, 17, 10, None, 1.0, 999, "P@e4 O-O")),
        ("7 5 3 2", Thinking(7, 0, 5, None, 0.03, 2, "")),
        ("7 5 3", None),
        ("move e2e4", None),
        ("1-0 {mate}", None),
    ],
)
def test_thinking_output_of_cecp(text, expected):
    assert read_post(text, CecpSpelling(CRAZYHOUSE)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("info depth 3 score cp -7 nodes 9 time 1500 pv e2e4", Thinking(3, 0, -7, None, 1.5, 9, "e2e4")),
        ("info depth 3 score mate -2 pv e2e4 e7e5", Thinking(3, 0, 0, -2, 0.0, 0, "e2e4 e7e5")),
        ("info depth 4 score cp 50 lowerbound nodes 20 pv d2d4", Thinking(4, 0, 1, None, 0.0, 20, "a")),
        ("info depth 4 multipv 2 score cp 50 pv d2d4", None),
        ("info string depth 4", None),
        ("info currmove e2e4 currmovenumber 1", None),
        ("info nodes 40 nps 100", Thinking(0, 0, 1, None, 0.0, 40, "a")),
        ("info depth", None),
        ("info score cp", None),
        ("bestmove e2e4", None),
    ],
)
def test_info_of_uci(text, expected):
    spelling = UciSpelling(CRAZYHOUSE, ["crazyhouse"])
    assert read_info(text, Thinking(score=1, line="a"), spelling) == expected


@pytest.mark.parametrize(
    ("written", "ours"),
    [
        *(("e7e8=Q", "e7e8q"), ("e7e8q", "e7e8q"), ("p@e4", "P@e4"), ("P*e4", "P@e4"), ("e2-e4", "e2e4")),
        *(("O-O", "e1g1"), ("0-0-0", "e1c1"), ("Nf3", "Nf3"), ("", "")),
    ],
)
def test_other_spellings_of_a_move(written, ours):
    position = Position("crazyhouse", "r3k2r/8/8/8/8/8/8/R3K2R[] w KQkq - 0 1")
    for spelling in (CecpSpelling(CRAZYHOUSE), UciSpelling(CRAZYHOUSE, ["crazyhouse"])):
        assert spelling.read_move(written, position) == ours


def test_janggi_of_other_engines():
    spelling = UciSpelling(catalogue.load("janggi"), ["janggi", "janggitraditional"])
    assert spelling.name == "janggitraditional"
    fen = "rnea1aenr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNEA1AENR w Ss - 0 1"
    assert spelling.write_fen(fen) == fen.replace("e", "b").replace("E", "B").replace("Ss", "-")


@pytest.mark.slow
def test_promoted_pieces_of_other_engines():
    game = catalogue.load("minishogi")
    spelling = UciSpelling(game, ["minishogi"])
    position = Position("minishogi", "4k/R4/5/5/K4[] w - - 0 1")
    move = position.push("a4a5+")
    assert spelling.write_move(move) == "a4a5+"
    assert spelling.write_fen(position.fen()).startswith("+R3k/5/5/5/K4[]")


def test_ranks_of_xboard():
    spelling = CecpSpelling(catalogue.load("pandemonium"))
    move = Position("pandemonium").parse_move("e2e5")
    assert spelling.write_move(move) == "e1e4" and spelling.read_move("e1e4") == "e2e5"
