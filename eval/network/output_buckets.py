"""Output buckets: a position selects one of a network's OUTPUT_BUCKETS outputs; all share the first layer.

`board` counts the pieces on the board: fewer pieces mean a lower bucket. In games with drops that changes
little, because captured pieces return. `hands` uses the hands instead: twice the mover's level, plus one if
the enemy holds ENEMY_HOLDS pieces or more. A level is the number of binary digits of the pieces held, at most
MOST_LEVEL: none, one, two or three, more."""

import numpy as np

from ...engine.kernel.bitboard import load, popcount
from ...engine.kernel.compiler import inner

OUTPUT_BUCKETS = 8
BOARD, HANDS = BUCKET_KINDS = ("board", "hands")
MOST_LEVEL, ENEMY_HOLDS = 3, 2


@inner
def board_bucket(features, position):
    """The bucket of a position by the pieces on the board."""
    pieces = popcount(load(position, "colours", 0) | load(position, "colours", 1))
    return max(
        np.int64(0), min(np.int64(OUTPUT_BUCKETS - 1), (pieces - 1) * OUTPUT_BUCKETS // features.pieces)
    )


@inner
def hands_bucket(features, position):
    """The bucket of a position by the pieces in both hands."""
    side, own, enemy = np.int64(position.side), np.int64(0), np.int64(0)
    for hand in range(features.hand_kinds):
        own += np.int64(position.hands[side, hand])
        enemy += np.int64(position.hands[1 - side, hand])
    level = np.int64(0)
    while own and level < MOST_LEVEL:
        own, level = own >> 1, level + 1
    return 2 * level + np.int64(enemy >= ENEMY_HOLDS)
