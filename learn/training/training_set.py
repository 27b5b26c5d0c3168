"""The positions that a network learns from: games read once and packed into active features and targets."""

import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

import numpy as np

from ...engine.kernel.compiler import entry_point, part
from ...engine.position import Position
from ...engine.rules import rules_for
from ...eval.network.features import active_features, features_for
from ...eval.network.file import bucket_of
from ..self_play.games_file import Chunk, GamesError, GamesReader
from ..self_play.positions import Batch, Filter, Replay
from .mirroring import anchors
from .score_units import SEARCH_FACTOR, factor_to, multiplied, search_factor
from .td_targets import write_outlooks

if TYPE_CHECKING:
    import numpy.typing as npt

    from ...engine.kernel.parallel_compile import Part

    Floats = npt.NDArray[np.float32]

HELD_OUT = 20  # one game in so many is not learnt from
SUFFIX = ".games"  # of the files that are looked for in a folder
SCALE_SAMPLE = 300_000  # positions of each file that say what a score means
GROWTH = 1.5  # factor for an array that is full
SCALES, HALVINGS = (
    (10.0, 1e5),
    40,
)  # centipawns of logistic curves that are looked at, and steps of the search


class Samples(NamedTuple):
    """Positions packed for compiled code, each as its mover sees it.

    The active features of position i are `rows[starts[i]:starts[i + 1]]` (uint16). `targets` are what the
    network should say, from 0 for lost to 1 for won (float32), `buckets` the output that says it (uint8);
    `mirrors` whether the position may be mirrored (uint8). `kings` are the squares of the mover's and of the
    enemy's king, each as its own side sees it (uint16); the number of squares means none on the board."""

    rows: np.ndarray
    starts: np.ndarray
    targets: np.ndarray
    buckets: np.ndarray
    mirrors: np.ndarray
    kings: np.ndarray


class TrainingSet(NamedTuple):
    """All positions of some files: `samples`, their `scores` in centipawns and `results` (1, 0, -1), both the
    mover's, and the positions to learn from (`train`) and to test with (`held_out`), as indices.

    `files` says of each file its name, settings, games and positions."""

    variant: str
    samples: Samples
    scores: np.ndarray
    results: np.ndarray
    train: np.ndarray
    held_out: np.ndarray
    files: list[dict[str, Any]]

    def fingerprint(self) -> int:
        """A number that tells these positions from others."""
        return crc32(self.samples.rows.data, crc32(self.scores.data, crc32(self.results.data)))


class _Column:
    """An array that grows at its end."""

    def __init__(self, dtype: "npt.DTypeLike") -> None:
        self._array, self.count = np.empty(1 << 16, dtype), 0

    def room(self, more: int) -> np.ndarray:
        """An array for `more` elements behind the last; the caller adds the number written to `count`."""
        if self.count + more > len(self._array):
            self._array.resize(int(GROWTH * (self.count + more)), refcheck=False)
        return self._array[self.count : self.count + more]

    def extend(self, values: np.ndarray) -> None:
        self.room(len(values))[:] = values
        self.count += len(values)

    def array(self) -> np.ndarray:
        """What was written; ends the growing."""
        self._array.resize(self.count, refcheck=False)
        return self._array


@entry_point
def pack(features, positions, anchored, rows, lengths, mirrors):
    """Writes the features of positions, one after the other, to `rows`, and how many each has; returns how
    many there are in all."""
    behind = 0
    for index in range(len(positions)):
        position = positions[index]
        count = active_features(features, position, np.int64(position.side), rows[behind:])
        lengths[index] = count
        mirrors[index] = 1
        for place in range(behind, behind + count):
            if anchored[np.int64(rows[place])]:
                mirrors[index] = 0
        behind += count
    return behind


def entry_points(variant: str) -> "list[Part]":
    """The functions that Python calls to read a training set, as parts for `compile_ahead`."""
    replay = Replay(variant)
    records, flags, words = replay.no_positions(), np.zeros(1, bool), np.zeros(1, np.uint16)
    lengths, mirrors = np.zeros(1, np.int64), np.zeros(1, np.uint8)
    scores, results, found = (np.zeros(1, dtype) for dtype in (np.int16, np.int8, np.float32))
    return [
        part(pack, features_for(variant), records, flags, words, lengths, mirrors),
        part(write_outlooks, lengths, scores, results, 1.0, 1.0, found),
    ]


