"""Limits on drops by file: for example, no two unpromoted pawns of one side on a file."""

from typing import Any

from ..game.description import Description
from ..game.table_reader import GameReader, TableReader
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules
from .mechanic import Mechanic, Rule

with deferred_imports():
    from ..kernel.bitboard import load, popcount
    from ..kernel.facts import Facts
    from ..representation.piece_plan import Plan

MOST = 16  # the most squares of a file


def read_pieces(game: GameReader) -> dict[str, dict[str, Any]]:
    """`most_per_file`: no drop on a file with that many own ones; 0: no such rule."""
    drops = game.top.table_at("drops", {})
    if isinstance(drops.table.get("one_per_file"), dict):
        table = drops.table_at("one_per_file")
        table.finish(*game.known)
        return {"most_per_file": {letter: table.number(letter, 1, MOST) for letter in table.table}}
    return {"most_per_file": dict.fromkeys(drops.letters("one_per_file", game.known), 1)}


def check(top: TableReader, description: Description) -> None:
    for piece in description.pieces:
        if piece.most_per_file and not piece.droppable:
            raise top.error("drops.one_per_file", f"{piece.letter!r} cannot be dropped")


def facts(plan: Plan) -> dict[str, Any]:
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


def sentences(description: Description) -> list[str]:
    few = ("", "an unpromoted one", "two unpromoted ones", "three unpromoted ones")
    counts = {number: text for number, text in enumerate(few)}
    return [
        f"{piece.name}: not dropped on a file where"
        f" {counts.get(piece.most_per_file, f'{piece.most_per_file} unpromoted ones')} of its side stand"
        f"{'s' * (piece.most_per_file == 1)}."
        for piece in description.pieces
        if piece.most_per_file
    ]


@over_rules("file_drops")
def one_to_a_file(drop, targets, rules, position, side, hand):
    """`targets` without the files that already hold enough, if `hand` is a piece with this rule."""
    if hand == drop.hand:
        own = load(position, "movers", drop.mover) & load(position, "colours", side)
        for file in range(drop.files):
            if popcount(own & drop.file[file]) >= drop.most:
                targets = targets & ~drop.file[file]
    return targets


MECHANIC = Mechanic(
    keys=("drops.one_per_file",),
    read_pieces=read_pieces,
    piece_defaults={"most_per_file": 0},
    check=check,
    facts=facts,
    rules=(Rule("one per file", "Drops", sentences),),
    drop_targets=one_to_a_file,
)
