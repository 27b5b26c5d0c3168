"""Training of networks: correct gradients, interruptions at any point, and rounding to integers."""

from dataclasses import replace

import numpy as np
import pytest
from surajang import Position
from surajang.engine.definition.catalogue import load
from surajang.engine.rules import rules_for
from surajang.engine.variant import Variant
from surajang.eval.network.features import features_for
from surajang.eval.network.file import QB, accumulator_bounds, check_network, random_network
from surajang.eval.terms.weights import build_weights
from surajang.learn.self_play.positions import read_positions
from surajang.learn.self_play.score_units import units_of
from surajang.learn.training import survey as survey_module
from surajang.learn.training.gradients import (
    MAX_INPUT,
    Blocks,
    Rows,
    Views,
    add_gradients,
    blocks_of,
    look,
    output_limits,
    room_for_sums,
    rows_of,
    size_of,
)
from surajang.learn.training.mirroring import mirrored, other_side
from surajang.learn.training.quantisation import (
    dequantise,
    quantise,
    rounding_errors,
    with_scale,
    without_overflow,
)
from surajang.learn.training.recipe import Epoch
from surajang.learn.training.training import LEVEL_EPOCHS, Training, TrainingError, train
from surajang.tests.support import network_reference
from surajang.tests.support.self_played import write_training_games
from surajang.tests.support.training_data import (
    RECIPE,
    SETTINGS,
    decoded,
    file_of_games,
    set_of_games,
    to_learn,
    training_set,
)

pytestmark = pytest.mark.compiled

UNITS = 250  # of the search, for a logit


games = pytest.fixture(scope="module")(file_of_games)
data = pytest.fixture(scope="module")(set_of_games)


@pytest.fixture(scope="module")
def samples(data):
    """All positions to learn from."""
    return to_learn(data)


def numbers(count):
    """The first numbers of samples."""
    return np.arange(count, dtype=np.uint32)


# The step


def own_king_s_bucket(rows, king_buckets):
    """The king bucket of the own king among active features, seen by its side; each feature of a king names
    it."""
    features, king = features_for(Variant("crazyhouse")), rules_for("crazyhouse").king_kind
    squares = [row - king * features.squares for row in rows.tolist()]
    return next(int(king_buckets[square]) for square in squares if 0 <= square < features.squares)


def reference_error(vector, samples, order, power, king_buckets=None, share=0.0):
    """The sum of errors in plain NumPy and float64."""
    count = features_for(Variant("crazyhouse")).count
    inputs = count if king_buckets is None else count * (int(king_buckets.max()) + 1)
    weights = Rows.of(vector.astype(np.float64), inputs, RECIPE.hidden)
    table, total = other_side(Variant("crazyhouse")), 0.0
    for index in order:
        own = samples.rows[slice(*samples.starts[index : index + 2])]
        views = [own.astype(int), table[own].astype(int)]
        if king_buckets is not None:
            views = [rows + count * own_king_s_bucket(rows, king_buckets) for rows in views]
        sums = [weights.bias + weights.inputs[rows].sum(0) for rows in views]
        clipped = np.concatenate(sums).clip(0, 1) ** 2
        bucket = samples.output_buckets[index]
        logit = weights.outputs[bucket] @ clipped + weights.output_bias[bucket]
        target = (1 - share) * samples.targets[index] + share * (samples.results[index] + 1) / 2
        total += abs(1 / (1 + np.exp(-logit)) - target) ** power
    return total


def gradient_of(training, samples, order, vector, power, share=0.0):
    """(error, gradient) of samples in compiled code; vectors by rows."""
    count, hidden = training.weights.inputs, RECIPE.hidden
    ends, touched = np.zeros(2 * len(order), np.int64), np.zeros(count, np.uint8)
    seen = look(samples, training.weights.views, order, 0, ends, touched)
    assert set(np.flatnonzero(touched).tolist()) == set(seen.tolist())
    weights, gradient = blocks_of(vector, count, hidden), blocks_of(np.zeros_like(vector), count, hidden)
    views = (Blocks.of(each, count, hidden) for each in (weights, gradient))
    error = add_gradients(samples, order, seen, ends, *views, room_for_sums(count, hidden), power, share)
    return error, rows_of(gradient, count, hidden)


