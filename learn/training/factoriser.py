"""Factors: weights that many inputs share while a network is trained.

The value of a knight is similar on all squares, and a square matters to any piece. So an input's row is its
own weights plus the rows of its groups. Rare inputs learn from common ones of their groups. A network's file
has only the sums; the engine does not know factors. Trainers of chess and shogi networks call this a
factoriser (Y. Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi",
2018)."""

import numpy as np
import numpy.typing as npt

from ...engine.variant import Variant
from ...eval.network.features import features_for

GROUPINGS = 2


def groups_for(variant: Variant) -> tuple[npt.NDArray[np.uint32], int]:
    """(groups, count): the group number by grouping and feature (uint32), and the number of groups. The first
    grouping is by owner and kind, or owner and piece in hand; the second by owner and square. Features
    without a group are in the last one, whose row is always zero. Raises VariantError."""
    features = features_for(variant)
    rows = 2 * features.kinds
    groups = np.full((GROUPINGS, features.count), -1, np.int64)
    board = np.arange(rows * features.squares).reshape(rows, features.squares)
    groups[0, board] = np.arange(rows)[:, None]
    owners = np.arange(rows)[:, None] // features.kinds
    groups[1, board] = rows + owners * features.squares + np.arange(features.squares)
    count = rows + 2 * features.squares
    if features.hand_kinds:
        piece = np.repeat(np.arange(features.hand_kinds), features.limits[: features.hand_kinds])
        for owner in range(2):
            first = features.hands + owner * features.hand_features
            groups[0, first : first + len(piece)] = count + piece
            count += features.hand_kinds
    groups[groups < 0] = count
    return groups.astype(np.uint32), count + 1
