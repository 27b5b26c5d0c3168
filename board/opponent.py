"""The engine that plays a side: a UCI engine at some level, or a CECP engine at full strength."""

import asyncio
import contextlib
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..match.players.control import TimeControl
from ..match.players.player import PlayerError
from ..match.players.spec import OURSELVES
from ..match.players.start import start_player

if TYPE_CHECKING:
    from ..engine.game.description import Description
    from ..engine.position import Position
    from ..match.players.player import Answer, Player
    from ..match.players.spec import EngineSpec
    from .async_engine import AsyncEngine
    from .engines import Engines
    from .uci_analyst import EngineInfo

FULL_SECONDS = 2.0  # for a move at full strength in a game without clocks
LEVEL_SECONDS = 1.0  # the most for a move at a level
SETUP_SECONDS = 0.5  # seconds for an arrangement


class Resigned(Exception):  # noqa: N818 - not an error but an end
    """The engine resigns, or claims a result; the text is its line."""


class UciOpponent:
    """A UCI engine. `level` is a number for `UCI_Elo`, None for full strength."""

    def __init__(self, engines: "Engines", number: int, level: int | None) -> None:
        self._engines, self._number, self._level = engines, number, level
        self._engine: AsyncEngine | None = None

    async def move(
        self,
        position: "Position",
        clocks: Sequence[float] | None,
        increment: float,
        on_info: "Callable[[EngineInfo], None]",
    ) -> str | None:
        """The engine's move in our notation. `clocks` are the seconds left of both, None without clocks."""
        self._engine = await self._engines.get("play", self._number)
        return await self._engine.search(position, self._limits(clocks, increment), self._options(), on_info)

    def _options(self) -> list[tuple[str, object]]:
        if self._level is None:
            return [("UCI_LimitStrength", "false"), ("MultiPV", 1)]
        assert self._engine is not None
        span = self._engine.elo_range()
        level = self._level if span is None else max(span[0], min(span[1], self._level))
        return [("MultiPV", 1), ("UCI_LimitStrength", "true"), ("UCI_Elo", level)]

    def _limits(self, clocks: Sequence[float] | None, increment: float) -> str:
        if clocks is None:
            seconds = FULL_SECONDS if self._level is None else LEVEL_SECONDS
            return f"movetime {round(1000 * seconds)}"
        words = []
        for name, left in zip("wb", clocks, strict=True):
            words += [
                f"{name}time",
                str(max(1, round(1000 * left))),
                f"{name}inc",
                str(round(1000 * increment)),
            ]
        return " ".join(words)

    def stop(self) -> None:
        """Ends a search whose move is no longer needed."""
        if self._engine:
            self._engine.stop()

    def close(self) -> None:
        """Ends the search; the process stays for the next game."""
        self.stop()


class CecpOpponent:
    """A CECP engine; it plays at full strength. Abandoning a search ends its process."""

    def __init__(self, spec: "EngineSpec", description: "Description") -> None:
        self._spec, self._description = spec, description
        self._player: Player | None = None

    async def move(
        self,
        position: "Position",
        clocks: Sequence[float] | None,
        increment: float,
        on_info: "Callable[[EngineInfo], None]",
    ) -> str:
        """The engine's move in our notation. Raises Resigned, PlayerError."""
        if clocks is None:
            control = TimeControl(movetime=FULL_SECONDS)
        else:
            control = TimeControl(base=max(clocks[position.turn], 0.1), increment=increment)
        own = None if clocks is None else clocks[position.turn]
        other = None if clocks is None else clocks[1 - position.turn]
        answer = await asyncio.to_thread(self._think, position.copy(), control, own, other)
        if answer.move is None:
            raise Resigned(answer.text or answer.claim or "no move")
        return answer.move

    def _think(
        self, position: "Position", control: TimeControl, own: float | None, other: float | None
    ) -> "Answer":
        if self._player is None:
            self._player = start_player(self._spec, self._description)
        self._player.new_game(position, control, control, position.turn)
        return self._player.think(position, own, other)

    def stop(self) -> None:
        """Ends the process; a thread that waits for it gets an error."""
        player, self._player = self._player, None
        if player is not None:
            asyncio.get_running_loop().run_in_executor(None, player.close)

    close = stop


async def arrangement(spec: "EngineSpec", position: "Position", choices: list[str]) -> str:
    """The choice of an engine in the setup phase, one of `choices`; random if it cannot choose."""
    if _knows_setup(spec):
        with contextlib.suppress(PlayerError):
            text = await asyncio.to_thread(_choose_arrangement, spec, position.copy())
            if text in choices:
                return text
    return random.choice(choices)


def _knows_setup(spec: "EngineSpec") -> bool:
    """Whether an engine can choose an arrangement: UCI has no setup phase, but ours speaks CECP as well."""
    return spec.protocol == "cecp" or spec.command == (OURSELVES,)


def _choose_arrangement(spec: "EngineSpec", position: "Position") -> str | None:
    """The choice of an engine in the setup phase, by a short search over CECP. Raises PlayerError."""
    control = TimeControl(movetime=SETUP_SECONDS)
    options = spec.options if spec.protocol == "cecp" else ()  # those of UCI have other names
    player = start_player(replace(spec, protocol="cecp", options=options), position.description)
    try:
        player.new_game(position, control, control, position.turn)
        return player.think(position, None, None).move
    finally:
        player.close()
