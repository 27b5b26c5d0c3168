"""The search tree: principal variation search in numbered steps.

Scores are centipawns for the side to move, mates counted from the root. When the worker has stopped, scores
are void and nothing is stored.
"""

import numpy as np

from ...engine.kernel.bitboard import load, store
from ...engine.kernel.compiler import entry_point, inner
from ...engine.mechanics.check_count import counts_checks, loses_by_a_check
from ...engine.mechanics.must_capture import captures_are_duty
from ...engine.mechanics.placement import owes_drop
from ...engine.mechanics.walls import same_step
from ...engine.movegen.attacks import inspect
from ...engine.movegen.make_move import play_null
from .correction import corrected, learn_error
from .evaluation import position_changed, static_evaluation
from .hanging import hanging
from .histories import (
    quiet_history,
    row_of,
    update_capture_history,
    update_quiet_history,
    update_wall_history,
)
from .memory import prefetch
from .parameters import DECISIVE, INFINITE, LMR_UNIT, MATE, MAX_PLY, PROBCUT_PLIES, TRIED
from .picker import (
    CAPTURES_ONLY,
    EVERYTHING,
    LIST_TACTICAL,
    expect,
    is_quiet,
    loses_nothing,
    next_move,
    start_picking,
)
from .pruning import (
    gives_check_or_captures,
    has_non_pawn_material,
    is_bad_exchange,
    is_bad_quiet,
    is_futile,
    late_move_count,
    late_move_reduction,
    may_be_bared,
    must_mate,
    reduced_plies,
)
from .quiescence import (
    arrive,
    can_move,
    captures_to_choose,
    count_node,
    ending_score,
    extend_line,
    no_move_score,
    play_at,
    quiescence,
)
from .repetition import NONE, leave
from .see import see_ge
from .table import (
    EXACT,
    LOWER,
    NO_ANSWER,
    UPPER,
    answer,
    bucket,
    entry_bound,
    entry_depth,
    entry_move,
    entry_score,
    node_score,
    probe,
    record,
    table_score,
)
from .threats import may_explode
from .tunable import tuned_numbers

NO_EVAL = -100_000  # in check there is no static evaluation
# What a node may do: bits of its argument `node`.
MAY_PASS = 1  # unless the move before was a null move
CUT_NODE = 2  # a move that beats beta is expected
CURRENT_UNIT = 1 << 32  # the worker's `current` is the number of the move, times this, and the move


@inner
def _is_excluded(worker, move):
    """Whether the root leaves this move out."""
    for i in range(worker.excluded_count):
        if np.int64(worker.excluded_moves[i]) == move:
            return True
    return False


