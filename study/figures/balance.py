"""Balance: the first player's score, draws and decisive games at each strength."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from ..games.plan import START, Series
from ..games.study_game import BLACK_WINS, DRAWN, UNFINISHED, WHITE_WINS, StudyGame
from .intervals import Interval, mean, mean_change, score, share

Games = Mapping[Series, Sequence[StudyGame]]

ENOUGH = 20  # games of a strength for a sentence on it


@dataclass(frozen=True)
class BalanceRow:
    """The results of one series. `score` is White's, with half a point for a draw and for a game without a
    result; `plies` is the mean length."""

    source: str
    nodes: int
    games: int
    white_wins: int
    draws: int
    black_wins: int
    unfinished: int
    score: Interval
    drawn: Interval
    decisive: Interval
    plies: Interval


@dataclass(frozen=True)
class BalanceFigure:
    """The results of all series, and what changes from the weakest to the strongest one from the start with
    at least ENOUGH games: White's score and the share of draws, each a difference by pairs of games with the
    same opening; None where there are no two such strengths."""

    rows: tuple[BalanceRow, ...]
    score_change: Interval | None
    drawn_change: Interval | None

    @property
    def strongest(self) -> BalanceRow | None:
        """The games from the start at the greatest strength with at least ENOUGH of them; if there is none,
        the strength with most games."""
        rows = [row for row in self.rows if row.source == START and row.games]
        return max(rows, key=lambda row: (row.games >= ENOUGH, _rank(row)), default=None)


def _rank(row: BalanceRow) -> int:
    """The strength of a row with enough games, else their number."""
    return row.nodes if row.games >= ENOUGH else row.games


def balance_of(games: Games) -> BalanceFigure:
    """The balance of all series of games."""
    rows = tuple(_row(series, played) for series, played in games.items() if played)
    ours = {
        series.nodes: played
        for series, played in games.items()
        if series.source == START and len(played) >= ENOUGH
    }
    if len(ours) < 2:
        return BalanceFigure(rows, None, None)
    weak, strong = ours[min(ours)], ours[max(ours)]
    return BalanceFigure(
        rows,
        mean_change(paired(weak, strong, lambda game: game.points)),
        mean_change(paired(weak, strong, lambda game: float(game.result == DRAWN))),
    )


def paired(
    first: Sequence[StudyGame], second: Sequence[StudyGame], value: Callable[[StudyGame], float]
) -> list[float]:
    """The differences of a value, second less first, of games with the same number and opening."""
    found = {game.number: value(game) for game in first}
    return [value(game) - found[game.number] for game in second if game.number in found]


def _row(series: Series, games: Sequence[StudyGame]) -> BalanceRow:
    results = [game.result for game in games]
    wins, draws, losses, unfinished = (
        results.count(result) for result in (WHITE_WINS, DRAWN, BLACK_WINS, UNFINISHED)
    )
    return BalanceRow(
        source=series.source,
        nodes=series.nodes,
        games=len(games),
        white_wins=wins,
        draws=draws,
        black_wins=losses,
        unfinished=unfinished,
        score=score(losses, draws + unfinished, wins),
        drawn=share(draws, len(games)),
        decisive=share(wins + losses, len(games)),
        plies=mean([game.plies for game in games]),
    )
