"""Bumping: a pawn that stops directly before an agent pushes it as far as the way is free. The position
before the move decides what can be pushed."""

from dataclasses import dataclass

from ..game.description import Description
from ..game.table_reader import GameReader, TableReader
from ..game.words import article, listed, names
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import inner, over_rules
from .mechanic import Mechanic, Rule
from .merchants import able, check_alone, guarded

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import bit, has, load, popcount
    from ..kernel.facts import Facts
    from ..representation.piece_plan import Plan, counted
    from ..representation.piece_updates import shift_piece


@dataclass(frozen=True)
class Bumping:
    """Pieces that push the piece before them: `letter`, and letters that are `immune`."""

    letter: str
    immune: str


def read(game: GameReader, table: TableReader) -> Bumping:
    return Bumping(game.one_letter(table, "piece"), game.letters(table, "immune"))


def check(bumping: Bumping, top: TableReader, description: Description) -> None:
    check_alone("bumping", top, description)
    if not description.merchants:
        raise top.error("bumping", "is only possible with merchants")


def facts(bumping: Bumping, plan: Plan) -> Facts:
    immune = plan.movers_of(bumping.immune)
    return Facts("bumping", kind=plan.kinds[bumping.letter], **counted(immune=immune))


def sentences(rule: Bumping, description: Description) -> list[str]:
    if description.merchants is None:
        return []
    immune = names(description, rule.immune)
    trader = description.piece(description.merchants.letter).name
    return [
        f"{description.piece(rule.letter).name}: when it stops right before a piece, of either side, it"
        " pushes that on in the same direction as far as the way is free. Immobilised pieces stay, and"
        f" those beside {article(trader)} of their own side."
        + (f" Immune: {listed(immune)}." if immune else "")
    ]


@inner
def _gives_way(bumping, rules, position, owner, square):
    """Whether the agent of `owner` on a square can be pushed."""
    agent = bit(rules, square)
    for i in range(bumping.immune_count):
        agent = agent & ~load(position, "movers", bumping.immune[i])
    return bool(able(rules, agent & ~guarded(rules, rules.empty, position, owner), position, owner))


@inner
def _step(rules, source, target):
    """The step to the next square of a move along a rank or a file."""
    step = rules.files if source // rules.files != target // rules.files else 1
    return step if target > source else -step


@over_rules("bumping")
def bumps_king(bumping, found, rules, position, kind, source, target):
    """Whether the enemy's king is directly behind the target of a pawn's move; it may be immovable."""
    king = np.int64(position.kings[1 - np.int64(position.side)])
    return found or (kind == bumping.kind and target + _step(rules, source, target) == king)


@over_rules("bumping")
def bump(bumping, done, rules, child, parent, kind, source, target):
    """Pushes, on `child`, the piece directly before a pawn's target."""
    if kind != bumping.kind:
        return done
    line = np.int64(source // rules.files != target // rules.files)
    step = _step(rules, source, target)
    way = 2 * line + np.int64(target > source)
    if not rules.rays[target, way]:
        return done
    agent = target + step
    occupied = load(child, "colours", 0) | load(child, "colours", 1)
    if not has(occupied, agent):
        return done
    owner = np.int64(not has(load(parent, "colours", 0), agent))
    if not _gives_way(bumping, rules, parent, owner, agent):
        return done
    place = agent
    for _ in range(popcount(rules.rays[agent, way])):
        if has(occupied, place + step):
            break
        place += step
    if place != agent:
        shift_piece(rules, child, owner, agent, place)
    return done


MECHANIC = Mechanic(
    of="bumping",
    fact="bumping",
    table=("piece", "immune"),
    read=read,
    check=check,
    facts=facts,
    rules=(Rule("bumping", "Special rules", sentences),),
    push=bump,
)
