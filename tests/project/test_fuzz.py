"""The targets of the fuzzer, with their seeds and without atheris, and that they find faults."""

import pytest
from surajang.engine.definition import catalogue, fen
from surajang.engine.fairy_ini.importing import import_text
from surajang.engine.notation.reading import read_games
from surajang.protocol.cecp.protocol import Cecp
from surajang.protocol.uci.notation import UciNotation
from surajang.tests.support import fuzz
from surajang.tests.support.mutations import written

pytestmark = pytest.mark.process

BROKEN = {  # what to break, and how, so that a target has something to find
    "cecp": ("surajang.protocol.session.game.GameInProgress.push", lambda self, text: 1 // 0),
    "uci": ("surajang.protocol.session.session.Session.follow", lambda self, fen, moves, read: 1 // 0),
    "fen": (
        "surajang.engine.definition.fen.write",
        lambda setup, castling, game: "8/8/8/8/8/8/8/8 w - - 0 1",
    ),
    "move": ("surajang.protocol.uci.notation.UciNotation.write_move", lambda self, move: "a1a1"),
    "toml": ("surajang.engine.definition.reader._steps", lambda table, ranks: table.table["steps"]),
    "ini": ("surajang.engine.fairy_ini.importing.read_goal", lambda game: {"goal": 1 // 0}),
    "pgn": ("surajang.engine.notation.writing.comment_words", lambda text: [text]),
    "options": ("surajang.protocol.session.settings.Spin.read", lambda self, text: int(text)),
}


@pytest.mark.parametrize("target", fuzz.TARGETS)
def test_target_finds_nothing_in_its_seeds(target):
    for data in fuzz.seeds(many=8):
        fuzz.TARGETS[target](data)


@pytest.mark.parametrize("target", fuzz.TARGETS)
def test_target_finds_what_is_broken(target, monkeypatch):
    monkeypatch.setattr(*BROKEN[target])
    fuzz.positions.cache_clear()
    with pytest.raises(Exception):  # noqa: B017 - whatever the break brings about
        for data in fuzz.seeds(many=16):
            fuzz.TARGETS[target](data)


def test_input_gives_the_chances_and_the_rest_follows():
    first, again, other = fuzz.Bytes(b"abcdef"), fuzz.Bytes(b"abcdef"), fuzz.Bytes(b"abcdeg")
    drawn = [[chance.randrange(1000) for _ in range(20)] for chance in (first, again, other)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert fuzz.Bytes(b"\x05").getrandbits(8) == 5


def test_inputs_that_were_tried_are_counted_across_runs(tmp_path):
    path = tmp_path / "corpus.tried"
    for end in (5, 10):
        tally = fuzz.Tally(path, step=2)
        for _ in range(5):
            tally.count()
        tally.save()
        assert fuzz.Tally(path).tried == end


@pytest.mark.parametrize(
    ("target", "reader"),
    [
        *(("fen", fen.parse), ("ini", import_text), ("pgn", read_games), ("uci", UciNotation.read_move)),
        *(("cecp", Cecp), ("toml", catalogue.parse)),
    ],
)
def test_readers_are_guided(target, reader):
    module = reader.__module__.removeprefix("surajang.")
    assert {module, module.rpartition(".")[0]} & {*fuzz.GUIDED[target]}


def test_every_target_is_guided():
    assert fuzz.GUIDED.keys() == fuzz.TARGETS.keys()


def test_a_table_that_is_written_reads_as_it_was():
    import tomllib

    table = {"a": [1, True, "x\"'\n\\é"], "b c": {"d.e": -1.5, "f": {}}, "": [[], {"g": "\x7f"}]}
    assert tomllib.loads(written(table).replace("?", r"\u007f")) == table
