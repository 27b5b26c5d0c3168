"""`go perft`: the leaves below each move, counted in a thread that can be stopped."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..session.task import Task

if TYPE_CHECKING:
    from ...engine.position import Move, Position

DEEPEST = 16  # plies


class Perft(Task):
    """Counts the leaves `depth` plies below a `Position`, with output like Stockfish's. `spell` turns a
    `Move` into text."""

    def __init__(
        self, post: Callable[[object], None], position: Position, depth: int, spell: Callable[[Move], str]
    ) -> None:
        from ...engine.movegen.perft import LegalMoveTree

        self._rules, self._tree = position.rules, LegalMoveTree(position, depth)
        self._spell = spell
        self._is_told = False  # that it compiles
        super().__init__(post)

    def stop(self) -> None:
        super().stop()
        self._tree.stop()

    def _work(self) -> None:
        from ...engine.movegen.perft import StoppedCountError, compile_perft

        compile_perft(self._rules, self._tell_compiling)
        try:
            for move, leaves in self._tree.divide():
                if self.stopped:
                    break
                self._tell(f"{self._spell(move)}: {leaves}", nodes=leaves)
        except StoppedCountError:
            pass

    def _tell_compiling(self, done: int, total: int, what: str) -> None:
        if done < total and not self._is_told:
            self._is_told = True
            self._tell("info string compiling perft, once for this machine: it takes some seconds")

    def summary(self) -> list[str]:
        """The sum over the moves that were counted completely."""
        return ["", f"Nodes searched: {self.nodes}"]
