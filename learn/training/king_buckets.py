"""King buckets, by which the inputs of a network may be told apart.

A piece beside the own king is worth something else than the same piece far from it. The squares on which
kings stand most often are king buckets of their own; each other square belongs to the nearest of them."""

from typing import TYPE_CHECKING

import numpy as np

from ...engine.definition.catalogue import load
from .mirroring import mirrored_squares

if TYPE_CHECKING:
    import numpy.typing as npt


def king_buckets_of(kings: "npt.NDArray[np.int64]", variant: str, count: int) -> "npt.NDArray[np.uint8]":
    """By square (uint8), the king bucket of a king there, one of `count` or as many as there are squares with
    kings. `kings` are those of a `Survey`.

    King bucket 0 is where kings stand most often. Raises VariantError."""
    mirrored, files = mirrored_squares(variant), load(variant).files
    squares = len(mirrored)
    plain, both = kings[:, :squares]
    often = 2 * plain + both + both[mirrored]  # half of those that may be are mirrored
    centres = np.argsort(-often, kind="stable")[:count]
    centres = centres[often[centres] > 0]
    places = np.arange(squares)
    file_steps = np.abs(places[:, None] % files - centres % files)
    rank_steps = np.abs(places[:, None] // files - centres // files)
    steps = np.maximum(file_steps, rank_steps) * squares + file_steps + rank_steps  # a king's, then a rook's
    found: npt.NDArray[np.uint8] = np.argmin(steps, axis=1).astype(np.uint8)
    return found


def king_bucket_table(king_buckets: "npt.NDArray[np.uint8] | None", variant: str) -> "npt.NDArray[np.uint8]":
    """`Views.king_buckets` (uint8, 2 x squares and one for no king): king buckets by square and by mirrored
    square, 0 everywhere where `king_buckets` is None. Raises VariantError."""
    mirrored = mirrored_squares(variant)
    plain = np.zeros(len(mirrored), np.uint8) if king_buckets is None else king_buckets
    return np.array([[*plain, 0], [*plain[mirrored], 0]], np.uint8)
