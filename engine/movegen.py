"""Legal moves: by checkers, pins and target masks, one generator for listing and for counting.

A *sink* says what becomes of the moves: whether they are listed or counted, and which of them. How a move
changes the position lives in `play`.
"""

import numpy as np

from .attacks import (
    attackers,
    between,
    in_check,
    inspect,
    line_through,
    reach,
)
from .bitboard import bit, has, load, load_one, lsb, popcount, shifted, without_lsb
from .compiler import entry_point, inner
from .facts import Facts, unrolled
from .moves import CASTLING, DROP, EN_PASSANT, NORMAL, PROMOTION
from .play import play
from .state import make_move

LISTING = Facts("listing", counts=False, tactical=False)
COUNTING = Facts("counting", counts=True, tactical=False)
TACTICAL = Facts("tactical", counts=False, tactical=True)  # captures, and promotions of pawns


@inner
def put(out, n, move):
    """Writes a move to the list; returns the new length."""
    out.moves[n] = np.uint32(move)
    return n + 1


@inner
def _list(promotion, rules, out, n, position, source, target, promoting):
    """Writes one piece's move to one square with all its promotions."""
    if promotion.count and promoting:
        kind = np.int64(position.board[source])
        for i in range(promotion.count):
            n = put(out, n, make_move(source, target, rules.promotions[kind, i], PROMOTION))
        if promotion.mandatory:
            return n
    return put(out, n, make_move(source, target, 0, NORMAL))


@inner
def _emit(promotion, rules, sink, out, n, position, side, source, targets):
    """Lists or counts one piece's moves to all of `targets`."""
    promoting = rules.empty
    if promotion.count:
        zone = rules.promotion_zone[side]
        if rules.promotes_on_enter:
            promoting = targets & zone
        if rules.promotes_on_leave and has(zone, source):
            promoting = targets
    if sink.counts:
        n += popcount(targets)
        if promotion.count:
            n += popcount(promoting) * (promotion.count - promotion.mandatory)
        return n
    while targets:
        target = lsb(targets)
        n = _list(promotion, rules, out, n, position, source, target, has(promoting, target))
        targets = without_lsb(targets)
    return n


@inner
def _emit_shift(promotion, rules, sink, out, n, position, side, delta, targets):
    """Lists or counts moves of many pieces, each `delta` squares behind its target."""
    promoting = rules.empty
    if promotion.count and rules.promotes_on_enter:
        promoting = targets & rules.promotion_zone[side]
    if sink.counts:
        n += popcount(targets)
        if promotion.count:
            n += popcount(promoting) * (promotion.count - promotion.mandatory)
        return n
    while targets:
        target = lsb(targets)
        n = _list(promotion, rules, out, n, position, target - delta, target, has(promoting, target))
        targets = without_lsb(targets)
    return n


@inner
def _distance(shift, side):
    """How many squares further a shift ends than it starts."""
    return shift.white_delta if side == 0 else shift.black_delta


@unrolled("captures")
def _shift_capture(shift, n, promotion, rules, sink, out, position, side, pieces, targets):
    targets = targets & shifted(pieces, shift, side)
    delta = _distance(shift, side)
    return _emit_shift(promotion, rules, sink, out, n, position, side, delta, targets)


@unrolled("quiets")
def _shift_quiet(shift, n, promotion, rules, sink, out, position, side, pieces, targets):
    targets = targets & shifted(pieces, shift, side)
    delta = _distance(shift, side)
    return _emit_shift(promotion, rules, sink, out, n, position, side, delta, targets)


@unrolled("steps")
def _shift_step(step, found, promotion, rules, sink, out, position, side, empty, allowed):
    """One more square forward for the pieces that may go on; `found` is (count, squares reached)."""
    n, front = found
    front = shifted(front, step.shift, side) & empty
    delta = step.length * _distance(step.shift, side)
    n = _emit_shift(promotion, rules, sink, out, n, position, side, delta, front & allowed)
    return n, front


