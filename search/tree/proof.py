"""Proof-number search for mates by checks and a number of quiet moves, depth first (df-pn).

Source: A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002. The attacker tries
moves that check, and all others while quiet moves are left; the defender tries all replies. A node's proof
number is the least number of leaves that must be won to prove the mate; its disproof number, the least number
that must be lost to refute it. A node continues with its most promising child until its numbers reach limits
that other nodes set.

A proof has a bound of plies, so the shortest mate is found when the bounds before are refuted. Discovered
checks and checks by captures count; drops of pieces whose checks `checks` does not see are left out once no
quiet move is left, and so are positions with too many moves: a mate may be missed, but none is wrong."""

import numpy as np

from ...engine.game.moves import DROP
from ...engine.kernel.bitboard import load, store
from ...engine.kernel.compiler import entry_point, inner
from ...engine.movegen.attacks import inspect
from ...engine.movegen.legal_moves import LISTING, add_moves
from ...engine.movegen.make_move import play
from ...engine.representation.position_record import action_of
from .checks import checks, mark_checks
from .parameters import MATE_BOUND, MAX_DEPTH, PROOF_MOVES, PROOF_ROWS
from .quiescence import count_node, ending_score, no_move_score
from .repetition import NONE, enter, leave

PROVEN, REFUTED, UNKNOWN = 1, -1, 0
NEVER = np.int64(100_000_000)  # the number of what cannot be proven, or refuted
SURPLUS = 4  # a child may use up to a quarter more than the next best: fewer changes between them
LINE_NODES = 20_000  # for finding the line of a proof again where the table has lost it
_BELOW_DEPTH = np.int64(MAX_DEPTH + 1)  # no given score is for such a depth
_MIX = np.uint64(0x9E3779B97F4A7C15)


@inner
def _key(worker, position_key, left, quiets, attacking):
    """The key of a position in the table of proofs: with the plies and the quiet moves left, the attacker's
    turn or not (1, 0), and the root. It is another one for each, up to three quiet moves, because the plies
    left are odd at the attacker's turn and even at the defender's."""
    number = np.uint64(4 * left + 2 * quiets + attacking) * _MIX
    return position_key ^ worker.proof_root ^ number ^ (number >> np.uint64(29))


@inner
def _place(worker, key):
    """The row of a key: of two candidates, the one with the key, or else the one with less work in it."""
    row = np.int64(key & np.uint64(PROOF_ROWS - 1))
    if worker.proof_keys[row] == key:
        return row
    other = row ^ 1
    if worker.proof_keys[other] == key or worker.proof_work[other] < worker.proof_work[row]:
        return other
    return row


@inner
def _note(worker, ply, n, move, key, proof, refutation):
    """Stores the nth child of the node at `ply`."""
    worker.proof_moves[ply, n] = move
    worker.proof_children[ply, n] = key
    worker.proof_numbers[ply, n, 0] = proof
    worker.proof_numbers[ply, n, 1] = refutation


@inner
def _make(rules, worker, ply, move):
    """Plays a move of the position at `ply`; returns whether it checks. Every `_make` needs its `leave`."""
    count_node(worker, ply + 1)
    child = worker.positions[ply + 1]
    play(rules, child, worker.positions[ply], move)
    checkers, pinned = inspect(rules, child)
    store(worker, "checkers", ply + 1, checkers)
    store(worker, "pinned", ply + 1, pinned)
    enter(worker, ply + 1, child.repetition_key, bool(checkers), False)
    return bool(checkers)


@inner
def _list(rules, worker, ply):
    """The number of legal moves at `ply`, listed."""
    checkers, pinned = load(worker, "checkers", ply), load(worker, "pinned", ply)
    return add_moves(rules, LISTING, worker.lists[ply], np.int64(0), worker.positions[ply], checkers, pinned)


