"""Units: centipawns of a player in units of the search, and scores of one player in units of another."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.definition.catalogue import load
from ...engine.rules import rules_for
from ...eval.network.file import MAX_SCALE, NetworkError
from ...eval.terms.weights import NORMAL_SCALE, build_weights
from ..self_play.games_file import Header

if TYPE_CHECKING:
    import numpy.typing as npt

    from ...eval.network.file import Network

MOST_SCORE = 30_000  # centipawns: mates lie beyond
SEARCH_FACTOR = "search_factor"  # a key of training metadata


def player_units(variant: str, begun: "Network | None" = None) -> float:
    """What NORMAL_SCALE centipawns are worth to the network that a training begins with, or to the
    hand-written evaluation, in units of the search: those before its search factor."""
    if begun is not None:
        return begun.scale / search_factor(begun.metadata)
    return float(build_weights(rules_for(variant), load(variant))["scale"])


def search_factor(metadata: Mapping[str, Any] | None) -> float:
    """How much a network counts in the search, by its training metadata: 1 for one that was not `rescaled`.
    Raises NetworkError for a value that makes no sense."""
    factor = (metadata or {}).get(SEARCH_FACTOR, 1)
    if not (isinstance(factor, int | float) and 0 < factor < math.inf):
        raise NetworkError(
            f"the training metadata has a search factor of {factor!r}, which is not a number above 0"
        )
    return float(factor)


def rescaled(network: "Network", factor: float) -> "Network":
    """A network that counts `factor` times as much in the search, where margins are of a fixed size.

    What users see stays, for both the scores and what a logit is worth change. Raises NetworkError for more
    than a file can say."""
    scale = round(network.scale * factor)
    if not 1 <= scale <= MAX_SCALE:
        raise NetworkError(
            f"a network of scale {network.scale} cannot count {factor:g} times as much: its scale would be"
            f" {scale}, and must be from 1 to {MAX_SCALE}"
        )
    whole = round(search_factor(network.metadata) * factor, 6)
    return replace(network, scale=scale, metadata=network.metadata | {SEARCH_FACTOR: whole})


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
