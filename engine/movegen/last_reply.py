"""Replies to a piece that has reached its goal: Black's king may follow, or the piece may be captured."""

import numpy as np

from ..kernel.bitboard import load, lsb, without_lsb
from ..kernel.facts import over_rules
from ..mechanics.goal import LOST_TO_GOAL, WON_BY_HOLDING, on_goal
from ..mechanics.outcomes import UNDECIDED
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


@over_rules("goal_holds")
def unless_captured(goal, outcome, rules, position):
    """`outcome`, or a win of the side that has a piece on its goal: of the one that has just moved if the
    piece cannot be captured, of the other if it has not been captured."""
    if outcome:
        return outcome
    side = np.int64(position.side)
    occupied = load(position, "colours", 0) | load(position, "colours", 1)
    there = on_goal(goal, rules, position, 1 - side)
    while there:
        if not attackers(rules, position, side, lsb(there), occupied):
            return np.int64(LOST_TO_GOAL)
        there = without_lsb(there)
    return np.int64(WON_BY_HOLDING) if on_goal(goal, rules, position, side) else outcome