@inner
def _shift_moves(mover, n, rules, sink, out, position, side, pieces, allowed):
    """All moves of a set of leapers that capture otherwise than they move."""
    promotion = mover.promotion
    enemy = load(position, "colours", 1 - side)
    empty = rules.board & ~(load(position, "colours", side) | enemy)
    targets = enemy & allowed
    n = _shift_capture(mover, n, promotion, rules, sink, out, position, side, pieces, targets)
    targets = empty & allowed
    if sink.tactical:
        if not promotion.mandatory:
            return n
        targets = targets & rules.promotion_zone[side]
    n = _shift_quiet(mover, n, promotion, rules, sink, out, position, side, pieces, targets)
    if not sink.tactical:
        found = (n, shifted(pieces, mover.forward, side) & empty)
        n, _ = _shift_step(mover, found, promotion, rules, sink, out, position, side, empty, allowed)
    return n


@unrolled("split_movers")
def _split_moves(mover, n, rules, sink, out, position, side, king, pinned, allowed):
    """Moves to `allowed` squares of pieces that capture otherwise than they move (pawns).

    All free ones at once, then each pinned one by itself along the king's line.
    """
    pieces = load(position, "movers", mover.index) & load(position, "colours", side)
    held = pieces & pinned
    group = pieces & ~pinned
    targets = allowed
    while True:
        n = _shift_moves(mover, n, rules, sink, out, position, side, group, targets)
        if not held:
            return n
        square = lsb(held)
        group = bit(rules, square)
        targets = allowed & line_through(rules, king, square)
        held = without_lsb(held)


@unrolled("movers")
def _mover_moves(mover, n, rules, sink, out, position, side, king, pinned, allowed):
    """Moves to `allowed` squares of pieces that capture as they move; pinned ones keep to the line."""
    own = load(position, "colours", side)
    occupied = own | load(position, "colours", 1 - side)
    pieces = load(position, "movers", mover.index) & own
    while pieces:
        square = lsb(pieces)
        targets = reach(mover.attack, rules, side, square, occupied) & allowed
        if has(pinned, square):
            targets = targets & line_through(rules, king, square)
        n = _emit(mover.promotion, rules, sink, out, n, position, side, square, targets)
        pieces = without_lsb(pieces)
    return n


@inner
def _king_moves(rules, sink, out, n, position, side, king, own, enemy):
    """The king's steps to squares that the enemy does not attack once the king has left its own."""
    targets = reach(rules.king.attack, rules, side, king, own | enemy) & ~own
    if sink.tactical:
        targets = targets & enemy
    occupied = (own | enemy) & ~bit(rules, king)
    while targets:
        target = lsb(targets)
        if not attackers(rules, position, 1 - side, target, occupied):
            if not sink.counts:
                put(out, n, make_move(king, target, 0, NORMAL))
            n += 1
        targets = without_lsb(targets)
    return n


@inner
def _castling_moves(rules, sink, out, n, position, side, king, own, enemy):
    """Castling by position: king and rook on their squares, nothing between, no attack on the way."""
    occupied = own | enemy
    for wing in range(rules.wings):
        rook = rules.castling_squares[side, wing, 1]
        if king != rules.castling_squares[side, wing, 0]:
            continue
        if np.int64(position.board[rook]) != rules.rook_kind or not has(own, rook):
            continue
        if occupied & rules.castling_between[side, wing]:
            continue
        path = rules.castling_path[side, wing]
        while path and not attackers(rules, position, 1 - side, lsb(path), occupied):
            path = without_lsb(path)
        if path:
            continue
        if not sink.counts:
            put(out, n, make_move(king, rules.castling_squares[side, wing, 2], 0, CASTLING))
        n += 1
    return n


@unrolled("passers")
def _en_passant_moves(passer, n, rules, sink, out, position, side, king, own, enemy, crossed):
    """Captures of the pawn that has just passed, each tried on the board for discovered checks."""
    passers = load(position, "movers", passer.index) & own
    victim = bit(rules, np.int64(position.victim))
    while crossed:
        target = lsb(crossed)
        pieces = passer.origins[side, target] & passers
        while pieces:
            source = lsb(pieces)
            occupied = ((own | enemy) & ~(bit(rules, source) | victim)) | bit(rules, target)
            if not attackers(rules, position, 1 - side, king, occupied) & ~victim:
                if not sink.counts:
                    put(out, n, make_move(source, target, 0, EN_PASSANT))
                n += 1
            pieces = without_lsb(pieces)
        crossed = without_lsb(crossed)
    return n


