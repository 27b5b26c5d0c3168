"""The positions that `surajang bench tune` reads, with the scores of searches in centipawns and the points of
games: as text, one per line with its FEN, or those of self-play games."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...engine.variant import Variant
from ..self_play.games_file import GamesError
from ..self_play.positions import read_positions

SHOWN = 80  # characters shown of a wrong line


class SampleError(ValueError):
    """Samples that cannot be read or used; the text names the file and quotes the line."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A quiet position: its FEN, the score of the search in centipawns and the points of the game, both
    White's. `where` is its file and line."""

    fen: str
    score: int
    points: float
    where: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{self.fen} ; {self.score} ; {self.points:g}"


def read_samples(path: str | Path, variant: Variant) -> list[Sample]:
    """The samples of a game in a file. Raises SampleError for a line that is not a sample, with its number,
    for a file of another game, and for a file without samples or that cannot be read."""
    found = []
    try:
        with open(path, "rb") as file:
            for number, line in enumerate(file, 1):
                if line.startswith(b"#"):
                    _refuse_other_game(path, line, variant)
                else:
                    found.append(_sample(line, f"{path}, line {number}"))
    except OSError as error:
        raise SampleError(f"{path}: cannot be read: {error.strerror}") from None
    if not found:
        raise SampleError(f"{path}: there are no positions in it")
    return found


def _refuse_other_game(path: str | Path, line: bytes, variant: Variant) -> None:
    """Raises SampleError for a heading of another game."""
    heading = re.match(rb"# ([^,]+), \d+ nodes,", line)
    if heading and heading[1].decode(errors="replace") != variant:
        raise SampleError(f"{path}: the positions are of {_shown(heading[1])}, not of {variant!r}")


def _sample(line: bytes, where: str) -> Sample:
    """The sample in a line. Raises SampleError."""
    if not line.endswith(b"\n"):
        raise SampleError(f"{where}: {_shown(line)} is incomplete")
    try:
        fen, score, points = line.decode().rstrip("\r\n").split(" ; ")
        sample = Sample(fen, int(score), float(points), where)
    except ValueError:
        raise SampleError(f"{where}: {_shown(line)} is not 'FEN ; score ; points'") from None
    if not 0 <= sample.points <= 1:
        raise SampleError(f"{where}: {_shown(line)} has points that are not between 0 and 1")
    return sample


def _shown(line: bytes) -> str:
    """A line of a file, given as bytes, in quotes."""
    return repr(line.decode(errors="replace").strip("# \r\n")[:SHOWN])


class LabelledPositions(NamedTuple):
    """Quiet positions of self-play games as records of `position_dtype`, the scores of their searches in
    centipawns, and the points of their games, both White's."""

    positions: np.ndarray
    scores: np.ndarray
    points: np.ndarray


def read_games(path: Path, variant: Variant) -> LabelledPositions:
    """The `LabelledPositions` of a file of games. Raises GamesError if it cannot be read, is of another game
    or has none."""
    batches = list(read_positions(path, variant))
    if not sum(len(batch.plies) for batch in batches):
        raise GamesError(f"{path}: there are no positions in it")
    results = np.concatenate([batch.results for batch in batches])
    return LabelledPositions(
        np.concatenate([batch.positions for batch in batches]),
        np.concatenate([batch.scores for batch in batches]).astype(float),
        (results + 1) / 2,
    )
