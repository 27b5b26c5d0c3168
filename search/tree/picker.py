"""Chooses the next move to try, in stages, so that a cut-off saves the work of later stages.

First the table's move, without generating moves; then captures and promotions that do not lose material; then
quiet moves and drops, best history first; finally losing captures."""

import numpy as np

from ...engine.game.moves import CASTLING, DROP, EN_PASSANT, PASS, PROMOTION, SETUP
from ...engine.kernel.bitboard import has, load, load_one
from ...engine.kernel.compiler import inner
from ...engine.mechanics.castling_delay import castling_waits
from ...engine.mechanics.check_count import counts_checks
from ...engine.mechanics.gates import may_enter
from ...engine.mechanics.kings import king_is_absent
from ...engine.mechanics.must_capture import captures_are_duty
from ...engine.mechanics.self_capture import may_end_on
from ...engine.mechanics.standing_promotion import may_promote_there
from ...engine.mechanics.walls import closed_to, may_wall, occupied_in
from ...engine.movegen.free_castling import may_castle_freely
from ...engine.movegen.legal_moves import QUIET, TACTICAL, add_moves
from ...engine.movegen.make_move import key_after
from ...engine.movegen.special_moves import castles_from
from ...engine.representation.position_record import action_of, kind_of, source_of, target_of
from .checks import checking_drops, checks, mark_checks
from .hanging import hanging, may_hang
from .histories import capture_history, quiet_history
from .memory import prefetch
from .ranking import best_index
from .see import gain_of, kind_after, see_ge
from .table import bucket
from .threats import offers_piece, reaches_goal
from .tunable import tuned_numbers

# Stages. Those of listing fall through to the next one.
TABLE_MOVE, LIST_TACTICAL, GOOD_TACTICAL, LIST_CHECKS, CHECKS, LIST_QUIET, QUIETS, LOSING, DONE = range(9)
# The wanted moves besides captures that do not lose.
CAPTURES_ONLY, WITH_CHECKS, EVERYTHING = range(3)


@inner
def is_quiet(rules, position, move):
    """Whether a move neither captures nor promotes."""
    action = action_of(move)
    if action in (PROMOTION, EN_PASSANT):
        return False
    if action >= CASTLING:
        return True
    side = np.int64(position.side)
    return not has(load(position, "colours", 1 - side), target_of(move))


@inner
def _may_castle(rules, position, side, source, target):
    """Whether king and rook are on their castling squares for `target`, with the right and nothing in
    between."""
    occupied = occupied_in(rules, position)
    for wing in range(rules.fixed_wings):
        rook = rules.castling_squares[side, wing, 1]
        if (
            rules.castling_squares[side, wing, 2] == target
            and castles_from(rules, np.int64(position.kings[side]) == source, position, side, source)
            and source == rules.castling_squares[side, wing, 0]
            and position.board[rook] == rules.rook_kinds[wing]
            and has(load(position, "colours", side), rook)
            and not occupied & rules.castling_between[side, wing]
        ):
            return not rules.castling_rights or bool(
                (np.int64(position.rights) >> (side * rules.wings + wing)) & 1
            )
    return may_castle_freely(rules, False, position, side, source, target)


@inner
def plausible(rules, position, move):
    """Whether a move from the table is safe to make, in case its entry belongs to another position with the
    same key."""
    side, source, target = np.int64(position.side), source_of(move), target_of(move)
    own, enemy = closed_to(rules, position, side), load(position, "colours", 1 - side)
    action = action_of(move)
    if not may_enter(rules, True, position, move) or not may_wall(rules, True, position, move):
        return False
    if rules.drops and action == DROP:
        kind = kind_of(move)
        in_hand = position.hands[side, np.int64(rules.kind_hand[kind])] > 0
        return in_hand and not has(own | enemy, target)
    if rules.castles and action == CASTLING:
        if castling_waits(rules, False, position):
            return False
        return _may_castle(rules, position, side, source, target)
    if rules.en_passant and action == EN_PASSANT:
        return has(own, source) and has(load_one(position, "crossed"), target)
    if rules.stands_still and action == PASS:
        return True
    if rules.stands_still and action == SETUP:
        return bool((np.int64(position.choices) >> side) & 1)
    fits = has(own, source) and may_end_on(rules, not has(own, target), position, target)
    fits = may_promote_there(rules, fits, own, move)
    is_king = target == np.int64(position.kings[1 - side])
    return fits and (not is_king or king_is_absent(rules, False, position, 1 - side))


@inner
def fetch_ahead(rules, worker, ply, move):
    """Prefetches the table's entries of the position after `move` at `ply`, to hide memory latency."""
    prefetch(bucket(worker, key_after(rules, worker.positions[ply], move)))


