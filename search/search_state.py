"""The state that the searches of one engine share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..engine.game.description import Description
    from .tree.table import TranspositionTable


@dataclass(eq=False)
class SearchState:
    """The game's `description` and `rules`, the transposition `table`, a worker record for each thread,
    and scores given from outside (key, score as the search counts, depth)."""

    description: Description
    rules: Any
    table: TranspositionTable
    workers: list[Any] = field(default_factory=list)
    given_scores: list[tuple[int, int, int]] = field(default_factory=list)
