"""The engine's clock: the GUI's settings for the moves of a game, and the remaining time, in seconds."""

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...search.time_management import MOVE_OVERHEAD, Clock, Limit, game_ply, time_budget

if TYPE_CHECKING:
    from ...engine.position import Position
    from .search_thread import SearchThread

MIN_CLOCK_S = 0.05  # an engine whose flag has fallen still has to move


@dataclass
class ClockSettings:
    """The limits of thinking: a clock, seconds per move, a depth, or nodes as time."""

    moves: int = 40  # moves in each session; 0 if `base` is for the whole game
    base: float = 300.0
    increment: float = 0.0
    per_move: float | None = None  # if set, the time of every move without a clock; 0: the rest of the clock
    depth: int | None = None  # plies, in addition to either
    node_rate: int | None = None  # if set, nodes that count as a second; 0: seconds of the processor
    since: int = 0  # half moves of the game that were made when `moves` was told

    def moves_to_go(self, ply: int) -> int | None:
        """Moves to the next time control for the side to move, `ply` half moves after the start."""
        return self.moves - max(0, ply - self.since) // 2 % self.moves if self.moves else None

    def nodes(self, seconds: float) -> int:
        """The nodes that count as that many seconds, at least 1."""
        assert self.node_rate is not None
        return max(1, int(seconds * self.node_rate))


class EngineClock:
    """The clock of the engine, for either colour, and the limits of its searches."""

    def __init__(self) -> None:
        self.control = ClockSettings()
        self.remaining = self.control.base
        self.overhead = MOVE_OVERHEAD  # seconds of each move that are lost in communication with the GUI
        self.late = 0.0  # seconds that the current command has waited for a game to be loaded
        self.is_awaited = False  # a GUI was told to begin before that game was loaded
        self.spent = 0.0  # seconds spent on the current move before a pause

    def reset(self) -> None:
        """Sets the clock to the time of the first session."""
        self.remaining = self.control.base

    def limit(self, position: "Position") -> Limit:
        """The search time if the move must be sent within that many seconds."""
        limit = self._node_limit(position) if self.control.node_rate else self._time_limit(position)
        return replace(limit, depth=self.control.depth)

    def movetime(self, seconds: float) -> float:
        """How long to search when the move has to be there after so many seconds."""
        return max(seconds - self.overhead, seconds / 2)

    def without_delay(self, limit: Limit) -> Limit:
        """The limit minus the time that the command has waited while the GUI's clock was running."""
        if not self.late:
            return limit
        if limit.time is not None:
            limit = replace(limit, time=max(0.0, limit.time - self._late_for_a_move()))
        if limit.clock is not None:
            left = max(MIN_CLOCK_S, limit.clock.remaining - self.late)
            limit = replace(limit, clock=limit.clock._replace(remaining=left))
        return limit

    def begin_move(self, spent: float) -> None:
        """Starts the engine's time; `spent` seconds of it were used before, and `gone` seconds since the
        command came."""
        self.remaining -= self.late
        self.spent = spent + self._late_for_a_move()

    def _late_for_a_move(self) -> float:
        """The part of the wait that counts against a fixed time for a move: none if no GUI waits for the
        move, as in a script, whose commands come before the game can be loaded."""
        return self.late if self.is_awaited else 0.0

    def interrupt_move(self, search: "SearchThread") -> None:
        """Takes the time of a finished search off the clock; its move is not made yet."""
        elapsed = self._elapsed(search)
        self.remaining -= elapsed
        self.spent += elapsed

    def end_move(self, search: "SearchThread", ply: int) -> None:
        """Charges a finished search, and adds the increment for its move, `ply` half moves after the
        start."""
        self.remaining += self.control.increment - self._elapsed(search)
        if self.control.moves and self.control.moves_to_go(ply) == 1:
            self.remaining += self.control.base
        self.spent = 0.0

    def _elapsed(self, search: "SearchThread") -> float:
        if self.control.node_rate:
            return search.nodes / self.control.node_rate
        return time.monotonic() - search.started

    def _time_limit(self, position: "Position") -> Limit:
        seconds = self._seconds_per_move()
        if seconds is not None:
            return Limit(time=self.movetime(max(0.0, seconds - self.spent)))
        return Limit(clock=self._search_clock(position))

    def _seconds_per_move(self) -> float | None:
        """The fixed time of every move; None if the engine distributes the clock's time. A fraction of a
        second that was rounded down to 0 is on the clock."""
        if self.control.per_move == 0:
            return min(max(self.remaining, MIN_CLOCK_S), 1.0)
        return self.control.per_move

    def _search_clock(self, position: "Position") -> Clock:
        control = self.control
        moves_to_go = control.moves_to_go(position.ply)
        return Clock(max(self.remaining, MIN_CLOCK_S), control.increment, moves_to_go)

    def _node_limit(self, position: "Position") -> Limit:
        """The node limit if nodes are the time: all nodes of a move's time, or of its share of the clock.

        No time is measured, so with one thread the same game is played every time. Several threads share the
        nodes, and their shares depend on the system."""
        seconds = self._seconds_per_move()
        if seconds is not None:
            seconds = max(0.0, seconds - self.spent)
        else:
            # Imported after a game is loaded, because it imports the compiler.
            from ...search.tree.tunable import tuned_facts

            numbers, clock = tuned_facts(position.rules), self._search_clock(position)
            seconds = time_budget(numbers, clock, None, ply=game_ply(position)).soft
        return Limit(nodes=self.control.nodes(seconds))
