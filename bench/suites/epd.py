"""Positions of suites in files, one per line; `#` begins a comment."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ...engine.game.text_files import decode
from ...engine.variant import Variant

if TYPE_CHECKING:
    from ...engine.position import Position


@dataclass(frozen=True)
class SuiteEntry:
    """A position of a suite; its text is its line in the file."""

    variant: Variant
    name: str
    fen: str

    @cached_property
    def position(self) -> "Position":
        """The `Position`, without history. Raises FenError."""
        from ...engine.position import Position

        return Position(self.variant, self.fen)

    @property
    def place(self) -> tuple[str, ...]:
        """The identity of the position: its FEN without the counters."""
        return tuple(self.fen.split()[:4])


def matched_lines(path: Path, pattern: re.Pattern[str], form: str) -> Iterator[tuple[int, re.Match[str]]]:
    """Yields (line number, match) of each line that is not a comment. Raises ValueError with file, line and
    the expected `form`."""
    for number, line in enumerate(decode(path.read_bytes()).splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        match = pattern.fullmatch(line)
        if not match:
            raise ValueError(f"{path}:{number}: {line!r} should read {form!r}")
        yield number, match


def write_entries(path: Path, entries: Iterable[SuiteEntry], heading: str) -> None:
    """Writes entries to a file in the order given; `heading` is its first line."""
    path.write_text("\n".join([f"# {heading}", *map(str, entries)]) + "\n", encoding="utf-8")
