"""Games whose positions a judge examines with searches of its own."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ...engine.position import Position
from ...engine.variant import Variant
from ...learn.self_play.games_file import GamesError, evaluation_digest
from ...learn.self_play.generator import register_game
from ...match.workers.per_thread import PerThread
from ...protocol.terminal.progress import compiled_with_bar
from ...search.engine import Engine
from .collecting import GameSource, Moment

LEFT_OUT = "# left out: "
NEAR = "near another"


class PositionJudge(ABC):
    """Examines positions of one game by searches of so many `nodes`, with new tables. A second opinion is by
    the hand-written evaluation, or with `more` times the nodes where that is the first one already.

    Raises VariantError, and NetworkError where the game's network cannot be used."""

    def __init__(self, variant: Variant, nodes: int, more: int, hash_mb: int) -> None:
        self.nodes = nodes
        self.engine = Engine(variant, hash_mb=hash_mb)
        self._second, self._second_nodes = self.engine, more * nodes
        if self.engine.network:
            self._second, self._second_nodes = Engine(variant, hash_mb=hash_mb, eval_file=False), nodes

    @property
    def engines(self) -> list[Engine]:
        """The engines that search."""
        return list(dict.fromkeys([self.engine, self._second]))

    @abstractmethod
    def examine(self, position: Position, name: str) -> object:
        """The entry of a suite for a position, or one or two words with the reason why it has none. Raises
        RuntimeError after `close`."""

    def close(self) -> None:
        """Ends the current search, which then raises RuntimeError or has no usable result."""
        for engine in self.engines:
            engine.close()


_judges = PerThread["JudgedSource", PositionJudge]()


@dataclass(frozen=True)
class JudgedSource(GameSource):
    """A `GameSource` with a judge for each thread, which searches so many `nodes`; `evaluation` is the digest
    of that by which it does."""

    nodes: int
    evaluation: str
    per_game: ClassVar[int]  # most entries of a game
    apart: ClassVar[int]  # plies between two of them

    def __call__(self, number: int) -> Iterable[object]:
        """The entries of game `number` in the order of its plies, with a line LEFT_OUT that counts what was
        left out. Raises GamesError if the game cannot be begun, or if this process has another evaluation."""
        judge = _judges.get(self, self._checked_judge)
        left_out: Counter[str] = Counter()
        kept: dict[int, object] = {}  # by ply
        for moment in self.examined(self.moments(number), left_out):
            if len(kept) == self.per_game or any(abs(moment.ply - ply) < self.apart for ply in kept):
                left_out[NEAR] += 1
                continue
            verdict = judge.examine(moment.position, f"game {number}, ply {moment.ply}")
            if isinstance(verdict, str):
                left_out[verdict] += 1
            else:
                kept[moment.ply] = verdict
        counts = [f"{count} {why}" for why, count in sorted(left_out.items()) if count]
        found = [kept[ply] for ply in sorted(kept)]
        return [*found, LEFT_OUT + ", ".join(counts)] if counts else found

    @staticmethod
    @abstractmethod
    def examined(moments: Sequence[Moment], left_out: Counter[str]) -> Sequence[Moment]:
        """The positions worth a search, the best first; may count the others in `left_out`."""

    @abstractmethod
    def new_judge(self) -> PositionJudge:
        """A judge, whose code may not be compiled yet."""

    def _checked_judge(self) -> PositionJudge:
        register_game(self.variant, self.work.toml)
        judge = self.new_judge()
        found = evaluation_digest(self.variant, judge.engine.network)
        if found != self.evaluation:
            raise GamesError(
                f"a worker searches {self.variant!r} by another evaluation (digest {found}, here "
                f"{self.evaluation}); its networks and its folder `weights` should be as here"
            )
        return judge

    def compile(self) -> None:
        super().compile()
        judge = self.new_judge()
        for engine in judge.engines:
            compiled_with_bar(self.variant, engine.compile)
        judge.close()

    def close(self) -> None:
        super().close()
        for judge in _judges.take(self):
            judge.close()