@inner
def piece_moves(rules, sink, out, position, checkers, pinned):
    """The number of legal moves of pieces on the board, listed in `out` from 0 when `sink` lists.

    `checkers` and `pinned` must be those of `position`.
    """
    side = np.int64(position.side)
    king = np.int64(position.kings[side])
    own = load(position, "colours", side)
    enemy = load(position, "colours", 1 - side)
    n = _king_moves(rules, sink, out, 0, position, side, king, own, enemy)
    allowed = rules.board
    if checkers:
        if without_lsb(checkers):
            return n
        allowed = checkers | between(rules, king, lsb(checkers))
    n = _split_moves(rules, n, rules, sink, out, position, side, king, pinned, allowed)
    allowed = allowed & enemy if sink.tactical else allowed & ~own
    n = _mover_moves(rules, n, rules, sink, out, position, side, king, pinned, allowed)
    if rules.castles and not sink.tactical and not checkers:
        n = _castling_moves(rules, sink, out, n, position, side, king, own, enemy)
    if rules.en_passant:
        crossed = load_one(position, "crossed")
        if crossed:
            n = _en_passant_moves(
                rules,
                n,
                rules,
                sink,
                out,
                position,
                side,
                king,
                own,
                enemy,
                crossed,
            )
    return n


@inner
def _drop_mates(rules, out, position, side, targets):
    """Squares among `targets` where dropping the piece that must not mate would mate.

    Mate leaves no legal reply of any kind. The piece checks from a leap away, so that no drop can come
    between, and moves on the board are all that need a look.
    """
    mates = rules.empty
    king = np.int64(position.kings[1 - side])
    kind = rules.hand_kind[rules.no_mate_hand]
    targets = targets & rules.no_mate_origins[side, king]
    while targets:
        square = lsb(targets)
        play(rules, out.trial, position, make_move(square, square, kind, DROP))
        checkers, pinned = inspect(rules, out.trial)
        if piece_moves(rules, COUNTING, out, out.trial, checkers, pinned) == 0:
            mates = mates | bit(rules, square)
        targets = without_lsb(targets)
    return mates


@inner
def drop_moves(rules, sink, out, n, position, checkers):
    """Adds the legal drops to the `n` moves that are there; returns the new number."""
    side = np.int64(position.side)
    empty = rules.board & ~(load(position, "colours", 0) | load(position, "colours", 1))
    if checkers:
        if without_lsb(checkers):
            return n
        empty = empty & between(rules, np.int64(position.kings[side]), lsb(checkers))
    for hand in range(rules.hand_kinds):
        if position.hands[side, hand] == 0:
            continue
        targets = empty & rules.drop_squares[side, hand]
        if hand == rules.no_mate_hand:
            targets = targets & ~_drop_mates(rules, out, position, side, targets)
        if sink.counts:
            n += popcount(targets)
            continue
        while targets:
            square = lsb(targets)
            n = put(out, n, make_move(square, square, rules.hand_kind[hand], DROP))
            targets = without_lsb(targets)
    return n


@inner
def legal_moves(rules, sink, out, position, checkers, pinned):
    """The number of legal moves, listed in `out` from 0 when `sink` lists."""
    n = piece_moves(rules, sink, out, position, checkers, pinned)
    if rules.drops and not sink.tactical:
        n = drop_moves(rules, sink, out, n, position, checkers)
    return n


@entry_point
def list_moves(rules, out, position):
    """Lists all legal moves in `out`; returns their number."""
    checkers, pinned = inspect(rules, position)
    return legal_moves(rules, LISTING, out, position, checkers, pinned)


@entry_point
def check(rules, position):
    """Whether the side to move is in check."""
    return in_check(rules, position)
