"""Drops that must or must not check, and pieces that can be dropped in their promoted form. `movegen`
generates the moves."""

from typing import Any

from ..game.description import Description
from ..game.table_reader import GameReader, TableReader
from ..game.words import article, listed, names
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules
from .mechanic import Mechanic, Rule

with deferred_imports():
    from ..kernel.facts import Facts
    from ..representation.piece_plan import Plan


def read(game: GameReader) -> dict[str, Any]:
    """`drop_checks`: "never" or "always" for drops that give check, or "" for no restriction;
    `drops_promoted`: whether a piece can also be dropped in its promoted form."""
    drops = game.top.table_at("drops", {})
    return {
        "drop_checks": drops.choice("checks", ("never", "always"), ""),
        "drops_promoted": drops.get("promoted", bool, False),
    }


def check(top: TableReader, description: Description) -> None:
    for name, has in (("checks", description.drop_checks), ("promoted", description.drops_promoted)):
        if not has:
            continue
        if not description.has_drops:
            raise top.error(f"drops.{name}", "has no effect in a game without drops")
        if any(piece.no_drop_mate for piece in description.pieces):
            raise top.error(f"drops.{name}", "cannot be combined with drops.no_mate")
        if any(piece.must_drop for piece in description.pieces):
            raise top.error(f"drops.{name}", "cannot be combined with drops.must")
    if description.drops_promoted and not any(p.droppable and p.promotes_to for p in description.pieces):
        raise top.error("drops.promoted", "has no effect: nothing that is dropped promotes")


def facts(plan: Plan) -> dict[str, Any]:
    """`drop_checks`: whether drops `must` check or must not; `promoted_drops`: the promoted kind of a hand
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


def check_sentences(description: Description) -> list[str]:
    words = {"never": "A drop may not give check.", "always": "A drop must give check."}
    return [words[description.drop_checks]] if description.drop_checks else []


def promoted_sentences(description: Description) -> list[str]:
    if not description.drops_promoted:
        return []
    forms = [
        f"{piece.name} as {article(listed(names(description, piece.promotes_to), 'or'))}"
        for piece in description.pieces
        if piece.droppable and piece.promotes_to
    ]
    return [f"A piece may be dropped as what it promotes to: {listed(forms)}."]


@over_rules("drop_checks")
def drops_stay_calm(rule, found, rules):
    """Whether no drop may check; `found` if the game has no such rule."""
    return not rule.must


MECHANIC = Mechanic(
    keys=("drops.checks", "drops.promoted"),
    read=read,
    check=check,
    facts=facts,
    rules=(
        Rule("drops and checks", "Drops", check_sentences),
        Rule("promoted drops", "Drops", promoted_sentences),
    ),
)
