"""Matches between engines: players, openings, games, tournaments, results.

`play` runs a match as the command `surajang match` does, `resume` continues one, and `read` gives the results
in a folder.
"""

from typing import TYPE_CHECKING

from ..engine.lazy_names import lazy_names

if TYPE_CHECKING:
    from .games.tournament import TournamentError
    from .openings.openings import BookError
    from .play_match import EngineResult, MatchProgress, MatchResult, play, read, resume
    from .records.journal import JournalError
    from .results.statistics import Estimate
    from .runner import MatchError

_HOMES = {
    "play_match": ("EngineResult", "MatchProgress", "MatchResult", "play", "read", "resume"),
    "openings.openings": ("BookError",),
    "results.statistics": ("Estimate",),
    "records.journal": ("JournalError",),
    "runner": ("MatchError",),
    "games.tournament": ("TournamentError",),
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


__getattr__ = lazy_names(__name__, _HOMES)


def __dir__() -> list[str]:
    return __all__
