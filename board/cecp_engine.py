"""A CECP engine for the page: it analyses without end and stops when told. It does the same as `UciEngine`.

The player of a match speaks the protocol; its methods block, so they run in a thread of the engine.
"""

import asyncio
import math
import re
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from ..match.players.cecp import LONG_MOVE, CecpPlayer
from ..match.players.control import TimeControl
from ..match.players.player import PlayerError, ProtocolError, StallError, StartError, Thinking

if TYPE_CHECKING:
    from ..engine.game.description import Description
    from ..engine.position import Position
    from ..match.players.spec import EngineSpec
    from .uci_engine import EngineInfo

POLL_SECONDS = 0.03  # how long a stop may wait for an engine that says nothing
LAST_WORDS_SECONDS = 0.2  # for the lines of an ended analysis, where the engine knows no `ping`
MULTIPV = "MultiPV"
_NO_MOVE = re.compile(r"\d+\.*|\.+|[<({\[].*|.*[>)}\]]")  # numbers and remarks between the moves of a line


class UnableError(PlayerError):
    """The engine works, but cannot do what it is asked for; the text says what."""


class Analyst(CecpPlayer):
    """A CECP engine that analyses. It keeps what it found while positions continue one game."""

    _start_fen: str | None = None  # of the game that it was told, None before the first

    @property
    def analyses(self) -> bool:
        """Whether the engine has an analysis mode; the protocol's default is that it has."""
        return self._features.get("analyze", "1") == "1"

    def analyse(
        self,
        position: "Position",
        lines: int,
        seconds: float,
        stopped: threading.Event,
        on_line: Callable[[int, Thinking], None],
    ) -> None:
        """Analyses until `seconds` are over or `stopped` is set. `on_line` gets each line after its place,
        from 1; an engine without the option `MultiPV` shows one line. Raises PlayerError."""
        self._go_to(position)
        if MULTIPV in self._options:
            self._process.write(f"option {MULTIPV}={lines}")
        places = Places(lines if MULTIPV in self._options else 1)
        self._process.write("analyze")
        deadline = time.monotonic() + seconds
        while not stopped.is_set() and time.monotonic() < deadline:
            try:
                text = self._process.read(min(deadline, time.monotonic() + POLL_SECONDS)).text
            except StallError:
                continue
            thinking = self._read_thinking(text)
            if thinking is None:
                self._heed(text)
            elif moves_of(thinking):
                on_line(places.of(thinking), thinking)
        self._process.write("exit", "force")
        if self._features["ping"] != "1":
            time.sleep(LAST_WORDS_SECONDS)  # nothing tells when it has ended
        self.synchronise()

    def _go_to(self, position: "Position") -> None:
        """Tells the engine a position: the moves taken back and played since the last one, or a new game."""
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

    def _begin_game(self, position: "Position") -> None:
        self._start_fen = None
        away = position.start_fen != self.description.start_fen
        if away and self._features["setboard"] != "1":
            raise UnableError(f"{self.name} cannot set up positions: it says setboard=0")
        control = TimeControl(movetime=float(LONG_MOVE))  # CECP wants a limit; analysis heeds none
        self.new_game(position, control, control, position.turn)
        self._start_fen = position.start_fen


class Places:
    """Tells apart the lines that an engine shows one after the other: CECP does not number them."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._depth = 0
        self._first_moves: list[str] = []

    def of(self, thinking: Thinking) -> int:
        """The place of a line, from 1. Lines of one depth with other first moves have places of their own."""
        if thinking.depth != self._depth:
            self._depth, self._first_moves = thinking.depth, []
        move = moves_of(thinking)[0]
        if move not in self._first_moves:
            if len(self._first_moves) == self._most:
                self._first_moves = []
            self._first_moves.append(move)
        return self._first_moves.index(move) + 1


class CecpEngine:
    """One engine in one game, with the methods of `UciEngine` that analysis and review use."""

    def __init__(self, spec: "EngineSpec", description: "Description") -> None:
        self.spec, self.description, self.name = spec, description, spec.name
        self.running = self.searching = False
        self._closed = False
        self._analyst: Analyst | None = None
        self._stopped = threading.Event()
        self._threads = ThreadPoolExecutor(1, thread_name_prefix=f"analysis of {spec.name}")
        self._lock = asyncio.Lock()

    async def start(self) -> None:
        """Starts the process and waits until it is ready for the game. Raises PlayerError."""
        analyst = await asyncio.get_running_loop().run_in_executor(self._threads, self._start)
        self._analyst = analyst
        if self._closed:
            self._end()
            raise ProtocolError(f"{self.name} was closed")
        self.running = True

    def _start(self) -> Analyst:
        try:
            command = self.spec.resolved()
        except FileNotFoundError as error:
            raise StartError(f"{self.name} does not start: {error}") from None
        return Analyst(self.spec, command, self.description)

    async def search(
        self,
        position: "Position",
        limits: str,
        options: Iterable[tuple[str, object]] = (),
        on_info: "Callable[[EngineInfo], None]" = lambda info: None,
    ) -> str | None:
        """Analyses a `Position`; returns the first move of the best line, or None where there was none.

        `limits` are "infinite" or "movetime MILLISECONDS"; of the `options` only `MultiPV` counts. `on_info`
        gets what it gets from `UciEngine.search`. Raises PlayerError; UnableError where the engine has no
        analysis mode or cannot be told the position, after which it can still be used.
        """
        async with self._lock:
            analyst = self._analyst
            if analyst is None or not self.running:
                raise ProtocolError(f"{self.name} is not running")
            if not analyst.analyses:
                raise UnableError(f"{self.name} cannot analyse: it says analyze=0")
            return await self._search(analyst, position, limits, dict(options), on_info)

    async def _search(
        self,
        analyst: Analyst,
        position: "Position",
        limits: str,
        options: dict[str, object],
        on_info: "Callable[[EngineInfo], None]",
    ) -> str | None:
        loop, words = asyncio.get_running_loop(), limits.split()
        seconds = int(words[1]) / 1000 if words[0] == "movetime" else math.inf
        sign = -1 if position.turn else 1
        best: list[str] = []

        def on_line(place: int, thinking: Thinking) -> None:
            info = told(thinking, place, sign)
            if place == 1:
                best[:] = info["pv"][:1]
            loop.call_soon_threadsafe(on_info, info)

        lines = int(str(options.get(MULTIPV, 1)))
        self._stopped.clear()
        self.searching = True
        search = loop.run_in_executor(
            self._threads, analyst.analyse, position.copy(), lines, seconds, self._stopped, on_line
        )
        try:
            await asyncio.shield(search)
        except asyncio.CancelledError:
            self._stopped.set()
            await asyncio.wait([search])
            raise
        except UnableError:
            raise
        except PlayerError:
            self.close()
            raise
        finally:
            self.searching = False
        return best[0] if best else None

    def stop(self) -> None:
        """Asks a running search to end."""
        self._stopped.set()

    def close(self) -> None:
        """Ends the process, without waiting for it."""
        self._closed, self.running = True, False
        self._stopped.set()
        self._end()

    def _end(self) -> None:
        analyst, self._analyst = self._analyst, None
        if analyst is not None:
            threading.Thread(target=analyst.close, daemon=True).start()
        self._threads.shutdown(wait=False)


def told(thinking: Thinking, place: int, sign: int) -> "EngineInfo":
    """A line as `UciEngine.search` tells it, in White's view; `sign` is 1 where White is to move, else -1."""
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
