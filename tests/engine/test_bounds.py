"""Every index is inside its array: play with Numba's bounds checks, in a process that is compiled with them.

Without them compiled code reads and writes past an end silently. The build has its own cache folder."""

import json
import os
import subprocess
import sys

import pytest
import surajang
from surajang.bench.speed.coverage_command import leaves
from surajang.engine.kernel.store import STORE
from surajang.engine.representation.position_record import movelist_dtype
from surajang.tests.support.games import START_FEN, setup

pytestmark = pytest.mark.process

GUARDED = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "0"}  # not optimised, it compiles sooner
FILES = "abcdefghij"
MIDDLE = "r2qkm2r1/1pp3pp1p/2n2b1p2/3p2p3/4P1c3/2P2N4/3B4P1/P4C4/1P1P2PP1P/R3KM3R[QBNPPrcnpp] w - - 0 1"
FULL_HANDS = setup("Ke1 ke10 Pd3 pd8", "QMCRBNP" * 9 + "qmcrbnp" * 9)
# Queens of both sides on every second square, kings shut in by men of their own.
QUEENS = [
    f"{'Q' if rank < 6 else 'q'}{file}{rank}"
    for rank in range(3, 9)
    for number, file in enumerate(FILES)
    if (rank + number) % 2
]
CROWDED = setup(f"Ka1 Pa2 Rb1 Pb2 kj10 pj9 ri10 pi9 {' '.join(QUEENS)}", "QMCRBNP" * 14 + "qmcrbnp" * 14)
# As many moves as queens can have: around the edge, all squares before them.
RING = [f"Q{file}2" for file in FILES] + [f"Q{file}9" for file in "abcdhij"]
RING += [f"Q{file}{rank}" for file in "aj" for rank in range(3, 9)]
OPEN = setup(f"Ke1 kf10 re10 rg10 pe9 nf9 pg9 {' '.join(RING)}", "QMCRBNP")
# Marshals and cardinals that may promote with every move.
PROMOTING = setup(
    "Ka1 ke5 rd6 re6 rf6 " + " ".join(f"{'MC'[number % 2]}{file}10" for number, file in enumerate(FILES)),
    "QMCRBNP",
)
POSITIONS = {
    "start": START_FEN,
    "middle": MIDDLE,
    "full hands": FULL_HANDS,
    "crowded": CROWDED,
    "open": OPEN,
    "promoting": PROMOTING,
}
SEED, PLIES = 20_201_116, 80

SCRIPT = """
import json, random, sys
import numba
from surajang import Engine, Position
from surajang.engine.kernel.compiler import inner
from surajang.engine.kernel.bitboard import load, popcount
from surajang.engine.kernel.store import STORE
from surajang.engine.movegen.perft import perft

@inner
def beyond_table(rules, state, index):
    return rules.kind_mover[index]

@inner
def beyond_field(rules, state, index):
    return state.board[index]

@inner
def beyond_rows(rules, state, index):
    return popcount(load(state, "colours", index))

def is_guarded(function):
    @numba.njit
    def call(rules, state, index):
        return function(rules, state, index)
    start = Position()
    call(start.rules, start.state, 1)
    try:
        call(start.rules, start.state, 100)
    except IndexError:
        return True
    return False

fens, seed, plies = json.loads(sys.argv[1])
told = {"folder": str(STORE.folder)}
told["guarded"] = [is_guarded(function) for function in (beyond_table, beyond_field, beyond_rows)]
told["moves"] = {name: len(Position("pandemonium", fen).legal_moves()) for name, fen in fens.items()}
told["leaves"] = {name: perft(Position("pandemonium", fen), 2) for name, fen in fens.items()}

generator, position, game = random.Random(seed), Position(), []
while len(game) < plies and position.result() is None:
    moves = position.legal_moves()
    captures = [move for move in moves if position.piece_at(move.to_square)]
    game.append(str(position.push(generator.choice(captures or moves))))
told["game"], told["fen"] = game, position.fen()

engine = Engine(hash_mb=1, threads=2)
told["played"] = []
for name, fen in fens.items():
    position = Position("pandemonium", fen)
    for limits in ({"depth": 3, "nodes": 60_000}, {"nodes": 20_000}):
        told["played"].append(engine.play(position, **limits).move in position.legal_moves())
# Few men, deep lines: the end of the stack.
for fen in json.loads(sys.argv[2]):
    position = Position("pandemonium", fen)
    told["played"].append(engine.play(position, nodes=200_000).move in position.legal_moves())
print(json.dumps(told))
"""
BARE = [setup("Ke1 ke10 Pa2"), setup("Kd5 kd8 pa5 Pa4"), setup("Ke1 ke10 Ra1", turn="b")]


