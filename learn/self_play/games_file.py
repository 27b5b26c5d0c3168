"""The file of self-play games: its header, game after game, and how it survives a crash.

All numbers are little-endian. The file begins with a header:

    15 bytes   b"surajang games\\n"
    uint16     version of the format, 1
    uint32     length of what follows
    JSON       {"game", "rules", "evaluation", "program", "settings"}; digests of rules and evaluation. Games
               of a network have its metadata as "network"; where games begin from several starts in turn
               (`starts`), "starts" says from how many
    uint32     CRC-32 of all bytes before

The games 0, 1, 2, ... follow, each a head, its plies, and the CRC-32 of both:

    uint32     number of the game
    uint16     plies
    uint8      random plies, which come first
    int8       result: 1 White won, 0 drawn, -1 Black won
    uint8      ending, a number of `learn.self_play.compiled_games.ENDINGS`
    uint32     CRC-32 of the head so far
    each ply:  uint32 move (see `engine.moves`), int16 score of its search in centipawns, White's view;
               -32768 where nothing was searched, mate in n plies 32000 - n
    uint32     CRC-32 of head and plies

A file that ends within a game was torn by a crash: the part of that game is cut off, and later games follow
there. Anything else that does not fit is damage, and the file is refused.
"""

import json
import os
import struct
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, NamedTuple, NoReturn
from zlib import crc32

import numpy as np

from ... import __version__
from ...engine.definition.catalogue import read_table
from ...engine.variant import Variant
from ...eval.network.file import Network
from ...eval.network.output_buckets import BOARD
from ...eval.terms.weights import build_weights
from ...match.records.locked_file import open_to_add
from ...match.workers.machine import sources
from .compiled_games import ENDINGS, SelfPlayedGame, Settings
from .score_units import player_units
from .starts import MOST_STARTS

MAGIC = b"surajang games\n"
VERSION = 1
PREFIX = struct.Struct("<HI")  # behind the magic
HEAD = struct.Struct("<IHBbB")
CRC = struct.Struct("<I")
PLY = np.dtype([("move", "<u4"), ("score", "<i2")])
MAX_HEADER = 1 << 16
MOST_HEADER = len(MAGIC) + PREFIX.size + MAX_HEADER + CRC.size  # with all that belongs to it
MAX_GAME = HEAD.size + 2 * CRC.size + 0xFFFF * PLY.itemsize  # bytes
STRETCH = 1 << 19  # bytes of games that are read at a time
CHUNK_PLIES = 65_536
SHOWN = 60  # characters of something wrong
DIGEST = 16  # hexadecimal digits
TITLES = ("title", "source")  # keys of a game's file that are not rules


class GamesError(ValueError):
    """A file of games that cannot be read or extended; the text names the file and the fault."""


class Header(NamedTuple):
    """The origin of a file's games: the game's name, digests of its rules and of the evaluation that played,
    the program's version, the `Settings`, and the training metadata of the network, if any, with its units
    (`score_units.player_units`), and from how many `starts` the games begin in turn."""

    game: str
    rules: str
    evaluation: str
    program: str
    settings: Settings
    network: dict[str, Any] | None = None
    starts: int = 1

    @classmethod
    def of(
        cls, variant: Variant, settings: Settings, network: Network | None = None, starts: int = 1
    ) -> "Header":
        """The header for games played here, with a `Network` if one is given, from so many `starts`. Raises
        VariantError."""
        program = f"Surajang {__version__} (sources {sources()})"
        evaluation = evaluation_digest(variant, network)
        metadata = None if network is None else {"units": player_units(variant, network)} | network.metadata
        return cls(variant, rules_digest(variant), evaluation, program, settings, metadata, starts)

    @property
    def variant(self) -> Variant:
        """The game."""
        return Variant(self.game)

    @property
    def player(self) -> str:
        """The evaluation that played the games, as text."""
        return f"the network {self.evaluation}" if self.network is not None else "the hand-written evaluation"

    def encoded(self) -> bytes:
        """The encoded header."""
        facts = self._asdict() | {"settings": self.settings._asdict()}
        if self.network is None:  # so that programs without networks can read it
            del facts["network"]
        if self.starts == 1:
            del facts["starts"]
        text = json.dumps(facts).encode()
        if len(text) > MAX_HEADER:
            raise GamesError(f"the header of a file has {len(text)} bytes, but {MAX_HEADER} are the most")
        head = MAGIC + PREFIX.pack(VERSION, len(text)) + text
        return head + CRC.pack(crc32(head))


