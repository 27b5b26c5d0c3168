"""Positions as text, one per line: FEN, the score of a search in centipawns, and the points of its game.

`surajang bench tune` reads such files."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from ...engine.variant import Variant

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