def games_files(paths: Iterable[str | Path]) -> list[Path]:
    """The files among `paths`, and those of the folders among them. Raises GamesError for none."""
    found = []
    for path in map(Path, paths):
        inside = sorted(path.glob(f"*{SUFFIX}")) if path.is_dir() else [path]
        if not inside:
            raise GamesError(f"{path}: there is no file *{SUFFIX} in this folder")
        found += inside
    if len({path.resolve() for path in found}) < len(found):
        raise GamesError(f"the same file is named twice: {', '.join(map(str, found))}")
    return found


class _Reader:
    """Packs the positions of chunks of games."""

    def __init__(self, variant: str, filters: Filter, decay: float, scale: float) -> None:
        self.variant, self.replay = variant, Replay(variant, filters)
        self._decay, self._scale = float(decay), float(scale)
        self.features, self._anchored = features_for(variant), anchors(variant)
        self._king_kind = rules_for(variant).king_kind
        self.pieces = int(np.bitwise_count(Position(variant).state["colours"]).sum())
        dtypes: dict[str, npt.DTypeLike] = {
            "rows": np.uint16,
            "lengths": np.int64,
            "buckets": np.uint8,
            "mirrors": np.uint8,
        }
        dtypes |= {"scores": np.int16, "results": np.int8, "held_out": np.bool_}
        dtypes |= {"outlooks": np.float32, "kings": np.uint16}
        self.columns = {name: _Column(dtype) for name, dtype in dtypes.items()}

    @property
    def count(self) -> int:
        """Positions so far."""
        return self.columns["scores"].count

    def add(self, chunk: Chunk, path: str | Path, factor: float) -> None:
        """Takes the positions of a `Chunk`, with its scores times a factor. Raises GamesError."""
        batch = self.replay.batch(chunk, path)
        if factor != 1:
            chunk = chunk._replace(scores=multiplied(chunk.scores, factor))
            batch = batch._replace(scores=multiplied(batch.scores, factor))
        count, columns = len(batch.plies), self.columns
        if not count:
            return
        rows = columns["rows"].room(count * self.features.most)
        lengths, mirrors = columns["lengths"].room(count), columns["mirrors"].room(count)
        written = pack(self.features, batch.positions, self._anchored, rows, lengths, mirrors)
        for name, more in (("rows", written), ("lengths", count), ("mirrors", count)):
            columns[name].count += more
        pieces = np.bitwise_count(batch.positions["colours"]).sum(axis=(1, 2)).astype(np.int64)
        sign = 1 - 2 * batch.positions["side"].astype(np.int8)
        columns["buckets"].extend(bucket_of(self.features, pieces))
        columns["kings"].extend(self._kings(batch.positions).ravel())
        columns["scores"].extend(batch.scores * sign)
        columns["results"].extend(batch.results * sign)
        outlooks = self._outlooks(chunk, batch)
        columns["outlooks"].extend(np.where(sign > 0, outlooks, 1 - outlooks).astype(np.float32))
        held_out = np.array([is_held_out(game.moves) for game in chunk.games()])
        columns["held_out"].extend(held_out[batch.games - chunk.numbers[0]])

    def _kings(self, positions: np.ndarray) -> "npt.NDArray[np.uint16]":
        """`Samples.kings` of records of positions."""
        found = np.full((len(positions), 2), self.features.squares, np.uint16)
        movers = positions["side"].astype(np.int64)
        every = np.arange(len(positions))
        for column, sides in enumerate((movers, 1 - movers)):
            squares = positions["kings"][every, sides].astype(np.int64)
            words = positions["colours"][every, sides, squares // 64]
            there = words >> (squares % 64).astype(np.uint64) & np.uint64(1) != 0
            there &= positions["board"][every, squares] == self._king_kind
            seen = np.where(sides == 0, squares, self.features.flipped[squares])
            found[there, column] = seen[there]
        return found

    def _outlooks(self, chunk: Chunk, batch: Batch) -> "Floats":
        """White's outlook of the positions of a `Batch`."""
        ends, found = chunk.ends.astype(np.int64), np.empty(len(chunk.scores), np.float32)
        write_outlooks(ends, chunk.scores, chunk.results, self._decay, self._scale, found)
        starts = np.concatenate([[0], ends[:-1]])
        outlooks: Floats = found[starts[batch.games - chunk.numbers[0]] + batch.plies]
        return outlooks


def is_held_out(moves: "npt.NDArray[np.uint32]") -> bool:
    """Whether a game is kept for tests. It depends on its moves alone, so a game that is in two files is
    always on the same side."""
    return crc32(np.ascontiguousarray(moves, "<u4").data) % HELD_OUT == 0


def read_training_set(
    paths: Sequence[str | Path],
    variant: str,
    blend: float,
    scale: float,
    decay: float = 1.0,
    filters: Filter = Filter(),  # noqa: B008 - a tuple
    progress: Callable[[int, int], object] = lambda done, count: None,
    units: float | None = None,
) -> TrainingSet:
    """The `TrainingSet` of files of games.

    With `units`, those of the search that NORMAL_SCALE centipawns are worth to the network that learns, the
    scores of players with other units are converted.

    A part `blend` of a target is what its score means by a logistic curve of that `scale`, in centipawns; the
    rest is the outlook with that `decay` (`outlook`). `progress(bytes, positions)` is told how far it is.
    Raises GamesError, VariantError."""
    reader, files, done = _Reader(variant, filters, decay, scale), [], 0
    for path in paths:
        before, games = reader.count, 0
        with GamesReader(path, variant) as source:
            factor = factor_to(units, source.header, variant)
            for chunk in source.chunks():
                reader.add(chunk, path, factor)
                games += len(chunk.numbers)
                progress(done + source.done, reader.count)
            done += source.size
            header = source.header
        facts = {"file": Path(path).name, "games": games, "positions": reader.count - before}
        settings = {name: value for name, value in header.settings._asdict().items() if value is not None}
        counts = search_factor(header.network)
        scaled = {SEARCH_FACTOR: counts} if counts != 1 else {}
        files.append(facts | {"player": header.player} | scaled | settings)
    arrays = {name: column.array() for name, column in reader.columns.items()}
    starts = np.concatenate([[0], np.cumsum(arrays["lengths"])])
    targets = targets_of(arrays["scores"], arrays["outlooks"], blend, scale)
    kings = arrays["kings"].reshape(-1, 2)
    samples = Samples(arrays["rows"], starts, targets, arrays["buckets"], arrays["mirrors"], kings)
    held_out = arrays["held_out"]
    train, tested = (np.flatnonzero(which).astype(np.uint32) for which in (~held_out, held_out))
    if not (len(train) and len(tested)):
        raise GamesError(
            f"{', '.join(map(str, paths))}: {len(train)} positions to learn from and {len(tested)} to test"
            f" with: more games are needed (one in {HELD_OUT} is held out)"
        )
    return TrainingSet(variant, samples, arrays["scores"], arrays["results"], train, tested, files)


def scale_of_results(
    paths: Sequence[str | Path], variant: str, units: float | None = None, most: int = SCALE_SAMPLE
) -> float:
    """The `fitted_scale` of the positions of decisive games in files, of about `most` positions from the
    beginning of each, converted to `units` as `read_training_set` does.

    Drawn games make the curve flatter, the better the players are, while scores mean the same. Raises
    GamesError, VariantError."""
    replay, scores, results = Replay(variant, Filter()), [np.zeros(0, np.int16)], [np.zeros(0, np.int8)]
    for path in paths:
        count = 0
        with GamesReader(path, variant) as source:
            factor = factor_to(units, source.header, variant)
            for chunk in source.chunks():
                batch = replay.batch(chunk, path)
                scores.append(multiplied(batch.scores, factor))
                results.append(batch.results)
                count += len(batch.scores)
                if count >= most:
                    break
    every, outcomes = np.concatenate(scores), np.concatenate(results)
    decisive = outcomes != 0
    return fitted_scale(every[decisive], outcomes[decisive])


def targets_of(scores: "npt.NDArray[np.int16]", outlooks: "Floats", blend: float, scale: float) -> "Floats":
    """What a network should answer for positions, as float32."""
    expected = 1 / (1 + np.exp(scores.astype(np.float32) / np.float32(-scale)))
    targets: Floats = np.float32(blend) * expected + np.float32(1 - blend) * outlooks
    return targets.astype(np.float32)


def fitted_scale(
    scores: "npt.NDArray[np.int16]", results: "npt.NDArray[np.int8]", most: int = 1_000
) -> float:
    """The centipawns of the logistic curve that predicts results from scores best, found by halving between
    SCALES.

    Only scores up to `most` centipawns either way count: beyond them games are decided."""
    near = np.abs(scores) <= most
    levels, bins = np.arange(-most, most + 1.0), scores[near].astype(np.int64) + most
    counts = np.bincount(bins, minlength=len(levels))
    points = np.bincount(bins, (results[near] + 1) / 2, len(levels))
    low, high = SCALES
    for _ in range(HALVINGS):
        middle = math.sqrt(low * high)
        too_flat = np.dot(points - counts / (1 + np.exp(-levels / middle)), levels) > 0
        low, high = (low, middle) if too_flat else (middle, high)
    return math.sqrt(low * high)
