"""The accumulators of a network's first layer, by ply and for both sides' views.

They are updated when a position is evaluated, from the nearest earlier ply with valid accumulators, by the
differences between the two positions. So no mechanic needs code here, and a position that is never evaluated
costs nothing. A worker is a record with the fields of `vectors.worker_fields` and `positions`."""

import numpy as np

from ...engine.kernel.bitboard import has, load, load_one, lsb, without_lsb
from ...engine.kernel.compiler import inner
from ...engine.kernel.facts import chosen_by_field, facts_of, unrolled
from ...engine.representation.position_record import copy_record
from .features import (
    active_features,
    board_feature,
    check_feature,
    choice_feature,
    gate_feature,
    hand_feature,
    held,
    pass_feature,
    right_feature,
    wall_feature,
)
from .vectors import differing, network_of, update_sums, update_view

ADDED, REMOVED = 0, 1


@inner
def _note_piece(features, worker, way, count, position, square):
    """Adds the piece on a square, if any, to the changes; returns their number."""
    side = np.int64(has(load(position, "colours", 1), square))
    if side or has(load(position, "colours", 0), square):
        kind = np.int64(position.board[square])
        worker.changes[0, way, count] = board_feature(features, 0, side, kind, square)
        worker.changes[1, way, count] = board_feature(features, 1, side, kind, square)
        return count + 1
    return count


@inner
def _changed_squares(position, other):
    """The squares on which two positions differ."""
    colours = load(position, "colours", 0) ^ load(other, "colours", 0)
    colours = colours | (load(position, "colours", 1) ^ load(other, "colours", 1))
    return colours | differing(position, other, "board")


@inner
def _note_hand(features, worker, way, count, side, hand, low, high):
    """Adds the features "at least `low` + 1 in hand" to "at least `high` in hand" of a hand piece to the
    changes."""
    limit = np.int64(features.limits[hand])
    for number in range(min(low, limit) + 1, min(high, limit) + 1):
        worker.changes[0, way, count] = hand_feature(features, 0, side, hand, number)
        worker.changes[1, way, count] = hand_feature(features, 1, side, hand, number)
        count += 1
    return count


@unrolled("gated_hands")
def _note_opened_hands(gated, count, features, worker, way, position, other):
    """Adds the hands of sides with an open gate in `position` and none in `other`, where the numbers in hand
    are equal; the caller has added those that differ."""
    for side in range(2):
        if position.gates[side] and not other.gates[side]:
            for hand in range(features.hand_kinds):
                number = np.int64(position.hands[side, hand])
                if number == np.int64(other.hands[side, hand]):
                    count = _note_hand(features, worker, way, count, side, hand, np.int64(0), number)
    return count


@unrolled("walls")
def _note_walls(walls, count, features, worker, way, position, other):
    squares = load_one(position, "walls") & ~load_one(other, "walls")
    while squares:
        square = lsb(squares)
        squares = without_lsb(squares)
        worker.changes[0, way, count] = wall_feature(features, walls, 0, square)
        worker.changes[1, way, count] = wall_feature(features, walls, 1, square)
        count += 1
    return count


@unrolled("gates")
def _note_gates(gates, count, worker, way, position, other):
    for side in range(2):
        files = np.int64(position.gates[side]) & ~np.int64(other.gates[side])
        for file in range(gates.files):
            if (files >> file) & 1:
                worker.changes[0, way, count] = gate_feature(gates, 0, side, file)
                worker.changes[1, way, count] = gate_feature(gates, 1, side, file)
                count += 1
    return count


@unrolled("check_counts")
def _note_checks(counts, count, worker, way, position, other):
    for side in range(2):
        first, end = np.int64(position.checks[side]), min(np.int64(other.checks[side]), counts.most + 1)
        for needed in range(max(np.int64(1), first), end):
            worker.changes[0, way, count] = check_feature(counts, 0, side, needed)
            worker.changes[1, way, count] = check_feature(counts, 1, side, needed)
            count += 1
    return count


@inner
def _note_state(features, worker, way, count, position, other):
    """Adds the state features that `position` has and `other` does not to the changes."""
    if features.wings:
        rights = np.int64(position.rights) & ~np.int64(other.rights)
        for side in range(2):
            for wing in range(features.wings):
                if (rights >> (wing + side * features.wings)) & 1:
                    worker.changes[0, way, count] = right_feature(features, 0, side, wing)
                    worker.changes[1, way, count] = right_feature(features, 1, side, wing)
                    count += 1
    if features.choices:
        choices = np.int64(position.choices) & ~np.int64(other.choices)
        for side in range(2):
            if (choices >> side) & 1:
                worker.changes[0, way, count] = choice_feature(features, 0, side)
                worker.changes[1, way, count] = choice_feature(features, 1, side)
                count += 1
    if features.passes and position.passed and not other.passed:
        worker.changes[0, way, count] = pass_feature(features)
        worker.changes[1, way, count] = pass_feature(features)
        count += 1
    count = _note_opened_hands(features, count, features, worker, way, position, other)
    count = _note_walls(features, count, features, worker, way, position, other)
    count = _note_gates(features, count, worker, way, position, other)
    return _note_checks(features, count, worker, way, position, other)


