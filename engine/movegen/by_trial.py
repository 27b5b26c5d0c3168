"""Legal moves by trial, for games in which pins do not decide legality (cannons, lame leapers, palaces,
merchants).

Most moves do not affect the king. Some squares are *sensitive*: those of own pieces whose leaving may expose
the king, and those where an arrival may give or end a check. A move that neither leaves one of the first nor
enters one of the second does not change whether the king is in check, and needs no test. All others are made
on a spare position and kept if the king is safe there."""

import numpy as np

from ..game.moves import DROP, NORMAL, PROMOTION
from ..kernel.bitboard import bit, has, load, load_one, lsb, popcount, without_lsb
from ..kernel.compiler import inner
from ..kernel.facts import over_rules, unrolled
from ..mechanics import narrow_moves
from ..mechanics.explosion import blast, safe_after
from ..mechanics.first_moves import first_move_targets
from ..mechanics.kings import if_king_stands
from ..mechanics.last_royal import royals_that_stay
from ..mechanics.merchants import able
from ..mechanics.square_moves import list_square_moves
from ..mechanics.walls import closed_to, occupied_in
from ..representation.move_list import COUNTING, LISTING, emit, lister, put, shift_moves, wanted
from ..representation.position_record import action_of, make_move, source_of, target_of
from ..representation.reach import between, reach
from .attacks import (
    attackers,
    checkers_of,
    king_checkers,
    leapers_to,
    line_between,
    members_of,
    royal_attackers,
)
from .drops import add_drops
from .en_passant import en_passant_moves
from .make_move import play
from .special_moves import castling_moves, drop_targets, king_moves, odd_targets

UNTOLD = -1  # whether a move leaves the king safe

# Sensitive squares


# Each function adds to a pair: own pieces that may not be free to leave, and squares where an arrival may
# matter. A captured blocker is replaced by its captor; with two blockers, either is free.


@inner
def _line_matters(found, rules, square, way, own, enemy):
    """The sensitive squares on the `way` from the king to an enemy on `square` that attacks along it."""
    leaving, arriving = found
    blockers = way & (own | enemy)
    if not blockers:
        arriving = arriving | way | bit(rules, square)
    elif not without_lsb(blockers):
        leaving = leaving | (blockers & own)
    return leaving, arriving


@over_rules("slides")
def _slides_matter(group, found, rules, position, king, own, enemy):
    snipers = group.cross[king] & enemy & members_of(group, rules, position)
    while snipers:
        square = lsb(snipers)
        found = _line_matters(found, rules, square, line_between(group, rules, king, square), own, enemy)
        snipers = without_lsb(snipers)
    return found


@inner
def _line_towards(group, rules, side, king, square):
    """The squares strictly between the king and a piece of `side` on the group's cross."""
    for i in range(group.line_count):
        line = group.lines[side, i]
        below = rules.rays[king, 2 * line]
        above = rules.rays[king, 2 * line + 1]
        if has(above, square):
            return above & (bit(rules, square) - (bit(rules, king) << 1))
        if has(below, square):
            return below & (bit(rules, king) - (bit(rules, square) << 1))
    return rules.empty


@unrolled("hoppers")
def _hops_matter(group, found, rules, position, side, king, own, enemy):
    """With nothing in between, an arrival may give check.

    With one piece there may be a check, which a departure or an arrival may end. With two there may be one if
    either leaves."""
    leaving, arriving = found
    snipers = group.cross[side, king] & enemy & members_of(group, rules, position)
    while snipers:
        square = lsb(snipers)
        way = _line_towards(group, rules, side, king, square)
        count = popcount(way & (own | enemy))
        if count <= 2:
            leaving = leaving | (way & own)
        if count <= 1:
            arriving = arriving | way | bit(rules, square)
        snipers = without_lsb(snipers)
    return leaving, arriving


@unrolled("thrusts")
def _thrusts_matter(group, found, rules, position, side, king, own, enemy):
    snipers = group.cross[side, king] & enemy & members_of(group, rules, position)
    while snipers:
        square = lsb(snipers)
        way = _line_towards(group, rules, side, king, square)
        found = _line_matters(found, rules, square, way, own, enemy)
        snipers = without_lsb(snipers)
    return found


@unrolled("lame")
def _lame_leaps_matter(group, found, rules, position, side, king, own, enemy):
    leaving, arriving = found
    pieces = members_of(group, rules, position) & enemy & group.around[side * group.asymmetric, king]
    if pieces:
        for i in range(group.count):
            origins = group.squares[side * group.asymmetric, king, i] & pieces
            if origins:
                path = group.paths[side * group.asymmetric, king, i]
                if path & (own | enemy):
                    leaving = leaving | (path & own)
                else:
                    arriving = arriving | origins | path
    return leaving, arriving


