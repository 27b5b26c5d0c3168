"""Values of pieces by results: the regression finds the numbers that made the results, with right errors."""

import math
from dataclasses import replace

import numpy as np
import pytest
from surajang.engine.definition.catalogue import load
from surajang.study.figures.advice import advice_of
from surajang.study.figures.balance import balance_of
from surajang.study.figures.intervals import Interval
from surajang.study.figures.piece_values import ResultValue, fit, piece_values
from surajang.study.report import sentences
from surajang.tests.support.study_games import study_game

pytestmark = pytest.mark.pure

CHESS, CRAZYHOUSE = load("chess"), load("crazyhouse")
VALUES = {"Q": 900, "R": 500, "B": 300, "N": 300, "P": 100}  # they make the results below
COUNTS = {"Q": 1, "R": 2, "B": 2, "N": 2, "P": 8}  # of each side at the start
SCALE = 400  # centipawns


def game_of(random, number, boards=3):
    """A game whose result is drawn by the pieces on its boards, which are all the same."""
    board, lead = "", 0
    for letter, most in COUNTS.items():
        white, black = random.integers(0, most + 1, 2)
        board += letter * white + letter.lower() * black
        lead += VALUES[letter] * (int(white) - int(black))
    won = random.random() < 1 / (1 + math.exp(-lead / SCALE))
    return study_game(number, "1-0" if won else "0-1", boards=(board,) * boards, hands=("",) * boards)


@pytest.fixture(scope="module")
def games():
    random = np.random.default_rng(3)
    return [game_of(random, number) for number in range(3000)]


def test_values_that_made_the_results_are_found(games):
    found = {row.letter: row.value for row in piece_values(games, CHESS)}
    total = sum(COUNTS[letter] * CHESS.piece(letter).value for letter in COUNTS)
    made = sum(COUNTS[letter] * VALUES[letter] for letter in COUNTS)
    for letter, value in VALUES.items():
        wanted = value * total / made  # in the units of the file
        error = found[letter].high - found[letter].value
        assert abs(found[letter].value - wanted) < 1.5 * error < 120  # 3 standard errors


def test_boards_of_a_game_are_no_new_games(games):
    once = [replace(game, boards=game.boards[:1], hands=("",)) for game in games]
    for row, single in zip(piece_values(games, CHESS), piece_values(once, CHESS), strict=True):
        assert row.value.value == pytest.approx(single.value.value)
        assert row.value.low == pytest.approx(single.value.low)


def test_long_game_weighs_no_more_than_a_short_one(games):
    longer = [
        replace(game, boards=game.boards * (1 + n % 3), hands=("",) * 3 * (1 + n % 3))
        for n, game in enumerate(games)
    ]
    for row, other in zip(piece_values(games, CHESS), piece_values(longer, CHESS), strict=True):
        assert row.value.value == pytest.approx(other.value.value)


def test_games_of_one_opening_are_one_unit_of_the_errors(games):
    """Four copies of each game say no more than one."""
    numbers = list(range(400))
    once, copies = piece_values(games[:400], CHESS), games[:400] * 4
    again = piece_values(copies, CHESS, numbers * 4)
    apart = piece_values(copies, CHESS)
    for row, same, narrow in zip(once, again, apart, strict=True):
        width = row.value.high - row.value.low
        assert same.value.high - same.value.low == pytest.approx(width, rel=0.01)
        assert narrow.value.high - narrow.value.low == pytest.approx(width / 2, rel=0.01)


def test_piece_in_which_few_games_differ_has_no_value(games):
    """However many boards these games have."""
    without = [
        replace(game, boards=tuple(b.replace("Q", "").replace("q", "") for b in game.boards))
        for game in games
    ]
    found = piece_values([*games[:28], *without[28:]], CHESS)
    assert {row.letter for row in found} == {"R", "B", "N", "P"}


@pytest.mark.parametrize("half", ["early", "late"])
def test_early_and_late_values_are_those_of_the_halves_of_each_game(games, half):
    """Two boards of each game are empty, which say nothing."""
    whole = {row.letter: row.value.value for row in piece_values(games, CHESS)}
    empty, other = ("", ""), "late" if half == "early" else "early"
    halves = [
        replace(game, boards=board + empty if half == "early" else empty + board, hands=("",) * 4)
        for game in games
        for board in [game.boards[:2]]
    ]
    found = piece_values(halves, CHESS)
    assert {row.letter for row in found} == set(whole)
    for row in found:
        assert getattr(row, half).value == pytest.approx(whole[row.letter], rel=0.01)
        assert not getattr(row, other).is_known


