"""`Engine` as an object: its threads, wrong arguments, and its end."""

import threading
import time
from itertools import pairwise
from types import SimpleNamespace

import pytest
import surajang
from surajang import Clock, Engine, Ponder, Position
from surajang.search import iterative_deepening
from surajang.search.results import Line
from surajang.search.time_management import game_ply
from surajang.search.tree.parameters import MATE
from surajang.tests.search.test_search import MATES, MIDDLE, NODES, mates, position_of
from surajang.tests.support.clocks import search_clock

pytestmark = [pytest.mark.compiled, pytest.mark.quick]


@pytest.fixture(scope="module")
def shared():
    engine = Engine(hash_mb=16)
    yield engine
    engine.close()


@pytest.fixture
def engine(shared):
    """One engine for all tests, cleared."""
    shared.clear()
    return shared


@pytest.fixture
def clock(monkeypatch):
    return search_clock(monkeypatch)


@pytest.fixture(scope="module")
def two_threads():
    engine = Engine(hash_mb=16, threads=2)
    yield engine
    engine.close()


# Threads


def test_second_thread_searches_as_well(two_threads):
    """Each has half of the nodes: the first one uses it up, the other as much as the machine lets it."""
    position = position_of(MIDDLE)
    result = two_threads.play(position, nodes=400_000)
    first, second = (int(worker["nodes"]) for worker in two_threads.workers)
    assert first == 200_000 and 0 < second <= 200_000
    assert result.nodes == first + second
    assert result.move in position.legal_moves()


def test_second_thread_stops_at_its_half_of_the_nodes(two_threads, monkeypatch):
    """Also while the first one has no processor, here because it waits."""

    def wait(search):
        deadline = time.monotonic() + 60
        while int(two_threads.workers[1]["nodes"]) < 200_000 and time.monotonic() < deadline:
            time.sleep(0.001)
        time.sleep(0.1)

    monkeypatch.setattr(iterative_deepening.Search, "deepen", wait)
    two_threads.play(position_of(MIDDLE), nodes=400_000)
    assert int(two_threads.workers[1]["nodes"]) == 200_000


@pytest.mark.parametrize("moves, fen", MATES[4:7])
def test_two_threads_find_the_mate(two_threads, moves, fen):
    """Their paths vary, and the longest of a thousand took over a million nodes."""
    two_threads.clear()
    position = position_of(fen)
    result = two_threads.play(position, mate=moves, nodes=20 * NODES)
    assert result.score.mate == moves
    assert mates(position, result.move, moves)


def keep_first_thread_waiting(monkeypatch, is_over):
    """The first thread waits after its first ply until `is_over(search)` is true, which is called repeatedly;
    it does not continue after a stop. It proves no mates, for it could end before it waits."""
    monkeypatch.setattr(iterative_deepening.Search, "may_prove", lambda search, excluded: False)
    iterate = iterative_deepening.Search.iterate

    def wait(search, depth):
        deadline = time.monotonic() + 200
        while depth > 1 and not is_over(search):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        return (depth == 1 or not search.stop.is_set()) and iterate(search, depth)

    monkeypatch.setattr(iterative_deepening.Search, "iterate", wait)


@pytest.mark.parametrize("first_knows_the_move", [False, True])
def test_mate_counts_whichever_thread_finds_it(two_threads, monkeypatch, first_knows_the_move):
    """The second thread finds the mate, which ends the search, although the first one may choose the move as
    well."""
    two_threads.clear()
    moves, fen = MATES[6]

    def is_over(search):
        if search.stop.is_set() and first_knows_the_move:
            search.lines = [Line(0, search.opinions[1].line.moves[:1])]
        return search.stop.is_set()

    keep_first_thread_waiting(monkeypatch, is_over)
    result = two_threads.play(position_of(fen), mate=moves, nodes=20 * NODES)
    assert result.score.mate == moves
    assert mates(position_of(fen), result.move, moves)


def test_mate_that_a_thread_finds_does_not_end_pondering(two_threads, monkeypatch):
    two_threads.clear()
    moves, fen = MATES[6]
    ponder, ended_early = Ponder(), []

    def is_over(search):
        found = 1 in search.opinions and search.opinions[1].line.value >= MATE - 2 * moves
        if found and not ponder.is_hit:
            time.sleep(0.1)
            ended_early.append(search.stop.is_set())
            ponder.hit()
        return found

    keep_first_thread_waiting(monkeypatch, is_over)
    result = two_threads.play(position_of(fen), mate=moves, ponder=ponder)
    assert ended_early == [False] and result.score.mate == moves


def test_few_nodes_are_left_to_one_thread(two_threads):
    """So that their number is exact, and the same every time."""
    counts = set()
    for _ in range(2):
        two_threads.clear()
        counts.add(two_threads.play(position_of(), nodes=5_000).nodes)
    assert counts == {5_000}


def test_number_of_threads_may_change():
    engine = Engine(hash_mb=1, threads=3)
    for threads in (1, 2, 1):
        engine.set_threads(threads)
        position = position_of(MIDDLE)
        assert engine.play(position, depth=3).move in position.legal_moves()
    engine.close()


