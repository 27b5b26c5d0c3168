"""A truce: pieces of certain kinds never capture a piece of their own kind."""

from typing import Any

from ..game.description import Description
from ..game.table_reader import GameReader, TableReader
from ..game.words import listed, names
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import inner, over_rules
from .mechanic import Mechanic, Rule, refuse_together

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import has, load
    from ..kernel.facts import Facts
    from ..representation.piece_plan import Plan, counted
    from ..representation.position_record import source_of, target_of


def read(game: GameReader) -> dict[str, Any]:
    """`truce`: the letters of the kinds that do not capture their own kind."""
    return {"truce": game.letters(game.top, "truce")}


def check(letters: str, top: TableReader, description: Description) -> None:
    royal = [piece.letter for piece in description.royals]
    if royal and royal[0] in letters:
        raise top.error("truce", f"{royal[0]!r} is royal, and never captured")
    refuse_together(top, "truce", description, "goal", "must_capture", "gates", "checks", "drops")


def facts(letters: str, plan: Plan) -> Facts:
    """The movers of each kind; there are no two kinds in one mover."""
    return Facts("truce", **counted(members=[plan.mover_index[letter] for letter in letters]))


def sentences(letters: str, description: Description) -> list[str]:
    kinds = listed([name.lower() for name in names(description, letters)], "or")
    return [f"A {kinds} never captures a piece of its own kind."]


@inner
def _breaks_truce(truce, position, move):
    """Whether a move is a capture of the own kind by a piece of a kind with a truce."""
    for i in range(truce.member_count):
        pieces = load(position, "movers", truce.members[i])
        if has(pieces, source_of(move)) and has(pieces, target_of(move)):
            return source_of(move) != target_of(move)
    return False


@over_rules("truce")
def keep_truce(truce, end, rules, out, position, first):
    """The end of the listed moves without captures of the own kind."""
    kept = np.int64(first)
    for i in range(first, end):
        move = np.int64(out.moves[i])
        if not _breaks_truce(truce, position, move):
            out.moves[kept] = np.uint32(move)
            kept += 1
    return kept


MECHANIC = Mechanic(
    of="truce",
    fact="truce",
    read=read,
    check=check,
    facts=facts,
    rules=(Rule("truce", "Special rules", sentences),),
    narrow=keep_truce,
)
