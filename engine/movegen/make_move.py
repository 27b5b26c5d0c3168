"""Making a move on a copy of the position, with its keys; there is no unmake."""

import numpy as np

from ..game.moves import CASTLING, DROP, EN_PASSANT, PASS, PROMOTION
from ..kernel.bitboard import has, load, load_one, lsb
from ..kernel.compiler import inner
from ..kernel.facts import over_rules
from ..mechanics import after_drop, after_move, after_step, capture, push, stand_still
from ..mechanics.colour_change import is_still_own
from ..mechanics.free_castling import keep_rights, rights_without
from ..mechanics.last_royal import rights_without_king
from ..mechanics.outcomes import UNDECIDED
from ..mechanics.walls import key_with_wall
from ..representation.piece_updates import change_hand, hand_number, shift_piece, take, toggle
from ..representation.position_record import action_of, copy_record, kind_of, source_of, target_of
from .attacks import checkers_of
from .en_passant import forget_crossing, note_crossing
from .free_castling import castle_freely
from .last_reply import unless_black_follows, unless_captured


@inner
def _move_rook(rules, position, side, king_to):
    """Moves the rook to the other side of the king that has castled to `king_to`."""
    for wing in range(rules.fixed_wings):
        if rules.castling_squares[side, wing, 2] == king_to:
            shift_piece(
                rules,
                position,
                side,
                rules.castling_squares[side, wing, 1],
                rules.castling_squares[side, wing, 3],
            )


@inner
def _keep_rights(rules, child, side, action, source, target):
    """Removes the castling rights that a move forfeits."""
    before = np.int64(child.rights)
    after = before
    if rules.rights_fade:
        after = before & rules.rights_kept[source] & rules.rights_kept[target]
        after = rights_without(rules, after, child, source)
        after = rights_without(rules, after, child, target)
        after = rights_without_king(rules, after, child, side, target)
    elif action == CASTLING:
        after = before & ~rules.rights_of[side]
    keep_rights(rules, child, after)


@over_rules("check_asked")
def _gives_check(asked, check, rules, child):
    """Whether the side to move is in check, if a mechanic needs it, else `check`."""
    return bool(checkers_of(rules, child, np.int64(child.side)))


@inner
def _decide(rules, child, parent, action, captured):
    """Records whether the move has ended the game by a special rule; `captured` is the outcome of
    captures."""
    check = _gives_check(rules, False, child)
    outcome = after_move(rules, np.int64(UNDECIDED), child, parent, action, check)
    outcome = unless_black_follows(rules, outcome, child)
    outcome = unless_captured(rules, outcome, child)
    child.outcome = captured if captured else outcome
    if rules.en_passant and child.outcome:
        forget_crossing(rules, child)


@inner
def _move_piece(rules, child, parent, side, move, action):
    """Moves a piece on the board with all consequences; returns the outcome of captures besides its
    target."""
    source, target = source_of(move), target_of(move)
    moved = np.int64(parent.board[source])
    kind = moved
    if has(load(parent, "colours", 1 - side), target):
        take(rules, child, side, target)
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
    if rules.kind_irreversible[moved]:
        child.halfmoves = 0
    if rules.castling_rights and child.rights:
        _keep_rights(rules, child, side, action, source, target)
    if rules.en_passant and action == EN_PASSANT:
        victim = np.int64(parent.victim)
        take(rules, child, side, victim)
        child.board[victim] = rules.no_kind
    after_step(rules, 0, child, parent, side, action, move)
    push(rules, 0, child, parent, moved, source, target)
    captured = capture(rules, np.int64(UNDECIDED), child, parent, moved, source, target)
    if rules.en_passant and rules.kind_crosses[moved] and is_still_own(rules, True, child, side, target):
        note_crossing(rules, child, side, source, target)
    return captured


@inner
def play(rules, child, parent, move):
    """Makes `child` the position after a legal `move` in `parent`, two different records."""
    copy_record(child, parent)
    side = np.int64(parent.side)
    action = action_of(move)
    captured = np.int64(UNDECIDED)
    if rules.en_passant:
        forget_crossing(rules, child)
    child.halfmoves += 1
    if rules.drops and action == DROP:
        target, kind = target_of(move), kind_of(move)
        toggle(rules, child, side, kind, target)
        child.board[target] = kind
        change_hand(rules, child, side, rules.kind_hand[kind], -1)
        after_drop(rules, 0, child, side, kind, target)
    elif rules.stands_still and action >= PASS:
        stand_still(rules, 0, child, side, action, move)
    elif rules.castling_free and action == CASTLING:
        castle_freely(rules, 0, child, side, move)
    else:
        captured = _move_piece(rules, child, parent, side, move, action)
    child.fullmoves += side
    child.side = 1 - side
    child.key ^= rules.zobrist_turn[0]
    child.repetition_key ^= rules.zobrist_turn[0]
    if rules.can_end:
        _decide(rules, child, parent, action, captured)


@inner
def key_after(rules, parent, move):
    """The key of the position after a move, exact for nearly all moves: it ignores changes that only few
    moves make. It is known before the move is made, so that the table entry can be prefetched."""
    side, action, target = np.int64(parent.side), action_of(move), target_of(move)
    key = parent.key ^ rules.zobrist_turn[0]
    if rules.en_passant:
        crossed = load_one(parent, "crossed")
        if crossed:
            key ^= rules.zobrist_crossed[lsb(crossed)]
    if rules.stands_still and action >= PASS:
        return key
    if rules.drops and action == DROP:
        kind = kind_of(move)
        key ^= rules.zobrist_squares[side, kind, target]
        return key ^ hand_number(rules, parent, side, rules.kind_hand[kind], -1)
    source = source_of(move)
    kind, taken = np.int64(parent.board[source]), np.int64(parent.board[target])
    key ^= rules.zobrist_squares[side, kind, source]
    if action == PROMOTION:
        kind = kind_of(move)
    key ^= rules.zobrist_squares[side, kind, target]
    if taken != rules.no_kind:
        key ^= rules.zobrist_squares[1 - side, taken, target]
        if rules.captures_to_hand:
            key ^= hand_number(rules, parent, side, rules.kind_hand[taken], 1)
    return key_with_wall(rules, key, parent, move)


@inner
def play_null(rules, child, parent):
    """Makes `child` the position with the other side to move and no other change."""
    copy_record(child, parent)
    if rules.en_passant:
        forget_crossing(rules, child)
    child.side = 1 - parent.side
    child.key ^= rules.zobrist_turn[0]
    child.repetition_key ^= rules.zobrist_turn[0]