@inner
def _note_changes(features, worker, position, before):
    """Writes the changes from `before` to `position`; returns the numbers of rows to add and to subtract."""
    added, removed = np.int64(0), np.int64(0)
    squares = _changed_squares(position, before)
    while squares:
        square = lsb(squares)
        squares = without_lsb(squares)
        added = _note_piece(features, worker, ADDED, added, position, square)
        removed = _note_piece(features, worker, REMOVED, removed, before, square)
    hands = differing(position, before, "hands")
    while hands:
        side, hand = lsb(hands) // position.hands.shape[1], lsb(hands) % position.hands.shape[1]
        hands = without_lsb(hands)
        now, then = held(features, position, side, hand), held(features, before, side, hand)
        added = _note_hand(features, worker, ADDED, added, side, hand, then, now)
        removed = _note_hand(features, worker, REMOVED, removed, side, hand, now, then)
    added = _note_state(features, worker, ADDED, added, position, before)
    removed = _note_state(features, worker, REMOVED, removed, before, position)
    return added, removed


@inner
def forget_sums(rules, worker, ply):
    """Marks the accumulators at `ply` as invalid."""
    worker.fresh[ply] = 0


@inner
def _source(worker, ply):
    """The nearest ply from `ply` up with valid accumulators, or -1."""
    source = ply
    while source >= 0 and worker.fresh[source] == 0:
        source -= 1
    return source


@inner
def _build(worker, features, ply):
    """Computes the accumulators at `ply` from scratch."""
    added = np.int64(0)
    for perspective in range(2):
        added = active_features(
            features, worker.positions[ply], perspective, worker.changes[perspective, ADDED]
        )
    update_sums(worker, network_of(worker), ply, np.int64(-1), added, np.int64(0))
    worker.fresh[ply] = 1


@inner
def _refresh(rules, worker, ply):
    at = _source(worker, ply)
    features = facts_of(worker, "features")
    if at < 0:
        _build(worker, features, ply)
        return
    while at < ply:
        at += 1
        before = worker.positions[at - 1]
        added, removed = _note_changes(features, worker, worker.positions[at], before)
        update_sums(worker, network_of(worker), at, at - 1, added, removed)
        worker.fresh[at] = 1


@inner
def _king_bucket(rules, features, network, position, perspective):
    """The king bucket of the side `perspective`; 0 if its king is not on the board."""
    square = np.int64(position.kings[perspective])
    if not has(load(position, "colours", perspective), square):
        return np.int64(0)
    if np.int64(position.board[square]) != rules.royal_kind:
        return np.int64(0)
    return np.int64(network.king_buckets[square if perspective == 0 else features.flipped[square]])


@inner
def _enter_king_bucket(worker, features, network, ply, perspective, king_bucket):
    """Computes the accumulators of a view whose king has entered another king bucket, from the last ones of
    that bucket."""
    position, kept = worker.positions[ply], np.int64(len(worker.fresh)) + king_bucket
    before = worker.king_bucket_positions[perspective, king_bucket]
    added, removed = np.int64(0), np.int64(0)
    if worker.known[perspective, king_bucket]:
        added, removed = _note_changes(features, worker, position, before)
        source = kept
    else:
        added = active_features(features, position, perspective, worker.changes[perspective, ADDED])
        source = np.int64(-1)
    first = king_bucket * features.count
    update_view(worker, network, ply, source, added, removed, perspective, first)
    update_view(worker, network, kept, ply, np.int64(0), np.int64(0), perspective, first)
    copy_record(before, position)
    worker.known[perspective, king_bucket] = 1


@inner
def _refresh_by_king_bucket_at(rules, worker, ply, source):
    """Updates the accumulators at `ply` from those at `source`, or from scratch if `source` is negative."""
    features, network, position = facts_of(worker, "features"), network_of(worker), worker.positions[ply]
    noted, added, removed = False, np.int64(0), np.int64(0)
    for perspective in range(2):
        king_bucket = _king_bucket(rules, features, network, position, perspective)
        worker.king_buckets[ply, perspective] = king_bucket
        if source >= 0 and np.int64(worker.king_buckets[source, perspective]) == king_bucket:
            if not noted:
                added, removed = _note_changes(features, worker, position, worker.positions[source])
                noted = True
            first = king_bucket * features.count
            update_view(worker, network, ply, source, added, removed, perspective, first)
    for perspective in range(2):
        king_bucket = np.int64(worker.king_buckets[ply, perspective])
        if source < 0 or np.int64(worker.king_buckets[source, perspective]) != king_bucket:
            _enter_king_bucket(worker, features, network, ply, perspective, king_bucket)
    worker.fresh[ply] = 1


@inner
def _refresh_by_king_bucket(rules, worker, ply):
    at = _source(worker, ply)
    if at < 0:
        _refresh_by_king_bucket_at(rules, worker, ply, np.int64(-1))
        return
    while at < ply:
        _refresh_by_king_bucket_at(rules, worker, at + 1, at)
        at += 1


# (rules, worker, ply): updates the accumulators at `ply`
refresh_sums = chosen_by_field("king_buckets", _refresh_by_king_bucket, _refresh)