def is_games_file(path: str | Path) -> bool:
    """Whether a file begins like a file of games. Raises GamesError if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError as error:
        raise GamesError(f"{path}: cannot be read: {error.strerror}") from None


def rules_digest(variant: Variant) -> str:
    """A digest of the rules in the game's file, including inherited ones."""
    table = read_table(variant.description.path)
    rules = {key: value for key, value in table.items() if key not in TITLES}
    rules["pieces"] = {letter: _without_picture(piece) for letter, piece in table["pieces"].items()}
    return _digest(json.dumps(rules, default=str).encode())


def _without_picture(piece: dict[str, Any]) -> dict[str, Any]:
    """A piece's table without the keys of its picture."""
    return {key: value for key, value in piece.items() if key != "picture"}


def evaluation_digest(variant: Variant, network: Network | None = None) -> str:
    """A digest of the numbers of the evaluation that plays: those of the game, and of a `Network` if there is
    one."""
    weights = build_weights(variant.rules, variant.description).tobytes()
    if network is not None:
        arrays = (*network.arrays(), network.output_bias)
        kind = "" if network.output_buckets == BOARD else network.output_buckets
        weights += b"".join(
            [*(array.tobytes() for array in arrays), f"{network.output_scale}{kind}".encode()]
        )
    return _digest(weights)


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:DIGEST]


def encode(game: SelfPlayedGame) -> bytes:
    """The encoded bytes of a `SelfPlayedGame`."""
    head = HEAD.pack(game.number, len(game.moves), game.opening, game.result, game.ending)
    plies = np.empty(len(game.moves), PLY)
    plies["move"], plies["score"] = game.moves, game.scores
    data = head + CRC.pack(crc32(head)) + plies.tobytes()
    return data + CRC.pack(crc32(data))


class Scan:
    """Iterates over the games in `data`, a part of the file at `path` that begins at byte `end` and follows
    `games` earlier games. `games` and `end` advance with each game. Raises GamesError."""

    def __init__(self, path: str | Path, data: memoryview, end: int, games: int = 0) -> None:
        self.path, self._data, self._begin = path, data, end
        self.end, self.games = end, games

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """Yields (first byte, byte after the last) of each whole game in the file. Raises GamesError for
        damage."""
        size, least = len(self._data), HEAD.size + CRC.size
        while self.end - self._begin + least <= size:
            start = self.end - self._begin
            number, plies, opening, result, ending = HEAD.unpack_from(self._data, start)
            if crc32(self._data[start : start + HEAD.size]) != self._crc(start + HEAD.size):
                self._refuse("its head is damaged")
            if number != self.games:
                self._refuse(f"it has the number {number}")
            behind = start + least + PLY.itemsize * plies
            if behind + CRC.size > size:
                return
            if crc32(self._data[start:behind]) != self._crc(behind):
                self._refuse("its moves are damaged")
            if not (opening <= plies and -1 <= result <= 1 and 0 < ending < len(ENDINGS)):
                self._refuse(f"{opening} random of {plies} plies, result {result}, ending {ending}")
            first, self.end = self.end, self._begin + behind + CRC.size
            self.games += 1
            yield first, self.end

    def _crc(self, place: int) -> int:
        found: int = CRC.unpack_from(self._data, place)[0]
        return found

    def _refuse(self, reason: str) -> NoReturn:
        raise GamesError(
            f"{self.path}: game {self.games}, which begins at byte {self.end}, cannot be read: {reason}; "
            f"a file cut to {self.end} bytes has the games before it"
        )


def _read_header(path: str | Path, data: bytes) -> tuple[Header, int]:
    """(Header, its length) from the first bytes of a file. Raises GamesError."""
    length = len(MAGIC) + PREFIX.size
    begin = data[: len(MAGIC)]
    if begin != MAGIC:
        shown = begin.decode(errors="replace")
        raise GamesError(f"{path}: this is not a file of games: it begins with {shown!r}")
    if len(data) < length:
        raise GamesError(f"{path}: the file ends within its header, at byte {len(data)}")
    version, size = PREFIX.unpack_from(data, len(MAGIC))
    if version != VERSION:
        raise GamesError(f"{path}: version {version} of the format, but this program reads {VERSION}")
    end = length + size + CRC.size
    if size > MAX_HEADER:
        raise GamesError(f"{path}: the header is damaged: {size} bytes long, and {MAX_HEADER} are the most")
    if len(data) < end:
        raise GamesError(f"{path}: the file ends within its header, at byte {len(data)} of {end}")
    if crc32(data[: end - CRC.size]) != CRC.unpack_from(data, end - CRC.size)[0]:
        raise GamesError(f"{path}: the header, bytes 0 to {end - 1}, is damaged: its checksum differs")
    text = data[length : length + size]
    try:
        facts = json.loads(text)
        header = Header(**facts | {"settings": Settings(**facts["settings"])})
        if header.starts not in range(1, MOST_STARTS + 1):
            raise ValueError
        return header, end
    except (ValueError, TypeError, KeyError):
        shown = text.decode(errors="replace")[:SHOWN]
        raise GamesError(f"{path}: the header is not one that this program reads: {shown!r}") from None


