"""An engine of either protocol for the board's event loop."""

import asyncio
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from ..engine.game.description import Description
from ..engine.position import Position
from ..match.players.player import PlayerError, ProtocolError
from ..match.players.spec import EngineSpec
from ..match.players.start import command_of
from .cecp_analyst import CecpAnalyst, UnsupportedAnalysisError
from .uci_analyst import EngineInfo, UciAnalyst

Answer = TypeVar("Answer")


class AsyncEngine:
    """One engine in one game. `start` comes first; an engine that fails is closed.

    `searching` says whether it searches. Methods are called in the event loop; the engine's own thread speaks
    to the process."""

    def __init__(self, spec: EngineSpec, description: Description) -> None:
        self.spec, self.description, self.name = spec, description, spec.name
        self.searching = False
        self._ready = self._closed = False
        self._analyst: UciAnalyst | CecpAnalyst | None = None
        self._stopped = threading.Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"analysis of {spec.name}")
        self._lock = asyncio.Lock()

    async def start(self) -> None:
        """Starts the process and waits until it is ready for the game. Raises PlayerError."""
        kind = UciAnalyst if self.spec.protocol == "uci" else CecpAnalyst
        self._analyst = analyst = await self._work(
            lambda: kind(self.spec, command_of(self.spec), self.description)
        )
        if self._closed:
            self._end()
        await self._work(analyst.introduce)
        self._ready = True

    @property
    def running(self) -> bool:
        """Whether the engine is ready for a search."""
        return self._ready and self._analyst is not None and not self._analyst.ended()

    async def _work(self, work: Callable[[], Answer]) -> Answer:
        """The result of work in the engine's thread. An engine that fails is closed. Raises PlayerError."""
        try:
            if not self._closed:
                return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        except UnsupportedAnalysisError:
            raise
        except PlayerError:
            if not self._closed:
                self.close()
                raise
        raise ProtocolError(f"{self.name} was closed")

    async def search(
        self,
        position: Position,
        limits: str,
        options: Iterable[tuple[str, object]] = (),
        on_info: Callable[[EngineInfo], None] = lambda info: None,
    ) -> str | None:
        """Searches a `Position` until its limits end it, or `stop`. Returns the move in our notation or None.

        `limits` are the words behind UCI's `go`; a CECP engine takes "infinite" and "movetime MILLISECONDS".
        `options` are pairs that hold from this search on; options that the engine does not have are left out,
        and of a CECP engine all but `MultiPV`. `on_info` gets a dict for each line of the engine: depth,
        multipv, cp or mate (White's view), bound, nodes, nps, pv (list of our moves). Raises PlayerError.
        """
        loop, named = asyncio.get_running_loop(), dict(options)

        def tell(info: EngineInfo) -> None:
            loop.call_soon_threadsafe(on_info, info)

        async with self._lock:
            analyst, position = self._running_analyst(), position.copy()
            self._stopped.clear()
            self.searching = True
            search = asyncio.ensure_future(
                self._work(lambda: analyst.analyse(position, limits, named, self._stopped, tell))
            )
            try:
                return await asyncio.shield(search)
            except asyncio.CancelledError:
                self._stopped.set()
                await asyncio.gather(search, return_exceptions=True)
                raise
            finally:
                self.searching = False

    async def eval_trace(self, position: Position) -> list[str]:
        """The lines of a UCI engine's answer to `eval`. Raises PlayerError."""
        async with self._lock:
            analyst = self._running_analyst()
            assert isinstance(analyst, UciAnalyst)
            return await self._work(lambda: analyst.eval_trace(position))

    def elo_range(self) -> tuple[int, int] | None:
        """(least, most) of a UCI engine's `UCI_Elo`, or None."""
        return self._analyst.elo_range() if isinstance(self._analyst, UciAnalyst) else None

    def _running_analyst(self) -> UciAnalyst | CecpAnalyst:
        if self._analyst is None or not self.running:
            raise ProtocolError(f"{self.name} is not running")
        return self._analyst

    def stop(self) -> None:
        """Asks a running search to end; it then returns its move."""
        self._stopped.set()

    def close(self) -> None:
        """Ends the process, without waiting for it."""
        self._closed = True
        self._stopped.set()
        self._end()

    def _end(self) -> None:
        analyst, self._analyst = self._analyst, None
        if analyst is not None:
            asyncio.get_running_loop().run_in_executor(None, analyst.close)
        self._thread.shutdown(wait=False)
