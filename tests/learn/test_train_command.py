"""`surajang bench train`: its files, its refusals, and resuming a killed run."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from surajang.engine.rules import has_drops, rules_for
from surajang.engine.variant import Variant
from surajang.eval.network import file as network_file
from surajang.eval.network.features import MAX_FEATURES, features_for
from surajang.eval.network.file import load_network, random_network, save_network
from surajang.eval.terms.weights import NORMAL_SCALE
from surajang.learn.generations import learn_command
from surajang.learn.self_play.compiled_games import Settings
from surajang.learn.self_play.games_file import GamesReader
from surajang.learn.self_play.score_units import units_of
from surajang.learn.training import checkpoint, sizes, train_command, training, weights
from surajang.learn.training.survey import fitted_scale, scale_of_results, survey
from surajang.learn.training.train_command import default_weight_decay, main
from surajang.match.records.locked_file import open_to_add
from surajang.tests.support.self_played import write_self_play, write_training_games

pytestmark = pytest.mark.process

SETTINGS = Settings(nodes=20, plies=6, seed=3, most_plies=60)
SECONDS = 180  # within which a process must have come so far


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    return write_training_games(tmp_path_factory.mktemp("games") / "g.games", 60, SETTINGS)


def run(*words):
    return CliRunner().invoke(main, [str(word) for word in ("--variant", "crazyhouse", *words)])


@pytest.mark.parametrize("source", ["file", "folder"])
def test_network_does_not_replace_the_games(source, tmp_path):
    path = tmp_path / "g.games"
    path.write_bytes(b"games")
    result = run("--data", path if source == "file" else tmp_path, "--out", path)
    assert result.exit_code == 2 and "--data, which would be lost" in result.output
    assert path.read_bytes() == b"games"


def test_network_curves_and_picture_are_written(games, tmp_path):
    out, picture = tmp_path / "n.network", tmp_path / "n.png"
    result = run(
        "--data", games, "--out", out, "--hidden", 16, "--epochs", 2, "--lambda", 0.6, "--plot", picture
    )
    assert result.exit_code == 0, result.output
    network = load_network(out, "crazyhouse")
    told = network.metadata
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


def test_network_scores_predict_results_for_any_training_scale(games, tmp_path):
    fitted = min(2000, fitted_scale(survey([games], Variant("crazyhouse")).counted))
    for scale in (700, 300):
        out, words = tmp_path / f"{scale}.network", ("--scale", scale)
        result = run("--data", games, "--out", out, "--hidden", 16, "--epochs", 1, *words)
        assert result.exit_code == 0, result.output
        network = load_network(out, "crazyhouse")
        assert network.metadata["scale"] == scale and network.metadata["units"] == network.scale
        assert network.scale == pytest.approx(units_of(fitted, Variant("crazyhouse")), rel=0.02)


@pytest.mark.parametrize(("game", "times"), [("crazyhouse", 2), ("chess", 1.2)])
def test_default_scale_is_that_of_decisive_games_and_wider_with_drops(game, times, tmp_path):
    path = write_training_games(tmp_path / "g.games", 30, SETTINGS, game)
    found = survey([path], Variant(game)).counted
    words = ("--variant", game, "--data", path, "--out", tmp_path / "n", "--hidden", 16, "--epochs", 1)
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    scale = load_network(tmp_path / "n", game).metadata["scale"]
    fitted = scale_of_results(found)
    assert scale == round(times * min(2000, fitted)) and fitted < 0.9 * fitted_scale(found)


def test_game_whose_pieces_are_only_placed_at_its_beginning_has_no_drops():
    assert [has_drops(rules_for(game)) for game in ("crazyhouse", "placement", "chess")] == [
        True,
        False,
        False,
    ]


def test_weight_decay_falls_as_positions_grow():
    assert [default_weight_decay(millions * 1_000_000) for millions in (0, 1, 3)] == [5, 5, 5]
    assert default_weight_decay(6_000_000) == 2.5 and default_weight_decay(30_000_000) == 0.5


def test_default_weight_decay_depends_on_the_training_positions(games, tmp_path, monkeypatch):
    monkeypatch.setattr(train_command, "WEIGHT_DECAY_POSITIONS", 100)
    words = ("--data", games, "--hidden", 16, "--epochs", 1)
    for name, more in (("default", ()), ("given", ("--weight-decay", 3))):
        result = run(*words, *more, "--out", tmp_path / name)
        assert result.exit_code == 0, result.output
    told = {name: load_network(tmp_path / name, "crazyhouse").metadata for name in ("default", "given")}
    positions = told["default"]["positions"]
    assert positions > 200 and told["default"]["weight_decay"] == pytest.approx(500 / positions, abs=1e-3)
    assert told["given"]["weight_decay"] == 3


def test_network_that_counts_otherwise_learns_the_scores_that_were_played_by(games, tmp_path):
    earlier, out = tmp_path / "earlier.network", tmp_path / "n.network"
    save_network(earlier, replace(random_network(Variant("crazyhouse"), 32, seed=1), scale=500, parts=900))
    result = run("--data", games, "--out", out, "--epochs", 1, "--from", earlier)
    assert result.exit_code == 0, result.output
    played = fitted_scale(survey([games], Variant("crazyhouse"), 500.0).counted) * 500 / NORMAL_SCALE
    assert played < 2000 and load_network(out, "crazyhouse").scale == pytest.approx(played, rel=0.01)


def test_training_continues_an_earlier_network(games, tmp_path):
    earlier, out = tmp_path / "earlier.network", tmp_path / "n.network"
    save_network(earlier, random_network(Variant("crazyhouse"), 32, seed=1))
    result = run("--data", games, "--out", out, "--epochs", 1, "--rate", 1e-6, "--from", earlier)
    assert result.exit_code == 0, result.output
    before, after = (load_network(path, "crazyhouse") for path in (earlier, out))
    assert after.metadata["begun_with"] == "earlier.network"
    assert np.abs(before.input_weights.astype(int) - after.input_weights).max() <= 1


def test_king_buckets_are_those_that_were_asked_for_and_stay(games, tmp_path):
    one, two = tmp_path / "one.network", tmp_path / "two.network"
    result = run("--data", games, "--out", one, "--hidden", 16, "--epochs", 1, "--zones", 3)
    assert result.exit_code == 0, result.output
    assert load_network(one, "crazyhouse").king_bucket_count == 3
    result = run("--data", games, "--out", two, "--epochs", 1, "--from", one)
    assert result.exit_code == 0, result.output
    found = load_network(two, "crazyhouse")
    assert np.array_equal(found.king_buckets, load_network(one, "crazyhouse").king_buckets)
    assert found.metadata["king_buckets"] == 3
    result = run("--data", games, "--out", tmp_path / "x", "--epochs", 1, "--king-buckets", 4, "--from", one)
    assert result.exit_code == 2 and "it has --king-buckets 3, not 4" in result.output


@pytest.mark.parametrize("command", [train_command.main, learn_command.main])
def test_help_shows_king_buckets_without_their_older_spelling(command):
    shown = CliRunner().invoke(command, ["--help"]).output
    assert "--king-buckets INTEGER" in shown and "--zones" not in shown


def test_killed_run_that_continues_writes_the_same_network(games, tmp_path):
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
    assert again.exit_code == 2 and "resume it with --resume, or delete the file" in again.output
    assert subprocess.run(command(cut, "--resume"), capture_output=True, timeout=SECONDS).returncode == 0
    assert cut.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--hidden", 40), "40 is not a multiple of 16"),
        (("--resume",), "there is no"),
        (("--plot", "curves.txt"), "plots are written as"),
        (("--variant", "chess"), "the games are of 'crazyhouse', not of 'chess'"),
        (("--variant", "chess", "--output-buckets", "hands"), "'chess' has no hands"),
        (
            ("--epochs", 2, "--positions-seen", 1000),
            "--epochs cannot be combined with --positions-seen: both set the length",
        ),
    ],
)
def test_impossible_training_is_refused_before_it_begins(games, tmp_path, words, said):
    result = run("--data", games, "--out", tmp_path / "n.network", *words)
    assert result.exit_code == 2 and said in " ".join(result.output.split())
    assert not list(tmp_path.iterdir())


def test_training_uses_several_files_and_folders(games, tmp_path):
    folder = tmp_path / "more"
    folder.mkdir()
    write_self_play(folder / "two.games", 5, SETTINGS._replace(seed=8))
    write_self_play(folder / "three.games", 7, SETTINGS._replace(seed=9))
    out = tmp_path / "n.network"
    result = run("--data", games, "--data", folder, "--out", out, "--hidden", 16, "--epochs", 1)
    assert result.exit_code == 0, result.output
    told = load_network(out, "crazyhouse").metadata
    assert [each["file"] for each in told["data"]] == ["g.games", "three.games", "two.games"]
    assert [each["games"] for each in told["data"]][1:] == [7, 5]
    assert sum(each["positions"] for each in told["data"]) == told["positions"] + told["held_out"]


def test_network_records_the_end_of_its_training(games, tmp_path):
    out = tmp_path / "n.network"
    more = ("--positions-seen", 3000, "--average", 0.5, "--result-share", 0.25, "--output-buckets", "hands")
    result = run("--data", games, "--out", out, "--hidden", 16, *more)
    assert result.exit_code == 0, result.output
    network = load_network(out, "crazyhouse")
    told, positions = network.metadata, network.metadata["positions"]
    assert network.output_buckets == told["output_buckets"] == "hands"
    assert told["epochs"] == pytest.approx(3000 / positions) and told["epochs"] % 1
    assert (told["average"], told["result_share"]) == (0.5, 0.25)
    again = run(
        "--data", games, "--out", tmp_path / "b", "--epochs", 1, "--from", out, "--output-buckets", "board"
    )
    assert again.exit_code == 2 and "it has --output-buckets hands, not board" in again.output
    kept = run("--data", games, "--out", tmp_path / "c", "--epochs", 1, "--from", out)
    assert kept.exit_code == 0 and load_network(tmp_path / "c", "crazyhouse").output_buckets == "hands"


def test_size_and_length_are_by_default_those_for_the_number_of_positions(games, tmp_path, monkeypatch):
    """Options take precedence; a network to begin with keeps its form."""
    small, large = sizes.Size(100, 16, 1, 1), sizes.Size(float("inf"), 32, 3, 2)
    monkeypatch.setattr(sizes, "SIZES", (small, large))
    forms = {}
    for name, more in {"default": (), "given": ("--hidden", 16, "--epochs", 1)}.items():
        assert run("--data", games, "--out", tmp_path / name, *more).exit_code == 0
        network = load_network(tmp_path / name, "crazyhouse")
        forms[name] = network.hidden, network.king_bucket_count, network.metadata["epochs"]
    assert forms == {"default": (32, 3, 2), "given": (16, 3, 1)}
    plain, begun = tmp_path / "plain.network", tmp_path / "begun"
    save_network(plain, random_network(Variant("crazyhouse"), 16, seed=1))
    assert run("--data", games, "--out", begun, "--from", plain, "--epochs", 1).exit_code == 0
    assert load_network(begun, "crazyhouse").king_buckets is None


def test_sizes_grow_with_the_positions_as_far_as_inputs_have_numbers():
    found = [
        sizes.size_for(Variant("crazyhouse"), int(millions * 1e6)) for millions in (0.1, 5, 20, 59, 1000)
    ]
    assert [size[1:3] for size in found] == [(64, 1), (128, 1), (128, 8), (256, 16), (256, 16)]
    assert all(one.epochs >= other.epochs for one, other in pairwise(found))
    assert (
        sizes.size_for(Variant("xxl"), 10**9).king_buckets * features_for(Variant("xxl")).count
        <= MAX_FEATURES
    )


class CutError(Exception):
    """Simulates the end of a process."""


def cut_after(monkeypatch, steps):
    """Makes a training fail with `CutError` after a step, with a checkpoint of the step before."""
    monkeypatch.setattr(training, "CHECKPOINT_SECONDS", -1)
    learn, made = weights.TrainedWeights.learn, []

    def once_more(*words):
        made.append(words)
        if len(made) > steps:
            raise CutError
        return learn(*words)

    monkeypatch.setattr(weights.TrainedWeights, "learn", once_more)


def test_run_continues_with_the_games_that_it_was_begun_with(games, tmp_path, monkeypatch):
    """Files that were added or extended later do not count."""
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "g.games").write_bytes(games.read_bytes())
    words = ("--data", folder, "--hidden", 16, "--epochs", 3)
    assert run(*words, "--out", tmp_path / "whole").exit_code == 0
    with monkeypatch.context() as patch:
        cut_after(patch, 2)
        assert isinstance(run(*words, "--out", tmp_path / "cut").exception, CutError)
    with GamesReader(games, Variant("crazyhouse")) as reader:
        count = len(list(reader.games()))
    write_self_play(folder / "g.games", 3, SETTINGS._replace(seed=3), first=count)
    write_self_play(folder / "h.games", 3, SETTINGS._replace(seed=8))
    result = run(*words, "--out", tmp_path / "cut", "--resume")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "cut").read_bytes() == (tmp_path / "whole").read_bytes()


def test_run_with_missing_games_names_them(games, tmp_path, monkeypatch):
    mine = tmp_path / "mine.games"
    mine.write_bytes(games.read_bytes())
    out = tmp_path / "n.network"
    with monkeypatch.context() as patch:
        cut_after(patch, 1)
        run("--data", games, "--data", mine, "--out", out, "--hidden", 16)
    result = run("--data", games, "--out", out, "--hidden", 16, "--resume")
    assert result.exit_code == 2 and "mine.games, too" in " ".join(result.output.split())


def test_network_is_trained_by_one_process_at_a_time(games, tmp_path):
    out = tmp_path / "n.network"
    with open_to_add(tmp_path / "n.network.jsonl", ValueError):
        result = run("--data", games, "--out", out, "--hidden", 16)
    assert result.exit_code == 2 and "another process is adding to this file" in " ".join(
        result.output.split()
    )
    assert not out.exists()


def test_training_that_does_not_begin_leaves_no_file(games, tmp_path, monkeypatch):
    monkeypatch.setattr(train_command, "_surveyed", raising(train_command.TrainingError("no games")))
    result = run("--data", games, "--out", tmp_path / "n.network", "--hidden", 16)
    assert "no games" in result.output and not list(tmp_path.iterdir())


def test_checkpoint_that_has_no_room_is_reported_and_the_training_continues(games, tmp_path, monkeypatch):
    out = tmp_path / "n.network"
    full = raising(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
    monkeypatch.setattr(checkpoint, "save", full)
    monkeypatch.setattr(Path, "write_text", full)
    result = run("--data", games, "--out", out, "--hidden", 16, "--epochs", 2)
    text = " ".join(result.output.split())
    assert result.exit_code == 0 and out.exists()
    assert "the checkpoint cannot be written: No space left on device; there is none yet" in text
    assert "the curves cannot be written: No space left on device" in text


def test_network_that_has_no_room_is_written_later(games, tmp_path, monkeypatch):
    out, words = tmp_path / "n.network", ("--data", games, "--hidden", 16, "--epochs", 2)
    with monkeypatch.context() as patch:
        full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(out))
        patch.setattr(network_file, "encoded", raising(full))
        result = run(*words, "--out", out)
    text = " ".join(result.output.split())
    assert result.exit_code == 1 and "No space left on device" in text and "--resume" in text
    assert not out.exists() and (tmp_path / "n.network.checkpoint").exists()
    result = run(*words, "--out", out, "--resume")
    assert result.exit_code == 0, result.output
    assert run(*words, "--out", tmp_path / "whole").exit_code == 0
    assert out.read_bytes() == (tmp_path / "whole").read_bytes()


def raising(error):
    """A function that raises an error."""

    def fail(*words):
        raise error

    return fail


def test_file_that_holds_no_games_is_refused_by_name(tmp_path):
    path = tmp_path / "notes.games"
    path.write_text("not games")
    result = run("--data", path, "--out", tmp_path / "n.network")
    assert result.exit_code == 2 and "notes.games: this is not a file of games" in " ".join(
        result.output.split()
    )


def test_network_to_begin_with_must_fit_game_and_size(games, tmp_path):
    other, small = tmp_path / "other.network", tmp_path / "small.network"
    save_network(other, random_network(Variant("minishogi"), 16, seed=1))
    save_network(small, random_network(Variant("crazyhouse"), 16, seed=1))
    for more, said in (
        (("--from", other), "a network of 'minishogi', not of 'crazyhouse'"),
        (("--from", small, "--hidden", 32), "it has --hidden 16, not 32"),
        (("--from", games), "not a network file"),
    ):
        result = run("--data", games, "--out", tmp_path / "n.network", *more)
        assert result.exit_code == 2 and said in " ".join(result.output.split())
