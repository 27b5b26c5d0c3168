"""Whoever plays a side for the program: a UCI engine at some level, or a CECP engine as it is."""

import asyncio
import contextlib

from ..players.control import TimeControl
from ..players.player import PlayerError
from ..players.start import start_player

FULL_SECONDS = 2.0  # for a move at full strength in a game without clocks
LEVEL_SECONDS = 1.0  # the most for a move at a level


class Resigned(Exception):  # noqa: N818 - no error, but an end
    """The engine gives up, or claims a result; the text is what it said."""


class UciOpponent:
    """A UCI engine. `level` is a number for `UCI_Elo`, None for full strength."""

    def __init__(self, engines, number, level):
        self._engines, self._number, self._level = engines, number, level
        self._engine = None

    async def move(self, position, clocks, increment, on_info):
        """The engine's move in our notation. `clocks` are the seconds left of both, None without clocks."""
        self._engine = await self._engines.get("play", self._number)
        return await self._engine.search(position, self._limits(clocks, increment), self._options(), on_info)

    def _options(self):
        if self._level is None:
            return [("UCI_LimitStrength", "false"), ("MultiPV", 1)]
        span = self._engine.elo_range()
        level = self._level if span is None else max(span[0], min(span[1], self._level))
        return [("MultiPV", 1), ("UCI_LimitStrength", "true"), ("UCI_Elo", level)]

    def _limits(self, clocks, increment):
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

    async def forget(self):
        """Begins a new game."""
        with contextlib.suppress(PlayerError):
            engine = await self._engines.get("play", self._number)
            await engine.new_game()

    def stop(self):
        """Ends a search that nobody waits for."""
        if self._engine:
            self._engine.stop()

    def close(self):
        """The process stays for the next game."""
        self.stop()


class CecpOpponent:
    """A CECP engine; it plays at full strength. A search that is given up ends its process."""

    def __init__(self, spec, description):
        self._spec, self._description = spec, description
        self._player = None

    async def move(self, position, clocks, increment, on_info):
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

    def _think(self, position, control, own, other):
        if self._player is None:
            self._player = start_player(self._spec, self._description)
        self._player.new_game(position, control, control, position.turn)
        return self._player.think(position, own, other)

    async def forget(self):
        """Nothing to do: every search begins a new game."""

    def stop(self):
        """Ends the process; a thread that waits for it gets an error."""
        player, self._player = self._player, None
        if player is not None:
            asyncio.get_running_loop().run_in_executor(None, player.close)

    close = stop
