"""What networks learn: the outlook of a position, and weights that inputs share."""

import numpy as np
import pytest
from surajang.engine.definition.catalogue import load
from surajang.engine.rules import rules_for
from surajang.eval.network.features import features_for
from surajang.eval.terms.weights import build_weights
from surajang.learn.self_play.compiled_games import NO_SCORE, Settings
from surajang.learn.self_play.game_player import GamePlayer
from surajang.learn.self_play.games_file import GamesFile, GamesReader, Header, encode
from surajang.learn.self_play.positions import read_positions
from surajang.learn.training.factoriser import add_factors, gather_factors, groups_for
from surajang.learn.training.gradients import MAX_INPUT, Weights, limits_of, size_of
from surajang.learn.training.score_units import multiplied
from surajang.learn.training.td_targets import write_outlooks
from surajang.learn.training.training import Recipe, Training
from surajang.learn.training.training_set import read_training_set
from surajang.tests.support.self_played import write_games

pytestmark = pytest.mark.compiled

SETTINGS = Settings(nodes=20, plies=6, seed=5, most_plies=40)
DECAY = 0.8


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """A file of games."""
    path, player = tmp_path_factory.mktemp("games") / "crazyhouse.games", GamePlayer("crazyhouse", SETTINGS)
    with GamesFile(path, Header.of("crazyhouse", SETTINGS)) as file:
        for number in range(60):
            file.add(encode(player.play(number)), 1)
    return path


def outlooks(ends, scores, results, decay, scale=250.0):
    found = np.zeros(len(scores), np.float32)
    arrays = (np.array(ends), np.array(scores, np.int16), np.array(results, np.int8))
    write_outlooks(*arrays, decay, scale, found)
    return found


def weighted(scores, result, decay):
    """The outlook by its definition: a sum over all plies to come, weights and all."""
    scores = [score for score in scores if score != NO_SCORE]
    chances = [1 / (1 + 10 ** (-score / (250 * np.log(10)))) for score in scores]
    shares = [(1 - decay) * decay**plies for plies in range(len(scores))]
    return sum(np.multiply(shares, chances)) + decay ** len(scores) * (result + 1) / 2


@pytest.mark.parametrize("decay", [0.0, 0.5, 0.9, 1.0])
def test_outlook_is_the_weighted_mean_of_what_comes(decay):
    first, second = [NO_SCORE, 30, -400, NO_SCORE, 2000, -15], [100, 80, -60]
    found = outlooks([6, 9], first + second, [1, -1], decay)
    expected = [weighted(first[ply:], 1, decay) for ply in range(6)]
    expected += [weighted(second[ply:], -1, decay) for ply in range(3)]
    assert found == pytest.approx(expected, abs=1e-6)


def test_outlook_with_decay_one_is_the_result():
    assert outlooks([2, 3, 5], [10, 20, 30, 40, NO_SCORE], [1, 0, -1], 1.0).tolist() == [1, 1, 0.5, 0, 0]


def test_targets_are_the_mover_s_outlook(games):
    data = read_training_set([games], "crazyhouse", 0.25, 250.0, DECAY)
    with GamesReader(games, "crazyhouse") as reader:
        played = {game.number: game for chunk in reader.chunks() for game in chunk.games()}
    index = 0
    for batch in read_positions(games, "crazyhouse"):
        for number, ply, side in zip(batch.games, batch.plies, batch.positions["side"], strict=True):
            game = played[int(number)]
            outlook = weighted(game.scores[ply:].astype(float), game.result, DECAY)
            chance = 1 / (1 + np.exp(-game.scores[ply] / 250))
            white = 0.25 * chance + 0.75 * outlook
            assert data.samples.targets[index] == pytest.approx(1 - white if side else white, abs=1e-5)
            index += 1
    assert index == len(data.scores) > 100


