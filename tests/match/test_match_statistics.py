"""Statistics of matches, against figures that other testing tools printed and against simulation."""

import math
from operator import attrgetter

import numpy as np
import pytest
from surajang.match.results.ratings import ratings
from surajang.match.results.sprt import (
    H0,
    H1,
    Sprt,
    likeliest_with_mean,
    likeliest_with_strength,
    log_likelihood_ratio,
    parse_sprt,
)
from surajang.match.results.statistics import (
    Tally,
    elo_of_score,
    least_elo,
    mean_and_deviation,
    score_of_elo,
)

pytestmark = pytest.mark.pure

# Results, Elo and error, normalised Elo and error, likelihood of superiority in %, as fastchess printed them.
FASTCHESS = [
    # Disservin/fastchess issue 807
    ([30, 6, 18, 0, 6], (-168.40, 73.37), (-170.08, 62.16), 0.00),
    # lynx-chess/Lynx pull request 1899
    ([235, 1384, 2521, 1341, 239], (-1.06, 4.05), (-1.67, 6.37), 30.33),
    # Disservin/fastchess pull request 515
    ([0, 1, 4, 0, 0], (-34.86, 62.20), (-122.84, 215.34), 13.18),
    # brunocodutra/cinder pull requests 727 and 836
    ([50, 287, 610, 387, 73], (18.04, 8.23), (28.19, 12.84), 100.00),
    ([835, 6884, 13116, 7201, 852], (2.11, 1.70), (3.52, 2.83), 99.25),
    # Disservin/fastchess pull request 882
    ([72, 10, 0, 0, 0], (-600.97, 118.46), (-1409.98, 53.17), 0.00),
    # Games without pairs: Disservin/fastchess, app/tests/elo_test.cpp
    ([96, 111, 136], (40.70, 30.43), (49.77, 36.77), 99.60),
]
# Losses, draws, wins; Elo and error, superiority and draws in %, as cutechess-cli printed them.
CUTECHESS = [
    # cutechess/cutechess issue 543
    ([759, 1863, 880], (12.0, 7.9), 99.9, 53.2),
    # jw1912/Chess-Challenge pull request 22
    ([110, 85, 195], (77.0, 31.1), 100.0, 21.8),
    # brunocodutra/cinder pull request 570
    ([1037, 1925, 1038], (0.1, 7.7), 50.9, 48.1),
]
# Results, elo0, elo1, model and log-likelihood ratio.
RATIOS = [
    # Disservin/fastchess pull request 426 and app/tests/sprt_test.cpp
    ([365, 16618, 36229, 16974, 390], 0, 2, "normalized", 2.25),
    ([127, 4883, 10712, 5150, 104], -1.75, 0.25, "normalized", 3.01),
    ([36027, 68692, 36433], 0, 2, "normalized", 0.92),
    ([10650, 20431, 10871], -1.75, 0.25, "normalized", 2.30),
    ([223, 9863, 21279, 10037, 246], 0.5, 2.5, "logistic", -3.07),
    ([871, 26175, 55983, 26678, 821], 0, 2, "logistic", -4.98),
    ([21184, 40708, 21404], 0.5, 2.5, "logistic", -1.57),
    ([57030, 106593, 57433], 0, 2, "logistic", -2.59),
    ([68526, 128429, 68965], 0, 2, "bayesian", -1.26),
    ([21484, 41111, 21629], 0.5, 2.5, "bayesian", -1.13),
    # official-stockfish/fishtest issue 612
    ([608, 12530, 648], 0, 5, "bayesian", 0.63),
    # cutechess/cutechess issue 543
    ([759, 1863, 880], 0, 5, "logistic", 2.95),
    # Disservin/fastchess pull request 882: results far from even, with empty counts
    ([77, 1, 0, 0, 0], -1000, -500, "normalized", -2.95),
    ([72, 10, 0, 0, 0], -1000, -500, "normalized", -2.97),
    # Other runs of fastchess: brunocodutra/cinder pull requests 727, 773 and 836
    ([50, 287, 610, 387, 73], 0, 5, "normalized", 2.97),
    ([36, 340, 767, 462, 82], 0, 3, "normalized", 2.89),
    ([835, 6884, 13116, 7201, 852], 0, 3, "normalized", 2.89),
]


def tally_of(counts):
    """The tally of results of games or of pairs."""
    return Tally(list(counts)) if len(counts) == 3 else Tally(pairs=list(counts))


