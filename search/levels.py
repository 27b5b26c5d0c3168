"""Weaker play on request: few nodes, and a random choice among the best lines.

LEVELS maps Elo to levels. Its differences up to 45,000 nodes are means over matches of neighbours against
each other, in games with a network (crazyhouse, Pandemonium, Janggi) and without (chess), which
docs/notebook/clocks.md lists. From there on four times the nodes are taken for 400. The zero is arbitrary.
"""

import math
import random
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .results import Info
    from .time_management import Limit

Chance = random.Random | ModuleType  # a generator, or the module `random`
NODE_SPREAD = 0.35  # standard deviation of the logarithm of a move's nodes: players vary in strength
DECIDED = 2_000  # centipawns; scores beyond it count as equal


class Level(NamedTuple):
    """`nodes` for a move, after a first search of all moves; the number of best `lines` to choose from; and
    the `slack` in centipawns: a line that is worse by it is chosen 1 / e times as often as the best one."""

    nodes: int
    lines: int
    slack: float


# Elo -> level. Between two of them nodes are interpolated by ratio, the others by difference.
LEVELS = {
    200: Level(60, 10, 160.0),
    550: Level(200, 6, 90.0),
    960: Level(1_000, 4, 50.0),
    1310: Level(3_500, 4, 28.0),
    1770: Level(12_000, 4, 16.0),
    2170: Level(45_000, 4, 8.0),
    2570: Level(180_000, 3, 3.0),
    3200: Level(1_600_000, 1, 0.0),
}
LEAST_ELO, MOST_ELO = min(LEVELS), max(LEVELS)
DEFAULT_ELO = 1400
FULL_SKILL = 20  # of Stockfish's Skill Level, which runs from 0; full strength


def level_of(elo: float) -> Level:
    """The `Level` for an Elo number, clamped to the range of LEVELS."""
    known = sorted(LEVELS)
    elo = min(max(elo, LEAST_ELO), MOST_ELO)
    index = min(bisect_right(known, elo), len(known) - 1)
    low, high = known[index - 1], known[index]
    share = (elo - low) / (high - low)
    below, above = LEVELS[low], LEVELS[high]
    nodes = math.exp((1 - share) * math.log(below.nodes) + share * math.log(above.nodes))
    lines = round((1 - share) * below.lines + share * above.lines)
    return Level(round(nodes), lines, (1 - share) * below.slack + share * above.slack)


def elo_of_skill(skill: int) -> int:
    """The Elo number of a Skill Level below FULL_SKILL: even steps from LEAST_ELO up to MOST_ELO."""
    return LEAST_ELO + round((MOST_ELO - LEAST_ELO) * skill / FULL_SKILL)


def level_for(limit_strength: bool, elo: float, skill: int) -> Level | None:
    """The `Level` of a player, None for full strength. With `limit_strength` the Elo number counts and the
    skill does not, as in Stockfish."""
    if limit_strength:
        return level_of(elo)
    return level_of(elo_of_skill(skill)) if skill < FULL_SKILL else None


def reduced(limit: "Limit", level: Level, chance: Chance = random) -> "Limit":
    """The limit of a search reduced to the nodes of a level."""
    nodes = max(1, round(level.nodes * math.exp(chance.gauss(0.0, NODE_SPREAD))))
    return replace(limit, nodes=nodes if limit.nodes is None else min(nodes, limit.nodes))


def choose(lines: Sequence["Info"], level: Level, chance: Chance = random) -> "Info":
    """One of the reports on the best lines, at random. Better lines are likelier, the more so with less
    slack."""
    values = [min(max(line.score.centipawns, -DECIDED), DECIDED) for line in lines]
    best = max(values)
    if level.slack <= 0:
        return lines[values.index(best)]
    weights = [math.exp((value - best) / level.slack) for value in values]
    return chance.choices(lines, weights)[0]
