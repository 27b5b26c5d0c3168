"""Removes moves that give check, for games that forbid them, except mates where these are allowed.

Most moves neither end on a checking square nor leave a line to the enemy's king. Of the others, those that
move one piece, and capture at most what stands on its target, check if the target is a checking square of
this kind, or is not on the line that the piece leaves. The rest are tested on a spare position."""

import numpy as np

from ..game.moves import NORMAL
from ..kernel.bitboard import has, load, lsb, without_lsb
from ..kernel.compiler import inner
from ..kernel.facts import over_rules
from ..mechanics.kings import if_king_stands
from ..representation.move_list import COUNTING, LISTING
from ..representation.position_record import action_of, source_of, target_of
from ..representation.reach import line_through
from .attacks import checkers_of, inspect, line_between, members_of, slides_from
from .by_pins import moves_by_pins
from .make_move import play


@over_rules("leapers")
def _leaps_check(group, squares, rules, side, king):
    """Adds the squares from which a leaper of `side` would attack the king."""
    return squares | group.origins[side * group.asymmetric, king]


@over_rules("slides")
def _slides_check(group, squares, rules, king, occupied):
    """Adds the squares from which a slider would attack the king."""
    return squares | slides_from(group, rules, king, occupied)


@over_rules("leapers")
def _leaps_of_kind(group, squares, rules, mover, side, king):
    """`_leaps_check` for one mover."""
    for i in range(group.member_count):
        if group.members[i] == mover:
            squares = squares | group.origins[side * group.asymmetric, king]
    return squares


@over_rules("slides")
def _slides_of_kind(group, squares, rules, mover, king, occupied):
    """`_slides_check` for one mover."""
    for i in range(group.member_count):
        if group.members[i] == mover:
            squares = squares | slides_from(group, rules, king, occupied)
    return squares


@inner
def _checks_of_kind(rules, kind, side, king, occupied):
    """The squares from which a piece of one kind would attack the king."""
    mover = rules.kind_mover[kind]
    squares = _leaps_of_kind(rules, rules.empty, mover, side, king)
    return _slides_of_kind(rules, squares, mover, king, occupied)


@over_rules("slides")
def _uncovering(group, pieces, rules, position, king, own, occupied):
    """Adds the pieces that are the only ones between an own slider and the king."""
    snipers = group.cross[king] & own & members_of(group, rules, position)
    while snipers:
        blockers = line_between(group, rules, king, lsb(snipers)) & occupied
        if not without_lsb(blockers):
            pieces = pieces | (blockers & own)
        snipers = without_lsb(snipers)
    return pieces


@over_rules("mates_allowed")
def _mates(way, found, rules, out, position, move):
    """Whether a move that checks mates: no reply is legal. A reply that checks is legal only if it mates in
    turn; its own replies are taken to be legal even if they check."""
    reply = out.reply
    play(rules, reply.position, position, move)
    checkers, pinned = inspect(rules, reply.position)
    end = moves_by_pins(rules, np.int64(0), LISTING, reply, reply.position, checkers, pinned)
    for i in range(end):
        play(rules, reply.trial, reply.position, np.int64(reply.moves[i]))
        checkers, pinned = inspect(rules, reply.trial)
        if not checkers:
            return False
        if moves_by_pins(rules, np.int64(0), COUNTING, reply, reply.trial, checkers, pinned) == 0:
            return False
    return True


@inner
def without_checks(way, rules, out, position, first, end):
    """Keeps those of the moves listed from `first` to `end` that do not check, and allowed mates; returns the
    new end."""
    side = np.int64(position.side)
    king = np.int64(position.kings[1 - side])
    own = load(position, "colours", side)
    occupied = own | load(position, "colours", 1 - side)
    arriving, leaving = rules.board, rules.board
    if way.lines_tell:
        leaving = _uncovering(rules, rules.empty, position, king, own, occupied)
        if not way.squares_tell:
            arriving = _leaps_check(rules, rules.empty, side, king)
            arriving = _slides_check(rules, arriving, king, occupied)
    arriving = if_king_stands(rules, arriving, position, 1 - side)
    leaving = if_king_stands(rules, leaving, position, 1 - side)
    kept = first
    kind, squares = np.int64(-1), rules.empty  # of the moving piece, and from which that kind checks
    for i in range(first, end):
        move = np.int64(out.moves[i])
        source, target = source_of(move), target_of(move)
        checks = False
        if way.squares_tell and action_of(move) == NORMAL:
            if kind != position.board[source]:
                kind = np.int64(position.board[source])
                squares = _checks_of_kind(rules, kind, side, king, occupied) & arriving
            checks = has(squares, target)
            if has(leaving, source) and not has(line_through(rules, king, source), target):
                checks = True
        elif has(arriving, target) or has(leaving, source) or action_of(move) != NORMAL:
            play(rules, out.trial, position, move)
            checks = bool(checkers_of(rules, out.trial, 1 - side))
        if checks and not _mates(rules, False, out, position, move):
            continue
        out.moves[kept] = np.uint32(move)
        kept += 1
    return kept
