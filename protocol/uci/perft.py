"""`go perft`: the leaves below each move, counted in a thread that can be stopped."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .task import Task

if TYPE_CHECKING:
    from ...engine.position import Move, Position

DEEPEST = 16  # plies
CALL_LEAVES = 10_000_000  # about; what one call of compiled code counts, for it cannot be stopped


class _StoppedError(Exception):
    """`stop` has come in the middle of the count."""


class Perft(Task):
    """Counts the leaves `depth` plies below a `Position`, which becomes the task's own; the lines are those
    of Stockfish. `spell` turns a `Move` into text."""

    def __init__(
        self,
        post: Callable[[object], None],
        position: Position,
        depth: int,
        spell: Callable[[Move], str],
    ) -> None:
        self._position, self._depth, self._spell = position, depth, spell
        self._is_told = False  # that it compiles
        super().__init__(post)

    def _work(self) -> None:
        from ...engine.movegen.perft import compile_perft

        compile_perft(self._position.rules, self._tell_compiling)
        position = self._position
        try:
            for move in sorted(position.legal_moves(), key=str):
                position.push(move)
                leaves = self._leaves(self._depth - 1)
                position.pop()
                self._tell(f"{self._spell(move)}: {leaves}", nodes=leaves)
        except _StoppedError:
            pass

    def _tell_compiling(self, done: int, total: int, what: str) -> None:
        if done < total and not self._is_told:
            self._is_told = True
            self._tell("info string compiling perft, once for this machine: it takes some seconds")

    def _leaves(self, depth: int) -> int:
        """The leaves `depth` plies below the position. Raises _StoppedError."""
        from ...engine.movegen.perft import perft

        if self.stopped:
            raise _StoppedError
        if depth == 0:
            return 1
        moves = self._position.legal_moves()
        if depth == 1 or len(moves) ** depth <= CALL_LEAVES:
            leaves: int = perft(self._position, depth)
            return leaves
        total = 0
        for move in moves:
            self._position.push(move)
            total += self._leaves(depth - 1)
            self._position.pop()
        return total

    def summary(self) -> list[str]:
        """The sum of the moves that were counted to the end."""
        return ["", f"Nodes searched: {self.nodes}"]
