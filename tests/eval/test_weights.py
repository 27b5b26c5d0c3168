"""The parameters of the evaluation: from a game's file and the tuner's to the tables of compiled code."""

import dataclasses
import random
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from surajang import Position, VariantError
from surajang.engine.definition import catalogue
from surajang.engine.kernel.compiler import entry_point
from surajang.engine.rules import rules_for
from surajang.eval.terms import evaluate as evaluation
from surajang.eval.terms.evaluate import MAX_SCORE
from surajang.eval.terms.weights import (
    DANGER_ENTRIES,
    DANGER_KNOTS,
    DANGER_STEP,
    HAND_COUNTS,
    MAX_DANGER,
    Parameters,
    build_weights,
    default_parameters,
    parameter_names,
    tuned_parameters,
    weights_dtype,
    weights_path,
)
from surajang.tests.support.games import SEARCHED_GAMES
from surajang.tests.support.inside import walked

pytestmark = pytest.mark.compiled

GAMES = ("pandemonium", "crazyhouse", "janggi", "chess")
every_game = pytest.mark.parametrize("variant", SEARCHED_GAMES)
NAMES = [field.name for field in dataclasses.fields(Parameters)]


def game(variant):
    return rules_for(variant), catalogue.load(variant)


def shaken(parameters, description, seed):
    """Parameters that differ from these in all that the game has, as files have them: with two digits and
    whole squares."""
    source = np.random.default_rng(seed)
    values = {}
    for name in parameter_names(description):
        value = np.asarray(getattr(parameters, name), float)
        moved = value + source.uniform(1, 9, value.shape)
        moved = np.round(moved) if name == "squares" else np.round(moved, 2)
        values[name] = moved if moved.ndim else float(moved)
    values["crowd"] = 0.87
    return dataclasses.replace(parameters, **values)


def same(one, other):
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in NAMES)


# Files


@every_game
def test_written_parameters_are_read_again(variant, tmp_path):
    rules, description = game(variant)
    written = shaken(default_parameters(rules, description), description, 4)
    file = tmp_path / "tuned.toml"
    file.write_text(written.as_toml(description), encoding="utf-8")
    read = tuned_parameters(rules, description, file)
    for name in NAMES:
        assert np.array_equal(getattr(read, name), getattr(written, name)), name
        assert np.shape(getattr(read, name)) == np.shape(getattr(written, name)), name
    assert not same(read, default_parameters(rules, description))
    assert build_weights(rules, description, read) == build_weights(rules, description, written)


@every_game
def test_without_a_file_there_are_default_parameters(variant, tmp_path):
    rules, description = game(variant)
    read = tuned_parameters(rules, description, tmp_path / "tuned.toml")
    assert same(read, default_parameters(rules, description))


def test_file_for_other_pieces_is_not_used(tmp_path):
    rules, description = game("crazyhouse")
    default = default_parameters(rules, description)
    text = shaken(default, description, 5).as_toml(description)
    file = tmp_path / "tuned.toml"
    other = catalogue.load("capahouse")
    theirs = default_parameters(rules_for("capahouse"), other).as_toml(other)
    for wrong in (
        theirs,
        text.replace('pieces = ["', 'pieces = ["Z", "', 1),
        "\n".join(line for line in text.splitlines() if not line.startswith("pieces")),
    ):
        assert wrong != text
        file.write_text(wrong, encoding="utf-8")
        assert same(tuned_parameters(rules, description, file), default)
    file.write_text(text, encoding="utf-8")
    assert not same(tuned_parameters(rules, description, file), default)


def changed(text, name, value):
    """A file with another value for one number; none for the line left out."""
    lines = [f"{name} = {value}" if line.startswith(f"{name} = ") else line for line in text.splitlines()]
    return "\n".join(line for line in lines if line != f"{name} = None")


