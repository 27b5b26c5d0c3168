"""Merchants: they immobilise adjacent enemies, and capture a piece between two of them. Adjacent means next
to it on the rank or the file."""

from dataclasses import dataclass
from typing import Any

from ..game.description import Description
from ..game.table_reader import GameReader, TableReader
from ..game.words import article, king_name, listed, names
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules, unrolled
from ..representation.geometry import Geometry
from .mechanic import Mechanic, Rule
from .outcomes import loss

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import has, load, shifted
    from ..kernel.facts import Facts
    from ..representation.attack_patterns import shift
    from ..representation.piece_plan import Plan, counted
    from ..representation.piece_updates import take
    from ..representation.position_record import source_of

STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))


LOST_KING = loss("{other} backstabs the king")


@dataclass(frozen=True)
class Merchants:
    """Pieces that immobilise, and capture in pairs: `letter`, and letters that are `immune` or `spared`."""

    letter: str
    immune: str  # letters that merchants do not immobilise
    spared: str  # letters that custodian captures do not take


def read(game: GameReader, table: TableReader) -> Merchants:
    letter = game.one_letter(table, "piece")
    return Merchants(letter, game.letters(table, "immune"), game.letters(table, "spared"))


def check(merchants: Merchants, top: TableReader, description: Description) -> None:
    check_alone("merchants", top, description)


def check_alone(name: str, top: TableReader, description: Description) -> None:
    """Raises an error if merchants or bumping, here called `name`, cannot be combined with other rules."""
    if description.has_drops or description.castling or description.promotion_zone:
        raise top.error(name, "cannot be combined with drops, castling or promotion")


def facts(plan: Plan) -> dict[str, Any]:
    merchants = plan.description.merchants
    if merchants is None:
        return {"merchants": (), "hidden_captures": False}
    geometry = plan.geometry
    piece = plan.description.piece(merchants.letter)
    # by square and direction: the square beside it and the one behind that, or the square itself twice
    pairs = [[_pair(geometry, square, step) for step in STEPS] for square in range(geometry.squares)]
    return {
        "merchants": (
            Facts(
                "merchants",
                mover=plan.mover_index[merchants.letter],
                kind=plan.kinds[merchants.letter],
                **counted(immune=plan.movers_of(merchants.immune), spared=plan.movers_of(merchants.spared)),
                quiets=tuple(shift(plan, piece, offset) for offset in sorted(plan.offsets(piece, False))),
                beside=tuple(_step(plan, step) for step in STEPS),
                pairs=np.array(pairs, np.uint8),
            ),
        ),
        "hidden_captures": True,  # moves without a capture on their target may capture elsewhere
    }


def _pair(geometry: Geometry, square: int, step: tuple[int, int]) -> tuple[int, int]:
    beside = geometry.shifted(square, *step)
    behind = geometry.shifted(square, 2 * step[0], 2 * step[1])
    return (square, square) if behind is None else (beside, behind)


def _step(plan: Plan, step: tuple[int, int]) -> Facts:
    sources = plan.bits(plan.geometry.sources(step))
    delta = step[1] * plan.geometry.files + step[0]
    return Facts("beside", white_delta=delta, black_delta=delta, white_sources=sources, black_sources=sources)


def sentences(rule: Merchants, description: Description) -> list[str]:
    trader = description.piece(rule.letter).name
    immune, spared = names(description, rule.immune), names(description, rule.spared)
    return [
        f"{trader}: immobilises the enemies beside it on its rank and file, unless {article(trader)} of"
        " their own side stands beside them, too. They cannot move, capture or give check."
        + (f" Immune: {listed(immune)}." if immune else ""),
        f"{trader}: its step captures what it puts between itself and another {trader} of its side, on"
        f" a rank or a file; so it takes the {king_name(description)} as well, which wins at once and is"
        " not a check." + (f" Spared: {listed(spared)}." if spared else ""),
    ]


@unrolled("beside")
def beside(step, found, pieces):
    """Adds the squares adjacent to `pieces` to those found."""
    return found | shifted(pieces, step, 0)


@over_rules("merchants")
def able(merchants, pieces, rules, position, side):
    """Those of the `pieces` of `side` that no enemy merchant immobilises."""
    trade = load(position, "movers", merchants.mover)
    enemies = trade & load(position, "colours", 1 - side)
    held = beside(merchants, rules.empty, enemies)
    if held:
        held = held & ~beside(merchants, rules.empty, trade & load(position, "colours", side))
        for i in range(merchants.immune_count):
            held = held & ~load(position, "movers", merchants.immune[i])
    return pieces & ~held


@over_rules("merchants")
def guarded(merchants, squares, rules, position, side):
    """`squares` and those adjacent to the merchants of `side`."""
    return beside(
        merchants, squares, load(position, "movers", merchants.mover) & load(position, "colours", side)
    )


@over_rules("merchants")
def capture_between(merchants, outcome, rules, child, parent, kind, source, target):
    """Removes, on `child`, pieces between the merchant that stepped to `target` and another one. Returns the
    outcome if a king was taken, else `outcome`."""
    if kind != merchants.kind:
        return outcome
    side = np.int64(parent.side)
    own = load(child, "colours", side)
    trade = own & load(child, "movers", merchants.mover)
    victims = load(child, "colours", 1 - side)
    for i in range(merchants.spared_count):
        victims = victims & ~load(child, "movers", merchants.spared[i])
    for i in range(4):
        square = merchants.pairs[target, i, 0]
        behind = merchants.pairs[target, i, 1]
        if square != target and has(victims, square) and has(trade, behind):
            if np.int64(child.board[square]) == rules.king_kind:
                outcome = np.int64(LOST_KING)
            take(rules, child, side, square)
            child.board[square] = rules.no_kind
    return outcome


@over_rules("merchants")
def moves_merchant(merchants, found, rules, position, move):
    """Whether a merchant moves; it may capture on other squares than its target."""
    return np.int64(rules.kind_mover[np.int64(position.board[source_of(move)])]) == merchants.mover


MECHANIC = Mechanic(
    of="merchants",
    table=("piece", "immune", "spared"),
    read=read,
    check=check,
    facts=facts,
    rules=(Rule("merchants", "Special rules", sentences),),
    capture=capture_between,
    quiet_moves_end=False,
)
