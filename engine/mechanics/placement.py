"""Mandatory drops: a side with such pieces in hand must drop one of them, if any such drop is legal. The king
may be among them. While it is in hand there is no check (`kings`)."""

from typing import Any

from ..game.description import Description
from ..game.table_reader import GameReader, TableReader
from ..game.words import article, king_name, listed
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import inner, over_rules
from .mechanic import Mechanic, Rule, refuse_together

with deferred_imports():
    import numpy as np

    from ..kernel.facts import Facts
    from ..representation.piece_plan import Plan


def read_pieces(game: GameReader) -> dict[str, dict[str, Any]]:
    """`must_drop`: a side that has it in hand must drop it, or another such piece, before any other move."""
    drops, pieces = game.top.table_at("drops", {}), game.top.table_at("pieces")
    letters = drops.letters("must", game.known)
    for letter in drops.letters("pieces", game.known):
        if letter not in letters and pieces.table_at(letter).get("royal", bool, False):
            raise drops.error("pieces", f"the royal piece {letter!r} should be in drops.must as well")
    return {"must_drop": dict.fromkeys(letters, True)}


def check(top: TableReader, description: Description) -> None:
    must = [piece for piece in description.pieces if piece.must_drop]
    for piece in must:
        if not piece.droppable:
            raise top.error("drops.must", f"{piece.letter!r} is not among drops.pieces")
    if must:
        refuse_together(top, "drops.must", description, "drops.no_mate", "passing", "setup", "bare_king")
    if any(piece.royal for piece in must):
        refuse_together(top, "drops.must", description, "facing_kings")
        if description.castling and description.castling_by == "position":
            raise top.error("drops.must", "cannot be combined with castling.by")


def facts(plan: Plan) -> dict[str, Any]:
    """`placing` has the hand pieces that must be dropped, and whether pins decide legality; `royal_drops` is
    the king's, if it is dropped."""
    must = [plan.description.piece(letter).must_drop for letter in plan.hand]
    royal = [hand for hand, letter in enumerate(plan.hand) if plan.description.piece(letter).royal]
    placing = Facts("placing", must=np.array(must, np.uint8), by_pins=plan.goes_by_pins)
    return {
        "placing": (placing,) if any(must) else (),
        "royal_drops": tuple(Facts("royal-drop", hand=hand) for hand in royal),
    }


def sentences(description: Description) -> list[str]:
    must = [piece for piece in description.hand_pieces if piece.must_drop]
    if not must:
        return []
    held = article(listed([piece.name for piece in must], "or"))
    sentences = [f"A side with {held} in hand must drop such a piece, unless no such drop is legal."]
    if any(piece.royal for piece in must):
        king = king_name(description)
        sentences.append(f"A {king} is not dropped on an attacked square. In hand it stands in no check.")
    return sentences


@inner
def owes(placing, rules, position, side):
    """Whether `side` has pieces in hand that it must drop."""
    for hand in range(rules.hand_kinds):
        if placing.must[hand] and position.hands[side, hand]:
            return True
    return False


@over_rules("placing")
def owes_drop(placing, found, rules, position):
    """Whether the side to move has pieces in hand that it must drop; `found` if the game has no such rule."""
    return owes(placing, rules, position, np.int64(position.side))


@inner
def _is_settled(placing, rules, position):
    return not owes(placing, rules, position, 0) and not owes(placing, rules, position, 1)


@over_rules("placing")
def if_settled(placing, squares, rules, position):
    """`squares`, or none while either side has pieces that it must drop."""
    return squares if _is_settled(placing, rules, position) else rules.empty


@over_rules("placing")
def value_if_settled(placing, number, rules, position):
    """`number`, or 0 while either side has pieces that it must drop."""
    return number if _is_settled(placing, rules, position) else number * 0


@over_rules("placing")
def owed_drops(placing, targets, rules, position, side, hand):
    """`targets` of the drops of a hand piece; none if another piece must be dropped first."""
    if not placing.must[hand] and owes(placing, rules, position, side):
        return rules.empty
    return targets


@over_rules("placing")
def settle(placing, done, rules, child, side, kind, target):
    """Records on `child` the drop of a piece of `side` that must be dropped: it counts as progress, like a
    pawn's move."""
    if placing.must[np.int64(rules.kind_hand[kind])]:
        child.halfmoves = 0
    if kind == rules.king_kind:
        child.kings[side] = target
    return done


MECHANIC = Mechanic(
    keys=("drops.must",),
    read_pieces=read_pieces,
    piece_defaults={"must_drop": False},
    check=check,
    facts=facts,
    rules=(Rule("placement", "Drops", sentences),),
    drop_targets=owed_drops,
    after_drop=settle,
)