DAMAGED = {
    "no TOML": lambda text: text + "\n[squares",
    "a number left out": lambda text: changed(text, "tempo", None),
    "a list left out": lambda text: changed(text, "attack", None),
    "a list too short": lambda text: changed(text, "hand", "[1.0, 2.0]"),
    "a list for a number": lambda text: changed(text, "weak", "[1.0, 2.0]"),
    "a number for a list": lambda text: changed(text, "mobility", "3.0"),
    "a word": lambda text: changed(text, "initiative", '"six"'),
    "no number": lambda text: changed(text, "initiative", "nan"),
    "without end": lambda text: changed(text, "crowd", "inf"),
    "a piece without squares": lambda text: text[: text.rindex("[squares")],
    "a rank left out": lambda text: text[: text.rindex("  [")] + "]",
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_damaged_file_is_refused_by_name(tmp_path, damage):
    rules, description = game("crazyhouse")
    text = default_parameters(rules, description).as_toml(description)
    file = tmp_path / "tuned.toml"
    file.write_text(text, encoding="utf-8")
    tuned_parameters(rules, description, file)
    file.write_text(DAMAGED[damage](text), encoding="utf-8")
    with pytest.raises(VariantError, match=r"tuned\.toml"):
        tuned_parameters(rules, description, file)


def test_tuned_numbers_lie_in_a_folder_beside_the_game(tmp_path):
    """Also beside one that a player has written."""
    mine = tmp_path / "chess.toml"
    shipped = catalogue.load("chess").path
    mine.write_text(shipped.read_text(encoding="utf-8"), encoding="utf-8")
    assert weights_path(catalogue.load("chess")) == shipped.parent / "weights" / "chess.toml"
    rules, description = rules_for(str(mine)), catalogue.load(str(mine))
    written = shaken(default_parameters(rules, description), description, 7)
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "chess.toml").write_text(written.as_toml(description), encoding="utf-8")
    assert build_weights(rules, description) == build_weights(rules, description, written)
    assert build_weights(*game("chess")) != build_weights(rules, description, written)


HEIR = 'extends = "crazyhouse"\nname = "heir"\ntitle = "Heir"\n'


@pytest.mark.parametrize(
    ("difference", "inherits"),
    [
        ("castling = false", True),
        ('start = "nnnnknnn/pppppppp/8/8/8/8/PPPPPPPP/NNNNKNNN[] w - - 0 1"\ncastling = false', True),
        ("pieces.R.value = 300", False),
        ('pieces.N.moves = "NW"', False),
        ("drops = false", False),
    ],
)
def test_game_inherits_the_numbers_of_one_with_its_pieces(tmp_path, difference, inherits):
    file = tmp_path / "heir.toml"
    file.write_text(HEIR + difference, encoding="utf-8")
    rules, description = rules_for(str(file)), catalogue.load(str(file))
    theirs = tuned_parameters(*game("crazyhouse"))
    assert same(tuned_parameters(rules, description), theirs) == inherits
    own = shaken(default_parameters(rules, description), description, 11)
    (tmp_path / "weights").mkdir()
    (tmp_path / "weights" / "heir.toml").write_text(own.as_toml(description), encoding="utf-8")
    assert build_weights(rules, description) == build_weights(rules, description, own)


@pytest.mark.quick
def test_squares_are_written_as_the_board_is_seen():
    """The last rank first, as in a FEN."""
    rules, description = game("chess")
    parameters = default_parameters(rules, description)
    parameters.squares = np.zeros_like(parameters.squares)
    parameters.squares[0, 7 * 8 + 2] = 77
    text = parameters.as_toml(description)
    letter = description.pieces[0].letter
    ranks = text[text.index(f'[squares."{letter}"]') :].split("ranks = [\n")[1].splitlines()
    assert [int(number) for number in ranks[0].strip(" [],").split(",")] == [0, 0, 77, 0, 0, 0, 0, 0]
    assert "77" not in "".join(ranks[1:])


@every_game
def test_shipped_parameters_fit_their_game(variant):
    """They have the right shape, are finite, and material is positive, unless it is a burden."""
    rules, description = game(variant)
    tuned, default = tuned_parameters(rules, description), default_parameters(rules, description)
    for name in NAMES:
        value = np.asarray(getattr(tuned, name), float)
        assert value.shape == np.shape(getattr(default, name)), name
        assert np.isfinite(value).all(), name
    for piece, value in zip(description.pieces, tuned.material, strict=True):
        assert value > 0 or piece.royal or value < 0 > piece.value
    assert tuned.danger.min() >= 0
    assert 0 <= tuned.crowd <= 1


# Tables


def tables(variant, seed=None):
    rules, description = game(variant)
    parameters = None
    if seed is not None:
        parameters = shaken(default_parameters(rules, description), description, seed)
    return description, build_weights(rules, description, parameters)


