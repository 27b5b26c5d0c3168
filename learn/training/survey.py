"""Reads files of games once and records the places of whole games, the number of their positions, and counts
of scores, kings and features.

A survey takes about 40 KB of memory per million positions. With it the games can be read again in any order.
"""

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from ...engine.variant import Variant
from ..self_play.array_types import Integers
from ..self_play.games_file import MAX_GAME, PLY, STRETCH, GamesError, GamesReader, Stretch
from ..self_play.score_units import SEARCH_FACTOR, factor_to, search_factor
from .decoding import COUNTED, Choice, Decoder, UnplayableError
from .samples import samples_for

SUFFIX = ".games"  # of the files of games in a folder
HELD_OUT = 20  # one game in so many is held out, if these are at most MOST_HELD_OUT positions
MOST_HELD_OUT = 1_000_000  # otherwise one in twice as many, and so on
LEVELS = 16  # how often the held-out share can be halved
SCALES = (10.0, 1e5)  # the range of scales that are tried, in centipawns
HALVINGS = 40  # of what lies between them
CHUNK = np.dtype(
    [
        *(("file", "<i4"), ("first", "<i8"), ("begin", "<i8"), ("size", "<i8"), ("crc", "<u4")),
        *(("positions", "<i8"), ("rows", "<i8"), ("held_out", "<i8", (LEVELS,))),
    ]
)


@dataclass(frozen=True)
class SurveyedFile:
    """A file of games up to byte `size`, whose scores are multiplied by `factor`. `facts` are its name,
    games, positions, player and settings; the games begin from so many `starts`."""

    path: Path
    size: int
    factor: float
    facts: dict[str, Any]
    starts: int = 1


class Survey(NamedTuple):
    """The contents of `files` of games of a variant.

    `chunks` (CHUNK) are adjacent whole games: the number of the file and of the first game, the first byte,
    the number of bytes and their CRC-32; the positions and their features; and the positions in held-out
    games if one in HELD_OUT games is held out, one in twice as many, and so on.

    `counted` are positions by score, from -COUNTED centipawns, and by result -1, 0, 1, both White's. `seen`
    says whether some mover sees a feature. `kings` are positions by the square of the mover's and of the
    enemy's king, each from its own side's view: the first row has those that must not be mirrored, the second
    those that may. The held-out share is halved `level` times."""

    variant: Variant
    files: tuple[SurveyedFile, ...]
    chunks: np.ndarray
    counted: Integers
    seen: npt.NDArray[np.bool_]
    kings: Integers
    level: int

    @property
    def modulus(self) -> int:
        """One game in this many is held out."""
        return HELD_OUT << self.level

    @property
    def held_out(self) -> Integers:
        """The held-out positions by chunk."""
        found: Integers = self.chunks["held_out"][:, self.level]
        return found

    @property
    def to_learn(self) -> Integers:
        """The training positions by chunk."""
        found: Integers = self.chunks["positions"] - self.held_out
        return found

    def fingerprint(self) -> int:
        """A number that identifies these games and their division into training and held-out ones."""
        return crc32(np.ascontiguousarray(self.chunks["crc"]).data, self.modulus)

    def read(self, number: int) -> bytes:
        """The bytes of a chunk. Raises GamesError if they have changed."""
        chunk = self.chunks[number]
        path, begin, size = self.files[chunk["file"]].path, int(chunk["begin"]), int(chunk["size"])
        try:
            with open(path, "rb", buffering=0) as file:
                data = os.pread(file.fileno(), size, begin)
        except OSError as error:
            raise GamesError(f"{path}: cannot be read: {error.strerror}") from None
        if len(data) != size or crc32(data) != chunk["crc"]:
            raise GamesError(f"{path}: bytes {begin} to {begin + size - 1} have changed")
        return data


def games_files(paths: Iterable[str | Path]) -> list[Path]:
    """The files among `paths`, and those in the folders among them. Raises GamesError if there are none."""
    found = []
    for path in map(Path, paths):
        inside = sorted(path.glob(f"*{SUFFIX}")) if path.is_dir() else [path]
        if not inside:
            raise GamesError(f"{path}: there is no file *{SUFFIX} in this folder")
        found += inside
    if len({path.resolve() for path in found}) < len(found):
        raise GamesError(f"the same file is named twice: {', '.join(map(str, found))}")
    return found


def refuse_other_files(files: Iterable[Path], variant: Variant) -> None:
    """Raises GamesError, before any long work, for a file that cannot be read or is of another game."""
    for path in files:
        with GamesReader(path, variant):
            pass


