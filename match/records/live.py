"""The games in play of a match, as small files in its folder, for spectators.

Each game has `live/NUMBER.json`, which is replaced atomically and removed when the game is over. A separate
thread writes, so no engine and no referee waits for a disk. The match does not depend on these files."""

import contextlib
import json
import os
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self

from .model import GameKey, MatchGame, MoveRecord

LIVE = "live"
WRITE_SECONDS = 0.25  # between two versions of a file
BEAT_SECONDS = 5.0  # after which a file without news is touched
STALE_SECONDS = 20.0  # an older file is left over from a match that was killed


@dataclass
class LiveGame:
    """A game in play: the moves so far, and the seconds left to White and Black after the last one (None
    without a clock). `since` is when the clock of the side to move began to run, in seconds since 1970; None
    before the first move."""

    game: MatchGame
    plies: list[MoveRecord] = field(default_factory=list)
    clocks: list[float | None] = field(default_factory=lambda: [None, None])
    since: float | None = None

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "LiveGame":
        """The game of a file, parsed. Raises ValueError, KeyError or TypeError for other data."""
        plies = [MoveRecord(**ply) for ply in data["plies"]]
        white, black = data["clocks"]
        return cls(MatchGame.from_json(data["game"]), plies, [white, black], data["since"])


class LiveGames:
    """Keeps the games in play in the folder of a match; a context manager. Files of a killed match are
    removed. A file that cannot be written is skipped."""

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder) / LIVE
        self._lock = threading.Lock()
        self._games: dict[GameKey, LiveGame] = {}
        self._news: set[GameKey] = set()
        self._over: set[GameKey] = set()
        self._written: dict[GameKey, list[str]] = {}  # the moves of each game as JSON, for the thread alone
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="live games", daemon=True)

    def __enter__(self) -> Self:
        self._clear()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._thread.join()
        self._clear()
        with contextlib.suppress(OSError):
            self._folder.rmdir()

    def started(self, game: MatchGame, clocks: Sequence[float | None]) -> None:
        """A game begins, with these seconds for White and Black."""
        with self._lock:
            live = LiveGame(game, clocks=list(clocks))
            self._games[game.key] = live
            self._news.add(game.key)
            self._over.add(game.key)  # it may have been begun before

    def moved(self, game: MatchGame, ply: MoveRecord, clocks: Sequence[float | None]) -> None:
        """A move was played; `clocks` are the seconds left to White and Black. Returns at once."""
        with self._lock:
            plies = [*self._games[game.key].plies, ply]
            self._games[game.key] = LiveGame(game, plies, list(clocks), time.time())
            self._news.add(game.key)

    def ended(self, game: MatchGame) -> None:
        """A game is over, or will not be played to its end."""
        with self._lock:
            self._games.pop(game.key, None)
            self._news.discard(game.key)
            self._over.add(game.key)

    def _run(self) -> None:
        touched = time.monotonic()
        while not self._closing.wait(WRITE_SECONDS):
            self._write_news()
            if time.monotonic() - touched > BEAT_SECONDS:
                touched = time.monotonic()
                self._touch()

    def _write_news(self) -> None:
        with self._lock:
            news = [self._games[key] for key in self._news]
            over, known = self._over, set(self._games)
            self._news, self._over = set(), set()
        for key in over:
            self._written.pop(key, None)
        for number, _ in over:
            if not any(number == other for other, _ in known):  # else its replay is being played
                with contextlib.suppress(OSError):
                    self._path(number).unlink(missing_ok=True)
        for live in news:
            with contextlib.suppress(OSError):
                self._write(live)

    def _write(self, live: LiveGame) -> None:
        self._folder.mkdir(exist_ok=True)
        path = self._path(live.game.number)
        new = path.with_suffix(".new")
        new.write_text(self._encode(live), encoding="utf-8")
        os.replace(new, path)

    def _encode(self, live: LiveGame) -> str:
        """The game as JSON. Only new moves are encoded: a long game must not keep the referee's threads
        waiting."""
        moves = self._written.setdefault(live.game.key, [])
        moves += [json.dumps(asdict(ply)) for ply in live.plies[len(moves) :]]
        rest = json.dumps({"game": asdict(live.game), "clocks": live.clocks, "since": live.since})
        return f'{rest[:-1]}, "plies": [{",".join(moves)}]}}\n'

    def _touch(self) -> None:
        """Shows watchers that the match is still running, even while its engines think for long."""
        with self._lock:
            numbers = [number for number, _ in self._games]
        for number in numbers:
            with contextlib.suppress(OSError):
                os.utime(self._path(number))

    def _path(self, number: int) -> Path:
        return self._folder / f"{number}.json"

    def _clear(self) -> None:
        for path in [*self._folder.glob("*.json"), *self._folder.glob("*.new")]:
            with contextlib.suppress(OSError):
                path.unlink()


class LiveReader:
    """Reads the games in play from the folder of a match, if it has such files."""

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder) / LIVE
        self._read: dict[str, tuple[tuple[int, int], LiveGame]] = {}  # file -> (time in ns, size), game

    def read(self) -> list[LiveGame]:
        """The games in play by number. Files that are stale or cannot be read are left out."""
        found: dict[str, tuple[tuple[int, int], LiveGame]] = {}
        oldest = time.time() - STALE_SECONDS
        for path in self._folder.glob("*.json"):
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                status = path.stat()
                if status.st_mtime < oldest:
                    continue
                version, known = (status.st_mtime_ns, status.st_size), self._read.get(path.name)
                if known is None or known[0] != version:
                    known = version, LiveGame.from_json(json.loads(path.read_bytes()))
                found[path.name] = known
        self._read = found
        return sorted((live for _, live in found.values()), key=lambda live: live.game.key)
