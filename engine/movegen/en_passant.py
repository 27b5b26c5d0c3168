"""En passant: the crossed squares of a position, and the captures there.

A position has a crossed square only if a legal capture ends there. So positions with the same legal moves
have the same keys and the same FEN, as the laws of FIDE require for repetition (article 9.2.3)."""

import numpy as np

from ..game.moves import EN_PASSANT
from ..kernel.bitboard import bit, load, load_one, lsb, store_one, without_lsb
from ..kernel.compiler import inner, rarely_run
from ..kernel.facts import over_rules
from ..mechanics.cells import from_other_cells
from ..mechanics.colour_change import attackers_after_change
from ..mechanics.explosion import attackers_after_blast, blast
from ..mechanics.kings import if_king_stands
from ..mechanics.merchants import able
from ..mechanics.placement import owes
from ..mechanics.rifle_captures import occupied_after_passing
from ..mechanics.walls import closed_to, occupied_in, unless_walled
from ..representation.move_list import put
from ..representation.position_record import make_move
from ..representation.reach import between
from .attacks import checkers_of, co_royal_attackers, last_royal_attackers, royal_attackers
from .special_moves import drop_targets


@inner
def _toggle_crossed(rules, position, crossed):
    """Adds or removes crossed squares in the keys."""
    number = np.uint64(0)
    while crossed:
        number ^= rules.zobrist_crossed[lsb(crossed)]
        crossed = without_lsb(crossed)
    position.key ^= number
    if rules.repeats_crossed:
        position.repetition_key ^= number


@over_rules("co_royal")
def _with_co_royals(kinds, found, rules, position, side, occupied, victim):
    """Adds the attackers of royal pieces besides the king after a capture in passing."""
    return found | (co_royal_attackers(rules, rules.empty, position, side, occupied) & ~victim & occupied)


@over_rules("last_royal")
def _with_last_royals(rule, found, rules, position, side, occupied, victim):
    """Adds the attackers of pieces that are royal now after a capture in passing."""
    return found | (last_royal_attackers(rules, rules.empty, position, side, occupied) & ~victim & occupied)


@inner
def _captors(passer, rules, position, side, target, victim):
    """The passers of `side` that can legally capture the pawn on the board `victim` by moving to `target`.
    Each is tested, because it may be pinned, and both pawns leave the rank of the victim."""
    own, enemy = closed_to(rules, position, side), load(position, "colours", 1 - side)
    king = np.int64(position.kings[side])
    captors = passer.origins[side, target] & load(position, "movers", passer.index) & own
    captors = unless_walled(rules, captors, position, target)
    captors = from_other_cells(rules, captors, target)
    if captors:
        captors = able(rules, captors, position, side)
    left = captors
    while left:
        source = lsb(left)
        occupied = ((own | enemy) & ~(bit(rules, source) | victim)) | bit(rules, target)
        occupied = occupied & ~blast(rules, rules.empty, position, target)
        occupied = occupied_after_passing(rules, occupied, position, victim)
        found = royal_attackers(rules, position, 1 - side, king, occupied) & ~victim & occupied
        found = attackers_after_blast(rules, found, position, side, target)
        found = attackers_after_change(rules, found, position, passer.index, side, target)
        found = _with_co_royals(rules, found, position, side, occupied, victim)
        found = if_king_stands(rules, found, position, side)
        if _with_last_royals(rules, found, position, side, occupied, victim):
            captors = captors & ~bit(rules, source)
        left = without_lsb(left)
    return captors


@over_rules("passers")
def en_passant_moves(passer, n, rules, sink, out, position, side, crossed):
    """Adds the legal captures of the pawn that has just passed to the first `n` moves."""
    victim = bit(rules, np.int64(position.victim))
    while crossed:
        target = lsb(crossed)
        captors = _captors(passer, rules, position, side, target, victim)
        while captors:
            if not sink.counts:
                put(out, n, make_move(lsb(captors), target, 0, EN_PASSANT))
            n += 1
            captors = without_lsb(captors)
        crossed = without_lsb(crossed)
    return n


@over_rules("passers")
def _may_capture(passer, found, rules, position, side, source, victim, step):
    """Whether a passer of `side` attacks a square that a long step crosses, or `found` is true."""
    pieces = load(position, "movers", passer.index) & load(position, "colours", side)
    for target in range(min(source, victim) + step, max(source, victim), step):
        found = found or bool(passer.origins[side, target] & pieces)
    return found


@over_rules("passers")
def _capturable(passer, squares, rules, position, side, source, victim, step):
    """Adds the crossed squares of a long step where a passer of `side` may capture."""
    for target in range(min(source, victim) + step, max(source, victim), step):
        if _captors(passer, rules, position, side, target, bit(rules, victim)):
            squares = squares | bit(rules, target)
    return squares


@over_rules("placing")
def _unless_drops_come_first(placing, squares, rules, position, side):
    """`squares`, or none if `side` has a legal drop that it must make before other moves. If moves are tested
    one by one, it is not known during a check which drops are legal, and the squares stay."""
    if not owes(placing, rules, position, side):
        return squares
    empty = rules.board & ~occupied_in(rules, position)
    checkers = checkers_of(rules, position, side)
    if checkers:
        if not placing.by_pins or without_lsb(checkers):
            return squares
        empty = empty & between(rules, np.int64(position.kings[side]), lsb(checkers))
    for hand in range(rules.hand_kinds):
        if position.hands[side, hand] and drop_targets(rules, position, side, hand, empty):
            return rules.empty
    return squares


@inner
def _mark_crossed(rules, child, side, source, target, step):
    rarely_run()
    squares = _capturable(rules, rules.empty, child, side, source, target, step)
    squares = _unless_drops_come_first(rules, squares, child, side)
    if squares:
        store_one(child, "crossed", squares)
        child.victim = target
        _toggle_crossed(rules, child, squares)


@inner
def note_crossing(rules, child, side, source, target):
    """Records the squares that a long step of `side` crossed where its piece can be captured, if any. Only
    the turn and the outcome may be missing on `child`."""
    distance = max(source, target) - min(source, target)
    step = np.int64(rules.files)
    if rules.crosses_diagonally:
        step = distance // max(1, abs(target // rules.files - source // rules.files))
        if distance == step:
            return
    elif distance < 2 * rules.files or distance % rules.files != 0:
        return
    if _may_capture(rules, False, child, 1 - side, source, target, step):
        _mark_crossed(rules, child, 1 - side, source, target, step)


@inner
def forget_crossing(rules, position):
    """Clears the crossed squares of a position, if it has any."""
    crossed = load_one(position, "crossed")
    if crossed:
        _toggle_crossed(rules, position, crossed)
        store_one(position, "crossed", rules.empty)
