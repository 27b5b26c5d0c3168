"""The names of pictures for pieces in a game's file; `pictures` draws them."""

import re
from difflib import get_close_matches
from typing import NamedTuple

OCTAGONS = tuple(
    f"octagon {name}" for name in ("king", "advisor", "chariot", "horse", "elephant", "cannon", "soldier")
)
FIGURES = (
    *("king", "queen", "rook", "bishop", "knight", "pawn"),
    *("archbishop", "chancellor", "amazon", "general", "hawk", "camel", "elephant", "cannon", "merchant"),
    *("gold", "silver", "token"),
    *OCTAGONS,
)
UNBADGED = ("token", *OCTAGONS)
_PICTURE = re.compile(r"(gilded )?(.+?)(?: with (.+))?")


class PictureError(ValueError):
    """A text that is not the name of a picture."""


class PictureName(NamedTuple):
    """A figure, whether it is gilded, and the small figure beside it or ""."""

    figure: str
    gilded: bool = False
    badge: str = ""

    @property
    def text(self) -> str:
        """The name as files write it."""
        return "gilded " * self.gilded + self.figure + f" with {self.badge}" * bool(self.badge)


def parse(text: str) -> PictureName:
    """The picture of a text like "gilded queen with pawn". Raises PictureError."""
    match = _PICTURE.fullmatch(text)
    if not match:
        raise PictureError(f"{text!r} should be a figure like 'rook', 'gilded rook' or 'queen with pawn'")
    gilded, figure, badge = match.groups()
    for name in (figure, badge):
        if name is not None and name not in FIGURES:
            close = get_close_matches(name, FIGURES, n=1)
            hint = f"did you mean {close[0]!r}? " if close else ""
            raise PictureError(f"{name!r} is not a figure ({hint}known: {', '.join(FIGURES)})")
    if badge and (figure in UNBADGED or badge in UNBADGED):
        raise PictureError(f"{text!r}: tokens and octagons stand alone, without 'with'")
    return PictureName(figure, bool(gilded), badge or "")
