"""Training of networks: what is learnt from, that gradients are right, and that a run can be cut anywhere."""

import random
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from surajang import Position
from surajang.engine.definition import fen as fens
from surajang.engine.definition.catalogue import load
from surajang.engine.rules import rules_for
from surajang.eval.network.features import features_for, write_active_features
from surajang.eval.network.file import QB, accumulator_bounds, check_network, random_network
from surajang.eval.terms.weights import build_weights
from surajang.learn.self_play.compiled_games import Settings
from surajang.learn.self_play.games_file import GamesError
from surajang.learn.self_play.positions import read_positions
from surajang.learn.training import training as training_module
from surajang.learn.training.gradients import (
    CHUNK,
    MAX_INPUT,
    Views,
    Weights,
    add_gradients,
    limits_of,
    size_of,
)
from surajang.learn.training.mirroring import anchors, is_mirror_symmetric, mirrored, other_side
from surajang.learn.training.quantisation import counted_in, fitting, floating, quantised, rounding_errors
from surajang.learn.training.score_units import units_of
from surajang.learn.training.training import LEVEL_EPOCHS, Epoch, Recipe, Training, TrainingError, train
from surajang.learn.training.training_set import (
    TrainingSet,
    fitted_scale,
    games_files,
    is_held_out,
    read_training_set,
)
from surajang.tests.support import network_reference
from surajang.tests.support.self_played import write_self_play, write_training_games

pytestmark = pytest.mark.compiled

SETTINGS = Settings(nodes=20, plies=6, seed=3, most_plies=60)
GAMES = 80
RECIPE = Recipe(hidden=16, epochs=3, blend=0.7, decay=1.0, batch=256, seed=4)
UNITS = 250  # of the search, for a logit
SYMMETRIC = ("crazyhouse", "pandemonium", "janggi", "minishogi", "xxl")


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """A file of games."""
    return write_training_games(tmp_path_factory.mktemp("games") / "crazyhouse.games", GAMES, SETTINGS)


@pytest.fixture(scope="module")
def data(games):
    return read_training_set([games], "crazyhouse", RECIPE.blend, RECIPE.scale)


def features_of(position, perspective):
    features = features_for(position.variant)
    found = np.zeros(features.most, np.uint16)
    count = write_active_features(features, np.array([position.state]), perspective, found)
    return found[:count]


CASTLED = "r1bq1rk1/pppppppp/2n2n2/8/8/2N2N2/PPPPPPPP/R1BQ1RK1[BPbp] w - - 0 1"  # the start of crazyhouse


@cache
def walk(variant, moves=60, start=None):
    """Positions of a random game."""
    rng, position, found = random.Random(variant), Position(variant, start), []
    while len(found) < moves and not position.result():
        found.append(position.fen())
        position.push(rng.choice(sorted(position.legal_moves(), key=str)))
    return [Position(variant, fen) for fen in found]


def mirrored_fen(position):
    """The position with its files mirrored, without castling rights."""
    board, turn, *_ = position.fen().split()
    board, _, hands = board.partition("[")
    description = position.description
    setup = fens.parse(position.fen(), description)
    setup.board = {
        square - square % description.files + description.files - 1 - square % description.files: piece
        for square, piece in setup.board.items()
    }
    rows = []
    for rank in reversed(range(description.ranks)):
        row, gap = "", 0
        for file in range(description.files):
            piece = setup.board.get(rank * description.files + file)
            if piece is None:
                gap += 1
                continue
            side, letter = piece
            row += (str(gap) if gap else "") + (letter if side == 0 else letter.lower())
            gap = 0
        rows.append(row + (str(gap) if gap else ""))
    return "/".join(rows) + ("[" + hands if hands else "") + f" {turn} - - 0 1"


# What is learnt from


@pytest.mark.parametrize("variant", ["crazyhouse", "pandemonium", "janggi", "chess", "minishogi"])
def test_other_side_s_features_follow_from_the_mover_s(variant):
    table = other_side(variant)
    for position in walk(variant):
        assert sorted(table[features_of(position, 0)]) == sorted(features_of(position, 1))
    assert np.array_equal(table[table], np.arange(len(table)))