@pytest.mark.parametrize(
    ("power", "king_buckets", "share"), [(2.0, 1, 0.0), (2.5, 1, 0.0), (2.5, 3, 0.0), (2.5, 1, 0.4)]
)
def test_gradient_is_the_slope_of_the_error(data, samples, power, king_buckets, share):
    """By central differences, for the weights with the largest gradients and some others."""
    training = Training(data, RECIPE._replace(king_buckets=king_buckets))
    rng = np.random.default_rng(6)
    vector = training.best + rng.normal(0, 0.05, len(training.best)).astype(np.float32)
    order, facts = numbers(133), (power, training.king_buckets, share)
    error, gradient = gradient_of(training, samples, order, vector, power, share)
    assert error == pytest.approx(reference_error(vector, samples, order, *facts), rel=1e-5)
    steep = np.argsort(np.abs(gradient))[-20:]
    for place in (*steep, *rng.integers(0, len(vector), 20), *range(len(vector) - 8, len(vector))):
        sides, step = [], 1e-5
        for sign in (1, -1):
            moved = vector.astype(np.float64)
            moved[place] += sign * step
            sides.append(reference_error(moved, samples, order, *facts))
        assert gradient[place] == pytest.approx((sides[0] - sides[1]) / (2 * step), rel=2e-3, abs=2e-4)


@pytest.mark.parametrize("hidden", [16, 48, 96, 192])
def test_layers_of_any_width_are_summed(data, samples, hidden):
    """In blocks of 64, 32 or 16 neurons, and in several chunks of positions."""
    training = Training(data, RECIPE._replace(hidden=hidden))
    weights, order = Rows.of(training.best, features_for(Variant("crazyhouse")).count, hidden), numbers(600)
    found, table = training.logits(samples, order), other_side(Variant("crazyhouse"))
    for index in (0, 255, 256, 599):
        own = samples.rows[slice(*samples.starts[index : index + 2])].astype(int)
        sums = [weights.bias + weights.inputs[rows].sum(0) for rows in (own, table[own].astype(int))]
        clipped = np.concatenate(sums).clip(0, 1) ** 2
        logit = weights.outputs[samples.output_buckets[index]] @ clipped
        assert found[index] == pytest.approx(logit, abs=1e-4)


def test_only_features_that_occur_begin_with_weights(data, games):
    """A feature without training must stay 0."""
    features, mirror = features_for(Variant("crazyhouse")), mirrored(Variant("crazyhouse"))
    states = [state for batch in read_positions(games, Variant("crazyhouse")) for state in batch.positions]
    seen = {
        each
        for state in states
        for side in (0, 1)
        for each in network_reference.active(features, state, side)
    }
    seen |= {int(mirror[feature]) for feature in seen}
    weights = Rows.of(Training(data, RECIPE).best, features.count, RECIPE.hidden)
    assert set(np.flatnonzero(weights.inputs.any(axis=1)).tolist()) == seen
    assert len(states) > 300 and len(seen) < features.count


def test_network_can_memorise_a_few_positions(data, samples):
    training, few = Training(data, RECIPE._replace(epochs=1000, rate=1e-2)), numbers(40)
    before = training.errors(samples, few).mean()
    for _ in range(400):
        training.weights.learn(samples, few, 0, RECIPE.power, 0.0)
    assert training.errors(samples, few).mean() < before / 100


def test_weights_stay_within_what_the_file_holds(data):
    training = Training(data, RECIPE._replace(rate=0.5))
    for _ in range(3):
        list(training.steps())
    vector, inputs = training.weights.vector(), features_for(Variant("crazyhouse")).count * RECIPE.hidden
    assert (np.abs(vector[:inputs]) <= MAX_INPUT).all()
    assert (np.abs(vector[inputs:]) <= output_limits(RECIPE.hidden)).all()
    assert np.abs(vector).max() >= MAX_INPUT * 0.99
    network = quantise(vector, Variant("crazyhouse"), RECIPE.hidden, UNITS, {})
    check_network(network, "some.network")


def own_rows(training):
    """The own weights of each input, besides the shared ones; all of them updated."""
    training.weights.blocks()
    size = training.weights.inputs * RECIPE.hidden
    return rows_of(
        training.weights.own[: size_of(training.weights.inputs, RECIPE.hidden)].copy(),
        training.weights.inputs,
        RECIPE.hidden,
    )[:size].reshape(-1, RECIPE.hidden)


def test_own_weights_of_inputs_decay_and_no_others(data):
    """By a share of themselves in each step, besides the gradient, also weights without one."""
    decay, rate = 7.0, 1e-3
    first = own_rows(Training(data, RECIPE))
    plain, decayed = (Training(data, RECIPE._replace(weight_decay=each, rate=rate)) for each in (0.0, decay))
    for training in (plain, decayed):
        next(training.steps())
    lost = own_rows(plain) - own_rows(decayed)
    assert np.allclose(lost, rate * decay * first, atol=1e-6) and np.abs(lost).max() > 1e-4
    rest = features_for(Variant("crazyhouse")).count * RECIPE.hidden
    assert np.array_equal(plain.weights.own[rest:], decayed.weights.own[rest:])


