"""The interface of players of all protocols, and their errors."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ...engine.game.description import Description
    from ...engine.position import Position
    from .control import TimeControl


STARTUP_SECONDS = 600.0  # a first start compiles
STALL_SECONDS = 60.0  # an engine without a clock that says nothing for this long hangs
GRACE_SECONDS = 5.0  # an engine that exceeds its clock by this much hangs
QUIT_SECONDS = 2.0


class PlayerError(RuntimeError):
    """An engine that violated the protocol; the text names it and quotes it."""


class StartError(PlayerError):
    """The engine is missing, does not speak the protocol, or does not play the game."""


class CrashError(PlayerError):
    """The engine's process has ended; the text says with which exit status or signal."""


class DisconnectError(PlayerError):
    """The engine has closed its output but still runs."""


class StallError(PlayerError):
    """The engine does not answer."""


class ProtocolError(PlayerError):
    """The engine gives a meaningless answer, or refuses a legal move or a legal position."""


def verdict(score: int, mate: int | None) -> str:
    """A score in centipawns as people read it: pawns, or the moves to mate."""
    return f"{score / 100:+.2f}" if mate is None else f"{'-' if mate < 0 else '+'}M{abs(mate)}"


class Thinking(NamedTuple):
    """An engine's last report of its search, for the side it plays.

    `score` in centipawns; `mate` in moves, negative when it is being mated, None without one; `seconds` and
    `nodes` as the engine counts them; `line` is the principal variation in our notation as far as it could be
    read.
    """

    depth: int = 0
    seldepth: int = 0
    score: int = 0
    mate: int | None = None
    seconds: float = 0.0
    nodes: int = 0
    line: str = ""

    @property
    def nps(self) -> int:
        """Nodes per second."""
        return int(self.nodes / max(self.seconds, 0.01))

    def for_white(self, colour: int) -> "Thinking":
        """The same with the score in White's view, as in PGN; `colour` is the side that the engine plays."""
        if colour == 0:
            return self
        return self._replace(score=-self.score, mate=None if self.mate is None else -self.mate)

    @property
    def verdict(self) -> str:
        """The score as people read it: pawns, or the moves to mate."""
        return verdict(self.score, self.mate)


class Answer(NamedTuple):
    """The outcome of a search.

    `move` is the engine's move in our notation as far as it could be translated (not tested for legality),
    or None when it made none; then `claim` says what it did: "resign", or the result that it claims ("1-0",
    "0-1", "1/2-1/2") with its reason in `text`. `seconds` are those from just before the request was written
    to when the answer was read, by a monotonic clock. `thinking` is None when the engine said nothing of its
    search.
    """

    move: str | None
    seconds: float
    thinking: Thinking | None
    claim: str | None = None
    text: str = ""


class Player(ABC):
    """One engine process. Made by `start_player`; every method raises PlayerError (one of its kinds)."""

    name: str  # its name in the match
    own_name: str  # the engine's own name; "" if it gives none
    description: "Description"  # of the game that it plays

    @abstractmethod
    def new_game(self, position: "Position", own: "TimeControl", other: "TimeControl", colour: int) -> None:
        """Prepares for a game from `position` (a `Position`, possibly with the moves of the opening) with the
        two `TimeControl`s and as `colour` (0 White, 1 Black); discards earlier games."""

    @abstractmethod
    def think(
        self,
        position: "Position",
        clock: float | None,
        other_clock: float | None,
        on_thinking: Callable[[Thinking], None] = lambda thinking: None,
    ) -> Answer:
        """The engine's `Answer` in `position`, which continues the game of `new_game` by any number of moves.

        `clock` and `other_clock` are seconds left (None without a clock). Raises StallError when it has not
        answered GRACE_SECONDS after its time, or in STALL_SECONDS without one. `on_thinking` is called with
        each new `Thinking`.
        """

    @abstractmethod
    def ponder(self, position: "Position", clock: float | None, other_clock: float | None) -> None:
        """Lets an engine ponder, if its spec asks for it: `position` is that after the engine's own move, the
        clocks are those of `think` as they are now. Returns at once."""

    @abstractmethod
    def end_game(self, position: "Position", score: str, reason: str) -> None:
        """Tells the engine that the game is over: `score` "1-0", "0-1", "1/2-1/2" or "*"."""

    @abstractmethod
    def synchronise(self, seconds: float = 10.0) -> None:
        """Waits until the engine has carried out all commands. Raises StallError."""

    @abstractmethod
    def close(self) -> None:
        """Asks the engine to quit and kills it, with all its children, if it does not. Raises nothing."""
