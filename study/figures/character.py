"""Character: the length of games, the number of moves, and the kinds of moves by phase."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..games.study_game import Kind, StudyGame
from .intervals import Interval, clipped, mean, mean_count, ratio, share

PHASES = ("first third", "second third", "last third")  # of a game's own plies
KINDS = {
    "captures": Kind.CAPTURE,
    "checks": Kind.CHECK,
    "drops": Kind.DROP,
    "promotions": Kind.PROMOTION,
}
AHEAD = 100  # centipawns from which a side is ahead
CLEARLY_AHEAD = 200  # centipawns from which a side is clearly ahead
CURVE_SHARE = 0.1  # of the games that a curve needs at a ply
MOST_POINTS = 60  # of a curve


@dataclass(frozen=True)
class CurvePoint:
    """A mean over the games that reach a `ply`, counted from 1."""

    ply: int
    mean: Interval


@dataclass(frozen=True)
class PhaseRow:
    """The share of moves of a `kind` in each of PHASES."""

    kind: str
    shares: tuple[Interval, ...]


@dataclass(frozen=True)
class Character:
    """The character of the games of one series at `nodes` a move.

    `plies` is the mean length, `quartiles` the lengths that a quarter, half and three quarters of the games
    do not exceed. `legal` is the mean number of legal moves by ply, `material` the mean value of all pieces
    by ply in parts of that after the first move. `lead_changes` counts for each game how often the side that
    is ahead by AHEAD changes. `turned` is the share of decisive games in which the loser was ahead by
    CLEARLY_AHEAD at some time, `turned_late` that in which it was in the last third."""

    nodes: int
    games: int
    plies: Interval
    quartiles: tuple[int, int, int]
    legal_moves: Interval
    legal: tuple[CurvePoint, ...]
    material: tuple[CurvePoint, ...]
    kinds: tuple[PhaseRow, ...]
    lead_changes: Interval
    turned: Interval
    turned_late: Interval


def character_of(games: Sequence[StudyGame], nodes: int) -> Character | None:
    """The character of games at one strength; None without a move."""
    moved = [game for game in games if game.plies]
    if not moved:
        return None
    lengths = sorted(game.plies for game in games)
    rows = [PhaseRow(name, tuple(_phase_shares(moved, kind))) for name, kind in KINDS.items()]
    decisive = [game for game in moved if game.is_decisive]
    return Character(
        nodes=nodes,
        games=len(games),
        plies=mean(lengths),
        quartiles=(_quantile(lengths, 0.25), _quantile(lengths, 0.5), _quantile(lengths, 0.75)),
        legal_moves=ratio([sum(game.legal) for game in moved], [game.plies for game in moved]),
        legal=curve(moved, lambda game, ply: game.legal[ply]),
        material=curve(moved, _material_left),
        kinds=tuple(row for row in rows if any(part.value for part in row.shares if part.is_known)),
        lead_changes=mean_count([lead_changes(game) for game in moved]),
        turned=share(sum(map(was_turned, decisive)), len(decisive)),
        turned_late=share(sum(map(was_turned_late, decisive)), len(decisive)),
    )


def curve(games: Sequence[StudyGame], value: Callable[[StudyGame, int], float]) -> tuple[CurvePoint, ...]:
    """The mean of a value by ply, up to the ply that CURVE_SHARE of the games reach, in MOST_POINTS steps."""
    lengths = sorted(game.plies for game in games)
    end = _quantile(lengths, 1 - CURVE_SHARE)
    step = max(1, -(-end // MOST_POINTS))
    return tuple(
        CurvePoint(ply + 1, mean([value(game, ply) for game in games if ply < game.plies]))
        for ply in range(0, end, step)
    )


def lead_changes(game: StudyGame) -> int:
    """How often the lead of a game passes from one side to the other."""
    leaders = [score > 0 for score in game.scores if score is not None and abs(score) >= AHEAD]
    return sum(first != second for first, second in pairwise(leaders))


def was_turned(game: StudyGame) -> bool:
    """Whether the loser of a decisive game was clearly ahead at some time."""
    return _loser_was_ahead(game, game.scores)


def was_turned_late(game: StudyGame) -> bool:
    """Whether the loser of a decisive game was clearly ahead in the last third of its plies."""
    return _loser_was_ahead(game, game.scores[2 * game.plies // len(PHASES) :])


def _loser_was_ahead(game: StudyGame, scores: Sequence[int | None]) -> bool:
    sign = -1 if game.points else 1
    return any(score is not None and score * sign >= CLEARLY_AHEAD for score in scores)


def _material_left(game: StudyGame, ply: int) -> float:
    """The value of all pieces after a move, in parts of that after the first move."""
    return (game.white[ply] + game.black[ply]) / max(1, game.white[0] + game.black[0])


def _phase_shares(games: Sequence[StudyGame], kind: str) -> list[Interval]:
    """The share of moves of a kind in each phase, with errors by games."""
    found = []
    for phase in range(len(PHASES)):
        parts = [_slice(game.kinds, phase) for game in games]
        counts = [sum(kind in kinds for kinds in part) for part in parts]
        found.append(clipped(ratio(counts, [*map(len, parts)]), 1.0))
    return found


def _slice(kinds: Sequence[str], phase: int) -> Sequence[str]:
    count = len(kinds)
    return kinds[phase * count // len(PHASES) : (phase + 1) * count // len(PHASES)]


def _quantile(ordered: Sequence[int], part: float) -> int:
    """The least length that at least a part of the games does not exceed."""
    return ordered[min(len(ordered) - 1, max(0, -(-round(part * len(ordered) * 1000) // 1000) - 1))]