@over_rules("odd_attackers")
def _odd_matter(groups, found, rules, position, side, king, own, enemy):
    found = _lame_leaps_matter(groups, found, rules, position, side, king, own, enemy)
    found = _hops_matter(groups, found, rules, position, side, king, own, enemy)
    return _thrusts_matter(groups, found, rules, position, side, king, own, enemy)


@over_rules("stares")
def _stares_matter(stare, found, rules, position, side, king, own, enemy):
    """The sensitive squares of kings that must not face each other."""
    other = np.int64(position.kings[side])
    if has(stare.cross[king], other):
        found = _line_matters(found, rules, other, between(rules, king, other), own, enemy)
    return found


@inner
def _sensitive_squares(rules, position, side, king, own, enemy):
    """The own pieces whose leaving may change whether the king is in check, and the squares where an arrival
    may."""
    leapers = leapers_to(rules, rules.empty, position, 1 - side, king) & enemy
    found = _slides_matter(rules, (rules.empty, leapers), position, king, own, enemy)
    found = _odd_matter(rules, found, position, 1 - side, king, own, enemy)
    leaving, arriving = _stares_matter(rules, found, position, 1 - side, king, own, enemy)
    return if_king_stands(rules, leaving, position, side), if_king_stands(rules, arriving, position, side)


# Moves as if there were no check


@over_rules("movers")
def _plain_moves(mover, n, rules, sink, out, position, side, group, allowed):
    own = closed_to(rules, position, side)
    enemy = load(position, "colours", 1 - side)
    targets = wanted(sink, own, enemy, allowed)
    pieces = load(position, "movers", mover.index) & group
    while pieces:
        square = lsb(pieces)
        found = reach(mover.attack, rules, side, square, own | enemy) & targets
        n = emit(mover.promotion, rules, sink, out, n, position, side, square, found)
        pieces = without_lsb(pieces)
    return n


@over_rules("odd_movers")
def _odd_moves(mover, n, rules, sink, out, position, side, group, allowed):
    own = closed_to(rules, position, side)
    enemy = load(position, "colours", 1 - side)
    pieces = load(position, "movers", mover.index) & group
    while pieces:
        square = lsb(pieces)
        found = odd_targets(mover, rules, sink, position, side, square, own, enemy)
        n = emit(mover.promotion, rules, sink, out, n, position, side, square, found & allowed)
        pieces = without_lsb(pieces)
    return n


@over_rules("split_movers")
def _split_moves(mover, n, rules, sink, out, position, side, group, allowed):
    pieces = load(position, "movers", mover.index) & group
    empty = rules.board & ~occupied_in(rules, position)
    return shift_moves(mover, n, rules, sink, out, position, side, pieces, empty, allowed)


@inner
def _moves_of(rules, sink, out, n, position, side, group, allowed):
    """Moves of the pieces in `group` except the king to `allowed` squares, without testing checks."""
    n = _split_moves(rules, n, sink, out, position, side, group, allowed)
    n = _plain_moves(rules, n, sink, out, position, side, group, allowed)
    return _odd_moves(rules, n, sink, out, position, side, group, allowed)


@inner
def _king_steps(rules, sink, out, n, position, side, king, own, enemy):
    """The king's steps, without testing checks."""
    targets = wanted(sink, own, enemy, reach(rules.king.attack, rules, side, king, own | enemy))
    while targets:
        n = put(out, n, make_move(king, lsb(targets), 0, NORMAL))
        targets = without_lsb(targets)
    return n


@over_rules("first_moves")
def _first_moves(first, n, rules, sink, out, position, side, own, enemy):
    """Adds what pieces can do besides while they have not moved."""
    if not sink.quiet:
        return n
    checked = bool(checkers_of(rules, position, side))
    pieces = own
    while pieces:
        square = lsb(pieces)
        targets = first_move_targets(rules, rules.empty, position, side, square, own | enemy, checked)
        while targets:
            n = put(out, n, make_move(square, lsb(targets), 0, NORMAL))
            targets = without_lsb(targets)
        pieces = without_lsb(pieces)
    return n


# Trial


