"""Kings that are one step from a goal that wins, in the games that have one.

A quiet move ends such a game, so what is right about quiet moves in others fails here: the static evaluation
beside a goal is not safe, and quiet moves to the goal are neither late nor futile."""

import numpy as np

from ...engine.kernel.bitboard import bit, has, load, lsb, without_lsb
from ...engine.kernel.facts import over_rules
from ...engine.mechanics.walls import occupied_in
from ...engine.movegen.attacks import attackers
from ...engine.representation.position_record import source_of, target_of
from ...engine.representation.reach import reach


@over_rules("goal_race")
def may_reach_goal(race, found, rules, position, side):
    """Whether the king of `side` could step to a goal square that the other side does not attack."""
    king = np.int64(position.kings[side])
    occupied = occupied_in(rules, position)
    targets = reach(rules.king.attack, rules, side, king, occupied) & race.squares[side]
    targets = targets & ~load(position, "colours", side)
    occupied = occupied & ~bit(rules, king)
    while targets:
        if not attackers(rules, position, 1 - side, lsb(targets), occupied):
            return True
        targets = without_lsb(targets)
    return found


@over_rules("goal_race")
def reaches_goal(race, found, rules, position, move):
    """Whether the king steps to its goal."""
    side = np.int64(position.side)
    return source_of(move) == np.int64(position.kings[side]) and has(race.squares[side], target_of(move))
