"""Drops that must or must not check, and pieces that are dropped as what they promote to.

The moves themselves are found in `moving`."""

from typing import TYPE_CHECKING, Any

from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules

with deferred_imports():
    from ..kernel.facts import Facts

if TYPE_CHECKING:
    from ..representation.piece_plan import Plan


def facts(plan: "Plan") -> dict[str, Any]:
    """`drop_checks`: whether drops `must` check or may not; `promoted_drops`: the promoted kind of a hand
    piece."""
    checks = plan.description.drop_checks
    forms = {}
    if plan.description.drops_promoted:
        forms = {
            (hand, plan.kinds[form])
            for hand, letter in enumerate(plan.hand)
            for form in plan.description.piece(letter).promotes_to
        }
    return {
        "drop_checks": (Facts("drop-check", must=checks == "always"),) if checks else (),
        "promoted_drops": tuple(Facts("promoted-drop", hand=hand, kind=kind) for hand, kind in sorted(forms)),
    }


@over_rules("drop_checks")
def drops_stay_calm(rule, found, rules):
    """Whether no drop may check; `found` where the game has no such rule."""
    return not rule.must
