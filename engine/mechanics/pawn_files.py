"""Limits on drops by file: no two unpromoted pawns of one side on a file."""

from typing import TYPE_CHECKING, Any

from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules

with deferred_imports():
    from ..kernel.bitboard import load, popcount
    from ..kernel.facts import Facts

if TYPE_CHECKING:
    from ..representation.piece_plan import Plan


def facts(plan: "Plan") -> dict[str, Any]:
    return {
        "file_drops": tuple(
            Facts(
                "file-drop",
                hand=hand,
                mover=plan.mover_index[letter],
                most=plan.description.piece(letter).most_per_file,
                files=plan.geometry.files,
                file=plan.table([plan.geometry.file_board(file) for file in range(plan.geometry.files)]),
            )
            for hand, letter in enumerate(plan.hand)
            if plan.description.piece(letter).most_per_file
        )
    }


@over_rules("file_drops")
def one_to_a_file(drop, targets, rules, position, side, hand):
    """`targets` without the files that hold enough already, if `hand` is a piece with this rule."""
    if hand == drop.hand:
        own = load(position, "movers", drop.mover) & load(position, "colours", side)
        for file in range(drop.files):
            if popcount(own & drop.file[file]) >= drop.most:
                targets = targets & ~drop.file[file]
    return targets
