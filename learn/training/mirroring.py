"""A network's inputs from the other side's view, and with the files of the board mirrored."""

from dataclasses import replace
from typing import Any

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
    board = np.arange(features.hands).reshape(-1, features.squares)[:, flipped]
    own, enemy, walls = np.split(board, [features.kinds, 2 * features.kinds])
    hands = np.arange(features.hands, features.state).reshape(2, -1)[::-1]
    swapped = [np.roll(group, len(group) // 2) for group in _state_of_sides(features)]
    passed = [features.state + 2 * features.wings + 2 * features.choices] * features.passes
    squares = [group.ravel() for group in (enemy, own, walls, hands)]
    return np.concatenate([*squares, *swapped[:2], passed, *swapped[2:]]).astype(np.uint16)


def _state_of_sides(features: Any) -> list[npt.NDArray[np.int64]]:
    """The state features that belong to a side, by kind of state; each has the own ones first."""
    choices = features.state + 2 * features.wings
    groups = [(features.state, 2 * features.wings), (choices, 2 * features.choices)]
    groups += [(gates.first, 2 * gates.files) for gates in features.gates]
    groups += [(counts.first, 2 * counts.most) for counts in features.check_counts]
    return [np.arange(first, first + count) for first, count in groups]


def mirrored(variant: Variant) -> npt.NDArray[np.uint16]:
    """The mirrored feature of each feature (uint16); state features other than gates stay. Raises
    VariantError."""
    features, found = features_for(variant), np.arange(features_for(variant).count, dtype=np.uint16)
    groups = [slice(0, features.hands)]
    groups += [slice(gates.first, gates.first + 2 * gates.files) for gates in features.gates]
    for group in groups:
        found[group] = found[group].reshape(-1, variant.description.files)[:, ::-1].ravel()
    return found


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
    found[features.state : features.state + 2 * features.wings + 2 * features.choices] = True
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
