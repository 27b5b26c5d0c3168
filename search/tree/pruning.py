"""What the search leaves out and what it reduces: the conditions, and the plies of reductions.

Their numbers are in `tunable`. Depths are plies left; scores are centipawns for the side to move."""

import numpy as np

from ...engine.kernel.bitboard import lsb
from ...engine.kernel.compiler import inner
from ...engine.mechanics.bare_king import last_company
from ...engine.mechanics.check_count import counts_checks
from ...engine.mechanics.merchants import moves_merchant
from ...engine.mechanics.must_capture import captures_are_duty
from ...engine.mechanics.walls import occupied_in
from ...engine.movegen.attacks import attackers
from .checks import checks
from .hanging import pieces_of
from .parameters import HISTORY_LIMIT, LMP_UNIT, LMR_UNIT, MATE
from .see import see_ge
from .threats import reaches_goal
from .tunable import tuned_numbers
from .worker import LMR_ROWS


@inner
def has_non_pawn_material(rules, position):
    """Whether the side to move has more than king and pawns, or anything in hand."""
    side = np.int64(position.side)
    for hand in range(rules.hand_kinds):
        if position.hands[side, hand]:
            return True
    return bool(pieces_of(rules, position, side))


@inner
def may_be_bared(rules, position):
    """Whether the enemy attacks the last piece that prevents a loss as a bare king."""
    last = last_company(rules, rules.empty, position)
    if not last:
        return False
    occupied = occupied_in(rules, position)
    return bool(attackers(rules, position, 1 - np.int64(position.side), lsb(last), occupied))


@inner
def late_move_count(tuned, depth, improving):
    """The number of moves tried at a node before the remaining quiet moves are skipped."""
    limit = tuned.lmp_base + tuned.lmp_slope * depth * depth
    return (limit if improving else limit // 2) // LMP_UNIT


@inner
def late_move_reduction(worker, tuned, depth, count):
    """The reduction of a late move in plies (in LMR_UNIT), by depth and number only."""
    rows = LMR_ROWS - 1
    product = np.int64(worker.reductions[min(depth, rows), min(count, rows)])
    return tuned.lmr_base + tuned.lmr_slope * product // LMR_UNIT


@inner
def gives_check_or_captures(rules, worker, ply, position, move):
    """Whether a quiet move is exempt from pruning: it checks, reaches a goal, or may capture on its way."""
    if reaches_goal(rules, False, position, move):
        return True
    return checks(rules, worker, ply, position, move) or moves_merchant(rules, False, position, move)


@inner
def must_mate(rules, tuned, depth, alpha, ply):
    """Whether only a mating move is better than alpha, and only captures and checks can be such moves. Not
    every check is known (`checks`), so this is only used near the horizon."""
    if rules.stalemate_is_loss or rules.quiet_can_end or rules.unusual_ends:
        return False
    return depth <= tuned.mating_depth and ply > 0 and alpha >= MATE - ply - 3


@inner
def is_futile(tuned, static_eval, below, alpha):
    """Whether the evaluation is so far below alpha that no quiet move, `below` plies before the horizon,
    helps."""
    return (
        below <= tuned.futility_depth
        and static_eval + tuned.futility_base + tuned.futility_margin * below <= alpha
    )


@inner
def is_bad_quiet(rules, worker, position, move, depth, below, history, safe):
    """Whether a quiet move has failed so often, or loses so much on its square, that it is skipped. One that
    is known to be `safe` loses nothing."""
    tuned = tuned_numbers(rules, worker)
    if depth <= tuned.history_depth and history < -tuned.history_floor * depth:
        return True
    most = tuned.see_quiet * below * below
    return below <= tuned.see_depth and not safe and not see_ge(rules, worker, position, move, -most)


@inner
def is_bad_exchange(rules, worker, ply, position, move, depth, quiet):
    """Whether a capture, a promotion or a check loses so much on its square that it is skipped."""
    tuned = tuned_numbers(rules, worker)
    if captures_are_duty(rules, False):
        return False
    if counts_checks(rules, False) and checks(rules, worker, ply, position, move):
        return False
    if depth > tuned.see_depth or (quiet and moves_merchant(rules, False, position, move)):
        return False
    most = (tuned.see_check if quiet else tuned.see_tactical) * depth
    return not see_ge(rules, worker, position, move, -most)


@inner
def reduced_plies(tuned, reduction, quiet, history, is_pv, cut_node, improving, checked, checking):
    """The reduction of a late move in plies: `reduction` by depth and number, adjusted by other
    properties."""
    if not quiet:
        reduction = reduction * tuned.lmr_tactical // LMR_UNIT
    if is_pv:
        reduction -= tuned.lmr_pv
    if cut_node:
        reduction += tuned.lmr_cut_node
    if not improving:
        reduction += tuned.lmr_not_improving
    if checking:
        reduction -= tuned.lmr_gives_check
    if checked:
        reduction -= tuned.lmr_in_check
    reduction -= history * tuned.lmr_history // HISTORY_LIMIT
    return max(np.int64(0), reduction // LMR_UNIT)
