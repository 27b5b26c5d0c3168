"""The engines of a match on one machine, which keep running from game to game. `PlayGame` is the function
that workers call with one MatchGame after another, in this process or in another."""

import os
import tempfile
import threading
from collections import deque
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from ...engine.variant import Variant
from ..players.player import PlayerError
from ..players.spec import EngineSpec
from ..players.start import start_player
from .adjudication import AdjudicationRules
from .game import OnPly, no_start, play_game

if TYPE_CHECKING:
    from ...engine.game.description import Description
    from ...engine.position import Position
    from ..players.player import Player
    from ..records.live import LiveGames
    from ..records.model import MatchGame, MoveRecord, Record
    from ..results.table import MatchView

IDLE_SECONDS = 300.0  # engines are closed after this idle time
VARIANT_PATH = "SURAJANG_VARIANT_PATH"  # folders where this process and its engines look for games


class EnginePoolError(RuntimeError):
    """A game that this machine cannot play, through no fault of an engine."""


class MatchOverError(EnginePoolError):
    """The match is over: the game is not played to its end."""


@dataclass(frozen=True)
class PlayGame:
    """Plays one MatchGame and returns its Record, in any process. `match` is unique to one run of a match;
    `toml` is the text of the game's file if the game is the user's own; `log` is a folder for the engines'
    input and output, or None."""

    match: str
    variant: Variant
    toml: str | None
    engines: tuple[EngineSpec, ...]
    rules: AdjudicationRules
    log: str | None = None

    def __call__(self, game: "MatchGame") -> "Record":
        return _pool(self).play(game)

    def key(self, game: "MatchGame") -> str:
        """The name of a game, unique in its match."""
        return f"{self.match}-{game.number}-{game.replay}"

    def show_to(self, view: "MatchView | None", live: "LiveGames | None" = None) -> None:
        """Preparation games that are played in this process to a MatchView's `started` and `moved`, and to
        LiveGames."""
        if view is not None:
            _views[self.match] = view
        if live is not None:
            _live_games[self.match] = live

    def close(self) -> None:
        """Closes the engines of this process. Games in play end with MatchOverError."""
        with _lock:
            pool = _pools.pop(self.match, None)
            _over.add(self.match)
            _views.pop(self.match, None)
            _live_games.pop(self.match, None)
        if pool:
            pool.close()


