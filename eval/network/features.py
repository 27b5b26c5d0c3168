"""The inputs of a network: which numbers stand for which facts of a position.

The numbering follows from the rules alone, so player and trainer agree on it and a new game has one at once.
A feature is on or off, and is seen from one side's perspective: own or enemy's, with ranks flipped for
Black, or files where both sides go the same way.

    board   (own 0, enemy 1) x kind x square; promoted kinds are kinds of their own, kings are included
    walls   square
    hands   (own 0, enemy 1) x hand piece x "at least i in hand", i from 1 to the hand piece's limit
    state   castling rights by wing, own then enemy's; setup choice to come, own then enemy's; a pass before;
            gates by file, own then enemy's; "needs at most i checks" to win, own then enemy's

The limit of a hand piece is the number of pieces at the start that a capture turns into it, at most
MAX_IN_HAND. Where pieces only enter at gates, the hand of a side with no open gate has no active feature, as
its pieces can never enter. State that a game lacks has no feature."""

from functools import cache
from hashlib import sha256
from typing import Any

import numpy as np

from ...engine.definition import fen
from ...engine.game.description import Description, VariantError
from ...engine.kernel.bitboard import load, load_one, lsb, without_lsb
from ...engine.kernel.compiler import entry_point, inner
from ...engine.kernel.facts import Facts, unrolled
from ...engine.variant import Variant

FEATURE_SET = "pieces-hands-1"
MAX_IN_HAND = 20  # largest count of a piece in hand with a feature of its own
MAX_FEATURES = 1 << 16  # numbers are kept as uint16
DIGEST = 16  # hexadecimal digits
LATER = (
    "gates",
    "check_counts",
    "gated_hands",
    "walls",
)  # facts that do not change the digest of a game without them


@cache
def features_for(variant: Variant) -> Any:
    """The `Facts` of a game's features, cached. Raises VariantError."""
    return build_features(variant.rules, variant.description)


def build_features(rules: Any, description: Description) -> Any:
    """The numbering of a game's features as `Facts`.

    `count` features in all; `hands` and `state` are the first numbers of those groups, `hand_features` is the
    number for one hand. By hand piece: `limits` is the largest count with a feature, `firsts` the place of
    "at least 1". `flipped` squares are Black's view. `wings`, `choices` and `passes` say which state features
    exist. `gated_hands` is not empty where pieces in hand only enter at gates. No position has more than
    `most` active features; `pieces` is the number of pieces at the start."""
    limits = _hand_limits(description)
    hand_features = sum(limits)
    board = 2 * rules.kinds * rules.squares
    walls = (Facts("wall-features", first=board),) if rules.walls else ()
    board += len(walls) * rules.squares
    wings = rules.wings if rules.castling_rights else 0
    choices, passes = bool(rules.setup), bool(rules.passing)
    gates = ()
    if rules.gates:
        gates = (Facts("gate-features", first=board + 2 * hand_features + 2 * wings, files=rules.files),)
    state = 2 * wings + 2 * choices + passes + 2 * sum(each.files for each in gates)
    check_counts = tuple(
        Facts("check-features", first=board + 2 * hand_features + state, most=each.limit - 1)
        for each in rules.check_count
    )
    state += 2 * sum(each.most for each in check_counts)
    count = board + 2 * hand_features + state
    if count > MAX_FEATURES:
        raise VariantError(
            f"{description.path.name}: {count} features for a network, but {MAX_FEATURES} are the most"
        )
    return Facts(
        "features",
        squares=rules.squares,
        kinds=rules.kinds,
        hand_kinds=rules.hand_kinds,
        flipped=_black_view(rules, description),
        limits=np.array(limits or [0], np.uint8),
        firsts=np.concatenate([[0], np.cumsum(limits or [0])[:-1]]).astype(np.uint16),
        hands=board,
        hand_features=hand_features,
        state=board + 2 * hand_features,
        wings=wings,
        choices=choices,
        passes=passes,
        gates=gates,
        gated_hands=tuple(Facts("gated-hands") for each in rules.gates if not each.drops),
        walls=walls,
        check_counts=check_counts,
        count=count,
        most=rules.squares + 2 * hand_features + state,
        pieces=_first_pieces(description),
    )


def _black_view(rules: Any, description: Description) -> Any:
    """The square that Black sees each square as: that of the other rank, or that of the other file where both
    sides have the same goal squares, as in Racing Kings."""
    ranks, files = np.divmod(np.arange(rules.squares), rules.files)
    goal = description.goal
    if goal is not None and goal.black and set(goal.black) == set(goal.squares):
        files = rules.files - 1 - files
    else:
        ranks = rules.ranks - 1 - ranks
    return (ranks * rules.files + files).astype(np.uint8)


def _first_pieces(description: Description) -> int:
    """The number of pieces at the start, including those that must be dropped first."""
    start = fen.parse(description.start_fen, description)
    held = [description.piece(letter).must_drop * n for hand in start.hands for letter, n in hand.items()]
    return len(start.board) + sum(held)


