"""A network's inputs from the other side's view, and with the files of the board mirrored."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ...engine.game.description import Description
from ...engine.variant import Variant
from ...eval.network.features import features_for


def other_side(variant: Variant) -> npt.NDArray[np.uint16]:
    """The feature that the other side sees, by the feature that one side sees (uint16). Raises
    VariantError."""
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


def mirrored(variant: Variant) -> npt.NDArray[np.uint16]:
    """The mirrored feature of each feature (uint16); state features stay. Raises VariantError."""
    features, files = features_for(variant), variant.description.files
    board = np.arange(features.hands).reshape(-1, files)[:, ::-1]
    return np.concatenate([board.ravel(), np.arange(features.hands, features.count)]).astype(np.uint16)


def mirrored_squares(variant: Variant) -> npt.NDArray[np.int64]:
    """The mirrored square of each square. Raises VariantError."""
    found: npt.NDArray[np.int64] = (
        np.arange(features_for(variant).squares).reshape(-1, variant.description.files)[:, ::-1].ravel()
    )
    return found


def anchors(variant: Variant) -> npt.NDArray[np.bool_]:
    """Whether positions with a feature must not be mirrored, by feature (bool). Raises VariantError.

    This holds for all features if the rules distinguish left and right. Castling forbids mirroring while a
    king stands on its castling square or on the mirror image of it; rights and setup choices are never
    mirrored."""
    features, description = features_for(variant), variant.description
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


def is_mirror_symmetric(description: Description) -> bool:
    """Whether pieces and palace are mirror symmetric, apart from castling."""
    for piece in description.pieces:
        for rides in (set(piece.moves), set(piece.palace_moves)):
            if {replace(ride, files=-ride.files) for ride in rides} != rides:
                return False
    palace = description.palace
    return palace is None or {description.files - 1 - file for file in palace.files} == set(palace.files)
