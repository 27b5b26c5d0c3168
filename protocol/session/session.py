"""A session: a game in progress, the clock, and the engine, tied together.

A session does not depend on a protocol and writes nothing. Its threads post events, and the dialect that owns
the session calls it back from its own thread. So the game changes in only one thread."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ...engine.game.moves import MoveError
from ...engine.variant import Variant
from .clock import EngineClock
from .evaluation import Evaluation
from .game import BLACK, GameInProgress
from .loading import Loaded, Loader
from .native_code import NativeCode
from .resources import Resources
from .search_thread import SearchThread
from .searches import SearchControl

if TYPE_CHECKING:
    from ...engine.game.moves import Move
    from ...engine.position import Position


class Session:
    """The game in progress (`game`), the engine's time (`clock`), its searches (`search_control`), the
    loaded game (`loader`), and the choice of an evaluation (`evaluation`).

    `post` takes events from any thread. Methods that change the game end the searches, so that none continues
    in an old position."""

    def __init__(self, post: Callable[[object], None]) -> None:
        self.game = GameInProgress()
        self.clock = EngineClock()
        self.search_control = SearchControl(self.game, self.clock, post)
        self.loader = Loader(post)
        self.native_code = NativeCode(self.game, self.search_control)
        self.evaluation = Evaluation(self.game, self.search_control, self.loader)
        self.lacks_search = False  # the search of the current game is still being compiled
        self._resources = Resources()

    @property
    def variant(self) -> Variant | None:
        """The current game."""
        return self.game.variant

    @property
    def position(self) -> "Position":
        """The current position with the moves that led to it; None before the first game is loaded."""
        return self.game.position

    @property
    def search(self) -> SearchThread | None:
        """The search of the engine's move, or of an analysis."""
        return self.search_control.search

    # Loading

    @property
    def loading(self) -> str | None:
        """The name of the game that is being loaded, or None."""
        return self.loader.variant

    @property
    def ready(self) -> bool:
        """Whether a game is loaded and no other one is being loaded."""
        return self.search_control.engine is not None and self.loading is None

    def start(self, variant: Variant, fen: str | None = None) -> None:
        """Sets the start of a game, or the position of `fen`. If the game is not the current one, it is
        loaded first, and Loaded or LoadFailed follows. Raises VariantError."""
        if variant != self.variant or not self.ready:
            self.load(variant, fen)
            return
        self.abandon()
        self.search_control.await_game()
        self.search_control.engine.clear()
        self._begin(self.game.start(fen))

    def load(self, variant: Variant, fen: str | None = None) -> None:
        """Begins to load a game, replacing a running load; Loaded or LoadFailed follows. Raises
        VariantError."""
        self.loader.begin(variant, fen)
        self.abandon()

    def loaded(self, event: Loaded) -> list[str]:
        """Switches to the loaded game. Returns sentences about settings that the engine could not get."""
        if self.search_control.engine:
            self.search_control.engine.close()
        self.loader.end()
        self.game.variant, self.search_control.engine = event.variant, event.engine
        self.lacks_search = event.lacks_search
        complaints = [event.complaint] if event.complaint else []
        complaints += self._resources.give(event.engine)
        if event.position is not self.position:
            self._begin(event.position)
        return complaints

    def outdate(self) -> None:
        """Records that the current game has a new description and must be loaded again."""
        self.game.variant = None

    # The engine

    def set_hash(self, megabytes: int) -> None:
        """Sets the size of the transposition table. Raises ValueError if there is too little memory."""
        self._resources.refuse(megabytes)  # before anything is interrupted
        self.abandon()
        self._resources.set_hash(self.search_control.engine, megabytes)

    def set_threads(self, threads: int) -> None:
        """Sets the number of search threads. Raises ValueError."""
        self.abandon()
        self._resources.set_threads(self.search_control.engine, threads)

    def abandon(self) -> None:
        """Ends the current searches, if any, and discards them."""
        self.search_control.abandon()

    # The game: methods that raise ValueError change nothing

    def reset(self) -> None:
        """Resets for another game, which is named later: the engine plays Black."""
        self.abandon()
        self.search_control.await_game()
        self.game.engine_side = BLACK
        self.game.over = False
        self.clock.control.depth = self.clock.control.node_rate = None
        self.clock.reset()

    def set_position(self, fen: str) -> None:
        """Sets another position of the game. Raises ValueError."""
        position = self.game.start(fen)
        self.abandon()
        self.clock.reset()
        self._begin(position)

    def follow(
        self, fen: str | None, moves: list[str], read: Callable[[str, "Position"], "str | Move"]
    ) -> MoveError | None:
        """Sets the position after `moves`; see `GameInProgress.follow`. Raises ValueError."""
        refused = self.game.follow(fen, moves, read)
        self.abandon()
        self._forget()
        return refused

    def set_turn(self, side: int) -> None:
        """Sets the side to move, 0 for White. Raises ValueError."""
        if self.game.set_turn(side):
            self.abandon()
            self._forget()

    def take_back(self, count: int) -> None:
        """Takes back that many half moves. Raises ValueError if there are fewer."""
        self.game.take_back(count)
        self.abandon()
        self.search_control.expected = None

    def exclude(self, text: str | None, out: bool) -> None:
        """Excludes a move, or all (None), from the searches of this position, or includes it again. Raises
        ValueError."""
        self.game.exclude(text, out)
        self.abandon()

    def end(self) -> None:
        """Records that the GUI has ended the game; the engine stops thinking until another begins."""
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
        """Discards the state of the moves so far."""
        self.clock.control.since = 0
        self.search_control.forget()
