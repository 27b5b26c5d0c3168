"""How long to think: from a clock in seconds, or a fixed time, to a soft and a hard limit. `timing` shares
out what the clock can spare."""

from typing import TYPE_CHECKING, Any, NamedTuple

from .timing import INCREMENT_SHARE, moves_left, soft_and_hard

if TYPE_CHECKING:
    from ..engine.position import Position

MOVE_OVERHEAD = 0.03  # seconds kept back for pipes and GUIs
RESERVE = 0.2  # seconds of the clock that are never planned for: a busy machine may stall that long
RESERVE_SHARE = 0.25  # but at most this part of the clock where the move earns no increment


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


def game_ply(position: "Position") -> int:
    """Half moves since the start of the game, by the number of the move: those before the position was set up
    count as well."""
    state = position.state
    return 2 * (max(1, int(state["fullmoves"])) - 1) + int(state["side"])


def limits_for(
    numbers: Any,
    clock: Clock | None,
    movetime: float | None,
    overhead: float = MOVE_OVERHEAD,
    ply: int = 0,
) -> Limits:
    """The `Limits` of a search by `clock`, of which `overhead` seconds are lost to others with each move, or
    by `movetime` seconds; without either there are none.

    `numbers` are those of the search, as attributes (`tuned_facts`); the position stands `ply` half moves
    after the start of the game."""
    if movetime is not None:
        return Limits(hard=max(0.0, movetime))
    if clock is None:
        return Limits()
    expected = moves_left(numbers, ply)
    moves = min(clock.moves_to_go or expected, expected)
    returned = INCREMENT_SHARE * clock.increment
    there = max(0.0, clock.remaining - overhead - min(RESERVE, RESERVE_SHARE * clock.remaining))
    # With an increment the clock can stay above the whole reserve: below it a move uses what it gets back.
    usable = max(0.0, clock.remaining - overhead - RESERVE) if returned else there
    return Limits(*soft_and_hard(numbers, usable, there, returned, moves))
