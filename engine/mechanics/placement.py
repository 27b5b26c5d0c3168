"""Drops that must be made: a side with such pieces in hand drops one of them, if any such drop is legal.

The king may be among them. While it is in the hand there is no check; `kings` in the position is 0 then and
means nothing. What is said of it is therefore emptied by `if_king_stands`, which other games do not have.
"""

from typing import TYPE_CHECKING, Any

from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import inner, over_rules

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import has, load
    from ..kernel.facts import Facts

if TYPE_CHECKING:
    from ..representation.piece_plan import Plan


def facts(plan: "Plan") -> dict[str, Any]:
    """`placing` has which hand pieces must be dropped, and whether pins tell which moves are legal;
    `royal_drops` is the king's, where it is dropped; `castling_drops` says that drops may bring the right
    to castle."""
    must = [plan.description.piece(letter).must_drop for letter in plan.hand]
    royal = [hand for hand, letter in enumerate(plan.hand) if letter == plan.king.letter]
    return {
        "placing": (
            Facts(
                "placing",
                must=np.array(must, np.uint8),
                by_pins=plan.goes_by_pins,
            ),
        )
        if any(must)
        else (),
        "royal_drops": tuple(Facts("royal-drop", hand=hand) for hand in royal),
        "castling_drops": (Facts("castling-drop"),) if plan.description.castling_dropped else (),
    }


@inner
def owes(placing, rules, position, side):
    """Whether `side` has pieces in hand that it must drop."""
    for hand in range(rules.hand_kinds):
        if placing.must[hand] and position.hands[side, hand]:
            return True
    return False


@over_rules("placing")
def owes_drop(placing, found, rules, position):
    """Whether the side to move has pieces in hand that it must drop; `found` without such a rule."""
    return owes(placing, rules, position, np.int64(position.side))


@inner
def _is_settled(placing, rules, position):
    return not owes(placing, rules, position, 0) and not owes(placing, rules, position, 1)


@over_rules("placing")
def if_settled(placing, squares, rules, position):
    """`squares`, or none as long as either side has pieces that it must drop."""
    return squares if _is_settled(placing, rules, position) else rules.empty


@over_rules("placing")
def value_if_settled(placing, number, rules, position):
    """`number`, or 0 as long as either side has pieces that it must drop."""
    return number if _is_settled(placing, rules, position) else number * 0


@over_rules("placing")
def owed_drops(placing, targets, rules, position, side, hand):
    """`targets` of the drops of a hand piece; none where another has to be dropped first."""
    if not placing.must[hand] and owes(placing, rules, position, side):
        return rules.empty
    return targets


@over_rules("royal_drops")
def if_king_stands(royal, squares, rules, position, side):
    """`squares`, or none while the king of `side` is in the hand."""
    return rules.empty if position.hands[side, royal.hand] else squares


@over_rules("royal_drops")
def value_if_king_stands(royal, number, rules, position, side):
    """`number`, or 0 while the king of `side` is in the hand."""
    return number * 0 if position.hands[side, royal.hand] else number


@over_rules("placing")
def settle(placing, done, rules, child, side, kind, target):
    """Notes on `child` the drop of a piece of `side` that must be dropped: progress like a pawn's move."""
    if placing.must[np.int64(rules.kind_hand[kind])]:
        child.halfmoves = 0
    if kind == rules.king_kind:
        child.kings[side] = target
    return done


@over_rules("castling_drops")
def gain_rights(castling, done, rules, child, side, kind, target):
    """Gives `side` the castling rights that its drop of a king or a rook on `target` brings."""
    before = np.int64(child.rights)
    after = before
    for wing in range(rules.wings):
        king, rook = rules.castling_squares[side, wing, 0], rules.castling_squares[side, wing, 1]
        if (kind == rules.king_kind and target == king) or (kind == rules.rook_kind and target == rook):
            stands = np.int64(child.board[king]) == rules.king_kind and np.int64(child.kings[side]) == king
            own = load(child, "colours", side)
            if stands and has(own, rook) and np.int64(child.board[rook]) == rules.rook_kind:
                after = after | 1 << (side * rules.wings + wing)
    if after != before:
        child.rights = after
        number = rules.zobrist_rights[before] ^ rules.zobrist_rights[after]
        child.key ^= number
        if rules.repeats_castling:
            child.repetition_key ^= number
    return done
