"""The search tree: principal variation search and quiescence, a story in numbered steps.

Scores are centipawns for the side to move, mates counted from the root. When the worker has stopped, scores
are void and nothing is stored.
"""

import numpy as np

from ..engine.attacks import inspect
from ..engine.bitboard import load, store
from ..engine.compiler import entry_point, inner
from ..engine.mechanics.material import is_dead
from ..engine.mechanics.outcomes import score_sign
from ..engine.movegen import LISTING, TACTICAL, legal_moves
from ..engine.play import play, play_null
from ..eval.evaluate import evaluate
from .memory import prefetch, read_word
from .ordering import gain_of, history_of, is_quiet, learn, pick, score_moves
from .parameters import (
    DECISIVE,
    DELTA_MARGIN,
    HISTORY_LIMIT,
    HISTORY_REDUCTION,
    INFINITE,
    MATE,
    MAX_PLY,
    NULL_DEPTH,
    NULL_DEPTH_DIVISOR,
    NULL_REDUCTION,
    POLL_NODES,
    QUIESCENCE_EVASIONS,
)
from .repetition import NONE, enter, leave, repetition_score
from .table import (
    EXACT,
    LOWER,
    NO_ANSWER,
    UPPER,
    answer,
    bucket,
    entry_depth,
    entry_move,
    probe,
    record,
    table_score,
)
from .worker import REDUCTION_ROWS


@inner
def _count_node(worker, ply):
    """Counts a node and, every so often, looks whether the search should end."""
    worker.nodes += 1
    worker.seldepth = max(worker.seldepth, ply)
    if worker.nodes % POLL_NODES == 0 and worker.stoppable and read_word(worker.stop_address):
        worker.stopped = 1
    if worker.nodes >= worker.node_limit:
        worker.stopped = 1


@inner
def _arrive(rules, worker, ply, after_null):
    """Notes checkers, pins and history of the position that was just made at `ply`."""
    position = worker.positions[ply]
    prefetch(bucket(worker, position.key))
    checkers, pinned = inspect(rules, position)
    store(worker, "checkers", ply, checkers)
    store(worker, "pinned", ply, pinned)
    enter(worker, ply, position.repetition_key, bool(checkers), after_null)


@inner
def _list_moves(rules, worker, sink, ply):
    """The number of moves that `sink` takes, listed at `ply`."""
    checkers, pinned = load(worker, "checkers", ply), load(worker, "pinned", ply)
    return legal_moves(rules, sink, worker.lists[ply], worker.positions[ply], checkers, pinned)


@inner
def _no_move_score(rules, worker, ply):
    """The score of a position without a legal move: mate, or what the game makes of stalemate."""
    if load(worker, "checkers", ply) or rules.stalemate_is_loss:
        return np.int64(ply - MATE)
    if rules.stalemate_is_draw:
        return np.int64(0)
    return np.int64(MATE - ply)


@inner
def _ending_score(rules, worker, ply):
    """The score for the side to move if a rule of this game has ended it at `ply`, else NONE.

    Repetition has a function of its own; mate comes before the count of quiet moves.
    """
    position = worker.positions[ply]
    if rules.can_end and position.outcome:
        return score_sign(np.int64(position.outcome)) * (MATE - ply)
    if rules.quiet_limit and position.halfmoves >= rules.quiet_limit:
        if load(worker, "checkers", ply) and _list_moves(rules, worker, LISTING, ply) == 0:
            return np.int64(ply - MATE)
        return np.int64(0)
    if is_dead(rules, False, rules, position):
        return np.int64(0)
    return np.int64(NONE)


@inner
def _extend_line(worker, ply, move):
    """Makes `move` and the line below it the principal variation from `ply`."""
    length = worker.line_length[ply + 1]
    worker.line[ply, 0] = move
    for i in range(length):
        worker.line[ply, i + 1] = worker.line[ply + 1, i]
    worker.line_length[ply] = length + 1


@inner
def _has_pieces(rules, position):
    """Whether the side to move has more than king and pawns, or anything in hand."""
    side = np.int64(position.side)
    for hand in range(rules.hand_kinds):
        if position.hands[side, hand]:
            return True
    rest = load(position, "colours", side) & ~load(position, "movers", rules.king_mover)
    for i in range(rules.pawn_mover_count):
        rest = rest & ~load(position, "movers", rules.pawn_movers[i])
    return bool(rest)


