"""How a player shares out a clock among its moves, whatever the clock counts: seconds, or nodes in compiled
games.

`tuned` are numbers of the search (`tree.tunable`), as attributes. Plain Python, which `duel` and `selfplay`
compile: a session that only tells of itself must not wait for the compiler."""

from typing import Any

INCREMENT_SHARE = 0.85  # of an increment that is planned for


def moves_left(tuned: Any, ply: int) -> int:
    """The moves that a player's clock should last for, `ply` half moves after the start of the game."""
    left: int = max(tuned.time_least_moves, tuned.time_moves - ply // 2)
    return left


def soft_and_hard(
    tuned: Any, usable: float, there: float, returned: float, moves: int
) -> tuple[float, float]:
    """(soft, hard) limit of a move, in the units of the clock, which is to last for `moves` moves.

    `usable` of the clock can be planned for, and `returned` comes back with each move; what stands below
    that, `there` being the whole, only the latter is spent of."""
    share = usable / moves + returned
    # Before a control the last move may use the whole rest.
    most = max(usable * max(tuned.time_most / 100, 0.9 / moves), min(there * tuned.time_most / 100, returned))
    return min(share, most), min(share * tuned.time_hard / 100, most)


def stretch(tuned: Any, stable: int, drop: int, share: float) -> float:
    """The factor on the soft limit after an iteration.

    `stable` iterations had the same best move, the score fell by `drop` centipawns, and the best move took
    that `share` of the iteration's nodes."""
    steps = min(stable, tuned.time_stable_steps) / tuned.time_stable_steps
    steadiness = tuned.time_unstable + (tuned.time_stable - tuned.time_unstable) * steps
    trouble = 1000 + tuned.time_drop * drop
    trouble = max(10 * tuned.time_least_trouble, min(10 * tuned.time_most_trouble, trouble)) / 1000
    factor: float = steadiness / 100 * trouble * (tuned.time_effort_base - tuned.time_effort * share) / 100
    return factor