@inner
def search(rules, worker, depth, alpha, beta, ply, node):
    """The score of the position at `ply`, searched `depth` plies deep within (alpha, beta), fail-soft.

    `node` are the bits MAY_PASS and CUT_NODE. The root is ply 0.
    """
    tuned = tuned_numbers(rules, worker)
    # 1. At the horizon only captures are left.
    checkers = load(worker, "checkers", ply)
    excluded = np.int64(worker.excluded[ply])
    if depth <= 0:
        return quiescence(rules, worker, np.int64(0), alpha, beta, ply)

    # 2. Count the node; end at a stop, the end of the game, a repetition or the end of the stack.
    count_node(worker, ply)
    if worker.stopped:
        return np.int64(0)
    worker.pv_length[ply] = 0
    position = worker.positions[ply]
    is_pv = beta - alpha > 1
    cut_node = bool(node & CUT_NODE)
    if ply > 0:
        ended = ending_score(rules, worker, depth, ply)
        if ended != NONE:
            return ended
        if rules.lasting_walls and excluded == 0 and not can_move(rules, worker, ply):
            return no_move_score(rules, worker, ply)
        if ply >= MAX_PLY:
            return static_evaluation(rules, worker, ply)

        # 3. Mate distance: a mate already found that is shorter than any from here decides.
        alpha = max(alpha, np.int64(ply - MATE))
        beta = min(beta, np.int64(MATE - ply - 1))
        if alpha >= beta:
            return alpha

    # 4. The table: off the principal variation a deep enough entry answers at once.
    key = position.key
    data, raw_eval = probe(worker, key)
    table_move = entry_move(data)
    table_value = node_score(entry_score(data), ply)
    if data != np.uint64(0) and not is_pv and excluded == 0 and entry_depth(data) >= depth:
        known = answer(data, alpha, beta, ply)
        if known != NO_ANSWER:
            return known
    expect(rules, worker, ply, table_move)

    # 5. The static evaluation, corrected by what was learned from similar positions; a score from
    # the table is better where its bound fits. In check the evaluation of two plies before stays.
    improving = False
    if checkers:
        raw_eval = np.int64(0)
        static_eval = np.int64(NO_EVAL)
        worker.evals[ply + 2] = worker.evals[ply]
    else:
        if data == np.uint64(0):
            raw_eval = static_evaluation(rules, worker, ply)
        static_eval = corrected(rules, worker, tuned, ply, raw_eval)
        improving = static_eval > np.int64(worker.evals[ply])
        worker.evals[ply + 2] = static_eval
    estimate = static_eval
    if data != np.uint64(0) and abs(table_value) < DECISIVE:
        bound = entry_bound(data)
        if bound == EXACT or (bound == LOWER) == (table_value > estimate):
            estimate = table_value

    worker.killers[ply + 2, 0] = 0
    worker.killers[ply + 2, 1] = 0
    unsettled = position.choices != 0 or owes_drop(rules, False, position)
    # A static score accounts neither for a piece whose loss ends the game, nor for a capture that is a duty,
    # nor for a king that is about to explode.
    may_cut = not is_pv and not checkers and excluded == 0 and abs(beta) < DECISIVE and not unsettled
    may_cut = may_cut and not loses_by_a_check(rules, False, position)
    captures = captures_to_choose(rules, worker, ply)
    may_cut = may_cut and captures == 0
    may_cut = may_cut and not (estimate >= beta and may_explode(rules, False, position))
    if may_cut and not may_be_bared(rules, position):
        # 6. Reverse futility: so far above beta that a few plies will not change it. Of several own pieces
        # that hang, a move saves only one.
        most, second = np.int64(0), np.int64(0)
        if (tuned.rfp_hanging or tuned.null_hanging) and estimate >= beta:
            _, most, second = hanging(rules, worker, position)
        margin = tuned.rfp_margin * (depth - improving) + tuned.rfp_hanging * second // 16
        if depth <= tuned.rfp_depth and estimate - margin >= beta:
            return estimate

        # 7. Razoring: so far below alpha that only captures could help; let them try.
        if depth <= tuned.razor_depth and estimate + tuned.razor_margin * depth < alpha:
            score = quiescence(rules, worker, np.int64(0), alpha, beta, ply)
            if score <= alpha or worker.stopped:
                return score

        # 8. Null move: if even a free move for the other side leaves us at beta, a real one will. Not
        # twice in a row, not where only king and pawns might be in zugzwang or walls confine the pieces, nor
        # where captures are a duty, nor where the free move could take too much.
        if (
            node & MAY_PASS
            and depth >= tuned.null_depth
            and estimate - tuned.null_hanging * most // 16 >= beta
            and not captures_are_duty(rules, False)
            and not rules.lasting_walls
            and has_non_pawn_material(rules, position)
        ):
            prefetch(bucket(worker, key ^ rules.zobrist_turn[0]))
            play_null(rules, worker.positions[ply + 1], position)
            worker.rows[ply + 2] = 0
            arrive(rules, worker, ply + 1, True)
            margin = min(np.int64(tuned.null_max_margin), (estimate - beta) // tuned.null_margin)
            below = depth - margin - (tuned.null_reduction + tuned.null_slope * depth) // LMR_UNIT
            child_node = np.int64(0) if cut_node else np.int64(CUT_NODE)
            score = -search(rules, worker, below, -beta, -beta + 1, ply + 1, child_node)
            leave(worker, ply + 1)
            if worker.stopped:
                return np.int64(0)
            if score >= beta:
                return min(score, np.int64(DECISIVE - 1))

    # 9. Internal iterative reduction: without a table move search one ply less; the next visit will have one.
    if depth >= tuned.iir_depth and table_move == 0 and (is_pv or cut_node) and excluded == 0:
        depth -= 1

    # 10. ProbCut: a capture that beats beta by a margin in a shallow search will beat beta.
    probcut_beta = beta + tuned.probcut_margin
    if (
        not is_pv
        and not checkers
        and excluded == 0
        and depth >= tuned.probcut_depth
        and abs(beta) < DECISIVE
        and not unsettled
        and not (
            data != np.uint64(0) and entry_depth(data) >= depth - PROBCUT_PLIES and table_value < probcut_beta
        )
    ):
        start_picking(rules, worker, ply, table_move, np.int64(CAPTURES_ONLY))
        while True:
            move = next_move(rules, worker, ply, False)
            if move == 0:
                break
            if not see_ge(rules, worker, position, move, probcut_beta - static_eval):
                continue
            worker.rows[ply + 2] = row_of(rules, worker, position, move)
            play_at(rules, worker, ply, move)
            score = -quiescence(rules, worker, np.int64(0), -probcut_beta, -probcut_beta + 1, ply + 1)
            if score >= probcut_beta and not worker.stopped:
                child_node = np.int64(MAY_PASS) if cut_node else np.int64(MAY_PASS | CUT_NODE)
                score = -search(
                    rules,
                    worker,
                    depth - 1 - PROBCUT_PLIES,
                    -probcut_beta,
                    -probcut_beta + 1,
                    ply + 1,
                    child_node,
                )
            leave(worker, ply + 1)
            if worker.stopped:
                return np.int64(0)
            if score >= probcut_beta:
                record(worker, key, move, table_score(score, ply), depth - PROBCUT_PLIES, LOWER, raw_eval)
                return score

    only_capture = tuned.extend_only_capture and captures == 1
    # 11. The moves, the most promising first.
    start_picking(rules, worker, ply, table_move, np.int64(EVERYTHING))
    best, best_move, first_alpha = np.int64(-INFINITE), np.int64(0), alpha
    count, tried = np.int64(0), np.int64(0)
    skip_quiets = False
    may_prune = ply > 0 and has_non_pawn_material(rules, position)
    mates_only = must_mate(rules, tuned, depth, alpha, ply)
    while True:
        move = next_move(rules, worker, ply, skip_quiets and not rules.hidden_captures)
        if move == 0:
            break
        if move == excluded or (ply == 0 and _is_excluded(worker, move)):
            continue
        count += 1
        if ply == 0:
            worker.current = count * CURRENT_UNIT + move
        quiet = is_quiet(rules, position, move)
        history = quiet_history(rules, worker, position, ply, move) if quiet else np.int64(0)
        reduction = late_move_reduction(worker, tuned, depth, count)

        # 12. Late quiet moves are left out at low depth, and moves that cannot mate where only a mate helps.
        if mates_only and quiet and not gives_check_or_captures(rules, worker, ply, position, move):
            best = max(best, first_alpha)
            continue
        if may_prune and best > -DECISIVE and abs(alpha) < DECISIVE:
            if quiet and not gives_check_or_captures(rules, worker, ply, position, move):
                below = max(np.int64(0), depth - 1 - reduction // LMR_UNIT)
                futile = not checkers and is_futile(tuned, static_eval, below, alpha)
                if skip_quiets or futile:
                    skip_quiets = True
                    continue
                skip_quiets = (
                    not checkers
                    and depth <= tuned.lmp_depth
                    and count >= late_move_count(tuned, depth, improving)
                )
                safe = loses_nothing(rules, worker, ply)
                if is_bad_quiet(rules, worker, position, move, depth, below, history, safe):
                    continue
            elif is_bad_exchange(rules, worker, ply, position, move, depth, quiet):
                continue

        # 13. Singular extension: if all other moves stay well below what the table promises for this one,
        # it is searched deeper; if they reach beta without it, the node is done.
        extension = np.int64(0)
        if (
            ply > 0
            and depth >= tuned.singular_depth
            and move == table_move
            and excluded == 0
            and ply < 2 * worker.root_depth
            and entry_bound(data) != UPPER
            and entry_depth(data) >= depth - tuned.singular_depth_lag
            and abs(table_value) < DECISIVE
        ):
            singular_beta = table_value - tuned.singular_margin * depth // 16
            worker.excluded[ply] = move
            same = np.int64(node & CUT_NODE)
            score = search(rules, worker, (depth - 1) // 2, singular_beta - 1, singular_beta, ply, same)
            worker.excluded[ply] = 0
            if worker.stopped:
                return np.int64(0)
            start_picking(rules, worker, ply, table_move, np.int64(EVERYTHING))
            worker.pickers[ply].stage = LIST_TACTICAL
            if score < singular_beta:
                extension = np.int64(1)
                if not is_pv and score < singular_beta - tuned.double_margin:
                    extension = np.int64(2)
            elif singular_beta >= beta:
                return singular_beta
            elif table_value >= beta:
                extension = np.int64(-1)

        if tried < TRIED:
            worker.tried[ply, tried] = move
            tried += 1
        worker.rows[ply + 2] = row_of(rules, worker, position, move)
        nodes = worker.nodes
        play_at(rules, worker, ply, move)
        if counts_checks(rules, False) and load(worker, "checkers", ply + 1) and ply < 2 * worker.root_depth:
            extension = max(extension, np.int64(1))
        if only_capture and ply < 2 * worker.root_depth:
            extension = max(extension, np.int64(1))
        below = depth - 1 + extension

        # 14. The first move is searched fully; later ones less deep, and all of them only to see whether
        # they beat alpha, until one does.
        if count == 1:
            child_node = np.int64(MAY_PASS) if is_pv or cut_node else np.int64(MAY_PASS | CUT_NODE)
            score = -search(rules, worker, below, -beta, -alpha, ply + 1, child_node)
        else:
            reduced = below
            if depth >= tuned.lmr_depth:
                checking = bool(load(worker, "checkers", ply + 1))
                plies = reduced_plies(
                    tuned, reduction, quiet, history, is_pv, cut_node, improving, bool(checkers), checking
                )
                reduced = max(min(below, np.int64(1)), below - plies)
            child_node = np.int64(MAY_PASS | CUT_NODE)
            score = -search(rules, worker, reduced, -alpha - 1, -alpha, ply + 1, child_node)
            if score > alpha and reduced < below and not worker.stopped:
                child_node = np.int64(MAY_PASS) if cut_node else np.int64(MAY_PASS | CUT_NODE)
                score = -search(rules, worker, below, -alpha - 1, -alpha, ply + 1, child_node)
            if alpha < score < beta and not worker.stopped:
                score = -search(rules, worker, below, -beta, -alpha, ply + 1, np.int64(MAY_PASS))
        leave(worker, ply + 1)
        if worker.stopped:
            return np.int64(0)

        # 15. A new best move; at beta the node is done, and the move is remembered.
        if score > best:
            best = score
            if score > alpha:
                alpha, best_move = score, move
                if ply == 0:
                    worker.effort = worker.nodes - nodes
                extend_line(worker, ply, move)
                if score >= beta:
                    _remember(rules, worker, position, ply, depth, move, tried)
                    break

    # 16. Nothing to play: mate, stalemate, or no move but the excluded one.
    if count == 0:
        return first_alpha if excluded else no_move_score(rules, worker, ply)

    # 17. Record the error of the static evaluation, where the score bounds it and no capture explains it.
    bound = LOWER if best >= beta else EXACT if best > first_alpha else UPPER
    if (
        not checkers
        and excluded == 0
        and abs(best) < DECISIVE
        and (best_move == 0 or is_quiet(rules, position, best_move))
        and not (bound == LOWER and best <= static_eval)
        and not (bound == UPPER and best >= static_eval)
    ):
        learn_error(rules, worker, ply, depth, best - static_eval)

    # 18. Store the result, unless moves were left out.
    if excluded == 0 and (ply > 0 or worker.excluded_count == 0):
        record(worker, key, best_move, table_score(best, ply), depth, bound, raw_eval)
    return best


@inner
def _remember(rules, worker, position, ply, depth, move, tried):
    """Adds a bonus for the move that failed high and a malus for those of the same kind that were `tried`
    before."""
    tuned = tuned_numbers(rules, worker)
    bonus = min(np.int64(tuned.bonus_limit), tuned.bonus_factor * depth)
    quiet = is_quiet(rules, position, move)
    update_wall_history(rules, 0, worker, position, move, bonus)
    for i in range(tried):
        other = np.int64(worker.tried[ply, i])
        if other == move:
            continue
        update_wall_history(rules, 0, worker, position, other, -bonus)
        if same_step(rules, False, move, other):
            continue
        if not is_quiet(rules, position, other):
            update_capture_history(rules, worker, position, other, -bonus)
        elif quiet:
            update_quiet_history(rules, worker, position, ply, other, -bonus)
    if not quiet:
        update_capture_history(rules, worker, position, move, bonus)
        return
    update_quiet_history(rules, worker, position, ply, move, bonus)
    worker.counters[worker.rows[ply + 1]] = move
    if np.int64(worker.killers[ply, 0]) != move:
        worker.killers[ply, 1] = worker.killers[ply, 0]
        worker.killers[ply, 0] = move


@entry_point
def search_root(rules, worker, depth, alpha, beta):
    """The score of the worker's root, searched `depth` plies deep within (alpha, beta).

    The best line stands in `worker.pv[0]`; it is empty when no move beat alpha.
    """
    checkers, pinned = inspect(rules, worker.positions[0])
    store(worker, "checkers", 0, checkers)
    store(worker, "pinned", 0, pinned)
    position_changed(rules, worker, np.int64(0))
    static_evaluation(rules, worker, np.int64(0))  # what is evaluated below can begin there
    worker.root_depth = depth
    worker.pv_length[0] = 0
    worker.effort = 0
    worker.excluded[0] = 0
    worker.rows[0] = worker.rows[1] = 0
    worker.evals[0] = NO_EVAL
    worker.evals[1] = NO_EVAL
    return search(rules, worker, depth, alpha, beta, np.int64(0), np.int64(MAY_PASS))
