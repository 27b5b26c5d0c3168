"""Loads games in a thread: compiles code or reads it from the cache, and makes an engine."""

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple

from ...engine.variant import Variant
from .resources import MIN_HASH_MB

if TYPE_CHECKING:
    from ...engine.position import Position
    from ...search.engine import Engine

REPORT_INTERVAL_S = 2.0  # between reports on a game that is being compiled


class Compiling(NamedTuple):
    """A game is being compiled: `done` of about `total` functions are."""

    variant: Variant
    done: int
    total: int


class Loaded(NamedTuple):
    """A game is loaded: `engine` plays it and `position` is its start, or the current one if only the
    evaluation changes.

    `number` is that of the load, None for the current one. `evaluation` is the network that the user has
    chosen, `complaint` says why another one is used; both may be empty. With `lacks_search` nothing is
    compiled, and moves come from interpreted code; Completed, or LoadFailed, follows."""

    variant: Variant
    engine: "Engine"
    position: "Position"
    number: int | None = None
    evaluation: str = ""
    complaint: str = ""
    lacks_search: bool = False


class Completed(NamedTuple):
    """The search of a game that was loaded without it is compiled."""

    variant: Variant
    number: int


class LoadFailed(NamedTuple):
    """A game could not be compiled or started."""

    variant: Variant
    error: Exception
    number: int | None = None


class Loader:
    """Loads one game at a time. `post` takes Compiling, Loaded and LoadFailed, from another thread.

    Compiled code is imported in that thread, because a session must start at once."""

    def __init__(self, post: Callable[[object], None]) -> None:
        self._post = post
        self._loads = 0
        self.variant: Variant | None = None  # the game that is being loaded
        self._start: str | Position | None = None  # the settings of the load
        self.use_network = True
        self.eval_file = ""  # the path of a network; empty for the one that comes with the game

    def evaluate_by(self, use_network: bool, eval_file: str) -> bool:
        """Sets the evaluation for later loads; returns whether it differs from the previous one."""
        before = self.eval_source()
        self.use_network, self.eval_file = use_network, eval_file
        return self.eval_source() != before

    def eval_source(self) -> str | Literal[False] | None:
        """The argument `eval_file` of `Engine`."""
        return (self.eval_file or None) if self.use_network else False

    def again(self) -> None:
        """Restarts the current load."""
        assert self.variant is not None
        self.begin(self.variant, self._start)

    def begin(self, variant: Variant, start: "str | Position | None" = None) -> None:
        """Begins to load a game, replacing a running load. `start` is a FEN, None for the game's own start,
        or the current position. Raises VariantError."""
        self.variant, self._start = variant.check(), start
        self._loads += 1
        work = (variant, start, self.eval_source(), self._loads)
        threading.Thread(target=self._load, args=work, name="loader", daemon=True).start()

    def awaits(self, event: Loaded | Completed | LoadFailed) -> bool:
        """Whether the event belongs to the current load, and not to an earlier one."""
        return event.number in (None, self._loads)

    def end(self) -> None:
        """Ends the load, after success or failure."""
        self.variant = self._start = None

    def _load(
        self,
        variant: Variant,
        start: "str | Position | None",
        eval_file: str | Literal[False] | None,
        number: int,
    ) -> None:
        told = 0.0

        def tell(done: int, total: int, what: str) -> None:
            nonlocal told
            wanted = number == self._loads
            if wanted and done < total and time.monotonic() >= told + REPORT_INTERVAL_S:
                told = time.monotonic()
                self._post(Compiling(variant, done, total))

        engine = None
        try:
            from ...engine.movegen.entry_points import entry_points_of
            from ...engine.position import Position

            engine, complaint = _engine(variant, eval_file)
            name = engine.evaluation if eval_file else ""
            lacks_search = not engine.is_compiled
            if lacks_search:
                tell(0, 1, "compiling")  # reported at once, because the first function may take many seconds
                entry_points_of(variant.rules).interpret()
                engine.defer_search()
            else:
                engine.compile()
            position = start if isinstance(start, Position) else Position(variant, start)
            copy = position.copy()
            loaded = Loaded(variant, engine, position, number, name, complaint, lacks_search)
            if lacks_search:
                self._post(loaded)
                engine.compile(tell)
            _warm_up(engine, copy)
            if lacks_search:
                engine.allow_search()
                self._post(Completed(variant, number))
            else:
                self._post(loaded)
        except Exception as error:
            if engine is not None:
                engine.allow_search()
            self._post(LoadFailed(variant, error, number))


def _warm_up(engine: "Engine", position: "Position") -> None:
    """Finds, makes and judges a move and searches one ply, because the first call of compiled code takes
    longer."""
    copy = position.copy()
    for move in copy.legal_moves()[:1]:
        copy.push(move)
        copy.result()
    engine.warm_up(position)


def _engine(variant: Variant, eval_file: str | Literal[False] | None) -> tuple["Engine", str]:
    """An engine with the smallest table, and the reason if it does not use the network of `eval_file`
    (otherwise empty). Until it takes over, the current engine keeps its table, because there may be no memory
    for two."""
    from ...eval.network.file import NetworkError
    from ...search.engine import Engine

    try:
        return Engine(variant, MIN_HASH_MB, eval_file=eval_file, compile_now=False), ""
    except NetworkError as error:
        complaint = f"{error}; the hand-written evaluation is used"
        return Engine(variant, MIN_HASH_MB, eval_file=False, compile_now=False), complaint
