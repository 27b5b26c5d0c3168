"""Training targets: the TD target of a position, and weights that inputs share."""

from dataclasses import replace

import numpy as np
import pytest
from surajang.engine.definition.catalogue import load
from surajang.engine.rules import rules_for
from surajang.engine.variant import Variant
from surajang.eval.network.features import features_for
from surajang.eval.network.file import random_network
from surajang.eval.terms.weights import build_weights
from surajang.learn.self_play.compiled_games import NO_SCORE, Settings
from surajang.learn.self_play.game_player import GamePlayer
from surajang.learn.self_play.games_file import GamesFile, GamesReader, Header, encode
from surajang.learn.self_play.positions import read_positions
from surajang.learn.self_play.score_units import factor_to, multiplied
from surajang.learn.training.adam import Learnt, Schedule, catch_up, learnt_size, move_inputs, move_rest
from surajang.learn.training.decoding import Targets, td_target_before
from surajang.learn.training.factoriser import groups_for
from surajang.learn.training.gradients import MAX_INPUT, Rows, output_limits, rows_of, size_of
from surajang.learn.training.training import Training
from surajang.tests.support.self_played import write_games
from surajang.tests.support.training_data import RECIPE, decoded, training_set

pytestmark = pytest.mark.compiled

SETTINGS = Settings(nodes=20, plies=6, seed=5, most_plies=40)
DECAY = 0.8


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """A file of games."""
    path, player = (
        tmp_path_factory.mktemp("games") / "crazyhouse.games",
        GamePlayer(Variant("crazyhouse"), SETTINGS),
    )
    with GamesFile(path, Header.of(Variant("crazyhouse"), SETTINGS)) as file:
        for number in range(60):
            file.add(encode(player.play(number)), 1)
    return path


def td_targets(scores, result, decay, scale=250.0):
    """The TD target of each ply of a game, from the last ply backwards."""
    td_target, found = (result + 1) / 2, []
    for score in reversed(scores):
        if score != NO_SCORE:
            td_target = td_target_before.py_func(td_target, 1 / (1 + np.exp(-score / scale)), decay)
        found.append(td_target)
    return found[::-1]


def weighted(scores, result, decay):
    """The TD target by its definition: a sum over all plies to come, weights and all."""
    scores = [score for score in scores if score != NO_SCORE]
    chances = [1 / (1 + 10 ** (-score / (250 * np.log(10)))) for score in scores]
    shares = [(1 - decay) * decay**plies for plies in range(len(scores))]
    return sum(np.multiply(shares, chances)) + decay ** len(scores) * (result + 1) / 2


@pytest.mark.parametrize("decay", [0.0, 0.5, 0.9, 1.0])
@pytest.mark.parametrize(
    ("scores", "result"), [([NO_SCORE, 30, -400, NO_SCORE, 2000, -15], 1), ([100, 80, -60], -1)]
)
def test_td_target_is_the_weighted_mean_of_what_comes(scores, result, decay):
    expected = [weighted(scores[ply:], result, decay) for ply in range(len(scores))]
    assert td_targets(scores, result, decay) == pytest.approx(expected, abs=1e-6)


def test_td_target_with_decay_one_is_the_result():
    assert td_targets([10, 20, NO_SCORE], 0, 1.0) == [0.5] * 3 and td_targets([40], -1, 1.0) == [0]


def test_targets_are_the_mover_s_td_target(games):
    found, _ = decoded(games, targets=Targets(0.25, 250.0, DECAY))
    with GamesReader(games, Variant("crazyhouse")) as reader:
        played = {game.number: game for game in reader.games()}
    index = 0
    for batch in read_positions(games, Variant("crazyhouse")):
        for number, ply, side in zip(batch.games, batch.plies, batch.positions["side"], strict=True):
            game = played[int(number)]
            td_target = weighted(game.scores[ply:].astype(float), game.result, DECAY)
            chance = 1 / (1 + np.exp(-game.scores[ply] / 250))
            white = 0.25 * chance + 0.75 * td_target
            assert found.targets[index] == pytest.approx(1 - white if side else white, abs=1e-5)
            index += 1
    assert index == len(found.targets) > 100


