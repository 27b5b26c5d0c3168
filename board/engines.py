"""The engines of a run: those of the command line, and our own. They are started when needed."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..engine.game.description import Description
from ..match.players.control import TimeControl
from ..match.players.spec import OURSELVES, EngineSpec, parse_engine
from .async_engine import AsyncEngine
from .requests import RequestError

OWN = EngineSpec("Surajang", (OURSELVES,), "uci", TimeControl(movetime=1.0))
TERMS = replace(OWN, name="Hand-written evaluation", options=(("Use NNUE", "false"),))  # for comparisons


def read_engine(text: str) -> EngineSpec:
    """The `EngineSpec` of `--engine "cmd=... proto=uci"`; limits may be left out, and our own engine speaks
    UCI. Raises ValueError."""
    spec = parse_engine(text, each="st=1")
    if spec.command[0] == OURSELVES and "proto=" not in text:
        return replace(spec, protocol="uci")
    return spec


class Engines:
    """Processes by purpose ("analysis", "play") and number of the engine; our own engine is always there."""

    def __init__(self, specs: Sequence[EngineSpec]) -> None:
        own = [spec for spec in specs if spec.command == OWN.command and spec.protocol == "uci"]
        self.specs = [*specs] if own else [*specs, OWN]
        self.rivals = [*self.specs, TERMS]  # with which an analysis can be compared
        self.on_start: Callable[[], Awaitable[None]] | None = None  # called before an engine starts
        self._description: Description | None = None
        self._running: dict[tuple[str, int], AsyncEngine] = {}
        self._starts: dict[tuple[str, int], asyncio.Task[None]] = {}

    def names(self) -> list[dict[str, str]]:
        """Name and protocol of each, in the order of their numbers."""
        return [{"name": spec.name, "protocol": spec.protocol} for spec in self.specs]

    def number(self, message: Mapping[str, Any], default: int = 0) -> int:
        """The number of the engine in a request. Raises RequestError."""
        named = message.get("engine")
        number = default if named is None else int(named)
        if not 0 <= number < len(self.specs):
            raise RequestError(f"there is no engine {number}")
        return number

    def choose(self, description: Description) -> None:
        """Sets the game; engines that play another one end."""
        if description is not self._description:
            self.close()
            self._description = description

    def first_uci(self, number: int) -> int:
        """The number of that engine if it speaks UCI, else of the first that does."""
        if self.specs[number].protocol == "uci":
            return number
        return next(index for index, spec in enumerate(self.specs) if spec.protocol == "uci")

    async def get(self, purpose: str, number: int) -> AsyncEngine:
        """The ready engine of that number, for one purpose; all callers during its start wait for the same
        start. Raises PlayerError, IndexError."""
        key = (purpose, number)
        engine, start = self._running.get(key), self._starts.get(key)
        if engine is None or start is None or (start.done() and not engine.running):
            if engine is not None:
                engine.close()
            assert self._description is not None
            engine = AsyncEngine(self.rivals[number], self._description)
            start = asyncio.create_task(engine.start())
            self._running[key], self._starts[key] = engine, start
            if self.on_start is not None:
                await self.on_start()
        await asyncio.shield(start)
        return engine

    def close(self) -> None:
        """Ends all of them."""
        for engine in self._running.values():
            engine.close()
        self._running, self._starts = {}, {}