@pytest.mark.parametrize(("counts", "logistic", "normalised", "los"), FASTCHESS)
def test_estimates_are_those_of_fastchess(counts, logistic, normalised, los):
    assert tally_of(counts).elo[:2] == pytest.approx(logistic, abs=0.006)
    assert tally_of(counts).normalised_elo[:2] == pytest.approx(normalised, abs=0.006)
    assert 100 * tally_of(counts).superiority == pytest.approx(los, abs=0.006)


@pytest.mark.parametrize(("counts", "logistic", "los", "draws"), CUTECHESS)
def test_estimates_are_those_of_cutechess(counts, logistic, los, draws):
    assert tally_of(counts).elo[:2] == pytest.approx(logistic, abs=0.06)
    assert 100 * tally_of(counts).superiority == pytest.approx(los, abs=0.06)
    assert 100 * Tally(counts).draw_ratio == pytest.approx(draws, abs=0.06)


@pytest.mark.parametrize(("counts", "elo0", "elo1", "model", "expected"), RATIOS)
def test_likelihood_ratio_is_that_of_other_tools(counts, elo0, elo1, model, expected):
    assert log_likelihood_ratio(counts, elo0, elo1, model) == pytest.approx(expected, abs=0.006)


def test_likelihood_ratio_agrees_with_fishtest_to_its_last_digit():
    # Raw statistics page of montytest, a fishtest, for test 69d3c8dc7c5b3724e29d2712 ("exact").
    counts = [13, 37, 50, 25, 3]
    assert log_likelihood_ratio(counts, 0, 4) == pytest.approx(-0.54912, abs=6e-6)
    assert tally_of(counts).normalised_elo.value == pytest.approx(-63.97, abs=0.006)


def test_pair_ratio_and_even_pairs_are_those_of_fastchess():
    # brunocodutra/cinder pull request 727
    tally = Tally([670, 1328, 816], [50, 287, 610, 387, 73])
    assert tally.pair_ratio == pytest.approx(1.36, abs=0.006)
    assert 100 * tally.even_ratio == pytest.approx(43.35, abs=0.006)
    assert (tally.played, tally.points) == (2814, 1480)
    assert 100 * tally.score == pytest.approx(52.59, abs=0.006)


def test_elo_and_score_are_inverse():
    assert elo_of_score(score_of_elo(123.4)) == pytest.approx(123.4)
    assert score_of_elo(200) == pytest.approx(0.7597, abs=5e-5)  # FIDE's table has 0.76


def test_no_games_have_no_estimate():
    for estimate in (Tally().elo, Tally().normalised_elo):
        assert math.isnan(estimate.value) and str(estimate) == "-"
    assert math.isnan(Tally().superiority) and math.isnan(Tally().score) and math.isnan(Tally().pair_ratio)
    assert log_likelihood_ratio([0, 0, 0], 0, 5) == 0


def test_all_wins_are_infinite_elo_with_a_limit_below():
    tally = Tally([0, 0, 10], [0, 0, 0, 0, 5])
    assert tally.elo.value == math.inf
    assert (str(tally.elo), str(-tally.elo)) == ("above +183", "below -183")  # 0.05 ** (1 / 10) is 0.741
    assert str(Tally([1, 0, 0]).elo) == "below +512"
    assert tally.normalised_elo.value == math.inf
    assert 0.95 < tally.superiority < 1
    assert pytest.approx(score_of_elo(least_elo(10)) ** 10) == 0.05


def test_all_draws_are_even_with_an_unknown_error():
    tally = Tally([0, 8, 0], [0, 0, 4, 0, 0])
    assert tally.elo.value == tally.normalised_elo.value == 0
    assert str(tally.elo) == "+0.0 ± ?"
    assert tally.superiority == 0.5


def test_one_won_game_is_a_throw_of_a_coin():
    # cutechess-cli prints LOS 84.1 % for 1 - 0 - 0.
    assert 100 * tally_of([0, 0, 1]).superiority == pytest.approx(84.1, abs=0.05)


def test_error_is_infinite_where_the_interval_reaches_a_full_score():
    estimate = tally_of([77, 1, 0, 0, 0]).elo
    assert estimate.value == pytest.approx(-997.10, abs=0.006) and estimate.error == math.inf


def test_tally_of_the_opponent_is_the_mirror_image():
    tally = Tally([3, 2, 7], [1, 0, 2, 2, 1])
    assert (-tally).elo[:2] == pytest.approx((-tally.elo.value, tally.elo.error))
    assert (-tally).superiority == pytest.approx(1 - tally.superiority)
    assert (tally + -tally).elo.value == 0


