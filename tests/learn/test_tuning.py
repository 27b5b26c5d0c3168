"""The parameters of the evaluation, fitted to games: the arithmetic is the evaluation's, and known parameters
are found again."""

import dataclasses
import random
from functools import cache

import numpy as np
import pytest
from surajang import Position
from surajang.engine.bench_positions import items_of
from surajang.engine.definition import catalogue
from surajang.engine.definition.fen import parse
from surajang.engine.rules import rules_for
from surajang.engine.variant import Variant
from surajang.eval.terms.weights import default_parameters
from surajang.learn.self_play.array_types import unpacked
from surajang.learn.tuning import fit as fitting
from surajang.learn.tuning.fit import Adam, Tuner
from surajang.learn.tuning.linear_terms import square_classes
from surajang.learn.tuning.nonlinear_terms import TERMS, differences, names_in, number, with_number
from surajang.learn.tuning.records import packed, records_of
from surajang.learn.tuning.samples import Sample, SampleError
from surajang.tests.support.games import SEARCHED_GAMES
from surajang.tests.support.inside import walked

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("interpreted_positions")]


GAMES = ("crazyhouse", "chess", "janggi")

every_game = pytest.mark.parametrize("variant", GAMES)

READ = ("colours", "movers", "board", "hands", "kings", "side")  # by the evaluation

SCALE = 400  # centipawns, of points that are drawn

DRAWS = 4


@cache
def fens(variant, count=150):
    """FENs of positions from random games."""
    return [position.fen() for position in walked(variant, (None,), count, seed=5, plies=80)]


def tuner_of(variant, positions, seed=1):
    """A tuner with arbitrary points and scores."""
    source = random.Random(seed)
    return Tuner(
        Variant(variant), [Sample(fen, source.randrange(-300, 300), source.random()) for fen in positions]
    )


def home(variant):
    """Default parameters of whole centipawns, as compiled code has them."""
    parameters = default_parameters(rules_for(variant), catalogue.load(variant))
    return dataclasses.replace(parameters, squares=np.round(parameters.squares))


# Positions


@pytest.mark.parametrize("variant", SEARCHED_GAMES)
def test_records_hold_what_the_evaluation_reads(variant):
    positions = [item.position for item in items_of(Variant(variant))]
    rules, description = rules_for(variant), catalogue.load(variant)
    setups = (parse(position.fen(), description) for position in positions)
    records = records_of(setups, len(positions), rules, description)
    for record, position in zip(records, positions, strict=True):
        for name in READ:
            assert np.array_equal(record[name], position.state[name]), (name, position.fen())


def test_evaluation_of_records_is_that_of_positions():
    """For all fields that it reads."""
    tuner = tuner_of("crazyhouse", fens("crazyhouse"))
    found = tuner.evaluations(home("crazyhouse"))
    tuner.positions = np.array([Position("crazyhouse", fen).state for fen in fens("crazyhouse")])
    assert np.array_equal(found, tuner.evaluations(home("crazyhouse")))
    assert len(set(found)) > 100


