"""The terms of merchants in the evaluation, each with all other numbers set to 0."""

import dataclasses

import numpy as np
import pytest
from surajang import Position
from surajang.engine.definition import catalogue
from surajang.engine.kernel.compiler import entry_point
from surajang.engine.rules import rules_for
from surajang.eval.terms import evaluate as evaluation
from surajang.eval.terms.weights import DANGER_KNOTS, DANGER_STEP, build_weights, default_parameters

pytestmark = [pytest.mark.compiled, pytest.mark.quick]

RULES, GAME = rules_for("chaotic"), catalogue.load("chaotic")


@entry_point
def _evaluate(rules, weights, state):
    return evaluation.evaluate(rules, weights, state)


def worth(placement, **numbers):
    """The score of a position for White, who is to move, with only these numbers; a unit of danger is worth
    ten centipawns."""
    default = default_parameters(RULES, GAME)
    values = {}
    for field in dataclasses.fields(default):
        value = np.asarray(getattr(default, field.name), float)
        values[field.name] = value * 0.0 if value.shape else 0.0
    for name, number in numbers.items():
        values[name] = values[name] + number
    values |= {"danger": 10.0 * DANGER_STEP * np.arange(DANGER_KNOTS), "scale": 250.0}
    weights = build_weights(RULES, GAME, type(default)(**values))
    return int(_evaluate(RULES, weights, Position("chaotic", f"{placement} w - - 0 1").state))


def by_mover(letter, number):
    numbers = np.zeros(RULES.mover_count)
    numbers[RULES.kind_mover[[piece.letter for piece in GAME.pieces].index(letter)]] = number
    return numbers


HELD = {
    "beside a merchant": ("k7/8/8/3Mr3/8/8/8/K7", 40),
    "one of the own side": ("K7/8/8/3mR3/8/8/8/k7", -40),
    "freed by its own merchant": ("k7/8/8/3Mrm2/8/8/8/K7", 0),
    "at a corner of it": ("k7/8/8/3M4/4r3/8/8/K7", 0),
    "two of them": ("k7/8/3r4/3Mr3/8/8/8/K7", 80),
    "another kind": ("k7/8/8/3Mn3/8/8/8/K7", 0),
    "a pawn": ("k7/8/8/3Mp3/8/8/8/K7", 0),
}


@pytest.mark.parametrize("case", HELD)
def test_merchants_score_for_whom_they_hold(case):
    placement, expected = HELD[case]
    assert worth(placement, held=by_mover("R", 40.0)) == expected


def test_held_piece_counts_only_for_its_square():
    mobility = by_mover("R", 1.0)
    assert worth("k7/8/8/3Mr3/8/8/8/K7", mobility=mobility) == 0
    assert worth("k7/8/8/3M4/4r3/8/8/K7", mobility=mobility) == -14


ESCORTED = {
    "beside its merchant": ("k7/8/8/3MR3/8/8/8/K7", 7),
    "a pawn and a king": ("k7/8/8/8/8/P7/M7/K7", 14),
    "the enemy's": ("k7/8/8/3mr3/8/8/8/K7", -7),
    "at a corner": ("k7/8/8/3M4/4R3/8/8/K7", 0),
}


@pytest.mark.parametrize("case", ESCORTED)
def test_merchants_score_for_whom_they_escort(case):
    placement, expected = ESCORTED[case]
    assert worth(placement, escort=7.0) == expected


BETWEEN = {
    "a second merchant near": ("k7/8/8/3Mr1M1/8/8/8/K7", 30),  # g5 steps to f5
    "too far": ("k7/8/8/3Mr2M/8/8/8/K7", 0),
    "the place is taken": ("k7/8/8/3Mrp2/6M1/8/8/K7", 0),
    "across the corner": ("k7/6M1/8/3Mr3/8/8/8/K7", 0),
    "by a step at a slant": ("k7/8/6M1/3Mr3/8/8/8/K7", 30),
    "no victim": ("k7/8/8/3Mp1M1/8/8/8/K7", 0),
    "one merchant alone": ("k7/8/8/3Mr3/8/8/8/K7", 0),
    "the enemy's": ("k7/8/8/3mR1m1/8/8/8/K7", -30),
}


@pytest.mark.parametrize("case", BETWEEN)
def test_merchants_score_for_whom_they_may_take_between_them(case):
    placement, expected = BETWEEN[case]
    assert worth(placement, between=30.0) == expected


def test_king_between_merchants_is_in_danger():
    """A merchant beside the king and one that may step behind him: two units, ten centipawns each."""
    assert worth("8/8/8/3Mk1M1/8/8/8/K7", backstab=2.0) == 20
    assert worth("8/8/8/3Mk2M/8/8/8/K7", backstab=2.0) == 0
    assert worth("8/8/8/3Mk1M1/8/8/8/K7", between=30.0) == 0


def test_steps_of_merchants_beside_the_king_are_attacks():
    """From c5 it can step to d4, d5 and d6, which are beside the king on e5."""
    assert worth("8/8/8/2M1k3/8/8/8/K7", attack=by_mover("M", 1.0)) == 30
    assert worth("8/8/8/1M2k3/8/8/8/K7", attack=by_mover("M", 1.0)) == 0