def test_scores_of_players_with_other_units_are_converted(games, tmp_path):
    units = build_weights(rules_for("crazyhouse"), load("crazyhouse"))["scale"]
    with GamesReader(games, "crazyhouse") as reader:
        played = [game for chunk in reader.chunks() for game in chunk.games()]

    def read(network, scale, units):
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.games"
        write_games(path, played, Header.of("crazyhouse", SETTINGS)._replace(network=network))
        return read_training_set([path], "crazyhouse", 0.25, scale, DECAY, units=units)

    plain = read(None, 250.0, units)
    for same in (read(None, 250.0, None), read({}, 250.0, 77.0), read({"units": 77}, 250.0, 77.0)):
        assert (same.scores == plain.scores).all() and (same.samples.targets == plain.samples.targets).all()
    halved, wider = read({"units": float(units) / 2}, 250.0, units), read(None, 500.0, units)
    assert np.abs(halved.scores - plain.scores / 2).max() <= 0.5 and np.abs(plain.scores).max() > 500
    assert (read(None, 250.0, 2.0 * float(units)).scores == halved.scores).all()
    assert halved.samples.targets == pytest.approx(wider.samples.targets, abs=0.002)
    assert np.abs(halved.samples.targets - plain.samples.targets).max() > 0.1


def test_scores_of_mates_and_of_nothing_searched_stay():
    scores = np.array([NO_SCORE, 31_990, -31_995, 10_000, -7, 1, 0], np.int16)
    assert multiplied(scores, 4.0).tolist() == [NO_SCORE, 31_990, -31_995, 30_000, -28, 4, 0]


@pytest.mark.parametrize("variant", ["crazyhouse", "janggi"])
def test_groups_are_by_kind_and_by_square(variant):
    features, (groups, count) = features_for(variant), groups_for(variant)
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


def test_factors_are_added_and_their_gradients_gathered():
    """Both against plain NumPy."""
    rng, (groups, count), hidden = np.random.default_rng(3), groups_for("crazyhouse"), 16
    features = features_for("crazyhouse").count
    size = size_of(features, hidden)
    own = rng.normal(0, 0.6, size + count * hidden).astype(np.float32)
    rows, shared = own[: features * hidden].reshape(features, hidden), own[size:].reshape(count, hidden)
    vector = np.zeros(size, np.float32)
    add_factors(vector, own, groups, 0, features, hidden, size, MAX_INPUT)
    expected = (rows + shared[groups[0]] + shared[groups[1]]).clip(-MAX_INPUT, MAX_INPUT)
    assert np.allclose(vector[: features * hidden].reshape(features, hidden), expected, atol=1e-6)
    assert (np.abs(expected) == MAX_INPUT).any() and not vector[features * hidden :].any()
    gathered = np.concatenate([own[:size], np.zeros(count * hidden, np.float32)])
    gather_factors(gathered, groups, features, hidden, size)
    sums = np.zeros((count, hidden))
    for grouping in groups:
        np.add.at(sums, grouping, rows.astype(np.float64))
    assert np.allclose(gathered[size:].reshape(count, hidden), sums, atol=1e-4)
    assert np.array_equal(gathered[:size], own[:size])


def test_training_moves_groups_and_leaves_the_empty_one(games):
    recipe = Recipe(hidden=16, epochs=2, batch=256, seed=4)
    data = read_training_set([games], "crazyhouse", recipe.blend, recipe.scale, recipe.decay)
    training = Training(data, recipe)
    list(training.steps())
    groups, count = groups_for("crazyhouse")
    features = features_for("crazyhouse").count
    shared = training.own[len(training.vector) :].reshape(count, 16)
    pawn = [piece.letter for piece in load("crazyhouse").pieces].index("P")
    assert shared[groups[0, pawn * 64 + 20]].any() and not shared[-1].any()
    own, whole = (
        Weights.of(each[: len(training.vector)], features, 16) for each in (training.own, training.vector)
    )
    assert np.allclose(whole.inputs, own.inputs + shared[groups].sum(0), atol=1e-6)
    assert np.array_equal(whole.outputs, own.outputs) and np.array_equal(whole.bias, own.bias)
    assert len(limits_of(features, 16)) == len(training.vector)
