"""Plays self-play games in parallel, here or on other machines, and writes them to one file in order of their
numbers.

A batch of games is one task: `PlayGames` is called with it and returns their bytes. The file depends only on
the seed and the settings, not on the batches or on the machines."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ...engine.game.description import VariantError
from ...engine.kernel.compiler import compile_ahead
from ...engine.variant import Variant
from ...eval.network.file import Network, NetworkError, decoded
from ...eval.network.vectors import shape_of
from ...match.games.engine_pool import EnginePoolError, local_description
from ...match.workers.options import interruptible_workers, workers
from ...match.workers.per_thread import PerThread
from ...match.workers.pool import Workers, WorkersError
from ...protocol.terminal.command_options import told_errors
from ...protocol.terminal.progress import compiled_with_bar, counted
from . import game_player
from . import positions as reading
from .compiled_games import SelfPlayedGame
from .game_player import GamePlayer
from .games_file import GamesError, GamesFile, Header, chunk_of, encode, evaluation_digest
from .positions import Replay, kept_by_game, read_positions

BATCH_SECONDS = 0.5  # of a batch of games: the interval of progress reports and writes
MAX_BATCH = 1000  # games
MAX_GAMES = 1 << 32  # that a file can number
GROWTH = 4  # largest ratio of a batch to the one before

# variant -> text of its file in this process, None for a shipped game
_known: dict[str, str | None] = {}
_players = PerThread["PlayGames", GamePlayer]()


@dataclass(frozen=True)
class PlayGames:
    """Plays the games that a `Header` describes, in any process. `toml` is the text of the game's file if the
    game is the user's own; `network` has the bytes of the network's file, if a network evaluates."""

    header: Header
    toml: str | None = None
    network: bytes | None = None

    def __hash__(self) -> int:
        return hash((self.header.variant, self.header.evaluation, self.header.settings))

    def __call__(self, batch: tuple[int, int]) -> tuple[bytes, float]:
        """(bytes of the games, seconds) of a batch (first number, count). Raises GamesError if no game can be
        started, or if this process knows another game by that name."""
        self.player()
        first, count = batch
        started = time.perf_counter()
        data = b"".join(encode(self.play(number)) for number in range(first, first + count))
        return data, time.perf_counter() - started

    def play(self, number: int) -> SelfPlayedGame:
        """The `SelfPlayedGame` with this number. Raises GamesError if it cannot be started."""
        return self.player().play(number)

    def player(self) -> GamePlayer:
        """This thread's `GamePlayer` for this work."""
        return _players.get(self, self._new_player)

    def _new_player(self) -> GamePlayer:
        header = self.header
        register_game(header.variant, self.toml)
        network = self.read_network()
        found = evaluation_digest(header.variant, network)
        if found != header.evaluation:
            raise GamesError(
                f"a worker plays {header.variant!r} with other numbers of the evaluation (digest {found}, "
                f"here {header.evaluation}); its folder `weights` must have the same files"
            )
        return GamePlayer(header.variant, header.settings, network, header.starts)

    def read_network(self) -> Network | None:
        """The `Network` that evaluates, or None. Raises NetworkError."""
        return decoded(self.network, "the network", self.header.variant) if self.network is not None else None

    def close(self) -> None:
        """Ends the games of this process within milliseconds."""
        for player in _players.take(self):
            player.stop()


def register_game(variant: Variant, toml: str | None) -> None:
    """Registers a game in this process; `toml` is the text of its file if the game is not shipped. Raises
    GamesError if the process knows another game by that name (compiled rules stay), and VariantError for an
    invalid game."""
    if _known.setdefault(variant, toml) != toml:
        raise GamesError(
            f"a process has played another game with the name {variant!r} before; "
            "restart the workers of a cluster after a change of the game's file"
        )
    try:
        local_description(variant, toml)
    except EnginePoolError as error:
        raise GamesError(str(error)) from None


