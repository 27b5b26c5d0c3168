"""How long to think: from a clock or a fixed time to a soft and a hard limit, and how a search stretches
them."""

from typing import NamedTuple

MOVE_OVERHEAD = 0.03  # seconds kept back for pipes and GUIs
RESERVE = 0.2  # seconds of the clock that are never planned for: a busy machine may stall that long
RESERVE_SHARE = 0.25  # but at most this part of the clock where the move earns no increment
MOVES_TO_GO = 32  # moves that the remaining time should last for when the control does not say
INCREMENT_SHARE = 0.85
HARD_FACTOR = 5.0  # a troubled search may use so many times its share
HARD_SHARE = 0.35  # but never more of the clock than this

# An iteration that ends after the soft limit times a factor is the last. The factor is a product:
STABLE_MOST, STABLE_LEAST, STABLE_STEPS = (
    1.4,
    0.6,
    7,
)  # by the iterations that the best move has stayed the same
DROP_SCORE, DROP_MOST = 60, 1.6  # by what the score has fallen since the iteration before: centipawns, factor
EFFORT_BASE, EFFORT_WEIGHT = 1.5, 0.9  # by the share of nodes that the best move took: base - weight * share


class Clock(NamedTuple):
    """The mover's clock in seconds; `moves_to_go` until the next control, None for the rest of the game."""

    remaining: float
    increment: float = 0.0
    moves_to_go: int | None = None


class Limits(NamedTuple):
    """Seconds after which an iteration of a search in no trouble is the last, and after which it is
    stopped."""

    soft: float = float("inf")
    hard: float = float("inf")


def limits_for(clock: Clock | None, movetime: float | None, overhead: float = MOVE_OVERHEAD) -> Limits:
    """The `Limits` of a search by `clock`, of which `overhead` seconds are lost to others with each move, or
    by `movetime` seconds; without either there are none."""
    if movetime is not None:
        return Limits(hard=max(0.0, movetime))
    if clock is None:
        return Limits()
    moves = min(clock.moves_to_go or MOVES_TO_GO, MOVES_TO_GO)
    returned = INCREMENT_SHARE * clock.increment
    there = max(0.0, clock.remaining - overhead - min(RESERVE, RESERVE_SHARE * clock.remaining))
    # With an increment the clock can stay above the whole reserve: below it a move uses what it gets back.
    usable = max(0.0, clock.remaining - overhead - RESERVE) if returned else there
    share = usable / moves + returned
    # Before a control the last move may use the whole rest.
    most = max(usable * max(HARD_SHARE, 0.9 / moves), min(there * HARD_SHARE, returned))
    return Limits(soft=min(share, most), hard=min(share * HARD_FACTOR, most))


def stretch(stable: int, drop: float, share: float) -> float:
    """The factor on the soft limit after an iteration.

    `stable` iterations had the same best move, the score fell by `drop` centipawns, and the best move took
    that `share` of the iteration's nodes."""
    steps = min(stable, STABLE_STEPS) / STABLE_STEPS
    steadiness = STABLE_MOST + (STABLE_LEAST - STABLE_MOST) * steps
    trouble = 1 + (DROP_MOST - 1) * min(max(drop, 0), DROP_SCORE) / DROP_SCORE
    return steadiness * trouble * (EFFORT_BASE - EFFORT_WEIGHT * share)
