"""The end of the tree: shared functions of nodes, and the search of captures until none is left."""

import numpy as np

from ...engine.kernel.bitboard import load, store
from ...engine.kernel.compiler import inner
from ...engine.mechanics.check_count import counts_checks, tries_checks
from ...engine.mechanics.dead_positions import is_dead
from ...engine.mechanics.move_limit import is_over
from ...engine.mechanics.no_moves import USUAL, sign_without_moves
from ...engine.mechanics.outcomes import score_sign
from ...engine.mechanics.walls import same_step
from ...engine.movegen.attacks import inspect
from ...engine.movegen.legal_moves import QUIET, TACTICAL, add_moves, mandatory_captures
from ...engine.movegen.make_move import play
from .checks import checks
from .correction import corrected
from .evaluation import position_changed, static_evaluation
from .memory import read_word
from .parameters import FORCED_PLIES, INFINITE, MATE, MAX_PLY, POLL_NODES
from .picker import CAPTURES_ONLY, EVERYTHING, WITH_CHECKS, expect, is_quiet, next_move, start_picking
from .repetition import NONE, enter, leave, repetition_score
from .see import gain_of
from .table import EXACT, LOWER, NO_ANSWER, UPPER, answer, entry_move, probe, record, table_score
from .threats import may_reach_goal, reaches_goal
from .tunable import tuned_numbers


@inner
def count_node(worker, ply):
    """Counts a node and tests at intervals whether the search should end."""
    worker.nodes += 1
    worker.seldepth = max(worker.seldepth, ply)
    nodes = worker.nodes
    if nodes % POLL_NODES == 0 and nodes >= worker.stoppable_from and read_word(worker.stop_address):
        worker.stopped = 1
    if worker.nodes >= worker.node_limit:
        worker.stopped = 1


@inner
def arrive(rules, worker, ply, after_null):
    """Updates checkers, pins and history for the position that was just made at `ply`."""
    position_changed(rules, worker, ply)
    position = worker.positions[ply]
    checkers, pinned = inspect(rules, position)
    store(worker, "checkers", ply, checkers)
    store(worker, "pinned", ply, pinned)
    enter(worker, ply, position.repetition_key, bool(checkers), after_null)


@inner
def play_at(rules, worker, ply, move):
    """Makes a move at `ply`; the new position, one ply below, is updated with `arrive`."""
    play(rules, worker.positions[ply + 1], worker.positions[ply], move)
    arrive(rules, worker, ply + 1, False)


@inner
def can_move(rules, worker, ply):
    """Whether the side to move has a legal move; overwrites the list at `ply`."""
    checkers, pinned = load(worker, "checkers", ply), load(worker, "pinned", ply)
    moves, position = worker.lists[ply], worker.positions[ply]
    found = add_moves(rules, TACTICAL, moves, np.int64(0), position, checkers, pinned)
    return found > 0 or add_moves(rules, QUIET, moves, np.int64(0), position, checkers, pinned) > 0


@inner
def no_move_score(rules, worker, ply):
    """The score of a position without a legal move: mate, or the game's result of stalemate."""
    checked = bool(load(worker, "checkers", ply))
    sign = sign_without_moves(rules, np.int64(USUAL), worker.positions[ply], checked)
    if sign != USUAL:
        return sign * (MATE - ply)
    if checked or rules.stalemate_is_loss:
        return np.int64(ply - MATE)
    if rules.stalemate_is_draw:
        return np.int64(0)
    return np.int64(MATE - ply)


@inner
def _mate_score(rules, worker, ply):
    sign = sign_without_moves(rules, np.int64(USUAL), worker.positions[ply], True)
    if sign != USUAL:
        return sign * (MATE - ply)
    return np.int64(ply - MATE)


@inner
def ending_score(rules, worker, depth, ply):
    """The score for the side to move if the game has ended at `ply`, by rule or repetition, else NONE.

    A score given for a search of `depth` plies counts like an end. Mate comes before the counts
    of moves.
    """
    position = worker.positions[ply]
    if rules.can_end and position.outcome:
        return score_sign(np.int64(position.outcome)) * (MATE - ply)
    quiet = bool(rules.quiet_limit) and position.halfmoves >= rules.quiet_limit
    if is_over(rules, quiet, position):
        if load(worker, "checkers", ply) and not can_move(rules, worker, ply):
            return _mate_score(rules, worker, ply)
        return np.int64(0)
    if is_dead(rules, False, position):
        return np.int64(0)
    return np.int64(repetition_score(rules, worker, depth, ply))


