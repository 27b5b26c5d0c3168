"""Black's reply after White's king has reached its goal first."""

import numpy as np

from ..kernel.bitboard import load, lsb, without_lsb
from ..kernel.facts import over_rules
from ..mechanics.goal import LOST_TO_GOAL
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
