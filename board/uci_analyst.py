"""A UCI engine that searches for the board until it is stopped, and shows several lines. Methods block, so
they run in a thread of the engine."""

import math
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from ..engine.position import Position
from ..match.players import player
from ..match.players.notations import UciSpelling
from ..match.players.player import StallError
from ..match.players.uci import NULL_MOVES, UciPlayer, limits_of, parse_info

EngineInfo = dict[str, Any]  # a line of an engine, as `AsyncEngine.search` describes it

POLL_SECONDS = 0.03  # wait of a stop for an engine without output
STOP_SECONDS = 10.0  # an engine hangs if its search continues this long after a stop


class UciAnalyst(UciPlayer):
    """A UCI engine that analyses."""

    def analyse(
        self,
        position: Position,
        limits: str,
        options: Mapping[str, object],
        stopped: threading.Event,
        on_info: Callable[[EngineInfo], None],
    ) -> str | None:
        """Searches as `AsyncEngine.search` says, until the limits end it or `stopped` is set. Raises
        PlayerError."""
        for name, value in options.items():
            self._change(name, str(value))
        self._process.write(self._position(position), f"go {limits}")
        sign, deadline = -1 if position.turn else 1, math.inf
        while True:
            if stopped.is_set() and deadline == math.inf:
                self._process.write("stop")
                deadline = time.monotonic() + STOP_SECONDS
            try:
                text = self._process.read(min(deadline, time.monotonic() + POLL_SECONDS)).text
            except StallError:
                if time.monotonic() >= deadline:
                    raise
                continue
            words = text.split()
            if words[:1] == ["bestmove"]:
                played = words[1:2] and words[1] not in NULL_MOVES
                return self._spelling.read_move(words[1], position) if played else None
            if info := info_of(text, sign, self._spelling):
                on_info(info)

    def _introduce(self) -> None:
        self._values: dict[str, str] = {}  # lower-case name of an option -> what `_change` has set
        super()._introduce()

    def _change(self, name: str, value: str) -> None:
        """Sets an option, unless the engine has none of that name or has that value already."""
        if self.has(name) and self._values.get(name.lower()) != value:
            self._values[name.lower()] = value
            self._process.write(f"setoption name {self._options[name.lower()][0]} value {value}")

    def elo_range(self) -> tuple[int, int] | None:
        """(least, most) of its `UCI_Elo`, or None."""
        if not self.has("UCI_Elo"):
            return None
        least, most = limits_of(self._options["uci_elo"][2])
        return None if least is None or most is None else (least, most)

    def eval_trace(self, position: Position) -> list[str]:
        """The lines with which the engine answers `eval`. Raises PlayerError."""
        lines: list[str] = []
        self._process.write(self._position(position), "eval", "isready")
        self._wait(lambda text: text.strip() == "readyok", player.STARTUP_SECONDS, lines.append)
        return lines


def info_of(text: str, sign: int, spelling: UciSpelling) -> EngineInfo | None:
    """An `info` line with a score and moves, in White's view; None for another line. `sign` is 1 where White
    is to move, else -1."""
    found = parse_info(text)
    if found is None or found.score is None or found.pv is None:
        return None
    kind, number = found.score
    info: EngineInfo = {"multipv": 1, "depth": 0, "nodes": 0, "nps": 0} | found.numbers
    info |= {kind: sign * number, "pv": [spelling.read_move(word) for word in found.pv]}
    return info | ({"bound": True} if found.bound else {})