class _Surveyor:
    """Counts the contents of stretches of games."""

    def __init__(self, variant: Variant) -> None:
        self.decoder = Decoder(variant)
        features = self.decoder.features
        most = max(STRETCH, MAX_GAME) // PLY.itemsize + 1
        self._room = samples_for(most, most * features.most)
        self.counted = np.zeros((2 * COUNTED + 1, 3), np.int64)
        self.seen = np.zeros(features.count, np.bool_)
        self.kings = np.zeros((2, features.squares + 1), np.int64)

    def counts(self) -> tuple[Integers, npt.NDArray[np.bool_], Integers]:
        """The counts of a `Survey` over all stretches."""
        return self.counted, self.seen, self.kings

    def chunk(self, number: int, path: Path, stretch: Stretch, factor: float, starts: int) -> tuple[Any, ...]:
        """The CHUNK of a stretch of the file with that number. Raises GamesError."""
        room = self._room
        try:
            count, games = self.decoder.survey(stretch.data, Choice(), factor, room, 0, self.counted, starts)
        except UnplayableError as error:
            game = stretch.first + error.game
            raise GamesError(f"{path}: game {game}, ply {error.ply}: the move cannot be played") from None
        games = games[: len(stretch.places)]
        rows = int(room.starts[count])
        self.seen[room.rows[:rows]] = True
        for way in range(2):
            kings = room.kings[:count][room.mirrors[:count] == way]
            self.kings[way] += np.bincount(kings.ravel(), minlength=self.kings.shape[1])
        held_out = [int(games[games[:, 0] % (HELD_OUT << level) == 0, 1].sum()) for level in range(LEVELS)]
        place = number, stretch.first, stretch.begin, len(stretch.data), crc32(stretch.data)
        return (*place, count, rows, held_out)


def survey(
    paths: Sequence[str | Path],
    variant: Variant,
    units: float | None = None,
    sizes: Mapping[Path, int] | None = None,
    progress: Callable[[int, int], object] = lambda done, positions: None,
) -> Survey:
    """The `Survey` of all whole games in files, or, with `sizes`, of those up to that byte of each file.

    With `units`, the value of NORMAL_SCALE centipawns to the network in training in units of the search, the
    scores of players with other units are converted. `progress(bytes, positions)` is called as the files are
    read. Raises GamesError, VariantError."""
    surveyor, files, chunks = _Surveyor(variant), [], []
    done = positions = 0
    for number, path in enumerate(map(Path, paths)):
        limit, games, before = (sizes or {}).get(path), 0, positions
        with GamesReader(path, variant) as source:
            factor, starts = factor_to(units, source.header.network, variant), source.header.starts
            for stretch in source.stretches(STRETCH, limit):
                chunks.append(surveyor.chunk(number, path, stretch, factor, starts))
                games += len(stretch.places)
                positions += chunks[-1][5]
                progress(done + source.done, positions)
            done += source.size
            facts = _facts(source, games, positions - before)
            files.append(SurveyedFile(path, source.done, factor, facts, starts))
    found = np.array(chunks, CHUNK)
    return Survey(variant, tuple(files), found, *surveyor.counts(), _level(found["held_out"].sum(axis=0)))


def fitted_scale(counted: Integers) -> float:
    """The scale in centipawns of the logistic curve that predicts results from scores best, by bisection
    within SCALES. `counted` are positions by score, from -COUNTED centipawns, and by result -1, 0, 1; beyond
    COUNTED games are decided."""
    levels = np.arange(-COUNTED, COUNTED + 1.0)
    counts, points = counted.sum(axis=1), counted @ np.array([0.0, 0.5, 1.0])
    low, high = SCALES
    for _ in range(HALVINGS):
        middle = math.sqrt(low * high)
        too_flat = np.dot(points - counts / (1 + np.exp(-levels / middle)), levels) > 0
        low, high = (low, middle) if too_flat else (middle, high)
    return math.sqrt(low * high)


def scale_of_results(counted: Integers) -> float:
    """The `fitted_scale` of the positions of decisive games. Draws would make the curve flatter for stronger
    players, although their scores mean the same."""
    decisive = counted.copy()
    decisive[:, 1] = 0
    return fitted_scale(decisive)


def _level(held_out: Integers) -> int:
    """How often the held-out share is halved so that it is at most about MOST_HELD_OUT positions; the
    arguments are the positions for each number of halvings."""
    some = np.flatnonzero(held_out)
    few = some[held_out[some] <= MOST_HELD_OUT]
    return int(few[0]) if len(few) else int(some[-1]) if len(some) else 0


def _facts(source: GamesReader, games: int, positions: int) -> dict[str, Any]:
    """The training metadata of a file."""
    header = source.header
    facts = {"file": Path(source.path).name, "games": games, "positions": positions}
    settings = {name: value for name, value in header.settings._asdict().items() if value is not None}
    counts = search_factor(header.network)
    scaled = {SEARCH_FACTOR: counts} if counts != 1 else {}
    return facts | {"player": header.player} | scaled | settings
