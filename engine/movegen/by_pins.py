"""Legal moves by checkers, pins and target masks, for games of leapers and of sliders on whole lines."""

import numpy as np

from ..game.moves import DROP
from ..kernel.bitboard import bit, has, load, load_one, lsb, without_lsb
from ..kernel.compiler import inner
from ..kernel.facts import over_rules
from ..mechanics.walls import closed_to, occupied_in
from ..representation.move_list import LISTING, emit, shift_moves, wanted
from ..representation.position_record import make_move
from ..representation.reach import between, line_through, reach
from .attacks import inspect
from .checking_squares import checking_squares, still_covering, uncovering_pieces
from .drops import add_drops
from .en_passant import en_passant_moves
from .make_move import play
from .special_moves import castling_moves, drop_targets, king_moves, odd_targets


@over_rules("split_movers")
def _split_moves(mover, n, rules, sink, out, position, side, king, pinned, allowed):
    """Moves to `allowed` squares of pieces whose captures and quiet moves differ (pawns): all free ones at
    once, then each pinned one along the king's line."""
    pieces = load(position, "movers", mover.index) & load(position, "colours", side)
    held = pieces & pinned
    group = pieces & ~pinned
    targets = allowed
    empty = rules.board & ~occupied_in(rules, position)
    while True:
        n = shift_moves(mover, n, rules, sink, out, position, side, group, empty, targets)
        if not held:
            return n
        square = lsb(held)
        group = bit(rules, square)
        targets = allowed & line_through(rules, king, square)
        held = without_lsb(held)


@over_rules("movers")
def _mover_moves(mover, n, rules, sink, out, position, side, king, pinned, uncovering, allowed):
    """Moves to `allowed` squares of pieces with equal captures and quiet moves; pinned ones stay on the
    line."""
    own = closed_to(rules, position, side)
    occupied = own | load(position, "colours", 1 - side)
    allowed = allowed & ~checking_squares(rules, rules.empty, position, side, mover.index, occupied)
    pieces = load(position, "movers", mover.index) & own
    while pieces:
        square = lsb(pieces)
        targets = reach(mover.attack, rules, side, square, occupied) & allowed
        if has(pinned, square):
            targets = targets & line_through(rules, king, square)
        targets = still_covering(rules, targets, position, side, square, uncovering)
        n = emit(mover.promotion, rules, sink, out, n, position, side, square, targets)
        pieces = without_lsb(pieces)
    return n


@over_rules("odd_movers")
def _odd_moves(mover, n, rules, sink, out, position, side, king, pinned, allowed):
    """Moves to `allowed` squares of pieces that slide in one direction, or whose slides and captures
    differ."""
    own = closed_to(rules, position, side)
    enemy = load(position, "colours", 1 - side)
    pieces = load(position, "movers", mover.index) & own
    while pieces:
        square = lsb(pieces)
        targets = odd_targets(mover, rules, sink, position, side, square, own, enemy) & allowed
        if has(pinned, square):
            targets = targets & line_through(rules, king, square)
        n = emit(mover.promotion, rules, sink, out, n, position, side, square, targets)
        pieces = without_lsb(pieces)
    return n


@inner
def piece_moves(rules, sink, out, n, position, checkers, pinned):
    """Adds the legal moves of pieces on the board to the first `n`; returns the new number. `checkers` and
    `pinned` must be those of `position`."""
    side = np.int64(position.side)
    king = np.int64(position.kings[side])
    own = closed_to(rules, position, side)
    enemy = load(position, "colours", 1 - side)
    uncovering = uncovering_pieces(rules, rules.empty, position, side, own, own | enemy)
    n = king_moves(rules, sink, out, n, position, side, king, own, enemy, checkers, uncovering)
    allowed = rules.board
    if checkers:
        if without_lsb(checkers):
            return n
        allowed = checkers | between(rules, king, lsb(checkers))
    n = _split_moves(rules, n, sink, out, position, side, king, pinned, allowed)
    n = _odd_moves(rules, n, sink, out, position, side, king, pinned, allowed)
    allowed = wanted(sink, own, enemy, allowed)
    n = _mover_moves(rules, n, sink, out, position, side, king, pinned, uncovering, allowed)
    if rules.castles and sink.quiet and not checkers:
        n = castling_moves(rules, sink, out, n, position, side, king, own, enemy)
    if rules.en_passant and sink.tactical:
        crossed = load_one(position, "crossed")
        if crossed:
            n = en_passant_moves(rules, n, sink, out, position, side, crossed)
    return n


@inner
def _drop_mates(rules, out, n, position, side, targets):
    """Squares among `targets` where the drop of the piece that must not mate would mate. Mate leaves no legal
    reply of any kind. The piece checks by a leap, so no drop can block it, and only moves on the board need a
    test. They are listed behind the first `n` moves of `out`, because code that lists is compiled anyway."""
    mates = rules.empty
    king = np.int64(position.kings[1 - side])
    kind = rules.hand_kind[rules.no_mate_hand]
    targets = targets & rules.no_mate_origins[side, king]
    while targets:
        square = lsb(targets)
        play(rules, out.trial, position, make_move(square, square, kind, DROP))
        checkers, pinned = inspect(rules, out.trial)
        if piece_moves(rules, LISTING, out, n, out.trial, checkers, pinned) == n:
            mates = mates | bit(rules, square)
        targets = without_lsb(targets)
    return mates


@over_rules("dropping")
def _drop_moves(dropping, n, rules, sink, out, position, checkers):
    """Adds the legal drops to the first `n` moves; returns the new number."""
    side = np.int64(position.side)
    empty = rules.board & ~occupied_in(rules, position)
    if checkers:
        if without_lsb(checkers):
            return n
        empty = empty & between(rules, np.int64(position.kings[side]), lsb(checkers))
    for hand in range(rules.hand_kinds):
        if position.hands[side, hand] == 0:
            continue
        targets = drop_targets(rules, position, side, hand, empty)
        if hand == rules.no_mate_hand:
            targets = targets & ~_drop_mates(rules, out, n, position, side, targets)
        n = add_drops(rules, sink, out, n, position, side, hand, targets)
    return n


@over_rules("by_pins")
def drops_by_pins(way, n, rules, sink, out, position, checkers):
    """Adds the legal drops to the first `n` moves; returns the new number."""
    return _drop_moves(rules, n, sink, out, position, checkers)


@over_rules("by_pins")
def moves_by_pins(way, n, rules, sink, out, position, checkers, pinned):
    """Adds all legal moves to the first `n`; returns the new number."""
    n = piece_moves(rules, sink, out, n, position, checkers, pinned)
    if sink.quiet:
        n = _drop_moves(rules, n, sink, out, position, checkers)
    return n
