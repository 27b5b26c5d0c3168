"""Passing: a move that changes nothing on the board, legal unless the king is in check. Two passes in a row
draw. The position has in `passed` whether the last move was one."""

from typing import Any

from ..game.description import Description
from ..game.moves import PASS
from ..game.state_fields import StateField
from ..game.table_reader import GameReader
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules
from .facing_kings import kings_must_part
from .mechanic import Mechanic, Rule
from .outcomes import draw

with deferred_imports():
    import numpy as np

    from ..representation.move_list import put
    from ..representation.position_record import make_move

DRAW_BY_PASSES = draw("Both sides passed")


def read(game: GameReader) -> dict[str, Any]:
    table = game.table("passing", "twice")
    return {"passing": table is not None and bool(table.choice("twice", ("draw",)))}


def sentences(passing: bool, description: Description) -> list[str]:
    return ["A side that is not in check may pass. Two passes in a row draw."]


@over_rules("passing")
def pass_moves(passing, n, rules, first, sink, out, position, checkers):
    """Adds the pass to the first `n` moves."""
    if not sink.quiet or (checkers and not kings_must_part(rules, False, position)):
        return n
    if not sink.counts:
        king = np.int64(position.kings[np.int64(position.side)])
        put(out, n, make_move(king, king, 0, PASS))
    return n + 1


@over_rules("passing")
def passing_outcome(passing, outcome, rules, child, parent, action):
    """Records in `child` whether the move was a pass; returns the outcome if the one before was as well."""
    passed = np.int64(action == PASS)
    child.passed = passed
    child.key ^= rules.zobrist_passed[np.int64(parent.passed)] ^ rules.zobrist_passed[passed]
    if passed and parent.passed:
        return np.int64(DRAW_BY_PASSES)
    return outcome


MECHANIC = Mechanic(
    of="passing",
    fact="passing",
    read=read,
    rules=(Rule("passing", "Special rules", sentences),),
    state=StateField("passed", "zobrist_passed", 2),
    moves=pass_moves,
    after_move=passing_outcome,
)
