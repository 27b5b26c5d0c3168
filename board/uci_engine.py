"""A UCI engine for the page: a process that searches without end, tells several lines, and stops when told.

It runs in an `EngineProcess`, so it never outlives the server. Methods are called in the event loop, except
`_pump`. `cecp_engine` is the same for CECP.
"""

import asyncio
import itertools
import math
import os
import re
import threading
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ..match.players.notations import UciSpelling
from ..match.players.player import PlayerError, ProtocolError, StallError, StartError
from ..match.players.process import EngineProcess
from ..match.players.uci import position_command

if TYPE_CHECKING:
    from ..engine.game.description import Description
    from ..engine.position import Position
    from ..match.players.spec import EngineSpec

EngineInfo = dict[str, Any]  # what an engine tells of a line, as `UciEngine.search` describes it

STARTUP_SECONDS, SPEAK_SECONDS, STOP_SECONDS = 600.0, 60.0, 10.0
NULL_MOVES = ("(none)", "none", "0000", "NULL", "null")
_OPTION = re.compile(r"option\s+name\s+(?P<name>.+?)\s+type\s+(?P<kind>\w+)(?P<rest>.*)")
_COUNTS = ("depth", "seldepth", "multipv", "nodes", "nps", "time")


class UciEngine:
    """One engine in one game. `start` comes first; after an error of any method the engine is closed.

    `running` says whether it is ready for a search."""

    def __init__(self, spec: "EngineSpec", description: "Description") -> None:
        self.spec, self.description, self.name = spec, description, spec.name
        self.options: dict[str, tuple[str, str, list[str]]] = {}  # lower-case name -> (name, kind, words)
        self.running = self.searching = False
        self._process: EngineProcess | None = None
        self._closed = False
        self._spelling: UciSpelling  # set by `start`, as is the next
        self._loop: asyncio.AbstractEventLoop
        self._values: dict[str, str] = {}
        # While an answer is awaited: its first word, where it goes, and what takes the lines before it.
        self._wanted: str | None = None
        self._found: asyncio.Future[str] | None = None
        self._heed: Callable[[str], None] | None = None
        self._lock = asyncio.Lock()

    async def start(self) -> None:
        """Starts the process and waits until it is ready for the game. Raises PlayerError."""
        async with self._guarded():
            await self._start()
            self.running = True

    async def _start(self) -> None:
        self._loop = asyncio.get_running_loop()
        try:
            command = self.spec.resolved()
        except FileNotFoundError as error:
            raise StartError(f"{self.name} does not start: {error}") from None
        self._process = await asyncio.to_thread(
            EngineProcess, self.name, command, self.spec.directory, dict(os.environ)
        )
        if self._closed:
            raise ProtocolError(f"{self.name} was closed")
        # A thread of its own: it lasts as long as the engine, and the loop's own threads are few.
        threading.Thread(target=self._pump, args=(self._process,), daemon=True).start()
        await self._ask("uci", "uciok", SPEAK_SECONDS, self._read_option)
        for name, value in self.spec.options:
            if not self._set(name, value):
                raise StartError(f"{self.name} has no option {name!r}")
        try:
            self._spelling = UciSpelling(self.description, self._offered())
        except ValueError as error:
            raise StartError(f"{self.name} does not play {self.description.name!r}; {error}") from None
        self._set("UCI_Variant", self._spelling.name)
        await self._ask("isready", "readyok", STARTUP_SECONDS)

    def _pump(self, process: EngineProcess) -> None:
        """In a thread: hands each line, and the error at the end, to the event loop."""
        line: str | PlayerError
        while True:
            try:
                line = process.read(math.inf).text
            except PlayerError as error:
                line = error
            try:
                self._loop.call_soon_threadsafe(self._take, process, line)
            except RuntimeError:  # the loop has ended
                return
            if isinstance(line, PlayerError):
                return

    def _take(self, process: EngineProcess, line: str | PlayerError) -> None:
        if process is not self._process:
            return
        if isinstance(line, PlayerError):
            self.running = False
            self._closed = True
            if self._found and not self._found.done():
                self._found.set_exception(line)
        elif self._wanted and line.split()[:1] == [self._wanted]:
            assert self._found is not None
            if not self._found.done():
                self._found.set_result(line)
        elif self._heed:
            self._heed(line)

    def _read_option(self, line: str) -> None:
        if match := _OPTION.match(line):
            self.options[match["name"].lower()] = (match["name"], match["kind"], match["rest"].split())

    def _offered(self) -> set[str]:
        """The names of the games that the engine plays."""
        words: Sequence[str] = self.options.get("uci_variant", ("", "", ()))[2]
        return {after for word, after in itertools.pairwise(words) if word == "var"} or {"chess"}

    def _set(self, name: str, value: object) -> bool:
        """Sets an option; False where the engine has none of that name."""
        if name.lower() not in self.options:
            return False
        if self._values.get(name.lower()) != str(value):
            self._values[name.lower()] = str(value)
            self._write(f"setoption name {self.options[name.lower()][0]} value {value}")
        return True

    def has(self, name: str) -> bool:
        """Whether the engine has an option of that name."""
        return name.lower() in self.options

    def elo_range(self) -> tuple[int, int] | None:
        """(least, most) of its `UCI_Elo`, or None."""
        words: Sequence[str] = self.options.get("uci_elo", ("", "", ()))[2]
        said = dict(itertools.pairwise(words))
        try:
            return int(said["min"]), int(said["max"])
        except (KeyError, ValueError):
            return None

    def _write(self, line: str) -> None:
        if self._closed or self._process is None:
            raise ProtocolError(f"{self.name} is not running")
        self._process.write(line)

    async def _ask(
        self, line: str, wanted: str, seconds: float, heed: Callable[[str], None] | None = None
    ) -> str:
        """Writes a line and waits for one that begins with `wanted`; `heed` gets the lines before it. Raises
        PlayerError."""
        self._wanted, self._found, self._heed = wanted, self._loop.create_future(), heed
        try:
            self._write(line)
            return await asyncio.wait_for(self._found, None if seconds == math.inf else seconds)
        except TimeoutError:
            raise StallError(f"{self.name} does not answer {line!r}") from None
        finally:
            self._wanted = self._found = self._heed = None

    async def search(
        self,
        position: "Position",
        limits: str,
        options: Iterable[tuple[str, object]] = (),
        on_info: Callable[[EngineInfo], None] = lambda info: None,
    ) -> str | None:
        """Searches a `Position` until its limits end it, or `stop`. Returns the move in our notation or None.

        `limits` are the words behind `go`, `options` pairs that hold from this search on; options that the
        engine does not have are left out. `on_info` gets a dict for each line that the engine tells: depth,
        multipv, cp or mate (White's view), bound, nodes, nps, pv (list of our moves). Raises PlayerError.
        """
        async with self._guarded():
            for name, value in options:
                self._set(name, value)
            sign = -1 if position.turn else 1

            def heed(line: str) -> None:
                if info := read_info(line, sign, self._spelling):
                    on_info(info)

            self._set_up(position)
            self.searching = True
            try:
                line = await self._ask(f"go {limits}", "bestmove", math.inf, heed)
            except asyncio.CancelledError:
                await self._settle()
                raise
            finally:
                self.searching = False
            words = line.split()
            if len(words) < 2 or words[1] in NULL_MOVES:
                return None
            return self._spelling.read_move(words[1], position)

    def _set_up(self, position: "Position") -> None:
        """Tells the engine a position. Raises ProtocolError for one that it cannot be told."""
        try:
            command = position_command(position, self._spelling)
        except ValueError as error:
            raise ProtocolError(f"{self.name} {error}") from None
        self._write(command)

    async def _settle(self) -> None:
        """Ends a search whose caller was cancelled."""
        try:
            await self._ask("stop", "bestmove", STOP_SECONDS)
        except PlayerError:
            self.close()

    async def eval_trace(self, position: "Position") -> list[str]:
        """The lines with which the engine answers `eval`. Raises PlayerError."""
        lines: list[str] = []
        async with self._guarded():
            self._set_up(position)
            self._write("eval")
            await self._ask("isready", "readyok", STARTUP_SECONDS, lines.append)
        return lines

    def stop(self) -> None:
        """Asks a running search to end; it then returns its move."""
        if self.searching:
            try:
                self._write("stop")
            except PlayerError:
                self.running = False

    def _guarded(self) -> "_Guarded":
        return _Guarded(self)

    def close(self) -> None:
        """Ends the process, without waiting for it."""
        process, self._process = self._process, None
        self._closed, self.running = True, False
        if self._found and not self._found.done():
            self._found.set_exception(ProtocolError(f"{self.name} was closed"))
        if process is not None:
            self._loop.run_in_executor(None, process.close)


