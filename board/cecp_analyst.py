"""A CECP engine that analyses for the board without limits and stops on command. Methods block, so they run
in a thread of the engine."""

import math
import re
import threading
import time
from collections.abc import Callable, Mapping

from ..engine.position import Position
from ..match.players.cecp import LONG_MOVE, CecpPlayer
from ..match.players.control import TimeControl
from ..match.players.player import PlayerError, StallError, Thinking
from .uci_analyst import POLL_SECONDS, EngineInfo

LAST_WORDS_SECONDS = 0.2  # for the lines of an ended analysis, where the engine knows no `ping`
MULTIPV = "MultiPV"
_NO_MOVE = re.compile(r"\d+\.*|\.+|[<({\[].*|.*[>)}\]]")  # numbers and remarks between the moves of a line


class UnsupportedAnalysisError(PlayerError):
    """The engine works, but cannot do the requested work; the text gives the reason."""


class CecpAnalyst(CecpPlayer):
    """A CECP engine that analyses. It keeps its results while positions continue one game."""

    _start_fen: str | None = None  # of the game that it was told, None before the first

    def analyse(
        self,
        position: Position,
        limits: str,
        options: Mapping[str, object],
        stopped: threading.Event,
        on_info: Callable[[EngineInfo], None],
    ) -> str | None:
        """Analyses as `AsyncEngine.search` says, until the limits end it or `stopped` is set; an engine
        without the option `MultiPV` shows one line. Raises PlayerError; UnsupportedAnalysisError
        where the engine has no analysis mode or cannot be told the position, after which it can still be
        used."""
        if self._features.get("analyze", "1") != "1":  # the protocol's default is that it can
            raise UnsupportedAnalysisError(f"{self.name} cannot analyse: it says analyze=0")
        self._go_to(position)
        lines = int(str(options.get(MULTIPV, 1))) if MULTIPV in self._options else 1
        if MULTIPV in self._options:
            self._process.write(f"option {MULTIPV}={lines}")
        places, sign, best = LineNumbers(lines), -1 if position.turn else 1, None
        kind, *seconds = limits.split()
        self._process.write("analyze")
        deadline = time.monotonic() + (int(seconds[0]) / 1000 if kind == "movetime" else math.inf)
        while not stopped.is_set() and time.monotonic() < deadline:
            try:
                text = self._process.read(min(deadline, time.monotonic() + POLL_SECONDS)).text
            except StallError:
                continue
            thinking = self._read_thinking(text)
            if thinking is None:
                self._heed(text)
            elif moves := moves_of(thinking):
                place = places.of(thinking)
                best = moves[0] if place == 1 else best
                on_info(told(thinking, place, sign))
        self._process.write("exit", "force")
        if self._features["ping"] != "1":
            time.sleep(LAST_WORDS_SECONDS)  # nothing tells when it has ended
        self.synchronise()
        return best

    def _go_to(self, position: Position) -> None:
        """Sends a position to the engine: the moves taken back and played since the last one, or a new
        game."""
        for line in self._process.waiting():
            self._heed_politely(line.text)
        if position.start_fen != self._start_fen:
            self._begin_game(position)
            return
        moves, told = position.moves, self._told
        same = 0
        while same < min(len(moves), len(told)) and moves[same] == told[same]:
            same += 1
        self._process.write(*["undo"] * (len(told) - same))
        self._told = told[:same]
        self._process.write(*self._tell(position))
        self.synchronise()

    def _begin_game(self, position: Position) -> None:
        self._start_fen = None
        away = position.start_fen != self.description.start_fen
        if away and self._features["setboard"] != "1":
            raise UnsupportedAnalysisError(f"{self.name} cannot set up positions: it says setboard=0")
        control = TimeControl(movetime=float(LONG_MOVE))  # CECP requires a limit; analysis ignores it
        self.new_game(position, control, control, position.turn)
        self._start_fen = position.start_fen


class LineNumbers:
    """Assigns numbers to the lines that an engine shows, because CECP does not number them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._depth = 0
        self._first_moves: list[str] = []

    def of(self, thinking: Thinking) -> int:
        """The number of a line, from 1. Lines of one depth with different first moves have different
        numbers."""
        if thinking.depth != self._depth:
            self._depth, self._first_moves = thinking.depth, []
        move = moves_of(thinking)[0]
        if move not in self._first_moves:
            if len(self._first_moves) == self._most:
                self._first_moves = []
            self._first_moves.append(move)
        return self._first_moves.index(move) + 1


def told(thinking: Thinking, place: int, sign: int) -> EngineInfo:
    """A line in the form of `AsyncEngine.search`, in White's view; `sign` is 1 if White is to move, else
    -1."""
    score = {"cp": sign * thinking.score} if thinking.mate is None else {"mate": sign * thinking.mate}
    return {
        "multipv": place,
        "depth": thinking.depth,
        "seldepth": thinking.seldepth,
        "nodes": thinking.nodes,
        "nps": thinking.nps,
        "time": round(1000 * thinking.seconds),
        "pv": moves_of(thinking),
    } | score


def moves_of(thinking: Thinking) -> list[str]:
    """The moves of a line, without the numbers and remarks that some engines put between them."""
    return [word for word in thinking.line.split() if not _NO_MOVE.fullmatch(word)]
