"""Drops of a hand piece on allowed squares, unpromoted or promoted, with the rules for checks. A drop that
must or must not check is tested on a spare position."""

from ..game.moves import DROP
from ..kernel.bitboard import bit, lsb, without_lsb
from ..kernel.compiler import inner
from ..kernel.facts import over_rules
from ..representation.move_list import emit_drops
from ..representation.position_record import make_move
from .attacks import checkers_of
from .make_move import play


@over_rules("drop_checks")
def _as_they_check(rule, targets, rules, out, position, side, kind):
    """Those of the `targets` where the drop of a piece of that kind checks, or does not check."""
    left = targets
    while left:
        square = lsb(left)
        play(rules, out.trial, position, make_move(square, square, kind, DROP))
        if bool(checkers_of(rules, out.trial, 1 - side)) != rule.must:
            targets = targets & ~bit(rules, square)
        left = without_lsb(left)
    return targets


@over_rules("promoted_drops")
def _add_promoted(drop, n, rules, sink, out, position, side, hand, targets):
    if hand == drop.hand:
        allowed = _as_they_check(rules, targets, out, position, side, drop.kind)
        n = emit_drops(rules, sink, out, n, drop.kind, allowed)
    return n


@inner
def add_drops(rules, sink, out, n, position, side, hand, targets):
    """Adds the drops of a hand piece on `targets`, which are legal except for the rules of this module."""
    kind = rules.hand_kind[hand]
    allowed = _as_they_check(rules, targets, out, position, side, kind)
    n = emit_drops(rules, sink, out, n, kind, allowed)
    return _add_promoted(rules, n, sink, out, position, side, hand, targets)