@pytest.fixture(scope="module")
def told():
    """The results of the process with bounds checks."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps([POSITIONS, SEED, PLIES]), json.dumps(BARE)],
        env=environment | GUARDED,
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_guards_are_on(told):
    """Tables of facts, fields of records and rows of bitboards refuse an index that is too large."""
    assert told["guarded"] == [True, True, True]
    assert told["folder"] != str(STORE.folder)


def test_no_index_is_out_of_bounds_in_play(told):
    assert told["played"]
    assert all(told["played"])


@pytest.mark.parametrize("name", POSITIONS)
def test_guards_change_no_count(told, name):
    position = surajang.Position("pandemonium", POSITIONS[name])
    assert told["moves"][name] == len(position.legal_moves())
    assert told["leaves"][name] == leaves(position, 2)


def test_guards_change_no_game(told):
    position = surajang.Position()
    for move in told["game"]:
        position.push(move)
    assert position.fen() == told["fen"]
    assert any("@" in move for move in told["game"])


def test_move_list_has_room_for_the_most_crowded_positions(told):
    room = surajang.Position().rules.max_moves
    assert 500 < max(told["moves"].values()) < room


def test_replies_to_a_dropped_pawn_have_room_behind_all_moves():
    rules = surajang.Position().rules
    assert movelist_dtype(rules)["moves"].shape == (2 * rules.max_moves,)


# Palaces and hops, setup and passing, merchants and bumps, and bitboards of 256 bits
MIXED = """extends = "janggi"
name = "mixed"
title = "Mixed rules"
start = "rnea1aenr3/4k7/1c5c1mm1/p1p1p1p1p1ss/12/12/12/12/P1P1P1P1P1SS/1C5C1MM1/4K7/RNEA1AENR3 w - - 0 1"
[board]
files = 12
ranks = 12
[pieces]
M = { name = "Merchant", moves = "mK", value = 520 }
S = { name = "Bumper", moves = "mR", value = 120, shielded = "slides" }
[merchants]
piece = "M"
immune = "MS"
spared = "S"
[bumping]
piece = "S"
immune = "M"
"""
OTHER_SCRIPT = """
import json, random, sys
from surajang import Engine, Position

variant, seed, plies = json.loads(sys.argv[1])
generator, position = random.Random(seed), Position(variant)
counts = []
while position.ply < plies and position.result() is None:
    counts.append(len(position.legal_moves()))
    position.push(generator.choice(position.legal_moves()))
engine, played = Engine(variant, hash_mb=1), []
for nodes in (1_000, 20_000):
    result = engine.play(Position(variant, position.fen()), nodes=nodes)
    played.append(result.move is None or result.move in Position(variant, position.fen()).legal_moves())
print(json.dumps({"counts": counts, "game": list(map(str, position.moves)), "played": played}))
"""


def test_no_index_is_out_of_bounds_by_other_rules(interpreted, tmp_path):
    path = tmp_path / "mixed.toml"
    path.write_text(MIXED)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    done = subprocess.run(
        [sys.executable, "-c", OTHER_SCRIPT, json.dumps([str(path), SEED, PLIES])],
        env=environment | GUARDED,
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    position = surajang.Position(path)
    for move, count in zip(told["game"], told["counts"], strict=True):
        assert len(position.legal_moves()) == count
        position.push(move)
    assert all(told["played"])
