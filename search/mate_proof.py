"""The proof search for mates beside the normal search: its share of the work and its progress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .aspiration import Root
from .results import Line
from .tree.parameters import MATE, MATE_BOUND, PROOF_PLIES
from .tree.proof import PROVEN, UNKNOWN

FIRST_PLIES = 3  # of the shortest mate that it looks for; the search itself sees a mate in one
MOST_QUIETS = 1  # moves of the attacker that do not check
SHORT_PLIES = 7  # of a mate with one more quiet move, looked for where only a longer mate is known
QUIET_PRICE = 4  # nodes of the hunt without a quiet move for each of the hunt with one, while both go on
QUIET_PRICE_WITH_DROPS = 64  # of many more quiet moves
CALL_NODES = 2_000  # of one call at first; later calls are for half of what was spent, to find the way down


@dataclass
class Hunt:
    """The work on mates with at most so many quiet moves: shorter ones than `plies` there are not, as far as
    the proof search sees. `spent` counts nodes."""

    quiets: int
    plies: int = FIRST_PLIES
    spent: int = 0


class MateProof:
    """Looks for the shortest mate from the root, after each iteration, while `may_go_on(nodes that it has
    spent)`: by checks alone, by checks and one other move, and by checks and two others for a short mate
    where only a longer one is known. Its nodes count like the others. `line` is the mate."""

    def __init__(self, root: Root, may_go_on: Callable[[int], bool], has_drops: bool) -> None:
        self._root, self._may_go_on = root, may_go_on
        self._price = QUIET_PRICE_WITH_DROPS if has_drops else QUIET_PRICE
        self._hunts = [Hunt(quiets) for quiets in range(MOST_QUIETS + 2)]
        self.line: Line | None = None

    @staticmethod
    def _is_due(hunt: Hunt, shortest: int) -> bool:
        """Whether a hunt may go on, with a mate of `shortest` plies known, or none."""
        return hunt.quiets <= MOST_QUIETS or (shortest <= PROOF_PLIES and hunt.plies <= SHORT_PLIES)

    def work(self, value: int) -> None:
        """Continues the proof search; `value` is the best score so far."""
        shortest = MATE - value if value >= MATE_BOUND else PROOF_PLIES + 1
        while self._may_go_on(sum(hunt.spent for hunt in self._hunts)):
            hunts = [hunt for hunt in self._hunts if hunt.plies < shortest and self._is_due(hunt, shortest)]
            if not hunts:
                break
            hunt = min(hunts, key=lambda one: one.spent * self._price**one.quiets)
            before = self._root.nodes
            limit = before + max(CALL_NODES, hunt.spent // 2)
            verdict, moves = self._root.prove(hunt.plies, hunt.quiets, limit)
            hunt.spent += self._root.nodes - before
            if self._root.is_stopped:
                break
            if verdict == PROVEN:
                self.line, shortest = Line(MATE - hunt.plies, moves), hunt.plies
            elif verdict != UNKNOWN:
                hunt.plies += 2
                for other in self._hunts[: hunt.quiets]:  # fewer quiet moves do no more
                    other.plies = max(other.plies, hunt.plies)