@pytest.mark.parametrize("squares", [9, 64, 90, 128, 150])
def test_bits_are_packed_by_square(squares):
    source = np.random.default_rng(squares)
    words = -(-squares // 64)
    bits = source.random((7, squares)) < 0.5
    boards = packed(bits, words)
    assert boards.shape == (7, words)
    for row, board in zip(bits, boards, strict=True):
        assert sum(int(word) << 64 * n for n, word in enumerate(board)) == sum(
            1 << int(square) for square in np.flatnonzero(row)
        )
    assert np.array_equal(unpacked(boards, squares), bits)


# Arithmetic


@every_game
def test_material_and_squares_are_counted_as_the_evaluation_counts(variant):
    tuner, first = tuner_of(variant, fens(variant)), home(variant)
    source = np.random.default_rng(3)
    values = tuner.counts.values(first)
    changed = np.round(values) + source.integers(-40, 40, len(values))
    second = tuner.counts.with_values(first, changed)
    second = dataclasses.replace(second, material=np.round(second.material))
    whole = changed[square_classes(tuner.rules, tuner.description)]
    second.squares = whole - second.material[:, None]
    base = tuner.counts.with_values(first, np.round(values))
    base = dataclasses.replace(base, material=np.round(base.material))
    base.squares = np.round(values)[square_classes(tuner.rules, tuner.description)] - base.material[:, None]
    difference = tuner.evaluations(second) - tuner.evaluations(base)
    assert np.array_equal(difference, tuner.counts.worth(changed - np.round(values)))
    assert len(np.unique(difference)) > 50


@every_game
def test_slope_is_the_transpose_of_worth(variant):
    counts = tuner_of(variant, fens(variant)).counts
    source = np.random.default_rng(4)
    values, error = source.normal(size=counts.classes), source.normal(size=len(fens(variant)))
    assert counts.worth(values) @ error == pytest.approx(values @ counts.slope(error))


@every_game
def test_values_become_parameters_and_values_again(variant):
    tuner, source = tuner_of(variant, fens(variant)), np.random.default_rng(6)
    counts, first = tuner.counts, home(variant)
    values = counts.values(first) + source.normal(size=counts.classes) * 30
    second = counts.with_values(first, values)
    classes = square_classes(tuner.rules, tuner.description)
    seen = np.isin(np.arange(tuner.rules.kinds), tuner.positions["board"])
    assert seen.sum() >= 6
    assert counts.values(second)[classes[seen]] == pytest.approx(values[classes[seen]])
    assert np.array_equal(second.squares[~seen], first.squares[~seen])
    royal = [kind for kind, piece in enumerate(catalogue.load(variant).pieces) if piece.royal]
    assert np.array_equal(second.material[royal], first.material[royal])
    assert first.material.tolist() == home(variant).material.tolist()


def test_material_is_the_mean_where_a_piece_was_seen():
    """A rook that stood only on e4 has its value there."""
    counts = tuner_of("chess", ["4k3/8/8/8/4R3/8/8/4K3 w - - 0 1"] * 100).counts
    first = home("chess")
    kind = [piece.letter for piece in catalogue.load("chess").pieces].index("R")
    whole = first.material[kind] + first.squares[kind]
    found = counts.with_values(first, counts.values(first))
    assert found.material[kind] == pytest.approx(whole[3 * 8 + 4], abs=0.01)
    assert found.material[kind] + found.squares[kind] == pytest.approx(whole)
    others = [k for k in range(len(first.material)) if k != kind]
    assert np.array_equal(found.material[others], first.material[others])


@every_game
def test_squares_are_mirrored_except_for_kings(variant):
    rules, description = rules_for(variant), catalogue.load(variant)
    classes = square_classes(rules, description).reshape(-1, description.ranks, description.files)
    for table, piece in zip(classes, description.pieces, strict=True):
        own = {(int(number), rank) for rank, row in enumerate(table) for number in row}
        if piece.royal:
            assert len(np.unique(table)) == rules.squares
        else:
            assert np.array_equal(table, table[:, ::-1])
            assert len(own) == len(np.unique(table)) == description.ranks * -(-description.files // 2)
    assert sorted(set(classes.ravel())) == list(range(classes.max() + 1))


def test_turned_position_is_worth_the_opposite():
    fen = "rnbqkb1r/ppp2ppp/8/8/2NP4/8/PPP3PP/R1BQKB1R w - - 0 1"
    board = "/".join(reversed(fen.split()[0].swapcase().split("/")))
    counts = tuner_of("chess", [fen, f"{board} w - - 0 1"] * 50).counts
    worth = counts.worth(np.random.default_rng(2).normal(size=counts.classes))
    assert worth[0] == pytest.approx(-worth[1])
    assert worth[0] != 0


@every_game
def test_differences_are_what_a_unit_changes(variant):
    tuner, centre = tuner_of(variant, fens(variant)), home(variant)
    changes, names = differences(centre, tuner.evaluations)
    assert changes.shape == (len(fens(variant)), len(names))
    sides = np.array([1 if fen.split()[1] == "w" else -1 for fen in fens(variant)])
    assert np.array_equal(changes[:, names.index(("tempo", 0))], sides)
    assert all(np.any(column) for column in changes.T)
    assert ("hand" in {name for name, _ in names}) == catalogue.load(variant).has_drops
    base = tuner.evaluations(centre)
    name = next(name for name in names if name[0] == "mobility")
    more = with_number(centre, *name, number(centre, *name) + TERMS["mobility"].step)
    assert np.corrcoef(tuner.evaluations(more) - base, changes[:, names.index(name)])[0, 1] > 0.9


def test_one_number_is_changed_and_the_others_stay():
    first = home("crazyhouse")
    names = names_in(first)
    assert {name for name, _ in names} == set(TERMS)
    for name in names:
        second = with_number(first, *name, 77.0)
        assert [other for other in names if number(first, *other) != number(second, *other)] == [name]
        assert number(second, *name) == 77.0


def test_adam_goes_to_the_bottom_of_a_bowl():
    bottom = np.array([3.0, -40.0, 0.5])
    place, adam = np.zeros(3), Adam(3, 1.0, 400)
    moves = []
    for _ in range(400):
        moves.append(adam.move(2 * (place - bottom) * np.array([1.0, 0.01, 100.0])))
        place = place + moves[-1]
    assert place == pytest.approx(bottom, abs=0.1)
    assert np.abs(moves).max() <= 1.0 + 1e-6
    assert moves[0] == pytest.approx(np.sign(bottom) * (1 - 0.9 / 400), rel=1e-4)


def drawn_fen(source):
    """A Crazyhouse position with pieces anywhere, one or two more of one side; it need not be reachable."""
    board, letters = [["."] * 8 for _ in range(8)], ["K", "k"]
    for letter in source.choices("PPPPNBRQ", k=8):
        letters += [letter, letter.lower()]
    letters += source.choices("PPPNNBBRRQQpppnnbbrrqq", k=source.randrange(1, 3))
    for letter, square in zip(letters, source.sample(range(8, 56), len(letters)), strict=True):
        board[square // 8][square % 8] = letter
    hand = "".join(source.choices("PNBRQpnbrq", k=source.randrange(3)))
    rows = ["".join("1" if letter == "." else letter for letter in row) for row in board]
    return f"{'/'.join(rows)}[{hand}] {source.choice('wb')} - - 0 1"


@cache
def drawn(count=3000):
    source = random.Random(11)
    return [drawn_fen(source) for _ in range(count)]


def labelled(truth, positions, seed=1):
    """Samples of Crazyhouse: the evaluation by the parameters `truth`, and the points of DRAWS games with the
    results that it predicts."""
    worth = tuner_of("crazyhouse", positions).evaluations(truth)
    source = np.random.default_rng(seed)
    points = source.binomial(DRAWS, 1 / (1 + np.exp(-worth / SCALE))) / DRAWS
    return [
        Sample(fen, int(score), float(won)) for fen, score, won in zip(positions, worth, points, strict=True)
    ]


def kind_of(letter):
    return [piece.letter for piece in catalogue.load("crazyhouse").pieces].index(letter)


def in_hand(letter):
    return [piece.letter for piece in catalogue.load("crazyhouse").hand_pieces].index(letter)


def changed_home():
    """Parameters that differ from the default ones by much, in a few numbers."""
    truth = home("crazyhouse")
    for letter, change in (("Q", 250), ("N", -150), ("R", 150), ("B", -100)):
        truth.material[kind_of(letter)] += change
    for letter, change in (("Q", -250), ("N", 150)):
        truth.hand[in_hand(letter)] += change
    return truth


@pytest.fixture(scope="module")
def learnt():
    """(the parameters that generated the points, the samples, the Fit)."""
    truth = changed_home()
    samples = labelled(truth, drawn())
    return truth, samples, Tuner(Variant("crazyhouse"), samples).fit(start=home("crazyhouse"), pull=0)


# Fits


def test_known_numbers_are_found_again(learnt):
    truth, _, fit = learnt
    default = home("crazyhouse")
    stretch = SCALE / fit.scale  # the fit knows the points only, and so no absolute centipawns
    for name, index in [("material", kind_of(letter)) for letter in "QNRB"] + [
        ("hand", in_hand(letter)) for letter in "QN"
    ]:
        wanted, before = getattr(truth, name)[index], getattr(default, name)[index]
        found = getattr(fit.parameters, name)[index] * stretch
        assert abs(found - wanted) < 0.4 * abs(before - wanted), (name, index, before, wanted, found)


def test_error_also_falls_on_held_out_samples(learnt):
    _, _, fit = learnt
    assert fit.after < fit.before - 0.01
    assert fit.held_after < fit.held_before - 0.005


def test_parameters_before_are_kept(learnt):
    _, _, fit = learnt
    assert np.array_equal(fit.first.material, home("crazyhouse").material)
    assert np.array_equal(fit.first.hand, home("crazyhouse").hand)


def flat(parameters):
    """All numbers in one row."""
    names = [field.name for field in dataclasses.fields(parameters)]
    return np.concatenate([np.ravel(getattr(parameters, name)) for name in names])


@pytest.fixture
def short(monkeypatch):
    """Fits that take no time and do not converge."""
    monkeypatch.setattr(fitting, "ROUNDS", 2)
    monkeypatch.setattr(fitting, "STEPS", 60)


def test_same_samples_give_the_same_fit(short, learnt):
    _, samples, _ = learnt
    one, other = (Tuner(Variant("crazyhouse"), samples).fit(start=home("crazyhouse")) for _ in range(2))
    assert np.array_equal(flat(one.parameters), flat(other.parameters))
    assert dataclasses.astuple(one)[2:] == dataclasses.astuple(other)[2:]


def test_samples_held_back_teach_nothing(short, learnt):
    _, samples, _ = learnt
    kept = round(0.9 * len(samples))
    other = samples[:kept] + [
        dataclasses.replace(sample, points=1 - sample.points, score=-sample.score)
        for sample in samples[kept:]
    ]
    fits = [Tuner(Variant("crazyhouse"), found).fit(start=home("crazyhouse")) for found in (samples, other)]
    assert np.array_equal(flat(fits[0].parameters), flat(fits[1].parameters))
    assert fits[1].held_after > fits[0].held_after
    first = [dataclasses.replace(samples[0], points=1 - samples[0].points), *samples[1:]]
    assert not np.array_equal(
        flat(Tuner(Variant("crazyhouse"), first).fit(start=home("crazyhouse")).parameters),
        flat(fits[0].parameters),
    )


def test_unit_of_the_scores_does_not_matter(short, learnt):
    """A network's centipawns may differ from the evaluation's, because scores are converted to predicted
    results."""
    _, samples, _ = learnt
    thirds = [dataclasses.replace(sample, score=3 * sample.score) for sample in samples]
    one, other = (
        Tuner(Variant("crazyhouse"), found).fit(start=home("crazyhouse"), share=0.5)
        for found in (samples, thirds)
    )
    assert one.before == pytest.approx(other.before, abs=1e-3)
    assert np.abs(flat(one.parameters) - flat(other.parameters)).max() < 20


def test_share_decides_between_scores_and_results(short, learnt):
    _, samples, _ = learnt
    wrong = [dataclasses.replace(sample, score=-sample.score) for sample in samples]
    kind = kind_of("Q")
    by_result, by_score = (
        Tuner(Variant("crazyhouse"), wrong)
        .fit(start=home("crazyhouse"), share=share)
        .parameters.material[kind]
        for share in (0.0, 1.0)
    )
    assert by_score < home("crazyhouse").material[kind] - 30 < by_result


def test_tuned_squares_are_mirrored_except_for_kings(learnt):
    _, _, fit = learnt
    for kind, piece in enumerate(catalogue.load("crazyhouse").pieces):
        table = fit.parameters.squares[kind].reshape(8, 8)
        assert np.allclose(table, table[:, ::-1]) != piece.royal, piece.letter


def test_numbers_stay_within_their_bounds():
    """Although all samples suggest the opposite: the side that moves or has more in hand loses."""
    truth = home("crazyhouse")
    truth = dataclasses.replace(
        truth, tempo=-300.0, hand=-truth.hand, crowd=2.0, mobility=truth.mobility - 30
    )
    truth.attack, truth.weak = truth.attack * 0 - 5, 0.0
    fit = Tuner(Variant("crazyhouse"), labelled(truth, drawn(800))).fit(start=home("crazyhouse"))
    at_bound = set()
    for name, index in names_in(fit.parameters):
        term, value = TERMS[name], number(fit.parameters, name, index)
        assert term.least - 1e-9 <= value <= term.most + 1e-9, (name, index)
        if min(abs(value - term.least), abs(value - term.most)) < 1e-9:
            at_bound.add(name)
    assert "tempo" in at_bound
    assert len(at_bound) > 1


def test_pull_keeps_numbers_at_home(learnt):
    _, samples, fit = learnt
    tuner, first = Tuner(Variant("crazyhouse"), samples), home("crazyhouse")
    near = tuner.fit(start=first, pull=1.0).parameters
    start = tuner.counts.values(first)
    assert np.abs(tuner.counts.values(near) - start).max() < 3
    assert np.abs(tuner.counts.values(fit.parameters) - start).max() > 100  # without a pull
    for name in names_in(first):
        assert abs(number(near, *name) - number(first, *name)) < 3 * TERMS[name[0]].pace, name


def test_scale_is_that_of_the_points():
    truth = home("crazyhouse")
    tuner = Tuner(Variant("crazyhouse"), labelled(truth, drawn()))
    assert tuner.scale(tuner.evaluations(truth)) == pytest.approx(SCALE, rel=0.12)


def test_progress_counts_positions_and_steps(short):
    told = []

    def track(work):
        told.append(len(work))
        return iter(work)

    samples = labelled(home("crazyhouse"), drawn(120))
    Tuner(Variant("crazyhouse"), samples, progress=track).fit(progress=track)
    assert told == [120, 120]  # positions; two rounds of sixty steps


def test_too_few_samples_are_refused():
    sample = Sample(catalogue.load("chess").start_fen, 0, 0.5)
    with pytest.raises(SampleError, match="99 positions are too few to learn from; 100 are the least"):
        Tuner(Variant("chess"), [sample] * 99)
    Tuner(Variant("chess"), [sample] * 100)


def test_fen_that_cannot_be_set_up_is_reported_with_its_line():
    start = catalogue.load("chess").start_fen
    samples = [Sample(start, 0, 0.5)] * 100 + [Sample("8/8 w - -", 0, 0.5, "some.samples, line 7")]
    with pytest.raises(SampleError, match=r"^some\.samples, line 7: '8/8 w - -': board: '8/8' has 2 ranks"):
        Tuner(Variant("chess"), samples)
