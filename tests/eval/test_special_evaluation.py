"""What the hand-written evaluation knows of games that are not won by mate alone."""

import pytest
from surajang import Position
from surajang.engine.kernel.interpreter import plain
from surajang.engine.mechanics.goal import RACE, RACE_STEP
from surajang.engine.movegen.entry_points import INTERPRETER
from surajang.eval.terms.evaluate import evaluate, side_scores
from surajang.eval.terms.weights import build_weights

pytestmark = pytest.mark.compiled


def told(function, variant, fen):
    """The result of an evaluating function, interpreted."""
    position = Position(variant, fen)
    weights = build_weights(position.rules, position.description)
    return INTERPRETER.function(function)(plain(position.rules), plain(weights), plain(position.state))


@pytest.fixture
def worth(interpreted):
    return lambda variant, fen: int(told(evaluate, variant, fen))


@pytest.fixture
def sides(interpreted):
    return lambda variant, fen: [int(number) for number in told(side_scores, variant, fen)]


@pytest.mark.parametrize("variant", ["3check", "5check"])
def test_fewer_checks_to_give_are_better(worth, variant):
    most = int(variant[0])
    values = [
        worth(variant, f"4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - {needed}+{most} 0 1")
        for needed in range(most, 0, -1)
    ]
    assert values == sorted(set(values))
    assert values[-1] - values[-2] > 2 * (values[-2] - values[-3])


def test_king_is_in_more_danger_where_fewer_checks_are_missing(sides):
    fen = "4k3/8/8/3QR3/8/8/8/4K3 b - - {}+3 0 1"
    dangers = [sides("3check", fen.format(needed))[2] for needed in (3, 2, 1)]
    assert dangers == sorted(set(dangers)) and dangers[0] > 0


@pytest.mark.parametrize("rank", range(2, 7))
def test_king_that_is_nearer_to_the_goal_is_better(worth, rank):
    def value(at):
        ranks = ["8"] * 8
        ranks[8 - at] = "K7"
        ranks[7] = "7k" if at != 1 else "K6k"
        return worth("racingkings", "/".join(ranks) + " w - - 0 1")

    assert value(rank) - value(rank - 1) > RACE_STEP // 2


def test_closed_way_to_the_goal_is_worth_less(worth):
    free = worth("racingkings", "8/8/K7/8/8/8/7r/7k w - - 0 1")
    closed = worth("racingkings", "8/7r/K7/8/8/8/8/7k w - - 0 1")
    assert free - closed > RACE // 4


def test_no_king_is_in_danger_where_checks_are_forbidden(sides):
    assert sides("racingkings", "8/8/8/8/7k/1Q2R3/8/K7 w - - 0 1")[2:] == [0, 0]
    assert sides("kingofthehill", "8/8/8/8/7k/1Q2R3/8/K7 b - - 0 1")[2] > 0
