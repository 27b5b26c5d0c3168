"""Kings and rooks that are dropped on their squares get the right to castle, in either order."""

from ..game.description import Description
from ..game.table_reader import TableReader
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules
from .mechanic import Mechanic, flag

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import has, load


def check(dropped: bool, top: TableReader, description: Description) -> None:
    if not description.royals:
        raise top.error("castling.dropped", "needs a royal piece")
    castling = [description.castling_king, *dict.fromkeys(wing.piece for wing in description.castling)]
    if not any(description.piece(letter).droppable for letter in castling):
        reason = f"needs {' or '.join(map(repr, castling))} among drops.pieces"
        raise top.error("castling.dropped", reason)
    if description.castling_by != "rights":
        raise top.error("castling.dropped", "is only possible with by = 'rights'")


@over_rules("castling_drops")
def gain_rights(castling, done, rules, child, side, kind, target):
    """Gives `side` the castling rights for its drop of a king or a rook on `target`."""
    before = np.int64(child.rights)
    after = before
    for wing in range(rules.wings):
        king, rook = rules.castling_squares[side, wing, 0], rules.castling_squares[side, wing, 1]
        rook_kind = np.int64(rules.rook_kinds[wing])
        if (kind == rules.king_kind and target == king) or (kind == rook_kind and target == rook):
            stands = np.int64(child.board[king]) == rules.king_kind and np.int64(child.kings[side]) == king
            own = load(child, "colours", side)
            if stands and has(own, rook) and np.int64(child.board[rook]) == rook_kind:
                after = after | 1 << (side * rules.wings + wing)
    if after != before:
        child.rights = after
        number = rules.zobrist_rights[before] ^ rules.zobrist_rights[after]
        child.key ^= number
        if rules.repeats_castling:
            child.repetition_key ^= number
    return done


MECHANIC = Mechanic(
    of="castling_dropped",
    fact="castling_drops",
    keys=("castling.dropped",),
    read_key=flag,
    check=check,
    after_drop=gain_rights,
)
