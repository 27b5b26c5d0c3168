"""The positions that benchmarks work on, by game.

A shipped game has a list in `variants/bench_positions`, one position a line with the depths that suit it:

    FEN ; id "middle game, full hands" ; search 10 ; perft 4

where a search to that depth takes half a second or less, and so does perft. A game of the user's own has its
start and positions from random walks with a fixed seed.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from .game.text_files import decode
from .variant import Variant

if TYPE_CHECKING:
    from .position import Position

FOLDER = Path(__file__).parent / "variants" / "bench_positions"
OWN_SEARCH, OWN_PERFT = 8, 3  # depths for games without a list
WALKS = (8, 24, 48)  # plies of the random walks
TRIES = 100  # walks that end too early before a length is left out

_LINE = re.compile(r'(?P<fen>[^;]+?) ; id "(?P<name>[^"]+)" ; search (?P<search>\d+) ; perft (?P<perft>\d+)')


@dataclass(frozen=True)
class NamedPosition:
    """A position of a game by name."""

    variant: Variant
    name: str
    fen: str

    @cached_property
    def position(self) -> "Position":
        """The `Position`, without history. Raises FenError."""
        from .position import Position

        return Position(self.variant, self.fen)


@dataclass(frozen=True)
class Item(NamedPosition):
    """A position with the depths in plies that suit it for `search` and `perft`."""

    search: int
    perft: int


def items_of(variant: Variant, position: "Position | None" = None) -> list[Item]:
    """The positions of a game, its start first; or `position` alone, under its FEN, with its depths."""
    path = FOLDER / f"{variant}.epd"
    start = variant.description.start_fen
    items = read_items(path, variant) if path.exists() else []
    if not items or items[0].fen != start:  # no list, or that of a shipped game with the same name
        items = [Item(variant, name, fen, OWN_SEARCH, OWN_PERFT) for name, fen in walked(variant)]
    if position is None:
        return items
    return [Item(variant, position.fen(), position.fen(), items[0].search, items[0].perft)]


def read_items(path: Path, variant: Variant) -> list[Item]:
    """The positions in a file, in its order. Raises ValueError that names file and line and quotes it."""
    return [
        Item(variant, match["name"], match["fen"], int(match["search"]), int(match["perft"]))
        for _, match in matched_lines(path, _LINE, 'FEN ; id "name" ; search N ; perft N')
    ]


def matched_lines(path: Path, pattern: re.Pattern[str], form: str) -> Iterator[tuple[int, re.Match[str]]]:
    """Yields (line number, match) of each line that is neither empty nor a comment, which `#` begins. Raises
    ValueError with file, line and the expected `form`."""
    for number, line in enumerate(decode(path.read_bytes()).splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        match = pattern.fullmatch(line)
        if not match:
            raise ValueError(f"{path}:{number}: {line!r} should read {form!r}")
        yield number, match


def walked(variant: Variant) -> Iterator[tuple[str, str]]:
    """Yields (name, FEN) of the start position and of the ends of random walks, the same in every process."""
    from .position import Position

    position = Position(variant)
    yield "start", position.fen()
    for plies in WALKS:
        for attempt in range(TRIES):
            end = _walk(position.copy(), plies, random.Random(f"{plies} {attempt}"))
            if end is not None:
                yield f"random walk, {plies} plies", end.fen()
                break


def _walk(position: "Position", plies: int, chance: random.Random) -> "Position | None":
    """The position after so many random moves; None when the game ends before them or with the last."""
    for _ in range(plies):
        if position.result() is not None:
            return None
        position.push(chance.choice(sorted(map(str, position.legal_moves()))))
    return position if position.result() is None else None
