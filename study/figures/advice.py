"""Advice: which handicap brings White's score nearest to one half, and which values of pieces are far
from what games say."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from ...match.results.statistics import Z95
from ..games.plan import START
from .balance import BalanceFigure, BalanceRow
from .first_moves import OpeningRow
from .intervals import Interval
from .piece_values import ResultValue

STRENGTH = 1_000  # nodes a move up to which handicaps are tried
LEAST_GAMES = 20  # with a first move, for advice on it
MOST_REACH = 0.5  # of the file's value that an interval may reach to each side, for advice on the value


@dataclass(frozen=True)
class HandicapRow:
    """White's `score` in `games` with a handicap."""

    name: str
    games: int
    score: Interval


@dataclass(frozen=True)
class Advice:
    """What follows from the figures. `plain` are the games without a handicap, at the strength of those with
    one; `handicaps` are empty where these games favour no side. `first_move` is the first move whose score is
    nearest to one half, if the plain games do not have that. `values` are the pieces on the board whose value
    in the file is far from that by results, the clearest first, where the games give it well enough: all of
    these hold together with 95 % confidence."""

    plain: BalanceRow | None
    handicaps: tuple[HandicapRow, ...]
    first_move: OpeningRow | None
    values: tuple[ResultValue, ...]

    @property
    def best(self) -> HandicapRow | None:
        """The handicap with the score nearest to one half, if it is nearer than the plain games."""
        if self.plain is None or not self.handicaps:
            return None
        best = min(self.handicaps, key=lambda row: abs(row.score.value - 0.5))
        nearer = abs(best.score.value - 0.5) < abs(self.plain.score.value - 0.5)
        return best if nearer else None

    @property
    def rivals(self) -> tuple[HandicapRow, ...]:
        """Other handicaps with which the games do not show that a side is favoured."""
        return tuple(row for row in self.handicaps if row is not self.best and not row.score.excludes(0.5))


def plain_row(balance: BalanceFigure) -> BalanceRow | None:
    """The games from the start at the greatest strength up to STRENGTH, or the weakest one."""
    rows = sorted((row for row in balance.rows if row.source == START), key=lambda row: row.nodes)
    return next((row for row in reversed(rows) if row.nodes <= STRENGTH), rows[0] if rows else None)


def favoured(row: BalanceRow | None) -> int | None:
    """The side that the games of a row favour (0 White, 1 Black), None if they show none."""
    if row is None or not row.score.excludes(0.5):
        return None
    return 0 if row.score.value > 0.5 else 1


def advice_of(
    balance: BalanceFigure,
    handicaps: Sequence[HandicapRow],
    first: Sequence[OpeningRow],
    values: Sequence[ResultValue],
) -> Advice:
    """The advice that the figures give."""
    plain = plain_row(balance)
    enough = [row for row in first if row.games >= LEAST_GAMES]
    nearest = min(enough, key=lambda row: abs(row.score.value - 0.5), default=None)
    if favoured(plain) is None or len(enough) < 2:
        nearest = None
    on_board = [row for row in values if not row.in_hand and _reach(row) <= MOST_REACH * row.in_file]
    far = [row for row in on_board if _errors_away(row) > _reach_of_all(len(on_board))]
    return Advice(plain, tuple(handicaps), nearest, tuple(sorted(far, key=_errors_away, reverse=True)))


def _reach_of_all(count: int) -> float:
    """By what factor intervals are widened so that all of them together hold with 95 % confidence (C. E.
    Bonferroni)."""
    return NormalDist().inv_cdf(1 - 0.025 / count) / Z95


def _reach(row: ResultValue) -> float:
    """The half-width of the interval of a value by results."""
    return (row.value.high - row.value.low) / 2


def _errors_away(row: ResultValue) -> float:
    """How far the file's value lies from that by results, in half-widths of its interval."""
    return abs(row.value.value - row.in_file) / _reach(row) if _reach(row) else 0.0