def refuse_other(path: str | Path, found: Header, wanted: Header) -> None:
    """Raises GamesError if the games of the file (header `found`) were made with other settings than
    `wanted`. Another version of the program may add to a file."""
    _refuse_other_rules(path, found, wanted.variant, wanted.rules)
    told, asked = found.settings._asdict(), wanted.settings._asdict()
    for name in ("evaluation", "starts"):
        told[name], asked[name] = getattr(found, name), getattr(wanted, name)
    differ = [f"{name} {told[name]}, not {asked[name]}" for name in told if told[name] != asked[name]]
    if differ:
        raise GamesError(f"{path}: the games in it were played with {'; '.join(differ)}")


def _refuse_other_rules(path: str | Path, found: Header, variant: Variant, rules: str) -> None:
    if found.game != variant:
        raise GamesError(f"{path}: the games are of {found.game!r}, not of {variant!r}")
    if found.rules != rules:
        raise GamesError(
            f"{path}: the games are of {variant!r} by other rules (digest {found.rules}, here {rules}): "
            "the game's file has changed since"
        )


class GamesFile:
    """The file at `path` with games 0, 1, 2, ..., to which more can be added; created if it does not exist.
    `games` counts the games in it. Only one process at a time may open it. Raises GamesError for a file of
    another kind, a damaged one, one that another process has open, and one that cannot be opened."""

    def __init__(self, path: str | Path, header: Header) -> None:
        self.path, self.header = path, header
        self._file = open_to_add(path, GamesError, buffering=0)
        try:
            self._keep_whole_games(header)
        except BaseException:
            self._file.close()
            raise

    def _keep_whole_games(self, header: Header) -> None:
        """Counts the games and cuts off a last one that a crash left incomplete."""
        encoded = header.encoded()
        self._file.seek(0)
        if encoded.startswith(self._file.read(len(encoded) + 1)):
            self.games, self._end = 0, 0
            self._append(encoded)
            return
        found, self._end = _header_of(self.path, self._file)
        refuse_other(self.path, found, header)
        self.games = 0
        for stretch in _stretches(self.path, self._file, self._end):
            self.games, self._end = stretch.first + len(stretch.places), stretch.end
        self._file.truncate(self._end)

    def add(self, data: bytes, games: int) -> None:
        """Appends the bytes of the next `games` games. Raises GamesError if they cannot be written."""
        self._append(data)
        self.games += games

    def _append(self, data: bytes) -> None:
        self._file.truncate(self._end)
        try:
            view = memoryview(data)
            while view:
                view = view[self._file.write(view) :]
        except OSError as error:
            with suppress(OSError):
                self._file.truncate(self._end)
            raise GamesError(
                f"{self.path}: cannot be written: {error.strerror}; it keeps the {self.games} games before"
            ) from None
        self._end += len(data)

    def __enter__(self) -> "GamesFile":
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()


class Stretch(NamedTuple):
    """Consecutive whole games: the number of the `first`, the byte of the file where they `begin`, their
    bytes, and the `places` (first byte, byte after the last) of each in the file."""

    first: int
    begin: int
    data: bytes
    places: list[tuple[int, int]]

    @property
    def end(self) -> int:
        """The byte of the file after them."""
        return self.begin + len(self.data)


def _read(path: str | Path, file: IO[bytes], size: int, place: int) -> bytes:
    """Up to that many bytes of a file from a place on. Raises GamesError."""
    try:
        return os.pread(file.fileno(), size, place)
    except OSError as error:
        raise GamesError(f"{path}: cannot be read: {error.strerror}") from None


def _header_of(path: str | Path, file: IO[bytes]) -> tuple[Header, int]:
    """(Header, its length) of an open file. Raises GamesError."""
    return _read_header(path, _read(path, file, MOST_HEADER, 0))


def _stretches(
    path: str | Path, file: IO[bytes], place: int, size: int = STRETCH, limit: int | None = None
) -> Iterator[Stretch]:
    """Yields all whole games of an open file from a place after the header to byte `limit`, about `size`
    bytes at a time. Raises GamesError. The file is read, not mapped, because another process may truncate it.
    """
    games = 0
    limit = os.fstat(file.fileno()).st_size if limit is None else limit
    while True:
        data = _read(path, file, max(0, min(max(size, MAX_GAME), limit - place)), place)
        scan = Scan(path, memoryview(data), place, games)
        places: list[tuple[int, int]] = []
        damage = None
        try:
            for each in scan:
                places.append(each)
                if scan.end - place >= size:
                    break
        except GamesError as error:  # the earlier games are valid
            damage = error
        if places:
            yield Stretch(games, place, data[: scan.end - place], places)
        if damage is not None:
            raise damage
        if not places:
            return
        place, games = scan.end, scan.games