@pytest.mark.parametrize(
    ("variant", "start"), [("crazyhouse", CASTLED), ("janggi", None), ("minishogi", None)]
)
def test_mirrored_features_are_those_of_the_mirrored_position(variant, start):
    table, fixed, tried = mirrored(variant), anchors(variant), 0
    for position in walk(variant, start=start):
        found = features_of(position, 0)
        if not fixed[found].any():
            other = Position(variant, mirrored_fen(position))
            assert sorted(table[found]) == sorted(features_of(other, 0))
            tried += 1
    assert tried > 20


def test_position_is_not_mirrored_while_a_king_may_stand_where_it_castles_from():
    fixed = anchors("crazyhouse")

    def may_be_mirrored(fen):
        position = Position("crazyhouse", fen)
        return not any(fixed[features_of(position, side)].any() for side in range(2))

    assert may_be_mirrored("2k5/8/8/8/8/8/8/6K1[] w - - 0 1")
    assert not may_be_mirrored("2k5/8/8/8/8/8/8/4K3[] w - - 0 1")
    assert not may_be_mirrored("2k5/8/8/8/8/8/8/3K4[] w - - 0 1")
    assert not may_be_mirrored("4k3/8/8/8/8/8/8/6K1[] w - - 0 1")
    assert not may_be_mirrored("r3k2r/8/8/8/8/8/8/R5K1[] w kq - 0 1")


def test_games_that_tell_left_from_right_are_never_mirrored(tmp_path):
    path = tmp_path / "lefty.toml"
    path.write_text(
        'extends = "minishogi"\nname = "lefty"\ntitle = "Lefty"\n[pieces]\nG = { moves = "fWlW" }\n'
    )
    assert not is_mirror_symmetric(load(str(path)))
    assert anchors(str(path)).all()
    assert all(is_mirror_symmetric(load(variant)) for variant in SYMMETRIC)


