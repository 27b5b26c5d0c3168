"""Units: the centipawns of a player in units of the search, and scores of one player in units of another."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ...engine.variant import Variant
from ...eval.network.file import MAX_SCALE, Network, NetworkError
from ...eval.terms.weights import NORMAL_SCALE, build_weights

MOST_SCORE = 30_000  # centipawns; mate scores are larger
SEARCH_FACTOR = "search_factor"  # a key of training metadata


def player_units(variant: Variant, begun: Network | None = None) -> float:
    """The value of NORMAL_SCALE centipawns in units of the search, without the search factor, for the network
    that a training starts from, or for the hand-written evaluation."""
    if begun is not None:
        return begun.scale / search_factor(begun.metadata)
    return float(build_weights(variant.rules, variant.description)["scale"])


def search_factor(metadata: Mapping[str, Any] | None) -> float:
    """The search factor of a network by its training metadata; 1 if it was never `rescaled`. Raises
    NetworkError for an invalid value."""
    factor = (metadata or {}).get(SEARCH_FACTOR, 1)
    if not (isinstance(factor, int | float) and 0 < factor < math.inf):
        raise NetworkError(
            f"the training metadata has a search factor of {factor!r}, which is not a number above 0"
        )
    return float(factor)


def rescaled(network: Network, factor: float) -> Network:
    """A network with `factor` times the search factor. Displayed scores stay the same, because both the
    scores and the value of a logit change. Raises NetworkError if the file format cannot hold the result."""
    scale = round(network.scale * factor)
    if not 1 <= scale <= MAX_SCALE:
        raise NetworkError(
            f"a network of scale {network.scale} cannot count {factor:g} times as much: its scale would be"
            f" {scale}, and must be from 1 to {MAX_SCALE}"
        )
    whole = round(search_factor(network.metadata) * factor, 6)
    return replace(network, scale=scale, metadata=network.metadata | {SEARCH_FACTOR: whole})


def units_of(scale: float, variant: Variant, begun: Network | None = None) -> int:
    """The value of `scale` centipawns of games' scores in units of the search. The scores are those of the
    network that a training starts from, or of the hand-written evaluation; games of other players are
    converted (`factor_to`)."""
    return round(scale * player_units(variant, begun) / NORMAL_SCALE)


def factor_to(units: float | None, recorded: Mapping[str, Any] | None, variant: Variant) -> float:
    """The factor for scores of games of `variant`, so that NORMAL_SCALE centipawns of a player are worth that
    many `units` of the search, by the metadata that the games' file recorded of the network that played them;
    None for the hand-written evaluation. It is 1 for files that do not record the units of their network, and
    for all files if `units` is None."""
    if units is None:
        return 1.0
    if recorded is None:
        return player_units(variant) / units
    return float(recorded.get("units", units)) / units


def multiplied(scores: npt.NDArray[np.int16], factor: float) -> npt.NDArray[np.int16]:
    """Scores times a factor, limited to MOST_SCORE; mate scores and missing scores stay."""
    near = np.abs(scores.astype(np.int32)) <= MOST_SCORE
    found = np.rint(scores * np.float64(factor)).clip(-MOST_SCORE, MOST_SCORE).astype(np.int16)
    return np.where(near, found, scores)
