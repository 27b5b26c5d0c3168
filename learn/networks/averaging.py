"""The average of the weights of networks of one game.

Weights can be averaged where one network was initialised from the other, or both from a third: their neurons
mean the same then. Where the further training gained little, the average may play better than both (Wortsman
et al. 2022, "Model soups" and "Robust fine-tuning of zero-shot models")."""

import math
from collections.abc import Sequence

import numpy as np

from ...eval.network.file import Network, NetworkError
from ..self_play.score_units import player_units
from ..training.quantisation import dequantise, quantise

_FACTS = ("the game", "the number of neurons", "the table of king buckets", "the kind of output buckets")
AVERAGE_OF = "average_of"  # a key of training metadata: [name, share] of each network


def averaged(networks: Sequence[tuple[str, Network]], shares: Sequence[float]) -> Network:
    """The network whose weights are the averages of those of `networks`, (name, network) each, in these
    `shares`, which need not add up to 1. Units, search factor and metadata are those of the first one; the
    metadata also list the networks and their shares. Raises NetworkError for fewer than two networks, for
    networks of other games or shapes, and for shares that are not one positive number each."""
    if len(networks) < 2:
        raise NetworkError(f"an average is of two networks or more, not of {len(networks)}")
    if len(shares) != len(networks):
        raise NetworkError(f"{len(shares)} shares for {len(networks)} networks; give one each")
    for share in shares:
        if not 0 < share < math.inf:
            raise NetworkError(f"a share of {share:g}, which is not a number above 0")
    (name, first), *others = networks
    for other_name, other in others:
        for fact, own, its in zip(_FACTS, _shape_of(first), _shape_of(other), strict=True):
            if own != its:
                raise NetworkError(
                    f"{other_name}: {fact} is {its}, but {own} in {name}; an average needs networks of one"
                    " game and shape"
                )
    parts = np.array(shares) / max(shares)  # a sum of large numbers could overflow
    parts /= parts.sum()
    units = round(player_units(first.variant, first))
    vectors = [dequantise(network, units) for _, network in networks]
    mean = np.average(vectors, axis=0, weights=parts).astype(np.float32)
    names = [[each, round(float(part), 6)] for (each, _), part in zip(networks, parts, strict=True)]
    metadata = first.metadata | {AVERAGE_OF: names}
    form = (first.king_buckets, first.output_buckets)
    return quantise(mean, first.variant, first.hidden, first.scale, metadata, *form)


def _shape_of(network: Network) -> tuple[str, str, str, str]:
    """What networks must share to be averaged, as text, in the order of _FACTS."""
    buckets = "none" if network.king_buckets is None else " ".join(map(str, network.king_buckets.tolist()))
    return str(network.variant), str(network.hidden), buckets, network.output_buckets