def test_errors_are_those_of_repeated_samples():
    """Against the spread of estimates from new samples, which knows nothing of the formula."""
    random = np.random.default_rng(5)
    found, errors = [], []
    for _ in range(200):
        leads = random.integers(-3, 4, (400, 2)).astype(float)
        points = (random.random(400) < 1 / (1 + np.exp(-(leads @ [0.5, 1.0])))).astype(float)
        weights, covariance = fit(leads, points, np.ones(400), np.arange(400))
        found.append(weights)
        errors.append(np.sqrt(np.diag(covariance)))
    assert np.mean(found, axis=0) == pytest.approx([0, 0.5, 1.0], abs=0.05)
    assert np.mean(errors, axis=0) == pytest.approx(np.std(found, axis=0), rel=0.15)


def test_errors_count_games_and_not_boards():
    """A result belongs to all boards of its game; the spread of new samples is the referee again."""
    random = np.random.default_rng(7)
    numbers, found, errors = np.repeat(np.arange(300), 4), [], []
    for _ in range(200):
        leads = random.integers(-3, 4, (1200, 1)).astype(float)
        means = leads[:, 0].reshape(300, 4).mean(axis=1)
        points = np.repeat(random.random(300) < 1 / (1 + np.exp(-2 * means)), 4).astype(float)
        weights, covariance = fit(leads, points, np.full(1200, 0.25), numbers)
        found.append(weights[1])
        errors.append(math.sqrt(covariance[1, 1]))
    assert np.mean(errors) == pytest.approx(np.std(found), rel=0.15)


def test_pieces_in_hand_have_values_of_their_own():
    random = np.random.default_rng(1)
    games = []
    for number in range(600):
        in_hand, on_board = random.integers(-1, 2, 2)
        won = random.random() < 1 / (1 + math.exp(-2.0 * in_hand - 1.0 * on_board))
        letters = {1: "N", 0: "", -1: "n"}
        games.append(
            study_game(
                number,
                "1-0" if won else "0-1",
                boards=(letters[int(on_board)],),
                hands=(letters[int(in_hand)],),
            )
        )
    board, hand = piece_values(games, CRAZYHOUSE)
    assert (board.letter, board.in_hand, hand.letter, hand.in_hand) == ("N", False, "N", True)
    assert hand.value.low > board.value.high
    assert (board.in_file, hand.in_file) == (270, 330)
    assert board.value.low == pytest.approx(270) == board.value.high, "the only piece at the start: the unit"


def test_no_values_where_results_do_not_depend_on_the_pieces():
    random = np.random.default_rng(2)
    games = [
        study_game(number, random.choice(["1-0", "0-1"]), boards=(random.choice(["N", "n"]),), hands=("",))
        for number in range(200)
    ]
    assert piece_values(games, CHESS) == ()
    assert piece_values([], CHESS) == ()
    assert piece_values(games[:10], CHESS) == ()  # too few
    for seed in range(6):
        random = np.random.default_rng(seed)
        games = [
            study_game(number, random.choice(["1-0", "0-1"]), boards=(random.choice([*"NnBb"]),), hands=("",))
            for number in range(200)
        ]
        assert piece_values(games, CHESS) == ()


def test_one_kind_alone_has_no_value():
    """The side with the knight wins seven of eight games."""
    games = [
        study_game(n, "0-1" if (n % 2 > 0) != (n % 16 < 2) else "1-0", boards=("Nn"[n % 2],), hands=("",))
        for n in range(320)
    ]
    assert piece_values(games, CHESS) == ()


def test_only_a_value_outside_its_interval_is_remarked(games):
    near, far = Interval(95, 80, 110), Interval(142, 129, 156)
    rows = [ResultValue("P", name, False, value, near, far, 100) for name, value in (("A", near), ("B", far))]
    found = advice_of(balance_of({}), (), (), rows)
    study = type("Figures", (), {"values": tuple(rows), "advice": found})
    assert sentences.advice(study) == [
        "The value of the B in the game's file, 100, differs from that by results: "
        "it is worth more, 142 (129 to 156).",
        "With 95 % confidence this difference is not due to chance. The reason may be what a value by "
        "results includes.",
    ]
