"""Promotion by a move of its own, as in sittuyin: a piece on one of its promotion squares becomes the new
piece where it stands, or as that piece steps to an empty square. There it may not attack an enemy, and the
move may not check. The last of a kind may promote anywhere. `movegen.standing_promotion` finds these
moves."""

from typing import Any

from ..game.description import REVERTING, Description, PieceDescription
from ..game.moves import PROMOTION
from ..game.table_reader import GameReader, TableReader
from ..game.words import article, squares_in_words
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules
from ..representation.geometry import mirrored
from .mechanic import Mechanic, Rule, refuse_together

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import has
    from ..kernel.facts import Facts
    from ..representation.piece_plan import Plan
    from ..representation.position_record import action_of, source_of, target_of

STAY = "stay"


def stays(description: Description, piece: PieceDescription) -> bool:
    """Whether a piece promotes by a move of its own."""
    return bool(piece.promotes_to) and STAY in description.promotes_on(piece)


def read(game: GameReader) -> dict[str, Any]:
    """`promotion_last`: the letters of the pieces that promote anywhere as the last of their kind."""
    return {"promotion_last": game.top.table_at("promotion", {}).letters("last", game.known)}


def check(top: TableReader, description: Description) -> None:
    staying = [piece for piece in description.pieces if stays(description, piece)]
    for letter in description.promotion_last:
        if letter not in [piece.letter for piece in staying]:
            raise top.error("promotion.last", f"{letter!r} does not promote by 'stay'")
    if not staying:
        return
    for piece in staying:
        _check_piece(top, description, piece)
    if not description.royals:
        raise top.error("promotion.on", "'stay' needs a royal piece")
    others = ("explosion", "rifle_captures", "colour_change", "cells", "must_capture", "self_capture")
    more = ("walls", "gates", "checks", "passing", "setup", "merchants", "bumping", "facing_kings")
    refuse_together(top, "promotion.on", description, *others, *more, "palace", "co_royal", "check_limit")


def _check_piece(top: TableReader, description: Description, piece: PieceDescription) -> None:
    """Raises VariantError for a piece that cannot promote by a move of its own."""
    if description.promotes_on(piece) != {STAY}:
        raise top.error("promotion.on", f"{piece.letter!r} promotes by 'stay' alone or without it")
    if piece.captures_promote:
        raise top.error(
            "promotion.on", f"'stay' cannot be combined with promotion.captures of {piece.letter!r}"
        )
    if len(piece.promotes_to) != 1:
        raise top.error("promotion.on", f"{piece.letter!r} promotes by 'stay' to a single piece")
    made = description.piece(piece.promotes_to[0])
    if any(ride.reach != 1 or ride.hop or ride.lame or ride.initial for ride in made.moves):
        raise top.error("promotion.on", f"'stay' makes only pieces that leap; {made.letter!r} does not")


def facts(plan: Plan) -> dict[str, Any]:
    """`standing_promotion`, an item for each piece: from which squares it promotes, and where the new piece
    steps and captures, by side."""
    description = plan.description
    found = tuple(_item(plan, piece) for piece in plan.pieces if stays(description, piece))
    return {"standing_promotion": (Facts("standing-promotion", items=found),) if found else ()}


def _item(plan: Plan, piece: PieceDescription) -> Any:
    made = plan.description.piece(piece.promotes_to[0])
    quiet = {(ride.files, ride.ranks) for ride in made.moves if ride.quiet}
    captures = {(ride.files, ride.ranks) for ride in made.moves if ride.capture}
    return Facts(
        "standing",
        mover=plan.mover_index[piece.letter],
        kind=plan.kinds[piece.promotes_to[0]],
        last=piece.letter in plan.description.promotion_last,
        squares=plan.table([plan.promotion_board(piece, side) for side in (0, 1)]),
        steps=plan.table([plan.geometry.leaps(turn(quiet)) for turn in (set, mirrored)]),
        strikes=plan.table([plan.geometry.leaps(turn(captures)) for turn in (set, mirrored)]),
    )


def sentences(description: Description) -> list[str]:
    found = []
    for piece in description.pieces:
        if not stays(description, piece):
            continue
        made = description.piece(piece.promotes_to[0]).name
        squares = squares_in_words(sorted(description.promotion_area(piece)), description)
        last = (
            f", and the last {piece.name} of a side from any square" if _is_last(description, piece) else ""
        )
        found.append(
            f"{piece.name}: promotes to {made} by a move of its own from {squares}{last}: it becomes"
            f" {article(made)} where it stands, or steps to an empty square as {article(made)}. There it may"
            " not attack an enemy, and the move may not check. For Black the squares are mirrored."
        )
    return found


def _is_last(description: Description, piece: PieceDescription) -> bool:
    return piece.letter.removesuffix(REVERTING) in description.promotion_last


@over_rules("standing_promotion")
def may_promote_there(rule, fits, rules, own, move):
    """Whether a move, which `fits` unless it ends on an own piece, may be the promotion of a piece that
    stays."""
    stands = source_of(move) == target_of(move) and action_of(move) == PROMOTION
    return fits or (stands and has(own, source_of(move)))


@over_rules("standing_promotion")
def gain_in_place(rule, gain, rules, worker, position, move, kind):
    """The `gain` of a move in centipawns; a piece of this `kind` that stays captures nothing."""
    if action_of(move) == PROMOTION and source_of(move) == target_of(move):
        gain -= np.int64(worker.weights.capture[kind])
    return gain


MECHANIC = Mechanic(
    keys=("promotion.last",),
    read=read,
    check=check,
    facts=facts,
    rules=(Rule("promotion in place", "Promotion", sentences),),
)
