"""Undo and redo of users' changes to the tree of moves, including its replacement."""

from collections.abc import Awaitable, Callable
from typing import Any

from .requests import RequestError
from .shared_board import SharedBoard
from .tree import Tree

MOST_STEPS = 50
# Requests that put another tree on the board, and end the current game
NEW_TREES = frozenset(
    ["new", "fen", "setup", "pgn", "choose", "puzzles", "puzzle", "play", "watch", "watch_game", "watch_live"]
)
# The requests that can be undone
CHANGES = NEW_TREES | frozenset(["move", "line", "delete", "promote", "comment", "glyph", "shapes"])


class Undo:
    """The trees before the last changes, and the undone ones. `busy` is the reason if neither is possible
    now."""

    def __init__(self, board: SharedBoard, busy: Callable[[], str]) -> None:
        self._board, self._busy = board, busy
        self._before: list[Tree] = []
        self._undone: list[Tree] = []

    def message(self) -> dict[str, object]:
        """Whether there is something to undo and to redo."""
        return {"type": "undo", "undo": bool(self._before), "redo": bool(self._undone)}

    async def recorded(
        self,
        kind: str,
        handler: Callable[[dict[str, Any]], Awaitable[dict[str, object] | None]],
        message: dict[str, Any],
    ) -> dict[str, object] | None:
        """Does what a request of that kind asks, and keeps the tree before it if the request changed it."""
        if kind not in CHANGES or self._busy():
            return await handler(message)
        before, tree = self._board.tree.copy(), self._board.tree
        try:
            return await handler(message)
        finally:
            if before.nodes != tree.nodes or tree is not self._board.tree:
                self._before = [*self._before, before][-MOST_STEPS:]
                self._undone = []
                self._board.tell(self.message())

    async def on_undo(self, message: dict[str, Any]) -> None:
        """Brings back the tree before the last change."""
        await self._step(self._before, self._undone, "there is nothing to undo")

    async def on_redo(self, message: dict[str, Any]) -> None:
        """Reverts the last undo."""
        await self._step(self._undone, self._before, "there is nothing to redo")

    async def _step(self, source: list[Tree], target: list[Tree], otherwise: str) -> None:
        if reason := self._busy():
            raise RequestError(reason)
        if not source:
            raise RequestError(otherwise)
        target.append(self._board.tree.copy())
        await self._board.set_tree(source.pop())
        self._board.tell(self.message())
