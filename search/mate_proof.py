"""The proof search for mates beside the normal search: its share of the work and its progress."""

from __future__ import annotations

from collections.abc import Callable

from .aspiration import Root
from .results import Line
from .tree.parameters import MATE, MATE_BOUND, PROOF_PLIES
from .tree.proof import PROVEN, UNKNOWN

FIRST_PLIES = 3  # of the shortest mate that it looks for; the search itself sees a mate in one
CALL_NODES = 2_000  # of one call at first; later calls are for half of what was spent, to find the way down


class MateProof:
    """Looks for the shortest mate by checks from the root, after each iteration, while `may_go_on(nodes that
    it has spent)`. Its nodes count like the others. `line` is the mate."""

    def __init__(self, root: Root, may_go_on: Callable[[int], bool]) -> None:
        self._root, self._may_go_on = root, may_go_on
        self._plies = FIRST_PLIES
        self._spent = 0
        self.line: Line | None = None

    def work(self, value: int) -> None:
        """Continues the proof search; `value` is the best score so far."""
        shortest = MATE - value if value >= MATE_BOUND else PROOF_PLIES + 1
        while self._plies < shortest and self.line is None and self._may_go_on(self._spent):
            before = self._root.nodes
            verdict, moves = self._root.prove(self._plies, before + max(CALL_NODES, self._spent // 2))
            self._spent += self._root.nodes - before
            if self._root.is_stopped:
                break
            if verdict == PROVEN:
                self.line = Line(MATE - self._plies, moves)
            elif verdict != UNKNOWN:
                self._plies += 2
