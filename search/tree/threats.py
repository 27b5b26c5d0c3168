"""Threats in games other than chess: a king one step from a goal that wins, a capture beside a king that
would explode with it, and a piece that the other side will have to capture.

Quiet moves to the goal are neither late nor futile nor beyond the horizon. Where the other king may follow to
its goal, as in Racing Kings, this gained nothing in games, and the evaluation sees the race. Where a king may
explode, a static score does not count. Where captures are mandatory, offers are ordered before other quiet
moves."""

import numpy as np

from ...engine.kernel.bitboard import bit, has, load, lsb, without_lsb
from ...engine.kernel.facts import over_rules
from ...engine.mechanics.walls import occupied_in
from ...engine.movegen.attacks import attackers
from ...engine.representation.position_record import source_of, target_of
from ...engine.representation.reach import reach


@over_rules("goal_race")
def may_reach_goal(race, found, rules, position):
    """Whether the king of the side to move could step to a goal square that is not attacked."""
    if race.reply:
        return found
    side = np.int64(position.side)
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
    if race.reply:
        return found
    side = np.int64(position.side)
    return source_of(move) == np.int64(position.kings[side]) and has(race.squares[side], target_of(move))


@over_rules("explosion")
def may_explode(explosion, found, rules, position):
    """Whether the other side could remove the king of the side to move by a capture that its own king
    survives."""
    if not explosion.royal:
        return found
    side = np.int64(position.side)
    king, other = np.int64(position.kings[side]), np.int64(position.kings[1 - side])
    occupied = occupied_in(rules, position)
    targets = explosion.around[king] & load(position, "colours", side) & ~explosion.around[other]
    while targets:
        square = lsb(targets)
        if attackers(rules, position, 1 - side, square, occupied) & ~bit(rules, other):
            return True
        targets = without_lsb(targets)
    return found


@over_rules("must_capture")
def offers_piece(duty, found, rules, position, move):
    """Whether the other side attacks the square that a quiet move goes to, so that it has to capture."""
    return bool(
        attackers(rules, position, 1 - np.int64(position.side), target_of(move), occupied_in(rules, position))
    )
