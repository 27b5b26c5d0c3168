"""Pieces that are royal only while their side has no other of the kind: then they are checked and mated like
a king. With `duple` all of them together may not be attacked either. With `leftmost` one of the kind is
always royal: the one nearest to the a-file."""

from dataclasses import dataclass

from ..game.description import Description
from ..game.moves import PROMOTION
from ..game.table_reader import GameReader, TableReader
from ..game.words import article, listed, names
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import inner, over_rules
from .mechanic import Mechanic, Rule, refuse_together

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import highest_or_first, load, popcount, without_lsb
    from ..kernel.facts import Facts
    from ..representation.piece_plan import Plan, counted


@dataclass(frozen=True)
class LastRoyal:
    """The letters of the `pieces`, royal while their side has at most `most` of the kind, and whether
    attacks on all of them at once are forbidden. With `promotion_saves` a promotion that makes one too many
    may leave the others attacked. With `leftmost` only the one nearest to the a-file is royal, however many
    there are; on one file the one nearest to White's first rank ("white") or to its own ("own")."""

    pieces: str
    most: int
    duple: bool
    promotion_saves: bool = True
    leftmost: str = ""


def read(game: GameReader, table: TableReader) -> LastRoyal:
    pieces = game.letters(table, "pieces", ...)
    if not pieces:
        raise table.error("pieces", "should name at least one piece")
    most, duple = table.number("most", 1, 20, 1), table.get("duple", bool, False)
    saves = table.get("promotion_saves", bool, True)
    leftmost = table.choice("leftmost", ("white", "own"), "")
    if leftmost and len(pieces) > 1:
        raise table.error("leftmost", "needs a single kind of piece")
    for key in ("most", "duple", "promotion_saves") if leftmost else ():
        if key in table.table:
            raise table.error(key, "has no meaning with leftmost")
    return LastRoyal(pieces, most, duple, saves, leftmost)


def check(rule: LastRoyal, top: TableReader, description: Description) -> None:
    if description.royals:
        royal = description.royals[0].letter
        raise top.error("last_royal", f"cannot be combined with a royal piece, which {royal!r} is")
    for letter in rule.pieces:
        if any(ride.quiet != ride.capture for ride in description.piece(letter).moves):
            raise top.error("last_royal.pieces", f"{letter!r} does not capture as it moves")
    others = ("explosion", "rifle_captures", "colour_change", "cells", "must_capture", "self_capture")
    more = ("gates", "goal", "checks", "passing", "setup", "drops", "truce")
    refuse_together(top, "last_royal", description, "extinction", *others, *more)


def facts(rule: LastRoyal, plan: Plan) -> Facts:
    files = [plan.geometry.file_board(file) for file in range(plan.geometry.files)]
    return Facts(
        "last-royal",
        **counted(members=[plan.mover_index[letter] for letter in rule.pieces]),
        most=rule.most,
        duple=rule.duple,
        promotion_saves=rule.promotion_saves,
        leftmost=bool(rule.leftmost),
        own_rank=rule.leftmost == "own",
        file_count=len(files),
        files=plan.table(files),
    )


def sentences(rule: LastRoyal, description: Description) -> list[str]:
    if rule.leftmost:
        name = description.piece(rule.pieces).name.lower()
        base = "White's" if rule.leftmost == "white" else "its own"
        return [
            f"Only the {name} of a side that stands nearest to the a-file is royal: it is checked and mated"
            f" like a king, and another one can be taken. On one file it is the one nearest to {base} first"
            " rank.",
            *([f"A move of either {name} ends its side's castling rights."] * bool(description.castling)),
        ]
    kinds = article(listed([name.lower() for name in names(description, rule.pieces)], "or"))
    when = "it is the last of its side" if rule.most == 1 else f"its side has no more than {rule.most}"
    found = [f"{kinds.capitalize()} is royal while {when}: it is checked and mated like a king then."]
    if rule.duple:
        found.append("No move may leave all of them attacked at once; that is check as well.")
    if not rule.promotion_saves:
        found.append("A promotion that makes another one may not leave the last one attacked.")
    return found


@inner
def _candidates(rule, position, side, i):
    """The pieces of `side` of the kind with that number."""
    return load(position, "movers", rule.members[i]) & load(position, "colours", side)


@inner
def _leftmost(rule, side, pieces):
    """The one of the pieces that is nearest to the a-file, and on a file to the first rank."""
    for file in range(rule.file_count):
        here = pieces & rule.files[file]
        if here:
            return highest_or_first(here) if rule.own_rank and side else here & ~without_lsb(here)
    return pieces


@over_rules("last_royal")
def last_royals(rule, pieces, rules, position, side):
    """The pieces of `side` that are royal now; `pieces` in games without this rule."""
    for i in range(rule.member_count):
        kind = _candidates(rule, position, side, i)
        if rule.leftmost:
            pieces = pieces | _leftmost(rule, side, kind)
        elif popcount(kind) <= rule.most:
            pieces = pieces | kind
    return pieces


@over_rules("last_royal")
def castles_in_safety(rule, squares, rules, way):
    """The squares of the `way` of a king that castles that may not be attacked: all if one of several kings
    is royal, even if it is another one; else `squares`."""
    return way if rule.leftmost else squares


@over_rules("last_royal")
def rights_without_king(rule, kept, rules, child, side, target):
    """The castling rights among `kept` that a move of `side` to `target` leaves: none of its own after a move
    of any king, if one of several kings is royal."""
    if rule.leftmost and np.int64(child.board[target]) == rules.castling_king_kind:
        kept = kept & ~rules.rights_of[side]
    return kept


@over_rules("last_royal")
def royals_that_stay(rule, pieces, rules, position, side, action):
    """The royal pieces of `side` in `position` that must be safe after a promotion, even if it makes another
    one of their kind; else `pieces`."""
    if rule.promotion_saves or action != PROMOTION:
        return pieces
    return last_royals(rules, pieces, position, side)


@over_rules("last_royal")
def royal_together(rule, pieces, rules, position, side):
    """The pieces of `side` that may not all be attacked; `pieces` in games without this rule."""
    if rule.duple:
        for i in range(rule.member_count):
            pieces = pieces | _candidates(rule, position, side, i)
    return pieces


MECHANIC = Mechanic(
    of="last_royal",
    fact="last_royal",
    table=("pieces", "most", "duple", "promotion_saves", "leftmost"),
    read=read,
    check=check,
    mirrors=lambda rule, description: rule.leftmost != "white",
    facts=facts,
    rules=(Rule("last royal pieces", "Special rules", sentences),),
)