def test_scores_of_players_with_other_units_are_converted(games, tmp_path):
    units = float(build_weights(rules_for("crazyhouse"), load("crazyhouse"))["scale"])
    with GamesReader(games, Variant("crazyhouse")) as reader:
        played = list(reader.games())

    def read(network, scale, units):
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.games"
        header = Header.of(Variant("crazyhouse"), SETTINGS)._replace(network=network)
        write_games(path, played, header)
        factor = factor_to(units, header.network, Variant("crazyhouse"))
        assert training_set([path], units=units).survey.files[0].factor == factor
        return decoded(path, targets=Targets(0.25, scale, DECAY), factor=factor)[0].targets

    plain = read(None, 250.0, units)
    for same in (read(None, 250.0, None), read({}, 250.0, 77.0), read({"units": 77}, 250.0, 77.0)):
        assert (same == plain).all()
    halved, wider = read({"units": units / 2}, 250.0, units), read(None, 500.0, units)
    assert (read(None, 250.0, 2.0 * units) == halved).all()
    assert halved == pytest.approx(wider, abs=0.002) and np.abs(halved - plain).max() > 0.1


@pytest.mark.parametrize(
    ("scale", "metadata", "units"),
    [
        (500, {"seed": 3}, 500),
        (300, {"search_factor": 0.6}, 500),
        (300, {"units": 500, "search_factor": 0.6}, 500),
    ],
)
def test_headers_record_the_units_of_networks_that_do_not(scale, metadata, units):
    """The first networks were written without them."""
    game = Variant("crazyhouse")
    network = replace(random_network(game, 16, seed=1), scale=scale, metadata=metadata)
    header = Header.of(game, SETTINGS, network)
    assert header.network == metadata | {"units": units} and factor_to(250, header.network, game) == 2


def test_scores_of_mates_and_of_nothing_searched_stay():
    scores = np.array([NO_SCORE, 31_990, -31_995, 10_000, -7, 1, 0], np.int16)
    assert multiplied(scores, 4.0).tolist() == [NO_SCORE, 31_990, -31_995, 30_000, -28, 4, 0]


def test_scores_are_counted_as_they_are_converted(games):
    """By the results of White; the factor of the games' scores counts."""
    units = float(build_weights(rules_for("crazyhouse"), load("crazyhouse"))["scale"])
    batches = list(read_positions(games, Variant("crazyhouse")))
    scores = np.concatenate([batch.scores for batch in batches])
    results = np.concatenate([batch.results for batch in batches])
    for factor in (1.0, 0.5):
        found = training_set([games], units=units / factor).survey.counted
        converted = multiplied(scores, factor)
        near = np.abs(converted) <= 1000
        for result in (-1, 0, 1):
            expected = np.bincount(converted[near & (results == result)].astype(int) + 1000, minlength=2001)
            assert np.array_equal(found[:, result + 1], expected)


@pytest.mark.parametrize("variant", ["crazyhouse", "janggi"])
def test_groups_are_by_kind_and_by_square(variant):
    features, (groups, count) = features_for(Variant(variant)), groups_for(Variant(variant))
    none = count - 1
    kinds, squares = features.kinds, features.squares
    for owner in range(2):
        for kind in range(kinds):
            first = (owner * kinds + kind) * squares
            assert set(groups[0, first : first + squares]) == {owner * kinds + kind}
            assert len(set(groups[1, first : first + squares])) == squares
    by_square = groups[1, : features.hands].reshape(2, kinds, squares)
    assert (by_square == by_square[:, :1]).all() and not set(by_square[0, 0]) & set(by_square[1, 0])
    hands = groups[0, features.hands : features.state]
    assert [list(hands).count(group) for group in dict.fromkeys(hands.tolist())] == [
        *features.limits[: features.hand_kinds].tolist()
    ] * 2
    assert (groups[1, features.hands :] == none).all() and (groups[0, features.state :] == none).all()
    used = set(groups.ravel().tolist()) - {none}
    assert used == set(range(none))