@inner
def extend_line(worker, ply, move):
    """Makes `move` and the line below it the principal variation from `ply`."""
    length = worker.pv_length[ply + 1]
    worker.pv[ply, 0] = move
    for i in range(length):
        worker.pv[ply, i + 1] = worker.pv[ply + 1, i]
    worker.pv_length[ply] = length + 1


@inner
def captures_to_choose(rules, worker, ply):
    """The number of captures of which the side to move at `ply` must play one, 0 in games where none is
    mandatory; overwrites the list."""
    checkers, pinned = load(worker, "checkers", ply), load(worker, "pinned", ply)
    position, moves = worker.positions[ply], worker.lists[ply]
    return mandatory_captures(rules, np.int64(0), moves, position, checkers, pinned)


@inner
def _leads_nowhere(rules, position, move):
    """Whether a move neither captures nor promotes nor reaches a goal."""
    return is_quiet(rules, position, move) and not reaches_goal(rules, False, position, move)


@inner
def quiescence(rules, worker, depth, alpha, beta, ply):
    """The score after captures are played out; `depth` is 0 at first and decreases. All replies to check are
    searched only in the first plies, because interposed drops are too many, and steps of a king to its goal
    only in the first."""
    tuned = tuned_numbers(rules, worker)
    count_node(worker, ply)
    if worker.stopped:
        return np.int64(0)
    worker.pv_length[ply] = 0
    position = worker.positions[ply]
    checked = bool(load(worker, "checkers", ply))
    evading = checked and depth > -tuned.quiescence_evasions
    if depth > -FORCED_PLIES and captures_to_choose(rules, worker, ply):
        evading = True  # there is no standing pat

    # 1. The end of the game, and the end of the stack.
    ended = ending_score(rules, worker, depth, ply)
    if ended != NONE:
        return ended
    if rules.lasting_walls and not can_move(rules, worker, ply):
        return no_move_score(rules, worker, ply)
    if ply >= MAX_PLY:
        return static_evaluation(rules, worker, ply)

    # 2. What the table knows.
    key = position.key
    data, static_eval = probe(worker, key)
    table_move = entry_move(data)
    if data != np.uint64(0) and beta - alpha == 1:
        known = answer(data, alpha, beta, ply)
        if known != NO_ANSWER:
            return known
    expect(rules, worker, ply, table_move)

    # 3. Stand pat: the side to move need not capture, unless it answers a check.
    best, first_alpha, best_move = np.int64(-INFINITE), alpha, np.int64(0)
    if not evading:
        if checked or data == np.uint64(0):  # entries of positions in check hold no evaluation
            static_eval = static_evaluation(rules, worker, ply)
        best = corrected(rules, worker, tuned, ply, static_eval)
        if best >= beta:
            return best
        alpha = max(alpha, best)
    best_static = best

    # 4. The moves, best first: not many, and no captures that lose or cannot reach alpha.
    wanted = np.int64(CAPTURES_ONLY)
    racing = depth == 0 and may_reach_goal(rules, False, position)
    if evading or racing:
        wanted = np.int64(EVERYTHING)
    elif not checked and tries_checks(rules, depth > -tuned.quiescence_checks, position, depth):
        wanted = np.int64(WITH_CHECKS)
    start_picking(rules, worker, ply, table_move, wanted)
    count = 0
    last = np.int64(0)
    worker.rows[ply + 2] = 0
    while True:
        move = next_move(rules, worker, ply, False)
        if move == 0:
            break
        if same_step(rules, False, move, last):
            continue  # only its best wall is tried
        last = move
        if racing and not evading and _leads_nowhere(rules, position, move):
            continue
        count += 1
        checking = counts_checks(rules, False) and checks(rules, worker, ply, position, move)
        if not evading and not checking and not racing and count > tuned.quiescence_moves:
            break
        if not evading and not checking and not is_quiet(rules, position, move):
            futility_value = best_static + gain_of(rules, worker, position, move) + tuned.delta_margin
            if futility_value <= alpha:
                best = max(best, futility_value)
                continue
        play_at(rules, worker, ply, move)
        score = -quiescence(rules, worker, depth - 1, -beta, -alpha, ply + 1)
        leave(worker, ply + 1)
        if worker.stopped:
            return np.int64(0)
        if score > best:
            best = score
            if score > alpha:
                alpha, best_move = score, move
                extend_line(worker, ply, move)
                if score >= beta:
                    break
    if evading and count == 0:
        return _mate_score(rules, worker, ply)

    # 5. Store the result.
    bound = LOWER if best >= beta else EXACT if best > first_alpha else UPPER
    record(worker, key, best_move, table_score(best, ply), 0, bound, static_eval)
    return best
