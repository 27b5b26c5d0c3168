"""Forced mates in files, one a line, and those that come with the engine.

    FEN ; dm 4 ; bm N@f3 Q@h2 ; id "game 12, ply 61"

`dm` is the number of moves that the mate takes, `bm` the moves that were proven to begin it; there may be
others. Where a shorter mate could not be ruled out, ` ; c0 "shortest not proven"` follows.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from ....engine.bench_positions import matched_lines
from ....engine.variant import Variant
from ..epd import SuiteEntry

FOLDER = Path(__file__).with_name("data")
LENGTHS = range(2, 7)  # moves, of the mates that are kept
MOST_SHARE = 0.25  # of a suite's mates that may have the same length
UNPROVEN = ' ; c0 "shortest not proven"'
_LINE = re.compile(
    r'(?P<fen>[^;]+?) ; dm (?P<moves>\d+) ; bm (?P<first>[^;"]+) ; id "(?P<name>[^"]+)"(?P<unproven>'
    + re.escape(UNPROVEN)
    + r")?"
)


@dataclass(frozen=True)
class Mate(SuiteEntry):
    """A position in which the side to move mates in `moves` moves, `shortest` if a shorter mate was ruled
    out; `first` are moves that begin it, as text."""

    moves: int
    first: tuple[str, ...]
    shortest: bool

    def __str__(self) -> str:
        line = f'{self.fen} ; dm {self.moves} ; bm {" ".join(self.first)} ; id "{self.name}"'
        return line if self.shortest else line + UNPROVEN


def read_mates(path: Path, variant: Variant) -> list[Mate]:
    """The mates in a file, in its order. Raises ValueError that names file and line and quotes it."""
    found = []
    for _, match in matched_lines(path, _LINE, 'FEN ; dm N ; bm MOVES ; id "name"'):
        first, shortest = tuple(match["first"].split()), match["unproven"] is None
        found.append(Mate(variant, match["name"], match["fen"], int(match["moves"]), first, shortest))
    return found


def chosen(mates: Iterable[Mate], count: int) -> list[Mate]:
    """The first mates for a suite of `count`, by length: no duplicate positions, and no length above
    MOST_SHARE."""
    most = ceil(MOST_SHARE * count)
    found: list[Mate] = []
    seen: set[tuple[str, ...]] = set()
    lengths = dict.fromkeys(LENGTHS, 0)
    for mate in mates:
        if len(found) < count and mate.place not in seen and lengths[mate.moves] < most:
            seen.add(mate.place)
            lengths[mate.moves] += 1
            found.append(mate)
    return sorted(found, key=lambda mate: mate.moves)
