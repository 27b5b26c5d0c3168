"""Rules that few games have, each in its own module that declares everything about it (`mechanic`).

A new one is a line in `MODULES`. A mechanic gives `rules` its facts as a tuple under its own name; the tuple
is empty if the game does not have the mechanic, and then nothing of it is compiled."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..game.state_fields import STATE_FIELDS
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import chained
from .mechanic import Mechanic

with deferred_imports():
    from ..kernel.facts import Facts

if TYPE_CHECKING:
    from ..game.description import Description
    from ..representation.piece_plan import Plan

# Modules in the order of their hooks. The last of several outcomes of one move counts.
MODULES = (
    "palace",
    "kings",
    "must_capture",
    "no_moves",
    "co_royal",
    "last_royal",
    "placement",
    "castling_drops",
    "castling_delay",
    "free_castling",
    "gates",
    "walls",
    "colour_drops",
    "drop_restrictions",
    "pawn_files",
    "merchants",
    "bumping",
    "explosion",
    "truce",
    "self_capture",
    "rifle_captures",
    "colour_change",
    "side_promotions",
    "turned_zones",
    "standing_promotion",
    "cells",
    "first_moves",
    "square_moves",
    "checked_king",
    "forbidden_checks",
    "bare_king",
    "extinction",
    "goal",
    "check_count",
    "passing",
    "setup_phase",  # replaces all moves
    "facing_kings",
    "move_limit",
    "dead_positions",
)
MECHANICS: tuple[Mechanic, ...] = tuple(import_module(f".{name}", __name__).MECHANIC for name in MODULES)

FEN_FIELDS = tuple(mechanic.fen for mechanic in MECHANICS if mechanic.fen)
STATE_FIELDS.extend(mechanic.state for mechanic in reversed(MECHANICS) if mechanic.state)


def keys_in(table: str) -> list[str]:
    """The keys of all mechanics in a table at the top of a game's file; "" for the top itself."""
    split = (key.rpartition(".") for mechanic in MECHANICS for key in mechanic.file_keys)
    return [key for where, _, key in split if where == table]


def _chain(kind: str) -> Any:
    """All hooks of a kind in one function, `chain(rules, value, *args)`."""
    hooks = (getattr(mechanic, kind) for mechanic in MECHANICS)
    return chained(*(hook for hook in hooks if hook is not None))


special_moves, narrow_moves, narrow_drops = map(_chain, ("moves", "narrow", "drop_targets"))
stand_still, after_drop, after_step = map(_chain, ("stand_still", "after_drop", "after_step"))
push, capture = _chain("push"), _chain("capture")
after_move, at_setup = _chain("after_move"), _chain("at_setup")


def has_mirror_images(description: "Description") -> bool:
    """Whether the rules are the same for both sides, seen from their own first rank, so that a position has a
    mirror image."""
    return all(mechanic.is_mirrored(description) for mechanic in MECHANICS)


def all_facts(plan: "Plan") -> dict[str, Any]:
    """The facts of all mechanics for the game in `plan`, as keyword arguments of its rules.

    `can_end`: whether a move can end the game by a mechanic. `quiet_can_end`: whether a move can that neither
    captures nor checks. `check_asked`: not empty if a mechanic needs to know whether a move checks.
    `stands_still`: whether there are moves that move no piece."""
    found: dict[str, Any] = {}
    for mechanic in MECHANICS:
        found |= mechanic.facts_of(plan)

    def has(hook: Any) -> bool:
        return hook is not None and bool(found[hook.attribute])

    ending = [mechanic for mechanic in MECHANICS if has(mechanic.capture) or has(mechanic.after_move)]
    asks = any(has(mechanic.after_move) and "check" in mechanic.after_move.takes for mechanic in ending)
    return found | {
        "can_end": bool(ending),
        "quiet_can_end": any(mechanic.quiet_moves_end for mechanic in ending),
        "check_asked": (Facts("check-asked"),) if asks else (),
        "stands_still": any(has(mechanic.moves) for mechanic in MECHANICS),
    }
