"""The result of a match between a new network and the best one before it, read from the match's folder."""

import json
import math
from dataclasses import dataclass
from pathlib import Path

from ...match.games.tournament import Tournament
from ...match.records.journal import CONFIGURATION, Journal
from ...match.results.sprt import Sprt
from ...match.results.statistics import Estimate, Tally, one_sided
from ...match.runner import standings_of

UNKNOWN = 9999.0  # older files have this number in place of a missing one


@dataclass(frozen=True)
class MatchOutcome:
    """The results of a match for the new network.

    `elo` is None if one side won all points; `error` is None if it cannot be computed. `decision` is "H0",
    "H1", or None if the SPRT did not end the match. `superiority` is the likelihood that the new network is
    stronger."""

    wins: int
    draws: int
    losses: int
    elo: float | None
    error: float | None
    superiority: float
    decision: str | None = None

    @property
    def score(self) -> float:
        """The new network's points as a share from 0 to 1; 0.5 without games."""
        games = self.wins + self.draws + self.losses
        return (self.wins + self.draws / 2) / games if games else 0.5

    @property
    def estimate(self) -> Estimate:
        """The Elo difference, an `Estimate`."""
        if self.elo is None or abs(self.elo) >= UNKNOWN:
            return one_sided(math.copysign(math.inf, self.score - 0.5), self.wins + self.draws + self.losses)
        known = self.error is not None and self.error < UNKNOWN
        return Estimate(self.elo, self.error if known and self.error is not None else math.nan)

    def __str__(self) -> str:
        ended = f", {self.decision} accepted" if self.decision else ""
        return f"+{self.wins} ={self.draws} -{self.losses}, Elo {self.estimate}{ended}"


NO_GAMES = MatchOutcome(0, 0, 0, 0.0, 0.0, 0.5)


def outcome_of(folder: Path) -> MatchOutcome:
    """The `MatchOutcome` of a match's folder, for its first engine. Raises JournalError, OSError."""
    configuration = Tournament.from_json(json.loads((folder / CONFIGURATION).read_bytes()))
    with Journal.resume(folder) as journal:
        standings = standings_of(configuration, journal.records)
    return outcome_of_tally(standings.between(0, 1), configuration.sprt)


def outcome_of_tally(tally: Tally, sprt: Sprt | None) -> MatchOutcome:
    """The `MatchOutcome` of results, for the first player."""
    losses, draws, wins = tally.games
    elo, decision = tally.elo, sprt.verdict(sprt.llr(tally)) if sprt else None
    value = elo.value if math.isfinite(elo.value) else None
    error = elo.error if math.isfinite(elo.error) else None
    return MatchOutcome(int(wins), int(draws), int(losses), value, error, float(tally.superiority), decision)
