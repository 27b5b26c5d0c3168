"""The root searches of one thread: an aspiration window around the expected score, and the line found."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..engine.game.moves import Move, spell
from ..engine.position import Position
from .compiled_search import CompiledSearch
from .results import Line
from .stop import Stop
from .tree.parameters import ASPIRATION_DEPTH, ASPIRATION_WINDOW, DECISIVE, INFINITE
from .tree.proof import PROVEN, prove_root
from .tree.search import search_root
from .tree.worker import load_game

NO_LIMIT = 1 << 62
WIDENING = 4  # factor of the width of the window after each score outside


def first_window(depth: int, guess: int) -> tuple[int, int]:
    """(alpha, beta) of the first search at a depth: around the expected score, or all scores. Self-play
    compiles this function, and `wider_window`, into its own loop."""
    if depth >= ASPIRATION_DEPTH and abs(guess) < DECISIVE:
        return guess - ASPIRATION_WINDOW, guess + ASPIRATION_WINDOW
    return -INFINITE, INFINITE


def wider_window(alpha: int, beta: int, value: int, width: int) -> tuple[int, int]:
    """(alpha, beta) of the next search after a `value` outside the window: one bound moves `width` away."""
    if value <= alpha:
        return (max(-INFINITE, value - width) if width < DECISIVE else -INFINITE), beta
    return alpha, (min(INFINITE, value + width) if width < DECISIVE else INFINITE)


class Root:
    """The root of one `worker`'s search, without the moves of the codes `excluded`."""

    def __init__(self, engine: CompiledSearch, worker: Any, excluded: list[int]) -> None:
        self._engine, self.worker, self._excluded = engine, worker, excluded

    def load(self, position: Position, stop: Stop) -> None:
        """Set the worker up for a new search of `position`, which `stop` ends."""
        worker, table = self.worker, self._engine.table
        load_game(worker, position, self._engine.given_scores)
        worker["stop_address"] = stop.word.ctypes.data
        worker["table"], worker["table_mask"] = table.address, table.mask
        worker["nodes"] = worker["seldepth"] = worker["stopped"] = worker["current"] = 0
        worker["node_limit"] = NO_LIMIT
        self.exclude(())

    def exclude(self, lines: Iterable[Line]) -> None:
        """Exclude the first moves of `lines`, besides those that are always excluded."""
        codes = [*self._excluded, *(line.moves[0].code for line in lines)]
        self.worker["excluded_moves"][: len(codes)] = codes
        self.worker["excluded_count"] = len(codes)

    def search(
        self, depth: int, guess: int, on_bound: Callable[[Line, str], None] | None = None
    ) -> tuple[Line, bool]:
        """The line of one depth, and whether the search was finished.

        The aspiration window around `guess` widens until the score lies inside. `on_bound` is called with
        scores outside. A search that was stopped has the moves of the best line so far, if any."""
        worker, width = self.worker, ASPIRATION_WINDOW
        alpha, beta = first_window(depth, guess)
        moves: tuple[Move, ...] = ()
        while True:
            value = int(search_root(self._engine.rules, worker, depth, alpha, beta))
            moves = self._line() or moves
            if worker["stopped"]:
                return Line(guess, moves), False
            if alpha < value < beta or (alpha, beta) == (-INFINITE, INFINITE):
                return Line(value, moves), True
            if on_bound is not None:
                on_bound(Line(value, moves), "upper" if value <= alpha else "lower")
            width *= WIDENING
            alpha, beta = wider_window(alpha, beta, value, width)

    def prove(self, plies: int, quiets: int, node_limit: int) -> tuple[int, tuple[Move, ...]]:
        """Whether checks and at most `quiets` other moves mate within that many plies (an odd number), by
        `prove_root`, and the moves. It ends at `node_limit` of the worker's nodes, or with the search; later
        calls continue it. It may be stopped, because a move is known."""
        self.worker["stoppable_from"] = 0
        self.worker["proof_limit"] = node_limit
        verdict = int(prove_root(self._engine.rules, self.worker, plies, quiets))
        return verdict, self._line() if verdict == PROVEN else ()

    @property
    def nodes(self) -> int:
        """Nodes that the worker has counted in this search."""
        return int(self.worker["nodes"])

    @property
    def is_stopped(self) -> bool:
        """Whether this search was stopped, or has used up its nodes."""
        return bool(self.worker["stopped"])

    def _line(self) -> tuple[Move, ...]:
        """The line of the root; empty when no move beat alpha."""
        codes = self.worker["pv"][0][: int(self.worker["pv_length"][0])]
        return tuple(spell(int(code), self._engine.description) for code in codes)