class State:
    """The trained parameters of inputs in three king buckets, 16 neurons each, and the network's weights."""

    king_buckets, hidden = 3, 16

    def __init__(self, steps=50, decay=0.0, rate=1e-2):
        self.features = features_for(Variant("crazyhouse")).count
        self.groups, count = groups_for(Variant("crazyhouse"))
        self.counts = (self.king_buckets * self.features, self.features, count)
        vectors = (np.zeros(learnt_size(self.hidden, self.counts), np.float32) for _ in range(3))
        self.known = [Learnt.of(vector, self.hidden, self.counts) for vector in vectors]
        self.inputs = np.zeros((1, self.counts[0], self.hidden), np.float32)
        self.gradients = np.zeros((2, size_of(self.counts[0], self.hidden)), np.float32)
        self.sums = np.zeros((1, self.features, self.hidden), np.float32)
        self.touched, self.last = np.zeros(self.counts[0], np.uint8), np.zeros(self.counts[0], np.int64)
        self.schedule = Schedule.of(np.full(steps, rate), decay, decay)
        self.step = 0

    @property
    def rows(self):
        """Rows of the parameters, by input; also the gradients of both threads."""
        return [array[0] for array in (self.known[0].inputs, self.known[1].inputs, self.known[2].inputs)]

    def bring(self, touched):
        touched = np.asarray(touched, np.uint8)
        facts = (*self.known, self.inputs, self.groups, touched, self.last, self.schedule)
        catch_up(*facts, 0, self.features, self.step)

    def move(self, slopes, touched):
        """A step with those slopes, a row for each input."""
        self.touched[:] = touched
        self.bring(self.touched)
        half = (0.25 * slopes).astype(np.float32)
        size = slopes.size
        self.gradients[0, :size], self.gradients[1, :size] = half.ravel(), (slopes - half).ravel()
        self.step += 1
        facts = (
            *self.known,
            self.gradients,
            self.sums,
            self.features,
            self.touched,
            self.last,
            self.schedule,
        )
        for first, behind in ((0, 500), (500, self.features)):
            move_inputs(*facts, first, behind, np.float32(1), self.step)
        assert not self.gradients[:, :size].any() and not self.touched.any()


def dense_adam(slopes, rate, decay):
    """Weights, means and squares after steps with these slopes, by the definition, from 0."""
    weights, means, squares = (np.zeros(slopes.shape[1:]) for _ in range(3))
    for step, slope in enumerate(slopes, 1):
        means = 0.9 * means + 0.1 * slope
        squares = 0.999 * squares + 0.001 * slope**2
        scale = np.sqrt(squares / (1 - 0.999**step)) + 1e-8
        weights = (1 - rate * decay) * weights - rate * means / (1 - 0.9**step) / scale
    return weights, means, squares


@pytest.mark.parametrize("decay", [0.0, 3.0])
def test_inputs_that_come_rarely_move_as_if_they_were_moved_in_every_step(decay):
    steps, rate, rng = 60, 1e-2, np.random.default_rng(5)
    state = State(steps, decay, rate)
    every = np.zeros((steps, state.counts[0], state.hidden))
    for step in range(steps):
        touched = rng.random(state.counts[0]) < np.array([1.0, 0.3, 0.06]).repeat(state.features)
        slopes = rng.normal(0.3, 1, every[0].shape) * touched[:, None] * (step < 45)
        every[step] = slopes
        state.move(slopes, touched)
    state.bring(np.ones(state.counts[0]))
    weights, means, squares = dense_adam(every, rate, decay)
    found = state.rows
    assert np.allclose(found[1], means, rtol=1e-3, atol=1e-6)
    assert np.allclose(found[2], squares, rtol=1e-3, atol=1e-6)
    assert np.allclose(found[0], weights, rtol=1e-3, atol=1e-5)
    assert (np.abs(weights.reshape(state.king_buckets, -1)).mean(axis=1) > 0.005).all()


def test_inputs_that_never_come_only_decay():
    state = State(20, decay=5.0)
    state.known[0].inputs[:] = 1
    for _ in range(20):
        state.move(np.zeros((state.counts[0], state.hidden)), np.arange(state.counts[0]) < 10)
    state.bring(np.ones(state.counts[0]))
    assert np.allclose(state.known[0].inputs, (1 - 1e-2 * 5) ** 20, rtol=1e-5)


def test_network_has_the_sum_of_what_an_input_is_its_feature_and_its_groups():
    """None larger than a file holds."""
    state, rng = State(), np.random.default_rng(3)
    for array in (state.known[0].inputs, state.known[0].features, state.known[0].groups):
        array[:] = rng.normal(0, 0.6, array.shape)
    state.bring(np.ones(state.counts[0]))
    own, features, groups = (array[0].astype(float) for array in state.known[0][:1] + state.known[0][2:])
    for king_bucket in range(state.king_buckets):
        rows = slice(king_bucket * state.features, (king_bucket + 1) * state.features)
        expected = own[rows] + features + groups[state.groups[0]] + groups[state.groups[1]]
        assert np.allclose(state.inputs[0, rows], expected.clip(-MAX_INPUT, MAX_INPUT), atol=1e-5)
        assert (np.abs(expected) > MAX_INPUT).any()


