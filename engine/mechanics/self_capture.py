"""Self-capture: a side may capture its own pieces, except the king.

`movegen.self_capture` finds these moves. The search treats them as quiet moves: quiescence does not look at
them, and an exchange counts the piece as lost."""

from ..game.description import Description
from ..game.table_reader import TableReader
from ..game.words import king_name
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules
from .mechanic import Mechanic, Rule, flag, refuse_together

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import has, load
    from ..representation.piece_updates import toggle


def check(own: bool, top: TableReader, description: Description) -> None:
    others = ("drops", "merchants", "bumping", "explosion", "extinction", "bare_king", "must_capture")
    more = ("checked_king", "checks", "kings")
    # the king's move onto its own rook is castling with castling.free
    refuse_together(top, "self_capture", description, *others, *more, "castling.free")
    if not description.royals:
        raise top.error("self_capture", "needs a royal piece")


def sentences(own: bool, description: Description) -> list[str]:
    return [f"A side may capture its own pieces, except the {king_name(description)}."]


@over_rules("self_capture")
def may_end_on(way, empty, rules, position, target):
    """Whether a move of the side to move may end on `target`, which has no own piece if `empty`."""
    return empty or target != np.int64(position.kings[np.int64(position.side)])


@over_rules("self_capture")
def gain_without_own(way, gain, rules, worker, position, move, target):
    """The `gain` of a move in centipawns, in which a captured piece counts, with an own one as lost."""
    if has(load(position, "colours", np.int64(position.side)), target):
        gain -= 2 * np.int64(worker.weights.capture[np.int64(position.board[target])])
    return gain


@over_rules("self_capture")
def remove_own(way, done, rules, child, parent, kind, source, target):
    """Removes the own piece that stood on `target` before the move."""
    side = np.int64(parent.side)
    if source != target and has(load(parent, "colours", side), target):
        toggle(rules, child, side, np.int64(parent.board[target]), target)
        child.halfmoves = 0
    return done


MECHANIC = Mechanic(
    of="self_capture",
    fact="self_capture",
    read_key=flag,
    check=check,
    rules=(Rule("self-capture", "Special rules", sentences),),
    push=remove_own,
)
