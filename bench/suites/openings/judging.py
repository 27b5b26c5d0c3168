"""The search that judges whether a position is balanced; it ends early if it is not."""

from dataclasses import dataclass
from functools import lru_cache

from ....engine.position import Position, played
from ....engine.variant import Variant
from ....learn.self_play.generator import register_game
from ....search.engine import Engine, Info, Stop
from .attempt import Attempt, SuiteSettings, Verdict

HASH_MB = 16
CHEAP_NODES = 10_000  # from which on a position far from balance is given up
CHEAP_ROOM = 1.5  # times the limit that count as far
EARLY_SHARE = 0.1  # of the nodes, from which on every iteration has to be within the limit

Moves = tuple[str, ...]


@dataclass(frozen=True)
class Judge:
    """Judges the positions after lines of moves, in any process; `toml` is the text of the game's file if the
    game is the user's own. A verdict does not depend on earlier ones."""

    variant: Variant
    settings: SuiteSettings
    toml: str | None = None

    def __call__(self, task: tuple[int, Moves]) -> Attempt:
        """The attempt with the moves of a task, (number, moves). Raises GamesError if this process has
        another game by that name, MoveError."""
        register_game(self.variant, self.toml)
        return Attempt(*self._judged(played(self.variant, task[1])), task[1])

    def _judged(self, position: Position) -> tuple[Verdict, int]:
        """(verdict, score) of a position, by a search that ends as soon as it is far from balance."""
        stop, far = Stop(), list[Info]()

        def watch(info: Info) -> None:
            if not info.bound and self._is_far(info):  # bounds are reported by the clock
                far.append(info)
                stop.set()

        engine = _engine(self.variant)
        engine.clear()
        score = engine.play(position, nodes=self.settings.nodes, on_info=watch, stop=stop).score
        if score.mate is not None:
            return Verdict.MATE, 0
        if far:
            return Verdict.FAR, score.centipawns
        is_balanced = abs(score.centipawns) < self.settings.limit
        return Verdict.BALANCED if is_balanced else Verdict.UNBALANCED, score.centipawns

    def _is_far(self, info: Info) -> bool:
        """Whether an iteration shows that the search can stop."""
        if info.score.mate is not None:
            return True
        if info.nodes < CHEAP_NODES:
            return False
        room = 1.0 if info.nodes >= EARLY_SHARE * self.settings.nodes else CHEAP_ROOM
        return abs(info.score.centipawns) >= room * self.settings.limit


@lru_cache(maxsize=1)
def _engine(variant: Variant) -> Engine:
    """This process's engine for a game, with the network that it has."""
    return Engine(variant, hash_mb=HASH_MB)
