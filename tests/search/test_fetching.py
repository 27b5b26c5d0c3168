"""Latency hiding in the search: moves are compared many at a time, and table entries are prefetched before
the move is made."""

import numpy as np
import pytest
from surajang.tests.support.inside import Inside, codes, walked

pytestmark = pytest.mark.compiled

# The share of moves in random games whose key is predicted, without changes of castling rights and the like.
PREDICTED = {
    "crazyhouse": 0.94,
    "chess": 0.93,
    "pandemonium": 0.99,
    "janggi": 0.94,
    "chaotic": 0.92,
    "minishogi": 1,
}


@pytest.mark.parametrize("most", [3, 100_000])
def test_best_of_a_list_is_the_first_of_its_highest(most):
    """The rest of the list has no effect; few different scores make many ties."""
    inner, source = Inside("crazyhouse"), np.random.default_rng(most)
    for length in range(1, 70):
        for start in (0, 1, 5, 16):
            scores = source.integers(-most, most, start + length + 40, dtype=np.int32)
            scores[:start] = scores[start + length :] = 200_000
            best = inner.best_index(scores, start, start + length)
            assert best == start + np.argmax(scores[start : start + length])


def test_lowest_scores_are_scores():
    inner = Inside("crazyhouse")
    lowest = np.full(20, np.iinfo(np.int32).min, np.int32)
    assert inner.best_index(lowest, 4, 20) == 4


@pytest.mark.parametrize("variant", PREDICTED)
def test_keys_are_predicted_for_nearly_all_moves(variant):
    inner, right, count = Inside(variant), 0, 0
    for position in walked(variant, (None,), 40, seed=7):
        for code in codes(position.legal_moves()):
            right += inner.key_after(position, code) == int(inner.after(position, code)["key"])
            count += 1
    assert right >= PREDICTED[variant] * count > 500
