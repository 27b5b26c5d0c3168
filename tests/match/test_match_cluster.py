"""The same work on a Dask cluster: a scheduler and two workers as separate processes on this machine."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from uuid import uuid4

import pytest
from surajang.engine.definition.catalogue import load
from surajang.engine.variant import Variant
from surajang.match.games.adjudication import AdjudicationRules
from surajang.match.games.engine_pool import PlayGame
from surajang.match.players.spec import parse_engine
from surajang.match.records.model import MatchGame, Opening
from surajang.match.workers import dask_cluster as clusters
from surajang.match.workers import machine
from surajang.match.workers.pool import LocalWorkers, WorkersError
from surajang.tests.support.local_cluster import WALKER, LocalCluster

pytestmark = pytest.mark.process

psutil = pytest.importorskip("psutil")
if find_spec("distributed") is None:  # an import takes a second, for every worker that collects tests
    pytest.skip("needs distributed", allow_module_level=True)

SECONDS = 60  # within which a process that should end must have ended


@pytest.fixture(scope="module")
def shared():
    """A cluster for tests that do not damage it."""
    cluster = LocalCluster()
    cluster.add_workers(2)
    yield cluster
    cluster.close()


@pytest.fixture
def own():
    """A cluster without workers, which a test may damage."""
    cluster = LocalCluster()
    yield cluster
    cluster.close()


def doubling():
    """A function that travels by value: workers cannot import this file."""

    def double(number):
        if number < 0:
            raise ValueError(f"{number} is negative")
        return 2 * number

    return double


def test_every_task_has_one_result(shared):
    with clusters.ClusterWorkers(shared.address) as pool:
        results = pool.run(doubling(), range(40), lambda task, result: [100 + task] if task < 5 else [])
        assert sorted(results) == [(n, 2 * n) for n in [*range(40), *range(100, 105)]]


def test_what_the_function_raises_comes_back(shared):
    with clusters.ClusterWorkers(shared.address) as pool, pytest.raises(ValueError, match="-1 is negative"):
        list(pool.run(doubling(), [1, -1, 2]))


def test_equal_tasks_are_done_each_time(shared):
    with clusters.ClusterWorkers(shared.address) as pool:
        assert list(pool.run(doubling(), [3, 3, 3])) == [(3, 6)] * 3


def test_nobody_at_the_address_is_an_error(monkeypatch):
    monkeypatch.setattr(clusters, "CONNECT_SECONDS", 0.2)
    with pytest.raises(WorkersError, match=r"no Dask scheduler answers at 'tcp://127\.0\.0\.1:1'"):
        clusters.ClusterWorkers("tcp://127.0.0.1:1")
    with pytest.raises(WorkersError, match="'nonsense'"):
        clusters.ClusterWorkers("nonsense")


def test_no_workers_are_an_error(monkeypatch):
    monkeypatch.setattr(clusters, "WORKERS_SECONDS", 0.2)
    empty = LocalCluster()
    try:
        with pytest.raises(WorkersError, match="no workers"):
            clusters.ClusterWorkers(empty.address)
    finally:
        empty.close()


def test_a_worker_with_other_sources_is_named(shared, monkeypatch):
    real = clusters.sources(clusters.ALL)
    monkeypatch.setattr(clusters, "sources", lambda floors: "0123456789ab")
    with pytest.raises(
        WorkersError,
        match=rf"worker at tcp://.* has Surajang .* \(sources {real}\); this is .*\(sources 0123456789ab\)",
    ):
        clusters.ClusterWorkers(shared.address)


def test_a_worker_that_joins_later_with_other_sources_is_an_error(shared, monkeypatch):
    with clusters.ClusterWorkers(shared.address) as pool:
        monkeypatch.setattr(clusters, "sources", lambda floors: "0123456789ab")
        with pytest.raises(WorkersError, match=r"came from sources 0123456789ab"):
            list(pool.run(doubling(), [1]))


@pytest.mark.parametrize("floor", ["engine", "eval", "search", "protocol", "bench"])
def test_sources_on_any_floor_change_the_fingerprint(tmp_path, monkeypatch, floor):
    for name in machine.ALL:
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.py").write_text("1")
    monkeypatch.setattr(machine, "PACKAGE", tmp_path)
    fingerprint = machine.sources.__wrapped__
    before = fingerprint(machine.ALL)
    assert fingerprint(machine.ALL) == before
    (tmp_path / floor / "a.py").write_text("2")
    assert fingerprint(machine.ALL) != before


@pytest.mark.parametrize("name", ["a.toml", "weights/a.toml", "a.network"])
def test_a_file_that_decides_how_a_game_is_played_changes_the_fingerprint(tmp_path, monkeypatch, name):
    for floor in machine.PLAYING:
        (tmp_path / floor).mkdir()
    file = tmp_path / "engine" / "variants" / name
    file.parent.mkdir(parents=True)
    monkeypatch.setattr(machine, "PACKAGE", tmp_path)
    fingerprint = machine.sources.__wrapped__
    seen = {fingerprint()}
    for content in (b"1", b"2"):
        file.write_bytes(content)
        seen.add(fingerprint())
    assert len(seen) == 3


def test_notes_beside_the_sources_leave_the_fingerprint_as_it_is(tmp_path, monkeypatch):
    for floor in machine.PLAYING:
        (tmp_path / floor).mkdir()
    monkeypatch.setattr(machine, "PACKAGE", tmp_path)
    before = machine.sources.__wrapped__()
    (tmp_path / "engine" / "README.md").write_text("1")
    assert machine.sources.__wrapped__() == before


def play_game(variant="chess", toml=None):
    """A PlayGame for one test."""
    command = f"cmd='{sys.executable} {WALKER} --variant {variant}' proto=uci nodes=1"
    engines = tuple(parse_engine(f"{command} name={name} arg=--seed arg={name}") for name in "ab")
    return PlayGame(f"test {uuid4().hex}", Variant(variant), toml, engines, AdjudicationRules(max_moves=12))


def games(count):
    opening = Opening(load("chess").start_fen)
    return [MatchGame(n, n // 2, n % 2, (n + 1) % 2, opening) for n in range(count)]


def results(pairs):
    """The part of the results that must not depend on where the games were played."""
    records = sorted((record for _, record in pairs), key=lambda record: record.game.number)
    return [(r.game.number, r.score, r.reason, r.fault, [p.move for p in r.plies]) for r in records]


@pytest.fixture(scope="module")
def at_home():
    """The results of 24 games on one machine."""
    with LocalWorkers(1) as pool:
        return results(pool.run(play_game(), games(24)))


def test_games_are_those_of_one_machine(shared, at_home):
    with clusters.ClusterWorkers(shared.address) as pool:
        assert results(pool.run(play_game(), games(24))) == at_home
    assert len({tuple(moves) for *_, moves in at_home}) > 1


def test_engines_stay_between_games_and_are_closed_with_the_match(shared):
    with clusters.ClusterWorkers(shared.address) as pool:
        playing = pool.run(play_game(), games(24))
        next(playing)
        running = [engine for worker in shared.workers for engine in shared.engines(worker)]
        assert 2 <= len(running) <= 4
        for _ in playing:
            pass
    _, alive = psutil.wait_procs(running, SECONDS)
    assert not alive
    assert [engine for worker in shared.workers for engine in shared.engines(worker)] == []


def test_a_match_that_is_stopped_leaves_no_engine(shared):
    with clusters.ClusterWorkers(shared.address) as pool:
        for _ in pool.run(play_game(), games(1000)):
            pool.stop()
    running = [engine for worker in shared.workers for engine in shared.engines(worker)]
    _, alive = psutil.wait_procs(running, SECONDS)
    assert not alive


def test_games_of_a_lost_worker_are_played_again_and_one_that_joins_takes_part(own, at_home):
    own.add_workers(2)
    with clusters.ClusterWorkers(own.address) as pool:
        pool._client.wait_for_workers(2, timeout=SECONDS)
        seen, orphans = [], []
        for number, pair in enumerate(pool.run(play_game(), games(24)), 1):
            seen.append(pair)
            if number == 6:
                orphans = own.engines(own.workers[0])
                own.workers[0].kill()
        assert results(seen) == at_home
    assert orphans
    _, alive = psutil.wait_procs(orphans, SECONDS)
    assert not alive

    with clusters.ClusterWorkers(own.address) as pool:
        playing = pool.run(play_game(), games(400))
        next(playing)
        own.add_workers(1)
        pool._client.wait_for_workers(2, timeout=SECONDS)
        for _ in playing:
            if own.engines(own.workers[2]):
                break
        else:
            pytest.fail("the worker that joined has played no game")
        playing.close()


def test_a_lost_scheduler_is_an_error(own, monkeypatch):
    monkeypatch.setattr(clusters, "CONNECT_SECONDS", 1)
    own.add_workers(1)
    with clusters.ClusterWorkers(own.address) as pool, pytest.raises(WorkersError, match="scheduler"):
        for _ in pool.run(play_game(), games(1000)):
            own.processes[0].kill()


def test_a_task_that_kills_every_worker_is_an_error(own, monkeypatch):
    monkeypatch.setattr(clusters, "LOSSES", 1)
    own.add_workers(2)

    def kill(number):
        os.kill(os.getpid(), 9)

    with clusters.ClusterWorkers(own.address) as pool:
        pool._client.wait_for_workers(2, timeout=SECONDS)
        with pytest.raises(WorkersError, match="lost with its workers"):
            list(pool.run(kill, [1]))


OWN_GAME = 'name = "farchess"\ntitle = "Far chess"\nextends = "chess"\n'


def test_a_game_of_ones_own_travels(shared):
    with clusters.ClusterWorkers(shared.address) as pool:
        found = results(pool.run(play_game("farchess", OWN_GAME), games(2)))
    assert [len(moves) for *_, moves in found] == [24, 24]


def test_the_command_plays_the_same_match_here_and_there(shared, tmp_path):
    (tmp_path / "farchess.toml").write_text(OWN_GAME)
    (tmp_path / "openings.epd").write_text("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n")
    walker = f"cmd='{sys.executable} {WALKER} --variant farchess' proto=uci nodes=1"
    played = []
    for folder, where in (("here", ()), ("there", ("--cluster", shared.address))):
        arguments = ["--variant-file", "farchess.toml", "--openings", "openings.epd", "--games", "6", *where]
        for name in "ab":
            arguments += ["--engine", f"{walker} name={name} arg=--seed arg={name}"]
        arguments += ["--max-moves", "20", "--out", folder]
        command = [sys.executable, "-m", "surajang", "match", *arguments]
        run = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=tmp_path)
        assert run.returncode == 0, run.stderr
        assert run.stdout.count("Finished game") == 6
        lines = map(json.loads, (tmp_path / folder / "games.jsonl").read_text().splitlines())
        played.append(
            sorted((g["game"]["number"], g["score"], [p["move"] for p in g["plies"]]) for g in lines)
        )
    assert played[0] == played[1]