@every_game
@pytest.mark.parametrize("seed", [None, 1])
def test_further_pieces_in_hand_are_worth_something_but_not_more(variant, seed):
    rules, description = game(variant)
    parameters = tuned_parameters(rules, description)
    if seed is not None:
        parameters = shaken(default_parameters(rules, description), description, seed)
        parameters.crowd = 0.8
    hands = build_weights(rules, description, parameters)["hands"].astype(int)
    for index, value in enumerate(parameters.hand):
        steps = np.diff(hands[index])
        assert hands[index][0] == 0
        assert hands[index][1] == round(value)
        assert (steps > 0).all() or description.hand_pieces[index].royal
        assert steps[-1] <= steps[0] + 1
        assert (np.abs(np.diff(steps)) <= 2 + (1 - parameters.crowd) * value).all()
        assert steps[-1] >= value // 2 - 1
        assert len(hands[index]) == HAND_COUNTS
    assert not hands[len(parameters.hand) :].any()


@every_game
@pytest.mark.parametrize("seed", [None, 2])
def test_squares_of_black_are_those_of_white_turned_over(variant, seed):
    description, weights = tables(variant, seed)
    files, ranks = description.files, description.ranks
    squares = weights["squares"]
    for rank in range(ranks):
        low, high = rank * files, (ranks - 1 - rank) * files
        assert np.array_equal(squares[0, :, low : low + files], squares[1, :, high : high + files])
    assert not np.array_equal(squares[0], squares[1])


@pytest.mark.quick
def test_squares_include_the_piece():
    rules, description = game("chess")
    parameters = default_parameters(rules, description)
    weights = build_weights(rules, description, parameters)
    for kind in range(rules.kinds):
        swings = weights["squares"][0, kind] - int(weights["board"][kind])
        assert np.array_equal(swings, np.round(parameters.squares[kind]))


@every_game
def test_captured_piece_counts_again_in_the_hand(variant):
    description, weights = tables(variant)
    hand = {
        piece.letter: int(value)
        for piece, value in zip(description.hand_pieces, weights["hand"], strict=False)
    }
    for kind, piece in enumerate(description.pieces):
        expected = int(weights["board"][kind]) + hand.get(piece.base, 0)
        assert weights["capture"][kind] == expected, piece.letter
    assert weights["capture"][len(description.pieces)] == 0
    assert weights["board"][len(description.pieces)] == 0
    royal = [kind for kind, piece in enumerate(description.pieces) if piece.royal]
    assert not weights["capture"][royal].any()


