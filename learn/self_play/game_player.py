"""Games of the engine against itself for Python callers, played by `compiled_games`."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import typeof, types

from ...engine.kernel.compiler import part
from ...engine.kernel.parallel_compile import Part
from ...engine.movegen.entry_points import check
from ...engine.position import Position
from ...engine.representation.position_record import position_dtype
from ...engine.variant import Variant
from ...eval.network.file import Network
from ...eval.network.output import SharedNetwork
from ...eval.network.vectors import Shape
from ...search.aspiration import NO_LIMIT
from ...search.stop import Stop
from ...search.tree.parameters import MAX_DEPTH
from ...search.tree.search import search_root
from ...search.tree.table import TranspositionTable
from ...search.tree.worker import new_worker, worker_dtype
from .compiled_games import (
    HARD_NODES,
    MAX_PLIES,
    NO_SCORE,
    NO_START,
    OPENING_TRIES,
    SOFT_SHARE,
    STOPPED,
    SelfPlayedGame,
    Settings,
    game_dtype,
    play_game,
    play_on,
)
from .games_file import GamesError
from .starts import start_records


class OpeningError(GamesError):
    """No random opening was balanced."""


class StoppedError(RuntimeError):
    """The game was stopped before its end."""


class GamePlayer:
    """Plays games of one variant by their numbers, one at a time, with a `Network` or the hand-written
    evaluation, from so many `starts` in turn. Raises VariantError for an unknown variant, ValueError for
    games that may exceed MAX_PLIES."""

    def __init__(
        self, variant: Variant, settings: Settings, network: Network | None = None, starts: int = 1
    ) -> None:
        if max(settings.plies + 1, settings.most_plies) > MAX_PLIES:
            raise ValueError(f"a game of more than {MAX_PLIES} plies cannot be kept: {settings}")
        self.variant, self.settings = variant, settings
        self.description, self.rules = variant.description, variant.rules
        self._table = TranspositionTable(settings.table_mb)
        self._shared = SharedNetwork(network) if network else None
        self._stop = Stop()
        self._worker = playing_worker(self._table, self._stop, self.rules, self.description, self._shared)
        self._game = np.zeros(1, game_dtype(self.rules))[0]
        self.nodes = self.searches = 0  # of all games
        note_settings(self._game, variant, settings)
        self._starts = start_records(variant, starts)
        self._game["search"] = search_address(self.rules, self._worker)

    def play(self, number: int) -> SelfPlayedGame:
        """The `SelfPlayedGame` with this number. Raises OpeningError, and StoppedError after `stop`."""
        self._table.clear()
        self._game["start"] = self._starts[number % len(self._starts)]
        play_game(self.rules, self._worker, self._game, number)
        return self._played(number)

    def play_on(self, number: int, opening: Sequence[int]) -> SelfPlayedGame:
        """Continues a game from these moves (codes of legal moves) to its end; `number` is only stored in its
        record. Raises StoppedError after `stop`."""
        self._table.clear()
        self._game["start"] = self._starts[0]
        self._game["moves"][: len(opening)] = opening
        self._game["opening"] = len(opening)
        play_on(self.rules, self._worker, self._game)
        return self._played(number)

    def _played(self, number: int) -> SelfPlayedGame:
        """The last game. Raises OpeningError, StoppedError."""
        check_ending(self._game, self.variant, self.settings, f"game {number}")
        found = read_game(self._game, number)
        self.nodes += int(self._game["nodes"])
        self.searches += int(np.count_nonzero(found.scores != NO_SCORE))
        return found

    def stop(self) -> None:
        """Ends the current game and all later ones within milliseconds; can be called from any thread."""
        self._stop.set()


def check_ending(game: Any, variant: Variant, settings: Settings, what: str) -> None:
    """Raises StoppedError, which names `what` was played, or OpeningError if no game began."""
    if game["ending"] == STOPPED:
        raise StoppedError(f"{what} was stopped")
    if game["ending"] == NO_START:
        raise OpeningError(
            f"{settings.plies} random moves of {variant!r} end the game, or leave it more than "
            f"{settings.balance} centipawns from level, {OPENING_TRIES} times of {OPENING_TRIES}; "
            "try fewer random moves, --plies"
        )


def read_game(game: Any, number: int) -> SelfPlayedGame:
    """The `SelfPlayedGame` in the record of a finished game."""
    length = int(game["length"])
    moves, scores = game["moves"][:length].copy(), game["scores"][:length].copy()
    return SelfPlayedGame(
        number, moves, scores, int(game["opening"]), int(game["result"]), int(game["ending"])
    )


def playing_worker(table: TranspositionTable, stop: Stop, *arguments: Any) -> Any:
    """The record of a worker that plays games with a transposition table until it is stopped; `arguments` are
    those of `new_worker`."""
    worker = new_worker(*arguments)
    worker["stop_address"] = stop.word.ctypes.data
    worker["table"], worker["table_mask"] = table.address, table.mask
    return worker


def note_settings(game: Any, variant: Variant, settings: Settings) -> None:
    """Writes the game's own start and `Settings` into a record."""
    nodes = settings.nodes
    game["start"] = Position(variant).state
    game["soft_nodes"] = round(SOFT_SHARE * nodes) if nodes else NO_LIMIT
    game["hard_nodes"] = HARD_NODES * nodes if nodes else NO_LIMIT
    game["max_depth"] = settings.depth or MAX_DEPTH
    for name in settings._fields:
        if name not in ("nodes", "depth"):
            game[name] = getattr(settings, name)


def search_address(rules: Any, worker: Any) -> int:
    """The address of the machine code of `search_root` for this game, after it is compiled or loaded."""
    arguments = tuple(typeof(argument) for argument in (rules, worker, 0, 0, 0))
    search_root.compile(arguments)
    compiled = search_root.overloads[arguments]
    if compiled.signature.return_type != types.int64:
        raise TypeError(f"search_root returns {compiled.signature.return_type}, not int64")
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def entry_points(variant: Variant, shape: Shape | None = None, given: bool = False) -> list[Part]:
    """The functions that Python calls to play games of this variant, as parts for `compile_ahead`; with a
    network of a `Shape` if one is given. With `given`, the games have `given` openings."""
    rules = variant.rules
    worker, game = (np.zeros(1, dtype)[0] for dtype in (worker_dtype(rules, shape), game_dtype(rules)))
    return [
        part(check, rules, np.zeros(1, position_dtype(rules)), 0),
        part(search_root, rules, worker, 0, 0, 0),
        part(play_on, rules, worker, game) if given else part(play_game, rules, worker, game, 0),
    ]