def pairs_with_strength(strength):
    """A distribution of pairs, correlated as from uneven openings, that is `strength` nElo above even."""
    shares = np.array([0.05, 0.22, 0.44, 0.24, 0.05])
    return np.array(likeliest_with_strength(list(shares), math.sqrt(2) * strength * math.log(10) / 800))


@pytest.mark.parametrize("strength", [0, 40])
def test_errors_hold_the_truth_in_95_percent(strength):
    chances = pairs_with_strength(strength)
    truth = elo_of_score(float(chances @ [0, 0.25, 0.5, 0.75, 1]))
    samples = np.random.default_rng(7).multinomial(150, chances, size=3000).tolist()
    tallies = [Tally(pairs=sample) for sample in samples]
    for estimate, value in (("elo", truth), ("normalised_elo", strength)):
        figures = map(attrgetter(estimate), tallies)
        inside = [abs(figure - value) <= error for figure, error, _ in figures]
        assert 0.935 < np.mean(inside) < 0.965


@pytest.mark.slow
@pytest.mark.parametrize(("strength", "wrong"), [(0, H1), (80, H0)])
def test_sprt_errs_as_often_as_it_may(strength, wrong):
    sprt, generator = Sprt(0, 80, alpha=0.1, beta=0.1), np.random.default_rng(11)
    chances, verdicts = pairs_with_strength(strength), []
    for _ in range(300):
        pairs, verdict = np.zeros(5, int), None
        while not verdict:
            pairs += generator.multinomial(3, chances)
            verdict = sprt.verdict(sprt.llr(Tally(pairs=pairs.tolist())))
        verdicts.append(verdict)
    # Looking at three pairs at a time, and steps beyond the bound, keep the rate below 0.1.
    assert 0.04 < verdicts.count(wrong) / len(verdicts) < 0.13


def feasible(generator, shares, strength):
    """A random distribution near `shares` with a mean so many standard deviations above one half."""
    scores = np.linspace(0, 1, len(shares))
    start = generator.dirichlet(np.array(shares) * generator.choice([20, 200, 2000]) + 0.3)
    low, high = -200.0, 200.0
    for _ in range(200):
        tilt = (low + high) / 2
        weights = start * np.exp(tilt * (scores - (tilt > 0)))
        weights /= weights.sum()
        mean = weights @ scores
        deviation = math.sqrt(weights @ (scores - mean) ** 2)
        if mean - 0.5 < strength * deviation:
            low = tilt
        else:
            high = tilt
    return weights, mean - 0.5 - strength * deviation


@pytest.mark.slow
@pytest.mark.parametrize("counts", [[13, 37, 50, 25, 3], [1, 0, 4, 30, 9], [40, 90, 60]])
@pytest.mark.parametrize("strength", [-0.8, -0.1, 0, 0.05, 0.6])
def test_likeliest_distribution_is_better_than_any_other_with_the_strength(counts, strength):
    shares = [(count or 1e-3) / sum(counts) for count in counts]
    shares = [share / sum(shares) for share in shares]
    best = np.array(likeliest_with_strength(shares, strength))
    mean, deviation = mean_and_deviation(list(best))
    assert sum(best) == pytest.approx(1) and min(best) > 0
    assert mean - 0.5 == pytest.approx(strength * deviation, abs=1e-8)
    likelihood = np.array(shares) @ np.log(best)
    generator, compared = np.random.default_rng(3), 0
    for _ in range(150):
        other, miss = feasible(generator, shares, strength)
        if abs(miss) < 1e-9 and min(other) > 0:
            compared += 1
            assert np.array(shares) @ np.log(other) <= likelihood + 1e-9
    assert compared > 25


def test_likeliest_distribution_with_a_mean_has_it():
    likely = likeliest_with_mean([0.2, 0.3, 0.5], 0.4)
    assert sum(likely) == pytest.approx(1)
    assert likely[1] / 2 + likely[2] == pytest.approx(0.4)


def test_one_sided_results_have_a_finite_ratio():
    for counts in ([148, 0, 0, 0, 0], [0, 0, 0, 0, 148], [0, 0, 500, 0, 0], [0, 5000, 0], [1, 0, 0, 0, 0]):
        for elo0, elo1 in ((0, 5), (-1500, -500), (500, 1500)):
            assert math.isfinite(log_likelihood_ratio(counts, elo0, elo1))
    # Only even results are likeliest where the engines are equal.
    assert log_likelihood_ratio([0, 5000, 0], 0, 5) < 0 < log_likelihood_ratio([0, 5000, 0], -5, 0)