def test_danger_follows_its_curve_in_straight_lines():
    rules, description = game("pandemonium")
    parameters = default_parameters(rules, description)
    parameters.danger = np.arange(DANGER_KNOTS) * 40.0
    danger = build_weights(rules, description, parameters)["danger"]
    assert danger.tolist() == [40 * units // DANGER_STEP for units in range(DANGER_ENTRIES)]


def test_danger_never_falls_with_more_units():
    rules, description = game("pandemonium")
    parameters = default_parameters(rules, description)
    parameters.danger[3:6] = 900.0, 100.0, 950.0
    danger = build_weights(rules, description, parameters)["danger"].astype(int)
    assert (np.diff(danger) >= 0).all()
    assert danger[3 * DANGER_STEP] == danger[4 * DANGER_STEP] == 900
    assert danger[5 * DANGER_STEP] == 950


@every_game
def test_danger_of_shipped_weights_is_limited(variant):
    _, weights = tables(variant)
    assert 0 <= weights["danger"].min() <= weights["danger"].max() <= MAX_DANGER


@pytest.mark.quick
def test_mobility_grows_evenly():
    rules, description = game("chess")
    parameters = default_parameters(rules, description)
    parameters.mobility[:] = np.arange(rules.mover_count) + 0.5
    mobility = build_weights(rules, description, parameters)["mobility"]
    for index in range(rules.mover_count):
        for count in (0, 1, 8, 27):
            assert abs(mobility[index, count] - (index + 0.5) * count) <= 0.5


# Evaluation


@entry_point
def _evaluate(rules, weights, state):
    return evaluation.evaluate(rules, weights, state)


@cache
def weights_of(variant, tuned, initiative=None):
    """The weights of a game; with `initiative` units for the move where they are given."""
    rules, description = game(variant)
    tell = tuned_parameters if tuned else default_parameters
    parameters = tell(rules, description) if tuned else shaken(tell(rules, description), description, 8)
    if initiative is not None:
        parameters.initiative = initiative
    return build_weights(rules, description, parameters)


def worth(position, tuned=True, turned=False, initiative=None):
    """What a position is worth to the side to move; `turned`, with the other side to move."""
    state = position.state.copy()
    state["side"] ^= turned
    return int(_evaluate(position.rules, weights_of(position.variant, tuned, initiative), state))


def mirrored(position):
    """The position with the board turned over and the colours changed; no pawn has just made a long step."""
    fen = position.fen().split()
    placement, _, hand = fen[0].partition("[")
    board = "/".join(reversed(placement.swapcase().split("/")))
    hand = "[" + "".join(sorted(hand.rstrip("]").swapcase(), key=str.islower)) + "]" if hand else ""
    letters = "".join(sorted(fen[2].swapcase(), key=lambda letter: (letter.islower(), letter)))
    return Position(position.variant, " ".join([board + hand, "wb"[fen[1] == "w"], letters, "-", *fen[4:]]))


BEGINNINGS = {
    "crazyhouse": (None, "r1bqk2r/p4p1p/2n2n2/8/8/2N2N2/P4P1P/R1BQK2R[QQRBNPqrbbnp] w KQkq - 0 1"),
    "pandemonium": (None, "rnbqkmcbnr/pppp2pppp/10/10/10/10/10/10/PPPP2PPPP/RNBQKMCBNR[QMPpprn] w - - 0 1"),
}


@cache
def positions(variant):
    return walked(variant, BEGINNINGS.get(variant, (None,)), 60, seed=21)


@pytest.mark.parametrize("tuned", [True, False])
@pytest.mark.parametrize("variant", GAMES)
def test_what_one_side_has_the_other_lacks(variant, tuned):
    """Only the right to move breaks the symmetry: tempo, without the bonus for attacks."""
    tempo, met = int(weights_of(variant, tuned)["tempo"]), set()
    for position in positions(variant):
        value = worth(position, tuned, initiative=0.0)
        assert worth(position, tuned, turned=True, initiative=0.0) == 2 * tempo - value, position.fen()
        met.add(value)
    assert len(met) > 40


@pytest.mark.parametrize("variant", GAMES)
def test_initiative_makes_attacks_of_the_mover_worth_more(variant):
    gains = [worth(p, initiative=5.0) - worth(p, initiative=0.0) for p in positions(variant)]
    assert min(gains) >= 0
    assert sum(gain > 0 for gain in gains) > 10


@pytest.mark.parametrize(
    "rank_3, rank_2, threatened", [("8", "8", True), ("8", "4B3", False), ("B7", "8", True)]
)
def test_piece_that_can_check_where_nobody_takes_it_is_a_threat(rank_3, rank_2, threatened):
    """The rook may check on d1 and h5; a bishop on e2 guards both, one on a3 neither."""
    rules, description = game("chess")
    position = Position("chess", f"4k3/8/8/3r4/8/{rank_3}/{rank_2}/7K w - - 0 1")
    values = []
    for threat in (0.0, 40.0):
        parameters = default_parameters(rules, description)
        parameters.threat[:] = threat
        values.append(int(_evaluate(rules, build_weights(rules, description, parameters), position.state)))
    assert (values[1] < values[0]) == threatened
    assert values[1] <= values[0]


@pytest.mark.parametrize("tuned", [True, False])
@pytest.mark.parametrize("variant", GAMES)
def test_mirrored_position_is_worth_the_same_to_the_mover(variant, tuned):
    for position in positions(variant):
        assert worth(mirrored(position), tuned) == worth(position, tuned), position.fen()


@pytest.mark.parametrize("variant", ["pandemonium", "crazyhouse"])
def test_piece_that_comes_to_the_hand_is_worth_its_number(variant):
    """A single piece in hand, far from all danger, is worth its entry in the table of hands."""
    rules, weights = rules_for(variant), weights_of(variant, False)
    source = random.Random(1)
    for position in source.sample(positions(variant), 10):
        for index in range(rules.hand_kinds):
            values = []
            for count in range(6):
                state = position.state.copy()
                state["hands"][position.turn, index] = count
                values.append(int(_evaluate(rules, weights, state)))
            # From two pieces on no further danger comes with them.
            steps = np.diff(weights["hands"][index][:6].astype(int))[2:]
            assert [other - one for one, other in pairwise(values)][2:] == list(steps)
            assert values == sorted(values)


def test_scores_stay_within_their_bounds():
    for variant in GAMES:
        assert all(
            abs(worth(position, tuned)) <= MAX_SCORE for position in positions(variant) for tuned in (0, 1)
        )


def test_dtype_is_made_once_for_each_game():
    assert weights_dtype(rules_for("chess")) is weights_dtype(rules_for("chess"))