@inner
def expect(rules, worker, ply, table_move):
    """`fetch_ahead` for the table's move at `ply`, if any."""
    if table_move and plausible(rules, worker.positions[ply], table_move):
        fetch_ahead(rules, worker, ply, table_move)


@inner
def start_picking(rules, worker, ply, table_move, wanted):
    """Resets `next_move` at `ply` to what is `wanted`: CAPTURES_ONLY, WITH_CHECKS or EVERYTHING."""
    picker = worker.pickers[ply]
    position = worker.positions[ply]
    picker.stage = LIST_TACTICAL
    picker.table_move = 0
    picker.wanted = wanted
    fits = table_move and (wanted == EVERYTHING or not is_quiet(rules, position, table_move))
    if fits and plausible(rules, position, table_move):
        picker.table_move = table_move
        picker.stage = TABLE_MOVE


@inner
def _list(rules, worker, sink, first, ply):
    """Lists the moves of `sink` behind the `first` that are there; returns the new number."""
    checkers, pinned = load(worker, "checkers", ply), load(worker, "pinned", ply)
    return add_moves(rules, sink, worker.lists[ply], first, worker.positions[ply], checkers, pinned)


@inner
def _score_tactical(rules, worker, ply, end):
    tuned = tuned_numbers(rules, worker)
    position, moves = worker.positions[ply], worker.lists[ply]
    for i in range(end):
        move = np.int64(moves.moves[i])
        mover = np.int64(worker.weights.board[np.int64(position.board[source_of(move)])])
        learnt = capture_history(rules, worker, position, move) // tuned.capture_history_divisor
        moves.scores[i] = 16 * gain_of(rules, worker, position, move) - mover + learnt


@inner
def _score_quiets(rules, worker, ply, first, end):
    tuned = tuned_numbers(rules, worker)
    position, moves = worker.positions[ply], worker.lists[ply]
    killer, other = np.int64(worker.killers[ply, 0]), np.int64(worker.killers[ply, 1])
    counter = np.int64(worker.counters[worker.rows[ply + 1]])
    mark_checks(rules, worker, ply)
    in_danger = hanging(rules, worker, position)[0] if tuned.order_escape else rules.empty
    for i in range(first, end):
        move = np.int64(moves.moves[i])
        score = quiet_history(rules, worker, position, ply, move)
        if move == killer:
            score += tuned.order_killer + 1
        elif move == other:
            score += tuned.order_killer
        elif move == counter:
            score += tuned.order_counter
        if checks(rules, worker, ply, position, move):
            score += tuned.order_check
        if tuned.order_escape and action_of(move) != DROP and has(in_danger, source_of(move)):
            score += tuned.order_escape
        if reaches_goal(rules, False, position, move):
            score += 2 * tuned.order_killer
        if offers_piece(rules, False, position, move):
            score += tuned.order_offer
        if action_of(move) == PROMOTION:
            score += 16 * gain_of(rules, worker, position, move)
        moves.scores[i] = 2 * score


@inner
def _list_quiet_checks(rules, worker, ply, first):
    """Lists the checks that do not capture behind the first moves that are there; returns the new number."""
    position, moves = worker.positions[ply], worker.lists[ply]
    end = first
    for i in range(first, _list(rules, worker, QUIET, first, ply)):
        move = np.int64(moves.moves[i])
        if checks(rules, worker, ply, position, move):
            moves.moves[end] = np.uint32(move)
            moves.scores[end] = quiet_history(rules, worker, position, ply, move)
            end += 1
    return end


@inner
def _judges_quiets(rules, worker):
    """Whether quiet moves that lose their piece come later. Their scores are even until they are judged, and
    odd for those that lose."""
    return may_hang(rules) and tuned_numbers(rules, worker).order_unsafe != 0


@inner
def _comes_later(rules, worker, ply, index):
    """Whether the best of the quiet moves that are left, which stands at the index, comes later because its
    piece could be captured with profit where it goes. Lowers its score then, by the value of the piece; each
    move is judged once."""
    moves = worker.lists[ply]
    score = np.int64(moves.scores[index])
    if not _judges_quiets(rules, worker) or worker.pickers[ply].stage != QUIETS or score & 1:
        return False
    position, move = worker.positions[ply], np.int64(moves.moves[index])
    if see_ge(rules, worker, position, move, np.int64(0)):
        return False
    value = np.int64(worker.weights.capture[kind_after(rules, position, move)])
    moves.scores[index] = score - 2 * tuned_numbers(rules, worker).order_unsafe * value + 1
    return True