class EnginePool:
    """The engines of one match in this process. Any number of games at once, each with its own players."""

    def __init__(self, work: PlayGame) -> None:
        self._work = work
        self._description = local_description(work.variant, work.toml)
        self._lock = threading.Lock()
        self._idle: deque[tuple[int, Player]] = deque()  # (engine's number, Player), the longest idle first
        self._live: set[Player] = set()
        self._closing: set[Player] = set()
        self._closed = False
        self._games = self._most_games = 0  # in play at once: now, and the most so far
        self._starting = 0
        self._timer: threading.Timer | None = None

    def play(self, game: "MatchGame") -> "Record":
        """The Record of a game. Raises MatchOverError when the match ends before the game does."""
        self._busy(+1)
        try:
            record = self._play(game)
        finally:
            self._busy(-1)
        if self._closed:
            raise MatchOverError(f"game {game.number + 1} is not played to its end")
        return record

    def _play(self, game: "MatchGame") -> "Record":
        numbers = (game.white, game.black)
        specs = [self._work.engines[number] for number in numbers]
        players = [self._waiting(number) for number in numbers]
        record: Record | None = None
        try:
            for colour, number in enumerate(numbers):
                try:
                    players[colour] = players[colour] or self._start(number)
                except PlayerError as error:
                    record = no_start(game, colour, error)
                    return record
            controls = [spec.control for spec in specs]
            shown = self._shown(game)
            ready = [player for player in players if player]
            record = play_game(game, ready, controls, self._description, self._work.rules, *shown)
            return record
        finally:
            if live := _live_games.get(self._work.match):
                live.ended(game)
            for number, spec, player in zip(numbers, specs, players, strict=True):
                if player:
                    fit = record is not None and record.fault != number and not spec.restart
                    self._give_back(number, player, fit)

    def _shown(self, game: "MatchGame") -> list[OnPly]:
        """The `on_ply` of a game in a list of one; an empty list without a spectator."""
        view, live = _views.get(self._work.match), _live_games.get(self._work.match)
        if view is None and live is None:
            return []
        if view is not None:
            view.started(game)
        if live is not None:
            engines = self._work.engines
            live.started(game, [engines[number].control.base for number in (game.white, game.black)])

        def on_ply(position: "Position", ply: "MoveRecord", clocks: list[float | None]) -> None:
            if view is not None:
                view.moved(game, ply)
            if live is not None:
                live.moved(game, ply, clocks)

        return [on_ply]

    def _start(self, number: int) -> "Player":
        """A new player of that engine, which `close` ends even while it starts. Raises PlayerError."""
        self._make_place()
        begun: list[Player] = []

        def begin(player: "Player") -> None:
            with self._lock:
                begun.append(player)
                self._starting -= 1
                self._live.add(player)
                if self._closed:
                    raise MatchOverError("the match is over")

        try:
            spec, log = self._work.engines[number], self._log(number)
            player = start_player(spec, self._description, log, begun=begin)
        except BaseException:
            with self._lock:
                self._starting -= not begun
                self._live.difference_update(begun)
            raise
        if self._closed:
            self._discard(player)
            raise MatchOverError("the match is over")
        return player

    def _log(self, number: int) -> Path | None:
        if self._work.log is None:
            return None
        folder = Path(self._work.log)
        folder.mkdir(parents=True, exist_ok=True)
        return folder / f"{number + 1}-{os.getpid()}-{threading.get_native_id()}.log"

    def _waiting(self, number: int) -> "Player | None":
        """An idle player of that engine that answers, or None."""
        while (player := self._last_used(number)) is not None:
            try:
                player.synchronise()
                return player
            except PlayerError:
                self._discard(player)
        return None

    def _last_used(self, number: int) -> "Player | None":
        with self._lock:
            for entry in reversed(self._idle):
                if entry[0] == number:
                    self._idle.remove(entry)
                    return entry[1]
        return None

    def _make_place(self) -> None:
        """Closes the engines that are idle longest, if one more would exceed two for each game."""
        surplus: list[Player] = []
        with self._lock:
            self._starting += 1
            while self._idle and len(self._live) - len(surplus) + self._starting > 2 * self._most_games:
                surplus.append(self._idle.popleft()[1])
        for player in surplus:
            self._discard(player)

    def _give_back(self, number: int, player: "Player", fit: bool) -> None:
        with self._lock:
            keep = fit and not self._closed
            if keep:
                self._idle.append((number, player))
        if not keep:
            self._discard(player)

    def _discard(self, player: "Player") -> None:
        """Closes a player, unless another thread has closed it."""
        with self._lock:
            if player in self._closing or player not in self._live:
                return
            self._closing.add(player)
        player.close()
        with self._lock:
            self._live.discard(player)
            self._closing.discard(player)

    def _busy(self, change: int) -> None:
        """Counts the games in play; if there are none, the engines are closed after IDLE_SECONDS."""
        with self._lock:
            self._games += change
            self._most_games = max(self._most_games, self._games)
            if self._timer:
                self._timer.cancel()
                self._timer = None
            if not self._games and not self._closed:
                self._timer = threading.Timer(IDLE_SECONDS, self._close_idle)
                self._timer.daemon = True
                self._timer.start()

    def _close_idle(self) -> None:
        with self._lock:
            players = [player for _, player in self._idle] if not self._games else []
            if players:
                self._idle.clear()
        for player in players:
            self._discard(player)

    def close(self) -> None:
        """Closes all engines, including those that play."""
        with self._lock:
            self._closed = True
            self._idle.clear()
            players = list(self._live)
            if self._timer:
                self._timer.cancel()
        threads = [threading.Thread(target=self._discard, args=(player,)) for player in players]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


_lock = threading.Lock()
_pools: dict[str, EnginePool] = {}  # by match
_views: dict[str, "MatchView"] = {}  # the MatchView that shows a match, by match
_live_games: dict[str, "LiveGames"] = {}  # where a match keeps its games in play, by match
_over: set[str] = set()  # closed matches, for which a late game must not start engines


def _pool(work: PlayGame) -> EnginePool:
    with _lock:
        if work.match in _over:
            raise MatchOverError("the match is over")
        if work.match not in _pools:
            _pools[work.match] = EnginePool(work)
        return _pools[work.match]


_travelled: dict[str, str] = {}  # variant -> folder of the file that came with a match


def local_description(variant: Variant, toml: str | None) -> "Description":
    """The Description of a game here; `toml` is its file's text where it came from another machine.

    Raises VariantError for a game that is unknown here, EnginePoolError where another game has its name.
    """
    if toml is not None and not _is_known(variant, toml):
        _settle(variant, toml)
    description = Variant(variant).description  # a new handle: the catalogue has perhaps changed
    if toml is not None and description.path.read_text(encoding="utf-8") != toml:
        raise EnginePoolError(
            f"{description.path}: another game than the match's has the name {variant!r} here"
        )
    return description


def _is_known(variant: Variant, toml: str) -> bool:
    try:
        return Variant(variant).description.path.read_text(encoding="utf-8") == toml
    except (OSError, ValueError):
        return False


def _settle(variant: Variant, toml: str) -> None:
    """Writes the game's file to a folder where this process and the engines that it starts look for games."""
    name = f"surajang-{os.getuid()}-{sha256(toml.encode()).hexdigest()[:16]}"
    folder = Path(tempfile.gettempdir()) / name
    folder.mkdir(mode=0o700, exist_ok=True)
    file = folder / f"{variant}.toml"
    draft = folder / f"{variant}.{os.getpid()}"
    draft.write_text(toml, encoding="utf-8")
    draft.replace(file)
    folders = [part for part in os.environ.get(VARIANT_PATH, "").split(os.pathsep) if part]
    kept = [part for part in folders if part not in (_travelled.get(variant), str(folder))]
    _travelled[variant] = str(folder)
    os.environ[VARIANT_PATH] = os.pathsep.join([*kept, str(folder)])
