"""Random lines of good moves from the start of a game that keep the balance. The line of a number depends on
the number, the settings, the rules and the evaluation."""

from collections import OrderedDict

import numpy as np

from ....engine.game.moves import Move
from ....engine.position import Position
from ....engine.variant import Variant
from ....search.engine import Engine, Info
from .attempt import SuiteSettings

HASH_MB = 1
BEST_MOVES = 6  # among which one is drawn
NODES = 5_000  # of the search that finds these
MARGIN = 60  # centipawns that a move may be worse than the best one
ROOM = 2  # the score of each move should be within so many times the limit
KEPT = 100_000  # size of the cache of best moves, because many lines begin in the same way

Scored = list[tuple["Move", int]]  # moves with their centipawns for the side to move


class LineMaker:
    """Makes lines of one game, with the network that it has. Raises VariantError for an unknown game."""

    def __init__(self, variant: Variant, settings: SuiteSettings) -> None:
        self.variant, self.settings = variant, settings
        self._engine = Engine(variant, hash_mb=HASH_MB)
        self._known: OrderedDict[tuple[Move, ...], Scored] = OrderedDict()  # by the moves so far

    def line(self, number: int) -> tuple[Position, bool]:
        """The position after the line of that number, and whether the game is still in progress. The line is
        shorter if the game ended before."""
        position = Position(self.variant)
        random = np.random.default_rng([self.settings.seed, number])
        plies = self.settings.plies + number % 2  # not counting setup choices
        made = 0
        while position.result() is None:
            moves = [move for move in position.legal_moves() if not move.is_pass]
            chooses = any(move.is_choice for move in moves)
            if made == plies and not chooses:
                return position, True
            if not chooses:
                made += 1
                moves = self._candidates(position, moves, is_last=made == plies)
            if not moves:
                break
            position.push(moves[int(random.integers(len(moves)))])
        return position, False

    def _candidates(self, position: Position, moves: list[Move], is_last: bool) -> list[Move]:
        """The moves among which the next one is drawn: good ones that keep the balance. For the last move, or
        if none keeps it, only the most balanced one; none if all lead to mates."""
        scored = self._best_moves(position, moves)
        good = [(move, abs(score)) for move, score in scored if score >= scored[0][1] - MARGIN]
        near = [move for move, distance in good if distance < ROOM * self.settings.limit]
        if good and (is_last or not near):
            return [min(good, key=lambda each: each[1])[0]]
        return near

    def _best_moves(self, position: Position, moves: list[Move]) -> Scored:
        """The BEST_MOVES among `moves` that do not lead to a mate, the best first."""
        line = tuple(position.moves)
        if line not in self._known:
            self._known[line] = self._searched(position, moves) if moves else []
            if len(self._known) > KEPT:
                self._known.popitem(last=False)
        return self._known[line]

    def _searched(self, position: Position, moves: list[Move]) -> Scored:
        """`_best_moves`, by a search."""
        found: dict[int, Info] = {}  # by rank, of the last iteration

        def note(info: Info) -> None:
            found[info.multipv] = info

        self._engine.clear()  # so that scores depend on the line alone
        self._engine.play(position, nodes=NODES, multipv=BEST_MOVES, searchmoves=moves, on_info=note)
        ranked = [found[rank] for rank in sorted(found)]
        return [(info.pv[0], info.score.centipawns) for info in ranked if info.score.mate is None]
