"""Finds the games of the last PGN that reach the position on the board."""

import asyncio
from collections import defaultdict
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..engine.notation.reading import Starts, parse_game
from .pgn import variant_of
from .requests import RequestError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.notation.scanning import GameText
    from ..engine.variant import Variant
    from .shared_board import SharedBoard

Index = dict[int, list[int]]  # repetition key of a position -> numbers of games


class GameSearch:
    """The search by position. The games of a file are read at the first search in it."""

    def __init__(self, board: "SharedBoard") -> None:
        self._board = board
        self._indexed: tuple[Sequence[GameText], Variant] | None = None
        self._index: Index = {}

    async def on_find(self, message: dict[str, Any]) -> dict[str, object]:
        """The numbers of the games whose main line has the position on the board."""
        board = self._board
        games, variant, key = board.games, board.variant, board.tree.position.repetition_key
        if not games:
            raise RequestError("there are no games to search: open a PGN first", "pgn")
        if self._indexed is None or self._indexed[0] is not games or self._indexed[1] != variant:
            self._index = await asyncio.to_thread(index_of, games, variant)
            self._indexed = games, variant
        return {"type": "found", "numbers": self._index.get(key, [])}


def index_of(games: "Sequence[GameText]", variant: "Variant") -> Index:
    """The index of the games of one variant; a game is read as far as it can be."""
    index: Index = defaultdict(list)
    starts = Starts()
    for number, text in enumerate(games):
        with suppress(ValueError):  # of a game or a position that cannot be read
            if variant_of(text, variant) != variant:
                continue
            game = parse_game(text, variant, starts=starts)
            position = starts.position(game)
            keys = {position.repetition_key}
            for node in game.mainline():
                position.push(str(node.move))
                keys.add(position.repetition_key)
            for key in keys:
                index[key].append(number)
    return dict(index)
