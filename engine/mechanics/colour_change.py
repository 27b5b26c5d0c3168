"""Pieces change their colour by moving: those that capture, those that do not, or all. Kings never do."""

from ..game.description import Description
from ..game.table_reader import TableReader
from ..game.words import king_name
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules
from .mechanic import Mechanic, Rule, refuse_together

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import bit, has, load, popcount
    from ..kernel.facts import Facts
    from ..representation.piece_plan import Plan
    from ..representation.piece_updates import toggle

CHANGES = {"capture": "by capturing", "quiet": "by a move that does not capture", "always": "by moving"}


def check(moves: str, top: TableReader, description: Description) -> None:
    others = ("drops", "explosion", "gates", "self_capture", "rifle_captures", "merchants", "bumping")
    refuse_together(top, "colour_change", description, *others, "facing_kings", "must_capture")


def facts(moves: str, plan: Plan) -> Facts:
    return Facts("colour-change", captures=moves != "quiet", quiet=moves != "capture")


def sentences(moves: str, description: Description) -> list[str]:
    found = [f"Each piece but the {king_name(description)} changes its colour {CHANGES[moves]}."]
    if moves != "capture":
        found.append("A pawn that has changed its colour cannot be captured in passing.")
    return found


@over_rules("colour_change")
def change_colour(way, done, rules, child, parent, kind, source, target):
    """Changes the colour of the piece that has moved to `target`, if the move is one of those."""
    side = np.int64(parent.side)
    captures = popcount(load(parent, "colours", 1 - side)) != popcount(load(child, "colours", 1 - side))
    if kind == rules.royal_kind or not (way.captures if captures else way.quiet):
        return done
    after = np.int64(child.board[target])
    toggle(rules, child, side, after, target)
    toggle(rules, child, 1 - side, after, target)
    return done


@over_rules("colour_change")
def changes_colour(way, found, rules, kind, captures):
    """Whether a move of a piece of that kind changes its colour."""
    if kind == rules.royal_kind:
        return found
    return way.captures if captures else way.quiet


@over_rules("colour_change")
def is_still_own(way, found, rules, child, side, target):
    """Whether the piece that has moved to `target` has the colour of `side`."""
    return has(load(child, "colours", side), target)


@over_rules("leapers")
def _leaps_to_king(group, found, rules, mover, side, target, king):
    if not has(group.origins[side * group.asymmetric, king], target):
        return found
    for i in range(group.member_count):
        found = found or group.members[i] == mover
    return found


@over_rules("colour_change")
def attackers_after_change(way, squares, rules, position, mover, side, target):
    """Adds `target` to the attackers of the king of `side` if its passer, which has captured by moving there,
    attacks the king as an enemy."""
    if way.captures and _leaps_to_king(rules, False, mover, 1 - side, target, np.int64(position.kings[side])):
        return squares | bit(rules, target)
    return squares


MECHANIC = Mechanic(
    of="colour_change",
    fact="colour_change",
    read_key=lambda table, key: table.choice(key, tuple(CHANGES), ""),
    check=check,
    facts=facts,
    rules=(Rule("changing colours", "Special rules", sentences),),
    push=change_colour,
)
