"""`surajang bench data`: the players of the games, the end of the command, and the views of a file."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from surajang import Position
from surajang.engine.game.moves import spell
from surajang.engine.variant import Variant
from surajang.eval.network.file import random_network, save_network
from surajang.learn.self_play import data_command as data
from surajang.learn.self_play import generator
from surajang.learn.self_play.compiled_games import MATED, NO_SCORE, TOO_LONG, SelfPlayedGame, Settings
from surajang.learn.self_play.game_player import StoppedError
from surajang.learn.self_play.games_file import (
    GamesError,
    GamesFile,
    GamesReader,
    Header,
    encode,
    evaluation_digest,
)
from surajang.learn.self_play.generator import BATCH_SECONDS, MAX_BATCH, Batches, PlayGames
from surajang.learn.self_play.positions import read_positions
from surajang.learn.self_play.statistics import Statistics, collect
from surajang.match.workers.pool import LocalWorkers
from surajang.protocol.terminal.options import register_file
from surajang.tests.support.self_played import write_games, write_self_play

pytestmark = pytest.mark.process

SECONDS = 120  # within which a process that should end must have ended
GAMES = 20
LIMITS = Settings(nodes=60, plies=4, seed=7)
SETTINGS = ("--variant", "crazyhouse", "--nodes", 60, "--plies", 4, "--seed", 7)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The expected file of all games, byte for byte."""
    return write_self_play(tmp_path_factory.mktemp("whole") / "a", GAMES, LIMITS).read_bytes()


def games_in(path):
    with GamesReader(path) as reader:
        return list(reader.games())


def command(path, games, *more):
    words = ("bench", "data", *SETTINGS, "--games", games, "--out", path, *more)
    return [sys.executable, "-m", "surajang", *map(str, words)]


def invoke(*words):
    return CliRunner(env={"COLUMNS": "300"}).invoke(data.main, [*map(str, words)])


def told(*words):
    """The output of a command that must succeed."""
    done = invoke(*words)
    assert done.exit_code == 0, done.output
    return done.stdout


# Who plays