@over_rules("last_royal")
def _safe_promotion(rule, safe, rules, position, child, side, action):
    """Whether a move is `safe`, and if it promotes to another royal piece, leaves the first one safe."""
    pieces = royals_that_stay(rules, rules.empty, position, side, action)
    occupied = occupied_in(rules, child)
    while pieces:
        safe = safe and not attackers(rules, child, 1 - side, lsb(pieces), occupied)
        pieces = without_lsb(pieces)
    return safe


@over_rules("explosion")
def _told_by_squares(explosion, told, rules, position, side, move):
    """1 or 0, whether the king is safe after a `move`, where its squares tell that; else `told`."""
    if not explosion.squares_tell or action_of(move) not in (NORMAL, PROMOTION):
        return told
    source, target = source_of(move), target_of(move)
    king = np.int64(position.kings[side])
    gone = rules.empty
    occupied = occupied_in(rules, position) & ~bit(rules, source)
    if has(load(position, "colours", 1 - side), target):
        gone = blast(rules, rules.empty, position, target)
        if source == king or has(gone, king):
            return np.int64(0)
        if has(gone, np.int64(position.kings[1 - side])):
            return np.int64(1)
        occupied = occupied & ~gone
    else:
        occupied = occupied | bit(rules, target)
        if source == king:
            king = target
    return np.int64(not royal_attackers(rules, position, 1 - side, king, occupied) & ~gone)


@inner
def safe_ones(rules, out, position, side, start, end):
    """Keeps those of the moves listed from `start` to `end` that mechanics allow and after which the king is
    safe; returns the new end."""
    kept, end = start, narrow_moves(rules, end, out, position, start)
    for i in range(start, end):
        move = np.int64(out.moves[i])
        told = _told_by_squares(rules, np.int64(UNTOLD), position, side, move)
        if told == UNTOLD:
            play(rules, out.trial, position, move)
            safe = not checkers_of(rules, out.trial, side)
            safe = _safe_promotion(rules, safe, position, out.trial, side, action_of(move))
            safe = safe_after(rules, safe, out.trial, side)
        else:
            safe = told == 1
        if safe:
            out.moves[kept] = np.uint32(move)
            kept += 1
    return kept


@inner
def _all_tried(rules, sink, out, n, position, side, king, own, enemy, pieces):
    """Lists every move of the `pieces`, including the king, tests it, and lists or counts it."""
    start = np.int64(0) if sink.counts else n
    royal = if_king_stands(rules, bit(rules, king), position, side)
    end = _moves_of(rules, lister(sink), out, start, position, side, pieces & ~royal, rules.board)
    if pieces & royal:
        end = _king_steps(rules, lister(sink), out, end, position, side, king, own, enemy)
    end = _first_moves(rules, end, lister(sink), out, position, side, own, enemy)
    end = list_square_moves(rules, end, lister(sink), out, position, side, own & pieces, own | enemy)
    return n + safe_ones(rules, out, position, side, start, end) - start


@inner
def _blasts_tried(rules, sink, out, n, position, side, king, own, enemy, checkers):
    """Tests captures, the king's moves, and moves from and to sensitive squares; the others are legal unless
    the king is in check. Lists or counts the legal ones."""
    leaving, arriving = _sensitive_squares(rules, position, side, king, own, enemy)
    pieces = own & ~bit(rules, king)
    if not checkers:
        calm = rules.board & ~(arriving | enemy)
        n = _moves_of(rules, sink, out, n, position, side, pieces & ~leaving, calm)
    start = np.int64(0) if sink.counts else n
    end = start
    if pieces & leaving:
        end = _moves_of(rules, lister(sink), out, end, position, side, pieces & leaving, rules.board)
    end = _moves_of(rules, lister(sink), out, end, position, side, pieces & ~leaving, arriving | enemy)
    end = _king_steps(rules, lister(sink), out, end, position, side, king, own, enemy)
    return n + safe_ones(rules, out, position, side, start, end) - start


@inner
def _doubtful_tried(rules, sink, out, n, position, side, king, own, enemy, pieces, checkers):
    """Tests the moves from and to sensitive squares; the others are legal unless the king is in check. Lists
    or counts the legal ones."""
    leaving, arriving = _sensitive_squares(rules, position, side, king, own, enemy)
    if not checkers:
        n = _moves_of(rules, sink, out, n, position, side, pieces & ~leaving, rules.board & ~arriving)
    start = np.int64(0) if sink.counts else n
    end = start
    if pieces & leaving:
        end = _moves_of(rules, lister(sink), out, end, position, side, pieces & leaving, rules.board)
    if arriving:
        end = _moves_of(rules, lister(sink), out, end, position, side, pieces & ~leaving, arriving)
    return n + safe_ones(rules, out, position, side, start, end) - start


