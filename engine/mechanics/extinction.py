"""Extinction: a side that has lost all pieces of some kinds has lost or won, or the game is drawn."""

from dataclasses import dataclass

from ..game.description import REVERTING, Description
from ..game.table_reader import GameReader, TableReader
from ..game.words import listed, names
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import inner, over_rules
from .mechanic import Mechanic, Rule
from .outcomes import draw, loss, win

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import load, popcount
    from ..kernel.facts import Facts
    from ..representation.piece_plan import Plan

ALL = "all"
SIDES = {"white": (True, False), "black": (False, True), "both": (True, True)}


@dataclass(frozen=True)
class Extinction:
    """The kinds that count: a side must keep more than `left` of each of `pieces`, or of all its pieces
    together if `pieces` is empty. Pieces in hand and promoted ones count as well. `sides` are those with the
    rule; `result` is that of the side that has too few, while the other has at least `opponent` of that
    kind."""

    pieces: str
    left: int
    sides: tuple[bool, bool]
    result: str
    opponent: int = 0


def _ended(description: Description, name: str) -> str:
    rule = description.extinction
    if rule is None or not rule.pieces:
        return f"{name} has {'too few' if rule and rule.left else 'no'} pieces left"
    kinds = listed([kind.lower() for kind in names(description, rule.pieces)], "or")
    return f"{name} has lost its last {kinds}" if not rule.left else f"{name} has lost a {kinds}"


LOST_OWN = loss(lambda description, mover, other: _ended(description, mover))
WON_OWN = win(lambda description, mover, other: _ended(description, mover))
LOST_OTHER = loss(lambda description, mover, other: _ended(description, other))
WON_OTHER = win(lambda description, mover, other: _ended(description, other))
DRAWN_OWN = draw(lambda description, mover, other: _ended(description, mover))
DRAWN_OTHER = draw(lambda description, mover, other: _ended(description, other))
OUTCOMES = {  # of the side to move that has too few, and of its opponent
    "loss": (LOST_OWN, WON_OTHER),
    "win": (WON_OWN, LOST_OTHER),
    "draw": (DRAWN_OWN, DRAWN_OTHER),
}


def read(game: GameReader, table: TableReader) -> Extinction:
    pieces = "" if table.get("pieces", str) == ALL else game.letters(table, "pieces", ...)
    left = table.number("left", 0, 20, 0)
    sides = SIDES[table.choice("side", tuple(SIDES), "both")]
    result, opponent = table.choice("result", ("loss", "win", "draw")), table.number("opponent", 0, 20, 0)
    return Extinction(pieces, left, sides, result, opponent)


def check(rule: Extinction, top: TableReader, description: Description) -> None:
    royals = description.royals
    if any(piece.letter in rule.pieces for piece in royals):
        raise top.error("extinction.pieces", f"{royals[0].letter!r} is royal: it is mated and never taken")


def facts(rule: Extinction, plan: Plan) -> Facts:
    kinds = [plan.movers_of(letter) for letter in rule.pieces]
    forms = [plan.movers_of({letter + REVERTING} & plan.mover_index.keys()) for letter in rule.pieces]
    promoted = [form or movers for form, movers in zip(forms, kinds, strict=True)]
    held = [[plan.hand.index(letter)] if letter in plan.hand else [] for letter in rule.pieces]
    return Facts(
        "extinction",
        kind_count=len(kinds),
        kinds=np.array([movers[0] for movers in kinds] or [0], np.uint8),
        has_promoted=promoted != kinds,  # forms that another mover stands for
        promoted=np.array([movers[0] for movers in promoted] or [0], np.uint8),
        left=rule.left,
        sides=np.array(rule.sides, np.uint8),
        outcomes=np.array(OUTCOMES[rule.result], np.uint8),
        opponent=rule.opponent,
        hand_counts=plan.description.has_drops and (not rule.pieces or any(held)),
        in_hand=np.array([bool(hand) for hand in held] or [0], np.uint8),
        hands=np.array([hand[0] if hand else 0 for hand in held] or [0], np.uint8),
    )


def sentences(rule: Extinction, description: Description) -> list[str]:
    who = {(True, True): "A side", (True, False): "White", (False, True): "Black"}[rule.sides]
    end = {"loss": "has lost", "win": "has won", "draw": "draws the game"}[rule.result]
    end += f" if the opponent has at least {rule.opponent}" if rule.opponent else ""
    if not rule.pieces:
        left = f"only {rule.left} piece{'s' * (rule.left > 1)} left" if rule.left else "no pieces left"
        return [f"{who} {'that has' if who == 'A side' else 'with'} {left} {end}."]
    kinds = [name.lower() for name in names(description, rule.pieces)]
    if rule.left:
        return [
            f"{who} with no more than {rule.left} of {listed([kind + 's' for kind in kinds], 'or')} {end}."
        ]
    return [f"{who} without a {listed(kinds, 'or without a')} {end}."]


@inner
def _in_hand(extinction, rules, position, side, kind):
    """How many pieces that count are in the hand of `side`: of the kind with that number, or all."""
    if not extinction.hand_counts:
        return np.int64(0)
    if extinction.kind_count:
        return np.int64(position.hands[side, extinction.hands[kind]]) * np.int64(extinction.in_hand[kind])
    count = np.int64(0)
    for hand in range(rules.hand_kinds):
        count += np.int64(position.hands[side, hand])
    return count


@inner
def _number(extinction, rules, position, side, kind):
    """How many pieces `side` has of the kind with that number, or of all if no kind is named."""
    pieces = load(position, "colours", side)
    if extinction.kind_count:
        kinds = load(position, "movers", extinction.kinds[kind])
        if extinction.has_promoted:
            kinds = kinds | load(position, "movers", extinction.promoted[kind])
        pieces = pieces & kinds
    return popcount(pieces) + _in_hand(extinction, rules, position, side, kind)


@inner
def _is_extinct(extinction, rules, position, side):
    """Whether `side` has too few of a kind that counts."""
    if not extinction.sides[side]:
        return False
    for kind in range(max(1, extinction.kind_count)):
        if _number(extinction, rules, position, side, kind) <= extinction.left:
            if not extinction.opponent:
                return True
            if _number(extinction, rules, position, 1 - side, kind) >= extinction.opponent:
                return True
    return False


@over_rules("extinction")
def extinction_outcome(extinction, outcome, rules, position):
    """The outcome if a side has too few of a kind, else `outcome`. The side that has just moved is checked
    first."""
    side = np.int64(position.side)
    if _is_extinct(extinction, rules, position, 1 - side):
        return np.int64(extinction.outcomes[1])
    if _is_extinct(extinction, rules, position, side):
        return np.int64(extinction.outcomes[0])
    return outcome


MECHANIC = Mechanic(
    of="extinction",
    fact="extinction",
    table=("pieces", "left", "side", "result", "opponent"),
    read=read,
    check=check,
    facts=facts,
    rules=(Rule("extinction", "Special rules", sentences),),
    after_move=extinction_outcome,
    at_setup=extinction_outcome,
    quiet_moves_end=False,
)
