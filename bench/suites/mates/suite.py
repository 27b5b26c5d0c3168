"""Forced mates in files, one a line, and those that come with the engine.

    FEN ; dm 4 ; bm N@f3 Q@h2 ; id "game 12, ply 61"

`dm` is the number of moves that the mate takes, `bm` the moves that were proven to begin it; there may be
others. Where a shorter mate could not be ruled out, ` ; c0 "shortest not proven"` follows.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from ..epd import matched_lines, place_of

if TYPE_CHECKING:
    from ....engine.position import Position

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
class Mate:
    """A position in which the side to move mates in `moves` moves, `shortest` if a shorter mate was ruled
    out; `first` are moves that begin it, as text."""

    variant: str
    name: str
    fen: str
    moves: int
    first: tuple[str, ...]
    shortest: bool

    @cached_property
    def position(self) -> "Position":
        """The `Position`, without history. Raises FenError."""
        from ....engine.position import Position

        return Position(self.variant, self.fen)

    def __str__(self) -> str:
        line = f'{self.fen} ; dm {self.moves} ; bm {" ".join(self.first)} ; id "{self.name}"'
        return line if self.shortest else line + UNPROVEN


def read_mates(path: Path, variant: str) -> list[Mate]:
    """The mates in a file, in its order. Raises ValueError that names file and line and quotes it."""
    found = []
    for _, match in matched_lines(path, _LINE, 'FEN ; dm N ; bm MOVES ; id "name"'):
        first, shortest = tuple(match["first"].split()), match["unproven"] is None
        found.append(Mate(variant, match["name"], match["fen"], int(match["moves"]), first, shortest))
    return found


def write_mates(path: Path, mates: Iterable[Mate], heading: str) -> None:
    """Writes mates to a file, by length and then in the order given; `heading` is its first line."""
    lines = [f"# {heading}", *map(str, sorted(mates, key=lambda mate: mate.moves))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def chosen(mates: Iterable[Mate], count: int) -> list[Mate]:
    """The first mates that make a suite of `count`: no position twice, no length above MOST_SHARE of it."""
    most = ceil(MOST_SHARE * count)
    found: list[Mate] = []
    seen: set[tuple[str, ...]] = set()
    lengths = dict.fromkeys(LENGTHS, 0)
    for mate in mates:
        place = place_of(mate.fen)
        if len(found) < count and place not in seen and lengths[mate.moves] < most:
            seen.add(place)
            lengths[mate.moves] += 1
            found.append(mate)
    return found
