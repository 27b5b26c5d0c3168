"""How a network's inputs look from the other side, and with the files of the board mirrored."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ...engine.definition.catalogue import load
from ...eval.network.features import features_for

if TYPE_CHECKING:
    import numpy.typing as npt

    from ...engine.game.description import Description


def other_side(variant: str) -> "npt.NDArray[np.uint16]":
    """By feature as one side sees it, the feature that the other side sees (uint16). Raises VariantError."""
    features = features_for(variant)
    flipped = features.flipped.astype(np.int64)
    own, enemy = np.split(np.arange(features.hands).reshape(2 * features.kinds, -1)[:, flipped], 2)
    hands = np.arange(features.hands, features.state).reshape(2, -1)[::-1]
    wings, choices = 2 * features.wings, 2 * features.choices
    rights, open_choices, passed = np.split(
        np.arange(features.state, features.count), [wings, wings + choices]
    )
    swapped = [np.roll(each, len(each) // 2) for each in (rights, open_choices)]
    parts = (enemy.ravel(), own.ravel(), hands.ravel(), *swapped, passed)
    return np.concatenate(parts).astype(np.uint16)


def mirrored(variant: str) -> "npt.NDArray[np.uint16]":
    """By feature, what it is when the files are mirrored (uint16); the state stays. Raises VariantError."""
    features, files = features_for(variant), load(variant).files
    board = np.arange(features.hands).reshape(-1, files)[:, ::-1]
    return np.concatenate([board.ravel(), np.arange(features.hands, features.count)]).astype(np.uint16)


def mirrored_squares(variant: str) -> "npt.NDArray[np.int64]":
    """By square, the square that it is when the files are mirrored. Raises VariantError."""
    found: npt.NDArray[np.int64] = (
        np.arange(features_for(variant).squares).reshape(-1, load(variant).files)[:, ::-1].ravel()
    )
    return found


def anchors(variant: str) -> "npt.NDArray[np.bool_]":
    """By feature, whether no position with it may be mirrored (bool). Raises VariantError.

    That is so for all where the rules tell left from right. Castling does so while a king stands where it
    castles from, or on the mirror image of that square; rights and setup choices are never mirrored."""
    features, description = features_for(variant), load(variant)
    found = np.zeros(features.count, bool)
    if not is_mirror_symmetric(description):
        found[:] = True
        return found
    found[features.state : features.count - features.passes] = True
    king = next((kind for kind, piece in enumerate(description.pieces) if piece.royal), 0)
    for wing in description.castling:
        for file in (wing.king, description.files - 1 - wing.king):
            square = (description.castling_rank - 1) * description.files + file
            found[king * features.squares + square] = True
            found[(features.kinds + king) * features.squares + int(features.flipped[square])] = True
    return found


def is_mirror_symmetric(description: "Description") -> bool:
    """Whether pieces and palace are the same with the files mirrored; castling does not count."""
    for piece in description.pieces:
        for rides in (set(piece.moves), set(piece.palace_moves)):
            if {replace(ride, files=-ride.files) for ride in rides} != rides:
                return False
    palace = description.palace
    return palace is None or {description.files - 1 - file for file in palace.files} == set(palace.files)
