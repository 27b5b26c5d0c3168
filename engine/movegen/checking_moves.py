"""Removes moves that give check, for games that forbid them, except mates where these are allowed.

Most moves neither end on a checking square nor leave a line to the enemy's king. Of the others, those that
move one piece, and capture at most what stands on its target, check if the target is a checking square of
this kind, or is not on the line that the piece leaves. The rest are tested on a spare position."""

import numpy as np

from ..game.moves import NORMAL
from ..kernel.bitboard import has, load
from ..kernel.compiler import inner
from ..kernel.facts import over_rules
from ..mechanics.kings import if_king_stands
from ..representation.move_list import COUNTING, LISTING
from ..representation.position_record import action_of, source_of, target_of
from ..representation.reach import line_through
from .attacks import checkers_of, inspect
from .by_pins import moves_by_pins
from .checking_squares import checks_of, leaps_check, slides_check, uncovering
from .make_move import play


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
        leaving = uncovering(rules, rules.empty, position, king, own, occupied)
        if not way.squares_tell:
            arriving = leaps_check(rules, rules.empty, side, king)
            arriving = slides_check(rules, arriving, king, occupied)
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
                squares = checks_of(rules, rules.kind_mover[kind], side, king, occupied) & arriving
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