def test_processes_play_the_games(tmp_path, whole):
    path = tmp_path / "a"
    done = subprocess.run(
        command(path, GAMES, "--concurrency", 2), capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    printed = done.stdout
    assert path.read_bytes() == whole
    count = sum(len(batch.plies) for batch in read_positions(path, Variant("crazyhouse")))
    assert printed == f"{GAMES} games with {count:,} quiet positions added to {path}\n"


def test_command_says_who_plays(tmp_path):
    network = random_network(Variant("minishogi"), 16, seed=1)
    save_network(tmp_path / "n.network", network)
    by_network = f"the network {evaluation_digest(Variant('minishogi'), network)}"
    words = ("--variant", "minishogi", "--games", 1, "--nodes", 60, "--plies", 4)
    for name, more, player in (
        ("a", (), "the hand-written evaluation"),
        ("b", ("--eval-file", tmp_path / "n.network"), by_network),
    ):
        done = invoke(*words, *more, "--out", tmp_path / name)
        assert done.exit_code == 0, done.output
        assert f"minishogi: games by {player}\n" in done.stderr
        assert f"by {player})" in told("stats", tmp_path / name)


def test_positions_end_the_games_and_more_can_be_added(tmp_path, whole):
    """The file with that many positions begins like the one with that many games, and ends as soon as
    possible."""
    path, counts = tmp_path / "a", []
    for wanted in (1, 100, 100, 250):
        words = ("--variant", "crazyhouse", "--nodes", 60, "--plies", 4, "--seed", 7, "--positions", wanted)
        told(*words, "--out", path)
        kept = path.read_bytes()
        assert whole.startswith(kept)
        found = np.concatenate([batch.games for batch in read_positions(path, Variant("crazyhouse"))])
        assert len(found) >= wanted
        assert np.count_nonzero(found < len(games_in(path)) - 1) < wanted
        counts.append(len(kept))
    assert counts[1] == counts[2]
    assert counts[0] < counts[1] < counts[3]


def test_batches_take_about_as_long_as_they_should():
    batches = Batches(5, 100_000)
    sizes, place = [], 5
    for first, count in batches:
        assert first == place
        place += count
        sizes.append(count)
        batches.learn(count, count * BATCH_SECONDS / 50)
    assert sizes[:4] == [1, 4, 16, 50]
    assert sum(sizes) == 100_000 - 5
    batches.learn(MAX_BATCH, 1e-9)
    assert batches._size == MAX_BATCH
    batches.learn(1, 10**6)
    assert batches._size == 1


def test_work_that_is_closed_ends_its_games():
    work = PlayGames(Header.of(Variant("crazyhouse"), LIMITS._replace(nodes=10**9)))
    raised = []

    def play():
        try:
            work((0, 1))
        except StoppedError as error:
            raised.append(error)

    thread = threading.Thread(target=play)
    thread.start()
    while not generator._players._tools:
        time.sleep(0.01)
    time.sleep(0.1)
    work.close()
    thread.join(SECONDS)
    assert len(raised) == 1


def test_threads_play_games_of_their_own():
    work, results = PlayGames(Header.of(Variant("crazyhouse"), LIMITS)), {}
    threads = [
        threading.Thread(target=lambda n=number: results.update({n: work((n, 2))[0]})) for number in (0, 3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {number: work((number, 2))[0] for number in (0, 3)}
    work.close()
    assert generator._players.take(work) == []


def test_worker_with_another_evaluation_is_refused():
    work = PlayGames(Header.of(Variant("crazyhouse"), LIMITS)._replace(evaluation="0123"))
    with pytest.raises(GamesError, match=r"'crazyhouse' with other numbers of the evaluation .* here 0123"):
        work((0, 1))


def test_openings_that_are_never_level_are_reported():
    work = PlayGames(Header.of(Variant("crazyhouse"), LIMITS._replace(balance=-1)))
    with pytest.raises(GamesError, match="try fewer random moves, --plies"):
        work((0, 1))


def test_game_by_the_name_of_another_is_refused(monkeypatch):
    monkeypatch.setenv("SURAJANG_VARIANT_PATH", "")
    monkeypatch.setattr(generator, "_known", {})
    text = 'name = "farchess"\ntitle = "Far chess"\nextends = "chess"\n'
    generator.register_game(Variant("farchess"), text)
    generator.register_game(Variant("farchess"), text)
    with pytest.raises(GamesError, match="another game with the name 'farchess'"):
        generator.register_game(Variant("farchess"), text + "[castling]\n")


# What ends the command


@pytest.fixture
def endless(tmp_path):
    """The command during more games than it will ever finish, as a process group of its own."""
    process = subprocess.Popen(
        command(tmp_path / "a", 10_000_000, "--concurrency", 2),
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        until = time.monotonic() + SECONDS
        while not (tmp_path / "a").exists() or (tmp_path / "a").stat().st_size < 2000:
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < until
            time.sleep(0.01)
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_interrupted_command_leaves_a_file_that_can_be_continued(tmp_path, whole, endless, number):
    psutil = pytest.importorskip("psutil")
    path, children = tmp_path / "a", psutil.Process(endless.pid).children(recursive=True)
    if number == signal.SIGINT:
        os.killpg(endless.pid, number)  # as a terminal sends it: to the children, too
    else:
        endless.send_signal(number)
    assert endless.wait(SECONDS) == (130 if number != signal.SIGKILL else -signal.SIGKILL)
    _, alive = psutil.wait_procs(children, SECONDS)
    assert not alive
    assert number == signal.SIGKILL or "Traceback" not in endless.stderr.read()
    kept = path.read_bytes()
    assert kept[: len(whole)] == whole[: len(kept)]
    if len(kept) < len(whole):
        told(*SETTINGS, "--games", GAMES, "--out", path, "--concurrency", 1)
        assert path.read_bytes() == whole


def test_file_that_is_whole_needs_no_games(tmp_path, whole, monkeypatch):
    path = tmp_path / "a"
    path.write_bytes(whole)
    monkeypatch.setattr(generator, "compiled_with_bar", lambda *_: pytest.fail("nothing is to be played"))
    assert "0 games with 0 quiet positions added" in told(*SETTINGS, "--games", 3, "--out", path)
    assert path.read_bytes() == whole


def test_cluster_that_loses_a_worker_writes_the_same_file(tmp_path, whole, monkeypatch):
    pytest.importorskip("distributed")
    pytest.importorskip("psutil")
    from surajang.match.workers.dask_cluster import ClusterWorkers
    from surajang.tests.support.local_cluster import LocalCluster

    def add(file, *more):
        if not lost:
            lost.append(cluster.workers[0])
            cluster.workers[0].kill()
        return keep(file, *more)

    path, cluster, lost, keep = tmp_path / "a", LocalCluster(), [], GamesFile.add
    monkeypatch.setattr(GamesFile, "add", add)
    try:
        cluster.add_workers(2)
        with ClusterWorkers(cluster.address) as pool:
            pool._client.wait_for_workers(2, timeout=SECONDS)
        done = invoke(*SETTINGS, "--games", GAMES, "--cluster", cluster.address, "--out", path)
        assert cluster.workers[0].wait(SECONDS) == -signal.SIGKILL
    finally:
        cluster.close()
    assert done.exit_code == 0, done.output
    assert path.read_bytes() == whole


def test_killed_process_is_reported_in_a_sentence(tmp_path, monkeypatch):
    def broken(self, function, tasks):
        raise BrokenProcessPool("a child process terminated abruptly")
        yield

    monkeypatch.setattr(LocalWorkers, "run", broken)
    done = invoke(*SETTINGS, "--out", tmp_path / "a")
    assert done.exit_code == 1
    assert "a process that played games was killed" in done.output


@pytest.mark.parametrize(
    "arguments, quoted",
    [
        (("--variant", "crazyhose"), "did you mean 'crazyhouse'?"),
        (("--nodes", "0"), "0"),
        (("--depth", "3"), "--nodes and --depth both limit a search"),
        (("--seed", "-1"), "-1"),
        (("--games", "no"), "no"),
        (("--nodes", "61"), "the games in it were played with nodes 60, not 61"),
    ],
)
def test_wrong_input_is_quoted(tmp_path, whole, arguments, quoted):
    path = tmp_path / "a"
    path.write_bytes(whole)
    done = invoke(*SETTINGS, "--out", path, *arguments)
    assert done.exit_code == 2
    assert quoted in done.output
    assert path.read_bytes() == whole


def test_file_that_cannot_be_written_is_reported_before_anything_is_compiled(tmp_path, monkeypatch):
    monkeypatch.setattr(generator, "compiled_with_bar", lambda *_: pytest.fail("too late"))
    for path, reason in (
        (tmp_path / "none" / "a", "there is no folder"),
        (Path(os.devnull) / "a", "there is no folder"),
    ):
        done = invoke(*SETTINGS, "--out", path)
        assert done.exit_code == 2
        assert f"{str(path)!r} cannot be written: {reason}" in done.output


def test_cluster_that_does_not_answer_is_reported(tmp_path, monkeypatch):
    clusters = pytest.importorskip("surajang.match.workers.dask_cluster")
    pytest.importorskip("distributed")
    monkeypatch.setattr(clusters, "CONNECT_SECONDS", 0.2)
    done = invoke(*SETTINGS, "--out", tmp_path / "a", "--cluster", "tcp://127.0.0.1:1")
    assert done.exit_code == 1
    assert "no Dask scheduler answers at 'tcp://127.0.0.1:1'" in done.output


# What is in a file


@pytest.fixture
def path(tmp_path, whole):
    (tmp_path / "a").write_bytes(whole)
    return tmp_path / "a"


def test_game_is_shown_ply_by_ply(path):
    game, position = games_in(path)[3], Position("crazyhouse")
    lines = told("show", path, "--game", 3).splitlines()
    assert lines[0].startswith("Crazyhouse, game 3: ")
    assert len(lines) == len(game.moves) + 2
    for ply, code in enumerate(game.moves):
        move = spell(int(code), position.description)
        score = "-" if game.scores[ply] == NO_SCORE else f"{game.scores[ply]:+}"
        assert lines[1 + ply].split(maxsplit=3) == [str(ply), str(move), score, position.fen()]
        position.push(move)
    assert position.fen() in lines[-1]
    assert told("show", path).splitlines()[0].startswith("Crazyhouse, game 0: ")


def test_positions_are_shown_by_their_number(path):
    batch = next(read_positions(path, Variant("crazyhouse")))
    games = games_in(path)
    everything = told("show", path, "--positions", f"0-{len(batch.plies) - 1}").splitlines()
    assert len(everything) == len(batch.plies)
    for index in (0, 7, len(batch.plies) - 1):
        game, position = games[batch.games[index]], Position("crazyhouse")
        for code in game.moves[: batch.plies[index]]:
            position.push(spell(int(code), position.description))
        points = {1: "1", 0: "0.5", -1: "0"}[game.result]
        line = f"{position.fen()} ; {batch.scores[index]} ; {points}"
        assert everything[index] == line
        assert told("show", path, "--positions", index) == f"{line}\n"


@pytest.mark.parametrize(
    "words, quoted",
    [
        (("show", "{}", "--game", GAMES), f"there is no game {GAMES}: the file has {GAMES} games, from 0"),
        (("show", "{}", "--positions", "9999-10000"), "there is no position 9999: the file has "),
        (("show", "{}", "--positions", "7-3"), "'7-3' is not a number like 7 or a range like 0-99"),
        (("show", "{}", "--game", 0, "--positions", "7"), "--game or --positions, not both"),
        (("show", "{}", "--positions", "x"), "'x' is not a number like 7"),
        (("show", "{}.none"), "does not exist"),
        (("stats", "{}", "--plot", "a.xyz"), "plots are written as .png, .svg, .pdf, not as 'a.xyz'"),
    ],
)
def test_missing_file_is_reported(path, words, quoted):
    done = invoke(*(str(word).format(path) for word in words))
    assert done.exit_code == 2
    assert quoted in done.output


@pytest.mark.parametrize("name", ["show", "stats"])
def test_file_of_something_else_is_reported(tmp_path, name):
    (tmp_path / "a").write_text("hello")
    done = invoke(name, tmp_path / "a")
    assert done.exit_code == 2
    assert "this is not a file of games: it begins with 'hello'" in done.output


def test_damage_is_reported_where_it_is(path, whole):
    path.write_bytes(whole[:-100] + b"x" + whole[-99:])
    for name in ("show", "stats"):
        done = invoke(name, path, *(("--game", GAMES - 1) if name == "show" else ()))
        assert done.exit_code == 2
        assert f"game {GAMES - 1}, which begins at byte" in done.output


def test_game_of_ones_own_is_shown_with_its_file(tmp_path, monkeypatch):
    monkeypatch.delenv("SURAJANG_VARIANT_FILE", raising=False)
    toml, path = tmp_path / "farchess.toml", tmp_path / "a"
    toml.write_text('name = "farchess"\ntitle = "Far chess"\nextends = "chess"\n', encoding="utf-8")
    register_file(toml)
    write_games(path, [made(0, MATE, [0] * 5, 1, MATED)], Header.of(Variant("farchess"), LIMITS))
    assert told("show", "--variant-file", toml, path).startswith("Far chess, game 0: 1-0 by mate")
    assert "Far chess, 1 games" in told("stats", "--variant-file", toml, path)
    toml.write_text(toml.read_text() + '[end]\nstalemate = "loss"\n', encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "surajang", "bench", "data", "stats", "--variant-file", toml, path],
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 2
    assert "by other rules" in done.stderr
    done = subprocess.run(
        [sys.executable, "-m", "surajang", "bench", "data", "stats", path],
        env={name: value for name, value in os.environ.items() if name != "SURAJANG_VARIANT_FILE"},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 2
    assert "'farchess'" in done.stderr and "--variant-file" in done.stderr


# A mate, and a game that is broken off after three moves.
MATE = "e2e4 e7e5 d1h5 e8e7 h5e5"
SHORT = "g1f3 g8f6 e2e4"


def made(number, moves, scores, result, ending):
    position = Position("chess")
    codes = np.array([position.push(move).code for move in moves.split()], np.uint32)
    return SelfPlayedGame(number, codes, np.array(scores, np.int16), 0, result, ending)


@pytest.fixture
def known(tmp_path):
    """A file of two games that were played by hand."""
    path = tmp_path / "known"
    games = [
        made(0, MATE, [100, -300, 100, -300, 32_000 - 1], 1, MATED),
        made(1, SHORT, [NO_SCORE, 0, 0], 0, TOO_LONG),
        made(2, SHORT, [50, 0, NO_SCORE], 0, TOO_LONG),
    ]
    write_games(path, games, Header.of(Variant("chess"), LIMITS))
    return path


def test_statistics_of_games_made_by_hand(known):
    """Of 11 moves 9 were searched; mate and capture are not quiet; one position occurs twice."""
    found = collect(known)
    assert isinstance(found, Statistics)
    assert (found.variant, found.plies.tolist(), found.searched) == ("chess", [5, 3, 3], 9)
    assert (found.results, found.endings) == (Counter({0: 2, 1: 1}), Counter({TOO_LONG: 2, MATED: 1}))
    assert found.scores.tolist() == [100, -300, 100, -300, 0, 0, 50, 0]
    assert found.points.tolist() == [1, 1, 1, 1, 0.5, 0.5, 0.5, 0.5]
    assert found.pieces.tolist() == [32] * 8
    assert found.hands.tolist() == [0] * 8
    assert found.doubles == 2  # the start, and the one after 1. Nf3
    assert (found.pieces_at_start, found.torn, found.size) == (32, 0, known.stat().st_size)
    middles, counts, points = found.by_score()
    assert (middles.tolist(), counts.tolist(), points.tolist()) == ([-250, 0], [2, 6], [1.0, 4 / 6])
    assert [tuple(map(int, phase)) for phase in found.by_phase()][-1] == (29, 32, 8)
    assert sum(count for *_, count in found.by_phase()) == 8


def test_statistics_are_reported_as_tables(known):
    text = told("stats", known)
    lines = [re.split(r" *[│┃] *", line)[1:-1] for line in text.splitlines()]
    rows = {cells[0]: cells[1:] for cells in lines if cells}
    assert rows["White wins"] == ["1", "33.3 %"]
    assert rows["drawn"] == ["2", "66.7 %"]
    assert rows["by mate"] == ["1", "33.3 %"]
    assert rows["shortest, longest"][0] == "3, 5"
    assert rows["share of searched positions"] == ["8", "88.9 %"]
    assert rows["doubles"] == ["2", "25.0 %"]
    assert rows["29 to 32 pieces on the board"] == ["8", "100.0 %"]
    assert rows["-250"] == ["2", "25.0 %", "1.00"]
    assert "Chess, 3 games (60 nodes, 4 random plies, seed 7, by the hand-written evaluation)" in text


def test_torn_game_is_counted_in_bytes(known):
    known.write_bytes(known.read_bytes()[:-5])
    found = collect(known)
    assert len(found.plies) == 2
    assert found.torn == len(encode(made(2, SHORT, [0, 0, 0], 0, TOO_LONG))) - 5
    assert "bytes of an incomplete game at the end" in told("stats", known)


def test_file_without_games_has_statistics(tmp_path):
    with GamesFile(tmp_path / "a", Header.of(Variant("chess"), LIMITS)):
        pass
    assert "0 games" in told("stats", tmp_path / "a")


def test_statistics_are_drawn(known, tmp_path):
    pytest.importorskip("matplotlib")
    told("stats", known, "--plot", tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
