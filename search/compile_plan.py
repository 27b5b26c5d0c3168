"""The code that a game's first move needs, and its distribution to several processes.

As a program, it is a helper that compiles parts for another process: `python -m surajang.search.compile_plan
GAME [HIDDEN KING_BUCKETS BY_HANDS]`, the latter for play by a network of that `Shape`."""

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import types

from ..engine.kernel.bitboard import BitboardType
from ..engine.kernel.compiler import help_compile, part
from ..engine.kernel.parallel_compile import Part, Team
from ..engine.movegen.attacks import inspect
from ..engine.movegen.entry_points import find_attackers, move_points
from ..engine.movegen.legal_moves import LISTING, add_moves
from ..engine.movegen.make_move import play
from ..engine.movegen.perft import count_leaves, tree_dtype
from ..engine.representation.position_record import movelist_dtype, position_dtype
from ..engine.variant import Variant
from ..eval.network.features import features_for
from ..eval.network.output import evaluate_network
from ..eval.network.vectors import Shape
from ..eval.terms.evaluate import evaluate
from ..eval.terms.weights import weights_dtype
from .tree.checks import mark_checks
from .tree.evaluation import evaluate_root, evaluate_terms, tell_side_scores
from .tree.picker import next_move
from .tree.proof import prove, prove_root
from .tree.quiescence import ending_score, quiescence
from .tree.search import search, search_root
from .tree.see import see_ge
from .tree.worker import worker_dtype


def _record(dtype: np.dtype[Any]) -> Any:
    return np.zeros(1, dtype)[0]


def entry_points(rules: Any, shape: Shape | None = None) -> list[Part]:
    """All functions that Python calls to play a game, as parts; with a `Shape`, by a network."""
    worker = _record(worker_dtype(rules, shape))
    return [
        *move_points(rules),
        part(search_root, rules, worker, 0, 0, 0),
        part(prove_root, rules, worker, 0, 0),
    ]


def other_points(rules: Any, shape: Shape | None = None) -> list[Part]:
    """The functions that Python calls for other answers than moves, as parts."""
    state, weights = _record(position_dtype(rules)), _record(weights_dtype(rules))
    return [
        part(evaluate_root, rules, _record(worker_dtype(rules, shape))),
        part(evaluate_terms, rules, weights, state),
        part(tell_side_scores, rules, weights, state),
        part(count_leaves, rules, _record(tree_dtype(rules)), 0, 0),
        part(find_attackers, rules, np.zeros(2, position_dtype(rules)), 0, 0, 0),
    ]


def plan(rules: Any, shape: Shape | None = None) -> list[Part]:
    """The parts of a game's code that are worth a separate process, the longest first."""
    state, moves = _record(position_dtype(rules)), _record(movelist_dtype(rules))
    worker, weights = _record(worker_dtype(rules, shape)), _record(weights_dtype(rules))
    board, number = BitboardType(rules.empty.width), types.int64

    if shape is None:
        evaluation = part(evaluate, rules, weights, state)
    else:
        evaluation = part(evaluate_network, rules, worker, number)

    return [
        part(inspect, rules, state),
        part(add_moves, rules, LISTING, moves, number, state, board, board),
        part(play, rules, state, state, number),
        evaluation,
        part(see_ge, rules, worker, state, number, number),
        part(mark_checks, rules, worker, number),
        part(ending_score, rules, worker, number, number),
        part(next_move, rules, worker, number, types.boolean),
        part(quiescence, rules, worker, number, number, number, number),
        part(search, rules, worker, number, number, number, number, number),
        part(prove, rules, worker, *[number] * 6),
    ]


def team(rules: Any, variant: Variant, shape: Shape | None) -> Team:
    """The plan, and the command of a helper with the same plan."""
    return Team(plan(rules, shape), [sys.executable, "-m", __name__, *arguments(variant, shape)])


def arguments(variant: Variant, shape: Shape | None) -> list[str]:
    """A game and the shape of its network as arguments of a program; `read_shape` reads the latter."""
    return [str(variant.description.path), *(str(int(number)) for number in (shape or ())[1:])]


def read_shape(variant: Variant, numbers: Sequence[str]) -> Shape | None:
    """The shape from the result of `arguments`; None without a network."""
    if not numbers:
        return None
    hidden, king_buckets, by_hands = map(int, numbers)
    return Shape(features_for(variant), hidden, king_buckets, bool(by_hands))


def main(game: str, *numbers: str) -> None:
    """Compiles parts for another process, until the input ends."""
    variant = Variant(game)
    help_compile(plan(variant.rules, read_shape(variant, numbers)))


if __name__ == "__main__":
    main(*sys.argv[1:])
