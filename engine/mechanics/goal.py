"""Goal squares: a side that brings a piece of certain kinds to one of them has won."""

from dataclasses import dataclass
from typing import Any

from ..game.description import Description
from ..game.moves import square_name
from ..game.table_reader import GameReader, TableReader
from ..game.words import article, listed, names, squares_in_words
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import inner, over_rules
from ..representation.geometry import flipped
from .mechanic import Mechanic, Rule
from .outcomes import draw, loss, win

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import bit, load, lsb, without_lsb
    from ..kernel.facts import Facts
    from ..representation.piece_plan import Plan, counted
    from ..representation.reach import reach

RACE = 1200  # centipawns for a king that can reach the goal with one move; divided by more moves
RACE_STEP = 350  # centipawns for each move less, even if the way is closed
RACE_MOVES = 8  # at most
LOST_TO_GOAL = loss("{other} reaches the goal")
WON_BY_HOLDING = win("{mover} holds the goal")
WON_BY_GOAL = win("{mover} reaches the goal, and {other} does not follow")
DRAW_BY_GOAL = draw("Both sides reach the goal")


@dataclass(frozen=True)
class GoalSquares:
    """Squares on which one of these `pieces` wins: White's, and Black's if they are not the mirror image.
    With `reply` Black, who has made one move fewer, may still draw by reaching its goal with the next
    move. With `safe` a piece wins there once it cannot be captured, with `held` if the next move does not
    capture it, with both by either."""

    pieces: str
    squares: tuple[int, ...]
    black: tuple[int, ...] = ()
    reply: bool = False
    safe: bool = False
    held: bool = False


WAYS = {"safe": (True, False), "held": (False, True)}


def read(game: GameReader, table: TableReader) -> GoalSquares:
    black = game.squares(table, "black") if "black" in table.table else ()
    pieces, reply = game.letters(table, "pieces", ...), table.get("reply", bool, False)
    safe = held = table.get("safe", bool, False)
    if "wins" in table.table:
        if safe:
            raise table.error("wins", "cannot be combined with safe = true")
        safe, held = WAYS[table.choice("wins", tuple(WAYS))]
    return GoalSquares(pieces, game.squares(table, "squares"), black, reply, safe, held)


def check(goal: GoalSquares, top: TableReader, description: Description) -> None:
    for key, squares in (("squares", goal.squares), ("black", goal.black)):
        if squares and set(squares) <= set(description.holes):
            there = " and ".join(square_name(square, description.files) for square in squares)
            raise top.error(f"goal.{key}", f"no piece can reach {there}: a hole of the board")
    royal = "".join(piece.letter for piece in description.royals)
    if goal.reply and goal.pieces != royal:
        raise top.error("goal.reply", "is only possible with a goal of the royal piece")
    if (goal.safe or goal.held) and (royal or goal.reply):
        key = "goal.safe" if goal.safe and goal.held else "goal.wins"
        raise top.error(key, "is only possible without a royal piece, and without goal.reply")


def facts(plan: Plan) -> dict[str, Any]:
    """`goal`; `goal_race` if the king has to reach it; and `goal_replies` and `goal_holds`, which
    `movegen.last_reply` uses."""
    goal = plan.description.goal
    if goal is None:
        return {"goal": (), "goal_race": (), "goal_replies": (), "goal_holds": ()}
    squares = sum(1 << square for square in goal.squares)
    black = sum(1 << square for square in goal.black) or flipped(plan.geometry, squares)
    place = Facts(
        "goal",
        squares=plan.table([squares, black]),
        reply=goal.reply,
        safe=goal.safe,
        held=goal.held,
        **counted(members=plan.movers_of(goal.pieces)),
    )
    royal = "".join(piece.letter for piece in plan.description.royals)
    race = Facts("goal-race", squares=plan.table([squares, black]), reply=goal.reply)
    return {
        "goal": (place,),
        "goal_race": (race,) if goal.pieces == royal else (),
        "goal_holds": (place,) if goal.safe or goal.held else (),
        "goal_replies": (Facts("goal-reply", squares=plan.bits(black)),) if goal.reply else (),
    }


