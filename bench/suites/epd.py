"""Positions of suites in files, one per line; `#` begins a comment."""

from collections.abc import Iterable
from pathlib import Path

from ...engine.bench_positions import NamedPosition


class SuiteEntry(NamedPosition):
    """A position of a suite; its text is its line in the file."""

    @property
    def place(self) -> tuple[str, ...]:
        """The identity of the position: its FEN without the counters."""
        return tuple(self.fen.split()[:4])


def write_entries(path: Path, entries: Iterable[SuiteEntry], heading: str) -> None:
    """Writes entries to a file in the order given; `heading` is its first line."""
    path.write_text("\n".join([f"# {heading}", *map(str, entries)]) + "\n", encoding="utf-8")
