"""The files of a match, written game by game, so that a match that was killed can be resumed.

A folder holds `match.json` (the configuration), `games.jsonl` (a `Record` a line: the truth) and `games.pgn`
(derived from it). This module plays no games and does not interpret the configuration.
"""

import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import filelock

from ...engine.game.replaced_file import replacing
from ...protocol.terminal.progress import tracked
from .model import MatchGame, Record, Termination

CONFIGURATION, GAMES, PGN, LOCK = "match.json", "games.jsonl", "games.pgn", "match.lock"
SHOWN = 60  # characters shown of a wrong text


def taken(folder: str | Path) -> Path | None:
    """The file for which a new match cannot use the folder: the games of another match, or its configuration
    if the games are missing. None where no game was finished."""
    configuration, games = Path(folder, CONFIGURATION), Path(folder, GAMES)
    if games.exists():
        return games if games.stat().st_size else None
    return configuration if configuration.exists() else None


class JournalError(RuntimeError):
    """A folder that cannot be used; the text names the file and the fault."""


class Journal:
    """The games of one match in a folder; made by `create` or `resume`, a context manager.

    `records` are the games that count, in the order in which they ended. `warnings` are sentences on what was
    repaired or left out. Only one process at a time can have the journal of a folder open.
    """

    def __init__(self, folder: str | Path, pgn: Callable[[Record], str] | None) -> None:
        self.folder = Path(folder)
        self.records: list[Record] = []
        self.warnings: list[str] = []
        self._pgn = pgn
        self._known: set[tuple[int, int]] = set()
        self._games: int | None = None  # file descriptor
        self._writing = threading.Lock()
        self._lock = filelock.FileLock(self.folder / LOCK, thread_local=False)

    @classmethod
    def create(
        cls, folder: str | Path, configuration: Mapping[str, Any], pgn: Callable[[Record], str] | None = None
    ) -> Self:
        """A new journal; its folder is made if missing. `pgn` makes the PGN of a `Record`; without it there
        is no PGN file. A match that was left without a finished game is replaced.

        Raises JournalError when the folder has games of a match already or another process uses it.
        """
        Path(folder).mkdir(parents=True, exist_ok=True)
        journal = cls(folder, pgn)
        with journal._opening():
            if path := taken(journal.folder):
                raise JournalError(f"{path} exists: resume that match, or use another folder")
            _replace(journal.folder / CONFIGURATION, json.dumps(configuration, indent=2) + "\n")
            journal._open_games()
        return journal

    @classmethod
    def resume(cls, folder: str | Path, pgn: Callable[[Record], str] | None = None) -> Self:
        """The journal of an existing match. Cuts off a game that was being written when the match was killed.
        Raises JournalError if there is no match, another process uses it or a finished line cannot be
        read."""
        if not (Path(folder) / CONFIGURATION).is_file():
            raise JournalError(f"{folder} holds no match: there is no {CONFIGURATION}")
        journal = cls(folder, pgn)
        with journal._opening():
            journal._open_games()
            journal._load_games()
            journal._mend_pgn()
        return journal

    def append(self, record: Record) -> bool:
        """Writes a finished game and returns after it is synced to disk; False for a game that is already
        there. Raises ValueError for a game that was not played to its end, OSError if it cannot be written
        (then the journal is unchanged)."""
        if record.termination == Termination.UNTERMINATED:
            raise ValueError(f"game {record.game.number + 1} was not played to its end, so it does not count")
        line = json.dumps(record.as_json(), separators=(",", ":"), allow_nan=False).encode() + b"\n"
        with self._writing:
            if self._games is None:
                raise RuntimeError("this journal is closed")
            if record.game.key in self._known:
                self.warnings.append(f"{_name(record.game)} came twice; the first counts")
                return False
            self._write(line)
            self._keep(record)
            if self._pgn:
                with (self.folder / PGN).open("a", encoding="utf-8", newline="") as file:
                    file.write(self._pgn(record))
        return True

    def close(self) -> None:
        """Closes the files and releases the lock of the folder."""
        with self._writing:
            if self._games is not None:
                os.close(self._games)
                self._games = None
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _opening(self) -> Iterator[None]:
        """Takes the lock, and closes the journal if the body of the `with` fails."""
        try:
            self._lock.acquire(timeout=0)
        except filelock.Timeout:
            raise JournalError(f"{self.folder} is in use: a match is being played there") from None
        try:
            yield
        except BaseException:
            self.close()
            raise

    def _open_games(self) -> None:
        self._games = os.open(self.folder / GAMES, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        _sync_folder(self.folder)

    def _keep(self, record: Record) -> None:
        self._known.add(record.game.key)
        self.records.append(record)

    def _write(self, line: bytes) -> None:
        """Appends a line whole and synced, or not at all."""
        assert self._games is not None
        size = os.fstat(self._games).st_size
        try:
            if os.write(self._games, line) != len(line):
                raise OSError(f"{self.folder / GAMES}: no room for another game")
            os.fsync(self._games)
        except OSError:
            os.ftruncate(self._games, size)
            raise

    def _load_games(self) -> None:
        assert self._games is not None
        path = self.folder / GAMES
        *lines, torn = path.read_bytes().split(b"\n")
        if torn:
            # The line end is written last: this game was never reported, and it will be played again.
            os.ftruncate(self._games, sum(map(len, lines)) + len(lines))
            os.fsync(self._games)
            self.warnings.append(f"{path} line {len(lines) + 1} was only half written and is cut off")
        for number, line in enumerate(lines, 1):
            record = _parse(line, f"{path} line {number}")
            if record.game.key not in self._known:
                self._keep(record)
            else:
                self.warnings.append(f"{path} line {number}: {_name(record.game)} again; the first counts")

    def _mend_pgn(self) -> None:
        """Rewrites the PGN file unless it holds exactly these games."""
        if not self._pgn:
            return
        path = self.folder / PGN
        text = "".join(self._pgn(record) for record in tracked(self.records, "comparing the PGN")).encode()
        if (path.read_bytes() if path.exists() else b"") != text:
            _replace(path, text.decode())
            self.warnings.append(f"{path} did not agree with {GAMES} and is rewritten")


def _parse(line: bytes, where: str) -> Record:
    """The record of a line. Raises JournalError that quotes the line."""
    try:
        record = Record.from_json(json.loads(line))
        if not all(type(number) is int for number in record.game.key):
            raise ValueError("the game has no number")
    except (ValueError, KeyError, TypeError) as error:
        shown = line.decode(errors="replace")[:SHOWN]
        reason = f"{type(error).__name__}: {error}"
        raise JournalError(f"{where} is not a game ({reason}); it begins with {shown!r}") from None
    return record


def _name(game: MatchGame) -> str:
    return f"game {game.number + 1}" + (f", replay {game.replay}," if game.replay else "")


def _replace(path: Path, text: str) -> None:
    """Writes a file so that after a crash it is either complete or as it was."""
    with replacing(path, synced=True) as file:
        file.write(text.encode())
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Syncs the names in a folder to disk; without it a power failure may lose a new file."""
    if os.name == "nt":
        return  # folders cannot be opened there
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
