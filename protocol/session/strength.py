"""Weaker play, for opponents who ask for it: few nodes, and a choice among the best lines.

LEVELS alone says how strong a level is. Its differences come from matches of neighbours against each other in
chess and, up to 12,000 nodes, in crazyhouse. Twelve more matches of levels some 200 apart, 40 to 100 games of
chess each with an error of 60 to 120, add up to the numbers of the table to within 131; only the last step is
known from no more than 10 games. Where the scale begins is arbitrary.
"""

import math
import random
from bisect import bisect_right
from typing import NamedTuple

NODE_SPREAD = 0.35  # standard deviation of the logarithm of a move's nodes: a player is not always as sharp
DECIDED = 2_000  # centipawns; beyond it one score is as good as another


class Level(NamedTuple):
    """Nodes for a move, after a first look at all moves; among how many of the best lines the player chooses,
    and the centipawns by which the chosen one is worse than the best about as often as not."""

    nodes: int
    lines: int
    slack: float


# Elo -> level. Between two of them nodes are interpolated by ratio, the others by difference.
LEVELS = {
    200: Level(60, 10, 160.0),
    650: Level(200, 6, 90.0),
    1050: Level(1_000, 4, 50.0),
    1500: Level(3_500, 4, 28.0),
    1900: Level(12_000, 4, 16.0),
    2400: Level(45_000, 4, 8.0),
    2800: Level(180_000, 3, 3.0),
    3200: Level(800_000, 1, 0.0),
}
LEAST_ELO, MOST_ELO = min(LEVELS), max(LEVELS)
DEFAULT_ELO = 1400
FULL_SKILL = 20  # of Stockfish's Skill Level, which runs from 0; full strength


def level_of(elo):
    """The `Level` for an Elo number; beyond the table its ends."""
    known = sorted(LEVELS)
    elo = min(max(elo, LEAST_ELO), MOST_ELO)
    index = min(bisect_right(known, elo), len(known) - 1)
    low, high = known[index - 1], known[index]
    share = (elo - low) / (high - low)
    below, above = LEVELS[low], LEVELS[high]
    nodes = math.exp((1 - share) * math.log(below.nodes) + share * math.log(above.nodes))
    lines = round((1 - share) * below.lines + share * above.lines)
    return Level(round(nodes), lines, (1 - share) * below.slack + share * above.slack)


def elo_of_skill(skill):
    """The Elo number of a Skill Level below FULL_SKILL: even steps from LEAST_ELO up to MOST_ELO."""
    return LEAST_ELO + round((MOST_ELO - LEAST_ELO) * skill / FULL_SKILL)


def level_for(limit_strength, elo, skill):
    """The `Level` of a player, None for full strength. As in Stockfish the Elo number, where it is asked for,
    counts and the skill does not."""
    if limit_strength:
        return level_of(elo)
    return level_of(elo_of_skill(skill)) if skill < FULL_SKILL else None


def weakened(limits, level, chance=random):
    """The limits of a search, as keywords of `Engine.play`, for a player of that `level`."""
    nodes = max(1, round(level.nodes * math.exp(chance.gauss(0.0, NODE_SPREAD))))
    if limits.get("nodes") is not None:
        nodes = min(nodes, limits["nodes"])
    return {**limits, "nodes": nodes, "multipv": max(level.lines, limits.get("multipv", 1))}


def choose(lines, level, chance=random):
    """One of the reports on the best lines: the better it is, and the less slack, the likelier."""
    values = [min(max(line.score.centipawns, -DECIDED), DECIDED) for line in lines]
    best = max(values)
    if level.slack <= 0:
        return lines[values.index(best)]
    weights = [math.exp((value - best) / level.slack) for value in values]
    return chance.choices(lines, weights)[0]
