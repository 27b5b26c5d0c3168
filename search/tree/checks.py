"""Moves that check at once: the squares from which each kind would attack the enemy's king, and the pieces
that uncover an attack when they move.

A piece that uncovers is taken to leave the line, and a pawn that bumps the king to check it. Some checks are
not recognised: those through the square that the piece has just left, by a castling rook, past a pawn taken
in passing, by
other pieces that a pawn bumps, and of what a merchant sets free. Nothing here decides what is legal."""

import numpy as np

from ...engine.game.moves import DROP, PASS
from ...engine.kernel.bitboard import bit, has, load, lsb, popcount, shifted, store, without_lsb
from ...engine.kernel.compiler import inner
from ...engine.kernel.facts import over_rules, unrolled
from ...engine.mechanics.bumping import bumps_king
from ...engine.mechanics.drop_restrictions import drops_stay_calm
from ...engine.mechanics.gates import entering
from ...engine.mechanics.kings import king_is_absent
from ...engine.mechanics.walls import closed_to
from ...engine.movegen.attacks import line_between, members_of, slides_from
from ...engine.movegen.by_trial import calm_squares
from ...engine.movegen.special_moves import drop_targets
from ...engine.representation.position_record import action_of, make_move, source_of, target_of
from ...engine.representation.reach import between, hop_origins, line_attacks, line_through, reach, spared_by
from .see import kind_after
from .tunable import tuned_numbers


@unrolled("captures")
def _shifted_attacks(shift, attacks, pieces, side):
    return attacks | shifted(pieces, shift, side)


@over_rules("movers")
def _mark_movers(mover, done, rules, worker, ply, side, king, occupied):
    squares = reach(mover.attack, rules, 1 - side, king, occupied)
    store(worker, "check_squares", ply * rules.mover_count + mover.index, squares)
    return done


@over_rules("split_movers")
def _mark_split(mover, done, rules, worker, ply, side, king):
    squares = _shifted_attacks(mover, rules.empty, bit(rules, king), 1 - side)
    store(worker, "check_squares", ply * rules.mover_count + mover.index, squares)
    return done


@over_rules("odd_movers")
def _clear_odd(mover, found, rules, worker, ply):
    """Whether the game has odd movers; nothing is noted for them afterwards."""
    store(worker, "check_squares", ply * rules.mover_count + mover.index, rules.empty)
    return True


@inner
def _add_squares(group, rules, worker, ply, squares):
    """Adds squares from which the movers of a group check."""
    for i in range(group.member_count):
        row = ply * rules.mover_count + np.int64(group.members[i])
        store(worker, "check_squares", row, load(worker, "check_squares", row) | squares)


@over_rules("leapers")
def _add_leaps(group, done, rules, worker, ply, side, king):
    _add_squares(group, rules, worker, ply, group.origins[side * group.asymmetric, king])
    return done


@over_rules("slides")
def _add_slides(group, done, rules, worker, ply, king, occupied):
    _add_squares(group, rules, worker, ply, slides_from(group, rules, king, occupied))
    return done


@unrolled("lame")
def _add_lame(group, uncovering, rules, worker, ply, side, king, occupied):
    """Adds the checking squares of lame leapers; returns `uncovering` with the pieces that alone block
    them."""
    own = load(worker.positions[ply], "colours", side)
    pieces = members_of(group, rules, worker.positions[ply]) & own
    squares = rules.empty
    for i in range(group.count):
        origins = group.squares[side * group.asymmetric, king, i]
        blockers = occupied & group.paths[side * group.asymmetric, king, i]
        if not blockers:
            squares = squares | origins
        elif origins & pieces and not without_lsb(blockers):
            uncovering = uncovering | (blockers & own)
    _add_squares(group, rules, worker, ply, squares)
    return uncovering


@inner
def _screen_squares(group, rules, side, king):
    """The squares where the only piece between a hopper and the king lets it check: all, or for hoppers that
    land right behind what they jump, those beside the king."""
    if not group.short:
        return rules.board
    squares = rules.empty
    for i in range(group.line_count):
        squares = squares | line_attacks(rules, group.lines[side, i], king, rules.board)
    return squares


