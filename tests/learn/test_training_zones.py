"""Training with zones of the own king: which they are, how they begin, and how a run goes on with them."""

import numpy as np
import pytest
from surajang.eval.network.features import features_for
from surajang.eval.network.file import check_network
from surajang.learn.self_play.compiled_games import Settings
from surajang.learn.training.king_buckets import zones_of
from surajang.learn.training.quantisation import floating, quantised
from surajang.learn.training.training import Recipe, Training, TrainingError
from surajang.learn.training.training_set import read_training_set
from surajang.tests.support.self_played import write_training_games

pytestmark = pytest.mark.compiled

SETTINGS = Settings(nodes=20, plies=6, seed=3, most_plies=60)
RECIPE = Recipe(hidden=16, epochs=3, blend=0.7, decay=1.0, batch=256, seed=4)
UNITS = 250  # of the search, for a logit


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    games = write_training_games(tmp_path_factory.mktemp("games") / "crazyhouse.games", 80, SETTINGS)
    return read_training_set([games], "crazyhouse", RECIPE.blend, RECIPE.scale)


def test_zones_are_the_squares_where_kings_stand_most_and_what_is_near_them(data):
    zones = zones_of(data.samples, "crazyhouse", 3)
    often = np.bincount(data.samples.kings.ravel(), minlength=64)
    assert zones[4] == 0 and often.argmax() == 4  # e1
    assert set(zones.tolist()) == {0, 1, 2}
    centres = [
        int(np.flatnonzero((zones == zone) & (often == often[zones == zone].max()))[0]) for zone in (0, 1, 2)
    ]
    for square in range(64):
        steps = [max(abs(square % 8 - each % 8), abs(square // 8 - each // 8)) for each in centres]
        assert steps[zones[square]] == min(steps)


def test_all_zones_begin_alike_and_then_differ(data):
    plain, zoned = Training(data, RECIPE), Training(data, RECIPE._replace(zones=3))
    order = data.held_out[:50]
    assert np.array_equal(plain.logits(order), zoned.logits(order))
    list(zoned.steps())
    zones = zoned.vector[: 3 * features_for("crazyhouse").count * RECIPE.hidden].reshape(3, -1)
    assert np.abs(zones[0] - zones[1]).max() > 1e-4


def test_run_goes_on_with_a_network_of_zones_or_divides_one_without(data):
    order = data.held_out[:50]
    zoned = Training(data, RECIPE._replace(zones=3))
    list(zoned.steps())
    network = quantised(zoned.vector, "crazyhouse", RECIPE.hidden, UNITS, {}, zoned.zones)
    check_network(network, "some.network")
    again = Training(data, RECIPE._replace(zones=3), floating(network), network.zones)
    assert np.array_equal(again.zones, zoned.zones)
    assert np.allclose(again.logits(order), zoned.logits(order), atol=0.05)
    one = quantised(Training(data, RECIPE).vector, "crazyhouse", RECIPE.hidden, UNITS, {})
    divided = Training(data, RECIPE._replace(zones=3), floating(one))
    assert np.allclose(divided.logits(order), Training(data, RECIPE, floating(one)).logits(order), atol=1e-6)
    assert divided.zones.max() == 2


def test_more_zones_than_inputs_have_numbers_are_refused(data):
    count = features_for("crazyhouse").count
    with pytest.raises(TrainingError, match=f"60 zones of {count} inputs are more than 65536"):
        Training(data, RECIPE, zones=np.arange(64).clip(0, 59).astype(np.uint8))
