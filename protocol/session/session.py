"""A session: a game in progress, the clock, and the engine that thinks about it, tied together.

A session knows no dialect and writes nothing: what happens in its threads it posts as events, and the
dialect that owns it calls it back from its own thread. So the game changes in one thread only.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...engine.game.moves import MoveError
from .clock import EngineClock
from .evaluation import Evaluation
from .game import BLACK, GameInProgress
from .loading import Loaded, Loader
from .native_code import NativeCode
from .resources import Resources
from .search_thread import SearchThread
from .searches import Thinker

if TYPE_CHECKING:
    from ...engine.game.moves import Move
    from ...engine.position import Position


class Session:
    """The game in progress (`game`), the engine's time (`clock`), its searches (`thinker`), the game that is
    loaded (`loader`), and the choice of an evaluation (`evaluation`). `post` takes events, from any thread.

    What changes the game ends the searches here, so none goes on in a position that is gone.
    """

    def __init__(self, post: Callable[[object], None]) -> None:
        self.game = GameInProgress()
        self.clock = EngineClock()
        self.thinker = Thinker(self.game, self.clock, post)
        self.loader = Loader(post)
        self.native_code = NativeCode(self.game, self.thinker)
        self.evaluation = Evaluation(self.game, self.thinker, self.loader)
        self.lacks_search = False  # the search of the game in force is still being compiled
        self._resources = Resources()

    @property
    def variant(self) -> str | None:
        """The game in force."""
        return self.game.variant

    @property
    def position(self) -> "Position":
        """The position in force, with the moves that led to it; None before the first game is loaded."""
        return self.game.position

    @property
    def search(self) -> SearchThread | None:
        """The search of the engine's move, or of an analysis."""
        return self.thinker.search

    # Loading

    @property
    def loading(self) -> str | None:
        """The name of the game that is being loaded; None if there is none."""
        return self.loader.variant

    @property
    def ready(self) -> bool:
        """Whether a game is in force and no other one is being loaded."""
        return self.thinker.engine is not None and self.loading is None

    def start(self, variant: str, fen: str | None = None) -> None:
        """Puts the start of a game in force, or the position that `fen` gives.

        Unless the game is in force already it is loaded first, and Loaded or LoadFailed will be posted.
        Raises VariantError.
        """
        if variant != self.variant or not self.ready:
            self.load(variant, fen)
            return
        self.abandon()
        self.thinker.await_game()
        self.thinker.engine.clear()
        self._begin(self.game.start(fen))

    def load(self, variant: str, fen: str | None = None) -> None:
        """Begins to load a game, in place of one that is being loaded; Loaded or LoadFailed will be posted.
        Raises VariantError."""
        self.loader.begin(variant, fen)
        self.abandon()

    def loaded(self, event: Loaded) -> list[str]:
        """Puts the loaded game in force. Returns sentences about what the engine could not be given."""
        if self.thinker.engine:
            self.thinker.engine.close()
        self.loader.end()
        self.game.variant, self.thinker.engine = event.variant, event.engine
        self.lacks_search = event.lacks_search
        complaints = [event.complaint] if event.complaint else []
        complaints += self._resources.give(event.engine)
        if event.position is not self.position:
            self._begin(event.position)
        return complaints

    def outdate(self) -> None:
        """The game in force has another description now: it has to be loaded anew."""
        self.game.variant = None

    # The engine

    def set_hash(self, megabytes: int) -> None:
        """The size of the transposition table. Raises ValueError when there is not so much memory."""
        self._resources.refuse(megabytes)  # before anything is interrupted
        self.abandon()
        self._resources.set_hash(self.thinker.engine, megabytes)

    def set_threads(self, threads: int) -> None:
        """The number of threads that search. Raises ValueError."""
        self.abandon()
        self._resources.set_threads(self.thinker.engine, threads)

    def abandon(self) -> None:
        """Ends the searches under way, if any, and forgets them."""
        self.thinker.abandon()

    # The game: what raises ValueError changes nothing

    def reset(self) -> None:
        """Makes ready for another game, which is still to be named: the engine plays Black."""
        self.abandon()
        self.thinker.await_game()
        self.game.engine_side = BLACK
        self.game.over = False
        self.clock.control.depth = self.clock.control.node_rate = None
        self.clock.reset()

    def set_position(self, fen: str) -> None:
        """Puts another position of the game in force. Raises ValueError."""
        position = self.game.start(fen)
        self.abandon()
        self.clock.reset()
        self._begin(position)

    def follow(
        self, fen: str | None, moves: list[str], read: Callable[[str, "Position"], "str | Move"]
    ) -> MoveError | None:
        """Puts in force the position after `moves`; see `GameInProgress.follow`. Raises ValueError."""
        refused = self.game.follow(fen, moves, read)
        self.abandon()
        self._forget()
        return refused

    def set_turn(self, side: int) -> None:
        """Puts `side` on move, 0 for White. Raises ValueError."""
        if self.game.set_turn(side):
            self.abandon()
            self._forget()

    def take_back(self, count: int) -> None:
        """Takes back that many half moves. Raises ValueError when there are fewer."""
        self.game.take_back(count)
        self.abandon()
        self.thinker.expected = None

    def exclude(self, text: str | None, out: bool) -> None:
        """Leaves a move, or all (None), out of the searches of this position, or takes it in again. Raises
        ValueError."""
        self.game.exclude(text, out)
        self.abandon()

    def end(self) -> None:
        """The GUI has ended the game: no more thinking until another begins."""
        self.abandon()
        self.game.over = True

    def force(self) -> None:
        """The engine plays neither side."""
        self.abandon()
        self.game.engine_side = None

    def _begin(self, position: "Position") -> None:
        self.game.begin(position)
        self._forget()

    def _forget(self) -> None:
        """Forgets what belonged to the moves so far."""
        self.clock.control.since = 0
        self.thinker.forget()
