"""The evaluation of a position of the stack, by the hand-written terms, or by a network if the worker has
one.

The type of the worker decides, so each search is compiled without the code of the other evaluation."""

import numpy as np

from ...engine.kernel.compiler import entry_point, inner
from ...engine.kernel.facts import chosen_by_field
from ...eval.network.accumulators import forget_sums
from ...eval.network.output import evaluate_network
from ...eval.terms.evaluate import evaluate, side_scores


@inner
def _by_terms(rules, worker, ply):
    return evaluate(rules, worker.weights, worker.positions[ply])


@inner
def _nothing(rules, worker, ply):
    return


# (rules, worker, ply) -> centipawns for the side to move at that ply, within MAX_SCORE either way
static_evaluation = chosen_by_field("sums", evaluate_network, _by_terms)
# (rules, worker, ply): to be called whenever a position of the stack was overwritten
position_changed = chosen_by_field("sums", forget_sums, _nothing)


@entry_point
def evaluate_root(rules, worker):
    """Centipawns for the side to move at the worker's root, by the evaluation that its searches use."""
    position_changed(rules, worker, np.int64(0))
    return static_evaluation(rules, worker, np.int64(0))


@entry_point
def evaluate_terms(rules, weights, position):
    """Centipawns for the side to move, by the hand-written evaluation."""
    return evaluate(rules, weights, position)


@entry_point
def tell_side_scores(rules, weights, position):
    """`side_scores` for Python."""
    return side_scores(rules, weights, position)