def test_groups_learn_from_the_slopes_of_all_their_inputs():
    """In the first step Adam moves by the rate against the sign of the slope."""
    state, rng = State(), np.random.default_rng(4)
    slopes = rng.normal(0, 1, (state.counts[0], state.hidden))
    state.move(slopes, np.ones(state.counts[0]))
    by_feature = slopes.reshape(state.king_buckets, state.features, -1).sum(0)
    assert np.allclose(state.known[0].features[0], -1e-2 * np.sign(by_feature), atol=1e-4)
    limits = np.full((1, *state.known[0].groups.shape[1:]), MAX_INPUT, np.float32)
    limits[0, -1] = 0
    rest = state.gradients[:, state.counts[0] * state.hidden :]
    rest[:] = 1
    facts = (
        *state.known,
        rest,
        state.sums,
        state.groups,
        limits,
        output_limits(state.hidden),
        state.schedule,
    )
    move_rest(*facts, np.float32(1), state.step)
    sums = np.zeros((state.counts[2], state.hidden))
    for grouping in state.groups:
        np.add.at(sums, grouping, by_feature)
    found = state.known[0].groups[0]
    assert np.allclose(found[:-1], -1e-2 * np.sign(sums[:-1]), atol=1e-4) and not found[-1].any()
    assert np.allclose(state.known[0].rest, -1e-2, atol=1e-5) and not rest.any()


def test_training_moves_groups_and_leaves_the_empty_one(games):
    training = Training(training_set([games]), RECIPE._replace(blend=0.0, epochs=2))
    list(training.steps())
    groups, count = groups_for(Variant("crazyhouse"))
    features, hidden = features_for(Variant("crazyhouse")).count, RECIPE.hidden
    whole, own = Rows.of(training.weights.vector(), features, hidden), training.weights.own
    shared = own[-count * hidden :].reshape(count, hidden)
    pawn = [piece.letter for piece in load("crazyhouse").pieces].index("P")
    assert shared[groups[0, pawn * 64 + 20]].any() and not shared[-1].any()
    mine = Rows.of(rows_of(own[: size_of(features, hidden)].copy(), features, hidden), features, hidden)
    assert np.allclose(whole.inputs, mine.inputs + shared[groups].sum(0), atol=1e-6)
    assert np.array_equal(whole.outputs, mine.outputs) and np.array_equal(whole.bias, mine.bias)


@pytest.mark.parametrize("share", [0.25, 1.0])
def test_average_is_that_of_the_weights_of_the_last_steps(games, share):
    data = training_set([games])
    training = Training(data, RECIPE._replace(epochs=3, batch=64, average=share))
    first = training.total - round(share * training.total)
    found = []
    while not training.is_over():
        for _ in training.steps():
            if training.step > first:
                found.append(training.weights.vector())
    assert len(found) == training.total - first > 3
    assert np.allclose(training.candidate(), np.mean(found, axis=0), atol=1e-6)
    assert not np.allclose(training.candidate(), found[-1], atol=1e-4)
    tested = training.errors(data.held_out, vector=np.mean(found, axis=0, dtype=np.float32)).mean()
    assert training.history[-1].held_out == pytest.approx(tested, rel=1e-4)


def test_share_of_the_result_in_the_target_grows(games, monkeypatch):
    """From 0 in the first step to the full share at the end, which the tests use."""
    data, shares = training_set([games]), []
    training = Training(data, RECIPE._replace(epochs=2, batch=64, result_share=0.6))
    learn = training.weights.learn

    def note(samples, order, salt, power, share):
        shares.append(share)
        return learn(samples, order, salt, power, share)

    monkeypatch.setattr(training.weights, "learn", note)
    while not training.is_over():
        list(training.steps())
    assert shares == pytest.approx(0.6 * np.arange(training.total) / training.total)
    tested, results = data.held_out, (data.held_out.results + 1.0) / 2
    chances = 1 / (1 + np.exp(-training.logits(tested).astype(float)))
    expected = np.abs(chances - (0.4 * tested.targets + 0.6 * results)) ** RECIPE.power
    assert training.errors(tested) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize(("epochs", "ends"), [(0.5, [0.5]), (2, [1, 2]), (2.25, [1, 2, 2.25])])
def test_training_may_end_within_an_epoch(games, epochs, ends):
    training = Training(training_set([games]), RECIPE._replace(epochs=epochs, batch=64))
    while not training.is_over():
        list(training.steps())
    batches = training.batches
    assert training.step == training.total == round(epochs * batches)
    assert [epoch.epoch for epoch in training.history] == pytest.approx(ends, abs=0.5 / batches)
    assert training.rate() == pytest.approx(RECIPE.final_rate, rel=0.5) or training.total < 20
    assert training.all_positions == training.positions == 64 * training.total