@inner
def quiescence(rules, worker, depth, alpha, beta, ply):
    """The score once captures are played out; `depth` is 0 at first and falls below.

    All replies to check are searched in the first plies only: drops between make them too many.
    """
    _count_node(worker, ply)
    worker.line_length[ply] = 0
    position = worker.positions[ply]
    checked = bool(load(worker, "checkers", ply))
    evading = checked and depth > -QUIESCENCE_EVASIONS

    # 1. The end of the game, repetition, and the end of the stack.
    ended = _ending_score(rules, worker, ply)
    if ended != NONE:
        return ended
    repeated = repetition_score(rules, worker, ply)
    if repeated != NONE:
        return repeated
    if ply >= MAX_PLY:
        return evaluate(rules, worker.weights, position)

    # 2. What the table knows.
    key = position.key
    data, static_eval = probe(worker, key)
    table_move = entry_move(data)
    if data != np.uint64(0) and beta - alpha == 1:
        known = answer(data, alpha, beta, ply)
        if known != NO_ANSWER:
            return known

    # 3. Stand pat: the side to move need not capture, unless it answers a check.
    best, first_alpha, best_move = np.int64(-INFINITE), alpha, np.int64(0)
    if evading:
        count = _list_moves(rules, worker, LISTING, ply)
        if count == 0:
            return np.int64(ply - MATE)
    else:
        if checked or data == np.uint64(0):  # entries of positions in check hold no evaluation
            static_eval = evaluate(rules, worker.weights, position)
        best = static_eval
        if best >= beta:
            return best
        alpha = max(alpha, best)
        count = _list_moves(rules, worker, TACTICAL, ply)

    # 4. The moves, best gain first; hopeless captures are left out.
    score_moves(rules, worker, ply, count, table_move)
    moves, child = worker.lists[ply], worker.positions[ply + 1]
    for i in range(count):
        move = pick(moves, i, count)
        if not evading:
            promise = static_eval + gain_of(rules, worker, position, move) + DELTA_MARGIN
            if promise <= alpha:
                best = max(best, promise)
                continue
        play(rules, child, position, move)
        _arrive(rules, worker, ply + 1, False)
        score = -quiescence(rules, worker, depth - 1, -beta, -alpha, ply + 1)
        leave(worker, ply + 1)
        if worker.stopped:
            return np.int64(0)
        if score > best:
            best = score
            if score > alpha:
                alpha, best_move = score, move
                _extend_line(worker, ply, move)
                if score >= beta:
                    break

    bound = LOWER if best >= beta else EXACT if best > first_alpha else UPPER
    record(worker, key, best_move, table_score(best, ply), 0, bound, static_eval)
    return best


