"""The data of one search thread as one NumPy record; compiled code passes only a pointer to it."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from ...engine.game.description import Description
from ...engine.position import Position
from ...engine.representation.position_record import movelist_dtype, position_dtype
from ...eval.network.output import SharedNetwork
from ...eval.network.vectors import Shape, aligned_record, worker_fields
from ...eval.terms.weights import Parameters, build_weights, weights_dtype
from .histories import columns_of, most_rows
from .parameters import (
    CORRECTION_ROWS,
    CORRECTION_TABLES,
    GIVEN_SCORES,
    LMR_UNIT,
    MAX_GAME,
    MAX_PLY,
    PROOF_MOVES,
    PROOF_PLIES,
    PROOF_ROWS,
    SEEN_SLOTS,
    TRIED,
)
from .tunable import TUNED, tuned_facts, tuned_values

LMR_ROWS = 64


PICKER = np.dtype(
    [
        ("stage", np.int64),
        ("index", np.int64),
        ("ordered", np.int64),  # up to here the list is in its order
        ("end", np.int64),
        ("losing", np.int64),
        ("table_move", np.int64),
        ("wanted", np.int64),
    ]
)


@cache
def worker_dtype(rules: Any, shape: Shape | None = None, tunable: bool = False) -> np.dtype[Any]:
    """The record of one search thread, which evaluates by a network of a `Shape` where one is given.
    A `tunable` one has the numbers of `tunable` in its record `tuned`.

    By ply below the root: `positions`, `lists` of moves with the `pickers` that walk through them,
    `checkers`, `pinned`, `killers`, `tried` moves, the `excluded` one, `pv` (the principal variation from
    there) with `pv_length`; two places further on, so that the two plies before the root exist, `evals`
    (static, in centipawns) and `rows` of the continuation history that the move leading there opens. By index
    in the game, the root at `root`: `keys`, `checks` (whether the side to move is in check) and `horizon`
    (how far back repetitions count); `seen` counts keys by their low bits. `history`, `captures`,
    `continuation` and `counters` are described in `histories`; `touched_rows` are the rows of `continuation`
    that may not be all 0. `correction`, `move_correction` and `correction_keys` are described in
    `correction`.
    `proof_keys`, `proof_results` and `proof_work` are the table of the proof search, by row; by ply there are
    `proof_count` children with `proof_moves`, `proof_children` (keys) and `proof_numbers`; it ends at
    `proof_limit` nodes.
    `given_keys` are positions whose score, mates counted from there, was given for searches
    up to `given_depths` plies. `excluded_moves` are moves that the root leaves out, `effort` the nodes that
    its best move took, `current` what it is at. `stop_address` and `table` are addresses of shared memory.
    What a network needs is described in `eval.network.vectors`."""
    plies, words = MAX_PLY + 2, rules.empty.width // 64
    length = MAX_GAME + plies
    columns, rows = columns_of(rules), most_rows(rules) + 1
    fields = [
        ("weights", weights_dtype(rules)),
        ("positions", position_dtype(rules), (plies,)),
        ("lists", movelist_dtype(rules), (plies,)),
        ("pickers", PICKER, (plies,)),
        ("checkers", np.uint64, (plies, words)),
        ("pinned", np.uint64, (plies, words)),
        ("check_squares", np.uint64, (plies * rules.mover_count, words)),
        ("uncovering", np.uint64, (plies, words)),
        ("screening", np.uint64, (plies, words)),
        ("facing", np.uint64, (plies, words)),
        ("killers", np.uint32, (plies + 2, 2)),
        ("tried", np.uint32, (plies, TRIED)),
        ("excluded", np.uint32, (plies,)),
        ("evals", np.int32, (plies + 2,)),
        ("rows", np.int64, (plies + 2,)),
        ("pv", np.uint32, (plies, plies)),
        ("pv_length", np.int64, (plies,)),
        ("history", np.int16, (2, columns)),
        ("captures", np.int16, (2 * rules.kinds, rules.squares, rules.kinds + 1)),
        ("continuation", np.int16, (rows, columns)),
        ("touched_rows", np.uint8, (rows,)),
        ("counters", np.uint32, (rows,)),
        ("correction", np.int16, (2, CORRECTION_TABLES, CORRECTION_ROWS)),
        ("move_correction", np.int16, (rows,)),
        ("correction_keys", np.uint32, (plies, CORRECTION_TABLES)),
        ("proof_keys", np.uint64, (PROOF_ROWS,)),
        ("proof_results", np.uint32, (PROOF_ROWS, 2)),
        ("proof_work", np.uint32, (PROOF_ROWS,)),
        ("proof_count", np.int64, (PROOF_PLIES + 1,)),
        ("proof_moves", np.uint32, (PROOF_PLIES + 1, PROOF_MOVES)),
        ("proof_children", np.uint64, (PROOF_PLIES + 1, PROOF_MOVES)),
        ("proof_numbers", np.uint32, (PROOF_PLIES + 1, PROOF_MOVES, 2)),
        ("proof_root", np.uint64),
        ("proof_limit", np.int64),
        ("reductions", np.int16, (LMR_ROWS, LMR_ROWS)),
        ("keys", np.uint64, (length,)),
        ("checks", np.uint8, (length,)),
        ("horizon", np.int32, (length,)),
        ("seen", np.uint16, (SEEN_SLOTS,)),
        ("given_keys", np.uint64, (GIVEN_SCORES,)),
        ("given_scores", np.int32, (GIVEN_SCORES,)),
        ("given_depths", np.int32, (GIVEN_SCORES,)),
        ("given_count", np.int64),
        ("excluded_moves", np.uint32, (rules.max_moves,)),
        ("excluded_count", np.int64),
        ("root", np.int64),
        ("root_depth", np.int64),
        ("effort", np.int64),
        ("current", np.int64),
        ("nodes", np.int64),
        ("node_limit", np.int64),
        ("seldepth", np.int64),
        ("stoppable_from", np.int64),
        ("stopped", np.int64),
        ("age", np.int64),
        ("stop_address", np.uint64),
        ("table", np.uint64),
        ("table_mask", np.uint64),
    ]
    if rules.walls:
        fields.insert(0, ("wall_history", np.int16, (2, rules.squares)))
    tuned_facts(rules)
    # In front of the others: Numba takes a record with more fields at its end for the one without them.
    front = [("tuned", TUNED)] if tunable else []
    if shape and shape.king_buckets:
        front.append(("king_bucket_positions", position_dtype(rules), (2, shape.king_buckets)))
    return np.dtype((worker_fields(shape, plies) if shape else []) + front + fields, align=True)


def new_worker(
    rules: Any,
    description: Description,
    shared: SharedNetwork | None = None,
    tuned: dict[str, int] | None = None,
    parameters: Parameters | None = None,
) -> Any:
    """A worker with its weights and reductions, everything else empty.

    The weights are those of `parameters`, by default the game's tuned ones. It evaluates by a `SharedNetwork`
    where one is given, and counts by its scale then. With a dict `tuned`, of names in TUNABLES and values
    that differ from those of the game, it can be tuned."""
    worker = aligned_record(worker_dtype(rules, shared and shared.shape, tuned is not None))
    if tuned is not None:
        for name, value in (tuned_values(rules) | tuned).items():
            worker["tuned"][name] = value
    worker["weights"] = build_weights(rules, description, parameters)
    if shared:
        worker["network"], worker["weights"]["scale"] = shared.address, shared.network.scale
    depths = np.log(np.maximum(1, np.arange(LMR_ROWS)))
    worker["reductions"] = np.outer(depths, depths) * LMR_UNIT
    return worker


def clear_worker(worker: Any) -> None:
    """Clears histories, corrections and mates of earlier searches."""
    for table in (
        "history",
        "captures",
        "continuation",
        "touched_rows",
        "counters",
        "killers",
        "correction",
        "move_correction",
        "proof_keys",
        "proof_work",
        *(("wall_history",) if "wall_history" in worker.dtype.names else ()),
    ):
        worker[table] = 0


def load_game(worker: Any, position: Position, given: Sequence[tuple[int, int, int]] = ()) -> None:
    """Puts a `Position` and the history that repetition looks at into the worker, and the `given` scores.

    Those are (key, score, depth) each."""
    worker["positions"][0] = position.state
    keys, checks = position.history()
    keys, checks = keys[-MAX_GAME:], checks[-MAX_GAME:]
    worker["root"] = len(keys) - 1
    worker["keys"][: len(keys)] = keys
    worker["checks"][: len(keys)] = checks
    worker["horizon"][: len(keys)] = 0
    worker["seen"] = 0
    worker["given_count"] = len(given)
    for i, (key, score, depth) in enumerate(given):
        worker["given_keys"][i], worker["given_scores"][i], worker["given_depths"][i] = key, score, depth
    slots = np.array([*keys, *worker["given_keys"][: len(given)]], np.uint64) % np.uint64(SEEN_SLOTS)
    np.add.at(worker["seen"], slots.astype(np.int64), 1)
