"""The result of a match between a new network and the one before, read from the match's folder."""

import json
import math
from dataclasses import dataclass
from pathlib import Path

from ...match.games.tournament import Tournament
from ...match.records.journal import CONFIGURATION, Journal
from ...match.runner import standings_of

BOUND = 9999.0  # instead of an infinite Elo, where all points went to one side


@dataclass(frozen=True)
class MatchOutcome:
    """Counts of a match as the new network sees it, and what follows from them.

    `decision` is "H0", "H1" or None for a match that the SPRT did not end. `superiority` is the likelihood
    that the new network is the stronger one."""

    wins: int
    draws: int
    losses: int
    elo: float
    error: float
    superiority: float
    decision: str | None = None

    @property
    def score(self) -> float:
        """Points of the new network as a share of 1; 0.5 without games."""
        games = self.wins + self.draws + self.losses
        return (self.wins + self.draws / 2) / games if games else 0.5

    def __str__(self) -> str:
        ended = f", {self.decision} accepted" if self.decision else ""
        return f"+{self.wins} ={self.draws} -{self.losses}, Elo {self.elo:+.1f} ± {self.error:.1f}{ended}"


NO_GAMES = MatchOutcome(0, 0, 0, 0.0, 0.0, 0.5)


def outcome_of(folder: Path) -> MatchOutcome:
    """The `MatchOutcome` of a match's folder, for its first engine. Raises JournalError, OSError."""
    configuration = Tournament.from_json(json.loads((folder / CONFIGURATION).read_bytes()))
    with Journal.resume(folder) as journal:
        standings = standings_of(configuration, journal.records)
    tally = standings.between(0, 1)
    losses, draws, wins = tally.games
    elo = tally.elo
    decision, sprt = None, configuration.sprt
    if sprt is not None:
        llr = sprt.llr(tally)
        decision = "H1" if llr >= sprt.upper else "H0" if llr <= sprt.lower else None
    value = elo.value if math.isfinite(elo.value) else math.copysign(BOUND, elo.value)
    error = elo.error if math.isfinite(elo.error) else BOUND
    return MatchOutcome(int(wins), int(draws), int(losses), value, error, float(tally.superiority), decision)
