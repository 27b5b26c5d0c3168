"""King buckets: the network can have separate input weights for groups of squares of the own king.

The value of a piece depends on its distance to the own king. The squares on which kings stand most often get
their own buckets; each other square belongs to the nearest of them."""

import numpy as np
import numpy.typing as npt

from ...engine.variant import Variant
from .mirroring import mirrored_squares


def king_buckets_of(kings: npt.NDArray[np.int64], variant: Variant, count: int) -> npt.NDArray[np.uint8]:
    """The king bucket of each square (uint8): `count` buckets, or one for each square where kings occur if
    these are fewer; one in games without kings. `kings` are those of a `Survey`. King bucket 0 has the most
    frequent square. Raises VariantError."""
    mirrored, files = mirrored_squares(variant), variant.description.files
    squares = len(mirrored)
    plain, both = kings[:, :squares]
    often = 2 * plain + both + both[mirrored]  # half of the positions that may be mirrored are
    centres = np.argsort(-often, kind="stable")[:count]
    centres = centres[often[centres] > 0]
    if not len(centres):  # a game without kings
        return np.zeros(squares, np.uint8)
    places = np.arange(squares)
    file_steps = np.abs(places[:, None] % files - centres % files)
    rank_steps = np.abs(places[:, None] // files - centres // files)
    steps = np.maximum(file_steps, rank_steps) * squares + file_steps + rank_steps  # a king's, then a rook's
    found: npt.NDArray[np.uint8] = np.argmin(steps, axis=1).astype(np.uint8)
    return found


def king_bucket_table(king_buckets: npt.NDArray[np.uint8] | None, variant: Variant) -> npt.NDArray[np.uint8]:
    """`Views.king_buckets` (uint8, 2 x squares and one more for no king): king buckets by square and by
    mirrored square; 0 everywhere if `king_buckets` is None. Raises VariantError."""
    mirrored = mirrored_squares(variant)
    plain = np.zeros(len(mirrored), np.uint8) if king_buckets is None else king_buckets
    return np.array([[*plain, 0], [*plain[mirrored], 0]], np.uint8)
