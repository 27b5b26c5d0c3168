"""The training positions of files of games: those to learn from, those held out, and what scores mean."""

from dataclasses import replace

import numpy as np
import pytest
from surajang.engine.rules import rules_for
from surajang.engine.variant import Variant
from surajang.eval.network.features import features_for, write_active_features
from surajang.eval.network.file import random_network
from surajang.learn.self_play.games_file import GamesError, GamesReader
from surajang.learn.self_play.positions import read_positions
from surajang.learn.training import survey as survey_module
from surajang.learn.training.mirroring import anchors
from surajang.learn.training.survey import fitted_scale, games_files
from surajang.tests.support import network_reference
from surajang.tests.support.self_played import is_held_out, write_self_play
from surajang.tests.support.training_data import (
    SETTINGS,
    counted,
    decoded,
    file_of_games,
    set_of_games,
    to_learn,
    training_set,
)

pytestmark = pytest.mark.compiled


games = pytest.fixture(scope="module")(file_of_games)
data = pytest.fixture(scope="module")(set_of_games)


def test_training_set_has_the_positions_that_the_reader_keeps(data, games):
    batches = list(read_positions(games, Variant("crazyhouse")))
    records = np.concatenate([batch.positions for batch in batches])
    found, _ = decoded(games)
    assert len(found.targets) == len(records) == data.positions + len(data.held_out.targets)
    scores = np.concatenate([batch.scores for batch in batches])
    results = np.concatenate([batch.results for batch in batches])
    features, seen = features_for(Variant("crazyhouse")), np.zeros(200, np.uint16)
    fixed, king = anchors(Variant("crazyhouse")), rules_for("crazyhouse").king_kind
    for index in range(0, len(records), 7):
        record, side = records[index], int(records["side"][index])
        count = write_active_features(features, records[index : index + 1], side, seen)
        row = slice(*found.starts[index : index + 2])
        assert np.array_equal(found.rows[row], seen[:count])
        assert found.mirrors[index] == (not fixed[seen[:count]].any())
        sign = -1 if side else 1
        score, result = sign * int(scores[index]), sign * int(results[index])
        assert found.results[index] == result
        pieces = int(np.bitwise_count(record["colours"]).sum())
        assert found.output_buckets[index] == min(7, (pieces - 1) * 8 // 32)
        kings = [
            king * 64 + found.kings[index, 0],
            (features.kinds + king) * 64 + (found.kings[index, 1] ^ 56),
        ]
        assert set(kings) <= set(seen[:count].tolist())
        expected = 0.7 / (1 + np.exp(-score / 250)) + 0.3 * (result + 1) / 2
        assert found.targets[index] == pytest.approx(expected, abs=1e-6)


def test_hands_choose_the_output_where_they_are_asked_to(games):
    found, _ = decoded(games, output_buckets="hands")
    records = np.concatenate([batch.positions for batch in read_positions(games, Variant("crazyhouse"))])
    network = replace(random_network(Variant("crazyhouse"), 16, seed=1), output_buckets="hands")
    expected = [
        network_reference.bucket(network, features_for(Variant("crazyhouse")), record) for record in records
    ]
    assert found.output_buckets.tolist() == expected and len(set(expected)) > 4


def test_game_is_held_out_as_a_whole_and_in_every_file(data, games, tmp_path):
    (found, rows), held_out = decoded(games), data.held_out
    behind = np.cumsum(rows[:, 1])
    tested = [
        slice(last - count, last) for (crc, count), last in zip(rows, behind, strict=True) if crc % 20 == 0
    ]
    assert tested and np.array_equal(
        np.concatenate([found.targets[each] for each in tested]), held_out.targets
    )
    copy = tmp_path / "copy.games"
    copy.write_bytes(games.read_bytes())
    both = training_set([games, copy])
    assert len(both.held_out.targets) == 2 * len(held_out.targets) and both.positions == 2 * data.positions
    assert np.array_equal(np.concatenate([to_learn(data).rows] * 2), to_learn(both).rows)


def test_games_are_held_out_by_their_moves_alone(games):
    _, rows = decoded(games)
    with GamesReader(games, Variant("crazyhouse")) as reader:
        assert [is_held_out(game.moves) for game in reader.games()] == (rows[:, 0] % 20 == 0).tolist()


def test_part_that_is_held_out_shrinks_where_it_would_be_large(games, monkeypatch):
    """By halving, so that a game that is held out of many is also held out of few."""
    monkeypatch.setattr(survey_module, "HELD_OUT", 2)
    half = training_set([games])
    monkeypatch.setattr(survey_module, "MOST_HELD_OUT", len(half.held_out.targets) - 1)
    fewer = training_set([games])
    assert (half.survey.modulus, fewer.survey.modulus) == (2, 4)
    assert 0 < len(fewer.held_out.targets) < len(half.held_out.targets)
    assert set(fewer.held_out.targets.tolist()) <= set(half.held_out.targets.tolist())
    everything = decoded(games)[0].targets
    assert fewer.positions + len(fewer.held_out.targets) == len(everything)


def test_one_game_in_twenty_is_held_out():
    rng = np.random.default_rng(1)
    found = sum(is_held_out(rng.integers(0, 1 << 20, 40, np.uint32)) for _ in range(4000))
    assert 150 < found < 250


def test_files_of_a_folder_are_found_and_none_counts_twice(games, tmp_path):
    assert games_files([games.parent]) == [games]
    with pytest.raises(GamesError, match="there is no file"):
        games_files([tmp_path])
    with pytest.raises(GamesError, match="named twice"):
        games_files([games, games.parent])


def test_file_of_too_few_games_is_refused(tmp_path):
    path = write_self_play(tmp_path / "few.games", 1, SETTINGS)
    with pytest.raises(GamesError, match=r"few\.games: .* more games are needed"):
        training_set([path])


@pytest.mark.parametrize("scale", [80, 320, 1600])
def test_scale_of_scores_is_found_again(scale):
    rng = np.random.default_rng(2)
    scores = rng.normal(0, 400, 500_000).astype(np.int16)
    results = np.where(rng.random(len(scores)) < 1 / (1 + np.exp(-scores / scale)), 1, -1)
    assert fitted_scale(counted(scores, results)) == pytest.approx(scale, rel=0.05)


def test_scores_of_drawn_games_mean_little():
    """The curve is flat if nearly every game is drawn, and there is no steeper one if nothing is lost."""
    scores = np.array([-500, -200, 100, 300, 900] * 200, np.int16)
    results = np.sign(scores) * (np.arange(1000) // 5 % 20 == 7)
    assert 3000 < fitted_scale(counted(scores, results)) < 20_000
    assert fitted_scale(counted(scores, np.sign(scores))) < 50