def test_training_set_holds_what_the_reader_keeps(data, games):
    batches = list(read_positions(games, "crazyhouse"))
    records = np.concatenate([batch.positions for batch in batches])
    assert len(data.scores) == len(records) == len(data.train) + len(data.held_out)
    scores = np.concatenate([batch.scores for batch in batches])
    results = np.concatenate([batch.results for batch in batches])
    features, found = features_for("crazyhouse"), np.zeros(200, np.uint16)
    for index in range(0, len(records), 7):
        side = int(records["side"][index])
        count = write_active_features(features, records[index : index + 1], side, found)
        row = slice(*data.samples.starts[index : index + 2])
        assert np.array_equal(data.samples.rows[row], found[:count])
        sign = -1 if side else 1
        assert data.scores[index] == sign * scores[index]
        assert data.results[index] == sign * results[index]
        pieces = int(np.bitwise_count(records["colours"][index]).sum())
        assert data.samples.buckets[index] == min(7, (pieces - 1) * 8 // 32)
        expected = 0.7 / (1 + np.exp(-data.scores[index] / 250)) + 0.3 * (data.results[index] + 1) / 2
        assert data.samples.targets[index] == pytest.approx(expected, abs=1e-6)


def test_position_takes_less_than_a_hundred_bytes(data):
    arrays = (*data.samples, data.scores, data.results, data.train, data.held_out)
    assert sum(array.nbytes for array in arrays) / len(data.scores) < 100


def test_game_is_held_out_as_a_whole_and_in_every_file(data, games, tmp_path):
    batches = list(read_positions(games, "crazyhouse"))
    numbers = np.concatenate([batch.games for batch in batches])
    held_out = set(numbers[data.held_out].tolist())
    assert held_out and not held_out & set(numbers[data.train].tolist())
    copy = tmp_path / "copy.games"
    copy.write_bytes(games.read_bytes())
    both = read_training_set([games, copy], "crazyhouse", 0.7, 250.0)
    assert len(both.held_out) == 2 * len(data.held_out)


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
        read_training_set([path], "crazyhouse", 0.7, 250.0)


@pytest.mark.parametrize("scale", [80, 320, 1600])
def test_scale_of_scores_is_found_again(scale):
    rng = np.random.default_rng(2)
    scores = rng.normal(0, 400, 500_000).astype(np.int16)
    results = np.where(rng.random(len(scores)) < 1 / (1 + np.exp(-scores / scale)), 1, -1)
    assert fitted_scale(scores, results) == pytest.approx(scale, rel=0.05)


def test_scores_of_drawn_games_mean_little():
    """The curve is flat where nearly every game is drawn, and there is none steeper where nothing is lost."""
    scores = np.array([-500, -200, 100, 300, 900] * 200, np.int16)
    results = np.sign(scores) * (np.arange(1000) // 5 % 20 == 7)
    assert 3000 < fitted_scale(scores, results) < 20_000
    assert fitted_scale(scores, np.sign(scores)) < 50


# The step


def own_king_s_zone(rows, zones):
    """The zone of the own king among active features, seen by its side; each feature of a king names it."""
    features, king = features_for("crazyhouse"), rules_for("crazyhouse").king_kind
    squares = [row - king * features.squares for row in rows.tolist()]
    return next(int(zones[square]) for square in squares if 0 <= square < features.squares)


def reference_error(vector, data, order, power, zones=None):
    """The sum of errors in plain NumPy and float64."""
    count = features_for("crazyhouse").count
    inputs = count if zones is None else count * (int(zones.max()) + 1)
    weights = Weights.of(vector.astype(np.float64), inputs, RECIPE.hidden)
    table, samples, total = other_side("crazyhouse"), data.samples, 0.0
    for index in order:
        own = samples.rows[slice(*samples.starts[index : index + 2])]
        views = [own.astype(int), table[own].astype(int)]
        if zones is not None:
            views = [rows + count * own_king_s_zone(rows, zones) for rows in views]
        sums = [weights.bias + weights.inputs[rows].sum(0) for rows in views]
        clipped = np.concatenate(sums).clip(0, 1) ** 2
        bucket = samples.buckets[index]
        logit = weights.outputs[bucket] @ clipped + weights.output_bias[bucket]
        total += abs(1 / (1 + np.exp(-logit)) - samples.targets[index]) ** power
    return total


@pytest.mark.parametrize(("power", "zones"), [(2.0, 1), (2.5, 1), (2.5, 3)])
def test_gradient_is_the_slope_of_the_error(data, power, zones):
    """By central differences, for the weights with the steepest slopes and some others."""
    training = Training(data, RECIPE._replace(zones=zones))
    count, rng = zones * features_for("crazyhouse").count, np.random.default_rng(6)
    vector = training.vector + rng.normal(0, 0.05, len(training.vector)).astype(np.float32)
    order = data.train[: CHUNK + 5]
    gradient = np.zeros_like(vector)
    weights, found = (Weights.of(each, count, RECIPE.hidden) for each in (vector, gradient))
    error = add_gradients(data.samples, training.views, order, weights, found, power, 0)
    assert error == pytest.approx(reference_error(vector, data, order, power, training.zones), rel=1e-5)
    steep = np.argsort(np.abs(gradient))[-20:]
    for place in (*steep, *rng.integers(0, len(vector), 20), *range(len(vector) - 8, len(vector))):
        sides, step = [], 1e-5
        for sign in (1, -1):
            moved = vector.astype(np.float64)
            moved[place] += sign * step
            sides.append(reference_error(moved, data, order, power, training.zones))
        assert gradient[place] == pytest.approx((sides[0] - sides[1]) / (2 * step), rel=2e-3, abs=2e-4)


def test_only_features_that_occur_begin_with_weights(data, games, monkeypatch):
    """A feature that nothing teaches anything about is to stay 0. What occurs is looked up in slices."""
    monkeypatch.setattr(training_module, "SLICE", 1000)
    features, mirror = features_for("crazyhouse"), mirrored("crazyhouse")
    states = [state for batch in read_positions(games, "crazyhouse") for state in batch.positions]
    seen = {
        each
        for state in states
        for side in (0, 1)
        for each in network_reference.active(features, state, side)
    }
    seen |= {int(mirror[feature]) for feature in seen}
    weights = Weights.of(Training(data, RECIPE).vector, features.count, RECIPE.hidden)
    assert set(np.flatnonzero(weights.inputs.any(axis=1)).tolist()) == seen
    assert len(data.samples.rows) > 10_000 and len(seen) < features.count


def test_handful_of_positions_is_learnt_by_heart(data):
    few = data._replace(train=data.train[:40], held_out=data.train[:40])
    training = Training(few, RECIPE._replace(epochs=1000, batch=40, rate=1e-2))
    before = training.errors(few.train).mean()
    for _ in range(400):
        list(training.steps())
    assert training.errors(few.train).mean() < before / 100


def test_weights_stay_within_what_the_file_holds(data):
    training = Training(data, RECIPE._replace(rate=0.5))
    for _ in range(3):
        list(training.steps())
    limits = limits_of(features_for("crazyhouse").count, RECIPE.hidden)
    assert (np.abs(training.vector) <= limits).all()
    assert np.abs(training.vector).max() >= MAX_INPUT * 0.99
    network = quantised(training.vector, "crazyhouse", RECIPE.hidden, UNITS, {})
    check_network(network, "some.network")


def test_own_weights_of_inputs_decay_and_no_others(data):
    """By a part of themselves in the first step, besides what the gradient asks for."""
    decay, rate = 7.0, 1e-3
    first = Training(data, RECIPE).own
    plain, decayed = (Training(data, RECIPE._replace(weight_decay=each, rate=rate)) for each in (0.0, decay))
    for training in (plain, decayed):
        next(training.steps())
    inputs = features_for("crazyhouse").count * RECIPE.hidden
    lost = plain.own[:inputs] - decayed.own[:inputs]
    assert np.allclose(lost, rate * decay * first[:inputs], atol=1e-6) and np.abs(lost).max() > 1e-4
    assert np.array_equal(plain.own[inputs:], decayed.own[inputs:])


def test_features_that_no_position_has_learn_from_their_groups_alone(data):
    training = Training(data, RECIPE)
    list(training.steps())
    own, all_weights = (
        Weights.of(vector[: len(training.vector)], features_for("crazyhouse").count, RECIPE.hidden).inputs
        for vector in (training.own, training.vector)
    )
    pawn = [piece.letter for piece in load("crazyhouse").pieces].index("P")
    assert not own[pawn * 64 : pawn * 64 + 8].any() and all_weights[pawn * 64 : pawn * 64 + 8].any()
    assert own[pawn * 64 + 8 : pawn * 64 + 16].any()


# The run


def finished(training, path):
    assert train(training, path)
    return training


def test_error_on_held_out_games_falls(data, tmp_path):
    fifth = len(data.train) // 5  # the one game that is held out says too little
    split = data._replace(train=data.train[:-fifth], held_out=data.train[-fifth:])
    training = Training(split, RECIPE._replace(epochs=8, rate=5e-3))
    before = training.errors(split.held_out).mean()
    finished(training, tmp_path / "c")
    assert min(epoch.held_out for epoch in training.history) < 0.8 * before


@pytest.mark.parametrize("threads", [1, 3])
def test_run_can_be_repeated_and_cut_anywhere(data, tmp_path, threads):
    recipe = RECIPE._replace(threads=threads)
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
    assert np.array_equal(cut.vector, whole.vector) and np.array_equal(cut.best, whole.best)
    assert cut.history == whole.history


def test_other_seed_gives_another_network(data, tmp_path):
    one, other = (Training(data, RECIPE._replace(seed=seed, epochs=1)) for seed in (1, 2))
    assert not np.array_equal(finished(one, tmp_path / "a").vector, finished(other, tmp_path / "b").vector)


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
    fewer = TrainingSet(*data[:2], data.scores + np.int16(1), *data[3:])
    with pytest.raises(TrainingError, match="other positions"):
        Training(fewer, RECIPE).load(path)


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
    with pytest.raises(TrainingError, match="c: not a checkpoint"):
        Training(data, RECIPE).load(path)


# The integers


@pytest.mark.parametrize("zones", [1, 3])
def test_rounding_is_measured_as_the_engine_s_integers_would_have_it(data, games, tmp_path, zones):
    training = finished(Training(data, RECIPE._replace(epochs=6, rate=5e-3, zones=zones)), tmp_path / "c")
    network = quantised(training.best, "crazyhouse", RECIPE.hidden, UNITS, {}, training.zones)
    features, order = features_for("crazyhouse"), data.held_out[:200]
    records = np.concatenate([batch.positions for batch in read_positions(games, "crazyhouse")])[order]
    played = np.array([network_reference.score(network, features, record) for record in records])
    exact, rounded = (training.logits(order, each) for each in (training.best, floating(network)))
    assert np.abs(rounded * network.scale - played).max() < 0.6  # half of it is the rounding to centipawns
    mean, most = rounding_errors(training, network, RECIPE.scale)
    assert RECIPE.scale * np.abs(exact - rounded).max() <= most + 0.01 and 0 < mean < most < 25


def test_small_output_weights_are_rounded_finely(data):
    """A logit is worth much where results are nearly luck, and the weights of the outputs are small then."""
    training = Training(data, RECIPE)
    weights = Weights.of(training.best, features_for("crazyhouse").count, RECIPE.hidden)
    weights.outputs[:] = weights.outputs.clip(-1.9, 1.9)
    weights.outputs[0, 0] = 1.9
    coarse = quantised(training.best, "crazyhouse", RECIPE.hidden, UNITS, {})
    assert coarse.parts in (QB, QB + 1, QB + 2)
    weights.outputs[:] /= 20
    weights.output_bias[:] /= 20
    fine = quantised(training.best, "crazyhouse", RECIPE.hidden, 20 * UNITS, {})
    assert 19 * QB < fine.parts < 21.5 * QB
    check_network(fine, "some.network")
    as_coarse = np.rint(weights.outputs * QB).astype(np.int16)
    without = replace(fine, output_weights=as_coarse, output_bias=coarse.output_bias // 20, parts=QB)
    costs = [rounding_errors(training, each, each.scale)[0] for each in (fine, without)]
    assert costs[0] < costs[1] / 3


@pytest.mark.parametrize("units", [3, 120, 377, 2_000])
def test_network_counted_in_other_units_gives_the_same_scores(units):
    network = replace(random_network("crazyhouse", 32, seed=5), parts=900)
    other = counted_in(network, units)
    assert other.scale == pytest.approx(max(units, network.scale * QB / network.parts), rel=0.05)
    features, position = features_for("crazyhouse"), Position("crazyhouse")
    for text in ("e2e4", "d7d5", "e4d5", "d8d5", "P@e4", "d5e4"):
        position.push(position.parse_move(text))
        one, two = (network_reference.score(each, features, position.state) for each in (network, other))
        assert two == pytest.approx(one, rel=0.02, abs=1) and abs(one) > 20


def test_network_goes_on_with_the_same_scores_by_another_scale(data):
    """What a logit is worth may change between trainings; what the network says of a position does not."""
    order = data.held_out[:50]
    begun = quantised(Training(data, RECIPE).vector, "crazyhouse", RECIPE.hidden, UNITS, {})
    plain, wide = floating(begun), floating(begun, 2 * UNITS)
    training = Training(data, RECIPE)
    assert np.abs(training.logits(order, plain)).max() > 0
    assert np.allclose(training.logits(order, plain), 2 * training.logits(order, wide), atol=1e-5)


def test_scale_of_a_network_is_in_units_of_the_evaluation(data):
    """A logit of 1 is 250 centipawns as people see them, and those are `scale` units of the evaluation."""
    vector = np.zeros(size_of(features_for("crazyhouse").count, 16), np.float32)
    network = quantised(vector, "crazyhouse", 16, units_of(250.0, "crazyhouse"), {})
    assert network.scale == build_weights(rules_for("crazyhouse"), load("crazyhouse"))["scale"]


def test_weights_that_would_overflow_are_cut_and_only_those():
    features = features_for("crazyhouse")
    inputs = np.zeros((features.count, 16), np.int16)
    inputs[: features.hands, 3] = 510
    inputs[5, 4] = 400
    found = fitting(features, inputs, np.zeros(16, np.int16))
    least, most = accumulator_bounds(features, found, np.zeros(16, np.int16))
    assert 28_000 < most[3] <= 32_767 and least.min() >= -32_768
    assert np.array_equal(np.delete(found, 3, 1), np.delete(inputs, 3, 1))


def test_views_of_a_vector_cover_it_once():
    vector = np.zeros(size_of(7, 16), np.float32)
    for view in Weights.of(vector, 7, 16):
        view += 1
    assert (vector == 1).all() and Views._fields == ("other", "mirrored", "zones")
