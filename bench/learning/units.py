"""What centipawns of a player are worth in units of the search, and scores of one in those of another."""

from typing import TYPE_CHECKING

import numpy as np

from ...engine.game.catalogue import load
from ...engine.rules import rules_for
from ...eval.terms.weights import NORMAL_SCALE, build_weights
from .games_file import Header

if TYPE_CHECKING:
    import numpy.typing as npt

    from ...eval.network.file import Network

MOST_SCORE = 30_000  # centipawns: mates lie beyond


def player_units(variant: str, begun: "Network | None" = None) -> float:
    """What NORMAL_SCALE centipawns are worth to the network that a training begins with, or to the
    hand-written evaluation, in units of the search."""
    if begun is not None:
        return float(begun.scale)
    return float(build_weights(rules_for(variant), load(variant))["scale"])


def units_of(scale: float, variant: str, begun: "Network | None" = None) -> int:
    """The `scale` centipawns of games' scores in units of the search.

    The scores are those of the network that a training begins with, or of the hand-written evaluation where
    there is none; games of other players are converted (`factor_to`)."""
    return round(scale * player_units(variant, begun) / NORMAL_SCALE)


def factor_to(units: float | None, header: Header, variant: str) -> float:
    """What scores of a file of games of `variant` are to be multiplied by, so that they are centipawns of a
    player to whom NORMAL_SCALE of them are worth so many `units` of the search.

    Files of networks that do not say what they count in, and any without `units`, are left as they are."""
    if units is None:
        return 1.0
    if header.network is None:
        return player_units(variant) / units
    return float(header.network.get("units", units)) / units


def multiplied(scores: "npt.NDArray[np.int16]", factor: float) -> "npt.NDArray[np.int16]":
    """Scores times a factor, but within MOST_SCORE; those of mates and of nothing searched stay."""
    near = np.abs(scores.astype(np.int32)) <= MOST_SCORE
    found = np.rint(scores * np.float64(factor)).clip(-MOST_SCORE, MOST_SCORE).astype(np.int16)
    return np.where(near, found, scores)