def test_sprt_takes_the_pairs_and_without_them_the_games():
    sprt = Sprt(0, 5)
    games, pairs = [3, 10, 7], [1, 2, 3, 2, 2]
    assert sprt.llr(Tally(games, pairs)) == log_likelihood_ratio(pairs, 0, 5)
    assert sprt.llr(Tally(games)) == log_likelihood_ratio(games, 0, 5)
    assert Sprt(0, 5, model="bayesian").llr(Tally(games, pairs)) == log_likelihood_ratio(
        games, 0, 5, "bayesian"
    )


def test_sprt_bounds_are_walds():
    # fastchess prints (-2.94, 2.94) for 0.05 and 0.05, (-2.25, 2.89) for alpha 0.05 and beta 0.10.
    sprt = Sprt(0, 5)
    assert (sprt.lower, sprt.upper) == pytest.approx((-2.944, 2.944), abs=0.001)
    assert [sprt.verdict(llr) for llr in (-2.95, -2.94, 2.94, 2.95)] == [H0, None, None, H1]
    lopsided = Sprt(0, 3, alpha=0.05, beta=0.10)
    assert (lopsided.lower, lopsided.upper) == pytest.approx((-2.25, 2.89), abs=0.006)


def test_sprt_is_read_from_words():
    assert parse_sprt("elo0=-3 elo1=1 alpha=0.1 model=logistic") == Sprt(-3, 1, 0.1, 0.05, "logistic")
    for text, complaint in [
        ("elo0=0", "elo1"),
        ("elo0=0 elo1=x", "'x'"),
        ("elo0=0 elo1=5 gamma=1", "gamma=1"),
        ("elo0=5 elo1=0", "less"),
        ("elo0=0 elo1=5 alpha=0.7", "alpha"),
        ("elo0=0 elo1=5 model=elo", "'elo'"),
    ]:
        with pytest.raises(ValueError, match=complaint):
            parse_sprt(text)


def test_ratings_of_two_are_half_their_elo_each():
    tally = tally_of([300, 500, 420])
    first, second = ratings({(0, 1): tally}, 2)
    assert first.value == pytest.approx(tally.elo.value / 2) and second.value == pytest.approx(-first.value)
    assert first.error == pytest.approx(tally.elo.error / 2, rel=0.01)


def test_ratings_find_consistent_strengths():
    strengths = [150, 20, -30, -140]
    tallies = {}
    for a in range(4):
        for b in range(a + 1, 4):
            wins = score_of_elo(strengths[a] - strengths[b])
            tallies[a, b] = tally_of([1000 * (1 - wins), 0, 1000 * wins])
    assert [estimate.value for estimate in ratings(tallies, 4)] == pytest.approx(strengths)


def test_errors_of_ratings_hold_the_truth_in_95_percent():
    strengths, generator, inside = [90, 0, -90], np.random.default_rng(5), []
    for _ in range(1000):
        tallies = {}
        for a, b in ((0, 1), (0, 2), (1, 2)):
            score = score_of_elo(strengths[a] - strengths[b])
            draws = score * (1 - score)
            chances = [1 - score - draws / 2, draws, score - draws / 2]
            tallies[a, b] = tally_of(generator.multinomial(80, chances).tolist())
        estimates = ratings(tallies, 3)
        inside += [abs(value - s) <= error for (value, error, _), s in zip(estimates, strengths, strict=True)]
    assert 0.93 < np.mean(inside) < 0.97


def test_engine_that_won_or_lost_all_is_rated_beyond_the_others():
    even = tally_of([5, 0, 5])
    lost, won = tally_of([4, 0, 0]), tally_of([0, 0, 4])
    tallies = {(0, 1): even, (0, 2): lost, (1, 2): lost, (0, 3): won, (1, 3): won}
    values = [estimate.value for estimate in ratings(tallies, 5)]
    assert values[:4] == pytest.approx([0, 0, math.inf, -math.inf])
    assert math.isnan(values[4])  # has not played
    values = [estimate.value for estimate in ratings({(0, 1): won, (1, 2): won}, 3)]
    assert values[0] == math.inf and math.isnan(values[1]) and values[2] == -math.inf
