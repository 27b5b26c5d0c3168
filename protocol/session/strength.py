"""Weaker play of a session: its requests, reduced to a level of `search.levels`."""

import random
from dataclasses import replace
from typing import TYPE_CHECKING

from ...search.levels import Chance, Level, reduced

if TYPE_CHECKING:
    from .search_request import SearchRequest


def weakened(request: "SearchRequest", level: Level, chance: Chance = random) -> "SearchRequest":
    """The `request` for a search reduced to a `level`."""
    limit = reduced(request.limit, level, chance)
    return replace(request, limit=limit, multipv=max(level.lines, request.multipv))
