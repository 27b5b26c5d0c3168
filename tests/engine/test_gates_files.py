"""Gates in files of games: what contradicts them, and games of Fairy-Stockfish's files."""

import pytest
from surajang.engine.definition.catalogue import load, parse
from surajang.engine.definition.fen import FenError
from surajang.engine.definition.fen import parse as read_fen
from surajang.engine.fairy_ini.exporting import export
from surajang.engine.fairy_ini.importing import import_text
from surajang.engine.game.description import VariantError

pytestmark = pytest.mark.pure

GAME = """
extends = "chess"
name = "gated"
title = "Gated"
start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Nn] w KQBCDFGkqbcdfg - 0 1"
{top}
[drops]
pieces = "N"
captures = false
{drops}
[gates]
pieces = "N"
[end]
dead_positions = false
{tables}
"""


def game(top="", drops="", tables="", **changes):
    text = GAME.format(top=top, drops=drops, tables=tables)
    for old, new in changes.items():
        text = text.replace(f'{old} = "N"', new)
    return text


def test_pieces_in_hand_may_enter_at_gates():
    assert parse(game(), "gated.toml").gates.pieces == "N"


@pytest.mark.parametrize(
    "text, reason",
    [
        (game(top="must_capture = true"), "gates: cannot be combined with must_capture"),
        (game(top="self_capture = true"), "gates: cannot be combined with self_capture"),
        (game(top='checks = "illegal"'), "gates: cannot be combined with checks"),
        (game(drops='must = "N"'), "gates: cannot be combined with drops.must"),
        (game(drops='checks = "never"'), "gates: cannot be combined with drops.checks"),
        (game(tables="[castling]\nfree = true"), "gates: cannot be combined with castling.free"),
        (game(tables='[castling]\nby = "position"'), "gates: cannot be combined with castling.by"),
        (game(tables='[passing]\ntwice = "draw"'), "gates: cannot be combined with passing"),
        (game().replace('[gates]\npieces = "N"', '[gates]\npieces = "Q"'), "gates.pieces: 'Q' is not among"),
        (game().replace('[gates]\npieces = "N"', "[gates]\ndrops = true"), "gates.pieces: names no piece"),
        (
            game().replace('[drops]\npieces = "N"', '[drops]\npieces = "NB"'),
            "gates.drops: is false, but 'B' in drops.pieces cannot enter at gates",
        ),
    ],
)
def test_rules_that_contradict_gates_are_refused(text, reason):
    with pytest.raises(VariantError) as refused:
        parse(text, "gated.toml")
    assert reason in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize("field", ["KQX", "KQkq1", "Kp!"])
def test_unknown_letters_of_gates_are_refused(field):
    with pytest.raises(FenError, match="castling"):
        read_fen(f"4k3/8/8/8/8/8/8/R3K2R[Hh] w {field} - 0 1", load("seirawan"))


@pytest.mark.parametrize("name", ["seirawan", "shouse"])
def test_gates_are_exported_and_imported(name):
    assert "seirawanGating = true" in export(load(name))


@pytest.mark.parametrize(
    "line, key",
    [
        ("gating = true", "gating"),
        ("seirawanGating = true", "seirawanGating"),
        ("gating = true\nseirawanGating = true\nmustCapture = true", "seirawanGating"),
        ("gating = true\nseirawanGating = true\nchess960 = true", "seirawanGating"),
    ],
)
def test_gates_that_cannot_be_played_are_refused_by_their_key(line, key):
    start = "startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Nn] w KQBCDFGkqbcdfg - 0 1"
    (found,) = import_text(f"[mine:chess]\n{start}\n{line}\n", "mine.ini").values()
    assert isinstance(found, VariantError) and f"[mine] {key}" in str(found)
