"""Tests whether a position has a best move that a short search misses and deep searches agree on.

Cheap tests come first: most positions fail at the short search or the probe. The result of the deep search is
then tested by two others with different errors: another evaluation (or four times the nodes, if a game has
only one), and searches of the positions after each move."""

from typing import NamedTuple

from ....engine.game.moves import Move
from ....engine.game_end import DRAW
from ....engine.position import Position
from ....engine.variant import Variant
from ....search.engine import Engine
from ....search.results import Info, Score
from ..judged_source import PositionJudge
from .best_move_file import BestMove

SHORT_NODES = 2_000  # of the short search, which must not find the move, or less:
SHORT_SHARE = 40  # of the deep search's nodes one in so many
PROBE_SHARE = 10  # one in so many for the probe, which tells whether the deep search is worth its time
STABLE = 3  # last iterations of the deep search in which the move is the best
OTHERS = 3  # moves that the best one is compared with by searches of the positions after them
TABLE_SHARE = 4  # times the nodes where there is no other evaluation
FEW_MOVES = 5  # legal moves from which a position is examined
DECIDED = 600  # centipawns from which a game is decided
HIGHEST = 1_000  # centipawns: what is above counts as so much
HASH_MB = 64
EASY, CLOSE, UNSTABLE, MATE = "easy", "close", "unstable", "mate"
FEW, WON, DISPUTED, REFUTED = "few moves", "decided", "disputed", "refuted"


class Ranked(NamedTuple):
    """A move with its score in centipawns, at most HIGHEST either way."""

    move: Move
    score: int
    is_mate: bool


class Ranking(NamedTuple):
    """A finished search of several lines: the best `move`, and the moves of each iteration, best first."""

    move: Move
    iterations: list[list[Ranked]]

    @property
    def last(self) -> list[Ranked]:
        """The moves of the last iteration that was finished."""
        return self.iterations[-1]

    @property
    def margin(self) -> int:
        """The lead of the best move over the second best, in centipawns."""
        return self.last[0].score - self.last[1].score

    @property
    def is_stable(self) -> bool:
        """Whether the last iterations, and what was begun after them, had the same best move."""
        firsts = [ranked[0].move for ranked in self.iterations[-STABLE:]]
        return len(firsts) == STABLE and set(firsts) == {self.move}


class MoveJudge(PositionJudge):
    """A `PositionJudge` of best moves; `margin` in centipawns."""

    def __init__(self, variant: Variant, nodes: int, margin: int) -> None:
        super().__init__(variant, nodes, TABLE_SHARE, HASH_MB)
        self.margin = margin

    def examine(self, position: Position, name: str) -> BestMove | str:
        legal = position.legal_moves()
        if len(legal) < FEW_MOVES:
            return FEW
        short = self._move(self.engine, position, min(SHORT_NODES, max(1, self.nodes // SHORT_SHARE)))
        probe = self._ranking(position, max(1, self.nodes // PROBE_SHARE))
        if probe.move == short:
            return EASY
        if probe.margin < self.margin // 2:
            return CLOSE
        deep = self._ranking(position, self.nodes)
        if fault := self._fault(deep, short):
            return fault
        if self._move(self._second, position, self._second_nodes) != deep.move:
            return DISPUTED
        if not self._stands(position, deep, short):
            return REFUTED
        best = (str(deep.move),)
        return BestMove(
            position.variant, name, position.fen(), best, deep.last[0].score, self.nodes, deep.margin
        )

    def _fault(self, deep: Ranking, short: Move) -> str:
        """The reason why the ranking of the deep search gives no best move, or ""."""
        best, second = deep.last[:2]
        if best.is_mate:
            return MATE
        if deep.move == short:
            return EASY
        if not deep.is_stable:
            return UNSTABLE
        if second.score >= DECIDED or best.score <= -DECIDED:
            return WON
        return CLOSE if deep.margin < self.margin else ""

    def _stands(self, position: Position, deep: Ranking, short: Move) -> bool:
        """Whether searches of the positions after the best move and its rivals confirm half the margin."""
        rest = [move for move in position.legal_moves() if move != deep.move]
        behind = self._ranking(position, max(1, self.nodes // PROBE_SHARE), OTHERS, rest)
        rivals = dict.fromkeys([deep.last[1].move, short, *(ranked.move for ranked in behind.last)])
        score = self._score_behind(position, deep.move)
        return all(
            score - self._score_behind(position, rival) >= self.margin / 2 for rival in list(rivals)[:OTHERS]
        )

    def _score_behind(self, position: Position, move: Move) -> int:
        """The score of a move for its mover, by a search of the position after it."""
        child = position.copy()
        child.push(move)
        if result := child.result():
            won = "1-0" if position.turn == 0 else "0-1"
            return 0 if result.score == DRAW else HIGHEST if result.score == won else -HIGHEST
        self.engine.clear()
        return -_limited(self.engine.play(child, nodes=self.nodes).score)

    def _move(self, engine: Engine, position: Position, nodes: int) -> Move:
        engine.clear()
        move = engine.play(position, nodes=nodes).move
        assert move is not None  # the position has legal moves
        return move

    def _ranking(
        self, position: Position, nodes: int, lines: int = 2, moves: list[Move] | None = None
    ) -> Ranking:
        """The best `lines` moves, among `moves` where those are given."""
        iterations: list[list[Ranked]] = []

        def note(info: Info) -> None:
            if info.multipv == 1:
                iterations.append([])
            iterations[-1].append(Ranked(info.pv[0], _limited(info.score), info.score.mate is not None))

        self.engine.clear()
        move = self.engine.play(position, nodes=nodes, multipv=lines, searchmoves=moves, on_info=note).move
        assert move is not None
        return Ranking(move, iterations)


def _limited(score: Score) -> int:
    """Centipawns within HIGHEST; a mate is above all of them."""
    return max(-HIGHEST, min(HIGHEST, score.centipawns))