def sentences(rule: GoalSquares, description: Description) -> list[str]:
    pieces = listed([article(name) for name in names(description, rule.pieces)], "or")
    squares = squares_in_words(rule.squares, description)
    differ = bool(rule.black) and set(rule.black) != set(rule.squares)
    black = squares_in_words(rule.black, description) if differ else ""
    both = f"{squares}, or Black to {black}," if differ else squares
    if rule.safe or rule.held:
        when = {
            (True, True): "at once if it cannot be captured there, otherwise if the next move does not"
            " capture it",
            (True, False): "as soon as it cannot be captured there",
            (False, True): "if the next move does not capture it there",
        }[rule.safe, rule.held]
        return [f"A side that brings {pieces} to {both} wins: {when}."]
    if rule.reply:
        return [
            f"A side that brings {pieces} to {both} wins. If White does so first, Black draws by doing"
            " so with its next move."
        ]
    if differ:
        return [
            f"White wins at once when it brings {pieces} to {squares}, Black when it brings {pieces} to"
            f" {black}."
        ]
    return [f"A side that brings {pieces} to {squares} wins at once."]


@inner
def on_goal(goal, rules, position, side):
    """The pieces of `side` that count and are on its goal."""
    pieces = rules.empty
    for i in range(goal.member_count):
        pieces = pieces | load(position, "movers", goal.members[i])
    return pieces & goal.squares[side] & load(position, "colours", side)


@inner
def _stands_on_goal(goal, position, side):
    reached = goal.squares[side] & load(position, "colours", side)
    for i in range(goal.member_count):
        if reached & load(position, "movers", goal.members[i]):
            return True
    return False


@over_rules("goal")
def goal_outcome(goal, outcome, rules, position):
    """The outcome if the side that has just moved is on a goal, else `outcome`."""
    if goal.safe or goal.held:
        return outcome
    side = 1 - np.int64(position.side)
    if goal.reply and side == 1 and _stands_on_goal(goal, position, 0):
        return np.int64(DRAW_BY_GOAL) if _stands_on_goal(goal, position, 1) else np.int64(WON_BY_GOAL)
    return np.int64(LOST_TO_GOAL) if _stands_on_goal(goal, position, side) else outcome


@inner
def _moves_to_goal(race, rules, position, side, closed):
    """The moves that the king of `side` needs to reach its goal through squares that are not `closed`; more
    than RACE_MOVES if it cannot."""
    occupied = load(position, "colours", 0) | load(position, "colours", 1)
    front, seen = bit(rules, np.int64(position.kings[side])), closed
    for moves in range(1, RACE_MOVES + 1):
        reached = rules.empty
        while front:
            reached = reached | reach(rules.king.attack, rules, side, lsb(front), occupied)
            front = without_lsb(front)
        front = reached & ~seen
        if front & race.squares[side]:
            return np.int64(moves)
        seen = seen | front
    return np.int64(RACE_MOVES + 1)


@over_rules("goal_race")
def worth_of_race(race, score, rules, position, side, attacked):
    """`score` and the centipawns of the way that the king of `side` has to its goal: the more, the fewer
    moves it takes, and much more if all its squares are free and not `attacked` by the other side."""
    waits = np.int64(position.side != side)
    ahead = RACE_MOVES - _moves_to_goal(race, rules, position, side, rules.empty)
    free = _moves_to_goal(race, rules, position, side, attacked | load(position, "colours", side))
    if free <= RACE_MOVES:
        score += 2 * RACE // (2 * free + waits)
    return score + RACE_STEP * ahead


def mirrors(goal: GoalSquares, description: Description) -> bool:
    files, last = description.files, description.ranks - 1
    mirrored = {(last - square // files) * files + square % files for square in goal.squares}
    return not goal.reply and (not goal.black or mirrored == set(goal.black))


MECHANIC = Mechanic(
    of="goal",
    table=("pieces", "squares", "black", "reply", "safe", "wins"),
    read=read,
    check=check,
    mirrors=mirrors,
    facts=facts,
    rules=(Rule("goal", "Special rules", sentences),),
    after_move=goal_outcome,
    at_setup=goal_outcome,
)
