"""Time management: from a clock or a fixed time to the seconds of one move, and the timer that enforces them.

The functions on numbers (`moves_left`, `soft_and_hard`, `stretch`) do not care what the clock counts: seconds
here, nodes in games that are compiled as a whole. They are plain Python, which self-play compiles; nothing in
this module waits for the compiler."""

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ..engine.game.arguments import check_number, check_range

if TYPE_CHECKING:
    from ..engine.position import Position
    from .stop import Stop

MOVE_OVERHEAD = 0.03  # seconds kept back for pipes and GUIs
RESERVE = 0.2  # seconds of the clock that are never planned for: a busy machine may stall that long
RESERVE_SHARE = 0.25  # but at most this part of the clock where the move earns no increment
INCREMENT_SHARE = 0.85  # of an increment that is planned for
LAG_RATE = 0.125  # part of the newest sample in the mean lag
MOST_LAG_S = 1.0  # of a sample: the clock stood, or the GUI was paused, if more is missing
LEAST_LAG_S = -0.05  # the clock was changed, if there is more on it than should be
PONDERHIT_POLL_S = 0.005  # between looks for the ponder hit, once there is nothing more to search


class Clock(NamedTuple):
    """The clock of the side to move, in seconds.

    `increment` is added with each move. `moves_to_go` is the number of moves until the next time control,
    None for the rest of the game."""

    remaining: float
    increment: float = 0.0
    moves_to_go: int | None = None


@dataclass(frozen=True)
class Limit:
    """The end of a search: `time` in seconds, `depth` in plies, `nodes` of all threads, a `mate` in that many
    moves or fewer, or a `clock`. Without any of them a search runs until it is stopped."""

    time: float | None = None
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    clock: Clock | None = None

    def check(self) -> None:
        """Raises ValueError for an invalid limit: below 1 (depth, nodes, mate, moves_to_go), below 0 or not a
        number (time), not a number (clock, increment). Raises TypeError for a limit of another type."""
        for name in ("depth", "nodes", "mate"):
            value = getattr(self, name)
            if value is not None:
                check_number(name, value, whole=name != "nodes")
                if not value >= 1:
                    raise ValueError(f"{name} {value} should be at least 1")
        times: dict[str, object] = {} if self.time is None else {"movetime": self.time}
        if self.clock is not None:
            if not isinstance(self.clock, Clock):
                raise TypeError(f"clock {self.clock!r} should be a Clock, as in Clock(remaining=60.0)")
            times |= {"clock": self.clock.remaining, "increment": self.clock.increment}
            if self.clock.moves_to_go is not None:
                check_range("moves_to_go", self.clock.moves_to_go, 1)
        for name, seconds in times.items():
            _check_seconds(name, seconds)
        if self.time is not None and self.time < 0:
            raise ValueError(f"movetime {self.time} should not be negative")


def _check_seconds(name: str, seconds: object) -> None:
    """Raises TypeError, ValueError unless the value of an argument is a number of seconds, which may be
    infinite."""
    check_number(name, seconds)
    try:
        invalid = math.isnan(seconds)  # type: ignore[arg-type]  # it is a number
    except OverflowError:
        raise ValueError(f"{name} of more than 10**300 should be a number of seconds") from None
    if invalid:
        raise ValueError(f"{name} {seconds} should be a number of seconds")


class TimeBudget(NamedTuple):
    """The seconds after which a normal search begins no further iteration, and after which it is stopped."""

    soft: float = float("inf")
    hard: float = float("inf")


def game_ply(position: "Position") -> int:
    """Half moves since the start of the game, by the move number; those before the position was set up count
    as well."""
    state = position.state
    return 2 * (max(1, int(state["fullmoves"])) - 1) + int(state["side"])


class ClockLag:
    """What a move costs a clock besides its search: in pipes and the GUI, or because the machine is busy.

    `seconds` is the mean, learned from the clocks of one player's moves that follow each other."""

    def __init__(self) -> None:
        self.seconds = 0.0
        # The half moves of the game at the player's next move, and what the clock should show there.
        self._expected = (-1, 0.0)

    def see(self, clock: Clock | None, ply: int) -> None:
        """Learn from the clock that the player of the move after `ply` half moves was given."""
        expected_ply, remaining = self._expected
        if clock is None or ply != expected_ply:
            return
        lag = remaining - clock.remaining
        if lag >= LEAST_LAG_S:
            self.seconds += LAG_RATE * (min(lag, MOST_LAG_S) - self.seconds)

    def searched(self, clock: Clock | None, ply: int, seconds: float) -> None:
        """Note that the search of this move took so many seconds of the clock."""
        if clock is not None:
            self._expected = ply + 2, clock.remaining - seconds + clock.increment


