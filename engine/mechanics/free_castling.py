"""Castling from any files, as in Chess960: rights belong to rooks, and castling is "king takes own rook".

A position holds the squares of the rooks that may castle in `rooks`, by side and wing: 0 for the wing towards
the last file, 1 towards the first. The king's square is that of its right. Both are given by the FEN.
"""

from typing import Any

from ..game.description import Description
from ..game.table_reader import TableReader
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import inner, over_rules
from .mechanic import Mechanic, flag

with deferred_imports():
    import numpy as np

    from ..kernel.facts import Facts
    from ..representation.piece_plan import Plan

ZOBRIST_SEED = 0x960
WINGS = 2


def check(free: bool, top: TableReader, description: Description) -> None:
    wings = description.castling
    others = {
        "by = 'position'": description.castling_by != "rights",
        "dropped": description.castling_dropped,
        "a king that is not royal": not description.royals,
        "[setup]": bool(description.setup_swaps),
        "rooks of two kinds": len({wing.piece for wing in wings}) > 1,
    }
    for name, has_it in others.items():
        if has_it:
            raise top.error("castling.free", f"cannot be combined with {name}")
    if [wing.letter for wing in wings] != ["K", "Q"]:
        raise top.error("castling.free", "needs both 'K' and 'Q'")
    kingside, queenside = wings
    if not (kingside.rook > kingside.king and queenside.rook < queenside.king):
        raise top.error("castling.free", "the rook of 'K' stands right of the king, that of 'Q' left of it")
    if kingside.king_to == queenside.king_to:
        raise top.error("castling.free", "the king castles to different squares")


def facts(plan: Plan) -> dict[str, Any]:
    """`castling_free` as a fact, and `free_castling` with a random number for each square of a rook."""
    if not plan.description.castling_free:
        return {"castling_free": False, "free_castling": ()}
    rng = np.random.Generator(np.random.PCG64(ZOBRIST_SEED))
    keys = rng.integers(0, 1 << 64, plan.geometry.squares, np.uint64)
    return {"castling_free": True, "free_castling": (Facts("free-castling", zobrist=keys),)}


def key_of(rules: Any, state: Any) -> int:
    """What the rights change in the position's keys."""
    (free,) = rules.free_castling
    rights, found = int(state["rights"]), 0
    for bit, rook in enumerate(state["rooks"].ravel().tolist()):
        found ^= int(free.zobrist[rook]) if rights >> bit & 1 else 0
    return found


@over_rules("free_castling")
def _number_of_rights(free, number, rules, position, changed):
    """What it changes in the keys that the `changed` rights come or go; else `number`."""
    found = np.uint64(0)
    for side in range(2):
        for wing in range(WINGS):
            if (changed >> (WINGS * side + wing)) & 1:
                found ^= free.zobrist[np.int64(position.rooks[side, wing])]
    return found


@inner
def keep_rights(rules, position, after):
    """Makes `after` the castling rights, in the keys as well."""
    before = np.int64(position.rights)
    if after != before:
        position.rights = after
        number = rules.zobrist_rights[before] ^ rules.zobrist_rights[after]
        number = _number_of_rights(rules, number, position, before ^ after)
        position.key ^= number
        if rules.repeats_castling:
            position.repetition_key ^= number


@over_rules("free_castling")
def rights_without(free, kept, rules, child, square):
    """The rights among `kept` that a move from or to `square`, or the loss of the piece there, leaves to
    `child`. The kings must stand where the move has led them."""
    after = kept
    for side in range(2):
        if np.int64(child.kings[side]) == square:
            after &= ~rules.rights_of[side]
        for wing in range(WINGS):
            if np.int64(child.rooks[side, wing]) == square:
                after &= ~(1 << (WINGS * side + wing))
    return after


MECHANIC = Mechanic(of="castling_free", keys=("castling.free",), read_key=flag, check=check, facts=facts)
