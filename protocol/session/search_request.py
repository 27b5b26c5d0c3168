"""A request for a search: its limit, the moves to choose from, the number of lines."""

from __future__ import annotations

from dataclasses import dataclass

from ...engine.game.moves import Move
from ...search.time_management import Limit


@dataclass(frozen=True)
class SearchRequest:
    """The `Limit` of a search, the moves to choose from (None: all), and how many lines to report."""

    limit: Limit
    searchmoves: tuple[Move, ...] | None = None
    multipv: int = 1

    @property
    def is_bounded(self) -> bool:
        """Whether the search ends by itself in any case; a limit of `mate` alone may never end it."""
        limit = self.limit
        return any(part is not None for part in (limit.depth, limit.nodes, limit.time, limit.clock))
