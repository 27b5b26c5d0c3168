"""Openings: the first moves of games from the start, and the lines that occur most."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..games.opening_search import Trap, TreeLine
from ..games.study_game import BLACK_WINS, WHITE_WINS, StudyGame
from .intervals import Interval, score

LINE = 4  # plies of a line
MOST_LINES, LEAST_GAMES = 12, 2  # lines, and games of a line
MOST_NAMED = 5  # lines that are balanced or sharp
SHARP = 30  # centipawns that the second-best reply loses after a sharp line


@dataclass(frozen=True)
class OpeningRow:
    """The games that begin with `moves` in SAN, and White's `score` in them."""

    moves: tuple[str, ...]
    games: int
    score: Interval


@dataclass(frozen=True)
class Openings:
    """The first moves of games at `nodes` a move, and lines of LINE plies, most frequent first; the `tree` of
    lines by search, and the `traps` that games fell for."""

    nodes: int
    games: int
    first: tuple[OpeningRow, ...]
    lines: tuple[OpeningRow, ...]
    tree: tuple[TreeLine, ...] = ()
    traps: tuple[Trap, ...] = ()

    @property
    def balanced(self) -> tuple[TreeLine, ...]:
        """The lines of the tree of at least two plies whose score is nearest to zero."""
        lines = [line for line in self.tree if len(line.moves) > 1]
        return tuple(sorted(lines, key=lambda line: (abs(line.score), line.moves))[:MOST_NAMED])

    @property
    def sharp(self) -> tuple[TreeLine, ...]:
        """The lines of the tree after which one reply is better than all others by SHARP or more."""
        lines = [line for line in self.tree if line.margin is not None and line.margin >= SHARP]
        return tuple(sorted(lines, key=lambda line: (-(line.margin or 0), line.moves))[:MOST_NAMED])


def openings_of(
    games: Sequence[StudyGame], nodes: int, tree: Sequence[TreeLine] = (), traps: Sequence[Trap] = ()
) -> Openings:
    """The openings of games from the start at one strength, with what searches found."""
    lines = [row for row in opening_rows(games, LINE) if row.games >= LEAST_GAMES][:MOST_LINES]
    first = opening_rows(games, 1)
    return Openings(nodes, len(games), first, tuple(lines), tuple(tree), _first_mistakes(traps))


def _first_mistakes(traps: Sequence[Trap]) -> tuple[Trap, ...]:
    """The traps that do not begin with the mistake of another."""
    lines = {trap.moves for trap in traps}
    return tuple(
        trap for trap in traps if not any(trap.moves[:ply] in lines for ply in range(1, len(trap.moves)))
    )


def opening_rows(games: Sequence[StudyGame], plies: int) -> tuple[OpeningRow, ...]:
    """The first moves of games, so many plies of each, most frequent first."""
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