def test_unseen_features_learn_only_from_their_groups(data):
    training = Training(data, RECIPE)
    list(training.steps())
    own = own_rows(training)
    whole = Rows.of(
        training.weights.vector(), features_for(Variant("crazyhouse")).count, RECIPE.hidden
    ).inputs
    pawn = [piece.letter for piece in load("crazyhouse").pieces].index("P")
    assert not own[pawn * 64 : pawn * 64 + 8].any() and whole[pawn * 64 : pawn * 64 + 8].any()
    assert own[pawn * 64 + 8 : pawn * 64 + 16].any()


# The run


def finished(training, path):
    assert train(training, path)
    return training


def test_error_on_held_out_games_falls(games, tmp_path, monkeypatch):
    monkeypatch.setattr(survey_module, "HELD_OUT", 5)  # one held-out game of 20 is too little
    data = training_set([games])
    training = Training(data, RECIPE._replace(epochs=8, rate=5e-3))
    before = training.errors(data.held_out).mean()
    finished(training, tmp_path / "c")
    assert min(epoch.held_out for epoch in training.history) < 0.8 * before


@pytest.mark.parametrize(
    "more",
    [{}, {"threads": 3}, {"king_buckets": 3, "average": 0.5}, {"epochs": 2.6, "result_share": 0.4}],
    ids=str,
)
def test_run_can_be_repeated_and_cut_anywhere(data, tmp_path, more):
    recipe = RECIPE._replace(**more)
    whole = finished(Training(data, recipe), tmp_path / "whole")
    cut = Training(data, recipe)
    for cuts, step in enumerate((1, cut.batches + 2, 2 * cut.batches + 1)):
        while cut.step < step:
            for _ in cut.steps():
                if cut.step == step:
                    break
        cut.save(tmp_path / "cut")
        cut = Training(data, recipe)
        cut.load(tmp_path / "cut")
        assert cut.step == step and len(cut.history) == cuts
    finished(cut, tmp_path / "cut")
    assert np.array_equal(cut.weights.vector(), whole.weights.vector())
    assert np.array_equal(cut.best, whole.best) and cut.history == whole.history


def test_other_seed_gives_another_network(data, tmp_path):
    one, other = (Training(data, RECIPE._replace(seed=seed, epochs=1)) for seed in (1, 2))
    found = [finished(each, tmp_path / str(each.recipe.seed)).weights.vector() for each in (one, other)]
    assert not np.array_equal(*found)


def test_best_weights_are_kept_and_a_run_that_gains_nothing_ends(data):
    training = Training(data, RECIPE)
    training.history = [Epoch(n + 1, 0.1, 0.1 + 0.01 * n, 1e-3) for n in range(LEVEL_EPOCHS)]
    assert not Training(data, RECIPE._replace(epochs=99)).is_over()
    later = Training(data, RECIPE._replace(epochs=99))
    later.history = training.history
    assert not later.is_over()
    later.history = [*training.history, Epoch(LEVEL_EPOCHS + 1, 0.1, 0.2, 1e-3)]
    assert later.is_over()


def test_checkpoint_of_another_run_is_refused_with_the_difference(data, tmp_path):
    path = tmp_path / "c"
    Training(data, RECIPE).save(path)
    with pytest.raises(TrainingError, match="begun with seed 4, not 5"):
        Training(data, RECIPE._replace(seed=5)).load(path)
    other = write_training_games(tmp_path / "other.games", 30, SETTINGS._replace(seed=4))
    with pytest.raises(TrainingError, match="other positions"):
        Training(training_set([other]), RECIPE).load(path)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"text", "truncated", "flipped"])
