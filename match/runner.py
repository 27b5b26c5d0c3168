"""Plays a match to its end: the games of the schedule that its journal lacks, on workers; each result is
written to the journal at once."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from .games.schedule import next_replay, unplayed
from .records.model import Termination
from .results.standings import Standings

if TYPE_CHECKING:
    from .games.tournament import Tournament
    from .records.journal import Journal
    from .records.model import MatchGame, Record
    from .results.table import MatchView
    from .workers.pool import Workers


UNFINISHED, FINISHED, DECIDED = "unfinished", "finished", "decided"


class MatchError(RuntimeError):
    """A match that cannot continue; the games played so far are kept."""


class StartFailures:
    """Distinguishes engines that failed to start once, and lose that game, from those that cannot start."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._started: set[int] = set()
        self._failed: set[int] = set()

    def note(self, record: "Record") -> None:
        """Raises MatchError for an engine that has never started, or failed to start twice in a row."""
        game = record.game
        failed = record.fault if record.termination == Termination.START else None
        if failed is not None and (failed not in self._started or failed in self._failed):
            name, why = self._names[failed], record.reason.partition(": ")[2] or record.reason
            told = f"{name} does not start"
            raise MatchError(why if why.startswith(told) else f"{told}: {why}")
        if failed is not None:
            self._failed.add(failed)
            return
        self._started |= {game.white, game.black}
        self._failed -= {game.white, game.black}


def standings_of(configuration: "Tournament", records: "Iterable[Record]") -> Standings:
    """The Standings after these records."""
    standings = Standings(configuration.names, configuration.sprt)
    for record in records:
        standings.add(record)
    return standings


def games_left(configuration: "Tournament", records: "Iterable[Record]") -> "list[MatchGame]":
    """The games that are still to be played. Raises ValueError for records of another match."""
    return unplayed(configuration.schedule(), records, configuration.replay_draws)


def play_match(
    configuration: "Tournament",
    journal: "Journal",
    pool: "Workers",
    work: "Callable[[MatchGame], Record]",
    view: "MatchView",
) -> str:
    """Plays the games that the journal lacks. Only `finished` and `standings` of `view` are used.

    Returns DECIDED if the SPRT has a verdict, FINISHED if all games are played, UNFINISHED if the workers
    were stopped. Raises MatchError, EnginePoolError or WorkersError if the match cannot continue, ValueError
    if the journal holds games of another match, OSError if it cannot be written."""
    if view.standings.decision:
        return DECIDED
    starts = StartFailures(configuration.names)
    games = games_left(configuration, journal.records)

    def follow(game: "MatchGame", record: "Record") -> "tuple[MatchGame, ...]":
        again = next_replay(record, configuration.replay_draws)
        return () if again is None else (again,)

    with closing(pool.run(work, games, follow)) as results:
        for _, record in results:
            starts.note(record)
            if journal.append(record):
                view.finished(record)
            if view.standings.decision:
                return DECIDED
    return UNFINISHED if games_left(configuration, journal.records) else FINISHED
