"""Games whose positions a judge examines with searches of its own."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterable
from typing import Any

from ...learn.self_play.games_file import GamesError, evaluation_digest
from ...match.workers.per_thread import PerThread
from .collecting import GameSource

LEFT_OUT = "# left out: "

_judges = PerThread["JudgedSource", Any]()


class JudgedSource(GameSource):
    """A `GameSource` with a judge for each thread; `evaluation` is the digest of that by which it searches. A
    judge has an `engine`, all of its `engines`, and `close`."""

    evaluation: str

    @abstractmethod
    def new_judge(self) -> Any:
        """A judge, whose code may not be compiled yet."""

    def judge(self) -> Any:
        """This thread's judge; there is one for the same work. Raises GamesError if this process has another
        evaluation."""
        return _judges.get(self, self._checked_judge)

    def _checked_judge(self) -> Any:
        judge = self.new_judge()
        found = evaluation_digest(self.variant, judge.engine.network)
        if found != self.evaluation:
            raise GamesError(
                f"a worker searches {self.variant!r} by another evaluation (digest {found}, here "
                f"{self.evaluation}); its networks and its folder `weights` should be as here"
            )
        return judge

    def compile(self) -> None:
        """Compiles what games and searches need, with its progress on stderr."""
        from ...protocol.terminal.progress import compiled_with_bar

        super().compile()
        judge = self.new_judge()
        for engine in judge.engines:
            compiled_with_bar(self.variant, engine.compile)
        judge.close()

    def close(self) -> None:
        """Ends games and searches of this process."""
        super().close()
        for judge in _judges.take(self):
            judge.close()


def with_counts(kept: dict[int, Any], left_out: Counter[str]) -> Iterable[object]:
    """What was kept in the order of its plies, and a line LEFT_OUT with the counts, if there are any."""
    counts = [f"{count} {why}" for why, count in sorted(left_out.items()) if count]
    found = [kept[ply] for ply in sorted(kept)]
    return [*found, LEFT_OUT + ", ".join(counts)] if counts else found