def _hand_limits(description: Description) -> list[int]:
    """For each hand piece, the number of pieces at the start, of both sides, that are it or become it by
    capture."""
    start = fen.parse(description.start_fen, description)
    base = {piece.letter: piece.base for piece in description.pieces}
    letters = [base[letter] for _, letter in start.board.values()]
    limits = []
    for piece in description.hand_pieces:
        in_hands = sum(hand.get(piece.letter, 0) for hand in start.hands)
        limits.append(max(1, min(MAX_IN_HAND, letters.count(piece.letter) + in_hands)))
    return limits


@cache
def features_digest(variant: Variant) -> str:
    """A digest of the meaning of the numbers: the board, the pieces and their moves, the hands and the state.
    It identifies the inputs of a network, so it ignores values, draw rules and other rules that change no
    input."""
    features, description = features_for(variant), variant.description
    facts = {key: fact for key, fact in features.facts.items() if key not in LATER or fact}
    told = [FEATURE_SET, Facts("features", **facts).name, str(description.files), str(description.ranks)]
    told += [f"{piece.letter} {piece.moves} {piece.palace_moves}" for piece in description.pieces]
    told += [piece.letter for piece in description.hand_pieces]
    return sha256("\n".join(told).encode()).hexdigest()[:DIGEST]


@inner
def board_feature(features, perspective, side, kind, square):
    """The feature of a piece of `side` on the board, seen by the side `perspective`."""
    view = square if perspective == 0 else features.flipped[square]
    owner = np.int64(side != perspective)
    return (owner * features.kinds + kind) * features.squares + view


@inner
def hand_feature(features, perspective, side, hand, count):
    """The feature "at least `count` in hand", from 1 to the limit; more than the limit has none."""
    owner = np.int64(side != perspective)
    return features.hands + owner * features.hand_features + features.firsts[hand] + count - 1


@unrolled("gated_hands")
def _if_gated(gated, number, position, side):
    """`number`, or 0 if no gate of `side` is open."""
    return number if position.gates[side] else number * 0


@inner
def held(features, position, side, hand):
    """The number of a piece in hand that the features count."""
    return _if_gated(features, np.int64(position.hands[side, hand]), position, side)


@inner
def wall_feature(features, walls, perspective, square):
    """The feature of a wall."""
    return walls.first + np.int64(square if perspective == 0 else features.flipped[square])


@inner
def right_feature(features, perspective, side, wing):
    """The feature of the castling right of `side` on a wing."""
    return features.state + np.int64(side != perspective) * features.wings + wing


@inner
def choice_feature(features, perspective, side):
    """The feature of a setup choice that `side` has not made yet."""
    return features.state + 2 * features.wings + np.int64(side != perspective)


@inner
def pass_feature(features):
    """The feature of a pass as the last move."""
    return features.state + 2 * features.wings + 2 * np.int64(features.choices)


@inner
def gate_feature(gates, perspective, side, file):
    """The feature of an open gate of `side` on a file."""
    return gates.first + np.int64(side != perspective) * gates.files + file


@inner
def check_feature(counts, perspective, side, needed):
    """The feature "needs at most `needed` checks" of `side`, from 1 to one less than all."""
    return counts.first + np.int64(side != perspective) * counts.most + needed - 1


@unrolled("check_counts")
def _checks_active(counts, count, position, perspective, found):
    for side in range(2):
        for needed in range(max(np.int64(1), np.int64(position.checks[side])), counts.most + 1):
            found[count] = check_feature(counts, perspective, side, needed)
            count += 1
    return count


@unrolled("gates")
def _gates_active(gates, count, position, perspective, found):
    for side in range(2):
        for file in range(gates.files):
            if (np.int64(position.gates[side]) >> file) & 1:
                found[count] = gate_feature(gates, perspective, side, file)
                count += 1
    return count


@unrolled("walls")
def _walls_active(walls, count, features, position, perspective, found):
    squares = load_one(position, "walls")
    while squares:
        found[count] = wall_feature(features, walls, perspective, lsb(squares))
        squares = without_lsb(squares)
        count += 1
    return count


@inner
def active_features(features, position, perspective, found):
    """Writes the active features of a position, as one side sees it, to the array `found`; returns how many.

    `found` has room for `features.most`."""
    count = np.int64(0)
    for side in range(2):
        pieces = load(position, "colours", side)
        while pieces:
            square = lsb(pieces)
            pieces = without_lsb(pieces)
            found[count] = board_feature(
                features, perspective, side, np.int64(position.board[square]), square
            )
            count += 1
        for hand in range(features.hand_kinds):
            most = min(held(features, position, side, hand), features.limits[hand])
            for number in range(1, most + 1):
                found[count] = hand_feature(features, perspective, side, hand, number)
                count += 1
        for wing in range(features.wings):
            if (np.int64(position.rights) >> (wing + side * features.wings)) & 1:
                found[count] = right_feature(features, perspective, side, wing)
                count += 1
        if features.choices and (np.int64(position.choices) >> side) & 1:
            found[count] = choice_feature(features, perspective, side)
            count += 1
    if features.passes and position.passed:
        found[count] = pass_feature(features)
        count += 1
    count = _walls_active(features, count, features, position, perspective, found)
    count = _gates_active(features, count, position, perspective, found)
    return _checks_active(features, count, position, perspective, found)


@entry_point
def write_active_features(features, positions, perspective, found):
    """Writes the features of the first of `positions`, an array of records, to `found`; returns how many."""
    return active_features(features, positions[0], perspective, found)