class Batches:
    """The numbers from `first` to before `games`, in batches of about BATCH_SECONDS each."""

    def __init__(self, first: int, games: int) -> None:
        self._next, self._games, self._size = first, games, 1

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Yields (first number, count)."""
        while self._next < self._games:
            count = min(self._size, self._games - self._next)
            yield self._next, count
            self._next += count

    def learn(self, count: int, seconds: float) -> None:
        """Records how long a batch of `count` games took."""
        fitting = round(count * BATCH_SECONDS / max(seconds, 1e-6))
        self._size = max(1, min(fitting, GROWTH * count, MAX_BATCH))


def compile_all(
    variant: Variant,
    network: Network | None = None,
    progress: Callable[[int, int, str], object] | None = None,
) -> None:
    """Compiles the code for a file of this variant's games, or loads it from the cache."""
    playing_parts = game_player.entry_points(variant, shape_of(network))
    compile_ahead([*playing_parts, *reading.entry_points(variant)], progress)


class SelfPlayRun:
    """Adds games to a file in order, until it has `games` games or, with `positions`, that many kept
    positions. `added` games with `kept` positions are new."""

    def __init__(self, file: GamesFile, games: int, positions: int | None) -> None:
        self.file, self._games, self._positions = file, games, positions
        self.added = self.kept = 0
        self.unit = "positions" if positions else "games"  # of the progress bar
        variant = file.header.variant
        self._replay = Replay(variant, starts=file.header.starts)
        before = read_positions(file.path, variant) if positions and file.games else ()
        self._before = sum(len(batch.plies) for batch in before)
        self._waiting: dict[int, bytes] = {}

    def is_complete(self) -> bool:
        """Whether no more games are wanted."""
        done, total = self.progress()
        return done >= total or self.file.games >= self._games

    def progress(self) -> tuple[int, int]:
        """(done, total) in positions if their number is set, else in games."""
        if self._positions:
            return self._before + self.kept, self._positions
        return self.file.games, self._games

    def batches(self) -> Batches:
        """The `Batches` of the missing games."""
        return Batches(self.file.games, self._games)

    def add(self, first: int, data: bytes) -> None:
        """Takes the bytes of a batch; early batches wait for those before them."""
        self._waiting[first] = data
        while self.file.games in self._waiting and not self.is_complete():
            self._write(self._waiting.pop(self.file.games))

    def _write(self, data: bytes) -> None:
        chunk, ends = chunk_of(data)
        kept = kept_by_game(self._replay.batch(chunk), chunk)
        count = len(kept)
        if self._positions:
            missing = self._positions - self._before - self.kept
            count = min(count, 1 + int(np.searchsorted(kept.cumsum(), missing)))
        self.file.add(data[: ends[count - 1]], count)
        self.added += count
        self.kept += int(kept[:count].sum())


def play_into(
    path: str | Path,
    work: PlayGames,
    games: int,
    positions: int | None = None,
    cluster: str | None = None,
    concurrency: int = 1,
) -> tuple[int, int]:
    """Adds games to the file at `path` until it has `games` games or `positions` kept positions. Returns the
    numbers of games and positions that were added. The first Ctrl-C or SIGTERM ends the run; the file keeps
    its games. Raises GamesError, VariantError, WorkersError, OSError."""
    with GamesFile(path, work.header) as file:
        if file.games >= games:
            return 0, 0
        variant = work.header.variant
        compiled_with_bar(variant, lambda progress: compile_all(variant, work.read_network(), progress))
        run = SelfPlayRun(file, games, positions)
        if not run.is_complete():
            _play(work, run, cluster, concurrency)
        return run.added, run.kept


def _play(work: PlayGames, run: SelfPlayRun, cluster: str | None, concurrency: int) -> None:
    batches, begun = run.batches(), run.progress()
    with playing(cluster, concurrency) as pool, counted(run.unit, *begun, "positions") as tell:
        for (first, count), (data, seconds) in pool.run(work, batches):
            batches.learn(count, seconds)
            run.add(first, data)
            tell(run.progress()[0], run.kept)
            if run.is_complete():
                break


def game_errors(*usage: type[Exception]) -> AbstractContextManager[None]:
    """Converts the errors of playing games, and the exceptions `usage`, to those of the command line."""
    return told_errors(GamesError, NetworkError, VariantError, *usage, failures=(WorkersError, OSError))


def playing(cluster: str | None, concurrency: int) -> AbstractContextManager[Workers]:
    """The workers of the options --cluster and --concurrency, for games. Raises WorkersError, also if a
    process was killed."""
    return interruptible_workers(
        workers(cluster, concurrency, processes=True),
        "a process that played games was killed; perhaps the memory is too small for that many. "
        "The file keeps the games so far, and the same command resumes",
    )
