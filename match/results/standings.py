"""The standings of a match: results, faults and figures of each engine, from its games in any order."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle

from ..records.model import FAULTS, GameResult, MatchGame, MoveRecord, Record, Termination
from .ratings import ratings
from .sprt import Sprt
from .statistics import Estimate, Tally, ratio

WHITE_SCORES = {GameResult.BLACK_WINS: 0, GameResult.DRAW: 1, GameResult.WHITE_WINS: 2}  # in half points


@dataclass
class Figures:
    """Sums over an engine's moves. Depth and speed are averages over the moves for which it told them."""

    moves: int = 0
    seconds: float = 0.0
    slowest: float = 0.0  # seconds of one move
    depths: int = 0  # sum of plies
    deep_moves: int = 0
    nodes: int = 0
    node_seconds: float = 0.0

    def add(self, ply: MoveRecord) -> None:
        """Counts one move."""
        self.moves += 1
        self.seconds += ply.seconds
        self.slowest = max(self.slowest, ply.seconds)
        if ply.depth:
            self.depths += ply.depth
            self.deep_moves += 1
        if ply.nodes:
            self.nodes += ply.nodes
            self.node_seconds += ply.reported or ply.seconds

    @property
    def depth(self) -> float:
        """Plies; nan where it told none."""
        return ratio(self.depths, self.deep_moves)

    @property
    def speed(self) -> float:
        """Nodes per second by its own clock, or the referee's where it told no time, or 0 ms; nan where it
        told no nodes."""
        return ratio(self.nodes, self.node_seconds)

    @property
    def pace(self) -> float:
        """Seconds a move by the referee's clock; nan without moves."""
        return ratio(self.seconds, self.moves)


class Standings:
    """The results of a match between engines with these `names`, in the order of their numbers.

    `sprt` is the test of the first engine against the second, which must be the only other one. Games without
    a result ("*") count as `unfinished` and nowhere else. A game counts once: the same number and replay
    given again changes nothing.

    A replay of a drawn game counts among the games, as does the draw; pairs count first plays only, so that
    their two games are as alike as possible. A pair is complete when both of them are in.
    """

    def __init__(self, names: Sequence[str], sprt: Sprt | None = None) -> None:
        if sprt and len(names) != 2:
            raise ValueError(f"an SPRT compares two engines, not {len(names)}")
        self.names, self.sprt = list(names), sprt
        self.unfinished = self.replays = 0
        self.white = [0, 0, 0]  # losses, draws, wins of White
        self.faults: Counter[tuple[int, Termination]] = Counter()  # of (engine, termination)
        self.terminations: Counter[Termination] = Counter()
        self.figures = [Figures() for _ in names]
        self.colours = [([0, 0, 0], [0, 0, 0]) for _ in names]  # losses, draws, wins with White, with Black
        self.overhead, self.moves = 0.0, 0
        self.decision: str | None = None  # H0 or H1, whichever was accepted first; later results keep it
        self._tallies: dict[tuple[int, int], Tally] = {}
        # The game of a pair that waits for the other: half points of White, and who had White.
        self._halves: dict[tuple[int, int, int], tuple[int, int]] = {}
        self._seen: set[tuple[int, int]] = set()

    def add(self, record: Record) -> bool:
        """Counts a game; False where it was counted before, or has no result."""
        game = record.game
        if game.key in self._seen:
            return False
        points = WHITE_SCORES.get(record.score)
        if points is None:
            self.unfinished += 1
            return False
        self._seen.add(game.key)
        self._count_result(game, points)
        self._count_moves(record)
        self.terminations[record.termination] += 1
        if record.termination in FAULTS and record.fault is not None:
            self.faults[record.fault, record.termination] += 1
        if self.sprt and not self.decision:
            self.decision = self.sprt.verdict(self.sprt.llr(self.between(0, 1)))
        return True

    def _count_result(self, game: MatchGame, points: int) -> None:
        self.white[points] += 1
        self.colours[game.white][0][points] += 1
        self.colours[game.black][1][2 - points] += 1
        a, b = sorted((game.white, game.black))
        tally = self._tallies.setdefault((a, b), Tally())
        tally.games[points if game.white == a else 2 - points] += 1
        if game.replay:
            self.replays += 1
            return
        half = (game.pair, a, b)
        if half not in self._halves:
            self._halves[half] = points, game.white
        else:
            first, white = self._halves.pop(half)
            tally.pairs[
                sum(won if who == a else 2 - won for won, who in ((first, white), (points, game.white)))
            ] += 1

    def _count_moves(self, record: Record) -> None:
        self.overhead += record.overhead
        self.moves += len(record.plies)
        for engine, ply in zip(movers(record), record.plies, strict=False):
            self.figures[engine].add(ply)

    @property
    def played(self) -> int:
        """Games with a result."""
        return len(self._seen)

    @property
    def llr(self) -> float | None:
        """The log-likelihood ratio of the SPRT; None without one."""
        return self.sprt.llr(self.between(0, 1)) if self.sprt else None

    @property
    def overhead_a_move(self) -> float:
        """Seconds a move that the referee itself took; nan without moves."""
        return ratio(self.overhead, self.moves)

    def between(self, a: int, b: int) -> Tally:
        """The Tally of engine a against b, from a's side."""
        tally = self._tallies.get((min(a, b), max(a, b)), Tally())
        return tally if a < b else -tally

    def total(self, engine: int) -> Tally:
        """The Tally of an engine against all others."""
        others = (other for other in range(len(self.names)) if other != engine)
        return sum((self.between(engine, other) for other in others), Tally())

    def meetings(self) -> list[tuple[int, int, Tally]]:
        """(a, b, Tally) of all pairings that have played, a before b."""
        return [(a, b, self._tallies[a, b]) for a, b in sorted(self._tallies)]

    def elo(self, engine: int) -> Estimate:
        """The Elo difference to the opponent, or among more than two the rating, whose average is 0."""
        return self.total(engine).elo if len(self.names) == 2 else self.ratings()[engine]

    def ratings(self) -> list[Estimate]:
        """An Estimate for each engine, see `ratings`."""
        return ratings(self._tallies, len(self.names))

    def faults_of(self, engine: int) -> dict[Termination, int]:
        """{termination: how often} of an engine's faults."""
        return {kind: count for (who, kind), count in sorted(self.faults.items()) if who == engine}


def first_colour(game: MatchGame) -> int:
    """The colour, 0 for White, that makes the first move after a game's opening."""
    return ((game.opening.fen.split()[1:2] == ["b"]) + len(game.opening.moves)) % 2


def movers(record: Record) -> Iterator[int]:
    """The numbers of the engines that made the moves of a record, in turn, without end."""
    game = record.game
    colours = (game.white, game.black)
    return cycle(colours if first_colour(game) == 0 else colours[::-1])
