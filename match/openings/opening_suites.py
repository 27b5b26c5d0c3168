"""The suites of openings that come with the engine, by the name of their game."""

import gzip
from difflib import get_close_matches
from pathlib import Path

from ...engine.definition.catalogue import own_name
from ...engine.variant import Variant
from .openings import BookError

FOLDER = Path(__file__).with_name("data")
SUFFIX = ".epd.gz"
OWN = "suite"  # the name for the suite of the match's game
LARGE = 500  # openings of a suite that a match repeats rather than doing without it


def suites() -> dict[str, Path]:
    """Name of a game -> the file of its openings, sorted by name."""
    return {path.name.removesuffix(SUFFIX): path for path in sorted(FOLDER.glob(f"*{SUFFIX}"))}


def suffices(variant: str, count: int = LARGE) -> bool:
    """Whether a game has a suite with `count` openings, or a LARGE one."""
    path = FOLDER / f"{variant}{SUFFIX}"
    if not path.exists():
        return False
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return sum(not line.startswith("#") for line in file) >= min(count, LARGE)


def find_openings(text: str, variant: Variant) -> Path:
    """The file at the path `text`, or the suite of the game with that name; `suite` is that of `variant`.

    An existing file comes first. Raises BookError that quotes a text that is none of these."""
    path, known = Path(text), suites()
    if path.is_file():
        return path
    name = variant if text == OWN else own_name(text)
    if name in known:
        return known[name]
    names = f"suites: {', '.join(known) or 'none'}"
    if text == OWN:
        raise BookError(f"{variant!r} comes without a suite of openings ({names})")
    if path.is_dir():
        raise BookError(f"{text!r} is a folder; openings are in a file")
    if path.suffix or len(path.parts) > 1:
        raise BookError(f"there is no file {text!r}; openings are in a file, or in a suite ({names})")
    close = get_close_matches(text, [OWN, *known], n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    raise BookError(f"{text!r} is neither a file nor a game that has a suite of openings{hint} ({names})")
