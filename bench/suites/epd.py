"""The lines of a suite's file, one position each; `#` begins a comment."""

import re
from collections.abc import Iterator
from pathlib import Path


def matched_lines(path: Path, pattern: re.Pattern[str], form: str) -> Iterator[tuple[int, re.Match[str]]]:
    """Yields (line number, match) of each line that is no comment. Raises ValueError that names file and
    line, quotes it and tells the `form` that it should have."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        match = pattern.fullmatch(line)
        if not match:
            raise ValueError(f"{path}:{number}: {line!r} should read {form!r}")
        yield number, match


def place_of(fen: str) -> tuple[str, ...]:
    """What tells a position from another one: its FEN without the counters."""
    return tuple(fen.split()[:3])
