"""The values of pieces to an evaluation: the regression, and the command that shows it."""

from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from surajang import Position
from surajang.engine.rules import rules_for
from surajang.engine.variant import Variant
from surajang.eval.network.file import random_network
from surajang.learn.networks.piece_values import balance_of, fit, positions_of, values_of
from surajang.learn.networks.values_command import main
from surajang.learn.self_play.score_units import rescaled
from surajang.tests.support.games import setup

pytestmark = pytest.mark.compiled

GAMES = 60


def test_terms_and_their_errors_are_found_again():
    """Scores made of known terms, with an error that all positions of a game share."""
    chance = np.random.default_rng(5)
    games = np.repeat(np.arange(400), 20)
    columns = np.column_stack([chance.integers(-3, 4, (8000, 3)), np.full(8000, 7)]).astype(float)
    noise = chance.normal(0, 50, 400)[games] + chance.normal(0, 20, 8000)
    wanted = np.array([100.0, 330.0, -40.0])
    terms, errors, explained = fit(columns, columns[:, :3] @ wanted + noise, games)
    assert np.isnan(terms[3]) and np.isnan(errors[3]), "a column that never changes tells nothing"
    assert np.all(np.abs(terms[:3] - wanted) < 4 * errors[:3])
    assert np.all((errors[:3] > 0.05) & (errors[:3] < 3))
    assert explained > 0.98
    assert np.array_equal(fit(columns, columns[:, 0], games)[0], fit(columns, columns[:, 0], games)[0], True)


def test_errors_count_games_and_not_positions():
    """A column that is constant within a game, as is the error."""
    chance = np.random.default_rng(6)
    games = np.repeat(np.arange(100), 50)
    column = chance.integers(-3, 4, 100)[games].astype(float)[:, None]
    scores = 100 * column[:, 0] + chance.normal(0, 60, 100)[games]
    _, (error,), _ = fit(column, scores, games)
    alone = 60 / np.sqrt(np.sum(column**2))
    assert error > 4 * alone


def test_balance_counts_boards_and_hands_from_both_sides():
    position = Position("pandemonium", setup("Ke1 Qa1 Pb3 Pc3 ke10 pd8", "NNP" + "qp"))
    rules, letters = rules_for("pandemonium"), [p.letter for p in position.description.pieces]
    row = balance_of(np.array([position.state]), rules)[0]
    board = dict(zip(letters, row, strict=False))
    assert {letter: n for letter, n in board.items() if n} == {"Q": 1, "P": 1}
    kinds = [letters[kind] for kind in rules.hand_kind[: rules.hand_kinds]]
    hands = dict(zip(kinds, row[rules.kinds :], strict=False))
    assert {letter: n for letter, n in hands.items() if n} == {"N": 2, "Q": -1}
    assert row[-1] == 1


def test_hand_written_values_are_about_those_of_the_file():
    """The value of a chess piece comes from its value in the file, its square and its moves."""
    positions, games = positions_of(Variant("chess"), GAMES, seed=3)
    found = values_of(Variant("chess"), positions, games)
    assert found.games > GAMES // 2 and found.positions == len(positions)
    assert found.explained > 0.9
    for value in found.pieces:
        assert value.board_error < value.board / 10, value
        assert 0.85 < value.board / value.file < 1.5, value


def test_values_are_the_same_however_much_the_network_counts_in_the_search():
    network = replace(random_network(Variant("minishogi"), 16, seed=1), scale=200)
    positions, games = positions_of(Variant("minishogi"), GAMES, network, seed=3)
    whole, half = (
        values_of(Variant("minishogi"), positions, games, each) for each in (network, rescaled(network, 0.5))
    )
    assert max(abs(value.board) for value in whole.pieces if value.board == value.board) > 20
    for one, two in zip(whole.pieces, half.pieces, strict=True):
        assert two.board == pytest.approx(one.board, abs=2, nan_ok=True)
        assert two.hand == pytest.approx(one.hand, abs=2, nan_ok=True)


def test_command_shows_a_table_and_a_picture(tmp_path):
    picture = tmp_path / "values.png"
    command = ["--variant", "minishogi", "--games", "20", "--no-network", "--plot", str(picture)]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    assert "in hand" in done.output and "positions of" in done.output
    assert picture.read_bytes().startswith(b"\x89PNG")
    again = CliRunner().invoke(main, command)
    assert [row for row in again.output.splitlines() if "±" in row or "  " in row] == [
        row for row in done.output.splitlines() if "±" in row or "  " in row
    ]


@pytest.mark.parametrize(
    "options, told",
    [
        (["--variant", "nothing"], "nothing"),
        (["--plot", "values.xyz"], "values.xyz"),
        (["--no-network", "--eval-file", __file__], "give one of them"),
        (["--eval-file", __file__], "test_piece_values.py"),
    ],
)
def test_bad_options_are_reported(options, told):
    done = CliRunner().invoke(main, options)
    assert done.exit_code == 2 and told in done.output
