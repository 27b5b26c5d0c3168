"""Openings: the first moves of games from the start, and the lines that occur most."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..games.study_game import BLACK_WINS, WHITE_WINS, StudyGame
from .intervals import Interval, score

LINE = 4  # plies of a line
MOST_LINES = 12


@dataclass(frozen=True)
class OpeningRow:
    """The games that begin with `moves` in SAN, and White's `score` in them."""

    moves: tuple[str, ...]
    games: int
    score: Interval


@dataclass(frozen=True)
class Openings:
    """The first moves of games at `nodes` a move, and lines of LINE plies, most frequent first."""

    nodes: int
    games: int
    first: tuple[OpeningRow, ...]
    lines: tuple[OpeningRow, ...]


def openings_of(games: Sequence[StudyGame], nodes: int) -> Openings:
    """The openings of games from the start at one strength."""
    return Openings(nodes, len(games), _rows(games, 1), _rows(games, LINE)[:MOST_LINES])


def _rows(games: Sequence[StudyGame], plies: int) -> tuple[OpeningRow, ...]:
    groups: dict[tuple[str, ...], list[StudyGame]] = {}
    for game in games:
        if game.plies >= plies:
            groups.setdefault(game.line[:plies], []).append(game)
    rows = [OpeningRow(moves, len(group), _score(group)) for moves, group in groups.items()]
    return tuple(sorted(rows, key=lambda row: (-row.games, row.moves)))


def _score(games: Sequence[StudyGame]) -> Interval:
    results = [game.result for game in games]
    wins, losses = results.count(WHITE_WINS), results.count(BLACK_WINS)
    return score(losses, len(games) - wins - losses, wins)
