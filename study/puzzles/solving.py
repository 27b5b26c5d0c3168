"""Whether a position is a puzzle: at each turn of its side one move is clearly better than all others.

A move is clearly better where its expected score is ahead of the second best by GAP. Each of the solver's
moves must hold in two searches: with the engine's evaluation, and with the hand-written one
(with four times the nodes where the game has no other).
"""

from typing import NamedTuple

from ...bench.suites.judged_source import PositionJudge
from ...engine.game.moves import Move
from ...engine.position import Position
from ...engine.variant import Variant
from ...search.engine import Engine, Limit
from ...search.results import Score
from .puzzle import MATE, SAVE, WIN, Puzzle, expected
from .themes import themes_of

GAP = 0.35  # of the expected score, by which a move is better than all others
WINNING = 0.75  # expected score from which a position is won
LEVEL = 0.4  # expected score from which a position is saved
LOST = 0.2  # expected score of the second best move up to which a move saves the game
MOST_MOVES = 8  # of the solver
FEW_MOVES = 3  # legal moves from which a position is examined
PROBE_SHARE = 16  # one in so many nodes for the first look
SECOND_SHARE = 4  # times the nodes of the second search where it has the same evaluation
BUDGETS = (1, 3)  # times powers of ten: the numbers of nodes that tell how difficult a move is
LEAST_BUDGET = 10  # nodes
EASY_NODES = 300  # below which a single move, such as a recapture, is no puzzle
HASH_MB = 32
FORCED, CLOSE, UNCLEAR, DISPUTED, EASY, OVER = "forced", "close", "unclear", "disputed", "easy", "over"


class Found(NamedTuple):
    """The best move by a search, its score, and the score of the second best, None for an only move."""

    move: Move
    best: Score
    second: Score | None

    @property
    def gap(self) -> float:
        """By how much the expected score of the best move is ahead."""
        return expected(self.best) - (expected(self.second) if self.second else 0.0)


def goal_of(found: Found) -> str:
    """The goal of a puzzle whose first move is `found`, "" where it has none."""
    if found.best.mate is not None and found.best.mate > 0:
        return MATE
    if expected(found.best) >= WINNING:
        return WIN
    if expected(found.best) >= LEVEL and found.second and expected(found.second) <= LOST:
        return SAVE
    return ""


class PuzzleJudge(PositionJudge):
    """A `PositionJudge` of puzzles."""

    def __init__(self, variant: Variant, nodes: int) -> None:
        super().__init__(variant, nodes, SECOND_SHARE, HASH_MB)

    def examine(self, position: Position, name: str) -> Puzzle | str:
        if position.result() is not None:
            return OVER
        if len(position.legal_moves) < FEW_MOVES:
            return FORCED
        if self._best(self.engine, position, max(1, self.nodes // PROBE_SHARE)).gap < GAP / 2:
            return CLOSE
        first = self._best(self.engine, position, self.nodes)
        if first.gap < GAP:
            return CLOSE
        goal = goal_of(first)
        if not goal:
            return UNCLEAR
        if not self._is_confirmed(position, first):
            return DISPUTED
        moves, end = self._solution(position, first, goal)
        if goal == MATE and not end.is_checkmate():
            goal = WIN
        nodes = self._difficulty(position, first.move)
        if len(moves) == 1 and goal != MATE and nodes < EASY_NODES:
            return EASY
        return Puzzle(
            position.variant, name, position.fen(), moves, goal, themes_of(position, moves, end), nodes
        )

    def _solution(self, position: Position, found: Found, goal: str) -> tuple[tuple[str, ...], Position]:
        """(moves, last position): the solver's moves as long as one is clearly better, with the best replies;
        a mate is played to its end."""
        here, moves = position.copy(), [str(found.move)]
        here.push(found.move)
        while here.result() is None and len(moves) < 2 * MOST_MOVES - 1:
            child = here.copy()
            reply = self._best(self.engine, child, self.nodes).move
            child.push(reply)
            if child.result() is not None:
                break
            found = self._best(self.engine, child, self.nodes)
            ends = found.best.mate == 1
            if not ends and not (found.gap >= GAP and self._is_confirmed(child, found)):
                break
            if found.second is None and not ends and goal != MATE:  # an only move needs no solver
                break
            child.push(found.move)
            moves += [str(reply), str(found.move)]
            here = child
        return tuple(moves), here

    def _is_confirmed(self, position: Position, found: Found) -> bool:
        """Whether the second search finds the same move, ahead by half the gap."""
        again = self._best(self._second, position, self._second_nodes)
        return again.move == found.move and again.gap >= GAP / 2

    def _best(self, engine: Engine, position: Position, nodes: int) -> Found:
        """The two best moves of a position by a search with a new table."""
        engine.clear()
        lines = min(2, len(position.legal_moves))
        infos = engine.analyse(position, Limit(nodes=nodes), multipv=lines)
        best = [info for info in infos if info.pv]
        return Found(best[0].pv[0], best[0].score, best[1].score if len(best) > 1 else None)

    def _difficulty(self, position: Position, move: Move) -> int:
        """The number of nodes from which on searches play `move`."""
        needed = self.nodes
        for nodes in reversed(budgets(self.nodes)):
            self.engine.clear()
            if self.engine.play(position, Limit(nodes=nodes)).move != move:
                break
            needed = nodes
        return needed


def budgets(most: int) -> list[int]:
    """LEAST_BUDGET, three times as many, ten times as many, and so on, below `most` nodes."""
    found, ten = [], LEAST_BUDGET
    while ten < most:
        found += [factor * ten for factor in BUDGETS if factor * ten < most]
        ten *= 10
    return found