@inner
def _board_moves(way, rules, sink, out, n, position, checkers):
    """Adds the legal moves of pieces on the board to the first `n`; returns the new number."""
    side = np.int64(position.side)
    king = np.int64(position.kings[side])
    own = closed_to(rules, position, side)
    enemy = load(position, "colours", 1 - side)
    pieces = able(rules, own, position, side)
    if way.blasts:
        n = _blasts_tried(rules, sink, out, n, position, side, king, own, enemy, checkers)
    elif way.everything:
        n = _all_tried(rules, sink, out, n, position, side, king, own, enemy, pieces)
    else:
        n = king_moves(rules, sink, out, n, position, side, king, own, enemy, checkers, rules.empty)
        pieces = pieces & ~if_king_stands(rules, bit(rules, king), position, side)
        n = _doubtful_tried(rules, sink, out, n, position, side, king, own, enemy, pieces, checkers)
    if rules.castles and sink.quiet and not king_checkers(rules, checkers, position, side):
        start = np.int64(0) if sink.counts else n
        end = castling_moves(rules, LISTING, out, start, position, side, king, own, enemy)
        n += safe_ones(rules, out, position, side, start, end) - start
    if rules.en_passant and sink.tactical:
        crossed = load_one(position, "crossed")
        if crossed:
            n = en_passant_moves(rules, n, sink, out, position, side, crossed)
    return n


@over_rules("drop_mates")
def _without_mates(way, targets, rules, out, position, side):
    """`targets` without those where the drop of the piece that must not mate would mate by its own check. It
    checks by a leap, so no drop can block it, and only moves on the board need a test."""
    king = np.int64(position.kings[1 - side])
    kind = rules.hand_kind[rules.no_mate_hand]
    doubtful = targets & rules.no_mate_origins[side, king]
    while doubtful:
        square = lsb(doubtful)
        child = out.reply.position
        play(rules, child, position, make_move(square, square, kind, DROP))
        checkers = checkers_of(rules, child, 1 - side)
        others = checkers & ~bit(rules, square)
        if not others and _board_moves(way, rules, COUNTING, out.reply, np.int64(0), child, checkers) == 0:
            targets = targets & ~bit(rules, square)
        doubtful = without_lsb(doubtful)
    return targets


@over_rules("dropping")
def _drop_moves(dropping, n, rules, sink, out, position, checkers):
    """Adds the legal drops to the first `n` moves; those on sensitive squares are tested."""
    side = np.int64(position.side)
    king = np.int64(position.kings[side])
    own, enemy = closed_to(rules, position, side), load(position, "colours", 1 - side)
    empty = rules.board & ~(own | enemy)
    _, sensitive = _sensitive_squares(rules, position, side, king, own, enemy)
    for hand in range(rules.hand_kinds):
        if position.hands[side, hand] == 0:
            continue
        targets = drop_targets(rules, position, side, hand, empty)
        doubtful = targets & sensitive
        while doubtful:
            square = lsb(doubtful)
            play(rules, out.trial, position, make_move(square, square, rules.hand_kind[hand], DROP))
            if checkers_of(rules, out.trial, side):
                targets = targets & ~bit(rules, square)
            doubtful = without_lsb(doubtful)
        if checkers:
            targets = targets & sensitive
        if hand == rules.no_mate_hand:
            targets = _without_mates(rules, targets, out, position, side)
        n = add_drops(rules, sink, out, n, position, side, hand, targets)
    return n


@over_rules("by_trial")
def calm_squares(way, squares, rules, position):
    """Those of the `squares` where a drop does not affect the king of the side to move; all of them if pins
    decide legality."""
    side = np.int64(position.side)
    own, enemy = closed_to(rules, position, side), load(position, "colours", 1 - side)
    _, arriving = _sensitive_squares(rules, position, side, np.int64(position.kings[side]), own, enemy)
    return squares & ~arriving


@over_rules("by_trial")
def drops_by_trial(way, n, rules, sink, out, position, checkers):
    """Adds the legal drops to the first `n` moves; returns the new number."""
    return _drop_moves(rules, n, sink, out, position, checkers)


@over_rules("by_trial")
def moves_by_trial(way, n, rules, sink, out, position, checkers):
    """Adds all legal moves to the first `n`; returns the new number."""
    n = _board_moves(way, rules, sink, out, n, position, checkers)
    if sink.quiet:
        n = _drop_moves(rules, n, sink, out, position, checkers)
    return n