@unrolled("hoppers")
def _add_hops(group, uncovering, rules, worker, ply, side, king, occupied):
    """Adds the checking squares of hoppers; returns `uncovering` with the pieces that are one too many in
    between."""
    position = worker.positions[ply]
    own = load(position, "colours", side)
    spared = spared_by(group, rules, position)
    squares = rules.empty
    for i in range(group.line_count):
        squares = squares | hop_origins(group, rules, group.lines[side, i], king, occupied, spared)
    _add_squares(group, rules, worker, ply, squares & group.cross[side, king])
    hoppers = group.cross[side, king] & members_of(group, rules, position) & own
    while hoppers:
        screens = between(rules, king, lsb(hoppers)) & occupied
        if popcount(screens) == 2:
            useful = screens & _screen_squares(group, rules, side, king)
            if useful:  # the other one leaves
                uncovering = uncovering | (own & (screens if popcount(useful) == 2 else screens & ~useful))
        hoppers = without_lsb(hoppers)
    return uncovering


@unrolled("hoppers")
def _add_screens(group, found, rules, position, side, king, occupied):
    """Adds the hoppers that face the king and the empty squares between, where any other piece would be a
    screen."""
    screening, facing = found
    pieces = members_of(group, rules, position) & load(position, "colours", side)
    hoppers = group.cross[side, king] & pieces
    while hoppers:
        way = between(rules, king, lsb(hoppers))
        if not way & occupied:
            screening = screening | (way & _screen_squares(group, rules, side, king))
            facing = facing | bit(rules, lsb(hoppers))
        hoppers = without_lsb(hoppers)
    return screening, facing


@unrolled("thrusts")
def _add_thrusts(group, uncovering, rules, worker, ply, side, king, occupied):
    """Adds the checking squares of sliders in one direction; returns `uncovering` with the pieces that alone
    block them."""
    position = worker.positions[ply]
    own = load(position, "colours", side)
    squares = rules.empty
    for i in range(group.line_count):
        squares = squares | line_attacks(rules, group.lines[side, i], king, occupied)
    _add_squares(group, rules, worker, ply, squares & group.cross[side, king])
    snipers = group.cross[side, king] & members_of(group, rules, position) & own
    while snipers:
        blockers = between(rules, king, lsb(snipers)) & occupied
        if not without_lsb(blockers):
            uncovering = uncovering | (blockers & own)
        snipers = without_lsb(snipers)
    return uncovering


@over_rules("odd_attackers")
def _mark_odd(groups, uncovering, rules, worker, ply, side, king, occupied):
    uncovering = _add_lame(groups, uncovering, rules, worker, ply, side, king, occupied)
    uncovering = _add_hops(groups, uncovering, rules, worker, ply, side, king, occupied)
    uncovering = _add_thrusts(groups, uncovering, rules, worker, ply, side, king, occupied)
    none = (rules.empty, rules.empty)
    screening, facing = _add_screens(groups, none, rules, worker.positions[ply], side, king, occupied)
    store(worker, "screening", ply, screening)
    store(worker, "facing", ply, facing)
    return uncovering


@over_rules("slides")
def _uncovering(group, uncovering, rules, position, king, own, enemy):
    """Adds the pieces that are the only ones between an own slider and the king."""
    snipers = group.cross[king] & own
    if snipers:
        snipers = snipers & members_of(group, rules, position)
        while snipers:
            blockers = line_between(group, rules, king, lsb(snipers)) & (own | enemy)
            if not without_lsb(blockers):
                uncovering = uncovering | (blockers & own)
            snipers = without_lsb(snipers)
    return uncovering


@over_rules("absent_kings")
def _forget_checks(absent, done, rules, worker, ply, side):
    """Clears all of this while the king of `side` is not on the board."""
    if king_is_absent(rules, False, worker.positions[ply], side):
        for mover in range(rules.mover_count):
            store(worker, "check_squares", ply * rules.mover_count + mover, rules.empty)
        store(worker, "uncovering", ply, rules.empty)
        _forget_screens(rules, 0, worker, ply)
    return done


@over_rules("odd_attackers")
def _forget_screens(groups, done, rules, worker, ply):
    store(worker, "screening", ply, rules.empty)
    store(worker, "facing", ply, rules.empty)
    return done


