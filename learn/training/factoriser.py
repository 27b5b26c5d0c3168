"""Factors: weights that many inputs share while a network is trained.

A knight is worth much the same on any square, and a square matters to any piece. So an input's row is its
own weights plus the rows of the groups that it belongs to. Rare inputs learn from common ones of their
groups. A network's file holds only the sums: playing knows nothing of factors. Trainers of chess and shogi
networks call this a factoriser (Y. Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions
for Computer Shogi", 2018)."""

from typing import TYPE_CHECKING

import numpy as np

from ...engine.kernel.compiler import entry_point
from ...eval.network.features import features_for

if TYPE_CHECKING:
    import numpy.typing as npt

GROUPINGS = 2  # and the features themselves, where zones of the king make several inputs of each


def groups_for(variant: str, zones: int = 1) -> "tuple[npt.NDArray[np.uint32], int]":
    """(groups, count): by grouping and input, the number of its group (uint32), and how many there are.

    The first grouping is by owner and kind, or owner and hand piece; the second by owner and square. Features
    without a group are in the last one, whose row is always zero. With several `zones` the inputs are the
    features in each of them, and the first grouping is by feature: group f is feature f in any zone. Raises
    VariantError."""
    groups, count = _groups_of_features(variant)
    if zones == 1:
        return groups, count
    features = groups.shape[1]
    groups = np.concatenate([np.arange(features, dtype=np.uint32)[None], groups + np.uint32(features)])
    return np.tile(groups, (1, zones)), features + count


def _groups_of_features(variant: str) -> "tuple[npt.NDArray[np.uint32], int]":
    features = features_for(variant)
    rows = 2 * features.kinds
    groups = np.full((GROUPINGS, features.count), -1, np.int64)
    board = np.arange(features.hands).reshape(rows, features.squares)
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


@entry_point
def gather_factors(gradients, groups, count, hidden, first):
    """Adds the gradients of `count` features, rows of `hidden` at the start of a vector, to those of their
    groups, rows that begin at `first`."""
    for feature in range(count):
        source = np.uint64(feature * hidden)
        for grouping in range(len(groups)):
            target = np.uint64(first + np.int64(groups[grouping, feature]) * hidden)
            for j in range(hidden):
                gradients[target + np.uint64(j)] += gradients[source + np.uint64(j)]


@entry_point
def add_factors(vector, own, groups, first, behind, hidden, factors, limit):
    """Writes the rows of the features from `first` to before `behind` to `vector`: their own weights and
    those of their groups, whose rows begin at `factors` of `own`; none larger than `limit`."""
    limit = np.float32(limit)
    for feature in range(first, behind):
        place = np.uint64(feature * hidden)
        for j in range(hidden):
            vector[place + np.uint64(j)] = own[place + np.uint64(j)]
        for grouping in range(len(groups)):
            row = np.uint64(factors + np.int64(groups[grouping, feature]) * hidden)
            for j in range(hidden):
                vector[place + np.uint64(j)] += own[row + np.uint64(j)]
        for j in range(hidden):
            value = vector[place + np.uint64(j)]
            vector[place + np.uint64(j)] = min(limit, max(-limit, value))