class Chunk(NamedTuple):
    """Games as arrays. By game: `numbers`, `openings`, `results`, `endings` and `ends` (the index after its
    last ply). By ply: `moves` and `scores`."""

    numbers: np.ndarray
    openings: np.ndarray
    results: np.ndarray
    endings: np.ndarray
    ends: np.ndarray
    moves: np.ndarray
    scores: np.ndarray

    def games(self) -> Iterator[SelfPlayedGame]:
        """Yields each `SelfPlayedGame`."""
        start = 0
        for index, end in enumerate(self.ends.tolist()):
            number, opening, result, ending = (int(column[index]) for column in self[:4])
            yield SelfPlayedGame(
                number, self.moves[start:end], self.scores[start:end], opening, result, ending
            )
            start = end


class GamesReader:
    """Reads the games in the file at `path`; with a `variant`, refuses those of another one or with other
    rules. `done` of `size` bytes are read; at the end, `torn` counts the bytes after the last whole game. A
    context manager. Raises GamesError."""

    def __init__(self, path: str | Path, variant: Variant | None = None) -> None:
        self.path, self.done, self.torn = path, 0, 0
        try:
            self._file = open(path, "rb")  # noqa: SIM115 - closed by __exit__
        except OSError as error:
            raise GamesError(f"{path}: cannot be read: {error.strerror}") from None
        try:
            self.header, self._begin = _header_of(path, self._file)
            self.size = os.fstat(self._file.fileno()).st_size
            if variant is not None:
                self.refuse_other(variant)
        except BaseException:
            self._file.close()
            raise

    def refuse_other(self, variant: Variant) -> None:
        """Raises GamesError if the games are of another variant than this, or by other rules."""
        _refuse_other_rules(self.path, self.header, variant, rules_digest(variant))

    def stretches(self, size: int = STRETCH, limit: int | None = None) -> Iterator[Stretch]:
        """Yields all games in order, as `Stretch`es of about `size` bytes, up to byte `limit` or the size of
        the file when it was opened. Raises GamesError for damage."""
        limit = self.size if limit is None else limit
        end = self._begin
        for stretch in _stretches(self.path, self._file, self._begin, size, limit):
            end = self.done = stretch.end
            yield stretch
        self.torn = limit - end

    def chunks(self, plies: int = CHUNK_PLIES) -> Iterator[Chunk]:
        """Yields all games in order, as `Chunk`s of about `plies` plies. Raises GamesError for damage."""
        for stretch in self.stretches(plies * PLY.itemsize):
            data, places, begin = memoryview(stretch.data), [], stretch.begin
            for first, behind in stretch.places:
                places.append((first - begin, behind - begin))
                if behind - begin - places[0][0] >= plies * PLY.itemsize:
                    yield _chunk(data, places)
                    places = []
            if places:
                yield _chunk(data, places)

    def games(self) -> Iterator[SelfPlayedGame]:
        """Yields each `SelfPlayedGame` in order. Raises GamesError for damage."""
        for chunk in self.chunks():
            yield from chunk.games()

    def __enter__(self) -> "GamesReader":
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()


def chunk_of(data: bytes) -> tuple[Chunk, list[int]]:
    """(`Chunk`, the place after each game) of consecutive encoded games."""
    view, start = memoryview(data), 0
    places: list[tuple[int, int]] = []
    while start < len(view):
        behind = start + HEAD.size + 2 * CRC.size + PLY.itemsize * HEAD.unpack_from(view, start)[1]
        places.append((start, behind))
        start = behind
    return _chunk(view, places), [behind for _, behind in places]


def _chunk(data: memoryview, places: Sequence[tuple[int, int]]) -> Chunk:
    heads = [HEAD.unpack_from(data, start) for start, _ in places]
    numbers, plies, openings, results, endings = (
        np.array(column, np.int64) for column in zip(*heads, strict=True)
    )
    first, last = HEAD.size + CRC.size, CRC.size
    rows = np.frombuffer(b"".join([data[start + first : end - last] for start, end in places]), PLY)
    moves, scores = rows["move"].copy(), rows["score"].copy()
    return Chunk(numbers, openings, results, endings, np.cumsum(plies), moves, scores)