def test_damaged_checkpoint_is_refused_by_name(data, tmp_path, content):
    path = tmp_path / "c"
    if isinstance(content, str):
        Training(data, RECIPE).save(path)
        whole = bytearray(path.read_bytes())
        if content == "flipped":
            whole[len(whole) // 2] ^= 1
        content = bytes(whole if content == "flipped" else whole[:-100])
    path.write_bytes(content)
    with pytest.raises(TrainingError, match="c: not a readable checkpoint"):
        Training(data, RECIPE).load(path)


# The integers


@pytest.mark.parametrize("king_buckets", [1, 3])
def test_rounding_is_measured_as_the_engine_s_integers_would_have_it(data, games, tmp_path, king_buckets):
    training = finished(
        Training(data, RECIPE._replace(epochs=6, rate=5e-3, king_buckets=king_buckets)), tmp_path / "c"
    )
    network = quantise(training.best, Variant("crazyhouse"), RECIPE.hidden, UNITS, {}, training.king_buckets)
    features, order = features_for(Variant("crazyhouse")), numbers(200)
    found, _ = decoded(games)
    records = np.concatenate([batch.positions for batch in read_positions(games, Variant("crazyhouse"))])[
        order
    ]
    played = np.array([network_reference.score(network, features, record) for record in records])
    exact, rounded = (training.logits(found, order, each) for each in (training.best, dequantise(network)))
    assert np.abs(rounded * network.scale - played).max() < 0.6  # half of it is the rounding to centipawns
    exact, rounded = (
        training.logits(data.held_out, vector=each) for each in (training.best, dequantise(network))
    )
    mean, most = rounding_errors(training, network, RECIPE.scale)
    assert most == pytest.approx(RECIPE.scale * np.abs(exact - rounded).max()) and 0 < mean < most < 25


def test_small_output_weights_are_rounded_finely(data):
    """A logit is worth much if results are nearly random, and then the output weights are small."""
    training = Training(data, RECIPE)
    weights = Rows.of(training.best, features_for(Variant("crazyhouse")).count, RECIPE.hidden)
    weights.outputs[:] = weights.outputs.clip(-1.9, 1.9)
    weights.outputs[0, 0] = 1.9
    coarse = quantise(training.best, Variant("crazyhouse"), RECIPE.hidden, UNITS, {})
    assert coarse.parts in (QB, QB + 1, QB + 2)
    weights.outputs[:] /= 20
    weights.output_bias[:] /= 20
    fine = quantise(training.best, Variant("crazyhouse"), RECIPE.hidden, 20 * UNITS, {})
    assert 19 * QB < fine.parts < 21.5 * QB
    check_network(fine, "some.network")
    as_coarse = np.rint(weights.outputs * QB).astype(np.int16)
    without = replace(fine, output_weights=as_coarse, output_bias=coarse.output_bias // 20, parts=QB)
    costs = [rounding_errors(training, each, each.scale)[0] for each in (fine, without)]
    assert costs[0] < costs[1] / 3


@pytest.mark.parametrize("units", [3, 120, 377, 2_000])
def test_network_counted_in_other_units_gives_the_same_scores(units):
    network = replace(random_network(Variant("crazyhouse"), 32, seed=5), parts=900)
    other = with_scale(network, units)
    assert other.scale == pytest.approx(max(units, network.scale * QB / network.parts), rel=0.05)
    features, position = features_for(Variant("crazyhouse")), Position("crazyhouse")
    for text in ("e2e4", "d7d5", "e4d5", "d8d5", "P@e4", "d5e4"):
        position.push(position.parse_move(text))
        one, two = (network_reference.score(each, features, position.state) for each in (network, other))
        assert two == pytest.approx(one, rel=0.02, abs=1) and abs(one) > 20


def test_network_continues_with_the_same_scores_at_another_scale(data):
    """The value of a logit may change between trainings; the scores of a position do not."""
    training = Training(data, RECIPE)
    begun = quantise(training.best, Variant("crazyhouse"), RECIPE.hidden, UNITS, {})
    plain, wide = (
        training.logits(data.held_out, vector=dequantise(begun, *units)) for units in ((), (2 * UNITS,))
    )
    assert np.abs(plain).max() > 0
    assert np.allclose(plain, 2 * wide, atol=1e-5)


def test_scale_of_a_network_is_in_units_of_the_evaluation(data):
    """A logit of 1 is 250 centipawns as people see them, and those are `scale` units of the evaluation."""
    vector = np.zeros(size_of(features_for(Variant("crazyhouse")).count, 16), np.float32)
    network = quantise(vector, Variant("crazyhouse"), 16, units_of(250.0, Variant("crazyhouse")), {})
    assert network.scale == build_weights(rules_for("crazyhouse"), load("crazyhouse"))["scale"]


def test_weights_that_would_overflow_are_cut_and_only_those():
    features = features_for(Variant("crazyhouse"))
    inputs = np.zeros((features.count, 16), np.int16)
    inputs[: features.hands, 3] = 510
    inputs[5, 4] = 400
    found = without_overflow(features, inputs, np.zeros(16, np.int16))
    least, most = accumulator_bounds(features, found, np.zeros(16, np.int16))
    assert 28_000 < most[3] <= 32_767 and least.min() >= -32_768
    assert np.array_equal(np.delete(found, 3, 1), np.delete(inputs, 3, 1))


@pytest.mark.parametrize("hidden", [16, 32, 80, 128])
def test_vector_comes_back_from_its_blocks(hidden):
    vector = np.random.default_rng(1).normal(size=size_of(7, hidden)).astype(np.float32)
    blocks = blocks_of(vector, 7, hidden)
    assert np.array_equal(rows_of(blocks, 7, hidden), vector)
    width = Blocks.of(blocks, 7, hidden).inputs.shape[2]
    row = Rows.of(vector, 7, hidden).inputs[3]
    assert np.array_equal(Blocks.of(blocks, 7, hidden).inputs[:, 3].ravel(), row) and hidden % width == 0


def test_views_of_a_vector_cover_it_once():
    vector = np.zeros(size_of(7, 16), np.float32)
    for view in Rows.of(vector, 7, 16):
        view += 1
    assert (vector == 1).all() and Views._fields == ("own", "other", "king_buckets")
