"""The common part of the clients of both protocols: the process, the wait for an answer, and its timeouts."""

import time
from abc import abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from . import player
from .player import Answer, Player, PlayerError, StallError, StartError, Thinking
from .process import EngineProcess, OutputLine

if TYPE_CHECKING:
    from ...engine.game.description import Description
    from ...engine.position import Position
    from .control import TimeControl
    from .spec import EngineSpec


SPEAK_SECONDS = 60.0  # for an engine's first output; its preparations come later
RUNAWAY = 10  # an engine that exceeds its node limit by this factor will not end by itself


class Client(Player):
    """A `Player` that is a process; `introduce` comes first. `command` is the command line as a list; `log`
    and `environment` are those of `EngineProcess`. Raises StartError."""

    def __init__(
        self,
        spec: "EngineSpec",
        command: list[str],
        description: "Description",
        log: Path | TextIO | None = None,
        environment: dict[str, str] | None = None,
    ) -> None:
        self.spec, self.name, self.description = spec, spec.name, description
        self.own_name = ""
        self.thinking = Thinking()  # the last report of its search
        self._own = self._other = spec.control
        self._start = lambda: EngineProcess(spec.name, command, spec.directory, environment, log)
        self._process = self._start()

    def introduce(self) -> None:
        """Reads the engine's introduction, sets its options and the game, and waits until it is ready. Raises
        StartError; the process has ended then."""
        try:
            self._introduce()
        except PlayerError as error:
            self.close()
            raise StartError(str(error)) from None
        except BaseException:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """The number of the engine's process."""
        return self._process.pid

    def ended(self) -> bool:
        """Whether the engine's process has ended."""
        return self._process.ended()

    def _restart(self) -> None:
        self._process.close()
        self._process = self._start()
        self._introduce()

    @abstractmethod
    def _introduce(self) -> None:
        """As `introduce`, without closing the engine when it fails."""

    @abstractmethod
    def _ask(self, position: "Position", clock: float | None, other_clock: float | None) -> bool:
        """Tells the engine to search; returns whether it continues a search begun in its opponent's time."""

    @abstractmethod
    def _read_answer(self, text: str, position: "Position") -> tuple[str | None, str | None, str] | None:
        """(move, claim, text) of a line that ends the search, else None. Raises ProtocolError."""

    @abstractmethod
    def _read_thinking(self, text: str) -> Thinking | None:
        """The last `Thinking` with what a line adds to it, or None."""

    def think(
        self,
        position: "Position",
        clock: float | None,
        other_clock: float | None,
        on_thinking: Callable[[Thinking], None] = lambda thinking: None,
    ) -> Answer:
        self.thinking, said = Thinking(), False
        patience = _Patience(self._own, clock)
        started = time.monotonic()
        pondered = self._ask(position, clock, other_clock)
        while True:
            line = self._await(patience)
            if answer := self._read_answer(line.text, position):
                move, claim, text = answer
                seconds = max(0.0, line.at - started)  # an answer may come while the engine still ponders
                return Answer(move, seconds, self.thinking if said else None, claim, text)
            thinking = self._read_thinking(line.text)
            if thinking is not None and (pondered or line.at >= started):
                patience.progress(self.thinking, thinking)
                self.thinking, said = thinking, True
                on_thinking(thinking)

    def _await(self, patience: "_Patience") -> OutputLine:
        try:
            return self._process.read(patience.deadline)
        except StallError:
            raise StallError(f"{self.name} {patience.reproach}") from None

    def _wait(
        self, wanted: Callable[[str], bool], seconds: float, heed: Callable[[str], None] = lambda text: None
    ) -> OutputLine:
        """The first line that is `wanted`; `heed` sees every line before it. Raises StallError."""
        deadline = time.monotonic() + seconds
        while True:
            line = self._process.read(deadline)
            if wanted(line.text):
                return line
            heed(line.text)

    def close(self) -> None:
        self._process.close("quit")


class _Patience:
    """The timeout for a move: by the clock, or while the search makes progress."""

    def __init__(self, control: "TimeControl", clock: float | None) -> None:
        self._control = control
        self._timed = control.movetime is not None or (control.base is not None and clock is not None)
        if self._timed:
            time_left = control.movetime
            if time_left is None:
                assert clock is not None  # see `_timed`
                time_left = max(0.0, clock) + control.byoyomi
            seconds = time_left + player.GRACE_SECONDS
            self.reproach = f"has not answered {player.GRACE_SECONDS:g} s after its time was up"
        else:
            seconds = player.STALL_SECONDS
            self.reproach = f"has said nothing new for {player.STALL_SECONDS:g} s"
        self.deadline = time.monotonic() + seconds

    def progress(self, before: Thinking, now: Thinking) -> None:
        """Extends the timeout of an engine without a clock whose search has progressed."""
        further = (now.depth, now.nodes) > (before.depth, before.nodes)
        limit = self._control.nodes
        runaway = limit is not None and now.nodes > RUNAWAY * limit + 1_000_000
        if not self._timed and further and not runaway:
            self.deadline = time.monotonic() + player.STALL_SECONDS
