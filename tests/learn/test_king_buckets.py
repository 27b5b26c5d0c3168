"""Training with king buckets: their choice, their first weights, and resuming."""

import numpy as np
import pytest
from surajang.engine.variant import Variant
from surajang.eval.network.features import features_for
from surajang.eval.network.file import check_network
from surajang.learn.self_play.compiled_games import Settings
from surajang.learn.training.king_buckets import king_buckets_of
from surajang.learn.training.quantisation import dequantise, quantise
from surajang.learn.training.training import Training, TrainingError
from surajang.tests.support.self_played import write_training_games
from surajang.tests.support.training_data import RECIPE, decoded, training_set

pytestmark = pytest.mark.compiled

SETTINGS = Settings(nodes=20, plies=6, seed=3, most_plies=60)
UNITS = 250  # of the search, for a logit


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    return write_training_games(tmp_path_factory.mktemp("games") / "crazyhouse.games", 80, SETTINGS)


@pytest.fixture(scope="module")
def data(games):
    return training_set([games])


def test_king_buckets_are_the_squares_where_kings_stand_most_and_what_is_near_them(data, games):
    king_buckets = king_buckets_of(data.survey.kings, Variant("crazyhouse"), 3)
    often = np.bincount(decoded(games)[0].kings.ravel(), minlength=64)
    assert king_buckets[4] == 0 and often.argmax() == 4  # e1
    assert set(king_buckets.tolist()) == {0, 1, 2}
    centres = [
        int(
            np.flatnonzero(
                (king_buckets == king_bucket) & (often == often[king_buckets == king_bucket].max())
            )[0]
        )
        for king_bucket in (0, 1, 2)
    ]
    for square in range(64):
        steps = [max(abs(square % 8 - each % 8), abs(square // 8 - each // 8)) for each in centres]
        assert steps[king_buckets[square]] == min(steps)


def test_game_without_kings_has_one_king_bucket():
    nothing = np.zeros((2, 65), np.int64)
    assert king_buckets_of(nothing, Variant("antichess"), 8).tolist() == [0] * 64


def test_kings_are_counted_by_whether_their_position_may_be_mirrored(data, games):
    found, _ = decoded(games)
    for way in range(2):
        kings = found.kings[found.mirrors == way]
        assert np.array_equal(data.survey.kings[way], np.bincount(kings.ravel(), minlength=65))
    assert data.survey.kings.any(axis=1).all()


def test_all_king_buckets_begin_alike_and_then_differ(data):
    plain, bucketed = Training(data, RECIPE), Training(data, RECIPE._replace(king_buckets=3))
    assert np.array_equal(plain.logits(data.held_out), bucketed.logits(data.held_out))
    list(bucketed.steps())
    inputs = 3 * features_for(Variant("crazyhouse")).count * RECIPE.hidden
    king_buckets = bucketed.weights.vector()[:inputs].reshape(3, -1)
    assert np.abs(king_buckets[0] - king_buckets[1]).max() > 1e-4


def test_run_continues_with_a_network_of_king_buckets_or_divides_one_without(data):
    tested = data.held_out
    bucketed = Training(data, RECIPE._replace(king_buckets=3))
    list(bucketed.steps())
    network = quantise(
        bucketed.weights.vector(), Variant("crazyhouse"), RECIPE.hidden, UNITS, {}, bucketed.king_buckets
    )
    check_network(network, "some.network")
    again = Training(data, RECIPE._replace(king_buckets=3), dequantise(network), network.king_buckets)
    assert np.array_equal(again.king_buckets, bucketed.king_buckets)
    assert np.allclose(again.logits(tested), bucketed.logits(tested), atol=0.05)
    one = dequantise(quantise(Training(data, RECIPE).best, Variant("crazyhouse"), RECIPE.hidden, UNITS, {}))
    divided = Training(data, RECIPE._replace(king_buckets=3), one)
    assert np.allclose(divided.logits(tested), Training(data, RECIPE, one).logits(tested), atol=1e-6)
    assert divided.king_buckets.max() == 2


def test_more_king_buckets_than_inputs_have_numbers_are_refused(data):
    count = features_for(Variant("crazyhouse")).count
    with pytest.raises(TrainingError, match=f"60 king buckets of {count} inputs are more than 65536"):
        Training(data, RECIPE, king_buckets=np.arange(64).clip(0, 59).astype(np.uint8))
