"""Kings that face each other on a rank or a file with nothing in between.

Depending on the game, the move that exposes them loses at once, or the game is drawn if they still face each
other after the reply (bikjang), or no move may expose them, and each king forbids the other one's squares
(`stares`). With `part` a side that finds the kings facing each other must end that, or pass."""

from dataclasses import dataclass
from typing import Any

from ..game.description import Description
from ..game.table_reader import GameReader, TableReader
from ..game.words import king_name, listed
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import inner, over_rules
from .mechanic import Mechanic, Rule
from .outcomes import draw, win

with deferred_imports():
    import numpy as np

    from ..kernel.bitboard import bit, has, load
    from ..kernel.facts import Facts
    from ..representation.piece_plan import Plan, counted
    from ..representation.position_record import source_of, target_of
    from ..representation.reach import line_attacks

LINE_OF = {"rank": 0, "file": 1}  # index among the lines of a rook


DRAW_BY_FACING = draw("Bikjang: the kings kept facing each other")
WON_BY_FACING = win("{other} exposed the kings to each other")


@dataclass(frozen=True)
class FacingKings:
    """Kings that face each other on `lines` ("rank", "file"), with a `result`. `lasting`: only if they still
    do after the next move. `part`: the next move must end it, unless it is a pass, which is legal even in
    check."""

    lines: frozenset[str]
    lasting: bool
    result: str  # "loss" of the side that moved, "draw", or "illegal": no move may lead there
    part: bool = False


def read(game: GameReader, table: TableReader) -> FacingKings:
    return FacingKings(
        table.choices("lines", ("file", "rank"), ["file"]),
        table.get("lasting", bool, False),
        table.choice("result", ("loss", "draw", "illegal")),
        table.get("part", bool, False),
    )


def check(facing: FacingKings, top: TableReader, description: Description) -> None:
    if facing.result == "illegal" and facing.lasting:
        raise top.error("facing_kings.lasting", "cannot be combined with result = 'illegal'")
    if facing.part and not (facing.lasting and facing.result == "draw" and description.passing):
        raise top.error("facing_kings.part", "needs lasting = true, result = 'draw' and [passing]")


def facts(plan: Plan) -> dict[str, Any]:
    facing = plan.description.facing_kings
    if facing is None:
        return {"facing": (), "stares": (), "parting": ()}
    lines = sorted(LINE_OF[line] for line in facing.lines)
    if facing.result == "illegal":
        return {"facing": (), "stares": (_stare(plan, lines),), "parting": ()}
    rule = Facts(
        "facing",
        **counted(lines=lines),
        lasting=facing.lasting,
        outcome=WON_BY_FACING if facing.result == "loss" else DRAW_BY_FACING,
    )
    return {"stares": (), "facing": (rule,), "parting": (rule,) if facing.part else ()}


def _stare(plan: Plan, lines: list[int]) -> Facts:
    """The lines on which kings face each other, and for each square all squares on them."""
    rays = [[plan.geometry.rays(s, plan.lines[line]) for line in lines] for s in range(plan.geometry.squares)]
    return Facts(
        "stare",
        **counted(lines=lines),
        cross=plan.table([sum(below | above for below, above in row) for row in rays]),
    )


def sentences(rule: FacingKings, description: Description) -> list[str]:
    king = king_name(description)
    lines = listed([f"a {line}" for line in sorted(rule.lines, reverse=True)], "or")
    if rule.result == "illegal":
        return [f"No move may let the two {king}s face each other along {lines} with nothing between."]
    seen = f"the two {king}s face each other along {lines} with nothing between"
    when = f"When {seen} after a move" + (" and still after the reply" if rule.lasting else "")
    end = "the game is drawn" if rule.result == "draw" else "whoever moved last loses"
    found = [f"{when}, {end}."]
    if rule.part:
        found.append("The reply must end that, or be a pass, which is legal even in check.")
    return found


@inner
def _face(facing, rules, position):
    first, second = np.int64(position.kings[0]), np.int64(position.kings[1])
    occupied = load(position, "colours", 0) | load(position, "colours", 1)
    return _meet(facing, rules, first, second, occupied)


@inner
def _meet(facing, rules, first, second, occupied):
    """Whether kings on two squares face each other with blockers `occupied`."""
    for i in range(facing.line_count):
        if has(line_attacks(rules, facing.lines[i], first, occupied), second):
            return True
    return False


@over_rules("parting")
def kings_must_part(facing, found, rules, position):
    """Whether the side to move must end that the kings face each other, or pass; else `found`."""
    return _face(facing, rules, position)


@over_rules("parting")
def parting_moves(facing, end, rules, out, position, first):
    """The end of the moves listed from `first` to `end` after which the kings do not face each other."""
    side = np.int64(position.side)
    occupied = load(position, "colours", 0) | load(position, "colours", 1)
    kept = np.int64(first)
    for i in range(first, end):
        move = np.int64(out.moves[i])
        source, target = source_of(move), target_of(move)
        king = target if source == position.kings[side] else np.int64(position.kings[side])
        after = (occupied & ~bit(rules, source)) | bit(rules, target)
        if not _meet(facing, rules, king, np.int64(position.kings[1 - side]), after):
            out.moves[kept] = np.uint32(move)
            kept += 1
    return kept


@over_rules("facing")
def facing_outcome(facing, outcome, rules, child, parent):
    """The outcome of the move from `parent` to `child`; `outcome` if the kings decide nothing."""
    if not _face(facing, rules, child):
        return outcome
    if facing.lasting and not _face(facing, rules, parent):
        return outcome
    return np.int64(facing.outcome)


@over_rules("facing")
def facing_at_once(facing, outcome, rules, position):
    """The outcome of a position without history."""
    if not facing.lasting and _face(facing, rules, position):
        return np.int64(facing.outcome)
    return outcome


MECHANIC = Mechanic(
    of="facing_kings",
    table=("lines", "lasting", "part", "result"),
    read=read,
    check=check,
    facts=facts,
    rules=(Rule("facing kings", "Special rules", sentences),),
    after_move=facing_outcome,
    at_setup=facing_at_once,
)