@inner
def loses_nothing(rules, worker, ply):
    """Whether the move that the picker gave last is a quiet one that it has found not to lose its piece."""
    picker = worker.pickers[ply]
    if not _judges_quiets(rules, worker) or picker.stage != QUIETS or picker.index > picker.ordered:
        return False
    return np.int64(worker.lists[ply].scores[picker.index - 1]) & 1 == 0


@inner
def _pick(rules, worker, ply):
    """The best of the moves from the picker's index on, which is moved to the front and counts as picked. The
    next one is found as well, so that its table entry can be prefetched."""
    picker, moves = worker.pickers[ply], worker.lists[ply]
    while picker.ordered < picker.end and picker.ordered <= picker.index + 1:
        place = np.int64(picker.ordered)
        best = best_index(moves, place, np.int64(picker.end))
        if _comes_later(rules, worker, ply, best):
            continue
        move, score = moves.moves[best], moves.scores[best]
        moves.moves[best], moves.scores[best] = moves.moves[place], moves.scores[place]
        moves.moves[place], moves.scores[place] = move, score
        fetch_ahead(rules, worker, ply, np.int64(move))
        picker.ordered += 1
    picker.index += 1
    return np.int64(moves.moves[picker.index - 1])


@inner
def next_move(rules, worker, ply, skip_quiets):
    """The next move at `ply`, 0 if there is none; `skip_quiets` skips all remaining quiet moves, but not
    checks and steps to a goal if the number `late_checks` says so."""
    tuned = tuned_numbers(rules, worker)
    picker, moves = worker.pickers[ply], worker.lists[ply]
    position = worker.positions[ply]
    table_move = np.int64(picker.table_move)
    if picker.stage == TABLE_MOVE:
        picker.stage = LIST_TACTICAL
        return table_move
    counting = counts_checks(rules, False)
    if picker.stage == LIST_TACTICAL:
        if counting:
            mark_checks(rules, worker, ply)
        end = _list(rules, worker, TACTICAL, np.int64(0), ply)
        _score_tactical(rules, worker, ply, end)
        picker.index, picker.ordered, picker.end, picker.losing = 0, 0, end, 0
        picker.stage = GOOD_TACTICAL
    if picker.stage == GOOD_TACTICAL:
        while picker.index < picker.end:
            move = _pick(rules, worker, ply)
            if move == table_move:
                continue
            loses = not see_ge(rules, worker, position, move, np.int64(0))
            if counting and checks(rules, worker, ply, position, move):
                loses = False
            if loses and not captures_are_duty(rules, False):
                moves.moves[picker.losing] = move
                picker.losing += 1
                continue
            return move
        picker.stage = DONE
        if picker.wanted == EVERYTHING:
            picker.stage = LIST_QUIET
        elif (rules.drops or counting) and picker.wanted == WITH_CHECKS:
            picker.stage = LIST_CHECKS
    if (rules.drops or counting) and picker.stage == LIST_CHECKS:
        mark_checks(rules, worker, ply)
        picker.index = picker.ordered = picker.end
        if counting:
            picker.end = _list_quiet_checks(rules, worker, ply, np.int64(picker.end))
        else:
            picker.end = checking_drops(rules, picker.end, worker, ply)
        picker.stage = CHECKS
    if (rules.drops or counting) and picker.stage == CHECKS:
        while picker.index < picker.end:
            move = _pick(rules, worker, ply)
            if counting or see_ge(rules, worker, position, move, np.int64(0)):
                return move
        picker.stage = DONE
    if picker.stage == LIST_QUIET:
        picker.index = picker.ordered = picker.end
        if tuned.late_checks or counting or not skip_quiets:
            picker.end = _list(rules, worker, QUIET, picker.end, ply)
            _score_quiets(rules, worker, ply, picker.index, picker.end)
        picker.stage = QUIETS
    if picker.stage == QUIETS:
        while picker.index < picker.end and not skip_quiets:
            move = _pick(rules, worker, ply)
            if move != table_move:
                return move
        while (tuned.late_checks or counting) and picker.index < picker.end:
            move = np.int64(moves.moves[picker.index])
            picker.index += 1
            if move == table_move:
                continue
            if checks(rules, worker, ply, position, move) or reaches_goal(rules, False, position, move):
                return move
        picker.index = 0
        picker.stage = LOSING
    if picker.stage == LOSING:
        if picker.index < picker.losing:
            picker.index += 1
            move = np.int64(moves.moves[picker.index - 1])
            fetch_ahead(rules, worker, ply, move)
            return move
        picker.stage = DONE
    return np.int64(0)
