"""The size of a network and the length of its training, by the number of positions."""

from typing import NamedTuple

from ...engine.variant import Variant
from ...eval.network.features import MAX_FEATURES, features_for


class Size(NamedTuple):
    """For up to `positions`: `hidden` neurons, `king_buckets`, and `epochs`."""

    positions: float
    hidden: int
    king_buckets: int
    epochs: int


# The sizes of the winning networks of the games that come with the engine.
SIZES = (
    Size(3e6, 64, 1, 12),
    Size(6e6, 128, 1, 10),
    Size(12e6, 128, 8, 8),
    Size(30e6, 128, 8, 6),
    Size(100e6, 256, 16, 5),
    Size(float("inf"), 256, 16, 4),
)


def size_for(variant: Variant, positions: int) -> Size:
    """The `Size` for that many positions of a game. The number of king buckets is limited by the numbers for
    inputs. Raises VariantError."""
    size = next(each for each in SIZES if positions <= each.positions)
    return size._replace(
        king_buckets=max(1, min(size.king_buckets, MAX_FEATURES // features_for(variant).count))
    )
