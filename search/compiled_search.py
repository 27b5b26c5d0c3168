"""The code of one engine's searches: compiled ahead, or while the first moves are played."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ..engine.game.description import Description
from ..engine.kernel.compile_progress import Progress
from ..engine.kernel.compiler import compile_ahead
from ..engine.movegen.entry_points import entry_points_of
from ..engine.variant import Variant
from ..eval.network.vectors import Shape
from .compile_plan import entry_points, team
from .tree.table import TranspositionTable


def _set_event() -> threading.Event:
    event = threading.Event()
    event.set()
    return event


@dataclass(eq=False, repr=False)
class CompiledSearch:
    """The shared state of searches, and their code: the game's `description` and `rules`, the transposition
    `table`, a worker record for each thread, and scores given from outside (key, score as the search counts,
    depth)."""

    description: Description
    rules: Any
    table: TranspositionTable
    workers: list[Any] = field(default_factory=list)
    given_scores: list[tuple[int, int, int]] = field(default_factory=list)
    variant: Variant = field(kw_only=True)
    is_ready: bool = False  # `compile` has been called
    _has_search: threading.Event = field(
        default_factory=_set_event
    )  # cleared while a thread compiles the search

    @property
    def shape(self) -> Shape | None:
        """The size of the network; None for the hand-written evaluation."""
        raise NotImplementedError

    @property
    def is_compiled(self) -> bool:
        """Whether the code exists, so that `compile` only loads it."""
        return all(each.function._cache.has(each.types) for each in entry_points(self.rules, self.shape))

    @property
    def is_native(self) -> bool:
        """Whether all code was compiled for this exact processor."""
        points = entry_points(self.rules, self.shape)
        return all(each.function._cache.has_native(each.types) for each in points)

    def compile(self, progress: Progress | None = None) -> None:
        """Compiles everything for play, or loads it from the cache."""
        points = entry_points(self.rules, self.shape)
        compile_ahead(points, progress, partial(team, self.rules, self.variant, self.shape))
        entry_points_of(self.rules).load()
        self.is_ready = True

    def defer_search(self) -> None:
        """Make `play` wait for the search until `allow_search`, because another thread compiles it. If `stop`
        is called or its time ends first, it returns a provisional move."""
        self._has_search.clear()

    def allow_search(self) -> None:
        """Let `play` search: the search is compiled, or failed to compile."""
        self._has_search.set()
