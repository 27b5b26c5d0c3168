"""Sharpness: what the second-best move loses, and how often the best move changes with depth."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..games.probing import Probe
from .intervals import Interval, clipped, ratio

SHARP = 100  # centipawns that the second-best move loses in a sharp position


@dataclass(frozen=True)
class Sharpness:
    """Means over `positions` of the games: what the second-best move loses in centipawns (`loss`), the share
    of positions in which that is SHARP or more (`sharp`), and how often a search changes its mind from one
    depth to the next (`changes`, a share of the steps)."""

    positions: int
    loss: Interval
    sharp: Interval
    changes: Interval


def sharpness_of(probes: Sequence[Probe]) -> Sharpness | None:
    """The sharpness of the positions that were searched, with errors by games; None without any."""
    if not probes:
        return None
    games: dict[int, list[Probe]] = {}
    for probe in probes:
        games.setdefault(probe.game, []).append(probe)
    units = list(games.values())
    counts = [len(unit) for unit in units]
    return Sharpness(
        len(probes),
        clipped(ratio([sum(probe.loss for probe in unit) for unit in units], counts)),
        clipped(ratio([sum(probe.loss >= SHARP for probe in unit) for unit in units], counts), 1.0),
        ratio(
            [
                sum(first != second for probe in unit for first, second in pairwise(probe.best))
                for unit in units
            ],
            [sum(max(0, len(probe.best) - 1) for probe in unit) for unit in units],
        ),
    )
