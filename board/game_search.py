"""Finds the games of the last PGN that reach the position on the board."""

import asyncio
import time
from array import array
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from ..engine.notation.reading import main_line_keys
from ..engine.notation.scanning import GameText
from ..engine.variant import Variant
from .pgn import variant_of
from .requests import RequestError
from .shared_board import SharedBoard

PAUSE_SECONDS = 0.0001  # after each game, so that requests of pages do not wait for the index


class GameSearch:
    """The search by position. The games of a file are read in a thread from the moment that it is opened."""

    def __init__(self, board: SharedBoard) -> None:
        self._board = board
        self._index: PositionIndex | None = None
        self._reading: asyncio.Task[None] | None = None

    def follow(self) -> None:
        """Begins to read the games if another file was opened."""
        if self._board.games and (self._index is None or self._index.games is not self._board.games):
            self._begin()

    def _begin(self) -> None:
        if self._index is not None:
            self._index.stopped = True
        self._index = PositionIndex(self._board.games, self._board.variant)
        self._reading = asyncio.create_task(asyncio.to_thread(self._index.read))

    async def on_find(self, message: dict[str, Any]) -> dict[str, object]:
        """The numbers of the games whose main line has the position on the board."""
        board = self._board
        if not board.games:
            raise RequestError("there are no games to search: open a PGN first", "pgn")
        if (
            self._index is None
            or self._index.games is not board.games
            or self._index.variant != board.variant
        ):
            self._begin()
        index, reading, key = self._index, self._reading, board.tree.position.repetition_key
        assert index is not None and reading is not None  # `_begin` sets both
        index.hurried = True
        await reading
        return {"type": "found", "numbers": index.find(key)}


class PositionIndex:
    """The repetition keys of all positions in the main lines of games, of those that are of one variant.

    `hurried` says that somebody waits for it, `stopped` that nobody needs it any more."""

    def __init__(self, games: Sequence[GameText], variant: Variant) -> None:
        self.games, self.variant = games, variant
        self.hurried = self.stopped = False
        self._keys = array("Q")  # of all games, one after the other
        self._ends = array("q")  # for each game the number of keys up to its last

    def read(self) -> None:
        """Reads all games, each as far as it can be read."""
        for game in self.games:
            if self.stopped:
                return
            with suppress(ValueError):  # of an unknown game or an impossible position
                if variant_of(game, self.variant) == self.variant:
                    self._keys.extend(main_line_keys(game, self.variant))
            self._ends.append(len(self._keys))
            if not self.hurried:
                time.sleep(PAUSE_SECONDS)

    def find(self, key: int) -> list[int]:
        """The numbers of the games with a position of that key, in ascending order."""
        places = np.flatnonzero(np.frombuffer(self._keys, np.uint64) == np.uint64(key))
        return [int(game) for game in np.unique(np.searchsorted(self._ends, places, side="right"))]
