"""The engine that plays a side: a UCI engine at some level, or a CECP engine at full strength."""

import asyncio
import contextlib
import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from ..engine.game.description import Description
from ..engine.position import Position
from ..match.players.client import Client
from ..match.players.control import TimeControl
from ..match.players.player import Answer, Player, PlayerError, StartError
from ..match.players.spec import OURSELVES, EngineSpec
from ..match.players.start import start_player
from .async_engine import AsyncEngine
from .engines import Engines
from .uci_analyst import EngineInfo

FULL_SECONDS = 2.0  # for a move at full strength in a game without clocks
LEVEL_SECONDS = 1.0  # the most for a move at a level
SETUP_SECONDS = 0.5  # seconds for an arrangement
LONG_SECONDS = 3_600.0  # of byoyomi, from which on an engine plays as without a clock


@dataclass(frozen=True)
class Clocks:
    """The clocks of a game when an engine has to move: seconds left of both besides the byoyomi."""

    left: tuple[float, float]
    control: TimeControl

    def seconds(self, side: int) -> float:
        """The seconds until a side would lose on time."""
        return self.left[side] + self.control.byoyomi

    def movetime(self, side: int) -> float | None:
        """The seconds for a move of a side that has only its byoyomi left; None if it has more."""
        return self.control.movetime_in_byoyomi(self.left[side])


class Resigned(Exception):  # noqa: N818 - not an error but an end
    """The engine resigns, or claims a result; the text is its line."""


class UciOpponent:
    """A UCI engine. `level` is a number for `UCI_Elo`, None for full strength."""

    def __init__(self, engines: Engines, number: int, level: int | None) -> None:
        self._engines, self._number, self._level = engines, number, level
        self._engine: AsyncEngine | None = None

    async def move(
        self, position: Position, clocks: Clocks | None, on_info: Callable[[EngineInfo], None]
    ) -> str | None:
        """The engine's move in our notation; `clocks` is None without clocks."""
        self._engine = await self._engines.get("play", self._number)
        limits = self._limits(clocks, position.turn)
        return await self._engine.search(position, limits, self._options(), on_info)

    def _options(self) -> list[tuple[str, object]]:
        if self._level is None:
            return [("UCI_LimitStrength", "false"), ("MultiPV", 1)]
        assert self._engine is not None
        span = self._engine.elo_range()
        level = self._level if span is None else max(span[0], min(span[1], self._level))
        return [("MultiPV", 1), ("UCI_LimitStrength", "true"), ("UCI_Elo", level)]

    def _limits(self, clocks: Clocks | None, turn: int) -> str:
        if clocks is None:
            seconds = FULL_SECONDS if self._level is None else LEVEL_SECONDS
            return f"movetime {_milliseconds(seconds)}"
        if (own := clocks.movetime(turn)) is not None:
            return f"movetime {_milliseconds(own)}"
        times = [f"{name}time {_milliseconds(clocks.seconds(side))}" for side, name in enumerate("wb")]
        each = round(1000 * clocks.control.each)
        return " ".join([*times, f"winc {each} binc {each}"])

    def stop(self) -> None:
        """Ends a search whose move is no longer needed; the process stays for the next game."""
        if self._engine:
            self._engine.stop()

    close = stop


class CecpOpponent:
    """A CECP engine; it plays at full strength. Abandoning a search ends its process."""

    def __init__(self, spec: EngineSpec, description: Description) -> None:
        self._spec, self._description = spec, description
        self._player: Player | None = None
        self._stops = 0

    async def move(
        self, position: Position, clocks: Clocks | None, on_info: Callable[[EngineInfo], None]
    ) -> str:
        """The engine's move in our notation. Raises Resigned, PlayerError."""
        own = other = None
        if clocks is None:
            control = TimeControl(movetime=FULL_SECONDS)
        elif (seconds := clocks.movetime(position.turn)) is not None:
            control = TimeControl(movetime=seconds)
        else:
            own, other = clocks.seconds(position.turn), clocks.seconds(1 - position.turn)
            control = TimeControl(base=max(own, 0.1), increment=clocks.control.each)
        answer = await asyncio.to_thread(self._think, self._stops, position.copy(), control, own, other)
        if answer.move is None:
            raise Resigned(answer.text or answer.claim or "no move")
        return answer.move

    def _think(
        self, stops: int, position: Position, control: TimeControl, own: float | None, other: float | None
    ) -> Answer:
        player = self._player or self._start(stops)
        player.new_game(position, control, control, position.turn)
        return player.think(position, own, other)

    def _start(self, stops: int) -> Player:
        """A new player, which `stop` ends even while it starts. `stops` is how often it was called before.
        Raises PlayerError."""
        begun: list[Player] = []

        def begin(player: Player) -> None:
            begun.append(player)
            self._player = player
            if self._stops != stops:
                raise StartError(f"{self._spec.name} was stopped")

        try:
            return start_player(self._spec, self._description, begun=begin)
        except BaseException:
            if self._player in begun:
                self._player = None
            raise

    def stop(self) -> None:
        """Ends the process; a thread that waits for it gets an error."""
        self._stops += 1
        player, self._player = self._player, None
        if player is not None:
            asyncio.get_running_loop().run_in_executor(None, player.close)

    close = stop


def _milliseconds(seconds: float) -> int:
    return max(1, round(1000 * seconds))


async def arrangement(
    spec: EngineSpec,
    position: Position,
    choices: list[str],
    begun: Callable[[Client], None] = lambda player: None,
) -> str:
    """The choice of an engine in the setup phase, one of `choices`; random if it cannot choose. `begun` gets
    the engine's player, as in `start_player`; whoever cancels this ends the engine."""
    if spec.protocol == "cecp" or spec.command == (OURSELVES,):  # UCI has no setup phase
        cancelled, players = False, []

        def begin(player: Client) -> None:
            players.append(player)
            if cancelled:
                raise StartError(f"{spec.name} was stopped")
            begun(player)

        try:
            with contextlib.suppress(PlayerError):
                text = await asyncio.to_thread(_choose_arrangement, spec, position.copy(), begin)
                if text in choices:
                    return text
        except asyncio.CancelledError:
            cancelled = True
            for player in players:
                asyncio.get_running_loop().run_in_executor(None, player.close)
            raise
    return random.choice(choices)


def _choose_arrangement(spec: EngineSpec, position: Position, begun: Callable[[Client], None]) -> str | None:
    """The choice of an engine in the setup phase, by a short search over CECP. Raises PlayerError, and what
    `begun` raises."""
    control = TimeControl(movetime=SETUP_SECONDS)
    options = spec.options if spec.protocol == "cecp" else ()  # those of UCI have other names
    spec = replace(spec, protocol="cecp", options=options)
    player = start_player(spec, position.description, begun=begun)
    try:
        player.new_game(position, control, control, position.turn)
        return player.think(position, None, None).move
    finally:
        player.close()
