"""The network in plain NumPy, with which compiled code must agree exactly."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.rules import rules_for
from ...eval.network.file import FINE, QA, QB, Network
from ...eval.network.output_buckets import HANDS, OUTPUT_BUCKETS
from ...eval.terms.evaluate import MAX_SCORE

if TYPE_CHECKING:
    import numpy.typing as npt


def active(features: Any, state: Any, perspective: int) -> list[int]:
    """The active features of a position's record, seen by the side `perspective`, straight from the spec."""
    words = [int.from_bytes(state["colours"][side].tobytes(), "little") for side in (0, 1)]
    found: list[int] = []
    for side in (0, 1):
        owner = int(side != perspective)
        for square in range(features.squares):
            if words[side] >> square & 1:
                view = square if perspective == 0 else int(features.flipped[square])
                kind = int(state["board"][square])
                found.append((owner * features.kinds + kind) * features.squares + view)
        hands = features.hands + owner * features.hand_features
        for hand in range(features.hand_kinds):
            held = 0 if features.gated_hands and not state["gates"][side] else int(state["hands"][side][hand])
            count = min(held, int(features.limits[hand]))
            found += [hands + int(features.firsts[hand]) + number for number in range(count)]
        rights = int(state["rights"]) >> side * features.wings
        found += [
            features.state + owner * features.wings + w for w in range(features.wings) if rights >> w & 1
        ]
        if features.choices and int(state["choices"]) >> side & 1:
            found.append(features.state + 2 * features.wings + owner)
        for gates in features.gates:
            files = [file for file in range(gates.files) if int(state["gates"][side]) >> file & 1]
            found += [gates.first + owner * gates.files + file for file in files]
        for counts in features.check_counts:
            needed = max(1, int(state["checks"][side]))
            found += [
                counts.first + owner * counts.most + most - 1 for most in range(needed, counts.most + 1)
            ]
    for walls in features.walls:
        word = int.from_bytes(state["walls"].tobytes(), "little")
        for square in range(features.squares):
            if word >> square & 1:
                found.append(walls.first + (square if perspective == 0 else int(features.flipped[square])))
    if features.passes and state["passed"]:
        found.append(features.count - 1)
    return found


def king_bucket(network: Network, features: Any, state: Any, perspective: int) -> int:
    """The king bucket of the side `perspective`."""
    if network.king_buckets is None:
        return 0
    king = rules_for(network.variant).king_kind
    word = int.from_bytes(state["colours"][perspective].tobytes(), "little")
    for square in range(features.squares):
        if word >> square & 1 and state["board"][square] == king:
            return int(network.king_buckets[square if perspective == 0 else features.flipped[square]])
    return 0


def sums(network: Network, features: Any, state: Any) -> "npt.NDArray[np.int64]":
    """The first layer of both views, White's first: 2 x hidden."""
    rows = []
    for side in (0, 1):
        first = king_bucket(network, features, state, side) * features.count
        rows.append(network.input_weights[[first + each for each in active(features, state, side)]])
    return np.array([network.input_bias + each.sum(axis=0, dtype=np.int64) for each in rows])


def bucket(network: Network, features: Any, state: Any) -> int:
    """The selected output bucket."""
    side = int(state["side"])
    if network.output_buckets == HANDS:
        own, enemy = (int(state["hands"][each].sum()) for each in (side, 1 - side))
        return 2 * min(3, own.bit_length()) + (enemy >= 2)
    pieces = sum(int.from_bytes(state["colours"][each].tobytes(), "little").bit_count() for each in (0, 1))
    return int(max(0, min(OUTPUT_BUCKETS - 1, (pieces - 1) * OUTPUT_BUCKETS // features.pieces)))


def score(network: Network, features: Any, state: Any) -> int:
    """Centipawns for the side to move."""
    side = int(state["side"])
    values = np.clip(sums(network, features, state)[[side, 1 - side]].ravel(), 0, QA)
    output = bucket(network, features, state)
    total = int((values * values) @ network.output_weights[output].astype(np.int64))
    total += QA * int(network.output_bias[output])
    unit = FINE * QA * QA * QB
    return max(-MAX_SCORE, min(MAX_SCORE, (2 * total * network.output_scale + unit) // (2 * unit)))
