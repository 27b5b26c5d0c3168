"""A side that has given a fixed number of checks has won. The position has in `checks` the number that each
side still needs."""

import re
from typing import Any

from ..game.description import Description
from ..game.fen_error import FenError, shown
from ..game.state_fields import StateField
from ..game.words import ORDINALS
from ..kernel.deferred import deferred_imports
from ..kernel.deferred_decorators import over_rules
from .mechanic import FenField, Mechanic, Rule
from .outcomes import loss

with deferred_imports():
    import numpy as np

    from ..kernel.facts import Facts
    from ..representation.piece_plan import Plan

ZOBRIST_SEED = 0x3C
_CHECKS = re.compile(r"(\+?)(\d)\+(\d)", re.ASCII)
LOST_BY_CHECKS = loss("{other} has given enough checks")
# Centipawns that a side has gained when it needs one more check; divided by the square of more
LAST_CHECK = 450
CHECK_PLIES = 2  # of quiescence in which all checks are tried


def read_fen(words: list[str], description: Description, notes: list[str]) -> tuple[int, ...]:
    """The number of checks that each side still needs: `3+3` among the counters, or `+0+0`, the checks that
    each side has given, as Lichess writes them. Without the field none have been given."""
    limit = description.check_limit
    found = [word for word in words if "+" in word]
    if not found or not (limit or _CHECKS.fullmatch(found[0])):
        return (limit, limit) if limit else ()
    words.remove(found[0])
    if not limit:
        notes.append(f"checks: {found[0]!r} is ignored: {description.name} does not count checks")
        return ()
    match = _CHECKS.fullmatch(found[0])
    counts = [int(count) for count in match.groups()[1:]] if match else [limit + 1]
    if match and match[1]:
        counts = [limit - count for count in counts]
    if not match or len(found) > 1 or not all(0 <= count <= limit for count in counts):
        raise FenError(
            f"checks: {shown(found[-1])} should be the checks that each side needs, like '{limit}+{limit}', "
            "or has given, like '+0+0'"
        )
    return (counts[0], counts[1])


def check_fen(checks: tuple[int, ...], side: int) -> None:
    if checks and checks[side] == 0:
        raise FenError(
            "checks: the side to move has given all its checks already; the other one cannot have moved"
        )


def write_fen(checks: tuple[int, ...]) -> str:
    return f"{checks[0]}+{checks[1]}"


def key_of(rules: Any, state: Any) -> int:
    """The part of a position's key."""
    found = 0
    for count in rules.check_count:
        for side in (0, 1):
            found ^= int(count.zobrist[side, count.limit]) ^ int(count.zobrist[side, state["checks"][side]])
    return found


def facts(limit: int, plan: Plan) -> Facts:
    rng = np.random.Generator(np.random.PCG64(ZOBRIST_SEED))
    keys = rng.integers(0, 1 << 64, (2, limit + 1), np.uint64)
    return Facts("check-count", limit=limit, zobrist=keys)


def sentences(limit: int, description: Description) -> list[str]:
    return [f"A side that gives check for the {ORDINALS[limit]} time wins at once."]


@over_rules("check_count")
def check_outcome(count, outcome, rules, child, parent, action, check):
    """Updates `child` if the move gave `check`; returns the outcome if it was the last one needed."""
    if not check:
        return outcome
    side = 1 - np.int64(child.side)
    before = np.int64(child.checks[side])
    child.checks[side] = np.uint8(before - 1)
    number = count.zobrist[side, before] ^ count.zobrist[side, before - 1]
    child.key ^= number
    child.repetition_key ^= number
    return np.int64(LOST_BY_CHECKS) if before == 1 else outcome


@over_rules("check_count")
def checks_at_once(count, outcome, rules, position):
    """The outcome of a position without history, in which all checks may have been given."""
    if position.checks[1 - np.int64(position.side)] == 0:
        return np.int64(LOST_BY_CHECKS)
    return outcome


@over_rules("check_count")
def worth_of_checks(count, score, rules, position, side):
    """`score` and the centipawns that the checks given by `side` are worth."""
    needed = max(np.int64(1), np.int64(position.checks[side]))
    return score + LAST_CHECK // (needed * needed)


@over_rules("check_count")
def danger_of_checks(count, danger, rules, position, side):
    """The `danger` for the king that `side` attacks: the larger, the fewer checks that side needs."""
    return danger + 2 * danger // max(np.int64(1), np.int64(position.checks[side]))


@over_rules("check_count")
def counts_checks(count, found, rules):
    """Whether checks win."""
    return True


@over_rules("check_count")
def loses_by_a_check(count, found, rules, position):
    """Whether one more check by the other side ends the game."""
    return position.checks[1 - np.int64(position.side)] == 1


@over_rules("check_count")
def tries_checks(count, found, rules, position, depth):
    """Whether quiescence, at `depth` 0 or less, tries checks that do not capture."""
    return depth > -CHECK_PLIES or position.checks[np.int64(position.side)] == 1


MECHANIC = Mechanic(
    of="check_limit",
    fact="check_count",
    read_key=lambda table, key: table.number(key, 1, 9, 0),
    facts=facts,
    rules=(Rule("counted checks", "Special rules", sentences),),
    state=StateField("checks", facts="check_count"),
    fen=FenField("checks", read_fen, key_of, write_fen, check_fen),
    after_move=check_outcome,
    at_setup=checks_at_once,
    quiet_moves_end=False,
)
