"""How long to think: from a clock or a fixed time to a soft and a hard limit, in seconds."""

from typing import NamedTuple

MOVE_OVERHEAD = 0.05  # seconds kept back for pipes and GUIs
MOVES_TO_GO = 28  # moves that the remaining time should last for when the control does not say
INCREMENT_SHARE = 0.8
HARD_FACTOR = 4.0  # a troubled search may use so many times its share
HARD_SHARE = 0.4  # but never more of the clock than this
SOFT_STOP = 0.6  # no new iteration after this part of the share: it would not finish


class Clock(NamedTuple):
    """The mover's clock in seconds; `moves_to_go` until the next control, None for the rest of the game."""

    remaining: float
    increment: float = 0.0
    moves_to_go: int | None = None


class Limits(NamedTuple):
    """Seconds after which no iteration begins, and after which the search is stopped."""

    soft: float = float("inf")
    hard: float = float("inf")


def limits_for(clock, movetime):
    """The `Limits` of a search by `clock` or by `movetime` seconds; without either there are none."""
    if movetime is not None:
        return Limits(hard=max(0.0, movetime))
    if clock is None:
        return Limits()
    usable = max(0.0, clock.remaining - MOVE_OVERHEAD)
    moves = min(clock.moves_to_go or MOVES_TO_GO, MOVES_TO_GO)
    share = usable / moves + INCREMENT_SHARE * clock.increment
    # Before a control the last move may use the whole rest.
    most = usable * max(HARD_SHARE, 0.9 / moves)
    return Limits(soft=min(share * SOFT_STOP, most), hard=min(share * HARD_FACTOR, most))