def time_budget(
    numbers: Any,
    clock: Clock | None,
    movetime: float | None,
    overhead: float = MOVE_OVERHEAD,
    ply: int = 0,
    lag: float = 0.0,
) -> TimeBudget:
    """The `TimeBudget` of a search by `clock`, or by `movetime` seconds; unlimited without either.

    `overhead` seconds of the clock are kept back. A move costs the clock `lag` seconds besides its search, so
    that much of an increment cannot be planned for. `numbers` are those of the search, as attributes
    (`tuned_facts`); the position is `ply` half moves after the start of the game."""
    if movetime is not None:
        return TimeBudget(hard=max(0.0, movetime))
    if clock is None:
        return TimeBudget()
    expected = moves_left(numbers, ply)
    moves = min(clock.moves_to_go or expected, expected)
    returned = max(0.0, min(INCREMENT_SHARE * clock.increment, clock.increment - lag))
    there = max(0.0, clock.remaining - overhead - min(RESERVE, RESERVE_SHARE * clock.remaining))
    # With an increment the clock can stay above the whole reserve: below it a move uses what it gets back.
    usable = max(0.0, clock.remaining - overhead - RESERVE) if clock.increment else there
    return TimeBudget(*soft_and_hard(numbers, usable, there, returned, moves))


def moves_left(tuned: Any, ply: int) -> int:
    """The number of moves for which a player's clock should last, `ply` half moves after the start of the
    game."""
    left: int = max(tuned.time_least_moves, tuned.time_moves - ply // 2)
    return left


def soft_and_hard(
    tuned: Any, usable: float, there: float, returned: float, moves: int
) -> tuple[float, float]:
    """(soft, hard) limit of a move, in the units of the clock, which must last for `moves` moves. `usable` of
    the clock can be planned for, and `returned` comes back with each move. If the clock (`there`) is below
    that, only `returned` is spent."""
    share = usable / moves + returned
    # Before a control the last move may use the whole rest.
    most = max(usable * max(tuned.time_most / 100, 0.9 / moves), min(there * tuned.time_most / 100, returned))
    return min(share, most), min(share * tuned.time_hard / 100, most)


def stretch(tuned: Any, stable: int, drop: int, share: float) -> float:
    """The factor on the soft limit after an iteration: `stable` iterations had the same best move, the score
    fell by `drop` centipawns, and the best move took that `share` of the iteration's nodes."""
    steps = min(stable, tuned.time_stable_steps) / tuned.time_stable_steps
    steadiness = tuned.time_unstable + (tuned.time_stable - tuned.time_unstable) * steps
    trouble = 1000 + tuned.time_drop * drop
    trouble = max(10 * tuned.time_least_trouble, min(10 * tuned.time_most_trouble, trouble)) / 1000
    factor: float = steadiness / 100 * trouble * (tuned.time_effort_base - tuned.time_effort * share) / 100
    return factor


class Ponder:
    """Pondering: a search that is given this ignores its clock until `hit` is called."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hit = False
        self._begin: Callable[[], object] | None = None

    @property
    def is_hit(self) -> bool:
        """Whether the expected move was played."""
        return self._hit

    def hit(self) -> None:
        """Report that the expected move was played: the time of the search starts."""
        with self._lock:
            self._hit, begin = True, self._begin
        if begin:
            begin()

    def bind(self, begin: Callable[[], object]) -> None:
        """Call `begin` at the hit, or at once if it has happened."""
        with self._lock:
            self._begin, late = begin, self._hit
        if late:
            begin()


class SearchTimer:
    """Enforces the `TimeBudget` of a search: the soft limit between iterations, the hard one by a timer. With
    a `ponder`, the limits start at its hit; until then only `stop` ends the search."""

    def __init__(self, budget: TimeBudget, stop: "Stop", ponder: Ponder | None) -> None:
        self._budget, self._stop, self._ponder = budget, stop, ponder
        self._started = time.perf_counter()
        self._timer: threading.Timer | None = None
        self._expired = False  # the soft limit has passed, but it is still the other side's time

    def start(self) -> None:
        """Start the hard limit's timer, now or at the ponder hit."""
        if self._ponder is None:
            self._arm()
        else:
            self._ponder.bind(self._arm)

    def _arm(self) -> None:
        if self._expired:
            self._stop.set()
        if self._budget.hard == float("inf"):
            return
        spent = self.elapsed() if self._ponder is None else 0.0
        seconds = min(max(0.0, self._budget.hard - spent), threading.TIMEOUT_MAX)
        self._timer = threading.Timer(seconds, self._stop.set)
        self._timer.daemon = True
        self._timer.start()

    def cancel(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()

    def elapsed(self) -> float:
        """Seconds since the search began."""
        return time.perf_counter() - self._started

    def is_pondering(self) -> bool:
        """Whether the search still runs in the opponent's time."""
        return self._ponder is not None and not self._ponder.is_hit

    def is_time_up(self, factor: float) -> bool:
        """Whether the soft limit, times `factor`, has passed, so that no further iteration may begin."""
        self._expired = self.elapsed() >= self._budget.soft * factor
        return self._expired and not self.is_pondering()

    def await_hit(self) -> None:
        """Wait until the ponder hit, or until the search is stopped."""
        while self.is_pondering() and not self._stop.is_set():
            time.sleep(PONDERHIT_POLL_S)
