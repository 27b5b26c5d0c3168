"""`surajang bench train`: what it writes, what it refuses, and that a killed run goes on."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from surajang.eval.network.file import load_network, random_network, save_network
from surajang.eval.terms.weights import NORMAL_SCALE
from surajang.learn.self_play.compiled_games import Settings
from surajang.learn.training import train_command
from surajang.learn.training.score_units import player_units, units_of
from surajang.learn.training.train_command import default_weight_decay, main
from surajang.learn.training.training_set import fitted_scale, read_training_set
from surajang.tests.support.self_played import write_training_games

pytestmark = pytest.mark.process

SETTINGS = Settings(nodes=20, plies=6, seed=3, most_plies=60)
SECONDS = 180  # within which a process must have come so far


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    return write_training_games(tmp_path_factory.mktemp("games") / "g.games", 60, SETTINGS)


def run(*words):
    return CliRunner().invoke(main, [str(word) for word in ("--variant", "crazyhouse", *words)])


def test_network_curves_and_picture_are_written(games, tmp_path):
    out, picture = tmp_path / "n.network", tmp_path / "n.png"
    result = run(
        "--data", games, "--out", out, "--hidden", 16, "--epochs", 2, "--lambda", 0.6, "--plot", picture
    )
    assert result.exit_code == 0, result.output
    network = load_network(out, "crazyhouse")
    told = network.certificate
    assert network.hidden == 16 and told["lambda"] == 0.6 and told["epochs_made"] == 2
    assert told["data"][0]["file"] == "g.games" and told["data"][0]["games"] >= 60
    assert told["data"][0]["seed"] == 3 and told["data"][0]["nodes"] == 20
    assert told["data"][0]["player"] == "the hand-written evaluation"
    assert told["positions"] + told["held_out"] == told["data"][0]["positions"]
    assert 0 < told["rounding"]["mean"] < told["rounding"]["most"]
    curves = [json.loads(line) for line in (tmp_path / "n.network.jsonl").read_text().splitlines()]
    assert [epoch["epoch"] for epoch in curves] == [1, 2]
    assert told["held_out_loss"] == min(epoch["held_out"] for epoch in curves)
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert not list(tmp_path.glob("*.checkpoint"))


def test_network_counts_in_centipawns_that_foretell_results_whatever_scale_it_learnt_by(games, tmp_path):
    found = read_training_set([games], "crazyhouse", 0.0, 250.0)
    fitted = min(2000, fitted_scale(found.scores, found.results))
    for scale in (700, 300):
        out, words = tmp_path / f"{scale}.network", ("--scale", scale)
        result = run("--data", games, "--out", out, "--hidden", 16, "--epochs", 1, *words)
        assert result.exit_code == 0, result.output
        network = load_network(out, "crazyhouse")
        assert network.certificate["scale"] == scale and network.certificate["units"] == network.scale
        assert network.scale == pytest.approx(units_of(fitted, "crazyhouse"), rel=0.02)


@pytest.mark.parametrize(("game", "times"), [("crazyhouse", 2), ("placement", 1.2), ("chess", 1.2)])
def test_scale_is_by_default_that_of_decisive_games_wider_where_drops_go_on(game, times, tmp_path):
    path = write_training_games(tmp_path / "g.games", 30, SETTINGS, game)
    found = read_training_set([path], game, 0.0, 250.0)
    words = ("--variant", game, "--data", path, "--out", tmp_path / "n", "--hidden", 16, "--epochs", 1)
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    scale = load_network(tmp_path / "n", game).certificate["scale"]
    decisive = found.results != 0
    fitted = fitted_scale(found.scores[decisive], found.results[decisive])
    assert scale == round(times * min(2000, fitted))
    assert fitted < 0.9 * fitted_scale(found.scores, found.results)


def test_weight_decay_falls_as_positions_grow():
    assert [default_weight_decay(millions * 1_000_000) for millions in (0, 1, 3)] == [5, 5, 5]
    assert default_weight_decay(6_000_000) == 2.5 and default_weight_decay(30_000_000) == 0.5


def test_weight_decay_is_by_default_that_of_the_positions_learnt_from(games, tmp_path, monkeypatch):
    monkeypatch.setattr(train_command, "WEIGHT_DECAY_POSITIONS", 100)
    words = ("--data", games, "--hidden", 16, "--epochs", 1)
    for name, more in (("default", ()), ("given", ("--weight-decay", 3))):
        result = run(*words, *more, "--out", tmp_path / name)
        assert result.exit_code == 0, result.output
    told = {name: load_network(tmp_path / name, "crazyhouse").certificate for name in ("default", "given")}
    positions = told["default"]["positions"]
    assert positions > 200 and told["default"]["weight_decay"] == pytest.approx(500 / positions, abs=1e-3)
    assert told["given"]["weight_decay"] == 3


def test_network_that_counts_otherwise_learns_the_scores_that_were_played_by(games, tmp_path):
    found = read_training_set([games], "crazyhouse", 0.0, 250.0)
    earlier, out = tmp_path / "earlier.network", tmp_path / "n.network"
    save_network(earlier, replace(random_network("crazyhouse", 32, seed=1), scale=500, parts=900))
    result = run("--data", games, "--out", out, "--epochs", 1, "--from", earlier)
    assert result.exit_code == 0, result.output
    converted = np.rint(found.scores * (player_units("crazyhouse") / 500)).astype(np.int16)
    played = fitted_scale(converted, found.results) * 500 / NORMAL_SCALE
    assert played < 2000 and load_network(out, "crazyhouse").scale == pytest.approx(played, rel=0.01)


def test_earlier_network_is_gone_on_with(games, tmp_path):
    earlier, out = tmp_path / "earlier.network", tmp_path / "n.network"
    save_network(earlier, random_network("crazyhouse", 32, seed=1))
    result = run("--data", games, "--out", out, "--epochs", 1, "--rate", 1e-6, "--from", earlier)
    assert result.exit_code == 0, result.output
    before, after = (load_network(path, "crazyhouse") for path in (earlier, out))
    assert after.certificate["begun_with"] == "earlier.network"
    assert np.abs(before.input_weights.astype(int) - after.input_weights).max() <= 1


def test_zones_are_those_that_were_asked_for_and_stay(games, tmp_path):
    one, two = tmp_path / "one.network", tmp_path / "two.network"
    result = run("--data", games, "--out", one, "--hidden", 16, "--epochs", 1, "--zones", 3)
    assert result.exit_code == 0, result.output
    assert load_network(one, "crazyhouse").zone_count == 3
    result = run("--data", games, "--out", two, "--epochs", 1, "--from", one)
    assert result.exit_code == 0, result.output
    found = load_network(two, "crazyhouse")
    assert np.array_equal(found.zones, load_network(one, "crazyhouse").zones)
    assert found.certificate["zones"] == 3
    result = run("--data", games, "--out", tmp_path / "x", "--epochs", 1, "--zones", 4, "--from", one)
    assert result.exit_code == 2 and "3 zones, but --zones asks for 4" in result.output


def test_killed_run_that_goes_on_writes_the_same_network(games, tmp_path):
    words = ("bench", "train", "--variant", "crazyhouse", "--data", games, "--hidden", 64, "--epochs", 60)

    def command(out, *more):
        return [sys.executable, "-m", "surajang", *map(str, words), "--out", str(out), *more]

    whole, cut = tmp_path / "whole.network", tmp_path / "cut.network"
    assert subprocess.run(command(whole), capture_output=True, timeout=SECONDS).returncode == 0
    process = subprocess.Popen(command(cut), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    checkpoint, end = Path(f"{cut}.checkpoint"), time.monotonic() + SECONDS
    while not checkpoint.exists() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.001)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert checkpoint.exists() and not cut.exists()
    again = run("--data", games, "--out", cut, "--hidden", 64, "--epochs", 60)
    assert again.exit_code == 2 and "go on with it, or delete it" in again.output
    assert subprocess.run(command(cut, "--resume"), capture_output=True, timeout=SECONDS).returncode == 0
    assert cut.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--hidden", 40), "40 is not a multiple of 16"),
        (("--resume",), "there is no"),
        (("--plot", "curves.txt"), "plots are written as"),
        (("--variant", "chess"), "the games are of 'crazyhouse', not of 'chess'"),
    ],
)
def test_what_cannot_be_done_is_refused_before_anything_is_learnt(games, tmp_path, words, said):
    result = run("--data", games, "--out", tmp_path / "n.network", *words)
    assert result.exit_code == 2 and said in " ".join(result.output.split())
    assert not list(tmp_path.iterdir())


def test_file_that_holds_no_games_is_refused_by_name(tmp_path):
    path = tmp_path / "notes.games"
    path.write_text("not games")
    result = run("--data", path, "--out", tmp_path / "n.network")
    assert result.exit_code == 2 and "notes.games: this is not a file of games" in " ".join(
        result.output.split()
    )


def test_network_to_go_on_with_must_be_one_of_the_game_and_size(games, tmp_path):
    other, small = tmp_path / "other.network", tmp_path / "small.network"
    save_network(other, random_network("minishogi", 16, seed=1))
    save_network(small, random_network("crazyhouse", 16, seed=1))
    for more, said in (
        (("--from", other), "a network of 'minishogi', not of 'crazyhouse'"),
        (("--from", small, "--hidden", 32), "16 neurons, but --hidden asks for 32"),
        (("--from", games), "not a network file"),
    ):
        result = run("--data", games, "--out", tmp_path / "n.network", *more)
        assert result.exit_code == 2 and said in " ".join(result.output.split())
