"""Games that get ready in a thread: code is compiled or read from the cache, and an engine is made."""

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from ...engine.game import catalogue
from .resources import MIN_HASH_MB

if TYPE_CHECKING:
    from ...engine.position import Position
    from ...search.engine import Engine

REPORT_INTERVAL_S = 2.0  # between reports on a game that is being compiled


class Compiling(NamedTuple):
    """A game is being compiled: `done` of about `total` functions are."""

    variant: str
    done: int
    total: int


class Loaded(NamedTuple):
    """A game is compiled; `engine` plays it and `position` is its start. `number` is that of the load, None
    for whichever is under way."""

    variant: str
    engine: "Engine"
    position: "Position"
    number: int | None = None


class LoadFailed(NamedTuple):
    """A game could not be compiled or started."""

    variant: str
    error: Exception
    number: int | None = None


class Loader:
    """Loads one game at a time. `post` takes Compiling, Loaded and LoadFailed, from another thread.

    Compiled code is imported in that thread, because a session itself must start at once.
    """

    def __init__(self, post: Callable[[object], None]):
        self._post = post
        self._loads = 0
        self.variant: str | None = None  # the game that is being loaded

    def begin(self, variant: str, fen: str | None = None) -> None:
        """Begins to load a game, in place of one that is being loaded. Raises VariantError."""
        catalogue.load(variant)
        self.variant = variant
        self._loads += 1
        work = (variant, fen, self._loads)
        threading.Thread(target=self._load, args=work, name="loader", daemon=True).start()

    def awaits(self, event: Loaded | LoadFailed) -> bool:
        """Whether the event is about the game that is being loaded, and not an earlier one."""
        return event.number in (None, self._loads)

    def end(self) -> None:
        """Notes that the game is loaded, or never will be."""
        self.variant = None

    def _load(self, variant, fen, number):
        told = 0.0

        def tell(done, total, what):
            nonlocal told
            if done < total and time.monotonic() >= told + REPORT_INTERVAL_S:
                told = time.monotonic()
                self._post(Compiling(variant, done, total))

        try:
            from ...engine.position import Position
            from ...search.engine import Engine

            # Until it takes over, the engine in force keeps its table: there may be no memory for two.
            engine = Engine(variant, hash_mb=MIN_HASH_MB)
            if not engine.is_compiled:
                tell(0, 1, "compiling")  # at once: the first function may take many seconds
            engine.compile(tell)
            position = Position(variant, fen)
            # Numba does some work at the first call of each function, so a move is found, made and judged
            # here, before a GUI waits for one.
            position.copy().push(engine.play(position, depth=1).move)
            engine.clear()
            self._post(Loaded(variant, engine, position, number))
        except Exception as error:
            self._post(LoadFailed(variant, error, number))
