"""Replies to a piece that has reached its goal: Black's king may follow, or the piece may be captured."""

import numpy as np

from ..kernel.bitboard import load, lsb, without_lsb
from ..kernel.compiler import inner
from ..kernel.facts import over_rules
from ..mechanics.goal import DRAW_BY_GOAL, LOST_TO_GOAL, WON_BY_HOLDING, on_goal
from ..mechanics.outcomes import UNDECIDED
from ..mechanics.walls import occupied_in
from ..representation.reach import reach
from .attacks import attackers


@over_rules("goal_replies")
def unless_black_follows(reply, outcome, rules, position):
    """`outcome`, or none if Black's king can step to its goal as White's has just done."""
    if outcome != LOST_TO_GOAL or np.int64(position.side) == 0:
        return outcome
    king = np.int64(position.kings[1])
    own = load(position, "colours", 1)
    occupied = own | load(position, "colours", 0)
    targets = reach(rules.king.attack, rules, 1, king, occupied) & reply.squares & ~own
    while targets:
        if not attackers(rules, position, 0, lsb(targets), occupied):
            return np.int64(UNDECIDED)
        targets = without_lsb(targets)
    return outcome


@inner
def _is_safe_there(goal, rules, position, side):
    """Whether a piece of `side` is on its goal and cannot be captured."""
    occupied = occupied_in(rules, position)
    there = on_goal(goal, rules, position, side)
    while there:
        if not attackers(rules, position, 1 - side, lsb(there), occupied):
            return True
        there = without_lsb(there)
    return False


@over_rules("goal_holds")
def unless_captured(goal, outcome, rules, position):
    """`outcome`, or the win of the side that has a piece on its goal: as soon as it cannot be captured, or
    when it has not been captured, as the game has it. If only safe pieces win, those of both sides draw."""
    if outcome:
        return outcome
    side = np.int64(position.side)
    if goal.safe:
        if not goal.held and _is_safe_there(goal, rules, position, side):
            drawn = _is_safe_there(goal, rules, position, 1 - side)
            return np.int64(DRAW_BY_GOAL) if drawn else np.int64(WON_BY_HOLDING)
        if _is_safe_there(goal, rules, position, 1 - side):
            return np.int64(LOST_TO_GOAL)
    if not goal.held:
        return outcome
    return np.int64(WON_BY_HOLDING) if on_goal(goal, rules, position, side) else outcome
