"""Rifle captures: a piece captures without moving. A pawn does not promote by a capture."""

from ..game.description import Description
from ..game.moves import NORMAL, PROMOTION
from ..game.table_reader import TableReader
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules
from .mechanic import Mechanic, Rule, flag, refuse_together

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import has, load, popcount
    from ..representation.piece_updates import toggle
    from ..representation.position_record import action_of, make_move, source_of, target_of


def check(rifle: bool, top: TableReader, description: Description) -> None:
    others = ("drops", "explosion", "gates", "self_capture", "merchants", "bumping")
    refuse_together(top, "rifle_captures", description, *others)


def sentences(rifle: bool, description: Description) -> list[str]:
    promotes = any(piece.promotes_to for piece in description.pieces)
    return [
        "A piece captures without moving: it removes the other piece and stays on its square."
        + (" So no piece promotes by a capture." if promotes else "")
    ]


@over_rules("rifle_captures")
def captor_stays(rifle, found, rules):
    """True; `found` in games whose captors move."""
    return True


@over_rules("rifle_captures")
def occupied_after_passing(rifle, occupied, rules, position, victim):
    """`occupied` after a capture in passing of the pawn on the board `victim`: the captor does not move."""
    return (load(position, "colours", 0) | load(position, "colours", 1)) & ~victim


@over_rules("rifle_captures")
def without_promotions(rifle, end, rules, out, position, first):
    """The end of the moves listed from `first` on, with one plain capture in place of those that promote."""
    enemy = load(position, "colours", 1 - np.int64(position.side))
    kept, last = np.int64(first), np.int64(0)
    for i in range(first, end):
        move = np.int64(out.moves[i])
        if action_of(move) == PROMOTION and has(enemy, target_of(move)):
            move = np.int64(make_move(source_of(move), target_of(move), 0, NORMAL))
            if move == last:  # the promotions of a move stand together
                continue
        last = move
        out.moves[kept] = np.uint32(move)
        kept += 1
    return kept


@over_rules("rifle_captures")
def put_back(rifle, done, rules, child, parent, kind, source, target):
    """Puts the captor back on its square."""
    side = np.int64(parent.side)
    enemies = load(parent, "colours", 1 - side)
    if popcount(enemies) == popcount(load(child, "colours", 1 - side)):
        return done
    toggle(rules, child, side, np.int64(child.board[target]), target)
    toggle(rules, child, side, kind, source)
    child.board[target] = rules.no_kind
    child.board[source] = kind
    if kind == rules.king_kind:
        child.kings[side] = source
    return done


MECHANIC = Mechanic(
    of="rifle_captures",
    fact="rifle_captures",
    read_key=flag,
    check=check,
    rules=(Rule("rifle captures", "Special rules", sentences),),
    narrow=without_promotions,
    push=put_back,
)
