"""Drops, removals and moves of pieces on a position, with its keys; no rules here."""

import numpy as np

from ..kernel.bitboard import bit, load, store
from ..kernel.compiler import inner


@inner
def toggle(rules, position, side, kind, square):
    """Adds or removes one piece of `side` on the bitboards and both keys; the caller updates the mailbox."""
    spot = bit(rules, square)
    mover = rules.kind_mover[kind]
    store(position, "colours", side, load(position, "colours", side) ^ spot)
    store(position, "movers", mover, load(position, "movers", mover) ^ spot)
    number = rules.zobrist_squares[side, kind, square]
    position.key ^= number
    position.repetition_key ^= number


@inner
def hand_number(rules, position, side, hand, change):
    """What `change` pieces of one kind more in a hand change in the keys."""
    count = np.uint64(position.hands[side, hand])
    factor = rules.zobrist_hands[side, hand]
    return (factor * count) ^ (factor * (count + np.uint64(change)))


@inner
def change_hand(rules, position, side, hand, change):
    """Adds `change` pieces of one kind to a hand, in the keys as well."""
    number = hand_number(rules, position, side, hand, change)
    position.hands[side, hand] = np.uint8(np.uint64(position.hands[side, hand]) + np.uint64(change))
    position.key ^= number
    position.repetition_key ^= number


@inner
def take(rules, position, side, square):
    """`side` removes the enemy piece on `square` from the board, into the hand if captures go there. The
    caller updates the mailbox."""
    kind = np.int64(position.board[square])
    toggle(rules, position, 1 - side, kind, square)
    position.halfmoves = 0
    if rules.captures_to_hand:
        change_hand(rules, position, side, rules.kind_hand[kind], 1)


@inner
def shift_piece(rules, position, side, source, target):
    """Moves a piece of `side` to an empty square."""
    kind = np.int64(position.board[source])
    toggle(rules, position, side, kind, source)
    toggle(rules, position, side, kind, target)
    position.board[source] = rules.no_kind
    position.board[target] = kind
    if kind == rules.king_kind:
        position.kings[side] = target