@inner
def mark_checks(rules, worker, ply):
    """Records the squares from which pieces of the side to move at `ply` would check, and those whose pieces
    uncover a check when they leave. A leap that differs between the sides is replaced by its mirror image,
    unless the game has odd pieces."""
    position = worker.positions[ply]
    side = np.int64(position.side)
    king = np.int64(position.kings[1 - side])
    own, enemy = closed_to(rules, position, side), load(position, "colours", 1 - side)
    occupied = own | enemy
    _mark_movers(rules, 0, worker, ply, side, king, occupied)
    _mark_split(rules, 0, worker, ply, side, king)
    if _clear_odd(rules, False, worker, ply):
        _add_leaps(rules, 0, worker, ply, side, king)
        _add_slides(rules, 0, worker, ply, king, occupied)
    uncovering = _mark_odd(rules, rules.empty, worker, ply, side, king, occupied)
    store(worker, "check_squares", ply * rules.mover_count + rules.king_mover, rules.empty)  # it never checks
    if tuned_numbers(rules, worker).uncovering:
        uncovering = _uncovering(rules, uncovering, position, king, own, enemy)
    store(worker, "uncovering", ply, uncovering)
    _forget_checks(rules, 0, worker, ply, 1 - side)


@over_rules("odd_attackers")
def _with_screens(groups, squares, rules, worker, ply, source):
    """`squares` and those where a piece from `source` is a screen for a check. A hopper that faces the king
    does not check along that line."""
    if has(load(worker, "facing", ply), source):
        position = worker.positions[ply]
        return squares & ~line_through(rules, np.int64(position.kings[1 - np.int64(position.side)]), source)
    return squares | load(worker, "screening", ply)


@over_rules("gates")
def _entry_checks(gates, found, rules, worker, ply, position, move):
    """Whether a piece that enters at a gate checks; `found` if none enters."""
    kind, square = entering(rules, (np.int64(-1), np.int64(0)), position, move)
    if kind < 0:
        return found
    squares = load(worker, "check_squares", ply * rules.mover_count + np.int64(rules.kind_mover[kind]))
    return has(squares, square)


@inner
def checks(rules, worker, ply, position, move):
    """Whether a move checks from the square it ends on, or uncovers a check; `mark_checks` must have seen the
    position."""
    action = action_of(move)
    if action >= PASS:
        return False
    if _entry_checks(rules, False, worker, ply, position, move):
        return True
    kind, source, target = kind_after(rules, position, move), source_of(move), target_of(move)
    squares = load(worker, "check_squares", ply * rules.mover_count + np.int64(rules.kind_mover[kind]))
    if has(_with_screens(rules, squares, worker, ply, source), target):
        return True
    if action == DROP:
        return False
    if has(load(worker, "uncovering", ply), source):
        return True
    return bumps_king(rules, False, position, kind, source, target)


@over_rules("dropping")
def checking_drops(dropping, n, rules, worker, ply):
    """Adds the checking drops to the first `n` moves listed at `ply`; the side to move must not be in check.
    Pieces whose drop may not mate are left out, because it is not tested whether they mate."""
    if drops_stay_calm(rules, False):
        return n
    position, moves = worker.positions[ply], worker.lists[ply]
    side = np.int64(position.side)
    empty = rules.board & ~(load(position, "colours", 0) | load(position, "colours", 1))
    empty = calm_squares(rules, empty, position)
    nowhere = np.int64(position.kings[side])  # where drops come from: it faces no king
    for hand in range(rules.hand_kinds):
        if position.hands[side, hand] == 0 or hand == rules.no_mate_hand:
            continue
        kind = np.int64(rules.hand_kind[hand])
        mover = np.int64(rules.kind_mover[kind])
        squares = load(worker, "check_squares", ply * rules.mover_count + mover)
        squares = empty & _with_screens(rules, squares, worker, ply, nowhere)
        targets = drop_targets(rules, position, side, hand, squares)
        while targets:
            square = lsb(targets)
            moves.moves[n] = np.uint32(make_move(square, square, kind, DROP))
            moves.scores[n] = -np.int64(worker.weights.board[kind])
            n += 1
            targets = without_lsb(targets)
    return n
