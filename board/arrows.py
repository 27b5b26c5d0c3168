"""Arrows and circles of users, in the form of PGN comments: `[%cal Ge2e4,Rd1d8]`, `[%csl Yd5]`."""

import re
from collections.abc import Iterable

COLOURS = "GRYB"  # green, red, yellow, blue
MOST_SHAPES = 100  # of a position
_SQUARE = r"[a-p](?:1[0-6]|[1-9])"
_SHAPE = re.compile(rf"[{COLOURS}]{_SQUARE}(?:{_SQUARE})?")
_COMMAND = re.compile(r"\[%c[as]l\s+([^\]]*)\]")
_ARROW = re.compile(rf".{_SQUARE}{_SQUARE}")


def checked(shapes: Iterable[object]) -> list[str]:
    """The shapes, each once: a colour and the square of a circle, or the two of an arrow. Raises
    ValueError."""
    found = list(dict.fromkeys(str(shape) for shape in shapes))
    for shape in found:
        if not _SHAPE.fullmatch(shape):
            raise ValueError(f"{shape!r} is no arrow or circle; those look like 'Ge2e4' and 'Rd5'")
    return found[:MOST_SHAPES]


def read_shapes(comment: str) -> list[str]:
    """The arrows and circles of a comment; invalid ones are skipped."""
    texts = [text.strip() for match in _COMMAND.finditer(comment) for text in match[1].split(",")]
    return checked(text for text in texts if _SHAPE.fullmatch(text))


def write_shapes(shapes: Iterable[str]) -> str:
    """The commands for shapes, "" for none."""
    arrows = [shape for shape in shapes if _ARROW.fullmatch(shape)]
    circles = [shape for shape in shapes if shape not in arrows]
    return " ".join(
        f"[%{name} {','.join(found)}]" for name, found in (("csl", circles), ("cal", arrows)) if found
    )
