"""Rules that few games have, each in a module of its own.

A mechanic hands `rules` its facts as a tuple under its own name: empty when the game does not have it, and
then nothing of it is compiled.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..representation.piece_plan import Plan


def all_facts(plan: "Plan") -> dict[str, Any]:
    """The facts of all mechanics for the game that `plan` describes, as keyword arguments of its rules."""
    from . import bare_king as bare
    from . import bumping, check_count, colour_drops, goal, merchants, move_limit, passing
    from . import dead_positions as material
    from . import drop_restrictions as dropping
    from . import facing_kings as facing
    from . import pawn_files as files
    from . import placement as placing
    from . import setup_phase as setup

    mechanics = (
        *(bare, bumping, check_count, colour_drops, dropping, facing, files, goal, material, merchants),
        *(move_limit, passing, placing, setup),
    )
    found = {}
    for mechanic in mechanics:
        found |= mechanic.facts(plan)
    endings = ("bare", "check_count", "merchants")  # by captures and checks alone
    quiet_endings = ("facing", "goal", "passing")
    found["quiet_can_end"] = any(found[name] for name in quiet_endings)
    found["can_end"] = found["quiet_can_end"] or any(found[name] for name in endings)
    found["stands_still"] = bool(found["passing"] or found["setup"])
    return found