def test_hash_may_change(engine):
    nodes = []
    for megabytes in (1, 16):
        engine.set_hash(megabytes)
        engine.clear()
        nodes.append(engine.play(position_of(), depth=6).nodes)
    assert all(nodes)
    engine.play(position_of(), depth=6)
    engine.set_hash(16)
    assert engine.table.hashfull() == 0


# Wrong arguments


@pytest.mark.parametrize(
    "limits, quoted",
    [({"depth": 0}, "0"), ({"depth": -3}, "-3"), ({"nodes": 0}, "0"), ({"movetime": -0.5}, "-0.5")],
)
def test_impossible_limit_is_refused(engine, limits, quoted):
    with pytest.raises(ValueError, match=quoted) as refusal:
        engine.play(position_of(), **limits)
    assert next(iter(limits)) in str(refusal.value)
    assert engine.play(position_of(), depth=1).move


def test_position_of_another_game_is_refused(engine):
    with pytest.raises(ValueError, match=r"'othergame'.*'pandemonium'"):
        engine.play(SimpleNamespace(variant="othergame"), depth=1)


@pytest.mark.parametrize("threads", [0, -1, 100_000])
def test_impossible_number_of_threads_is_refused(engine, threads):
    with pytest.raises(ValueError, match=str(threads)):
        Engine(hash_mb=1, threads=threads)
    with pytest.raises(ValueError, match=str(threads)):
        engine.set_threads(threads)
    assert engine.play(position_of(), depth=1).move


@pytest.mark.parametrize("megabytes", [0, -16])
def test_impossible_hash_is_refused(engine, megabytes):
    with pytest.raises(ValueError, match=str(megabytes)):
        Engine(hash_mb=megabytes)
    with pytest.raises(ValueError, match=str(megabytes)):
        engine.set_hash(megabytes)
    assert engine.play(position_of(), depth=1).move


def test_unknown_game_is_refused():
    with pytest.raises(surajang.VariantError, match="nosuchgame"):
        Engine("nosuchgame")


def test_error_in_a_report_ends_the_search_and_leaves_the_engine_whole(two_threads):
    def fail(info):
        raise RuntimeError("reader is gone")

    with pytest.raises(RuntimeError, match="reader is gone"):
        two_threads.play(position_of(), depth=20, on_info=fail)
    assert two_threads.play(position_of(), depth=2).depth == 2


# Closing


def test_close_ends_the_search_and_may_be_called_twice():
    engine, results = Engine(hash_mb=1, threads=2), []
    began = threading.Event()
    position = position_of(MIDDLE)
    thread = threading.Thread(
        target=lambda: results.append(engine.play(position, on_info=lambda info: began.set()))
    )
    thread.start()
    assert began.wait(60)
    engine.close()
    thread.join(10)
    assert not thread.is_alive()
    assert results[0].move in position.legal_moves()
    engine.close()


def test_compile_reports_its_progress(engine):
    told = []
    engine.compile(lambda done, total, what: told.append((done, total, what)))
    assert told[-1][0] == told[-1][1]
    assert all(0 <= done <= total for done, total, _ in told)
    assert all(isinstance(what, str) and what for *_, what in told)


# Evaluation


def test_closed_engine_says_so():
    closed = Engine(hash_mb=1)
    closed.close()
    for use in (lambda: closed.play(position_of(), depth=1), closed.clear, lambda: closed.set_hash(2)):
        with pytest.raises(RuntimeError, match="closed"):
            use()


@pytest.mark.parametrize("limits", [{"movetime": float("nan")}, {"clock": Clock(float("nan"))}])
def test_time_that_is_no_number_is_refused(engine, limits):
    with pytest.raises(ValueError, match="nan"):
        engine.play(position_of(), **limits)


def test_clock_uses_centipawns_of_any_scale(monkeypatch):
    drops, told = [], []
    monkeypatch.setattr(
        iterative_deepening, "stretch", lambda numbers, stable, drop, share: drops.append(drop) or 1.0
    )
    engine = Engine("pandemonium", hash_mb=1)
    assert float(engine.workers[0]["weights"]["scale"]) > 500  # centipawns differ from what the search counts
    engine.play(Position("pandemonium"), depth=6, on_info=told.append)
    scores = [info.score.centipawns for info in told if not info.bound]
    assert len(set(scores)) > 1
    assert drops == [0, *(before - after for before, after in pairwise(scores))]


@pytest.mark.parametrize(
    "fen, moves, ply",
    [
        (None, (), 0),
        (None, ("e2e4",), 1),
        (None, ("e2e4", "e7e5"), 2),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 31", ("e2e4",), 61),
        ("4k3/8/8/8/8/8/4P3/4K3 b - - 0 31", (), 61),
    ],
)
def test_ply_of_a_game_counts_moves_before_it_was_set_up(fen, moves, ply):
    position = Position("chess", fen)
    for move in moves:
        position.push(move)
    assert game_ply(position) == ply
