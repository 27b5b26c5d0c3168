"""Making a move on a copy of the position, with its keys; moves are never taken back."""

import numpy as np

from .bitboard import bit, has, load, load_one, lsb, store, store_one, without_lsb
from .compiler import entry_point, inner
from .facts import unrolled
from .moves import CASTLING, DROP, EN_PASSANT, PROMOTION
from .state import (
    action_of,
    copy_record,
    kind_of,
    source_of,
    target_of,
)


@inner
def toggle(rules, position, side, kind, square):
    """Adds or removes one piece of `side` on the bitboards and both keys; the mailbox is the caller's."""
    spot = bit(rules, square)
    mover = rules.kind_mover[kind]
    store(position, "colours", side, load(position, "colours", side) ^ spot)
    store(position, "movers", mover, load(position, "movers", mover) ^ spot)
    number = rules.zobrist_squares[side, kind, square]
    position.key ^= number
    position.repetition_key ^= number


@inner
def _change_hand(rules, position, side, hand, change):
    """Adds `change` pieces of one kind to a hand, in the keys as well."""
    count = np.uint64(position.hands[side, hand])
    after = count + np.uint64(change)
    factor = rules.zobrist_hands[side, hand]
    number = (factor * count) ^ (factor * after)
    position.hands[side, hand] = np.uint8(after)
    position.key ^= number
    position.repetition_key ^= number


@inner
def crossed_key(rules, crossed):
    """The part of the key that stands for crossed squares."""
    number = np.uint64(0)
    while crossed:
        number ^= rules.zobrist_crossed[lsb(crossed)]
        crossed = without_lsb(crossed)
    return number


@inner
def _capture(rules, position, side, square):
    """Takes the enemy piece on `square` off the board, into the hand where there are hands."""
    kind = np.int64(position.board[square])
    toggle(rules, position, 1 - side, kind, square)
    position.halfmoves = 0
    if rules.drops:
        _change_hand(rules, position, side, rules.kind_hand[kind], 1)


@unrolled("passers")
def _attack_crossing(passer, attacked, rules, position, enemy, squares):
    pieces = load(position, "movers", passer.index) & load(position, "colours", enemy)
    while squares:
        attacked = attacked | (passer.origins[enemy, lsb(squares)] & pieces)
        squares = without_lsb(squares)
    return attacked


@inner
def _crossed_squares(rules, position, side, source, target):
    """The squares that a long step crossed, if an enemy that captures en passant attacks one of them."""
    low, high = min(source, target), max(source, target)
    squares = rules.empty
    if high - low < 2 * rules.files or (high - low) % rules.files != 0:
        return squares
    for square in range(low + rules.files, high, rules.files):
        squares = squares | bit(rules, square)
    if _attack_crossing(rules, rules.empty, rules, position, 1 - side, squares):
        return squares
    return rules.empty


@inner
def _move_rook(rules, position, side, king_to):
    """Brings the rook to the other side of the king that has castled to `king_to`."""
    for wing in range(rules.wings):
        if rules.castling_squares[side, wing, 2] == king_to:
            source = rules.castling_squares[side, wing, 1]
            target = rules.castling_squares[side, wing, 3]
            toggle(rules, position, side, rules.rook_kind, source)
            toggle(rules, position, side, rules.rook_kind, target)
            position.board[source] = rules.no_kind
            position.board[target] = rules.rook_kind


@inner
def play(rules, child, parent, move):
    """Makes `child` the position after a legal `move` in `parent`, two different records."""
    copy_record(child, parent)
    side = np.int64(parent.side)
    target, action = target_of(move), action_of(move)
    if rules.en_passant:
        crossed = load_one(parent, "crossed")
        if crossed:
            child.key ^= crossed_key(rules, crossed)
            store_one(child, "crossed", rules.empty)
    child.halfmoves += 1
    if rules.drops and action == DROP:
        kind = kind_of(move)
        toggle(rules, child, side, kind, target)
        child.board[target] = kind
        _change_hand(rules, child, side, rules.kind_hand[kind], -1)
    else:
        source = source_of(move)
        kind = np.int64(parent.board[source])
        if has(load(parent, "colours", 1 - side), target):
            _capture(rules, child, side, target)
        toggle(rules, child, side, kind, source)
        child.board[source] = rules.no_kind
        if action == PROMOTION:
            kind = kind_of(move)
        toggle(rules, child, side, kind, target)
        child.board[target] = kind
        if kind == rules.king_kind:
            child.kings[side] = target
            if rules.castles and action == CASTLING:
                _move_rook(rules, child, side, target)
        moved = np.int64(parent.board[source])
        if rules.kind_irreversible[moved]:
            child.halfmoves = 0
        if rules.en_passant:
            if action == EN_PASSANT:
                victim = np.int64(parent.victim)
                _capture(rules, child, side, victim)
                child.board[victim] = rules.no_kind
            if rules.kind_crosses[moved]:
                crossed = _crossed_squares(rules, child, side, source, target)
                if crossed:
                    store_one(child, "crossed", crossed)
                    child.victim = target
                    child.key ^= crossed_key(rules, crossed)
    child.fullmoves += side
    child.side = 1 - side
    child.key ^= rules.zobrist_turn[0]
    child.repetition_key ^= rules.zobrist_turn[0]


@inner
def play_null(rules, child, parent):
    """Makes `child` the position with the other side to move and nothing else changed."""
    copy_record(child, parent)
    if rules.en_passant:
        crossed = load_one(parent, "crossed")
        if crossed:
            child.key ^= crossed_key(rules, crossed)
            store_one(child, "crossed", rules.empty)
    child.side = 1 - parent.side
    child.key ^= rules.zobrist_turn[0]
    child.repetition_key ^= rules.zobrist_turn[0]


@entry_point
def advance(rules, child, parent, move):
    """`play` for Python."""
    play(rules, child, parent, move)
