"""Quiet positions from games of the engine against itself: the games, their file, and the command."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from surajang import Engine, Position
from surajang.bench import data
from surajang.bench.field import LocalField
from surajang.bench.tuning import samples as sampling
from surajang.bench.tuning.samples import DECIDED, Sample, SampleError, SampleFile, SelfPlay, read_samples
from surajang.engine.moves import ACTION_SHIFT, EN_PASSANT
from surajang.search.run import PlayResult, Score

SECONDS = 120  # within which a process that should end must have ended
GAMES = 20
WORK = SelfPlay("crazyhouse", nodes=60, plies=4, seed=7, most_plies=300)
SETTINGS = ("--variant", "crazyhouse", "--nodes", 60, "--plies", 4, "--seed", 7)


# Games


class Script:
    """An engine that plays the moves it was given and says the same score of each, for the mover."""

    def __init__(self, moves, score=Score(30)):  # noqa: B008 - a tuple
        self.moves, self.score, self.nodes = moves.split(), score, []

    def clear(self):
        pass

    def play(self, position, nodes):
        self.nodes.append(nodes)
        move = position.parse_move(self.moves[position.ply])
        return PlayResult(move, self.score, 1, 1, (move,), 0.0)


@dataclass(frozen=True)
class Scripted(SelfPlay):
    """The game that a script plays from a position."""

    engine: object = None
    fen: str | None = None

    def _engine(self):
        return self.engine

    def _opening(self, rng):
        return Position(self.variant, self.fen)


def sampled(moves, variant="chess", fen=None, score=Score(30), most_plies=None):  # noqa: B008
    """The samples of the game with these moves; it ends with them."""
    most_plies = len(moves.split()) if most_plies is None else most_plies
    engine = Script(moves, score)
    return Scripted(variant, 10, 0, 1, most_plies, engine=engine, fen=fen)(0)


FOOLS_MATE = "f2f3 e7e5 g2g4 d8h4"
SCHOLARS_MATE = "e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7"
KNIGHTS = "g1f3 g8f6 f3g1 f6g8 " * 2


@pytest.mark.parametrize(
    "moves, points, count",
    [(FOOLS_MATE, 0.0, 4), (SCHOLARS_MATE, 1.0, 6), (KNIGHTS, 0.5, 8)],
    ids=["Black mates", "White mates", "repetition"],
)
def test_points_are_those_of_the_game_for_white(moves, points, count):
    """The game goes on to its end by rule: the script has no further moves."""
    assert [sample.points for sample in sampled(moves, most_plies=300)] == [points] * count


def test_game_that_does_not_end_is_drawn():
    assert [sample.points for sample in sampled(FOOLS_MATE, most_plies=3)] == [0.5] * 3


def test_scores_are_whites():
    found = sampled("e2e4 e7e5 g1f3 b8c6")
    assert [(sample.fen.split()[1], sample.score) for sample in found] == [("w", 30), ("b", -30)] * 2


def test_samples_are_the_positions_before_the_moves():
    position, fens = Position("chess"), []
    for move in ["e2e4", "e7e5", "g1f3"]:
        fens.append(position.fen())
        position.push(move)
    assert [sample.fen for sample in sampled("e2e4 e7e5 g1f3")] == fens


def test_each_search_has_the_nodes_that_were_asked_for():
    engine = Script("e2e4 e7e5")
    Scripted("chess", 123, 0, 1, 2, engine=engine)(0)
    assert engine.nodes == [123, 123]


QUIET = {
    "a quiet move": ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e3", True),
    "castling": ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", True),
    "a capture": ("4k3/8/8/8/8/3p4/4P3/4K3 w - - 0 1", "e2d3", False),
    "en passant": ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", False),
    "a promotion": ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", False),
    "a check to answer": ("4k3/8/8/8/8/8/8/r5K1 w - - 0 1", "g1g2", False),
}


@pytest.mark.parametrize("what", QUIET)
def test_only_quiet_positions_are_kept(what):
    fen, move, kept = QUIET[what]
    if what == "en passant":
        assert Position("chess", fen).parse_move(move).code >> ACTION_SHIFT == EN_PASSANT
    assert bool(sampled(move, fen=fen)) == kept


def test_drops_are_quiet_and_so_is_a_pass():
    assert sampled("P@e4", "crazyhouse", "4k3/8/8/8/8/8/8/4K3[P] w - - 0 1")
    janggi = Position("janggi")
    while not any(move.is_pass for move in janggi.legal_moves()):
        janggi.push(janggi.legal_moves()[0])
    passing = next(str(move) for move in janggi.legal_moves() if move.is_pass)
    assert sampled(passing, "janggi", janggi.fen())


def test_arrangement_to_choose_is_no_sample():
    fen = Position("janggi").fen().replace(" w - ", " w Ss ")
    choice = Position("janggi", fen).legal_moves()[0]
    assert choice.is_choice
    assert sampled(str(choice), "janggi", fen) == []


@pytest.mark.parametrize(
    "score, kept",
    [(Score(DECIDED), True), (Score(-DECIDED), True), (Score(DECIDED + 1), False), (Score(90, 3), False)],
)
def test_decided_positions_are_left_out(score, kept):
    assert bool(sampled("e2e4", score=score)) == kept


def elsewhere(function, *arguments):
    """The result in a thread of its own, which begins with an engine of its own."""
    results = []
    thread = threading.Thread(target=lambda: results.append(function(*arguments)))
    thread.start()
    thread.join()
    return results[0]


@pytest.fixture(scope="module")
def games():
    """The samples of all games, played one after the other."""
    return [WORK(number) for number in range(GAMES)]


def test_game_is_the_same_whatever_was_played_before(games):
    assert elsewhere(WORK, 5) == games[5]
    assert elsewhere(lambda: [WORK(number) for number in (9, 3)]) == [games[9], games[3]]
    assert sum(map(len, games)) > 10 * GAMES


@pytest.mark.parametrize("change", [{"seed": 8}, {"nodes": 90}, {"plies": 5}])
def test_other_settings_give_other_games(games, change):
    settings = {"nodes": WORK.nodes, "plies": WORK.plies, "seed": WORK.seed} | change
    assert SelfPlay("crazyhouse", **settings)(0) != games[0]


def test_games_differ(games):
    assert len({game[0].fen for game in games if game}) > GAMES * 0.9
    assert {sample.points for game in games for sample in game} >= {0.0, 1.0}


def test_samples_are_what_the_engine_said_of_quiet_positions(games, monkeypatch):
    said = {}

    class Witness(Engine):
        def play(self, position, **limits):
            played = super().play(position, **limits)
            said[position.fen()] = (position.copy(), played)
            return played

    monkeypatch.setattr(SelfPlay, "_engine", lambda self: Witness("crazyhouse", hash_mb=16))
    found = WORK(2)
    assert found == games[2]
    for sample in found:
        position, played = said[sample.fen]
        assert not position.is_check()
        assert not played.move.is_promotion
        assert played.move.is_drop or position.piece_at(played.move.to_square) is None
        assert sample.score == (-1) ** position.turn * played.score.centipawns
        assert played.score.mate is None
    assert 0 < len(found) < len(said)


def test_opening_has_as_many_random_moves_as_asked_or_one_more():
    plies = {WORK._opening(np.random.default_rng(seed)).ply for seed in range(20)}
    assert plies == {WORK.plies, WORK.plies + 1}


def test_openings_that_always_end_the_game_are_an_error(monkeypatch):
    monkeypatch.setattr(sampling, "OPENING_TRIES", 2)
    monkeypatch.setattr(Position, "result", lambda self: "over")
    with pytest.raises(SampleError, match=r"400 random moves of 'chess' end the game every time"):
        SelfPlay("chess", 10, 400, 1)(0)


def test_game_by_the_name_of_another_is_refused(monkeypatch, tmp_path):
    monkeypatch.setenv("SURAJANG_VARIANT_PATH", "")
    monkeypatch.setattr(sampling, "_known", {})
    text = 'name = "farchess"\ntitle = "Far chess"\nextends = "chess"\n'
    SelfPlay("farchess", 10, 0, 1, toml=text)._make_known()
    SelfPlay("farchess", 99, 0, 1, toml=text)._make_known()
    with pytest.raises(SampleError, match="another game with the name 'farchess'"):
        SelfPlay("farchess", 10, 0, 1, toml=text + "[castling]\n")._make_known()


# The file


def some(game, count):
    return [Sample(f"fen {game} {n}", 10 * n - 5, (0.0, 0.5, 1.0)[game % 3]) for n in range(count)]


SMALL = [some(game, game % 3) for game in range(12)]


def written(path, games, work=WORK):
    with SampleFile(path, work) as file:
        for number, found in enumerate(games):
            file.add(number, found)
    return path.read_bytes()


def test_file_holds_settings_and_samples_game_by_game(tmp_path):
    assert written(tmp_path / "a", [some(0, 2), [], some(2, 1)]).decode().splitlines() == [
        "# crazyhouse, 60 nodes, 4 plies, seed 7",
        "fen 0 0 ; -5 ; 0",
        "fen 0 1 ; 5 ; 0",
        "# end of game 0",
        "# end of game 1",
        "fen 2 0 ; -5 ; 1",
        "# end of game 2",
    ]


def test_written_samples_are_read_again(tmp_path, games):
    written(tmp_path / "a", games)
    found = read_samples(tmp_path / "a", "crazyhouse")
    assert found == [sample for game in games for sample in game]
    lines = (tmp_path / "a").read_text().splitlines()
    for sample in (found[0], found[-1]):
        number = int(re.fullmatch(rf"{tmp_path}/a, line (\d+)", sample.where)[1])
        assert lines[number - 1] == str(sample)


def test_games_that_end_out_of_order_are_kept_in_order(tmp_path):
    with SampleFile(tmp_path / "b", WORK) as file:
        for number in (3, 1, 0, 2, 11, 10, 9, 4, 5, 8, 7, 6):
            file.add(number, SMALL[number])
        assert file.games == 12
        assert file.added == sum(map(len, SMALL))
    assert (tmp_path / "b").read_bytes() == written(tmp_path / "a", SMALL)


def test_game_is_on_disk_as_soon_as_those_before_it_are(tmp_path):
    with SampleFile(tmp_path / "a", WORK) as file:
        file.add(1, SMALL[1])
        assert (tmp_path / "a").read_text().count("end of game") == 0
        file.add(0, SMALL[0])
        assert (tmp_path / "a").read_text().count("end of game") == 2


def test_file_that_was_cut_anywhere_is_gone_on_with(tmp_path):
    whole = written(tmp_path / "whole", SMALL)
    path = tmp_path / "cut"
    for end in range(len(whole) + 1):
        path.write_bytes(whole[:end])
        with SampleFile(path, WORK) as file:
            assert file.games == whole[:end].count(b"# end of game") - (
                whole[:end].rpartition(b"\n")[2].startswith(b"# end of game")
            )
            first = file.games
            for number in range(first, 12):
                file.add(number, SMALL[number])
            assert file.added == sum(map(len, SMALL[first:]))
        assert path.read_bytes() == whole, end


def test_file_of_other_settings_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "a"
    before = written(path, SMALL)
    for change in ({"variant": "chess"}, {"nodes": 61}, {"plies": 5}, {"seed": 70}):
        other = SelfPlay(**{"variant": "crazyhouse", "nodes": 60, "plies": 4, "seed": 7} | change)
        with pytest.raises(SampleError) as error:
            SampleFile(path, other)
        wanted = f"{other.variant}, {other.nodes} nodes, {other.plies} plies, seed {other.seed}"
        assert str(error.value) == (
            f"{path}: the file is of 'crazyhouse, 60 nodes, 4 plies, seed 7', not of '{wanted}'"
        )
        assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"hello\n", b"\xff\xfe\x00" * 400, b"x" * 500])
def test_file_that_is_something_else_is_refused_and_left_alone(tmp_path, content):
    path = tmp_path / "a"
    path.write_bytes(content)
    with pytest.raises(SampleError, match="the file is of ") as error:
        SampleFile(path, WORK)
    assert len(str(error.value)) < 400
    assert path.read_bytes() == content


def test_file_with_a_gap_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "a"
    gap = written(path, SMALL).replace(b"# end of game 4\n", b"")
    path.write_bytes(gap)
    with pytest.raises(SampleError, match=r"a, line \d+: 'end of game 5' where 'end of game 4' should be"):
        SampleFile(path, WORK)
    assert path.read_bytes() == gap


def test_two_cannot_write_to_a_file_at_once(tmp_path):
    path = tmp_path / "a"
    with SampleFile(path, WORK), pytest.raises(SampleError, match="another process is adding to this file"):
        SampleFile(path, WORK)
    SampleFile(path, WORK).__exit__()


@pytest.mark.parametrize(
    "line, quoted",
    [
        ("8/8 w - - ; 5", "is no 'FEN ; score ; points'"),
        ("8/8 w - - ; five ; 1", "is no 'FEN ; score ; points'"),
        ("8/8 w - - ; 5 ; won", "is no 'FEN ; score ; points'"),
        ("", "is no 'FEN ; score ; points'"),
        ("8/8 w - - ; 5 ; 2", "not between 0 and 1"),
        ("8/8 w - - ; 5 ; nan", "not between 0 and 1"),
    ],
)
def test_corrupt_line_is_refused_with_its_file_and_number(tmp_path, line, quoted):
    path = tmp_path / "a.samples"
    path.write_text(f"# a remark\n8/8 w - - ; 5 ; 1\n{line}\n8/8 w - - ; 5 ; 1\n")
    with pytest.raises(SampleError) as error:
        read_samples(path, "chess")
    assert str(error.value).startswith(f"{path}, line 3: {line!r}")
    assert quoted in str(error.value)


def test_line_that_was_broken_off_is_refused(tmp_path):
    """Half of it may look like a whole one: a draw cut to 0 points."""
    path = tmp_path / "a"
    path.write_text("8/8 w - - ; 5 ; 0")
    with pytest.raises(SampleError, match=r"a, line 1: '8/8 w - - ; 5 ; 0' is broken off"):
        read_samples(path, "chess")


@pytest.mark.parametrize("content", ["", "# chess, 60 nodes, 4 plies, seed 7\n# end of game 0\n"])
def test_file_without_positions_is_named(tmp_path, content):
    path = tmp_path / "empty"
    path.write_text(content)
    with pytest.raises(SampleError, match="empty: there are no positions in it"):
        read_samples(path, "chess")
    with pytest.raises(SampleError, match="none: cannot be read: No such file"):
        read_samples(tmp_path / "none", "chess")


def test_positions_of_another_game_are_refused(tmp_path, games):
    written(tmp_path / "a", games[:2])
    with pytest.raises(SampleError, match=r"a: the positions are of 'crazyhouse', not of 'chess'"):
        read_samples(tmp_path / "a", "chess")


# The command


@pytest.fixture(scope="module")
def whole(games, tmp_path_factory):
    """What the file of all games must be, to the byte."""
    return written(tmp_path_factory.mktemp("whole") / "a", games)


def command(path, games, *more):
    words = ("bench", "data", *SETTINGS, "--games", games, "--out", path, *more)
    return [sys.executable, "-m", "surajang", *map(str, words)]


def run(path, games, *more):
    """Runs the command to its end, which has to be a good one; returns what it prints."""
    done = subprocess.run(command(path, games, *more), capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def ended(path):
    """The number of games in a file."""
    return path.read_bytes().count(b"# end of game") if path.exists() else 0


@pytest.mark.parametrize("concurrency", [1, 2])
def test_processes_play_the_games(tmp_path, whole, concurrency):
    path = tmp_path / "a"
    told = run(path, GAMES, "--concurrency", concurrency)
    assert path.read_bytes() == whole
    count = len(read_samples(path, "crazyhouse"))
    assert told == f"{count:,} positions added to {path}\n"


@pytest.fixture
def endless(tmp_path):
    """The command in the midst of more games than it will ever play, as a process group of its own."""
    process = subprocess.Popen(
        command(tmp_path / "a", 100_000, "--concurrency", 2),
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        until = time.monotonic() + SECONDS
        while ended(tmp_path / "a") < 2:
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < until
            time.sleep(0.01)
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_command_that_was_ended_leaves_a_file_that_is_gone_on_with(tmp_path, whole, endless, number):
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
    if ended(path) < GAMES:
        run(path, GAMES)
        assert path.read_bytes() == whole


def test_file_that_is_whole_needs_no_games(tmp_path, whole, monkeypatch):
    path = tmp_path / "a"
    path.write_bytes(whole)
    monkeypatch.setattr(data, "compile_with_bar", lambda variant: pytest.fail("nothing is to be played"))
    done = CliRunner().invoke(data.main, [*map(str, SETTINGS), "--games", "3", "--out", str(path)])
    assert done.exit_code == 0, done.output
    assert "0 positions added" in done.stdout
    assert path.read_bytes() == whole


def test_cluster_that_loses_a_worker_writes_the_same_file(tmp_path, whole, monkeypatch):
    pytest.importorskip("distributed")
    pytest.importorskip("psutil")
    from surajang.bench.cluster import ClusterField
    from surajang.tests.test_match_cluster import LocalCluster

    def add(file, number, samples):
        if not lost:
            lost.append(cluster.workers[0])
            cluster.workers[0].kill()
        return keep(file, number, samples)

    path, cluster, lost, keep = tmp_path / "a", LocalCluster(), [], SampleFile.add
    monkeypatch.setattr(SampleFile, "add", add)
    try:
        cluster.add_workers(2)
        with ClusterField(cluster.address) as field:
            field._client.wait_for_workers(2, timeout=SECONDS)
        words = [*map(str, SETTINGS), "--games", str(GAMES), "--cluster", cluster.address, "--out", str(path)]
        done = CliRunner().invoke(data.main, words)
        assert cluster.workers[0].wait(SECONDS) == -signal.SIGKILL
    finally:
        cluster.close()
    assert done.exit_code == 0, done.output
    assert path.read_bytes() == whole
    assert "positions added" in done.stdout


def test_killed_process_is_told_in_a_sentence(tmp_path, monkeypatch):
    def broken(self, function, tasks):
        raise BrokenProcessPool("a child process terminated abruptly")
        yield

    monkeypatch.setattr(LocalField, "run", broken)
    done = CliRunner().invoke(data.main, [*map(str, SETTINGS), "--out", str(tmp_path / "a")])
    assert done.exit_code == 1
    assert "a process that played games was killed" in done.output


@pytest.mark.parametrize(
    "arguments, quoted",
    [
        (("--variant", "crazyhose"), "did you mean 'crazyhouse'?"),
        (("--nodes", "0"), "0"),
        (("--seed", "-1"), "-1"),
        (("--games", "no"), "no"),
        (("--nodes", "61"), "the file is of 'crazyhouse, 60 nodes, 4 plies, seed 7', not of"),
    ],
)
def test_wrong_input_is_quoted(tmp_path, whole, arguments, quoted):
    path = tmp_path / "a"
    path.write_bytes(whole)
    done = CliRunner(env={"COLUMNS": "300"}).invoke(
        data.main, [*map(str, SETTINGS), "--out", str(path), *arguments]
    )
    assert done.exit_code == 2
    assert quoted in done.output
    assert path.read_bytes() == whole


def test_file_that_cannot_be_written_is_told_before_anything_is_compiled(tmp_path, monkeypatch):
    monkeypatch.setattr(data, "compile_with_bar", lambda variant: pytest.fail("too late"))
    for path, reason in ((tmp_path / "none" / "a", "No such file"), (Path(os.devnull) / "a", "Not a dir")):
        done = CliRunner().invoke(data.main, [*map(str, SETTINGS), "--out", str(path)])
        assert done.exit_code == 2
        assert f"{path}: cannot be written: {reason}" in done.output


def test_cluster_that_does_not_answer_is_told(tmp_path, monkeypatch):
    clusters = pytest.importorskip("surajang.bench.cluster")
    pytest.importorskip("distributed")
    monkeypatch.setattr(clusters, "CONNECT_SECONDS", 0.2)
    words = [*map(str, SETTINGS), "--out", str(tmp_path / "a"), "--cluster", "tcp://127.0.0.1:1"]
    done = CliRunner().invoke(data.main, words)
    assert done.exit_code == 1
    assert "no Dask scheduler answers at 'tcp://127.0.0.1:1'" in done.output
