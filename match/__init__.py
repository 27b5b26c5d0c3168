"""Matches between engines: players, openings, games, tournaments, results.

`play` runs a match as the command `surajang match` does, `resume` continues one, and `read` gives the results
in a folder.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .games.tournament import TournamentError
    from .openings.openings import BookError
    from .play_match import EngineResult, MatchProgress, MatchResult, play, read, resume
    from .records.journal import JournalError
    from .results.statistics import Estimate
    from .runner import MatchError

_HOMES = {
    **dict.fromkeys(("EngineResult", "MatchProgress", "MatchResult", "play", "read", "resume"), "play_match"),
    "BookError": "openings.openings",
    "Estimate": "results.statistics",
    "JournalError": "records.journal",
    "MatchError": "runner",
    "TournamentError": "games.tournament",
}
__all__ = [
    "BookError",
    "EngineResult",
    "Estimate",
    "JournalError",
    "MatchError",
    "MatchProgress",
    "MatchResult",
    "TournamentError",
    "play",
    "read",
    "resume",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    return __all__