class _Guarded:
    """One conversation at a time; an engine that fails in it is closed."""

    def __init__(self, engine: UciEngine) -> None:
        self._engine = engine

    async def __aenter__(self) -> None:
        await self._engine._lock.acquire()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None and issubclass(kind, PlayerError):
            self._engine.close()
        self._engine._lock.release()


def read_info(line: str, sign: int, spelling: UciSpelling) -> EngineInfo | None:
    """What an `info` line with a score and moves tells, in White's view; None for other lines. `sign` is 1
    where White is to move, else -1."""
    words = line.split()
    if words[:1] != ["info"] or "score" not in words or "pv" not in words or words[1:2] == ["string"]:
        return None
    info: EngineInfo = {"multipv": 1, "depth": 0, "nodes": 0, "nps": 0}
    cut = words.index("pv")
    for name, value in itertools.pairwise(words[:cut]):
        if name in _COUNTS and re.fullmatch(r"\d{1,18}", value):
            info[name] = int(value)
    place = words.index("score")
    kind, value = [*words[place + 1 : place + 3], "", ""][:2]
    if kind not in ("cp", "mate") or not re.fullmatch(r"-?\d{1,9}", value):
        return None
    info[kind] = sign * int(value)
    if "lowerbound" in words[:cut] or "upperbound" in words[:cut]:
        info["bound"] = True
    info["pv"] = [spelling.read_move(word) for word in words[cut + 1 :]]
    return info
