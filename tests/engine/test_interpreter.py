"""Rules without compiled code: the same functions, run by Python. They play every game before anything is
compiled."""

import random
import sys
import threading

import numpy as np
import pyffish
import pytest
from surajang import Position
from surajang.bench.speed.coverage_command import PyffishReferee, chosen, compare
from surajang.engine.definition import catalogue
from surajang.engine.kernel.facts import Facts, Table
from surajang.engine.kernel.interpreter import plain, record_view
from surajang.engine.movegen.entry_points import EntryPoints, entry_points_of
from surajang.engine.representation.position_record import movelist_dtype, position_dtype
from surajang.tests.support.games import (
    COMPILED_GAMES,
    GATHERED,
    SEARCHED_GAMES,
    gathered,
    stored_positions,
    texts,
)
from surajang.tests.support.soak_judges import MODELLED, judge_of

pytestmark = pytest.mark.compiled

STORED = ("pandemonium", "pandemonium-vchess", "janggi", "chaotic")  # by slow models of the rule books
GAMES = sorted(  # the others are interpreted by `test_shipped_games`
    name
    for name in COMPILED_GAMES.union(SEARCHED_GAMES)
    if name not in {*STORED, *MODELLED} and name in pyffish.variants()
)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_random_game_has_the_moves_of_fairy_stockfish(interpreted, name):
    referee = PyffishReferee(pyffish, name)
    found, compared = compare(catalogue.load(name).path, referee, games=1, depth=0, longest=60)
    assert found is None and compared > 5


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*MODELLED} - {*STORED, "xxl"}))
def test_random_game_has_the_moves_of_a_model(interpreted, name):
    chance, position, judge = random.Random(name), Position(name), judge_of(name)
    while judge.result is None and position.ply < 60:
        assert {str(move) for move in position.legal_moves} == judge.moves, position.fen()
        text = chance.choice(sorted(judge.moves))
        position.push(text)
        judge.push(text)
    assert position.ply > 5


@pytest.mark.quick
@pytest.mark.parametrize("name", STORED)
def test_stored_positions_have_the_moves_of_the_slow_models(interpreted, name):
    for stored in stored_positions(name)[::20]:
        assert texts(Position(name, stored["fen"])) == stored["moves"]


@pytest.mark.quick
@pytest.mark.parametrize("name", ["crazyhouse", *STORED])
def test_keys_that_moves_change_are_those_of_the_position(interpreted, name):
    chance, position = random.Random(name), Position(name)
    for _ in range(30):
        assert (position.key, position.repetition_key) == (
            position.fresh_key(),
            position.fresh_repetition_key(),
        )
        if position.result() is not None:
            break
        position.push(chance.choice(list(position.legal_moves)))
    assert position.ply > 5


def told_of(points, rules, state, move=None):
    """The answers of a game's entry points about a position: its legal moves, whether it is in check or dead,
    its outcome without a history, and the position after a move."""
    states, lists = np.zeros(2, position_dtype(rules)), np.zeros(1, movelist_dtype(rules))
    states[0] = state
    count = points.list_moves(lists, states, 0)
    told = [sorted(lists[0]["moves"][:count].tolist()), bool(points.check(states, 0))]
    told.append(bool(points.dead(states, 0)) if rules.dead else None)
    if move is not None:
        points.advance(states, 0, move.code)
    if rules.can_end:
        points.judge(states, 0)
    return told, [states[name].tolist() for name in states.dtype.names]


@pytest.mark.slow
@pytest.mark.parametrize("name", GATHERED)
def test_compiled_rules_are_those_that_python_runs(name, tmp_path):
    path = tmp_path / f"{name}.toml"
    path.write_text(gathered(name))
    chance, seen = random.Random(name), 0
    rules = Position(str(path)).rules
    compiled, python = entry_points_of(rules), EntryPoints(rules)
    python.interpret()
    while seen < 100:
        position = Position(str(path))
        assert position.result() is None
        while position.result() is None and position.ply < 100:
            move = position.parse_move(chosen(chance, position))
            assert told_of(compiled, rules, position.state, move) == told_of(
                python, rules, position.state, move
            ), position.fen()
            position.push(move)
            seen += 1
        assert told_of(compiled, rules, position.state) == told_of(python, rules, position.state)


@pytest.mark.quick
def test_machine_code_replaces_interpreted_functions_when_it_is_loaded():
    position = Position("chess")
    points = EntryPoints(position.rules)
    points.interpret()
    states = position._states.copy()
    python, count = points.list_moves, points.list_moves(np.zeros(1, _moves_of(position)), states, 0)
    points.load()
    assert points.list_moves is not python
    assert points.list_moves(np.zeros(1, _moves_of(position)), states, 0) == count == 20
    loaded = points.list_moves
    points.interpret()
    assert points.list_moves is loaded


def test_engines_of_several_threads_load_the_functions_of_a_game_at_once():
    points, failures = EntryPoints(Position("chess").rules), []

    def load():
        together.wait()
        try:
            points.load()
        except (KeyError, RuntimeError) as error:
            failures.append(error)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for _ in range(300):
            assert points.advance and points.check and points.list_moves
            together = threading.Barrier(3)
            threads = [threading.Thread(target=load) for _ in range(3)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    finally:
        sys.setswitchinterval(before)
    assert not failures


@pytest.mark.quick
def test_threads_use_interpreted_functions_at_once(interpreted_positions):
    """Other positions list their moves between any two steps of a call, as threads do."""
    own, others = Position("chess"), [Position("chess") for _ in range(400)]

    def step(frame, event, _):
        frame.f_trace_opcodes = frame.f_code.co_name == "call"
        if event == "opcode":
            sys.settrace(None)
            assert len(others.pop().legal_codes()) == 20
            sys.settrace(step)
        return step

    sys.settrace(step)
    try:
        found = own.legal_codes()
    finally:
        sys.settrace(None)
    assert len(found) == 20 and 10 < len(others) < 390


def _moves_of(position):
    """The type of a record of moves."""
    position.legal_codes()
    return position._lists[0][0].dtype


# Values that interpreted code reads


@pytest.mark.quick
def test_facts_are_read_as_plain_values():
    facts = Facts("some", number=3, table=Table([1 << 70, 2], 128), small=np.array([[7, 8]], np.uint8))
    view = plain(facts)
    assert (view.number, view.table[0], view.small[0, 1]) == (3, 1 << 70, 8)
    assert plain(facts) is view
    with pytest.raises(KeyError):
        view.other  # noqa: B018


@pytest.mark.quick
def test_unsigned_numbers_of_a_record_wrap_around_as_in_compiled_code():
    record = np.zeros(1, [("count", np.uint8), ("key", np.uint64), ("moves", np.uint8, (2,))])[0]
    view = record_view(record)
    view.count -= 1
    view.key = (1 << 64) + 5
    view.moves[1] = 256 + 7
    assert (view.count, view.key, view.moves[1], int(record["count"])) == (255, 5, 7, 255)