@inner
def search(rules, worker, depth, alpha, beta, ply, may_pass):
    """The score of the position at `ply`, searched `depth` plies deep within (alpha, beta), fail-soft.

    `may_pass` is 1 unless the move before was a null move. The root is ply 0.
    """
    # 1. Checks are searched a ply deeper; at the horizon only captures are left.
    checkers = load(worker, "checkers", ply)
    if checkers and ply < 2 * worker.root_depth:
        depth += 1
    if depth <= 0:
        return quiescence(rules, worker, np.int64(0), alpha, beta, ply)

    # 2. Count the node; end at a stop, the end of the game, a repetition or the end of the stack.
    _count_node(worker, ply)
    if worker.stopped:
        return np.int64(0)
    worker.line_length[ply] = 0
    position = worker.positions[ply]
    is_pv = beta - alpha > 1
    if ply > 0:
        ended = _ending_score(rules, worker, ply)
        if ended != NONE:
            return ended
        repeated = repetition_score(rules, worker, ply)
        if repeated != NONE:
            return repeated
        if ply >= MAX_PLY:
            return evaluate(rules, worker.weights, position)

        # 3. Mate distance: a mate already found that is shorter than any from here decides.
        alpha = max(alpha, np.int64(ply - MATE))
        beta = min(beta, np.int64(MATE - ply - 1))
        if alpha >= beta:
            return alpha

    # 4. The table: off the principal variation a deep enough entry answers at once.
    key = position.key
    data, static_eval = probe(worker, key)
    table_move = entry_move(data)
    if data != np.uint64(0) and not is_pv and entry_depth(data) >= depth:
        known = answer(data, alpha, beta, ply)
        if known != NO_ANSWER:
            return known
    if data == np.uint64(0) and not checkers:
        static_eval = evaluate(rules, worker.weights, position)

    # 5. Null move: if even a free move for the other side leaves us at beta, a real one will. Not in
    # check, not twice in a row, not while choosing a setup, and not where only king and pawns might be in
    # zugzwang.
    child = worker.positions[ply + 1]
    if (
        not is_pv
        and may_pass
        and not checkers
        and depth >= NULL_DEPTH
        and static_eval >= beta
        and abs(beta) < DECISIVE
        and position.choices == 0
        and _has_pieces(rules, position)
    ):
        play_null(rules, child, position)
        _arrive(rules, worker, ply + 1, True)
        reduced = depth - 1 - NULL_REDUCTION - depth // NULL_DEPTH_DIVISOR
        score = -search(rules, worker, reduced, -beta, -beta + 1, ply + 1, np.int64(0))
        leave(worker, ply + 1)
        if worker.stopped:
            return np.int64(0)
        if score >= beta:
            return min(score, np.int64(DECISIVE - 1))

    # 6. All moves, in the order of their promise.
    count = _list_moves(rules, worker, LISTING, ply)
    if count == 0:
        return _no_move_score(rules, worker, ply)
    score_moves(rules, worker, ply, count, table_move)
    worker.killers[ply + 2, 0] = 0
    worker.killers[ply + 2, 1] = 0
    moves = worker.lists[ply]
    best, best_move, first_alpha = np.int64(-INFINITE), np.int64(0), alpha
    for i in range(count):
        move = pick(moves, i, count)
        quiet = is_quiet(rules, position, move)
        play(rules, child, position, move)
        _arrive(rules, worker, ply + 1, False)

        # 7. The first move is searched fully; later quiet ones less deep, and all of them only to see
        # whether they beat alpha, until one does.
        if i == 0:
            score = -search(rules, worker, depth - 1, -beta, -alpha, ply + 1, np.int64(1))
        else:
            reduction = np.int64(0)
            if quiet and not checkers:
                rows = REDUCTION_ROWS - 1
                reduction = np.int64(worker.reductions[min(depth, rows), min(i, rows)])
                if reduction > 0:
                    reduction -= history_of(rules, worker, position, move) // HISTORY_REDUCTION
                    if is_pv or load(worker, "checkers", ply + 1):
                        reduction -= 1
                    reduction = max(np.int64(0), min(reduction, depth - 2))
            below = depth - 1 - reduction
            score = -search(rules, worker, below, -alpha - 1, -alpha, ply + 1, np.int64(1))
            if score > alpha and reduction > 0 and not worker.stopped:
                score = -search(rules, worker, depth - 1, -alpha - 1, -alpha, ply + 1, np.int64(1))
            if alpha < score < beta and not worker.stopped:
                score = -search(rules, worker, depth - 1, -beta, -alpha, ply + 1, np.int64(1))
        leave(worker, ply + 1)
        if worker.stopped:
            return np.int64(0)

        # 8. A new best move; at beta the node is done, and the move is remembered.
        if score > best:
            best = score
            if score > alpha:
                alpha, best_move = score, move
                _extend_line(worker, ply, move)
                if score >= beta:
                    if quiet:
                        _remember(rules, worker, position, ply, depth, i)
                    break

    # 9. Store what was learnt.
    bound = LOWER if best >= beta else EXACT if best > first_alpha else UPPER
    record(worker, key, best_move, table_score(best, ply), depth, bound, static_eval)
    return best


@inner
def _remember(rules, worker, position, ply, depth, index):
    """Rewards the quiet move number `index` that failed high and blames the quiet ones before it."""
    moves = worker.lists[ply]
    bonus = min(np.int64(HISTORY_LIMIT // 8), 16 * depth * depth)
    for i in range(index):
        if is_quiet(rules, position, np.int64(moves.moves[i])):
            learn(rules, worker, position, np.int64(moves.moves[i]), -bonus)
    move = np.int64(moves.moves[index])
    learn(rules, worker, position, move, bonus)
    if np.int64(worker.killers[ply, 0]) != move:
        worker.killers[ply, 1] = worker.killers[ply, 0]
        worker.killers[ply, 0] = move


@entry_point
def search_root(rules, worker, depth, alpha, beta):
    """The score of the worker's root, searched `depth` plies deep within (alpha, beta).

    The best line stands in `worker.line[0]`; it is empty when no move beat alpha.
    """
    checkers, pinned = inspect(rules, worker.positions[0])
    store(worker, "checkers", 0, checkers)
    store(worker, "pinned", 0, pinned)
    worker.root_depth = depth
    worker.line_length[0] = 0
    return search(rules, worker, depth, alpha, beta, np.int64(0), np.int64(1))
