"""Time odds: the score of one engine against another as a function of the ratio of their times, and the odds
at which both are level.

The fit is a logistic line: the Elo difference falls in proportion to the logarithm of the odds. Its errors
come from Fisher's information times the observed spread of the results about the line, as in `ratings`."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.table import Table
from rich.text import Text

from .games.tournament import GAUNTLET, HEAD_TO_HEAD, ODDS, Tournament, TournamentError
from .results.statistics import LOGISTIC, Z95, Estimate, Tally
from .results.summary import percent, plain_table, wins_draws_losses

if TYPE_CHECKING:
    import numpy.typing as npt

    from .players.control import TimeControl
    from .results.standings import Standings

    Floats = npt.NDArray[np.floating[Any]]

MOVES = 60  # of a game, by which a clock with an increment is compared with one without
ROUNDS = 100  # of Newton's method


@dataclass(frozen=True)
class OddsPoint:
    """The results (`tally`) of a first engine against a second one that has `odds` times its time; `first`
    and `second` are their limits."""

    odds: float
    tally: Tally
    first: str
    second: str


@dataclass(frozen=True)
class OddsFit:
    """The line through results at several odds: the Elo that each doubling of the second engine's time costs
    the first (`doubling`), and `level`, the binary logarithm of the odds at which both are level, with its
    `error`; both errors hold 95 %. They are infinite where the slope may be 0."""

    doubling: Estimate
    level: float
    error: float

    @property
    def odds(self) -> tuple[float, float, float]:
        """(odds at which both are level, lower, upper bound)."""
        if not math.isfinite(self.error):
            return 2.0**self.level, 0.0, math.inf
        low, high = (2.0 ** (self.level + way * self.error) for way in (-1, 1))
        return 2.0**self.level, low, high


def budget_of(control: "TimeControl") -> tuple[str, float]:
    """(unit, amount) that an engine may use in a game of MOVES moves: seconds, or nodes if no time is set.
    Raises TournamentError for a limit of depth only."""
    if control.base is not None:
        sessions = MOVES / control.moves if control.moves else 1
        return "seconds", control.base * sessions + control.increment * MOVES
    if control.movetime is not None:
        return "seconds", control.movetime * MOVES
    if control.nodes is not None:
        return "nodes", float(control.nodes * MOVES)
    raise TournamentError(f"{control} has neither time nor nodes, so it gives no odds")


def odds_of(first: "TimeControl", second: "TimeControl") -> float:
    """The ratio of the second engine's time or nodes to the first one's. Raises TournamentError for time
    against nodes."""
    (one, amount), (other, more) = budget_of(first), budget_of(second)
    if one != other:
        raise TournamentError(f"{first} and {second} give no odds: {one} against {other}")
    return more / amount


def pairings_of(configuration: Tournament) -> Sequence[tuple[int, int]]:
    """The pairings of a match with odds. Raises TournamentError for another kind of match."""
    if configuration.tournament == ODDS:
        return configuration.pairings
    if configuration.tournament in (HEAD_TO_HEAD, GAUNTLET):
        return [(0, other) for other in range(1, len(configuration.engines))]
    raise TournamentError(f"a {configuration.tournament} has no first engine for odds")


def points_of(configuration: Tournament, standings: "Standings") -> list[OddsPoint]:
    """The points of a match, by odds. Raises TournamentError."""
    found = []
    for first, second in pairings_of(configuration):
        one, other = (configuration.engines[engine].control for engine in (first, second))
        tally = standings.between(first, second)
        found.append(OddsPoint(odds_of(one, other), tally, str(one), str(other)))
    return sorted(found, key=lambda point: point.odds)


def fitted(points: Iterable[OddsPoint]) -> OddsFit | None:
    """The `OddsFit` of points; None if there is no finite fit: with games at a single odds, or if one engine
    won all games up to some odds, and lost all of them beyond."""
    played = [point for point in points if point.tally.played]
    if not _has_finite_fit(played):
        return None
    odds = np.array([math.log2(point.odds) for point in played])
    games = np.array([point.tally.played for point in played], float)
    scores = np.array([point.tally.score for point in played])
    columns = np.stack([np.ones_like(odds), -odds], axis=1)  # Elo at even time, and by halvings of the odds
    line = np.zeros(2)
    for _ in range(ROUNDS):
        expected = 1 / (1 + np.exp(-columns @ line))
        information = columns.T @ (columns * (games * expected * (1 - expected))[:, None])
        step = np.linalg.pinv(information) @ (columns.T @ (games * (scores - expected)))
        line += step / max(1.0, float(np.abs(step).max()))
        if np.abs(step).max() < 1e-10:
            break
    return _fit(line, np.linalg.inv(information) * _dispersion(played, expected))


def _has_finite_fit(points: Sequence[OddsPoint]) -> bool:
    """Whether some odds have both points won and points lost beyond them, so that the fit is finite."""
    won = [point.odds for point in points if point.tally.score > 0]
    lost = [point.odds for point in points if point.tally.score < 1]
    return bool(won and lost) and max(won) > min(lost) and max(lost) > min(won)


def _dispersion(points: Sequence[OddsPoint], expected: "Floats") -> float:
    """Pearson's dispersion: the spread of the results about the line, as a multiple of that of games that are
    won or lost; 1 where there are not more results than numbers of the line."""
    total = sum(point.tally.spread(mean) for point, mean in zip(points, expected.tolist(), strict=True))
    units = sum(sum(point.tally.counts) for point in points)
    return total / (units - 2) if units > 2 else 1.0


def _fit(line: "Floats", spread: "Floats") -> OddsFit:
    """The fit of a line (in units of the logistic curve) and the covariances of its numbers."""
    even, slope = line.tolist()
    doubling = Estimate(LOGISTIC * slope, LOGISTIC * Z95 * math.sqrt(spread[1, 1]))
    level = even / slope if slope else math.nan
    if doubling.value - doubling.error <= 0:
        return OddsFit(doubling, level, math.inf)
    variance = (spread[0, 0] - 2 * level * spread[0, 1] + level**2 * spread[1, 1]) / slope**2
    return OddsFit(doubling, level, Z95 * math.sqrt(variance))


def odds_table(points: Sequence[OddsPoint], names: tuple[str, str]) -> Table:
    """A row for each point, for the first engine."""
    table = plain_table(
        "odds", *(f"{name}\nhas" for name in names), "games", "+ = -", "score\n%", "Elo\n± 95 %"
    )
    for point in points:
        tally = point.tally
        figures = str(tally.played), wins_draws_losses(tally.games), percent(tally.score), str(tally.elo)
        table.add_row(Text(f"{point.odds:g}"), point.first, point.second, *figures)
    return table


def level_lines(points: Sequence[OddsPoint], names: tuple[str, str]) -> list[str]:
    """The results of the fit, in sentences."""
    first, second = names
    fit = fitted(points)
    if fit is None:
        if len({point.odds for point in points if point.tally.played}) < 2:
            return ["Games at two odds or more are needed to compute at which odds both are level."]
        return ["The results have no finite fit: play odds between those that were won and lost."]
    lines = [f"Each doubling of the time of {second} is worth {fit.doubling} Elo."]
    odds, low, high = fit.odds
    if not math.isfinite(fit.error):
        return [*lines, "The error includes 0, so the odds at which both are level are unknown."]
    played = [point.odds for point in points if point.tally.played]
    beyond = "" if min(played) <= odds <= max(played) else ", which is beyond the odds that were played"
    bounds = f"{odds:.3g} times the time ({low:.3g} to {high:.3g})"
    return [*lines, f"{first} and {second} are level where {second} has {bounds}{beyond}."]


def base_names(configuration: Tournament) -> tuple[str, str]:
    """The names of the two sides of a match at odds, without their limits."""
    first, second = pairings_of(configuration)[0]
    found = []
    for engine in (first, second):
        spec = configuration.engines[engine]
        found.append(spec.name.removesuffix(f" {spec.control}"))
    return found[0], found[1]


def odds_report(configuration: Tournament, standings: "Standings") -> "list[str | Table]":
    """The report of a match at odds; nothing for another one."""
    if configuration.tournament != ODDS:
        return []
    points, names = points_of(configuration, standings), base_names(configuration)
    return [odds_table(points, names), *level_lines(points, names)]