@inner
def _judge(rules, worker, ply, n, move, left, quiets, attacking):
    """Evaluates the child at `ply` + 1 as the nth one without a search. `left`, `quiets` and `attacking` are
    the child's."""
    key = _key(worker, worker.positions[ply + 1].key, left, quiets, attacking)
    ended = ending_score(rules, worker, _BELOW_DEPTH, ply + 1)
    proof, refutation = np.int64(1), np.int64(1)
    if ended != NONE:
        won = ended >= MATE_BOUND if attacking else ended <= -MATE_BOUND
        proof, refutation = (np.int64(0), NEVER) if won else (NEVER, np.int64(0))
    else:
        row = _place(worker, key)
        if worker.proof_keys[row] == key:
            proof = np.int64(worker.proof_results[row, 0])
            refutation = np.int64(worker.proof_results[row, 1])
        elif not attacking:
            replies = _list(rules, worker, ply + 1)
            if replies == 0:
                won = no_move_score(rules, worker, ply + 1) <= -MATE_BOUND
                proof, refutation = (np.int64(0), NEVER) if won else (NEVER, np.int64(0))
            elif left == 0:
                proof, refutation = NEVER, np.int64(0)
            else:
                proof = np.int64(replies)
    _note(worker, ply, n, move, key, proof, refutation)


@inner
def _expand(rules, worker, ply, left, quiets, attacking):
    """Lists the children of the node at `ply`; returns their number, or -1 for too many replies. The list is
    incomplete if the search was stopped."""
    total = _list(rules, worker, ply)
    position, moves = worker.positions[ply], worker.lists[ply]
    only_checks = attacking and quiets == 0
    if only_checks:
        mark_checks(rules, worker, ply)
    n = np.int64(0)
    for i in range(total):
        move = np.int64(moves.moves[i])
        if only_checks and action_of(move) == DROP and not checks(rules, worker, ply, position, move):
            continue
        if n == PROOF_MOVES:
            return n if attacking else np.int64(-1)
        checking = _make(rules, worker, ply, move)
        ends = rules.can_end and worker.positions[ply + 1].outcome != 0
        if checking or ends or not attacking:
            _judge(rules, worker, ply, n, move, left - 1, quiets, 1 - attacking)
            n += 1
        elif quiets > 0 and left > 1:
            _judge(rules, worker, ply, n, move, left - 1, quiets - 1, np.int64(0))
            n += 1
        leave(worker, ply + 1)
        if worker.stopped:
            break
    return n


@inner
def _packed(proof, refutation):
    """Two numbers as one."""
    return (proof << np.int64(32)) | refutation


