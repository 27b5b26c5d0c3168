"""What the clients of both protocols share: the process, the wait for an answer, and how long it lasts."""

import time
from abc import abstractmethod
from typing import TYPE_CHECKING

from . import player
from .player import Answer, Player, PlayerError, StallError, StartError, Thinking
from .process import EngineProcess

if TYPE_CHECKING:
    from ...engine.game.description import Description
    from ...engine.position import Position


SPEAK_SECONDS = 60.0  # for an engine's first words; what it must prepare comes later
RUNAWAY = 10  # an engine that searches so many times its limit of nodes will not end by itself


class Client(Player):
    """A `Player` that is a process. `command` is the command line as a list; `log` and `environment` are
    those of `EngineProcess`. Raises StartError, with nothing left running."""

    def __init__(self, spec, command, description: "Description", log=None, environment=None) -> None:
        self.spec, self.name, self.description = spec, spec.name, description
        self.own_name = ""
        self.thinking = Thinking()  # the last that it said
        self._own = self._other = spec.control
        self._start = lambda: EngineProcess(spec.name, command, spec.directory, environment, log)
        self._process = self._start()
        try:
            self._introduce()
        except PlayerError as error:
            self.close()
            raise StartError(str(error)) from None
        except BaseException:
            self.close()
            raise

    @property
    def pid(self):
        """The number of the engine's process."""
        return self._process.pid

    def _restart(self):
        """A new process in place of this one."""
        self._process.close()
        self._process = self._start()
        self._introduce()

    @abstractmethod
    def _introduce(self):
        """Gets to know the engine, sets its options and the game, and waits until it is ready."""

    @abstractmethod
    def _ask(self, position, clock, other_clock):
        """Tells the engine to search; whether it goes on with a search begun in its opponent's time."""

    @abstractmethod
    def _read_answer(self, text, position):
        """(move, claim, text) of a line that ends the search, else None. Raises ProtocolError."""

    @abstractmethod
    def _read_thinking(self, text):
        """The `Thinking` that a line adds to the last one, or None."""

    def think(self, position: "Position", clock, other_clock, on_thinking=lambda thinking: None):
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

    def _await(self, patience):
        try:
            return self._process.read(patience.deadline)
        except StallError:
            raise StallError(f"{self.name} {patience.reproach}") from None

    def _wait(self, wanted, seconds, heed=lambda text: None):
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
    """How long to wait for a move: by the clock, or as long as the search goes on."""

    def __init__(self, control, clock) -> None:
        self._control = control
        self._timed = control.movetime is not None or (control.base is not None and clock is not None)
        if self._timed:
            time_left = control.movetime if control.movetime is not None else max(0.0, clock)
            seconds = time_left + player.GRACE_SECONDS
            self.reproach = f"has not answered {player.GRACE_SECONDS:g} s after its time was up"
        else:
            seconds = player.STALL_SECONDS
            self.reproach = f"has said nothing new for {player.STALL_SECONDS:g} s"
        self.deadline = time.monotonic() + seconds

    def progress(self, before, now) -> None:
        """Waits longer for an engine without a clock whose search has come further."""
        further = (now.depth, now.nodes) > (before.depth, before.nodes)
        limit = self._control.nodes
        runaway = limit is not None and now.nodes > RUNAWAY * limit + 1_000_000
        if not self._timed and further and not runaway:
            self.deadline = time.monotonic() + player.STALL_SECONDS