@inner
def prove(rules, worker, ply, left, quiets, attacking, proof_limit, refutation_limit):
    """The proof and disproof numbers of the node at `ply`, packed, once one of them reaches its limit, or no
    nodes are left. Its children stay listed."""
    if worker.stopped:
        return _packed(np.int64(1), np.int64(1))
    mine, other = 1 - attacking, attacking
    limit, other_limit = (proof_limit, refutation_limit) if attacking else (refutation_limit, proof_limit)
    started = worker.nodes
    n = _expand(rules, worker, ply, left, quiets, attacking)
    worker.proof_count[ply] = max(np.int64(0), n)
    if worker.stopped:
        return _packed(np.int64(1), np.int64(1))
    while True:
        # Of the mover's number the node has the least of its children's, of the other the sum.
        least, second, total, best = NEVER, NEVER, np.int64(0), np.int64(-1)
        for i in range(n):
            number = np.int64(worker.proof_numbers[ply, i, mine])
            total = min(NEVER, total + np.int64(worker.proof_numbers[ply, i, other]))
            if number < least:
                least, second, best = number, least, i
            elif number < second:
                second = number
        if n < 0:  # not looked at: the attacker must find another way
            least, total = np.int64(0), NEVER
        if least == 0:
            total = NEVER
        if least >= limit or total >= other_limit or least == 0 or total == 0:
            break
        if worker.stopped or worker.nodes >= worker.proof_limit:
            break
        move = np.int64(worker.proof_moves[ply, best])
        below = min(limit, second + second // SURPLUS + 1)
        rest = other_limit - total + np.int64(worker.proof_numbers[ply, best, other])
        checking = _make(rules, worker, ply, move)
        if attacking:
            kept = quiets if checking else np.int64(quiets - 1)
            found = prove(rules, worker, ply + 1, left - 1, kept, np.int64(0), below, rest)
        else:
            found = prove(rules, worker, ply + 1, left - 1, quiets, np.int64(1), rest, below)
        leave(worker, ply + 1)
        worker.proof_numbers[ply, best, 0] = found >> np.int64(32)
        worker.proof_numbers[ply, best, 1] = found & np.int64(0xFFFFFFFF)
    proof, refutation = (least, total) if attacking else (total, least)
    key = _key(worker, worker.positions[ply].key, left, quiets, attacking)
    row = _place(worker, key)
    worker.proof_keys[row] = key
    worker.proof_work[row] = min(np.int64(0xFFFFFFFF), worker.nodes - started)
    worker.proof_results[row, 0] = proof
    worker.proof_results[row, 1] = refutation
    return _packed(proof, refutation)


@inner
def _is_proven_within(worker, ply, i, left, quiets):
    """Whether the table knows that the ith reply at `ply`, with `left` plies after it, loses in fewer."""
    whole = worker.proof_children[ply, i]
    position_key = whole ^ _key(worker, np.uint64(0), left, quiets, np.int64(1))
    key = _key(worker, position_key, left - 2, quiets, np.int64(1))
    row = _place(worker, key)
    return worker.proof_keys[row] == key and worker.proof_results[row, 0] == 0


@inner
def _find_line(rules, worker, left, quiets):
    """Leaves a line of a proven mate in `worker.pv[0]`: replies that hold out longest, as far as is
    known."""
    ply, attacking = np.int64(0), np.int64(1)
    while left > 0:
        worker.proof_limit = worker.nodes + LINE_NODES
        found = prove(rules, worker, ply, left, quiets, attacking, NEVER, NEVER)
        if found >> np.int64(32) != 0:
            break
        chosen = np.int64(-1)
        for i in range(worker.proof_count[ply]):
            if worker.proof_numbers[ply, i, 0] == 0:
                longest = attacking == 0 and not _is_proven_within(worker, ply, i, left - 1, quiets)
                if chosen < 0 or longest:
                    chosen = np.int64(i)
                if attacking or longest:
                    break
        if chosen < 0:
            break
        move = np.int64(worker.proof_moves[ply, chosen])
        worker.pv[0, ply] = move
        worker.pv_length[0] = ply + 1
        if not _make(rules, worker, ply, move) and attacking:
            quiets -= 1
        ply, left, attacking = ply + 1, left - 1, 1 - attacking
    while ply > 0:
        leave(worker, ply)
        ply -= 1


@entry_point
def prove_root(rules, worker, left, quiets):
    """Whether the side to move at the worker's root mates by checks and at most `quiets` (0 to 3) other moves
    within `left` plies, an odd number: PROVEN, with the moves in `worker.pv[0]`, REFUTED, or UNKNOWN when
    `worker.proof_limit` nodes were counted before. What was found stays for the next call with the same
    root."""
    checkers, pinned = inspect(rules, worker.positions[0])
    store(worker, "checkers", 0, checkers)
    store(worker, "pinned", 0, pinned)
    worker.proof_root = worker.positions[0].key * _MIX
    worker.pv_length[0] = 0
    found = prove(rules, worker, np.int64(0), np.int64(left), np.int64(quiets), np.int64(1), NEVER, NEVER)
    if found & np.int64(0xFFFFFFFF) == 0:
        return REFUTED
    if found >> np.int64(32) != 0:
        return UNKNOWN
    _find_line(rules, worker, np.int64(left), np.int64(quiets))
    return PROVEN
